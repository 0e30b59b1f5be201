/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live LSF by its commands, and its configuration if it may be read.
 *
 * None of the commands changes anything. The form with -o and -json is tried first; if it is
 * refused (LSF 9, openlava, volclava), the plain one is used from then on. Clients wait for ever
 * while mbatchd is down: LSB_NTRIES=1 makes them give up, and there is a deadline. The places of
 * files are from the IBM documentation of LSF 10.1: lsf.conf is in LSF_ENVDIR (default /etc), the
 * lsb files in LSB_CONFDIR/CLUSTER/configdir; in older members of the family in LSB_CONFDIR.
 */
#include "adapters/lsf/lsf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "adapters/commands_run.h"
#include "adapters/file.h"
#include "adapters/live_source.h"
#include "adapters/lsf/lsf_text.h"
#include "adapters/slice.h"
#include "core/base/mem.h"

#define DEADLINE_MS 60000
#define SECOND_MS 5000		/* reserved for plain forms if others hang; at most half */
#define PATH_SIZE 4096

static const struct lsf_command_info {
	enum lsf_kind kind;
	uint32_t needs;
	int plain_of;		/* run if that one is refused; -1 */
	int file;		/* not run if that file was read; -1 */
	bool optional;
	const char *argv[8];
} command_table[] = {
	{ LSF_BQUEUES, NEED_ALL, -1, -1, true,
	  { "bqueues", "-o", LSF_BQUEUES_FIELDS, "-json", NULL } },
	{ LSF_BQUEUES_R, NEED_ALL, -1, -1, false, { "bqueues", "-r", NULL } },
	{ LSF_BHOSTS, NEED_HOSTS, -1, -1, false,
	  { "bhosts", "-o", LSF_BHOSTS_FIELDS, "-json", NULL } },
	{ LSF_BHOSTS_W, NEED_HOSTS, LSF_BHOSTS, -1, false, { "bhosts", "-w", NULL } },
	{ LSF_LSHOSTS_W, NEED_HOSTS | NEED_JOBS, -1, -1, true, { "lshosts", "-w", NULL } },
	{ LSF_BJOBS, NEED_JOBS, -1, -1, false,
	  { "bjobs", "-u", "all", "-o", LSF_BJOBS_FIELDS, "-json", NULL } },
	{ LSF_BJOBS_L, NEED_JOBS, LSF_BJOBS, -1, false, { "bjobs", "-u", "all", "-l", NULL } },
	{ LSF_LSID, NEED_ALL, -1, -1, true, { "lsid", NULL } },
	{ LSF_BPARAMS_L, NEED_POLICY | NEED_SHARES, -1, LSF_PARAMS, true,
	  { "bparams", "-l", NULL } },
	{ LSF_BUGROUP_W, NEED_SHARES, -1, LSF_USERS, true, { "bugroup", "-w", NULL } },
	{ LSF_BMGROUP, NEED_HOSTS | NEED_JOBS, -1, LSF_HOSTS, true, { "bmgroup", NULL } },
	{ LSF_BUSERS, NEED_JOBS, -1, LSF_USERS, true, { "busers", "all", NULL } },
};
#define COMMANDS (sizeof(command_table) / sizeof(command_table[0]))

struct answers {
	bool reported[LSF_KINDS], silent[LSF_KINDS];	/* SILENT: killed, or not started */
};

struct lsf_state {
	struct live_source live;
	bool refused[LSF_KINDS];	/* the form with -o and -json is not supported */
};

/* ---- configuration ------------------------------------------------------------------------- */

static void lsf_conf_path(char *buf, size_t size)
{
	const char *dir = getenv("LSF_ENVDIR");

	snprintf(buf, size, "%s/lsf.conf", dir && *dir ? dir : "/etc");
}

static bool lsf_here(struct err *err)
{
	char path[PATH_SIZE];

	lsf_conf_path(path, sizeof(path));
	if (access(path, R_OK) == 0)
		return true;
	return err_set(err, ERR_SOURCE, "lsf: %.200s: %s", path, strerror(errno));
}

/* LSB_CONFDIR=/path, perhaps quoted. */
static bool conf_dir(char *dir, size_t size)
{
	char path[PATH_SIZE];
	struct slice rest, line;
	size_t length;
	char *text;

	lsf_conf_path(path, sizeof(path));
	text = file_read(path, CONF_BYTES_MAX, &length, NULL);
	rest = (struct slice){ text, text ? length : 0 };
	dir[0] = '\0';
	while (text && slice_line(&rest, &line)) {
		line = slice_trim(line);
		if (!slice_take(&line, "LSB_CONFDIR="))
			continue;
		line = slice_trim(line);
		if (line.length > 1 && line.at[0] == '"')
			line = (struct slice){ line.at + 1, line.length - 2 };
		snprintf(dir, size, "%.*s", (int)(line.length < size ? line.length : 0), line.at);
	}
	mem_free(text);
	return dir[0] != '\0';
}

/* LSB_CONFDIR itself, or the first cluster in it, by name, with configured queues. */
static bool cluster_dir(char *dir, size_t size)
{
	char base[PATH_SIZE], path[2 * PATH_SIZE];
	struct dirent **list;
	bool found = false;
	int n;

	if (!conf_dir(base, sizeof(base)))
		return false;
	snprintf(path, sizeof(path), "%s/lsb.queues", base);
	if (access(path, R_OK) == 0) {
		snprintf(dir, size, "%s", base);
		return true;
	}
	n = scandir(base, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s/configdir/lsb.queues", base, list[i]->d_name);
		if (!found && list[i]->d_name[0] != '.' && access(path, R_OK) == 0) {
			found = true;
			snprintf(dir, size, "%.4000s/%.255s/configdir", base, list[i]->d_name);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return found;
}

/* Reads the lsb.* files that may be read; the rest is unknown. */
static void read_configuration(struct lsf_texts *texts)
{
	char dir[PATH_SIZE + 300], path[PATH_SIZE + 600];

	if (!cluster_dir(dir, sizeof(dir)))
		return;
	for (const struct saved_file *file = lsf_dir_files; file->name; file++) {
		struct lsf_text *t = &texts->kind[file->kind];

		if (file->command[0] || file->kind == LSF_LOG)
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, file->name);
		t->name = file->name;
		t->text = file_read(path, CONF_BYTES_MAX, &t->length, NULL);
	}
}

/* ---- running ------------------------------------------------------------------------------- */

/* Some commands print their usage as the answer, and exit with 0. */
static bool lsf_is_usage(const char *text)
{
	text += strspn(text, " \t\n");
	return strncmp(text, "Usage:", 6) == 0 || strncmp(text, "usage:", 6) == 0;
}

static bool lsf_is_json(const struct lsf_command_info *info)
{
	return info->kind == LSF_BQUEUES || info->kind == LSF_BHOSTS || info->kind == LSF_BJOBS;
}

/* Without jobs bjobs prints "No unfinished job found" and exits with 254. */
static bool is_no_job(const struct lsf_command_info *info, const struct remote_command *run)
{
	return (info->kind == LSF_BJOBS || info->kind == LSF_BJOBS_L) &&
	       (strncmp(run->complaint, "No ", 3) == 0 && strstr(run->complaint, "job"));
}

/* "bqueues -r: Connection refused by server" */
static void lsf_say(const struct lsf_command_info *info, const struct remote_command *run,
		    char *buf, size_t size)
{
	const char *words = run->complaint[0] ? run->complaint : "failed without a message";

	if ((run->output && lsf_is_usage(run->output)) || lsf_is_usage(run->complaint))
		words = "printed its usage: these options are unknown here";
	else if (run->status == 0)
		words = "printed none of the expected output";
	snprintf(buf, size, "%.40s %.40s: %.110s", info->argv[0],
		 info->argv[1] ? info->argv[1] : "", words);
}

static bool lsf_succeeded(const struct lsf_command_info *info, const struct remote_command *run)
{
	return run->status == 0 && run->output && run->length > 0 && !lsf_is_usage(run->output) &&
	       (info->kind != LSF_BQUEUES_R || strstr(run->output, "QUEUE:")) &&
	       (!lsf_is_json(info) || run->output[strspn(run->output, " \t\r\n")] == '{');
}

/* Moves the answers into TEXTS, or why there is none. */
static void lsf_take(struct remote_command *run, const struct lsf_command_info **infos,
		     size_t count, struct lsf_texts *texts, struct answers *answers)
{
	for (size_t i = 0; i < count; i++) {
		const struct lsf_command_info *info = infos[i];
		struct lsf_text *t = &texts->kind[info->kind];

		t->name = info->argv[0];
		answers->silent[info->kind] = run[i].status < 0;
		answers->reported[info->kind] = is_no_job(info, &run[i]) ||
					    lsf_succeeded(info, &run[i]);
		if (lsf_succeeded(info, &run[i])) {
			t->text = run[i].output;
			t->length = run[i].length;
			continue;
		}
		if (is_no_job(info, &run[i])) {
			t = &texts->kind[LSF_BJOBS_L];
			mem_free(t->text);
			*t = (struct lsf_text){ .name = info->argv[0], .text = mem_strdup("") };
		}
		if (!answers->reported[info->kind] && !info->optional)
			lsf_say(info, &run[i], t->why, sizeof(t->why));
		mem_free(run[i].output);
	}
}

/* Was the form with -o and -json refused, and INFO's plain form not run yet? */
static bool is_refused(const struct answers *answers, const struct lsf_command_info *info)
{
	return !answers->reported[info->plain_of] && !answers->silent[info->plain_of] &&
	       !answers->reported[info->kind] && !answers->silent[info->kind];
}

/* Chooses commands to run: first all but plain forms, then those of refused commands. */
static size_t lsf_choose(const struct lsf_state *s, uint32_t needs, const struct lsf_texts *texts,
			 bool again, const struct answers *answers, const char *const *environment,
			 struct remote_command *run, const struct lsf_command_info **infos)
{
	size_t count = 0;

	for (size_t i = 0; i < COMMANDS; i++) {
		const struct lsf_command_info *info = &command_table[i];
		bool plain = info->plain_of >= 0;
		bool now = again ? plain && is_refused(answers, info) :
			   plain ? s->refused[info->plain_of] : !s->refused[info->kind];

		if (!now || !(info->needs & needs) ||
		    (info->file >= 0 && texts->kind[info->file].text))
			continue;
		run[count] = (struct remote_command){ .argv = info->argv,
						      .environment = environment,
						      .optional = info->optional };
		infos[count++] = info;
	}
	return count;
}

/* A form that failed while the plain one worked is not tried again. */
static void lsf_learn(struct lsf_state *s, const bool reported[LSF_KINDS])
{
	for (size_t i = 0; i < COMMANDS; i++) {
		const struct lsf_command_info *info = &command_table[i];

		if (info->plain_of >= 0 && reported[info->kind] && !reported[info->plain_of])
			s->refused[info->plain_of] = true;
	}
	if (reported[LSF_BQUEUES_R] && !reported[LSF_BQUEUES])
		s->refused[LSF_BQUEUES] = true;
}

/* Runs the commands, then the plain forms of refused ones. False if the queues did not answer. */
static bool lsf_gather(struct lsf_state *s, const struct fetch_request *request,
		       struct lsf_texts *texts, struct err *err)
{
	int64_t deadline_ms = request->deadline_ms < 0 ? DEADLINE_MS : request->deadline_ms;
	int64_t end_ms = clock_ms() + deadline_ms;
	static const char *const tries[] = { "LSB_NTRIES=", NULL };
	static const char *const once[] = { "LSB_NTRIES=1", NULL };
	const char **environment = child_environment_new(tries, once);
	struct answers answers = { .reported = { false } };
	char queues[sizeof(texts->kind[0].why)] = "";

	for (int turn = 0; turn < 2; turn++) {
		struct remote_command run[COMMANDS] = { { 0 } };
		const struct lsf_command_info *infos[COMMANDS];
		int64_t left = clock_left(end_ms);
		size_t count = lsf_choose(s, request->needs, texts, turn == 1, &answers,
					  environment, run, infos);

		if (count == 0)
			break;
		if (turn == 0)
			left -= left / 2 < SECOND_MS ? left / 2 : SECOND_MS;
		command_run(run, count, OUTPUT_BYTES_MAX, left, s->live.cancel_fd);
		for (size_t i = 0; i < count; i++) {
			if (infos[i]->kind == LSF_BQUEUES_R || (turn == 0 && !queues[0]))
				lsf_say(infos[i], &run[i], queues, sizeof(queues));
		}
		lsf_take(run, infos, count, texts, &answers);
		if (!answers.reported[LSF_BQUEUES] && !answers.reported[LSF_BQUEUES_R])
			break;
	}
	mem_free(environment);
	lsf_learn(s, answers.reported);
	if (!answers.reported[LSF_BQUEUES] && !answers.reported[LSF_BQUEUES_R])
		return err_set(err, ERR_SOURCE, "%s", queues);
	return true;
}

static enum fetch_result lsf_fetch(struct source *base, const struct fetch_request *request,
				   struct cluster **out, struct err *err)
{
	struct lsf_state *s = (struct lsf_state *)base;
	struct lsf_texts texts = { .time = clock_time(),
				   .jobless = !(request->needs & NEED_JOBS) };
	struct builder *b = builder_new();
	enum fetch_result result;

	read_configuration(&texts);
	result = live_source_end(&s->live, b, lsf_gather(s, request, &texts, err) &&
				 lsf_text_build(&texts, b, err), out, err);
	for (size_t k = 0; k < LSF_KINDS; k++)
		mem_free(texts.kind[k].text);
	snprintf(base->health, sizeof(base->health), "commands and configuration files");
	return result;
}

static struct source *lsf_open(const char *rest, struct err *err)
{
	return rest ? lsf_saved_open(rest, err) :
		      live_source_new(sizeof(struct lsf_state), &lsf_source, err);
}

const struct source_ops lsf_source = {
	.scheme = "lsf",
	.synopsis = "lsf[:DIR|:FILE]",
	.meaning = "this host's LSF cluster; its configuration files and saved outputs",
	.open = lsf_open,
	.here = lsf_here,
	.fetch = lsf_fetch,
	.cancel = live_source_cancel,
	.close = live_source_free,
	.live = true,
	.detect = true,
};
