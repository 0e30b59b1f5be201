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
#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/mem.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)

static bool exists(const char *dir, const char *name)
{
	char path[4096];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	       stat(path, &st) == 0;
}

/* Takes out what is none of the output, as far as its parser does not tell that from it. */
static void clean(char *bytes, const struct slurm_dir_file *file, size_t *length,
		  struct builder *b)
{
	char remark[200] = "";

	pasted_clean(bytes, length);
	if (file->kind == SLURM_SSHARE_JSON || file->kind == SLURM_SQUEUE_JSON)
		pasted_json(bytes, *length, remark, sizeof(remark));
	else if (file->kind == SLURM_CONF || file->kind == SLURM_DUMP)
		pasted_lines(bytes, *length, remark, sizeof(remark));
	if (remark[0])
		builder_note(b, file->name, SLURM_ASIDE, (int)strlen(remark), remark);
}

static bool read_one(const char *dir, const struct slurm_dir_file *file, struct slurm_texts *texts,
		     struct builder *b, struct err *err)
{
	struct slurm_text *text = &texts->kind[file->kind];
	char path[4096], *bytes;
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file->name) >= (int)sizeof(path))
		return err_set(err, ERR_INPUT, "%.300s: name too long", dir);
	bytes = file_read(path, FILE_BYTES_MAX, &text->length, err);
	if (!bytes)
		return false;
	clean(bytes, file, &text->length, b);
	text->text = bytes;
	text->name = file->name;
	/* Nothing better tells when the outputs were taken: the youngest file. */
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > texts->time)
		texts->time = (int64_t)st.st_mtime;
	return true;
}

static bool read_files(const char *dir, struct slurm_texts *texts, struct builder *b,
		       struct err *err)
{
	for (size_t i = 0; i < slurm_dir_files_count; i++) {
		const struct slurm_dir_file *file = &slurm_dir_files[i];

		if (!texts->kind[file->kind].text && exists(dir, file->name) &&
		    !read_one(dir, file, texts, b, err))
			return false;
	}
	return true;
}

static bool read_outputs(const char *path, struct builder *b, struct err *err)
{
	struct slurm_texts texts = { .time = I64_UNKNOWN, .from = "saved outputs",
				     .writable = true, .whole = true };
	bool good = read_files(path, &texts, b, err);

	if (good && !slurm_text_build(&texts, b, err)) {
		err_in_directory(err, path);
		good = false;
	}
	for (int i = 0; i < SLURM_KINDS; i++)
		mem_free((char *)(uintptr_t)texts.kind[i].text);
	return good;
}

struct source *slurm_dir_open(const char *dir, struct err *err)
{
	bool any = false;
	struct stat st;

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
	return read_once_open("slurm", dir, "saved outputs", read_outputs);
}
