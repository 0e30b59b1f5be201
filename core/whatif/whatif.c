/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/whatif.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/classes/class_rules.h"
#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_private.h"
#include "core/base/word.h"

struct whatif *whatif_new(void)
{
	return mem_zalloc(1, sizeof(struct whatif));
}

static void forget_from(struct whatif *w, uint32_t first)
{
	for (uint32_t i = first; i < w->count; i++)
		edit_free(&w->entries[i].edit);
	w->count = first;
	for (uint32_t i = 0; i < first; i++) {
		if (w->entries[i].successor > first)
			w->entries[i].successor = 0;
	}
}

void whatif_free(struct whatif *w)
{
	if (!w)
		return;
	forget_from(w, 0);
	mem_free(w->entries);
	mem_free(w);
}

bool whatif_add(struct whatif *w, const char *text, struct err *err)
{
	struct edit edit;

	if (w->cursor >= WHATIF_EDITS_MAX)
		return err_set(err, ERR_INPUT, "more than %d edits", WHATIF_EDITS_MAX);
	if (!edit_parse(text, &edit, err))
		return false;
	forget_from(w, w->cursor);
	w->entries = mem_grow(w->entries, &w->capacity, (size_t)w->count + 1, sizeof(*w->entries));
	memset(&w->entries[w->count], 0, sizeof(*w->entries));
	w->entries[w->count++].edit = edit;
	w->cursor = w->count;
	return true;
}

bool whatif_replace(struct whatif *w, const char *text, struct err *err)
{
	uint32_t last;

	if (!whatif_add(w, text, err))
		return false;
	last = w->count - 1;
	for (uint32_t i = 0; i < last && !w->entries[last].edit.relative; i++) {
		struct whatif_entry *e = &w->entries[i];

		if (e->successor == 0 && edit_same_target(&e->edit, &w->entries[last].edit))
			e->successor = w->count;
	}
	return true;
}

bool whatif_undo(struct whatif *w)
{
	if (w->cursor == 0)
		return false;
	w->cursor--;
	return true;
}

bool whatif_redo(struct whatif *w)
{
	if (w->cursor == w->count)
		return false;
	w->cursor++;
	return true;
}

void whatif_toggle(struct whatif *w, uint32_t entry)
{
	if (entry < w->count)
		w->entries[entry].off = !w->entries[entry].off;
}

bool whatif_replaced(const struct whatif *w, uint32_t entry)
{
	return w->entries[entry].successor != 0 && w->entries[entry].successor <= w->cursor;
}

uint32_t whatif_listed(const struct whatif *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		n += !whatif_replaced(w, i);
	return n;
}

uint32_t whatif_listed_at(const struct whatif *w, uint32_t n)
{
	for (uint32_t i = 0; i < w->count; i++) {
		if (!whatif_replaced(w, i) && n-- == 0)
			return i;
	}
	return ROW_NONE;
}

bool whatif_in_force(const struct whatif *w, uint32_t entry)
{
	return entry < w->cursor && !w->entries[entry].off && !whatif_replaced(w, entry);
}

uint32_t whatif_active(const struct whatif *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		n += whatif_in_force(w, i);
	return n;
}

/* ---- files --------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void load_name(struct whatif *w, const char *name)
{
	(void)snprintf(w->name, sizeof(w->name), "%.63s", name);
}

/* One line, which ends with NUL and has no blanks around. */
static bool load_line(struct whatif *w, char *line, struct err *err)
{
	bool off = strncmp(line, "#off ", 5) == 0;

	if (strncmp(line, "#name ", 6) == 0) {
		load_name(w, line + 6);
		return true;
	}
	if (off)
		line += 5;
	for (char *c = line; *c; c++) {
		if (*c == '#' && (c == line || is_blank(c[-1]))) {
			*c = '\0';
			break;
		}
	}
	while (is_blank(*line))
		line++;
	if (!*line)
		return true;
	if (!whatif_add(w, line, err))
		return false;
	w->entries[w->count - 1].off = off;
	return true;
}

bool whatif_load(struct whatif *w, const char *text, struct err *err)
{
	uint32_t number = 0;

	while (*text) {
		size_t length = strcspn(text, "\n"), skip = 0;
		char *line;
		bool ok;

		while (skip < length && is_blank(text[skip]))
			skip++;
		line = mem_strndup(text + skip, length - skip);
		number++;
		ok = load_line(w, line, err);
		mem_free(line);
		if (!ok) {
			if (err)
				err->line = number;
			return false;
		}
		text += length + (text[length] == '\n');
	}
	return true;
}

static bool put(struct sink out, struct err *err, const char *a, const char *b)
{
	return out.write(out.context, a, strlen(a), err) &&
	       out.write(out.context, b, strlen(b), err) &&
	       out.write(out.context, "\n", 1, err);
}

bool whatif_save(const struct whatif *w, struct sink out, struct err *err)
{
	if (w->name[0] && !put(out, err, "#name ", w->name))
		return false;
	for (uint32_t i = 0; i < w->cursor; i++) {
		size_t size = edit_text(&w->entries[i].edit, NULL, 0) + 1;
		char *text;
		bool ok;

		if (whatif_replaced(w, i))
			continue;
		text = mem_alloc(size, 1);
		edit_text(&w->entries[i].edit, text, size);
		ok = put(out, err, w->entries[i].off ? "#off " : "", text);
		mem_free(text);
		if (!ok)
			return false;
	}
	return true;
}

/* ---- policy -------------------------------------------------------------------------------- */

bool whatif_problem(struct whatif_entry *entry, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(entry->problem, sizeof(entry->problem), format, args);
	va_end(args);
	return false;
}

static const char *const weight_names[] = {
	"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
	"PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS",
};
#define WEIGHTS (sizeof(weight_names) / sizeof(weight_names[0]))

/* The entry in force that says what a weight is; NULL without one. */
static struct whatif_entry *weight_entry(struct whatif *w, size_t param)
{
	for (uint32_t i = w->cursor; i-- > 0;) {
		struct whatif_entry *e = &w->entries[i];

		if (whatif_in_force(w, i) && e->edit.target->id == EDIT_WEIGHT &&
		    e->edit.param == param)
			return e;
	}
	return NULL;
}

/*
 * Percentages are of the sum of the six weights, which stays as it was (10000 where it was 0): what
 * is left by percentages and typed points is shared by the other weights as they were before.
 */
static void percent_weights(struct whatif *w, const struct policy *base, struct policy *out)
{
	double sum = 0, percent = 0, points = 0, others = 0, scale;
	size_t param[WEIGHTS];
	struct whatif_entry *entries[WEIGHTS], *last = NULL;

	for (size_t i = 0; i < WEIGHTS; i++) {
		double was;

		param[i] = policy_param_by_name(weight_names[i], strlen(weight_names[i]));
		was = (double)policy_number(base, param[i]);
		entries[i] = weight_entry(w, param[i]);
		sum += was;
		if (!entries[i])
			others += was;
		else if (entries[i]->edit.percent)
			percent += entries[i]->edit.number;
		else
			points += entries[i]->edit.number;
		if (entries[i] && entries[i]->edit.percent)
			last = entries[i];
	}
	if (!last)
		return;
	if (percent > 100 + 1e-9) {
		whatif_problem(last, "the percentages of the weights add up to %.10g", percent);
		return;
	}
	sum = sum > 0 ? sum : 10000;
	scale = others > 0 ? fmax(0, sum * (100 - percent) / 100 - points) / others : 0;
	for (size_t i = 0; i < WEIGHTS; i++) {
		double value = (double)policy_number(base, param[i]) * scale;

		if (entries[i] && !entries[i]->edit.percent)
			continue;
		if (entries[i])
			value = sum * entries[i]->edit.number / 100;
		policy_set_number(out, param[i], (uint64_t)llround(fmin(value, U32_UNKNOWN - 1)));
	}
}

static void set_algorithm(const struct edit *e, struct policy *out)
{
	uint32_t flags = out->flags & ~(uint32_t)(PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE);

	if (word_equal(e->value, "depth-oblivious"))
		flags |= PF_DEPTH_OBLIVIOUS;
	else if (word_equal(e->value, "classic"))
		flags |= PF_NO_FAIR_TREE;
	policy_set_number(out, e->param, flags);
}

static size_t half_life_param(void)
{
	static const char name[] = "PriorityDecayHalfLife";

	return policy_param_by_name(name, sizeof(name) - 1);
}

/* slurmctld does not start then: an edit of the reset period would write the line it wants. */
static void refuse_for_ever(struct whatif *w, const struct policy *base, struct policy *out)
{
	struct whatif_entry *half_life = NULL;

	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];
		size_t param = e->edit.target->id == EDIT_PARAM ? e->edit.param :
			       policy_params_count;

		if (!whatif_in_force(w, i) || param == policy_params_count)
			continue;
		if (strcmp(policy_params[param].name, "PriorityUsageResetPeriod") == 0)
			return;
		if (param == half_life_param())
			half_life = e;
	}
	if (!half_life || !policy_counts_for_ever(out) || policy_counts_for_ever(base))
		return;
	whatif_problem(half_life, "slurmctld refuses 0 without PriorityUsageResetPeriod: usage "
		       "would count for ever (set reset_period, too)");
	out->half_life = base->half_life;
}

void whatif_policy(struct whatif *w, const struct policy *base, struct policy *out)
{
	struct err err;

	*out = *base;
	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];

		if (!whatif_in_force(w, i))
			continue;
		if (e->edit.target->id == EDIT_PARAM && !edit_set_param(&e->edit, out, &err))
			whatif_problem(e, "%.150s", err.message);
		else if (e->edit.target->id == EDIT_WEIGHT && !e->edit.percent)
			policy_set_number(out, e->edit.param, (uint64_t)e->edit.number);
		else if (e->edit.target->id == EDIT_ALGORITHM)
			set_algorithm(&e->edit, out);
	}
	percent_weights(w, base, out);
	refuse_for_ever(w, base, out);
	out->equiv_class_tried = base->equiv_class_tried || !class_rules_documented(base);
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool whatif_needs_usage(const struct whatif *w, const struct cluster *base)
{
	struct policy *p;
	bool other;

	for (uint32_t i = 0; i < w->count; i++) {
		enum edit_id id = w->entries[i].edit.target->id;

		if (whatif_in_force(w, i) &&
		    (id == EDIT_SHARES || id == EDIT_USAGE || id == EDIT_PARENT || id == EDIT_ADD ||
		     id == EDIT_REMOVE || id == EDIT_ADVANCE))
			return true;
	}
	p = mem_alloc(1, sizeof(*p));
	/* The list is only read: problems are those of whatif_apply(). */
	whatif_policy((struct whatif *)(uintptr_t)w, cluster_policy(base), p);
	other = fs_algorithm_of(p->flags) != fs_algorithm_of(cluster_policy(base)->flags);
	mem_free(p);
	return other;
}

static void drop_reported(struct overlay *o)
{
	static const enum field fields[] = {
		F_ASSOC_R_NORM_SHARES, F_ASSOC_R_NORM_USAGE, F_ASSOC_R_EFFECTIVE_USAGE,
		F_ASSOC_R_LEVEL_FS, F_ASSOC_R_FAIRSHARE, F_ASSOC_R_LEVEL_SHARES, F_ASSOC_R_USAGE,
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		overlay_drop(o, fields[i]);
}

static int64_t advance_of(const struct whatif *w)
{
	int64_t seconds = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (whatif_in_force(w, i) && w->entries[i].edit.target->id == EDIT_ADVANCE)
			seconds = (int64_t)w->entries[i].edit.number;
	}
	return seconds;
}

struct cluster *whatif_apply(struct whatif *w, const struct cluster *base)
{
	struct cluster *structure;
	struct overlay *o;

	for (uint32_t i = 0; i < w->count; i++)
		w->entries[i].problem[0] = '\0';
	structure = whatif_structure(w, base);
	o = structure ? overlay_new(structure, true) : overlay_over(base);
	if (whatif_active(w) == 0)
		return overlay_seal(o);
	whatif_policy(w, cluster_policy(base), overlay_policy(o));
	whatif_values(w, base, o);
	if (advance_of(w) > 0)
		whatif_advance(o, advance_of(w));
	if (whatif_needs_usage(w, base))
		drop_reported(o);
	return overlay_seal(o);
}

bool whatif_check(const struct whatif *w, struct err *err)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct whatif_entry *e = &w->entries[i];
		char text[200];

		if (!whatif_in_force(w, i) || !e->problem[0])
			continue;
		edit_text(&e->edit, text, sizeof(text));
		return err_set(err, ERR_INPUT, "edit \"%s\": %s", text, e->problem);
	}
	return true;
}
