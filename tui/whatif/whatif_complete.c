/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tab in the prompt for edits: completes targets, then objects of the cluster, then values if there
 * are few.
 */
#include <stdio.h>
#include <string.h>

#include "core/whatif/edits.h"
#include "tui/rows/state.h"
#include "tui/whatif/whatif_sets.h"

static void whatif_complete_offer(const struct whatif_offer *to, const char *format,
				  ...) ERR_PRINTF(2, 3);
static void whatif_complete_offer(const struct whatif_offer *to, const char *format, ...)
{
	char text[PROMPT_MAX];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (length > 0 && (size_t)length < sizeof(text))
		to->offer(to->context, text);
}

/* ---- objects --------------------------------------------------------------------------------- */

static void offer_names(const struct cluster *c, enum field field, const char *head,
			const char *tail, const struct whatif_offer *to)
{
	for (uint32_t i = 0; i < cluster_rows(c, field_info[field].table); i++) {
		const char *name = cluster_text(c, field, i);

		/* Names that need escaping are not offered. */
		if (name && name[0] != '\0' && !strpbrk(name, "=%#"))
			whatif_complete_offer(to, "%s%s%s = ", head, name, tail);
	}
}

static void offer_paths(const struct cluster *c, const char *head, const struct whatif_offer *to)
{
	char path[PROMPT_MAX];

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		if (cluster_path(c, i, path, sizeof(path)) < sizeof(path))
			whatif_complete_offer(to, "%s%s = ", head, path);
	}
}

static void offer_jobs(const struct cluster *c, const char *head, const char *tail,
		       const struct whatif_offer *to)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++)
		whatif_complete_offer(to, "%s%u%s = ", head, cluster_u32(c, F_JOB_ID, i), tail);
}

/* Offers all objects of TARGET; HEAD precedes the object, TAIL follows it. */
static void offer_objects(const struct cluster *c, const struct edit_target *target,
			  const char *head, const char *tail, const struct whatif_offer *to)
{
	switch (target->object) {
	case EDIT_OF_ASSOC:
		offer_paths(c, head, to);
		break;
	case EDIT_OF_PARTITION:
		offer_names(c, F_PARTITION_NAME, head, tail, to);
		break;
	case EDIT_OF_QOS:
		offer_names(c, F_QOS_NAME, head, tail, to);
		break;
	case EDIT_OF_QUEUE:
		offer_names(c, F_QUEUE_NAME, head, tail, to);
		break;
	case EDIT_OF_JOB:
		offer_jobs(c, head, tail, to);
		break;
	case EDIT_OF_POOL:
	case EDIT_OF_NEW:
	case EDIT_OF_NOTHING:
		break;
	}
}

/* ---- targets --------------------------------------------------------------------------------- */

static void offer_parameters(const struct cluster *c, const struct whatif_offer *to)
{
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == scheduler && !policy_params[i].untried)
			whatif_complete_offer(to, "%s = ", policy_params[i].name);
	}
}

static void offer_target(const struct cluster *c, const struct edit_target *target,
			 const char *text, const struct whatif_offer *to)
{
	size_t head = strcspn(target->name, ":");
	char before[32];
	const char *tail;

	if (strcmp(target->name, "PARAMETER") == 0) {
		offer_parameters(c, to);
		return;
	}
	if (!edit_target_of(target, 0, policy_scheduler_of(cluster_meta(c)->kind)))
		return;
	if (target->object == EDIT_OF_NOTHING) {
		whatif_complete_offer(to, "%s = ", target->name);
		return;
	}
	snprintf(before, sizeof(before), "%.*s:", (int)head, target->name);
	if (strncmp(text, before, head + 1) != 0) {
		whatif_complete_offer(to, "%s", before);
		return;
	}
	tail = strrchr(target->name, '.');
	offer_objects(c, target, before, tail ? tail : "", to);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void offer_plain(const struct cluster *c, enum field field, const struct whatif_offer *to)
{
	for (uint32_t i = 0; i < cluster_rows(c, field_info[field].table); i++) {
		const char *name = cluster_text(c, field, i);

		if (name && name[0] != '\0')
			whatif_complete_offer(to, "%s", name);
	}
}

static const struct edit_target *whatif_target_of(const char *text)
{
	size_t length = strcspn(text, "="), head = strcspn(text, ":=");
	char left[PROMPT_MAX];
	const char *dot;

	while (length > 0 && text[length - 1] == ' ')
		length--;
	snprintf(left, sizeof(left), "%.*s", (int)length, text);
	dot = head < length ? strrchr(left, '.') : NULL;
	for (size_t i = 0; i < edit_targets_count; i++) {
		const char *name = edit_targets[i].name, *tail = strrchr(name, '.');

		if (head >= length ? strcmp(name, left) == 0 :
				     strncmp(name, left, head + 1) == 0 &&
					     (!strchr(name, ':') || !tail ||
					      (dot && strcmp(dot, tail) == 0)))
			return &edit_targets[i];
	}
	return NULL;
}

const char *whatif_meaning(const char *text)
{
	const struct edit_target *target = strchr(text, '=') ? whatif_target_of(text) : NULL;

	return target ? target->meaning : NULL;
}

static void whatif_offer_values(const struct cluster *c, const char *text,
				const struct whatif_offer *to)
{
	const struct edit_target *target = whatif_target_of(text);
	const char *param = !target ? text :
			    target->type == EDIT_AS_PARAM ? target->param : NULL;
	size_t i = !param ? policy_params_count :
		   policy_param_by_name(param, strcspn(param, " ="));

	for (size_t n = 0; i < policy_params_count && policy_word(i, n); n++)
		whatif_complete_offer(to, "%s", policy_word(i, n));
	if (!target)
		return;
	if (target->type == EDIT_YES_NO) {
		whatif_complete_offer(to, "yes");
		whatif_complete_offer(to, "no");
	} else if (target->type == EDIT_SHARES_OR_PARENT) {
		whatif_complete_offer(to, "parent");
	} else if (target->id == EDIT_ALGORITHM) {
		whatif_complete_offer(to, "depth-oblivious");
		whatif_complete_offer(to, "classic");
		whatif_complete_offer(to, "fair-tree");
	} else if (target->id == EDIT_SCHEDULE) {
		for (size_t n = 0; policy_schedules[n]; n++)
			whatif_complete_offer(to, "%s", policy_schedules[n]);
	} else if (target->id == EDIT_JOB_QOS) {
		offer_plain(c, F_QOS_NAME, to);
	} else if (target->id == EDIT_JOB_PARTITION) {
		offer_plain(c, F_PARTITION_NAME, to);
	}
}

void whatif_complete(const struct app *a, const char *text, struct whatif_offer to)
{
	const struct cluster *c;

	if (!a->picture)
		return;
	c = a->picture->cluster;
	if (strchr(text, '=')) {
		whatif_offer_values(c, text, &to);
		return;
	}
	for (size_t i = 0; i < edit_targets_count; i++)
		offer_target(c, &edit_targets[i], text, &to);
}
