/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/night.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "adapters/store/store.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/scratch.h"

#define PICTURES 97
#define EVERY 300
#define SILENT_FROM 30		/* the last sample before the silence, the first one after */
#define SILENT_UNTIL 42
#define CHANGE 60

/* The bases of the edited clusters must outlive the writer. */
struct night {
	struct store_writer *writer;
	struct demo *demo;
	struct whatif *edits;
	struct cluster *bases[PICTURES];
};

static void must(bool ok, const struct err *err)
{
	if (!ok)
		fail_msg("night: %s", err->message);
}

static void write_picture(struct night *n, int i)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c = demo_picture(n->demo, &err);

	must(c != NULL, &err);
	if (i >= CHANGE) {
		/* I is below PICTURES. */
		/* cppcheck-suppress arrayIndexOutOfBoundsCond */
		n->bases[i] = c;
		c = whatif_apply(n->edits, c);
		must(whatif_check(n->edits, &err), &err);
	}
	must(store_write(n->writer, c, cluster_meta(c)->time, &err), &err);
}

void night_record(const char *path)
{
	struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct err err = { .code = ERR_NONE };
	struct night n = { .demo = demo_new(&options), .edits = whatif_new() };
	struct cluster *first = demo_picture(n.demo, &err);

	must(first != NULL, &err);
	n.writer = store_writer_hurry(path, &err);
	must(n.writer != NULL, &err);
	must(whatif_add(n.edits, "PriorityWeightAge = 2000", &err), &err);
	demo_advance(n.demo, NIGHT_BEGIN - cluster_meta(first)->time);
	cluster_free(first);
	for (int i = 0; i < PICTURES; i++) {
		if (i <= SILENT_FROM || i >= SILENT_UNTIL)
			write_picture(&n, i);
		demo_advance(n.demo, EVERY);
	}
	must(store_write_gap(n.writer, NIGHT_BEGIN + SILENT_FROM * EVERY,
			     NIGHT_BEGIN + SILENT_UNTIL * EVERY, "slurmctld does not answer",
			     &err), &err);
	must(store_writer_finish(n.writer, &err), &err);
	store_writer_close(n.writer);
	for (int i = 0; i < PICTURES; i++)
		cluster_free(n.bases[i]);
	whatif_free(n.edits);
	demo_free(n.demo);
}

static char directory[96];
static bool made;

static void take_away(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command) != 0)
		fprintf(stderr, "night: %s stays\n", directory);
}

struct source *night_source_of(const char *name, void (*record)(const char *path))
{
	struct err err = { .code = ERR_NONE };
	struct source *s;
	char path[128];

	if (!made) {
		snprintf(directory, sizeof(directory), "%s/night.XXXXXX", scratch_parent());
		assert_non_null(mkdtemp(directory));
		atexit(take_away);
	}
	made = true;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (access(path, F_OK) != 0)
		record(path);
	s = source_open(path, &err);
	must(s != NULL, &err);
	snprintf(s->name, sizeof(s->name), "%s.recording", name);
	return s;
}

struct source *night_source(void)
{
	return night_source_of("night", night_record);
}
