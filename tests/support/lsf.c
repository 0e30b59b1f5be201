/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/lsf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"

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
