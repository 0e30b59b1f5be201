/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live LSF by its commands, and its configuration where it may be read.
 *
 * None of the commands changes anything. Which files there are is from the IBM documentation of
 * LSF 10.1: lsf.conf lies in LSF_ENVDIR (default /etc), the lsb files in
 * LSB_CONFDIR/CLUSTER/configdir.
 */
#include "adapters/lsf/lsf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "adapters/lsf/text.h"
#include "adapters/remote.h"
#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/text_scan.h"
#include "core/base/mem.h"

#define OUTPUT_BYTES_MAX ((size_t)1 << 30)
#define CONF_BYTES_MAX ((size_t)16 << 20)
#define DEADLINE_MS 60000
#define PATH_SIZE 4096

static const struct command_info {
	enum lsf_kind kind;
	uint32_t needs;
	const char *argv[8];
} command_table[] = {
	{ LSF_BQUEUES, NEED_ALL, { "bqueues", "-o", LSF_BQUEUES_FIELDS, "-json", NULL } },
	{ LSF_BHOSTS, NEED_HOSTS, { "bhosts", "-o", LSF_BHOSTS_FIELDS, "-json", NULL } },
	{ LSF_BJOBS, NEED_JOBS,
	  { "bjobs", "-u", "all", "-o", LSF_BJOBS_FIELDS, "-json", NULL } },
};
#define COMMANDS (sizeof(command_table) / sizeof(command_table[0]))

struct lsf_state {
	struct source base;
	int cancel_fd;
};

/* ---- configuration ------------------------------------------------------------------------- */

static void conf_path(char *buf, size_t size)
{
	const char *dir = getenv("LSF_ENVDIR");

	snprintf(buf, size, "%s/lsf.conf", dir && *dir ? dir : "/etc");
}

static bool lsf_here(struct err *err)
{
	char path[PATH_SIZE];

	conf_path(path, sizeof(path));
	if (access(path, R_OK) == 0)
		return true;
	return err_set(err, ERR_SOURCE, "lsf: %.200s: %s", path, strerror(errno));
}

/* LSB_CONFDIR=/path, perhaps quoted. */
static bool conf_dir(char *dir, size_t size)
{
	static const char key[] = "LSB_CONFDIR=";
	char path[PATH_SIZE];
	struct slice rest, line;
	size_t length;
	char *text;

	conf_path(path, sizeof(path));
	text = slurm_file_read(path, CONF_BYTES_MAX, &length, NULL);
	rest = (struct slice){ text, text ? length : 0 };
	dir[0] = '\0';
	while (text && slice_line(&rest, &line)) {
		line = slice_trim(line);
		if (!slice_starts(line, key))
			continue;
		line = slice_trim(slice_from(line, sizeof(key) - 1));
		if (line.length > 1 && line.at[0] == '"')
			line = (struct slice){ line.at + 1, line.length - 2 };
		snprintf(dir, size, "%.*s", (int)(line.length < size ? line.length : 0), line.at);
	}
	mem_free(text);
	return dir[0] != '\0';
}

/* The first cluster, by name, that has queues configured. */
static bool cluster_dir(char *dir, size_t size)
{
	char base[PATH_SIZE], path[2 * PATH_SIZE];
	struct dirent **list;
	bool found = false;
	int n;

	if (!conf_dir(base, sizeof(base)))
		return false;
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

/* What may be read of lsb.*; the rest is unknown. */
static void read_configuration(struct lsf_texts *texts)
{
	char dir[PATH_SIZE + 300], path[PATH_SIZE + 600];

	if (!cluster_dir(dir, sizeof(dir)))
		return;
	for (size_t i = 0; i < lsf_dir_files_count; i++) {
		const struct lsf_dir_file *file = &lsf_dir_files[i];
		struct lsf_text *t = &texts->kind[file->kind];

		if (file->command[0] || file->kind == LSF_LOG)
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, file->name);
		t->name = file->name;
		t->text = slurm_file_read(path, CONF_BYTES_MAX, &t->length, NULL);
	}
}

/* ---- running ------------------------------------------------------------------------------- */

static bool gather(struct lsf_state *s, const struct command *run,
		   const struct command_info **infos, size_t count, struct lsf_texts *texts,
		   struct err *err)
{
	s->base.banner[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		struct lsf_text *t = &texts->kind[infos[i]->kind];
		const char *words = run[i].complaint[0] ? run[i].complaint :
				    "failed without a word";

		t->name = infos[i]->argv[0];
		if (run[i].status == 0 && run[i].output && run[i].length > 0) {
			t->text = run[i].output;
			t->length = run[i].length;
			continue;
		}
		/* Without jobs bjobs says "No job found" and nothing else. */
		if (infos[i]->kind == LSF_BJOBS && strstr(words, "No ") && strstr(words, "job"))
			continue;
		if (infos[i]->kind == LSF_BQUEUES)
			return err_set(err, ERR_SOURCE, "%s: %s", infos[i]->argv[0], words);
		snprintf(s->base.banner, sizeof(s->base.banner), "%.60s: %.130s",
			 infos[i]->argv[0], words);
	}
	return true;
}

static size_t choose(uint32_t needs, struct command *run, const struct command_info **infos)
{
	size_t count = 0;

	for (size_t i = 0; i < COMMANDS; i++) {
		if (!(command_table[i].needs & needs))
			continue;
		run[count].argv = command_table[i].argv;
		infos[count++] = &command_table[i];
	}
	return count;
}

static void drain(int fd)
{
	uint64_t count;

	while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR)
		;
}

static enum fetch_result lsf_fetch(struct source *base, const struct fetch_request *request,
				   struct cluster **out, struct err *err)
{
	struct lsf_state *s = (struct lsf_state *)base;
	struct lsf_texts texts = { .time = (int64_t)time(NULL) };
	struct command run[COMMANDS] = { { 0 } };
	const struct command_info *infos[COMMANDS];
	size_t count = choose(request->needs, run, infos);
	struct builder *b = builder_new();

	command_run(run, count, OUTPUT_BYTES_MAX,
		    request->deadline_ms < 0 ? DEADLINE_MS : request->deadline_ms, s->cancel_fd);
	drain(s->cancel_fd);
	read_configuration(&texts);
	if (gather(s, run, infos, count, &texts, err) && lsf_text_build(&texts, b, err))
		*out = builder_seal(b, err);
	else
		builder_free(b);
	for (size_t k = 0; k < LSF_BHOSTS; k++)
		mem_free(texts.kind[k].text);
	mem_free(texts.kind[LSF_QUEUES].text);
	for (size_t i = 0; i < count; i++)
		mem_free(run[i].output);
	/* What cannot be read is the source's fault here, not the user's input. */
	if (!*out && err)
		err->code = ERR_SOURCE;
	snprintf(base->health, sizeof(base->health), "commands and configuration files");
	return *out ? FETCH_NEW : FETCH_FAILED;
}

static void lsf_cancel(struct source *base)
{
	struct lsf_state *s = (struct lsf_state *)base;
	const uint64_t one = 1;

	while (write(s->cancel_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

static void lsf_close(struct source *base)
{
	struct lsf_state *s = (struct lsf_state *)base;

	close(s->cancel_fd);
	mem_free(s);
}

static struct source *lsf_open(const char *rest, struct err *err)
{
	struct lsf_state *s;
	int cancel_fd;

	if (rest)
		return lsf_saved_open(rest, err);
	cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (cancel_fd < 0) {
		err_set(err, ERR_SOURCE, "eventfd: %s", strerror(errno));
		return NULL;
	}
	s = mem_zalloc(1, sizeof(*s));
	s->base.ops = &lsf_source;
	s->cancel_fd = cancel_fd;
	return &s->base;
}

const struct source_ops lsf_source = {
	.scheme = "lsf",
	.synopsis = "lsf[:DIR]",
	.meaning = "the LSF of this machine; its configuration files and saved outputs",
	.open = lsf_open,
	.here = lsf_here,
	.fetch = lsf_fetch,
	.cancel = lsf_cancel,
	.close = lsf_close,
	.live = true,
	.detect = true,
};
