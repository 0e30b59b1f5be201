/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint: what is wrong with a configuration: each finding with its location, its rule and its
 * source.
 *
 * Errors are what the scheduler's documents forbid; warnings are what is allowed but surprising.
 * Items come in the order of the checks: errors first, then by the rule of their code and the file.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_H
#define FAIRTOP_CORE_LINT_LINT_H

#include "core/base/column.h"

enum lint_severity { LINT_ERROR, LINT_WARNING };

struct lint_item {
	enum lint_severity severity;
	char code[16];		/* code of its rule */
	char *object;		/* owned: "queue:normal", "pool:p1", "PriorityWeightAge" */
	char file[256];		/* "" unknown */
	uint32_t line;		/* 0 unknown */
	char message[400];
	char source[160];	/* the document the rule is from */
	/*
	 * What to do: an edit (edits.h), several joined by "; ", or words if no edit does it; or
	 * "".
	 */
	char suggestion[600];
};

/* One check. The table is the master copy of the list in the manual. */
struct lint_rule {
	const char *code;	/* "E1", "W6", "S10" */
	const char *of;		/* the scheduler: "Slurm", "LSF" */
	const char *meaning;	/* what it finds */
};
extern const struct lint_rule lint_rules[];
extern const size_t lint_rules_count;
const struct lint_rule *lint_rule(const char *code);	/* NULL: there is none */

struct lint {
	struct lint_item *items;	/* owned */
	size_t count, capacity;
};

void lint_init(struct lint *l);
void lint_free(struct lint *l);

/* Appends an item, valid until the next. Texts too long for a field are cut. */
struct lint_item *lint_add(struct lint *l, enum lint_severity severity, const char *code,
			   const char *source, const char *object, ...) ERR_PRINTF(5, 6);
/* Sets the location. FILE NULL, LINE 0: unknown. */
void lint_place(struct lint_item *item, const char *file, uint32_t line);
void lint_object(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);
void lint_message(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);
void lint_source(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);
void lint_suggest(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);

/* Append to the message, or to the suggestion: another edit, or more of one. */
void lint_message_more(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);
void lint_suggest_more(struct lint_item *item, const char *format, ...) ERR_PRINTF(2, 3);

/*
 * NAME for an edit in a suggestion: characters that would end it become %XX. PATH: it is a path by
 * cluster_path(), whose names are already written so. Returns BUF.
 */
const char *lint_name(const char *name, bool path, char *buf, size_t size);

/*
 * Whether the suggestion is one or several edits. If so, calls EACH (NULL: no calls) with each of
 * them until it returns false. False if EACH does, or if there is no edit.
 */
typedef bool lint_each(void *context, const char *edit);
bool lint_edits(const struct lint_item *item, lint_each *each, void *context);

/* Errors before warnings; otherwise stable. */
void lint_sort(struct lint *l);
size_t lint_errors(const struct lint *l);

extern const struct column lint_columns[];
extern const size_t lint_columns_count;
struct view lint_view(const struct lint *l);

#endif
