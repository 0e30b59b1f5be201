/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs request besides CPUs and memory: nodes by feature or name, GRES, and licenses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/host_list.h"
#include "core/sim/sim_site.h"

/* ---- nodes --------------------------------------------------------------------------------- */

/* Whether TEXT is only words joined by &, or by |. */
static bool is_simple(const char *text)
{
	return !text[strcspn(text, "[]()*:!")] && !(strchr(text, '&') && strchr(text, '|'));
}

bool site_asks_for_words(const struct cluster *c, enum field field, uint32_t row)
{
	const char *text = cluster_text(c, field, row);

	return !text || is_simple(text);
}

/* ASKED is "a&b", which needs all, or "a|b", which needs one. */
static bool has_features(const char *asked, const char *features)
{
	bool any = strchr(asked, '|') != NULL;

	for (const char *at = asked; *at; at += *at != '\0') {
		size_t length = strcspn(at, "&|,");

		if (word_listed(features, at, length) == any)
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
	MEM_GROW(s->choices, s->choice_capacity, s->choice_count + 1);
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

/* ---- reservations -------------------------------------------------------------------------- */

/* Whether reservation ROW has whole nodes, occurs once, and is only for jobs that name it. */
static bool is_plain_reservation(const struct site *s, uint32_t row)
{
	static const char *const rough[] = { "MAGNETIC", "DAILY", "WEEKLY", "WEEKDAY", "WEEKEND",
					     "HOURLY", "TIME_FLOAT" };
	uint32_t cores = cluster_u32(s->c, F_RESERVATION_CPUS, row), cpus = 0;

	for (size_t k = 0; k < sizeof(rough) / sizeof(rough[0]); k++) {
		if (cluster_list_has(s->c, F_RESERVATION_FLAGS, row, rough[k]))
			return false;
	}
	for (uint32_t i = 0; i < s->node_count; i++)
		cpus += site_has(s->reserved + (size_t)row * s->words, i) ? s->nodes[i].cpus : 0;
	return cores == U32_UNKNOWN || cores >= cpus;
}

void site_make_reserved(struct site *s)
{
	uint32_t rows = cluster_rows(s->c, TABLE_RESERVATION);

	s->reserved = mem_zalloc((size_t)rows * s->words + 1, sizeof(*s->reserved));
	for (uint32_t row = 0; row < rows; row++) {
		const char *list = cluster_text(s->c, F_RESERVATION_NODE_LIST, row);

		for (uint32_t i = 0; list && i < s->node_count; i++) {
			const char *name = cluster_text(s->c, F_HOST_NAME, i);

			if (name && host_list_has(list, name))
				site_put(s->reserved + (size_t)row * s->words, i);
		}
		s->guesses[SITE_ROUGH_RESERVATION] += !is_plain_reservation(s, row);
	}
}

int64_t site_leave_out_reserved(const struct site *s, int64_t from, int64_t to, uint64_t *set)
{
	int64_t first = 0;

	for (uint32_t row = 0; row < cluster_rows(s->c, TABLE_RESERVATION); row++) {
		int64_t start = cluster_i64(s->c, F_RESERVATION_START, row);
		int64_t end = cluster_i64(s->c, F_RESERVATION_END, row);
		uint64_t taken = 0;

		if (start == I64_UNKNOWN || end == I64_UNKNOWN || start >= to || end <= from)
			continue;
		for (uint32_t w = 0; w < s->words; w++) {
			taken |= set[w] & s->reserved[(size_t)row * s->words + w];
			set[w] &= ~s->reserved[(size_t)row * s->words + w];
		}
		first = taken != 0 && (first == 0 || end < first) ? end : first;
	}
	return first;
}

/* ---- GRES ---------------------------------------------------------------------------------- */

void site_make_gres(struct site *s)
{
	for (uint32_t t = 0; t < cluster_rows(s->c, TABLE_TRES); t++) {
		const char *name = cluster_tres_name(s->c, t);

		if (name && strncmp(name, "gres/", 5) == 0 && s->gres_count < SITE_GRES_KINDS)
			s->gres[s->gres_count++] = t;
	}
}

/* The number in "gres:gpu:a100:2"; 0: of several kinds, or no number. */
static uint32_t number_asked(const char *text)
{
	const char *last = strrchr(text, ':');
	unsigned long number;
	char *end;

	if (strchr(text, ',') || !last)
		return 0;
	if (last[1] < '0' || last[1] > '9')
		return 1;
	number = strtoul(last + 1, &end, 10);
	return *end == '\0' && number <= UINT16_MAX ? (uint32_t)number : 0;
}

/* Whether NAME, "gres/gpu:a100", is what TEXT requests, with its type if it has one. */
static bool is_name_asked(const char *text, const char *name)
{
	size_t length = strlen(name), prefix = strlen("gres/");

	return strlen(text) >= length &&
	       strncmp(text + prefix, name + prefix, length - prefix) == 0 &&
	       (text[length] == '\0' || (text[length] == ':' &&
		text[length + 1 + strspn(text + length + 1, "0123456789")] == '\0'));
}

bool site_ask_for_gres(const struct site *s, struct site_job *job)
{
	const char *text = cluster_text(s->c, F_JOB_GRES, job->row);
	struct tres_list list = cluster_tres(s->c, F_JOB_TRES, job->row);
	uint32_t number = text ? number_asked(text) : 0, kinds = 0, asked = 0;
	bool named = false;

	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = cluster_tres_name(s->c, list.items[i].tres);

		asked += name && strncmp(name, "gres/", 5) == 0 && list.items[i].count > 0;
	}
	for (uint32_t k = 0; k < s->gres_count; k++) {
		double count = tres_list_count(list, s->gres[k]);

		if (count <= 0)
			continue;
		if (count < number * job->min_nodes || count > number * job->min_nodes)
			return false;
		job->gres[k] = (uint16_t)number;
		named |= text && is_name_asked(text, cluster_tres_name(s->c, s->gres[k]));
		kinds++;
	}
	return kinds == asked && (named || (kinds == 0 && (!text || !*text)));
}

void site_gres_of_running(const struct site *s, struct site_job *job, uint32_t nodes)
{
	struct tres_list list = cluster_tres(s->c, F_JOB_TRES_ALLOC, job->row);

	for (uint32_t k = 0; k < s->gres_count; k++) {
		double each = ceil(tres_list_count(list, s->gres[k]) / nodes);

		job->gres[k] = each < UINT16_MAX ? (uint16_t)each : UINT16_MAX;
	}
}

/* ---- licenses ------------------------------------------------------------------------------ */

bool site_next_license(const struct cluster *c, const char **at, uint32_t *license, uint32_t *count)
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
	while (at && site_next_license(c, &at, &license, &count)) {
		if (license == ROW_NONE || cluster_u32(c, F_LICENSE_TOTAL, license) >= U32_UNKNOWN)
			return false;
	}
	return true;
}

bool site_has_licenses(const struct site *s, const struct site_job *job)
{
	const char *at = cluster_text(s->c, F_JOB_LICENSES, job->row);
	uint32_t license, count;

	while (at && site_next_license(s->c, &at, &license, &count)) {
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

	while (at && site_next_license(s->c, &at, &license, &count)) {
		if (license != ROW_NONE)
			s->licenses_used[license] += (uint32_t)times * count;
	}
}
