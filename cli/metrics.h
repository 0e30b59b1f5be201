/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: one answer of a source as Prometheus' text format 0.0.4.
 *
 * The names are an interface; they follow OpenMetrics' rules (base units, `_info`). HELP, TYPE, the
 * output and the list in the manual page come from the one table here. What is unknown has no
 * sample, and a metric without samples no HELP; infinite is +Inf. Labels without a value are left
 * out; in their values bytes that are not UTF-8 are %XX. Several sources stand in one text, each
 * metric once for all of them.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
#ifndef FAIRTOP_CLI_METRICS_H
#define FAIRTOP_CLI_METRICS_H

#include "core/base/bytes.h"
#include "core/lint/lint.h"
#include "core/queue/waits.h"
#include "core/share/model.h"
#include "core/verify/verify.h"

#define METRICS_SERIES 10000		/* at most, unless told */

struct metrics {
	const char *source;		/* as the user wrote it; NULL: none was named */
	const char *health;
	double cpu_seconds, seconds;	/* what the answer cost */
	/* The rest is borrowed and NULL where the source did not answer. */
	const struct model *model;
	const uint32_t *rows;		/* associations that are told, users among them */
	uint32_t row_count;
	const struct verify *verify;
	const struct lint *lint;
	const double *recovery;		/* forecast_recovery() */
	const struct waits *waits;	/* NULL: nobody has looked for longer than now */
};

/*
 * Appends the answers of COUNT sources, no two of one name or of clusters of one name, to OUT;
 * returns how many series there are.
 */
uint64_t metrics_write(const struct metrics *all, size_t count, struct bytes *out);

enum metric_of {
	METRIC_OF_ROW,		/* fairtop_account_NAME; of a user fairtop_user_NAME */
	METRIC_OF_CLUSTER,	/* fairtop_NAME */
	METRIC_OF_WAITS,	/* the same, a histogram */
	METRIC_ALWAYS		/* the same, also without an answer of the source */
};

/* But for histograms all are gauges: whatever is told of usage decays, and of jobs ends. */
struct metrics_writer;
struct metric {
	const char *name, *help;	/* HELP NULL: the legend of the column */
	const char *labels;		/* for the manual, beside cluster */
	enum metric_of of;
	void (*put)(struct metrics_writer *w, const struct metric *m);
	const char *column;		/* of accounts, where PUT takes one */
	size_t which;			/* for PUT alone */
};
extern const struct metric metric_table[];
extern const size_t metric_count;

/* HELP, wherever that stands. */
const char *metric_help(const struct metric *m);

#endif
