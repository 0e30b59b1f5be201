/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/slurm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/kept.h"

static struct cluster *build(const struct slurm_texts *texts, struct err *err)
{
	struct builder *b = builder_new();

	if (slurm_text_build(texts, b, err))
		return builder_seal(b, err);
	builder_free(b);
	return NULL;
}

struct cluster *slurm_try(enum slurm_kind kind, const char *name, const char *text, size_t length,
			  struct err *err)
{
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs" };

	texts.kind[kind] = (struct slurm_text){ name, text, length };
	return build(&texts, err);
}

const struct cluster *slurm_cluster(const struct slurm_input *inputs, size_t count)
{
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs", .whole = true };
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	for (size_t i = 0; i < count; i++)
		texts.kind[inputs[i].kind] =
			(struct slurm_text){ "file", inputs[i].text, strlen(inputs[i].text) };
	c = build(&texts, &err);
	if (!c)
		fail_msg("%s", err.message);
	return kept_cluster(c);
}

const struct cluster *slurm_cluster_of(enum slurm_kind kind, const char *text)
{
	return slurm_cluster(&(struct slurm_input){ kind, text }, 1);
}

void slurm_refused(enum slurm_kind kind, const char *text, const char *message)
{
	struct err err = { .code = ERR_NONE };

	if (slurm_try(kind, "file", text, strlen(text), &err))
		fail_msg("read, but expected \"%s\"", message);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" instead of \"%s\"", err.message, message);
}

double slurm_tres(const struct cluster *c, enum field field, uint32_t row, const char *name)
{
	struct tres_list list = cluster_tres(c, field, row);

	for (uint32_t i = 0; i < list.count; i++) {
		if (strcmp(cluster_tres_name(c, list.items[i].tres), name) == 0)
			return list.items[i].count;
	}
	return list.items ? 0.0 : (double)NAN;
}
