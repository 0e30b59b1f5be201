/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot: a cluster as text, one JSON object per line (fairtop-snapshot(5)).
 *
 * Writer and reader are driven by the fields table. The reader keeps one line in memory at a time,
 * so that a million associations need little more than the cluster they become. What is written
 * reads back bit for bit. The reader is strict: whatever it does not understand is an error with
 * line, key and reason; only unknown keys and unknown kinds of lines are warnings, kept as notes of
 * the cluster.
 */
#ifndef FAIRTOP_ADAPTERS_SNAPSHOT_SNAPSHOT_H
#define FAIRTOP_ADAPTERS_SNAPSHOT_SNAPSHOT_H

#include "adapters/adapter.h"
#include "core/base/sink.h"

#define SNAPSHOT_FORMAT 1
#define SNAPSHOT_LINE_MAX (UINT32_C(1) << 20)	/* bytes of one line */
#define SNAPSHOT_TRES_MAX 4096			/* kinds of TRES in one snapshot */

/* The source: a file name, or "-" for the standard input. Read once. */
extern const struct source_ops snapshot_source;

/* Are these first bytes of a file those of a snapshot? */
bool snapshot_detect(const char *head, size_t length);

/* Writes C; false with the sink's error. */
bool snapshot_write(const struct cluster *c, struct sink sink, struct err *err);

/*
 * The reader, fed as bytes arrive: get a buffer, fill some of it, pass the number of bytes. After
 * an error only snapshot_reader_free() may follow. Errors are ERR_INPUT with err->line.
 *
 *	while ((n = read(fd, snapshot_reader_room(r, &size), size)) > 0)
 *		if (!snapshot_reader_took(r, n, &err))
 *			...
 *	c = snapshot_reader_finish(r, &err);
 */
struct snapshot_reader;
struct snapshot_reader *snapshot_reader_new(void);
void snapshot_reader_free(struct snapshot_reader *r);
char *snapshot_reader_room(struct snapshot_reader *r, size_t *size);
bool snapshot_reader_took(struct snapshot_reader *r, size_t length, struct err *err);
struct cluster *snapshot_reader_finish(struct snapshot_reader *r, struct err *err);

/* Reads a whole snapshot in memory. */
struct cluster *snapshot_parse(const char *text, size_t length, struct err *err);

#endif
