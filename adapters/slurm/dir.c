/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm:DIR: saved outputs of Slurm's commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/pasted.h"
#include "adapters/slurm/slurm.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/mem.h"

#define CLUSTER_MAX 128
#define PATH_BYTES 4096

/* Is there a file NAME in DIR? Sets PATH to it. */
static bool dir_exists(const char *dir, const char *name, char path[PATH_BYTES])
{
	struct stat st;

	return snprintf(path, PATH_BYTES, "%s/%s", dir, name) < PATH_BYTES && stat(path, &st) == 0;
}

/* Removes foreign lines from a text, as far as its parser does not do that. */
static void dir_clean(const struct slurm_text *text, enum slurm_kind kind, struct builder *b)
{
	char *bytes = (char *)(uintptr_t)text->text, remark[200] = "";

	if (kind == SLURM_SSHARE_JSON || kind == SLURM_SQUEUE_JSON)
		pasted_json(bytes, text->length, remark, sizeof(remark));
	else if (kind == SLURM_CONF || kind == SLURM_DUMP)
		pasted_lines(bytes, text->length, remark, sizeof(remark));
	if (remark[0])
		builder_note(b, text->name, SLURM_ASIDE, (int)strlen(remark), remark);
}

/* Groups kinds that only differ in format. */
static enum slurm_kind dir_family(enum slurm_kind kind)
{
	switch (kind) {
	case SLURM_SQUEUE_LONG:
		return SLURM_SQUEUE;
	case SLURM_SPRIO_NORM:
	case SLURM_WEIGHTS:
		return SLURM_SPRIO;
	case SLURM_JOB_CPUS:
		return SLURM_JOB;
	default:
		return kind;
	}
}

/*
 * Reads the file at PATH, called NAME in messages. KIND is the kind by its name (SLURM_KINDS:
 * none); the content decides if it is of another kind.
 */
static bool dir_read_one(const char *path, const char *name, enum slurm_kind kind,
			 struct slurm_texts *texts, struct builder *b, struct err *err)
{
	struct slurm_text text = { .name = name };
	char *bytes = file_read(path, FILE_BYTES_MAX, &text.length, err);
	enum slurm_kind reported;
	struct stat st;

	if (!bytes)
		return false;
	pasted_clean(bytes, &text.length);
	text.text = bytes;
	reported = slurm_kind_of(&text);
	if (kind != SLURM_KINDS && reported != SLURM_KINDS &&
	    dir_family(reported) != dir_family(kind)) {
		builder_note(b, name, "has the contents of a %s: it is %sread as that",
			     slurm_kind_file(reported), texts->kind[reported].text ? "not " : "");
		kind = reported;
	} else if (kind == SLURM_KINDS) {
		kind = reported;
	}
	if (kind == SLURM_KINDS || texts->kind[kind].text) {
		mem_free(bytes);
		return kind != SLURM_KINDS ||
		       err_about(err, ERR_INPUT, path, "not a known output of Slurm's commands "
				 "(expected the output of sshare -a -l, sprio -l, squeue or "
				 "scontrol show config; the name of a slurm.conf ends in .conf)");
	}
	texts->kind[kind] = text;
	/* Without a better source the outputs were taken at the time of the newest file. */
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > texts->time)
		texts->time = (int64_t)st.st_mtime;
	return true;
}

static bool read_files(const char *dir, struct slurm_texts *texts, struct builder *b,
		       struct err *err)
{
	for (const struct saved_file *file = slurm_dir_files; file->name; file++) {
		char path[PATH_BYTES];

		if (!texts->kind[file->kind].text && dir_exists(dir, file->name, path) &&
		    !dir_read_one(path, file->name, file->kind, texts, b, err))
			return false;
	}
	return true;
}

/* Splits "DIR,cluster=NAME"; CLUSTER becomes "" without a name. */
static void dir_split_path(const char *path, char *dir, size_t size, char cluster[CLUSTER_MAX])
{
	file_split_option(path, ",cluster=", dir, size, cluster, CLUSTER_MAX);
}

/*
 * A slurm.conf opens the live cluster that it configures. This is decided by the file name only:
 * the content of foreign files is read in the sandbox.
 */
static bool is_conf(const char *path)
{
	static const char end[] = ".conf";
	size_t length = strlen(path), n = sizeof(end) - 1;

	return length > n && strcmp(path + length - n, end) == 0;
}

bool slurm_is_saved(const char *path)
{
	char plain[PATH_BYTES], cluster[CLUSTER_MAX];
	struct stat st;

	dir_split_path(path, plain, sizeof(plain), cluster);
	return stat(plain, &st) == 0 &&
	       (S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && !is_conf(plain)));
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool dir_read_outputs(const char *path, struct builder *b, struct err *err)
{
	char dir[PATH_BYTES], cluster[CLUSTER_MAX];
	struct slurm_texts texts = { .time = I64_UNKNOWN, .from = "saved outputs",
				     .cluster = cluster, .writable = true, .whole = true };
	bool good, single;

	dir_split_path(path, dir, sizeof(dir), cluster);
	single = !is_directory(dir);
	good = single ? dir_read_one(dir, dir, SLURM_KINDS, &texts, b, err) :
			read_files(dir, &texts, b, err);
	if (good && !slurm_keep_cluster(&texts, cluster, sizeof(cluster), b, err))
		good = err_at(err, dir, 0);
	for (enum slurm_kind kind = 0; good && kind < SLURM_KINDS; kind++) {
		if (texts.kind[kind].text)
			dir_clean(&texts.kind[kind], kind, b);
	}
	if (good && !slurm_text_build(&texts, b, err))
		good = err_join(err, dir, single ? 0 : strlen(dir), "/");
	for (int i = 0; i < SLURM_KINDS; i++)
		mem_free((char *)(uintptr_t)texts.kind[i].text);
	return good;
}

struct source *slurm_dir_open(const char *path, struct err *err)
{
	char dir[PATH_BYTES], file[PATH_BYTES], cluster[CLUSTER_MAX];
	bool any;
	struct stat st;

	dir_split_path(path, dir, sizeof(dir), cluster);
	if (stat(dir, &st) < 0) {
		err_about(err, ERR_INPUT, dir, "%s", strerror(errno));
		return NULL;
	}
	any = !S_ISDIR(st.st_mode);
	for (const struct saved_file *f = slurm_dir_files; f->name && !any; f++)
		any = dir_exists(dir, f->name, file);
	if (!any) {
		err_about(err, ERR_INPUT, dir,
			  "no saved output of Slurm's commands (expected files like sshare.txt, "
			  "sprio.txt, squeue.txt, scontrol_config.txt; fairtop-source(5) lists "
			  "all)");
		return NULL;
	}
	return read_once_open("slurm", path, "saved outputs", dir_read_outputs);
}
