/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files beside a log: tree, QOS, partitions, times of passes. */
#include <stdlib.h>
#include <string.h>

#include "adapters/import/import.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/mem.h"

#define FILE_BYTES_MAX (256u << 20)

/* A whole file, compressed or not, NUL-ended. */
static char *import_read_whole(const char *path, size_t *length, struct err *err)
{
	struct lines *l = lines_open(path, err);
	char *text = NULL;
	size_t capacity = 0;
	struct slice line;
	enum lines_next next = LINES_FAILED;

	*length = 0;
	while (l && (next = lines_next(l, &line, err)) == LINES_LINE) {
		text = mem_grow(text, &capacity, *length + line.length + 2, 1);
		memcpy(text + *length, line.at, line.length);
		*length += line.length;
		text[(*length)++] = '\n';
		if (*length > FILE_BYTES_MAX)
			break;
	}
	lines_close(l);
	if (next == LINES_END) {
		text = mem_grow(text, &capacity, *length + 1, 1);
		text[*length] = '\0';
		return text;
	}
	if (l && next != LINES_FAILED)
		err_set(err, ERR_INPUT, "a line or the file is too long (expected less than %u "
			"MiB)", FILE_BYTES_MAX >> 20);
	if (l)
		err_at(err, path, 0);
	mem_free(text);
	return NULL;
}

/* A cluster from the file PATH, one of Slurm's texts: of KIND, or SLURM_KINDS for a tree. */
static struct cluster *read_slurm(const char *path, enum slurm_kind kind, struct err *err)
{
	struct slurm_texts texts = { .time = 0, .from = "saved outputs" };
	size_t length;
	char *text = import_read_whole(path, &length, err);
	struct builder *b;
	struct cluster *c = NULL;

	if (!text)
		return NULL;
	/* sacctmgr show assoc -P begins with titles, a dump with a comment or "Cluster - ". */
	if (kind == SLURM_KINDS)
		kind = memchr(text, '|', strcspn(text, "\n")) ? SLURM_ASSOC : SLURM_DUMP;
	texts.kind[kind] = (struct slurm_text){ path, text, length };
	b = builder_new();
	if (slurm_text_build(&texts, b, err))
		c = builder_seal(b, err);
	else
		builder_free(b);
	mem_free(text);
	return c;
}

bool import_tree(struct import *im, const char *path, struct err *err)
{
	struct cluster *c = read_slurm(path, SLURM_KINDS, err);
	bool good = c && cluster_rows(c, TABLE_ASSOC) > 0;

	if (good)
		replay_tree(im->replay, c);
	else if (c)
		err_about(err, ERR_INPUT, path, "no association in it (expected a sacctmgr dump "
			  "file or the output of sacctmgr show assoc -P)");
	cluster_free(c);
	return good;
}

bool import_qos(struct import *im, const char *path, struct err *err)
{
	struct cluster *c = read_slurm(path, SLURM_QOS, err);
	bool good = c && cluster_col(c, F_QOS_USAGE_FACTOR);

	if (good)
		replay_qos(im->replay, c);
	else if (c)
		err_about(err, ERR_INPUT, path,
			  "no UsageFactor in it (expected the output of sacctmgr show qos -P)");
	cluster_free(c);
	return good;
}

bool import_partitions(struct import *im, const char *path, struct err *err)
{
	struct cluster *c = read_slurm(path, SLURM_PARTITION, err);
	bool good = c && cluster_rows(c, TABLE_PARTITION) > 0;

	if (good)
		import_take_weights(im, c);
	else if (c)
		err_about(err, ERR_INPUT, path,
			  "no partition in it (expected the output of scontrol show partition)");
	cluster_free(c);
	return good;
}

/* ---- passes -------------------------------------------------------------------------------- */

static int import_by_time(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static bool read_pass(struct slice line, int64_t *time)
{
	struct slice word, last = { "", 0 };

	while (slice_word(&line, &word))
		last = word;
	return import_unix(last, time) || slice_time(last, time);
}

static bool read_passes(struct lines *l, int64_t **times, size_t *count, struct err *err)
{
	size_t capacity = 0;
	struct slice line;
	uint32_t number = 0;
	int64_t time;

	for (;;) {
		enum lines_next next = lines_next(l, &line, err);

		if (next == LINES_END)
			break;
		number++;
		if (next == LINES_FAILED)
			return false;
		line = slice_trim(line);
		if (line.length == 0 || line.at[0] == '#')
			continue;
		if (next == LINES_LONG || !read_pass(line, &time))
			return err_set_line(err, ERR_INPUT, number, "\"%.*s\": not a pass time "
					    "(expected Unix seconds or 2026-11-20T03:50:28)",
					    SLICE_PRINT(line));
		*times = mem_grow(*times, &capacity, *count + 1, sizeof(**times));
		(*times)[(*count)++] = time;
	}
	if (*count == 0)
		return err_set_line(err, ERR_INPUT, 1,
				    "no pass time in it (expected one per line)");
	qsort(*times, *count, sizeof(**times), import_by_time);
	return true;
}

bool import_passes(const char *path, int64_t **times, size_t *count, struct err *err)
{
	struct lines *l = lines_open(path, err);
	bool good;

	*times = NULL;
	*count = 0;
	if (!l)
		return false;
	good = read_passes(l, times, count, err);
	lines_close(l);
	if (good)
		return true;
	mem_free(*times);
	*times = NULL;
	return err_at(err, path, 0);
}
