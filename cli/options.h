/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: the command line as tables.
 *
 * Parsing, `fairtop help`, the manual page and the shell completions all come from the tables
 * below: a new option is one line and a function in options_table.c, a new verb one line and a
 * function in verbs.c.
 * options_parse() checks all that can be checked without a source, so that a mistake is reported
 * before anything slow begins.
 */
#ifndef FAIRTOP_CLI_OPTIONS_H
#define FAIRTOP_CLI_OPTIONS_H

#include "core/share/model.h"
#include "adapters/store/store.h"
#include "core/sim/backtest.h"
#include "core/whatif/whatif.h"
#include "tui/base/report.h"

struct session;
struct selection;

enum verb {
	VERB_SCREEN,		/* no verb at all */
	VERB_ACCOUNTS, VERB_JOBS, VERB_CLASSES, VERB_CYCLE, VERB_POOLS, VERB_LINT, VERB_EXPLAIN,
	VERB_WHY, VERB_COMPARE, VERB_WHATIF, VERB_FORECAST, VERB_SEEK, VERB_VERIFY, VERB_POLICY,
	VERB_SNAPSHOT, VERB_RECORD, VERB_METRICS, VERB_WATCH, VERB_IMPORT, VERB_HISTORY, VERB_DIFF,
	VERB_THIN, VERB_STARTS, VERB_BACKTEST, VERB_AUDIT, VERB_BUG_REPORT, VERB_SERVE, VERB_HELP,
	VERB_COUNT
};

#define OBJECTS_MAX 250

#define OPTIONS_EDITS_MAX 256
#define OPTIONS_ALARMS_MAX 64
#define OPTIONS_BESIDE (WHATIF_SETS - 1)	/* sets besides the first one */

/* --set EDIT or --what-if FILE. */
struct edit_option {
	const char *text;
	bool is_file;
};

struct options {
	enum verb verb;
	bool help, version, sandbox_status, no_sandbox;
	const char *source;		/* NULL: the first scheduler that answers */
	const char *object;		/* of explain, why, compare; topic of help */
	const char *other;		/* the second one of compare */
	const char *objects[OBJECTS_MAX];	/* all of them; inputs of import */
	size_t object_count;
	enum report_format format;
	const char *columns, *sort, *filter;	/* NULL: not given */
	const char *delimiter;		/* of import; NULL: not given */
	bool apart;			/* the source is written, or others are read after it */
	const char *usual_sort;		/* the verb's default for a table; NULL: the view's own */
	uint64_t limit;			/* rows; 0: all */
	bool mine;
	const char *user, *account, *partition;		/* names joined by commas; NULL: any */
	const char *cluster;		/* likewise, in fairtop.conf; sets source, objects */
	const char *rules, *exclude;	/* of classes; NULL: the scheduler's own */
	const char *sched;		/* of cycle; NULL: not given */
	bool old;			/* of cycle: without classes */
	bool both;			/* of cycle: two logs side by side */
	/* Of pools, explain and the screen: a pools file; NULL: the source's own. */
	const char *pools;
	bool grouped;			/* dispatch order with pools as blocks */
	bool log;			/* of pools: in the format of a dispatcher log */
	struct model_options model;
	struct edit_option edits[OPTIONS_EDITS_MAX];	/* in the order given */
	size_t edit_count;
	const char *view, *export_as;	/* of whatif; NULL: not given */
	const char *reach, *burn;	/* of forecast and seek; likewise */
	const char *config;		/* of lint; likewise */
	const char *beside[OPTIONS_BESIDE];	/* more sets, as files */
	size_t beside_count;
	bool changed, all, inverse;
	/* Recordings. Times are Unix seconds, I64_UNKNOWN if not given. */
	const char *at_text;		/* as written */
	int64_t at, from, to;
	const char *output;
	const char *spool;		/* of record; NULL: not given */
	struct store_keep keep;
	uint64_t count;			/* samples; 0: no limit */
	uint64_t series;		/* of metrics; 0: not given */
	bool users;			/* likewise */
	/* watch */
	const char *alarms[OPTIONS_ALARMS_MAX];		/* rules */
	size_t alarm_count;
	const char *exec, *lines;	/* NULL: not given */
	bool once;
	bool wait;			/* of verify */
	bool anonymize, follow;
	const char *tree, *qos, *partitions, *passes;	/* of import: files; NULL: not given */
	int64_t half_life, period;	/* s; -1: not given */
	const char *reset_period;	/* NULL: not given */
	int64_t start;			/* of seek; I64_UNKNOWN: not given */
	const char *runs, *history;	/* of starts; NULL: not given */
	uint64_t seed;
	/* backtest */
	enum sim_policy policies[BACKTEST_POLICIES];
	size_t policy_count;
	struct sim_log_options sim_log;
	const char *starts;		/* NULL: not given */
	const char *sacct;		/* of audit; NULL: not given */
	double tolerance;		/* likewise; < 0: not given */
	/* The screen. */
	int64_t every_ms;		/* 0: not given */
	const char *theme, *color, *keys, *frame_format, *workspace;
	bool ascii, no_mouse, render, print_config, tour;
	uint16_t width, height;
	char **texts;			/* owned: other members point to them */
	size_t text_count, text_room;
};

struct verb_info {
	const char *name;		/* NULL for the screen */
	const char *arguments;		/* after the name: "[SOURCE] OBJECT" */
	uint8_t least, most;		/* how many of them */
	bool hidden;
	const char *meaning;		/* one line */
	const char *description;	/* a paragraph, for help and the manual page */
	int (*run)(const struct options *o);	/* the exit status; NULL: session_run() */
	uint32_t needs;			/* this and the next: used by session_run() */
	int (*answer)(struct session *s, struct selection *selection);
	const char *order;		/* default of a table; NULL: the view's own */
};
extern const struct verb_info verb_info[VERB_COUNT];

/* The input of a setter. VALUE is NULL for an option that takes none. */
struct option_setting {
	struct options *options;
	const struct option_info *option;
	const char *value;
	struct err *err;
};

struct option_info {
	const char *name;		/* without the dashes */
	char letter;			/* after one dash; 0: none */
	const char *argument;		/* NULL: takes none */
	uint32_t verbs;			/* bit per enum verb */
	const char *(*word)(size_t i);	/* lists what ARGUMENT may be, then NULL; unset: anything */
	const char *meaning;
	bool (*set)(const struct option_setting *s);
	size_t member;			/* in struct options: where SET stores it */
};
extern const struct option_info option_info[];
extern const size_t option_count;

/* The option called NAME (LENGTH bytes) of VERB; NULL if it has none. */
const struct option_info *option_named(const char *name, size_t length, enum verb verb);
const struct option_info *option_of(const char *name, enum verb verb);

struct exit_code {
	int code;
	const char *meaning;
};
extern const struct exit_code exit_codes[];
extern const size_t exit_code_count;

/*
 * ARGV is borrowed: texts of O point into it. The verb may be anywhere. ERR_INPUT for unknown or
 * wrong words, with similar names. With --help or --version the rest is not checked.
 */
bool options_parse(int argc, const char *const *argv, struct options *o, struct err *err);
void options_free(struct options *o);		/* frees what it points to, also after a failure */

/*
 * Puts WORDS, those that are neither the verb nor an option, into O, whose verb and options are
 * known; --cluster replaces SOURCE. Texts of O point into WORDS or belong to O (arguments.c).
 */
bool arguments_take(struct options *o, const char *const *words, size_t count, struct err *err);

/* VERB_COUNT if there is none. */
enum verb verb_by_name(const char *name);

/* The view that --columns and --sort refer to: name and columns, no rows; columns NULL: none. */
struct view verb_shape(enum verb verb);

int verb_run(const struct options *o);		/* the exit status */

#endif
