/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch: alarms without a monitoring system. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/clock.h"
#include "adapters/registry/apart.h"
#include "adapters/turns.h"
#include "cli/every.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "core/base/format.h"
#include "core/base/jsonw.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/fleet/fleet_row.h"
#include "core/watch/watch.h"
#include "tui/base/complain.h"
#include "tui/base/zone.h"
#include "tui/screen/screen.h"

#define EVERY_MS 60000
#define EXEC_MS 60000		/* most time that a program may take */

struct watching;

struct watch_watched {
	struct watching *of;
	const char *name;		/* as the user wrote it; NULL: the first that answers */
	char source[256], health[200];	/* as it names itself, and how it is read */
	struct cluster *cluster;	/* the last picture, and its model */
	struct model *model;
	struct watch *watch;
	bool heard;			/* it has answered, or failed */
	int status;			/* of its last evaluation: 0 or ERR_SOURCE */
	char unseen[ERR_MESSAGE_MAX];	/* last reported: a rule did not see all jobs */
};

struct watching {
	const struct options *options;
	struct watch_watched *all;
	size_t count;
	struct output output;
};

/* ---- reporting ------------------------------------------------------------------------------ */

struct watch_reported {
	const char *key;
	char text[1200];		/* safe for terminals */
};

enum {
	REPORTED_TIME,
	REPORTED_EVENT,
	REPORTED_ALARM,
	REPORTED_SOURCE,
	REPORTED_CLUSTER,
	REPORTED_VIEW,
	REPORTED_OBJECT,
	REPORTED_RULE,
	REPORTED_SINCE,
	REPORTED_COUNT,
	REPORTED_TITLE = REPORTED_COUNT
};

static void watch_fill(struct watch_reported *reported, const char *key, const char *text)
{
	reported->key = key;
	(void)visible_copy(reported->text, sizeof(reported->text), text, strlen(text));
}

static void watch_fill_time(struct watch_reported *reported, const char *key, int64_t time)
{
	reported->key = key;
	snprintf(reported->text, sizeof(reported->text), "%lld", (long long)time);
}

/* FAIRTOP_ALARM and so on, as environment variables. */
static void set_environment(const struct watch_reported *reported)
{
	char name[32];

	for (size_t i = 0; i < REPORTED_COUNT; i++) {
		size_t length = (size_t)snprintf(name, sizeof(name), "FAIRTOP_%s", reported[i].key);

		for (size_t k = 0; k < length; k++)
			name[k] = (char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 32 : name[k]);
		(void)setenv(name, reported[i].text, 1);
	}
}

/* Waits until it ends or is killed; CHILD is blocked, and has SIGCHLD. */
static void watch_await(const char *program, pid_t pid, const sigset_t *child)
{
	int64_t until = clock_ms() + EXEC_MS, left;
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		left = until - clock_ms();
		if (left <= 0) {
			kill(pid, SIGKILL);
			(void)waitpid(pid, &status, 0);
			remark(program, "took more than %d s, and was stopped", EXEC_MS / 1000);
			return;
		}
		(void)sigtimedwait(child, NULL, &(struct timespec){ left / 1000,
								    left % 1000 * 1000000 });
	}
	if (WIFSIGNALED(status))
		remark(program, "ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		remark(program, "exit status %d", WEXITSTATUS(status));
}

/* Its output goes to standard error: standard output has only begins and ends. */
static int start_program(const char *program, const sigset_t *mask, pid_t *pid)
{
	char *const argv[] = { (char *)(uintptr_t)program, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, 2, 1);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, mask);
	error = posix_spawnp(pid, program, &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static void run_program(const char *program, const struct watch_reported *reported)
{
	sigset_t child, mask;
	pid_t pid;
	int error;

	set_environment(reported);
	every_release();
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask);
	error = start_program(program, &mask, &pid);
	if (error != 0)
		remark(program, "%s", strerror(error));
	else
		watch_await(program, pid, &child);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	every_hold();
}

static void print_json(struct watch_watched *w, const struct watch_reported *reported)
{
	struct jsonw j;

	jsonw_init(&j, output_sink(&w->of->output), NULL);
	jsonw_object_begin(&j);
	for (size_t i = 0; i < REPORTED_COUNT; i++) {
		jsonw_key(&j, reported[i].key);
		if (i == REPORTED_TIME || i == REPORTED_SINCE)
			jsonw_int(&j, strtoll(reported[i].text, NULL, 10));
		else
			jsonw_string(&j, reported[i].text[0] ? reported[i].text : NULL);
	}
	jsonw_object_end(&j);
	jsonw_newline(&j);
	(void)jsonw_end(&j);
}

static void print_text(struct watch_watched *w, const struct watch_reported *reported, int64_t time)
{
	static const struct column column = { .format = COLUMN_TIME };
	struct value v = { .kind = VALUE_UNKNOWN };
	char when[64];

	value_set_int(&v, time);
	format_cell(&column, &v, &zone_local, when, sizeof(when));
	output_text(&w->of->output, "%s %-5s %s: %s %s: %s (%s)\n", when,
		    reported[REPORTED_EVENT].text, reported[REPORTED_ALARM].text,
		    reported[REPORTED_TITLE].text, reported[REPORTED_VIEW].text,
		    reported[REPORTED_OBJECT].text, reported[REPORTED_RULE].text);
}

/* In the format of the column of several sources. */
static void fill_title(struct watch_reported *reported, const struct watch_watched *w)
{
	const struct watching *x = w->of;
	const char **names = mem_zalloc(x->count, sizeof(*names));
	char title[600];

	for (size_t i = 0; i < x->count; i++)
		names[i] = x->all[i].cluster ? cluster_meta(x->all[i].cluster)->name : NULL;
	fleet_title(names, x->count, (size_t)(w - x->all), w->source, title, sizeof(title));
	watch_fill(reported, "title", title);
	mem_free(names);
}

static void watch_tell(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
		       int64_t time)
{
	struct watch_reported *reported = mem_zalloc(REPORTED_COUNT + 1, sizeof(*reported));
	struct watch_watched *w = context;
	const char *cluster = w->cluster ? cluster_meta(w->cluster)->name : NULL;

	watch_fill_time(&reported[REPORTED_TIME], "time", time);
	watch_fill(&reported[REPORTED_EVENT], "event", row->on ? "begin" : "end");
	watch_fill(&reported[REPORTED_ALARM], "alarm", rule->name);
	watch_fill(&reported[REPORTED_SOURCE], "source", w->source);
	fill_title(&reported[REPORTED_TITLE], w);
	watch_fill(&reported[REPORTED_CLUSTER], "cluster", cluster ? cluster : "");
	watch_fill(&reported[REPORTED_VIEW], "view", rule->view->name);
	watch_fill(&reported[REPORTED_OBJECT], "object", row->object);
	watch_fill(&reported[REPORTED_RULE], "rule", rule->text);
	watch_fill_time(&reported[REPORTED_SINCE], "since", row->since);
	if (w->of->options->lines && strcmp(w->of->options->lines, "json") == 0)
		print_json(w, reported);
	else
		print_text(w, reported, time);
	if (w->of->options->exec) {
		(void)output_finish(&w->of->output, NULL);
		run_program(w->of->options->exec, reported);
	}
	mem_free(reported);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

/* The result of a thread for an answer. */
struct watch_made {
	char source[256], health[200];
	struct cluster *cluster;	/* NULL: no answer */
	struct model *model;		/* NULL: none can be made, as ERR says */
	struct err err;
};

static void *watch_make(void *context, size_t i, struct source *source, struct cluster *cluster)
{
	const struct watching *x = context;
	struct watch_made *made = mem_zalloc(1, sizeof(*made));

	(void)i;
	if (source) {
		snprintf(made->source, sizeof(made->source), "%s", source->name);
		snprintf(made->health, sizeof(made->health), "%s", source->health);
	}
	made->cluster = cluster;
	if (cluster)
		made->model = model_new(cluster, &x->options->model, &made->err);
	return made;
}

/* A failure does not discard an answer that was not evaluated yet. */
static void watch_drop(void *what, void *instead)
{
	struct watch_made *made = what, *next = instead;

	if (next && !next->cluster) {
		next->cluster = made->cluster;
		next->model = made->model;
	} else {
		model_free(made->model);
		cluster_free(made->cluster);
	}
	mem_free(made);
}

static struct source *watch_open_source(const char *spec, struct err *err)
{
	return source_open_beside(spec, false, err);
}

static bool watch_renew(struct watch_watched *w, const struct watch_made *made, struct err *err)
{
	if (made->source[0])
		snprintf(w->source, sizeof(w->source), "%s", made->source);
	memcpy(w->health, made->health, sizeof(w->health));
	if (!made->cluster)
		return true;
	model_free(w->model);
	cluster_free(w->cluster);
	w->cluster = made->cluster;
	w->model = made->model;
	*err = made->err;
	return w->model;
}

/* A rule may never see all jobs, so that is reported only once. */
static int tell_unseen(struct watch_watched *w, const struct err *why)
{
	bool again = strcmp(w->unseen, why->message) == 0;

	memcpy(w->unseen, why->message, sizeof(w->unseen));
	return again ? (int)why->code : complain_about(w->source, why);
}

/* Evaluates with MADE (NULL: no news), which it takes over. Other than 0 ends the program. */
static int verb_watch_look(struct watch_watched *w, const struct collector_status *status,
			   struct watch_made *made)
{
	struct watch_answer answer = { .options = &w->of->options->model,
				       .now = clock_time() };
	struct err err = { .code = ERR_NONE }, why = { .code = ERR_NONE };
	bool good = !made || watch_renew(w, made, &why);

	mem_free(made);
	w->heard = true;
	if (status->code != ERR_NONE) {
		why = (struct err){ .code = status->code, .line = status->line };
		memcpy(why.message, status->problem, sizeof(why.message));
		good = false;
	} else if (good && !w->model) {
		good = err_set(&why, ERR_SOURCE, "nothing to read");
	}
	w->status = good ? 0 : complain_about(w->source, &why);
	if (w->status != 0 && w->status != ERR_SOURCE)
		return w->status;
	answer.model = good ? w->model : NULL;
	answer.source = w->source;
	answer.health = w->health;
	if (!watch_look(w->watch, &answer, watch_tell, w, &err) ||
	    !output_finish(&w->of->output, &err))
		return complain(&err);
	if (w->status == 0 && watch_sees(w->watch, w->cluster, &why))
		w->unseen[0] = '\0';
	else if (w->status == 0)
		w->status = tell_unseen(w, &why);
	return w->status == ERR_SOURCE ? 0 : w->status;
}

static bool watch_take_line(void *context, const char *line, const struct words *words,
			    struct err *err)
{
	return strcmp(words->word[0], "alarm") != 0 ||
	       watch_add(context, words->count > 1 ? line + words->start[1] : "", false, err);
}

static struct watch *watch_rules_of(const struct options *o, struct err *err)
{
	struct watch *w = watch_new(o->once);
	bool ok = screen_config_each(watch_take_line, w, err);

	for (size_t i = 0; i < o->alarm_count && ok; i++) {
		ok = watch_add(w, o->alarms[i], true, err) || err_prefix(err, "--rule");
	}
	if (ok && watch_rules(w) == 0)
		ok = err_set(err, ERR_INPUT, "watch: no rule (expected --rule 'NAME: VIEW "
			     "EXPRESSION', or alarm NAME VIEW EXPRESSION in fairtop.conf)");
	if (ok)
		return w;
	watch_free(w);
	return NULL;
}

static size_t watch_alarms_on(const struct watching *x)
{
	size_t alarms = 0;

	for (size_t i = 0; i < x->count; i++)
		alarms += watch_count(x->all[i].watch);
	return alarms;
}

/* The result of --once: 1 if there is an alarm, or the status of a source that failed. */
static int watch_outcome(const struct watching *x)
{
	int status = 0;

	for (size_t i = 0; i < x->count; i++)
		status = x->all[i].status != 0 ? x->all[i].status : status;
	return watch_alarms_on(x) > 0 ? 1 : status;
}

static bool all_heard(const struct watching *x)
{
	bool heard = true;

	for (size_t i = 0; i < x->count; i++)
		heard = heard && x->all[i].heard;
	return heard;
}

static void say_what_is_waited_for(const struct watching *x, int64_t every_ms)
{
	size_t rules = watch_rules(x->all->watch);
	char doing[60], sources[40];

	snprintf(doing, sizeof(doing), "watching %zu %s of", rules, rules == 1 ? "rule" : "rules");
	snprintf(sources, sizeof(sources), "%zu sources", x->count);
	progress_waits(doing, x->count > 1 ? sources : x->all->name,
		       x->options->once ? 0 : every_ms, NULL);
}

static void say_what_was_heard(const struct watching *x)
{
	size_t alarms = watch_alarms_on(x);

	if (alarms > 0)
		progress_heard("%zu %s", alarms, alarms == 1 ? "alarm" : "alarms");
	else
		progress_heard("nothing to report");
}

static int watch_on(struct watching *x, struct turns *turns, int signals)
{
	struct collector_status status;
	void *made;
	size_t i;
	int ends, signal;

	do {
		turns_drain(turns);
		/* Ctrl-C ends the helper, too, which says nothing about the source. */
		while ((signal = every_take(signals)) == 0 &&
		       turns_take(turns, &i, &status, &made)) {
			progress_clear();
			ends = verb_watch_look(&x->all[i], &status, made);
			if (ends != 0)
				return ends;
			if (x->options->once && all_heard(x))
				return watch_outcome(x);
			say_what_was_heard(x);
		}
		if (signal == 0)
			turns_wait(turns, signals);
	} while (signal == 0);
	progress_clear();
	return 128 + signal;
}

/* Readers of saved data are sandboxed, and must be started before there are threads. */
static struct turns *ask_all(struct watching *x, struct err *err)
{
	const struct turns_maker maker = { watch_open_source, watch_make, watch_drop, NULL, x };
	int64_t every = x->options->every_ms > 0 ? x->options->every_ms : EVERY_MS;
	struct source **opened = mem_zalloc(x->count, sizeof(struct source *));
	const char **names = mem_zalloc(x->count, sizeof(*names));
	struct turns *turns = NULL;
	bool ok = true;

	for (size_t i = 0; i < x->count && ok; i++) {
		names[i] = x->all[i].name;
		if (apart_is_saved(names[i]))
			ok = (opened[i] = source_open_apart(names[i], err)) != NULL;
		if (!ok)
			err_prefix(err, "%s", x->all[i].source);
	}
	for (size_t i = 0; i < x->count && !ok; i++)
		source_close(opened[i]);
	if (ok)
		turns = turns_new(names, opened, x->count, NEED_ALL, every, &maker, err);
	if (turns)
		say_what_is_waited_for(x, every);
	mem_free(opened);
	mem_free(names);
	return turns;
}

static bool watch_begin(struct watching *x, struct watch_watched *w, const char *name,
			struct err *err)
{
	w->of = x;
	w->name = name;
	snprintf(w->source, sizeof(w->source), "%s", name ? name : "");
	visible_hide_passwords(w->source);
	w->watch = watch_rules_of(x->options, err);
	return w->watch;
}

int verb_watch(const struct options *o)
{
	struct watching x = { .options = o, .count = 1 + o->object_count };
	struct err err = { .code = ERR_NONE };
	struct turns *turns;
	int status, signals;
	bool ok = true;

	x.all = mem_zalloc(x.count, sizeof(*x.all));
	output_init(&x.output);
	for (size_t i = 0; i < x.count && ok; i++)
		ok = watch_begin(&x, &x.all[i], i == 0 ? o->source : o->objects[i - 1], &err);
	signals = every_open();
	turns = ok ? ask_all(&x, &err) : NULL;
	status = turns ? watch_on(&x, turns, signals) : complain(&err);
	turns_free(turns);
	close(signals);
	for (size_t i = 0; i < x.count; i++) {
		model_free(x.all[i].model);
		cluster_free(x.all[i].cluster);
		watch_free(x.all[i].watch);
	}
	mem_free(x.all);
	return status;
}
