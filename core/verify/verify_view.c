/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/verify/verify.h"

static const struct verify_row *verify_view_row_of(const struct position *pos)
{
	const struct verify_view *c = pos->context;

	return &c->verify->rows[pos->row];
}

static void verify_view_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, POSITION_MEMBER(pos, verify_view_row_of(pos)));
}

static void verify_view_get_real(const struct position *pos, struct value *out)
{
	value_set_real(out, *(const double *)POSITION_MEMBER(pos, verify_view_row_of(pos)));
}

static void get_rows(const struct position *pos, struct value *out)
{
	value_set_int(out, verify_view_row_of(pos)->rows);
}

static void get_worst(const struct position *pos, struct value *out)
{
	const struct verify_view *c = pos->context;
	uint32_t worst = verify_view_row_of(pos)->worst;

	if (worst != ROW_NONE)
		value_set_text(out, cluster_path_get(c->cluster, worst, out->buffer));
}

static const char *verdict_name(enum verify_verdict verdict)
{
	static const char *const names[] = {
		[VERIFY_EQUAL] = "equal", [VERIFY_DIFFERS] = "differs",
		[VERIFY_NOT_COMPARABLE] = "not-comparable",
	};

	return names[verdict];
}

static void get_verdict(const struct position *pos, struct value *out)
{
	value_set_text(out, verdict_name(verify_view_row_of(pos)->verdict));
}

#define ROW(member) offsetof(struct verify_row, member)

const struct column verify_columns[] = {
	{ .name = "quantity", .title = "Quantity", .legend = "what was compared", .left = true,
	  .only = ALWAYS, .get = verify_view_get_text, .which = ROW(quantity) },
	{ .name = "rows", .title = "Rows", .legend = "associations compared",
	  .only = ALWAYS, .get = get_rows },
	{ .name = "max_abs", .title = "Max abs", .legend = "largest absolute difference",
	  .decimals = 3, .only = ALWAYS, .get = verify_view_get_real, .which = ROW(max_abs) },
	{ .name = "max_rel", .title = "Max rel", .legend = "largest relative difference",
	  .decimals = 3, .only = ALWAYS, .get = verify_view_get_real, .which = ROW(max_rel) },
	{ .name = "tolerance", .title = "Tolerance",
	  .legend = "what the precision of the inputs allows", .decimals = 3, .only = ALWAYS,
	  .get = verify_view_get_real, .which = ROW(tolerance) },
	{ .name = "worst", .title = "Worst", .legend = "path of the association that differs most",
	  .path = true, .left = true, .only = ALWAYS, .get = get_worst },
	{ .name = "verdict", .title = "Verdict",
	  .legend = "result: equal, differs or not-comparable",
	  .left = true, .only = ALWAYS, .get = get_verdict },
	{ .name = "why", .title = "Why", .legend = "reason for the verdict or the tolerance",
	  .left = true, .only = ALWAYS, .get = verify_view_get_text, .which = ROW(why) },
};
const size_t verify_columns_count = sizeof(verify_columns) / sizeof(verify_columns[0]);

struct view verify_view(const struct verify_view *v)
{
	return view_of("verify", verify_columns, verify_columns_count, v, v->verify->count);
}

const char *verify_word(int exit_code)
{
	if (exit_code == 0)
		return verdict_name(VERIFY_EQUAL);
	return verdict_name(exit_code == ERR_NOTHING ? VERIFY_NOT_COMPARABLE : VERIFY_DIFFERS);
}
