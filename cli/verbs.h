/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verbs: the functions of the verb table in verbs.c, one file each.
 *
 * One module of several files: verbs help_topics guesses
 */
#ifndef FAIRTOP_CLI_VERBS_H
#define FAIRTOP_CLI_VERBS_H

#include "cli/options.h"

struct session;
struct selection;

/* Verbs whose rows come from one answer of a source. */
int accounts_answer(struct session *s, struct selection *selection);
int jobs_answer(struct session *s, struct selection *selection);
int classes_answer(struct session *s, struct selection *selection);
int cycle_answer(struct session *s, struct selection *selection);
int pools_answer(struct session *s, struct selection *selection);
int lint_answer(struct session *s, struct selection *selection);
#define VERIFY_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_JOBS | NEED_PRIO | NEED_QOS | \
		      NEED_PARTITIONS | NEED_HOSTS)
int verify_answer(struct session *s, struct selection *selection);
int policy_answer(struct session *s, struct selection *selection);
int diff_answer(struct session *s, struct selection *selection);
int audit_answer(struct session *s, struct selection *selection);
int starts_answer(struct session *s, struct selection *selection);
int snapshot_answer(struct session *s, struct selection *selection);

int verb_screen(const struct options *o);
int verb_compare(const struct options *o);
int verb_explain(const struct options *o);
int verb_why(const struct options *o);
int verb_forecast(const struct options *o);
int verb_seek(const struct options *o);
int verb_whatif(const struct options *o);
int verb_metrics(const struct options *o);
int verb_watch(const struct options *o);
int verb_record(const struct options *o);
int verb_thin(const struct options *o);
int verb_import(const struct options *o);
int verb_history(const struct options *o);
int verb_backtest(const struct options *o);
int verb_serve(const struct options *o);
int verb_help(const struct options *o);

/*
 * Makes the pools of what the session fetched, by its --pools file or the source's own. Returns 0,
 * or an exit status after a message. The caller frees both, CONFIG also after a failure.
 */
struct pools;
struct pools_config;
int pools_of_session(struct session *s, struct pools_config *config, struct pools **pools);

/* Appends the findings of lint to L. Returns 0, or an exit status after a message. */
struct lint;
int lint_of_session(struct session *s, struct lint *l);

/* pools --log: from pools_of_session(), and from every sample if the source is a recording. */
int pools_log(struct session *s, const struct pools_config *config, const struct pools *now);

/* The output of --version and similar options. */
int verb_sandbox_status(void);
int verb_bug_report(const struct options *o);
int verb_version(void);

/* The columns of explain and compare; their verbs make the contexts. */
extern const struct column explain_columns[], compare_columns[];
extern const size_t explain_columns_count, compare_columns_count;

#endif
