/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one list of views and their columns: for the verbs, help, the manual and completion. */
#include "cli/options.h"
#include "cli/verbs.h"
#include "core/classes/classes_view.h"
#include "core/lint/lint.h"
#include "core/replay/audit.h"
#include "core/sim/cycle_view.h"
#include "core/pools/pools.h"
#include "core/queue/forecast.h"
#include "core/queue/jobs.h"
#include "core/sim/starts.h"
#include "core/whatif/changes_list.h"
#include "core/verify/verify.h"
#include "core/whatif/seek.h"
#include "core/why/why_view.h"

static const struct {
	const char *name;
	const struct column *columns;
	const size_t *count;
} shapes[VERB_COUNT] = {
	[VERB_SCREEN] = { NULL, accounts_columns, &accounts_columns_count },
	[VERB_ACCOUNTS] = { "accounts", accounts_columns, &accounts_columns_count },
	[VERB_JOBS] = { "jobs", jobs_columns, &jobs_columns_count },
	[VERB_CLASSES] = { "classes", classes_columns, &classes_columns_count },
	[VERB_CYCLE] = { "cycle", cycle_columns, &cycle_columns_count },
	[VERB_POOLS] = { "pools", pools_columns, &pools_columns_count },
	[VERB_LINT] = { "lint", lint_columns, &lint_columns_count },
	[VERB_EXPLAIN] = { "explain", explain_columns, &explain_columns_count },
	[VERB_WHY] = { "why", why_columns, &why_columns_count },
	[VERB_COMPARE] = { "compare", compare_columns, &compare_columns_count },
	[VERB_WHATIF] = { "whatif", whatif_columns, &whatif_columns_count },
	[VERB_FORECAST] = { "forecast", forecast_columns, &forecast_columns_count },
	[VERB_SEEK] = { "seek", seek_columns, &seek_columns_count },
	[VERB_VERIFY] = { "verify", verify_columns, &verify_columns_count },
	[VERB_POLICY] = { "policy", policy_columns, &policy_columns_count },
	[VERB_HISTORY] = { "history", accounts_columns, &accounts_columns_count },
	[VERB_DIFF] = { "diff", diff_columns, &diff_columns_count },
	[VERB_STARTS] = { "starts", starts_columns, &starts_columns_count },
	[VERB_AUDIT] = { "audit", audit_columns, &audit_columns_count },
	[VERB_BACKTEST] = { "backtest", backtest_columns, &backtest_columns_count },
};

struct view verb_shape(enum verb verb)
{
	return (struct view){ .name = shapes[verb].name, .columns = shapes[verb].columns,
			      .column_count = shapes[verb].columns ? *shapes[verb].count : 0 };
}
