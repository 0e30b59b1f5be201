/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lsf:DIR, lsf:FILE: LSF's own configuration files and saved outputs of its commands. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/lsf/lsf.h"
#include "adapters/lsf/lsf_text.h"
#include "core/base/mem.h"

#define PATH_SIZE 4096

/* The path in DIR; LSF's own files, shared by several sets, may be in DIR/conf or DIR/../conf. */
static bool path_of(const char *dir, const struct saved_file *file, char *path, size_t size)
{
	static const char *const places[] = { "", "conf/", "../conf/" };
	size_t n = file->command[0] ? 1 : sizeof(places) / sizeof(places[0]);

	for (size_t k = 0; k < n; k++) {
		if (snprintf(path, size, "%s/%s%s", dir, places[k], file->name) < (int)size &&
		    file_is_regular(path))
			return true;
	}
	return false;
}

/* A meta.json may give the time of the outputs: "time": SECONDS. */
static int64_t reported_time(const char *dir)
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

/* Reads PATH, and the time it was written, into TEXTS; see lsf_texts_take(). */
static bool lsf_saved_read_one(const char *path, const char *name, enum lsf_kind kind,
			       struct lsf_texts *texts, struct err *err)
{
	size_t length;
	char *text = file_read(path, FILE_BYTES_MAX, &length, err);
	struct stat st;

	if (!text)
		return false;
	if (lsf_texts_take(texts, name, kind, text, length) && stat(path, &st) == 0 &&
	    (int64_t)st.st_mtime > texts->time)
		texts->time = (int64_t)st.st_mtime;
	return true;
}

static bool lsf_saved_read_all(const char *dir, struct lsf_texts *texts, struct err *err)
{
	int64_t reported;

	for (const struct saved_file *file = lsf_dir_files; file->name; file++) {
		char path[PATH_SIZE];

		if (path_of(dir, file, path, sizeof(path)) &&
		    !lsf_saved_read_one(path, file->name, file->kind, texts, err))
			return false;
	}
	reported = reported_time(dir);
	if (reported != I64_UNKNOWN)
		texts->time = reported;
	return true;
}

/* Reads one file of any name. */
static bool lsf_saved_read_file(const char *path, struct lsf_texts *texts, struct err *err)
{
	const char *name = path + file_directory(path);
	enum lsf_kind kind = LSF_KINDS;
	bool any = false;

	for (const struct saved_file *f = lsf_dir_files; f->name && kind == LSF_KINDS; f++) {
		if (strcmp(f->name, name) == 0)
			kind = f->kind;
	}
	if (!lsf_saved_read_one(path, name, kind, texts, err))
		return false;
	for (int k = 0; k < LSF_KINDS; k++)
		any |= texts->kind[k].text != NULL;
	return any || err_about(err, ERR_INPUT, path, "not an output of LSF's commands (expected "
				"bqueues -r, bhosts -w or bjobs -u all -l, or lsb.queues)");
}

static bool read_site(const char *path, struct builder *b, struct err *err)
{
	struct lsf_texts texts = { .time = I64_UNKNOWN };
	bool file = file_is_regular(path), good;

	good = file ? lsf_saved_read_file(path, &texts, err)
		    : lsf_saved_read_all(path, &texts, err);
	if (good && !lsf_text_build(&texts, b, err))
		good = file ? err_join(err, path, file_directory(path), "") :
				err_join(err, path, strlen(path), "/");
	for (int k = 0; k < LSF_KINDS; k++)
		mem_free(texts.kind[k].text);
	return good;
}

struct source *lsf_saved_open(const char *path, struct err *err)
{
	char name[PATH_SIZE];
	bool any = false;
	struct stat st;

	if (stat(path, &st) < 0) {
		err_about(err, ERR_INPUT, path, "%s", strerror(errno));
		return NULL;
	}
	for (const struct saved_file *file = lsf_dir_files; file->name; file++)
		any |= path_of(path, file, name, sizeof(name));
	if (!any && !S_ISREG(st.st_mode)) {
		err_about(err, ERR_INPUT, path, "no LSF files (expected a directory with files "
			  "like lsb.queues, lsb.hosts, bqueues.json; fairtop-source(5) lists all)");
		return NULL;
	}
	return read_once_open("lsf", path, "saved files", read_site);
}

struct cluster *lsf_accounts_of(const char *dir, const char *jobs, int64_t time, struct err *err)
{
	struct lsf_texts texts = { .time = I64_UNKNOWN, .past = true };
	struct builder *b = builder_new();
	struct cluster *c = NULL;
	bool good = lsf_saved_read_all(dir, &texts, err);

	/* Command outputs are of another time; the version and the groups are not. */
	for (const struct saved_file *file = lsf_dir_files; file->name; file++) {
		enum lsf_kind kind = file->kind;

		if ((file->command[0] && kind != LSF_LSID && kind != LSF_BUGROUP_W &&
		     kind != LSF_BPARAMS_L) || kind == LSF_LOG) {
			mem_free(texts.kind[kind].text);
			texts.kind[kind].text = NULL;
		}
	}
	texts.time = time;
	texts.kind[LSF_BJOBS_W] = (struct lsf_text){ .name = "jobs", .text = mem_strdup(jobs),
							.length = strlen(jobs) };
	if (good && !texts.kind[LSF_QUEUES].text)
		good = err_about(err, ERR_INPUT, dir, "no lsb.queues in it (expected the "
				 "directory of LSF's configuration)");
	if (good && !lsf_text_build(&texts, b, err))
		good = err_join(err, dir, strlen(dir), "/");
	if (good)
		c = builder_seal(b, err);
	else
		builder_free(b);
	for (int k = 0; k < LSF_KINDS; k++)
		mem_free(texts.kind[k].text);
	return c;
}
