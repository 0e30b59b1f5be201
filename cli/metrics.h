/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: one answer of a source in Prometheus' text format 0.0.4.
 *
 * The names are an interface; they follow OpenMetrics' rules (base units, `_info`). HELP, TYPE, the
 * output and the list in the manual page come from this table. An unknown value has no sample, and
 * a metric without samples no HELP; infinite is +Inf. Labels without a value are left out; bytes of
 * label values that are not UTF-8 become %XX. Several sources share one text, with each metric
 * once.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
#ifndef FAIRTOP_CLI_METRICS_H
#define FAIRTOP_CLI_METRICS_H

#include "core/base/bytes.h"
#include "core/lint/lint.h"
#include "core/queue/waits.h"
#include "core/share/model.h"
#include "core/verify/verify.h"

#define METRICS_SERIES 10000		/* most series by default */

struct metrics {
	const char *source;		/* as the user wrote it; NULL: not given */
	const char *health;
	double cpu_seconds, seconds;	/* the cost of the answer */
	/* The rest is borrowed, and NULL if the source did not answer. */
	const struct model *model;
	const uint32_t *rows;		/* associations to write, users among them */
	uint32_t row_count;
	const struct verify *verify;
	const struct lint *lint;
	const double *recovery;		/* forecast_recovery() */
	const struct waits *waits;	/* NULL: only the present is known */
};

/*
 * Appends the answers of COUNT sources, whose names and cluster names are distinct, to OUT; returns
 * the number of series.
 */
uint64_t metrics_write(const struct metrics *all, size_t count, struct bytes *out);

enum metric_of {
	METRIC_OF_ROW,		/* fairtop_account_NAME; for a user fairtop_user_NAME */
	METRIC_OF_CLUSTER,	/* fairtop_NAME */
	METRIC_OF_WAITS,	/* the same, a histogram */
	METRIC_ALWAYS		/* the same, even if the source does not answer */
};

/* All except histograms are gauges: reported usage decays, and jobs end. */
struct metrics_writer;
struct metric {
	const char *name, *help;	/* HELP NULL: the legend of the column */
	const char *labels;		/* for the manual, besides cluster */
	enum metric_of of;
	void (*put)(struct metrics_writer *w, const struct metric *m);
	const char *column;		/* of accounts, if PUT needs one */
	size_t which;			/* for PUT only */
};
extern const struct metric metric_table[];
extern const size_t metric_count;

/* The help text, from either place. */
const char *metric_help(const struct metric *m);

#endif
