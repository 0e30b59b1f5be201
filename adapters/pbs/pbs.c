/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live PBS by its client commands, and the files of its scheduler if they may be read.
 *
 * A fetch runs the commands that the request needs, all at once; each is one call to the server.
 * None of them changes anything: pbsfs is only run without options, or with -I (other options
 * write). The scheduler's log is read for the values of job_sort_formula, if one is set.
 */
#include "adapters/pbs/pbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "adapters/commands_run.h"
#include "adapters/file.h"
#include "adapters/live_source.h"
#include "adapters/pbs/pbs_text.h"
#include "adapters/slice.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/word.h"

#define LOG_BYTES_MAX ((size_t)16 << 20)	/* a cycle over tens of thousands of jobs */
#define DEADLINE_MS 60000
#define ARGUMENTS_MAX 8
#define PATH_SIZE 4096

static const struct pbs_command_info {
	enum pbs_text_kind kind;
	uint32_t needs;
	bool root;			/* only root may run it, on the server's host */
	const char *argv[ARGUMENTS_MAX];
} command_table[] = {
	{ PBS_SERVER, NEED_ALL, false, { "qstat", "-B", "-f", "-F", "json", NULL } },
	{ PBS_QUEUE, NEED_ALL, false, { "qstat", "-Q", "-f", "-F", "json", NULL } },
	{ PBS_SCHED, NEED_ALL, false, { "qmgr", "-c", "list sched", NULL } },
	/* -t: the scheduler treats each running subjob of an array as a job. */
	{ PBS_JOBS, NEED_JOBS, false, { "qstat", "-f", "-t", "-F", "json", NULL } },
	{ PBS_NODES, NEED_HOSTS, false, { "pbsnodes", "-av", "-F", "json", NULL } },
	{ PBS_RESV, NEED_HOSTS, false, { "pbs_rstat", "-F", NULL } },
	{ PBS_FS, NEED_SHARES | NEED_LIMITS, true, { "pbsfs", NULL } },
};
#define COMMANDS (sizeof(command_table) / sizeof(command_table[0]))

/* The files read from sched_priv. */
static const struct {
	enum pbs_text_kind kind;
	const char *name;
} priv_files[] = {
	{ PBS_CONFIG, "sched_config" }, { PBS_HOLIDAYS, "holidays" },
	{ PBS_GROUP, "resource_group" }, { PBS_USAGE, "usage" },
};

struct pbs_state {
	struct live_source live;
	char *host;			/* of pbs:@HOST; NULL: the local server */
	char *server;			/* "PBS_SERVER=HOST" */
	char sched[PBS_SCHED_MAX];	/* scheduler whose policy and tree are read; "":
					 * default's */
	char exec[PATH_SIZE];		/* PBS_EXEC of pbs.conf, "" */
	char home[PATH_SIZE];		/* PBS_HOME, "" */
};

/* ---- pbs.conf ------------------------------------------------------------------------------ */

static const char *pbs_conf_path(void)
{
	const char *path = getenv("PBS_CONF_FILE");

	return path && *path ? path : "/etc/pbs.conf";
}

/* "PBS_EXEC=/opt/pbs" */
static void conf_value(struct slice line, const char *key, char *value, size_t size)
{
	if (!slice_take(&line, key) || !slice_take(&line, "="))
		return;
	line = slice_trim(line);
	if (line.length < size) {
		memcpy(value, line.at, line.length);
		value[line.length] = '\0';
	}
}

static void read_conf(struct pbs_state *s)
{
	size_t length;
	char *text = file_read(pbs_conf_path(), CONF_BYTES_MAX, &length, NULL);
	struct slice rest = { text, text ? length : 0 }, line;

	while (text && slice_line(&rest, &line)) {
		conf_value(line, "PBS_EXEC", s->exec, sizeof(s->exec));
		conf_value(line, "PBS_HOME", s->home, sizeof(s->home));
	}
	mem_free(text);
}

static bool pbs_here(struct err *err)
{
	if (access(pbs_conf_path(), R_OK) == 0)
		return true;
	return err_set(err, ERR_SOURCE, "pbs: %.200s: %s", pbs_conf_path(), strerror(errno));
}

/* The program to run: from PATH, else from the directory in pbs.conf. */
static const char *pbs_program(const struct pbs_state *s, const char *name, char *buf, size_t size)
{
	static const char *const directories[] = { "bin", "sbin" };

	if (child_in_path(name))
		return name;
	for (size_t i = 0; s->exec[0] && i < 2; i++) {
		if (snprintf(buf, size, "%s/%s/%s", s->exec, directories[i], name) < (int)size &&
		    access(buf, X_OK) == 0)
			return buf;
	}
	return name;
}

/* ---- running ------------------------------------------------------------------------------- */

/* The commands that run at once. */
struct pbs_batch {
	struct remote_command run[COMMANDS];
	const struct pbs_command_info *infos[COMMANDS];
	const char *argv[COMMANDS][ARGUMENTS_MAX];
	char programs[COMMANDS][PATH_SIZE + 100];
	char names[COMMANDS][64];	/* "qstat -f -F json" */
	const char **environment;	/* NULL: ours */
	size_t count;
};

static void pbs_describe(char *buf, size_t size, const char *const *argv)
{
	buf[0] = '\0';
	for (size_t i = 0; argv[i]; i++)
		format_append(buf, size, "%s%s", i ? " " : "", argv[i]);
}

/* For another scheduler than the default one: pbsfs -I NAME. */
static void add_sched(const struct pbs_state *s, enum pbs_text_kind kind, const char **argv)
{
	size_t n = 0;

	if (kind != PBS_FS || !s->sched[0])
		return;
	while (argv[n])
		n++;
	argv[n] = "-I";
	argv[n + 1] = s->sched;
}

static void pbs_choose(struct pbs_state *s, uint32_t needs, struct pbs_batch *batch)
{
	static const char *const ours[] = { "PBS_SERVER=", NULL };
	const char *const theirs[] = { s->server, NULL };

	if (s->server)
		batch->environment = child_environment_new(ours, theirs);
	for (size_t i = 0; i < COMMANDS; i++) {
		const struct pbs_command_info *info = &command_table[i];
		size_t n = batch->count;

		if (!(info->needs & needs) || (info->root && (s->host || geteuid() != 0)))
			continue;
		memcpy(batch->argv[n], info->argv, sizeof(info->argv));
		batch->argv[n][0] = pbs_program(s, info->argv[0], batch->programs[n],
						sizeof(batch->programs[n]));
		add_sched(s, info->kind, batch->argv[n]);
		pbs_describe(batch->names[n], sizeof(batch->names[n]), info->argv);
		batch->infos[n] = info;
		batch->run[n].argv = batch->argv[n];
		batch->run[n].environment = batch->environment;
		batch->run[n].optional = info->root;
		batch->count++;
	}
}

/* "qstat: cannot connect ..." without the program's name, which precedes it already. */
static const char *plain_words(const char *complaint, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(complaint, name, length) == 0 && complaint[length] == ':')
		return complaint + length + 1 + strspn(complaint + length + 1, " ");
	return complaint[0] ? complaint : "failed without a message";
}

static bool pbs_gather(const struct pbs_batch *batch, struct pbs_texts *texts, struct err *err)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct remote_command *c = &batch->run[i];
		enum pbs_text_kind kind = batch->infos[i]->kind;
		const char *words = plain_words(c->complaint, batch->infos[i]->argv[0]);

		texts->kind[kind].name = batch->names[i];
		if (c->status == 0 && c->output) {
			texts->kind[kind].text = c->output;
			texts->kind[kind].length = c->length;
			texts->kind[kind].sure = true;
			continue;
		}
		/* Without the server or the jobs no true picture is possible. */
		if (kind == PBS_SERVER || kind == PBS_JOBS)
			return err_about(err, ERR_SOURCE, batch->names[i], "%.200s%s", words,
					 strncmp(words, "cannot start", 12) == 0 ?
					 " (expected in PATH, or below PBS_EXEC of pbs.conf)" : "");
		texts->kind[kind].complaint = words;
	}
	return true;
}

/* ---- sched_priv ---------------------------------------------------------------------------- */

/* The attribute KEY ("sched_priv = ") of the selected scheduler; BUF is unchanged without one. */
static bool sched_attribute(const struct pbs_texts *texts, const char *key, char *buf, size_t size)
{
	const struct pbs_text *t = &texts->kind[PBS_SCHED];
	struct slice rest = { t->text, t->text ? t->length : 0 }, line;
	bool is_shown = false;

	while (t->text && slice_line(&rest, &line)) {
		bool head = slice_take(&line, "Sched ");

		line = slice_trim(line);
		if (head)
			is_shown = slice_is(line, texts->sched ? texts->sched : "default");
		else if (is_shown && slice_take(&line, key))
			return snprintf(buf, size, "%.*s", (int)line.length, line.at) < (int)size;
	}
	return false;
}

/* A directory of the scheduler: from its attribute, else below PBS_HOME; "" if unknown. */
static void sched_path(const struct pbs_state *s, const struct pbs_texts *texts, const char *key,
		       const char *below, char *buf, size_t size)
{
	const char *sched = texts->sched ? texts->sched : "";

	if (!sched_attribute(texts, key, buf, size) &&
	    (!s->home[0] || snprintf(buf, size, "%s/%s%s%s", s->home, below, *sched ? "_" : "",
				     sched) >= (int)size))
		buf[0] = '\0';
}

/* The values of job_sort_formula in the last cycle: the end of today's log. */
static void pbs_read_today_log(struct pbs_state *s, struct pbs_texts *texts)
{
	struct pbs_text *t = &texts->kind[PBS_LOG];
	char dir[PATH_SIZE], path[PATH_SIZE + 100], formula[PATH_SIZE];
	time_t now = (time_t)texts->time;
	struct tm tm;

	if (s->host || !localtime_r(&now, &tm) ||
	    !sched_attribute(texts, "job_sort_formula = ", formula, sizeof(formula)))
		return;
	sched_path(s, texts, "sched_log = ", "sched_logs", dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/%04d%02d%02d", dir, tm.tm_year + 1900, tm.tm_mon + 1,
		 tm.tm_mday);
	t->name = "sched_logs";
	t->text = file_read_end(path, LOG_BYTES_MAX, &t->length, NULL);
}

/* Reads what may be read; the builder notes the rest, by what is then missing. */
static void read_priv(struct pbs_state *s, struct pbs_texts *texts)
{
	char dir[PATH_SIZE], path[PATH_SIZE + 100];

	if (s->host)
		return;
	sched_path(s, texts, "sched_priv = ", "sched_priv", dir, sizeof(dir));
	for (size_t i = 0; dir[0] && i < sizeof(priv_files) / sizeof(priv_files[0]); i++) {
		struct pbs_text *t = &texts->kind[priv_files[i].kind];

		snprintf(path, sizeof(path), "%s/%s", dir, priv_files[i].name);
		t->name = priv_files[i].name;
		t->text = file_read(path, CONF_BYTES_MAX, &t->length, NULL);
		texts->denied |= !t->text && access(path, R_OK) < 0 && errno == EACCES;
	}
}

static void free_priv(struct pbs_texts *texts)
{
	for (size_t i = 0; i < sizeof(priv_files) / sizeof(priv_files[0]); i++)
		mem_free(texts->kind[priv_files[i].kind].text);
	mem_free(texts->kind[PBS_LOG].text);
}

/* The scheduler rewrites its usage file in place: a cut file is read once more. */
static bool pbs_build(struct pbs_state *s, uint32_t needs, struct pbs_texts *texts,
		      struct builder *b, struct err *err)
{
	const struct pbs_text *usage = &texts->kind[PBS_USAGE];

	read_priv(s, texts);
	if (usage->text && usage->length % 64 != 32) {
		static const struct timespec pause = { 0, 50000000 };

		nanosleep(&pause, NULL);
		free_priv(texts);
		read_priv(s, texts);
	}
	if (needs & NEED_PRIO)
		pbs_read_today_log(s, texts);
	return pbs_text_build(texts, b, err) && pbs_text_check_sched(texts, b, err);
}

/* ---- the source ---------------------------------------------------------------------------- */

static enum fetch_result pbs_fetch(struct source *base, const struct fetch_request *request,
				   struct cluster **out, struct err *err)
{
	struct pbs_state *s = (struct pbs_state *)base;
	struct pbs_texts texts = { .time = clock_time(),
				   .sched = s->sched[0] ? s->sched : NULL };
	struct pbs_batch *batch = mem_zalloc(1, sizeof(*batch));
	struct builder *b = builder_new();
	enum fetch_result result;

	pbs_choose(s, request->needs, batch);
	texts.without_jobs = !(request->needs & NEED_JOBS);
	command_run(batch->run, batch->count, OUTPUT_BYTES_MAX,
		    request->deadline_ms < 0 ? DEADLINE_MS : request->deadline_ms,
		    s->live.cancel_fd);
	result = live_source_end(&s->live, b, pbs_gather(batch, &texts, err) &&
				 pbs_build(s, request->needs, &texts, b, err), out, err);
	free_priv(&texts);
	for (size_t i = 0; i < batch->count; i++)
		mem_free(batch->run[i].output);
	mem_free(batch->environment);
	mem_free(batch);
	snprintf(base->health, sizeof(base->health), "commands%s", geteuid() == 0 && !s->host ?
		 " and sched_priv" : "");
	return result;
}

static void pbs_close(struct source *base)
{
	struct pbs_state *s = (struct pbs_state *)base;

	mem_free(s->host);
	mem_free(s->server);
	live_source_free(base);
}

static const char sched_option[] = "sched=";

/* Splits "@HOST", "@HOST,sched=NAME" or "sched=NAME"; HOST becomes NULL without one. */
static bool live_split(const char *rest, char **host, char sched[PBS_SCHED_MAX], struct err *err)
{
	size_t length = rest[0] == '@' ? strcspn(rest, ",") : 0;
	const char *option = rest[0] == '@' ? rest + length + (rest[length] == ',') : rest;

	if (rest[0] == '@' && (length == 1 || rest[1] == '-'))
		return err_set(err, ERR_INPUT, "pbs:%.100s: expected pbs:@HOST", rest);
	if (rest[length] && (!word_begins(option, sched_option) ||
			!pbs_sched_take(option + sizeof(sched_option) - 1, sched)))
		return err_set(err, ERR_INPUT, "pbs:%.100s: expected sched=NAME", rest);
	*host = length > 1 ? mem_strndup(rest + 1, length - 1) : NULL;
	return true;
}

static struct source *pbs_open(const char *rest, struct err *err)
{
	char *host = NULL, sched[PBS_SCHED_MAX] = "";
	struct pbs_state *s;

	if (rest && rest[0] != '@' && !word_begins(rest, sched_option))
		return pbs_saved_open(rest, err);
	if (rest && !live_split(rest, &host, sched, err))
		return NULL;
	s = live_source_new(sizeof(*s), &pbs_source, err);
	if (!s) {
		mem_free(host);
		return NULL;
	}
	memcpy(s->sched, sched, sizeof(sched));
	s->host = host;
	s->server = host ? mem_format("PBS_SERVER=%s", host) : NULL;
	read_conf(s);
	return &s->live.base;
}

const struct source_ops pbs_source = {
	.scheme = "pbs",
	.synopsis = "pbs[:@HOST|:DIR][,sched=NAME]",
	.meaning = "this host's PBS server, or the one at HOST; saved outputs of its commands",
	.open = pbs_open,
	.here = pbs_here,
	.fetch = pbs_fetch,
	.cancel = live_source_cancel,
	.close = pbs_close,
	.live = true,
	.detect = true,
};
