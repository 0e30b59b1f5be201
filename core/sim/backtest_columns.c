/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a back-test. */
#include <stddef.h>

#include "core/sim/backtest.h"

static const char *const scopes[BACKTEST_SCOPES] = {
	"total", "account", "user", "partition", "size"
};

/*
 * Finds the row of a cell. Policies are side by side: a group under each policy, in one step after
 * the other if there are steps; then the next group.
 */
static struct backtest_row backtest_row_of(const struct position *pos)
{
	const struct backtest *b = pos->context;
	size_t policies = b->count / b->first, steps = b->steps > 0 ? b->steps : 1;
	size_t policy = pos->row % policies, at = pos->row / policies;

	if (b->steps > 0)
		return backtest_at(b, policy, at / steps, (uint32_t)(at % steps));
	return b->rows[policy * b->first + at];
}

static void backtest_get_policy(const struct position *pos, struct value *out)
{
	value_set_text(out, backtest_row_of(pos).policy);
}

static void get_scope(const struct position *pos, struct value *out)
{
	value_set_text(out, scopes[backtest_row_of(pos).scope]);
}

static void backtest_get_name(const struct position *pos, struct value *out)
{
	value_set_text(out, backtest_row_of(pos).name);
}

static void backtest_get_jobs(const struct position *pos, struct value *out)
{
	value_set_count(out, backtest_row_of(pos).jobs);
}

static void backtest_get_time(const struct position *pos, struct value *out)
{
	value_set_int(out, backtest_row_of(pos).time);
}

static void backtest_get_real(const struct position *pos, struct value *out)
{
	struct backtest_row row = backtest_row_of(pos);

	value_set_real(out, *(const double *)POSITION_MEMBER(pos, &row));
}

#define AT(member) .get = backtest_get_real, .which = offsetof(struct backtest_row, member)

const struct column backtest_columns[] = {
	{ .name = "policy", .title = "Policy", .width = 12, .left = true, .only = ALWAYS,
	  .get = backtest_get_policy, .legend = "the policy that schedules" },
	{ .name = "scope", .title = "Scope", .width = 9, .left = true, .only = ALWAYS,
	  .get = get_scope, .legend = "total, or one account, user, partition or job size" },
	{ .name = "name", .title = "Name", .width = 12, .left = true, .only = ALWAYS,
	  .get = backtest_get_name, .legend = "its name; of a size, the number of processors" },
	{ .name = "jobs", .title = "Jobs", .width = 8, .only = ALWAYS, .get = backtest_get_jobs,
	  .legend = "number of jobs" },
	{ .name = "shares_promised", .title = "Promised", .width = 8, .decimals = 4, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_RATIO, AT(promised),
	  .legend = "fraction of the machine that its shares promise" },
	{ .name = "share_delivered", .title = "Share", .width = 6, .decimals = 4, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_RATIO, AT(share),
	  .legend = "its fraction of the processor-seconds of all jobs" },
	{ .name = "wait_mean", .title = "Wait", .width = 10, .decimals = 1, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(wait_mean),
	  .legend = "mean time from submission to start" },
	{ .name = "wait_p50", .title = "P50", .width = 10, .decimals = 0, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(wait_p50),
	  .legend = "the wait that half of the jobs do not exceed" },
	{ .name = "wait_p95", .title = "P95", .width = 10, .decimals = 0, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(wait_p95),
	  .legend = "the wait that 95 of 100 jobs do not exceed" },
	{ .name = "bounded_slowdown", .title = "Slowdown", .width = 10, .decimals = 2,
	  .only = ALWAYS, .format = COLUMN_RATIO, AT(slowdown),
	  .legend = "(wait + run) / run, at least 1, with runs below 10 s as 10 s; mean" },
	{ .name = "gain", .title = "Gain", .width = 10, .decimals = 1, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(gain),
	  .legend = "how much shorter its mean wait is than under the first policy" },
	{ .name = "utilisation", .title = "Util", .width = 6, .decimals = 4, .only = ALWAYS,
	  .format = COLUMN_RATIO, .unit = UNIT_RATIO, AT(utilisation),
	  .legend = "fraction of the machine used, first submission to last end" },
	{ .name = "response", .title = "Response", .width = 10, .decimals = 1,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(response),
	  .legend = "mean time from submission to end" },
	{ .name = "makespan", .title = "Makespan", .width = 10, .decimals = 0,
	  .format = COLUMN_RATIO, .unit = UNIT_SECONDS, AT(makespan),
	  .legend = "from the first submission to the last end" },
	{ .name = "jain", .title = "Jain", .width = 6, .decimals = 4, .format = COLUMN_RATIO,
	  .unit = UNIT_RATIO, AT(jain),
	  .legend = "Jain's index of the users' mean slowdowns: 1 is perfectly even" },
	{ .name = "time", .title = "Time", .width = 16, .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .get = backtest_get_time,
	  .legend = "with --every, the start of the row's step" },
	{ .name = "waiting", .title = "Waiting", .width = 9, .decimals = 1,
	  .format = COLUMN_RATIO, AT(waiting),
	  .legend = "pending jobs, mean over the step" },
};
const size_t backtest_columns_count = sizeof(backtest_columns) / sizeof(backtest_columns[0]);

struct view backtest_view(const struct backtest *b)
{
	return view_of("backtest", backtest_columns, backtest_columns_count, b,
		       b->count * (b->steps > 0 ? b->steps : 1));
}
