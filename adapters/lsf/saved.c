/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf:DIR: LSF's own configuration files and saved outputs of its commands.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/lsf/lsf.h"
#include "adapters/lsf/lsf_text.h"
#include "core/base/mem.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)
#define PATH_SIZE 4096

struct saved {
	struct source base;
	char *path;
	bool fetched;
};

/* In DIR itself; LSF's own files, too, in conf in it or beside it, for pictures that share them. */
static bool path_of(const char *dir, size_t i, char *path, size_t size)
{
	static const char *const places[] = { "", "conf/", "../conf/" };
	size_t n = lsf_dir_files[i].command[0] ? 1 : sizeof(places) / sizeof(places[0]);
	struct stat st;

	for (size_t k = 0; k < n; k++) {
		if (snprintf(path, size, "%s/%s%s", dir, places[k], lsf_dir_files[i].name) <
			    (int)size &&
		    stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return true;
	}
	return false;
}

/* A picture may come with a meta.json that says when it was taken: "time": SECONDS. */
static int64_t told_time(const char *dir)
{
	static const char key[] = "\"time\":";
	char path[PATH_SIZE], *text = NULL;
	const char *at;
	size_t length;
	int64_t time;

	if (snprintf(path, sizeof(path), "%s/meta.json", dir) < (int)sizeof(path))
		text = file_read(path, FILE_BYTES_MAX, &length, NULL);
	at = text ? strstr(text, key) : NULL;
	time = at ? strtoll(at + sizeof(key) - 1, NULL, 10) : 0;
	mem_free(text);
	return time > 0 ? time : I64_UNKNOWN;
}

static bool read_all(const struct saved *s, struct lsf_texts *texts, struct err *err)
{
	int64_t told;

	for (size_t i = 0; i < lsf_dir_files_count; i++) {
		const struct lsf_dir_file *file = &lsf_dir_files[i];
		struct lsf_text *t = &texts->kind[file->kind];
		char path[PATH_SIZE];
		struct stat st;

		if (t->text || !path_of(s->path, i, path, sizeof(path)))
			continue;
		t->text = file_read(path, FILE_BYTES_MAX, &t->length, err);
		if (!t->text)
			return false;
		t->name = file->name;
		if (stat(path, &st) == 0 && (int64_t)st.st_mtime > texts->time)
			texts->time = (int64_t)st.st_mtime;
	}
	told = told_time(s->path);
	if (told != I64_UNKNOWN)
		texts->time = told;
	return true;
}

static enum fetch_result saved_fetch(struct source *base, const struct fetch_request *request,
				     struct cluster **out, struct err *err)
{
	struct saved *s = (struct saved *)base;
	struct lsf_texts texts = { .time = I64_UNKNOWN };
	struct builder *b;
	bool good;

	(void)request;
	if (s->fetched)
		return FETCH_END;
	b = builder_new();
	good = read_all(s, &texts, err);
	if (good && !lsf_text_build(&texts, b, err)) {
		if (err && err->line > 0)
			err_in_directory(err, s->path);
		else
			err_prefix(err, "%.300s", s->path);
		good = false;
	}
	if (good)
		*out = builder_seal(b, err);
	else
		builder_free(b);
	for (int k = 0; k < LSF_KINDS; k++)
		mem_free(texts.kind[k].text);
	s->fetched = *out != NULL;
	snprintf(base->health, sizeof(base->health), "saved files");
	return *out ? FETCH_NEW : FETCH_FAILED;
}

static void saved_close(struct source *base)
{
	struct saved *s = (struct saved *)base;

	mem_free(s->path);
	mem_free(s);
}

static const struct source_ops saved_ops = {
	.scheme = "lsf",
	.synopsis = "lsf:DIR",
	.meaning = "LSF's configuration files and saved outputs of its commands",
	.fetch = saved_fetch,
	.close = saved_close,
};

struct source *lsf_saved_open(const char *path, struct err *err)
{
	char name[PATH_SIZE];
	bool any = false;
	struct saved *s;
	struct stat st;

	if (stat(path, &st) < 0) {
		err_set(err, ERR_INPUT, "%.300s: %s", path, strerror(errno));
		return NULL;
	}
	for (size_t i = 0; i < lsf_dir_files_count; i++)
		any |= path_of(path, i, name, sizeof(name));
	if (!any) {
		err_set(err, ERR_INPUT, "%.300s: no file of LSF (expected a directory with files "
			"like lsb.queues, lsb.hosts, bqueues.json; fairtop-source(5) lists all)",
			path);
		return NULL;
	}
	s = mem_zalloc(1, sizeof(*s));
	s->base.ops = &saved_ops;
	s->path = mem_strdup(path);
	snprintf(s->base.name, sizeof(s->base.name), "lsf:%s", path);
	return &s->base;
}
