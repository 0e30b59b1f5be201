/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/base/mem.h"

struct cluster *lab_sealed(struct builder *b)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c = builder_seal(b, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

struct lab *lab_by(struct cluster *c, const struct model_options *options)
{
	struct lab *lab = mem_zalloc(1, sizeof(*lab));
	struct err err = { .code = ERR_NONE };

	lab->c = c;
	lab->m = model_new(c, options, &err);
	if (!lab->m)
		fail_msg("%s", err.message);
	lab->j = jobs_new(lab->m, NULL);
	return lab;
}

struct lab *lab_of(struct cluster *c)
{
	return lab_by(c, NULL);
}

void lab_free(struct lab *lab)
{
	jobs_free(lab->j);
	model_free(lab->m);
	cluster_free(lab->c);
	mem_free(lab);
}

int lab_close(void **state)
{
	if (*state)
		lab_free(*state);
	return 0;
}
