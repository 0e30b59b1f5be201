/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job_sort_formula: it is refused with a reason, or has a value whatever its variables are. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/queue/pbs_formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void evaluate(const struct pbs_formula *f)
{
	size_t names = pbs_formula_names(f);
	double *values = calloc(names + 1, sizeof(*values)), value;
	bool failed;

	if (!values)
		abort();
	for (size_t i = 0; i < names; i++)
		values[i] = (double)i - 2.5;
	value = pbs_formula_value(f, values, &failed);
	if (failed && value != 0)
		abort();
	for (size_t i = 0; i < pbs_formula_terms(f); i++) {
		if (!pbs_formula_term(f, i)[0])
			abort();
		(void)pbs_formula_term_value(f, i, values);
	}
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct err err = { 0 };
	struct pbs_formula *f;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	f = pbs_formula_parse(text, &err);
	if (!f && (err.code != ERR_INPUT || !err.message[0]))
		abort();
	if (f)
		evaluate(f);
	pbs_formula_free(f);
	free(text);
	return 0;
}
