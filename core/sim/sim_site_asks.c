/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs ask for besides CPUs and memory: nodes by feature or name, and licenses. */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/host_list.h"
#include "core/sim/sim_site.h"

/* ---- nodes --------------------------------------------------------------------------------- */

/* Is TEXT words that are joined by &, or by |, and nothing else? */
static bool is_simple(const char *text)
{
	return !text[strcspn(text, "[]()*:!")] && !(strchr(text, '&') && strchr(text, '|'));
}

bool site_asks_for_words(const struct cluster *c, enum field field, uint32_t row)
{
	const char *text = cluster_text(c, field, row);

	return !text || is_simple(text);
}

/* LENGTH bytes among the words of LIST, "a,b". */
static bool is_among(const char *list, const char *word, size_t length)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
		if (strcspn(at, ",") == length && memcmp(at, word, length) == 0)
			return true;
	}
	return false;
}

/* All of "a&b", one of "a|b". */
static bool has_features(const char *asked, const char *features)
{
	bool any = strchr(asked, '|') != NULL;

	for (const char *at = asked; *at; at += *at != '\0') {
		size_t length = strcspn(at, "&|,");

		if (is_among(features, at, length) == any)
			return any;
		at += length;
	}
	return !any;
}

static bool may_have(const struct site *s, uint32_t node, const char *features, const char *avoided)
{
	const char *has = cluster_text(s->c, F_HOST_FEATURES, node);
	const char *name = cluster_text(s->c, F_HOST_NAME, node);

	return (!features || has_features(features, has ? has : "")) &&
	       !(avoided && name && host_list_has(avoided, name));
}

const uint64_t *site_choice(struct site *s, uint32_t row, uint32_t partition)
{
	uint32_t features = cluster_text_id(s->c, F_JOB_FEATURES, row);
	uint32_t avoided = cluster_text_id(s->c, F_JOB_NODES_AVOIDED, row);
	struct site_choice *choice;

	if (features <= TEXT_EMPTY && avoided <= TEXT_EMPTY)
		return NULL;
	for (size_t i = 0; i < s->choice_count; i++) {
		choice = &s->choices[i];
		if (choice->features == features && choice->avoided == avoided &&
		    choice->partition == partition)
			return choice->nodes;
	}
	s->choices = mem_grow(s->choices, &s->choice_capacity, s->choice_count + 1,
			      sizeof(*s->choices));
	choice = &s->choices[s->choice_count++];
	*choice = (struct site_choice){ features, avoided, partition,
					mem_zalloc(s->words, sizeof(*choice->nodes)) };
	for (uint32_t i = 0; i < s->node_count; i++) {
		if (site_has(s->partitions[partition].nodes, i) &&
		    may_have(s, i, cluster_text(s->c, F_JOB_FEATURES, row),
			     cluster_text(s->c, F_JOB_NODES_AVOIDED, row)))
			site_put(choice->nodes, i);
	}
	return choice->nodes;
}

/* ---- licenses ------------------------------------------------------------------------------ */

/* The license of "matlab:2,foo" that *AT is at; false behind the last one. ROW_NONE: no such. */
static bool next_license(const struct cluster *c, const char **at, uint32_t *license,
			 uint32_t *count)
{
	size_t name = strcspn(*at, ":,;"), length = strcspn(*at, ",;");

	if (!**at)
		return false;
	*count = name < length ? (uint32_t)strtoul(*at + name + 1, NULL, 10) : 1;
	*license = ROW_NONE;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_LICENSE); i++) {
		const char *text = cluster_text(c, F_LICENSE_NAME, i);

		if (text && strlen(text) == name && memcmp(text, *at, name) == 0)
			*license = i;
	}
	*at += length;
	*at += **at != '\0';
	return true;
}

bool site_knows_licenses(const struct cluster *c, uint32_t row)
{
	const char *at = cluster_text(c, F_JOB_LICENSES, row);
	uint32_t license, count;

	if (at && at[strcspn(at, "|")])
		return false;
	while (at && next_license(c, &at, &license, &count)) {
		if (license == ROW_NONE || cluster_u32(c, F_LICENSE_TOTAL, license) >= U32_UNKNOWN)
			return false;
	}
	return true;
}

bool site_has_licenses(const struct site *s, const struct site_job *job)
{
	const char *at = cluster_text(s->c, F_JOB_LICENSES, job->row);
	uint32_t license, count;

	while (at && next_license(s->c, &at, &license, &count)) {
		if (license != ROW_NONE && s->licenses_used[license] + count >
		    cluster_u32(s->c, F_LICENSE_TOTAL, license))
			return false;
	}
	return true;
}

void site_use_licenses(struct site *s, const struct site_job *job, int times)
{
	const char *at = cluster_text(s->c, F_JOB_LICENSES, job->row);
	uint32_t license, count;

	while (at && next_license(s->c, &at, &license, &count)) {
		if (license != ROW_NONE)
			s->licenses_used[license] += (uint32_t)times * count;
	}
}
