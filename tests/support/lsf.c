/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/lsf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/lsf/lsf.h"
#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/kept.h"

static const char *const names[LSF_KINDS] = {
	"lsb.params", "lsb.hosts", "lsb.resources", "bhosts.json", "lsb.queues", "bqueues.json",
	"bjobs.json", "dispatcher.log", "lsb.users", "lsid.txt", "bparams_l.txt", "bugroup_w.txt",
	"bhosts_w.txt", "bqueues_r.txt", "bjobs_l.txt", "bjobs_w.txt", "busers_all.txt",
};

struct cluster *lsf_cluster_try(const char *const texts[LSF_KINDS], struct err *err)
{
	struct lsf_texts all = { .time = 1000000000 };
	struct builder *b = builder_new();
	struct cluster *c = NULL;

	for (int k = 0; k < LSF_KINDS; k++) {
		if (texts[k])
			all.kind[k] = (struct lsf_text){ .name = names[k],
							 .text = mem_strdup(texts[k]),
							 .length = strlen(texts[k]) };
	}
	if (lsf_text_build(&all, b, err))
		c = builder_seal(b, err);
	else
		builder_free(b);
	for (int k = 0; k < LSF_KINDS; k++)
		mem_free(all.kind[k].text);
	return c;
}

struct cluster *lsf_cluster(const char *const texts[LSF_KINDS])
{
	struct err err = { 0 };
	struct cluster *c = lsf_cluster_try(texts, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

const struct cluster *lsf_told(const char *const texts[LSF_KINDS])
{
	return kept_cluster(lsf_cluster(texts));
}

const struct model *lsf_told_model(const char *const texts[LSF_KINDS])
{
	return kept_model(lsf_told(texts));
}

const struct jobs *lsf_told_jobs(const char *const texts[LSF_KINDS])
{
	return kept_jobs(lsf_told_model(texts));
}

static const char *recorded_path(const char *name, char path[4096])
{
	char below[200];

	snprintf(below, sizeof(below), "lsf/volclava/%s", name);
	return data_path(below, path, 4096);
}

struct cluster *lsf_recorded(const char *name)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	char path[4096];
	struct cluster *c = NULL;
	struct err err = { 0 };
	struct source *s = lsf_saved_open(recorded_path(name, path), &err);

	if (!s || source_fetch(s, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s: %s", name, err.message);
	source_close(s);
	return c;
}

char *lsf_recorded_text(const char *name)
{
	char path[4096], *text;
	FILE *f = fopen(recorded_path(name, path), "r");

	if (!f)
		return NULL;
	text = calloc(1, 1 << 20);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}
