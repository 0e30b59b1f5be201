/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch: alarms without a monitoring system. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/registry/apart.h"
#include "cli/every.h"
#include "cli/verbs.h"
#include "core/base/format.h"
#include "core/base/jsonw.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/watch/watch.h"
#include "tui/base/output.h"
#include "tui/base/zone.h"
#include "tui/screen/screen.h"

#define EVERY_MS 60000
#define EXEC_MS 60000		/* no program holds up the looks for longer */

struct watched {
	const struct options *options;
	const char *name;		/* as the user wrote it; NULL: the first that answers */
	struct source *source;		/* stays open; NULL: it could not be opened */
	struct cluster *cluster;	/* the last picture, and its model */
	struct model *model;
	struct watch *watch;
	struct output output;
};

/* ---- telling -------------------------------------------------------------------------------- */

struct told {
	const char *key;
	char text[1200];		/* harmless for terminals */
};

enum { TOLD_TIME, TOLD_EVENT, TOLD_ALARM, TOLD_SOURCE, TOLD_CLUSTER, TOLD_VIEW, TOLD_OBJECT,
       TOLD_RULE, TOLD_SINCE, TOLD_COUNT };

static void fill(struct told *told, const char *key, const char *text)
{
	told->key = key;
	(void)visible_copy(told->text, sizeof(told->text), text, strlen(text));
}

static void fill_time(struct told *told, const char *key, int64_t time)
{
	told->key = key;
	snprintf(told->text, sizeof(told->text), "%lld", (long long)time);
}

/* FAIRTOP_ALARM and so on, as an environment. */
static void set_environment(const struct told *told)
{
	char name[32];

	for (size_t i = 0; i < TOLD_COUNT; i++) {
		size_t length = (size_t)snprintf(name, sizeof(name), "FAIRTOP_%s", told[i].key);

		for (size_t k = 0; k < length; k++)
			name[k] = (char)(name[k] >= 'a' && name[k] <= 'z' ? name[k] - 32 : name[k]);
		(void)setenv(name, told[i].text, 1);
	}
}

/* Until it ends, or is ended; CHILD is blocked, and has SIGCHLD. */
static void await(const char *program, pid_t pid, const sigset_t *child)
{
	int64_t until = every_now_ms() + EXEC_MS, left;
	char text[80] = "";
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		left = until - every_now_ms();
		if (left <= 0) {
			kill(pid, SIGKILL);
			(void)waitpid(pid, &status, 0);
			remark(program, "took more than 60 s, and was ended");
			return;
		}
		(void)sigtimedwait(child, NULL, &(struct timespec){ left / 1000,
								    left % 1000 * 1000000 });
	}
	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "ended by signal %d", WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		snprintf(text, sizeof(text), "exit status %d", WEXITSTATUS(status));
	if (text[0])
		remark(program, text);
}

/* What it prints goes to standard error: standard output holds begins and ends alone. */
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

static void run_program(const char *program, const struct told *told)
{
	sigset_t child, mask;
	pid_t pid;
	int error;

	set_environment(told);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask);
	error = start_program(program, &mask, &pid);
	if (error != 0)
		remark(program, strerror(error));
	else
		await(program, pid, &child);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void print_json(struct watched *w, const struct told *told)
{
	struct jsonw j;

	jsonw_init(&j, output_sink(&w->output), NULL);
	jsonw_object_begin(&j);
	for (size_t i = 0; i < TOLD_COUNT; i++) {
		jsonw_key(&j, told[i].key);
		if (i == TOLD_TIME || i == TOLD_SINCE)
			jsonw_int(&j, strtoll(told[i].text, NULL, 10));
		else
			jsonw_string(&j, told[i].text[0] ? told[i].text : NULL);
	}
	jsonw_object_end(&j);
	jsonw_newline(&j);
	(void)jsonw_end(&j);
}

static void print_text(struct watched *w, const struct told *told, int64_t time)
{
	static const struct column column = { .format = COLUMN_TIME };
	struct value v;
	char when[64];

	value_set_int(&v, time);
	format_cell(&column, &v, &zone_local, when, sizeof(when));
	output_text(&w->output, "%s %-5s %s: %s %s: %s (%s)\n", when, told[TOLD_EVENT].text,
		    told[TOLD_ALARM].text, told[TOLD_SOURCE].text, told[TOLD_VIEW].text,
		    told[TOLD_OBJECT].text, told[TOLD_RULE].text);
}

static const char *source_name(const struct watched *w)
{
	return w->source ? w->source->name : w->name ? w->name : "";
}

static void tell(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
		 int64_t time)
{
	struct told *told = mem_zalloc(TOLD_COUNT, sizeof(*told));
	struct watched *w = context;
	const char *cluster = w->cluster ? cluster_meta(w->cluster)->name : NULL;

	fill_time(&told[TOLD_TIME], "time", time);
	fill(&told[TOLD_EVENT], "event", row->on ? "begin" : "end");
	fill(&told[TOLD_ALARM], "alarm", rule->name);
	fill(&told[TOLD_SOURCE], "source", source_name(w));
	fill(&told[TOLD_CLUSTER], "cluster", cluster ? cluster : "");
	fill(&told[TOLD_VIEW], "view", rule->view->name);
	fill(&told[TOLD_OBJECT], "object", row->object);
	fill(&told[TOLD_RULE], "rule", rule->text);
	fill_time(&told[TOLD_SINCE], "since", row->since);
	if (w->options->lines && strcmp(w->options->lines, "json") == 0)
		print_json(w, told);
	else
		print_text(w, told, time);
	if (w->options->exec) {
		(void)output_finish(&w->output, NULL);
		run_program(w->options->exec, told);
	}
	mem_free(told);
}

/* ---- looking -------------------------------------------------------------------------------- */

/* Takes over CLUSTER, which came. */
static bool renew(struct watched *w, struct cluster *cluster, struct err *err)
{
	model_free(w->model);
	cluster_free(w->cluster);
	w->cluster = cluster;
	w->model = model_new(cluster, &w->options->model, err);
	return w->model != NULL;
}

/* A new picture, or that there is none: false with the reason. */
static bool ask(struct watched *w, struct err *err)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1,
					       .last = w->options->once };
	struct cluster *cluster;

	if (!w->source) {
		w->source = source_open_apart(w->name, err);
		if (w->source && w->source->ops->follow)
			(void)source_follow(w->source, err);
	}
	if (!w->source)
		return false;
	switch (source_fetch(w->source, &request, &cluster, err)) {
	case FETCH_NEW:
		return renew(w, cluster, err);
	case FETCH_SAME:
	case FETCH_END:
		return w->model || err_set(err, ERR_SOURCE, "nothing to read");
	case FETCH_FAILED:
		break;
	}
	if (err->code == ERR_NONE)
		err->code = ERR_SOURCE;
	return false;
}

/* 0, ERR_SOURCE if it does not answer, else an exit status that ends all. */
static int look(struct watched *w)
{
	struct watch_answer answer = { .options = &w->options->model, .now = (int64_t)time(NULL) };
	struct err err = { .code = ERR_NONE }, why = { .code = ERR_NONE };
	int status = 0;

	if (ask(w, &why))
		answer.model = w->model;
	else
		status = complain_about(source_name(w), &why);
	if (status != 0 && status != ERR_SOURCE)
		return status;
	answer.source = source_name(w);
	answer.health = w->source ? w->source->health : NULL;
	if (!watch_look(w->watch, &answer, tell, w, &err) || !output_finish(&w->output, &err))
		return complain(&err);
	if (status == 0 && !watch_sees(w->watch, w->cluster, &why))
		status = complain_about(source_name(w), &why);
	if (w->source && w->source->refused) {
		source_close(w->source);
		w->source = NULL;
	}
	return status;
}

static bool take_line(void *context, const char *line, const struct words *words, struct err *err)
{
	return strcmp(words->word[0], "alarm") != 0 ||
	       watch_add(context, words->count > 1 ? line + words->start[1] : "", false, err);
}

static struct watch *rules_of(const struct options *o, struct err *err)
{
	struct watch *w = watch_new(o->once);
	bool ok = screen_config_each(take_line, w, err);

	for (size_t i = 0; i < o->alarm_count && ok; i++) {
		ok = watch_add(w, o->alarms[i], true, err);
		if (!ok)
			err_prefix(err, "--rule");
	}
	if (ok && watch_rules(w) == 0)
		ok = err_set(err, ERR_INPUT, "watch: there is no rule (expected --rule 'NAME: VIEW "
			     "EXPRESSION', or alarm NAME VIEW EXPRESSION in fairtop.conf)");
	if (ok)
		return w;
	watch_free(w);
	return NULL;
}

/* All sources once: 0, ERR_SOURCE if one did not answer, else what ends it. */
static int look_at_all(struct watched *all, size_t count)
{
	int status = 0;

	for (size_t i = 0; i < count; i++) {
		int one = look(&all[i]);

		if (one != 0 && one != ERR_SOURCE)
			return one;
		status = one != 0 ? one : status;
	}
	return status;
}

static bool any_alarm(const struct watched *all, size_t count)
{
	size_t alarms = 0;

	for (size_t i = 0; i < count; i++)
		alarms += watch_count(all[i].watch);
	return alarms > 0;
}

static int watch_on(struct watched *all, size_t count, const struct options *o)
{
	int64_t every = o->every_ms > 0 ? o->every_ms : EVERY_MS;
	int status, signal = 0;

	do {
		int64_t next = every_now_ms() + every;

		status = look_at_all(all, count);
		if (status != 0 && status != ERR_SOURCE)
			return status;
		if (o->once)
			return any_alarm(all, count) ? 1 : status;
		signal = every_wait(next);
	} while (signal == 0);
	return 128 + signal;
}

int verb_watch(const struct options *o)
{
	size_t count = 1 + o->object_count;
	struct watched *all = mem_zalloc(count, sizeof(*all));
	struct err err = { .code = ERR_NONE };
	bool ok = true;
	int status;

	for (size_t i = 0; i < count && ok; i++) {
		all[i].options = o;
		all[i].name = i == 0 ? o->source : o->objects[i - 1];
		output_init(&all[i].output);
		all[i].watch = rules_of(o, &err);
		ok = all[i].watch != NULL;
	}
	status = ok ? watch_on(all, count, o) : complain(&err);
	for (size_t i = 0; i < count; i++) {
		model_free(all[i].model);
		cluster_free(all[i].cluster);
		source_close(all[i].source);
		watch_free(all[i].watch);
	}
	mem_free(all);
	return status;
}
