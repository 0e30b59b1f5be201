/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm:DIR: saved outputs of Slurm's commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/pasted.h"
#include "adapters/read_once.h"
#include "adapters/slurm/slurm.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/mem.h"

#define CLUSTER_MAX 128
#define FILE_BYTES_MAX ((size_t)1 << 30)

static bool exists(const char *dir, const char *name)
{
	char path[4096];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	       stat(path, &st) == 0;
}

/* Takes out of a text what is none of it, as far as its parser does not tell that from it. */
static void clean(const struct slurm_text *text, enum slurm_kind kind, struct builder *b)
{
	char *bytes = (char *)(uintptr_t)text->text, remark[200] = "";

	if (kind == SLURM_SSHARE_JSON || kind == SLURM_SQUEUE_JSON)
		pasted_json(bytes, text->length, remark, sizeof(remark));
	else if (kind == SLURM_CONF || kind == SLURM_DUMP)
		pasted_lines(bytes, text->length, remark, sizeof(remark));
	if (remark[0])
		builder_note(b, text->name, SLURM_ASIDE, (int)strlen(remark), remark);
}

static bool read_one(const char *dir, const struct slurm_dir_file *file, struct slurm_texts *texts,
		     struct err *err)
{
	struct slurm_text *text = &texts->kind[file->kind];
	char path[4096], *bytes;
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file->name) >= (int)sizeof(path))
		return err_set(err, ERR_INPUT, "%.300s: name too long", dir);
	bytes = file_read(path, FILE_BYTES_MAX, &text->length, err);
	if (!bytes)
		return false;
	pasted_clean(bytes, &text->length);
	text->text = bytes;
	text->name = file->name;
	/* Nothing better tells when the outputs were taken: the youngest file. */
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > texts->time)
		texts->time = (int64_t)st.st_mtime;
	return true;
}

static bool read_files(const char *dir, struct slurm_texts *texts, struct err *err)
{
	for (size_t i = 0; i < slurm_dir_files_count; i++) {
		const struct slurm_dir_file *file = &slurm_dir_files[i];

		if (!texts->kind[file->kind].text && exists(dir, file->name) &&
		    !read_one(dir, file, texts, err))
			return false;
	}
	return true;
}

/* "DIR,cluster=NAME": the directory, and the name into CLUSTER, which is "" without one. */
static void split_path(const char *path, char *dir, size_t size, char cluster[CLUSTER_MAX])
{
	static const char option[] = ",cluster=";
	const char *at = strstr(path, option);
	struct stat st;

	if (stat(path, &st) == 0)
		at = NULL;
	(void)snprintf(dir, size, "%.*s", at ? (int)(at - path) : (int)strlen(path), path);
	(void)snprintf(cluster, CLUSTER_MAX, "%s", at ? at + sizeof(option) - 1 : "");
}

bool slurm_is_saved(const char *path)
{
	char dir[4096], cluster[CLUSTER_MAX];
	struct stat st;

	split_path(path, dir, sizeof(dir), cluster);
	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool read_outputs(const char *path, struct builder *b, struct err *err)
{
	char dir[4096], cluster[CLUSTER_MAX];
	struct slurm_texts texts = { .time = I64_UNKNOWN, .from = "saved outputs",
				     .cluster = cluster, .writable = true, .whole = true };
	bool good;

	split_path(path, dir, sizeof(dir), cluster);
	good = read_files(dir, &texts, err);
	if (good && !slurm_keep_cluster(&texts, cluster, sizeof(cluster), b, err)) {
		err_prefix(err, "%.200s", dir);
		good = false;
	}
	for (enum slurm_kind kind = 0; good && kind < SLURM_KINDS; kind++) {
		if (texts.kind[kind].text)
			clean(&texts.kind[kind], kind, b);
	}
	if (good && !slurm_text_build(&texts, b, err)) {
		err_in_directory(err, dir);
		good = false;
	}
	for (int i = 0; i < SLURM_KINDS; i++)
		mem_free((char *)(uintptr_t)texts.kind[i].text);
	return good;
}

struct source *slurm_dir_open(const char *path, struct err *err)
{
	char dir[4096], cluster[CLUSTER_MAX];
	bool any = false;
	struct stat st;

	split_path(path, dir, sizeof(dir), cluster);
	if (stat(dir, &st) < 0) {
		err_set(err, ERR_INPUT, "%.300s: %s", dir, strerror(errno));
		return NULL;
	}
	for (size_t i = 0; i < slurm_dir_files_count && !any; i++)
		any = exists(dir, slurm_dir_files[i].name);
	if (!any) {
		err_set(err, ERR_INPUT,
			"%.300s: no saved output of Slurm's commands (expected files like "
			"sshare.txt, sprio.txt, squeue.txt, scontrol_config.txt; "
			"fairtop-source(5) lists all)", dir);
		return NULL;
	}
	return read_once_open("slurm", path, "saved outputs", read_outputs);
}
