/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify: recompute what the scheduler reports, and say whether it is the same. */
#include "core/verify/verify.h"
#include "cli/session.h"
#include "cli/verbs.h"

struct verify_context {
	const struct verify *verify;
	const struct cluster *cluster;
};

static const struct verify_row *row_of(const struct spot *spot)
{
	const struct verify_context *c = spot->context;

	return &c->verify->rows[spot->row];
}

static void get_text(const struct spot *spot, struct value *out)
{
	value_set_text(out, SPOT_MEMBER(spot, row_of(spot)));
}

static void get_real(const struct spot *spot, struct value *out)
{
	value_set_real(out, *(const double *)SPOT_MEMBER(spot, row_of(spot)));
}

static void get_rows(const struct spot *spot, struct value *out)
{
	value_set_int(out, row_of(spot)->rows);
}

static void get_worst(const struct spot *spot, struct value *out)
{
	const struct verify_context *c = spot->context;
	uint32_t worst = row_of(spot)->worst;

	out->kind = VALUE_UNKNOWN;
	if (worst == ROW_NONE)
		return;
	cluster_path(c->cluster, worst, out->buffer, sizeof(out->buffer));
	value_set_text(out, out->buffer);
}

static const char *verdict_name(enum verify_verdict verdict)
{
	static const char *const names[] = {
		[VERIFY_EQUAL] = "equal", [VERIFY_DIFFERS] = "differs",
		[VERIFY_NOT_COMPARABLE] = "not-comparable",
	};

	return names[verdict];
}

static void get_verdict(const struct spot *spot, struct value *out)
{
	value_set_text(out, verdict_name(row_of(spot)->verdict));
}

#define ALWAYS UINT32_MAX
#define ROW(member) offsetof(struct verify_row, member)

const struct column verify_columns[] = {
	{ .name = "quantity", .title = "Quantity", .legend = "what was compared", .left = true,
	  .only = ALWAYS, .get = get_text, .which = ROW(quantity) },
	{ .name = "rows", .title = "Rows", .legend = "associations that were compared",
	  .only = ALWAYS, .get = get_rows },
	{ .name = "max_abs", .title = "Max abs", .legend = "largest absolute difference",
	  .decimals = 3, .only = ALWAYS, .get = get_real, .which = ROW(max_abs) },
	{ .name = "max_rel", .title = "Max rel", .legend = "largest relative difference",
	  .decimals = 3, .only = ALWAYS, .get = get_real, .which = ROW(max_rel) },
	{ .name = "tolerance", .title = "Tolerance",
	  .legend = "what the precision of the inputs allows", .decimals = 3, .only = ALWAYS,
	  .get = get_real, .which = ROW(tolerance) },
	{ .name = "worst", .title = "Worst", .legend = "path of the association that differs most",
	  .left = true, .only = ALWAYS, .get = get_worst },
	{ .name = "verdict", .title = "Verdict",
	  .legend = "what came out: equal, differs or not-comparable",
	  .left = true, .only = ALWAYS, .get = get_verdict },
	{ .name = "why", .title = "Why", .legend = "reason of the verdict or of the tolerance",
	  .left = true, .only = ALWAYS, .get = get_text, .which = ROW(why) },
};
const size_t verify_columns_count = sizeof(verify_columns) / sizeof(verify_columns[0]);

static const char *verify_word(int exit_code)
{
	if (exit_code == 0)
		return verdict_name(VERIFY_EQUAL);
	return verdict_name(exit_code == ERR_NOTHING ? VERIFY_NOT_COMPARABLE : VERIFY_DIFFERS);
}

int verify_answer(struct session *s, struct selection *selection)
{
	struct verify *v = verify_run(s->cluster, &s->options->model);
	struct verify_context context = { v, s->cluster };
	struct view view = { .name = "verify", .columns = verify_columns,
			     .column_count = verify_columns_count, .context = &context,
			     .rows = (uint32_t)v->count };
	struct report_extra extras[] = {
		{ "verdict", verify_word(v->exit_code) },
		{ "reason", v->reason[0] ? v->reason : NULL },
	};
	int status = 0;

	/* Titles without a row would be all that people see: the reason says more. */
	if (v->count > 0 || s->options->format != REPORT_TABLE)
		status = session_answer(s, &view, selection, extras, 2);
	if (status == 0) {
		status = v->exit_code;
		if (v->reason[0])
			remark(s->source->name, v->reason);
	}
	verify_free(v);
	return status;
}
