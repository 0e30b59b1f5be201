/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/lsf/site.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

#define GROUP_DEPTH_MAX 16
#define EXPAND_MAX 65536	/* hosts of one name[1-N] */
#define NAME_SIZE 256

uint32_t lsf_count(const char *text)
{
	uint32_t x;

	return text && slice_u32(slice_trim(slice_of(text)), &x) && x < U32_UNKNOWN ? x
										   : U32_UNKNOWN;
}

void lsf_set_text(char **text, struct slice value)
{
	mem_free(*text);
	*text = mem_strndup(value.at, value.length);
}

/* ---- hosts by name ------------------------------------------------------------------------- */

uint32_t lsf_site_find_host(const struct lsf_site *s, const char *name, size_t length)
{
	uint64_t hash = text_hash(name, length, 1);
	uint32_t host;
	size_t at = 0;

	while ((host = idmap_next(&s->by_name, hash, &at)) != ROW_NONE) {
		if (strncmp(s->hosts[host].name, name, length) == 0 &&
		    s->hosts[host].name[length] == '\0')
			break;
	}
	return host;
}

uint32_t lsf_site_host(struct lsf_site *s, const char *name, size_t length)
{
	uint32_t host = lsf_site_find_host(s, name, length);

	if (host != ROW_NONE)
		return host;
	MEM_GROW(s->hosts, s->host_capacity, s->host_count + 1);
	s->hosts[s->host_count] = (struct lsf_host){ .name = mem_strndup(name, length),
						     .slots = U32_UNKNOWN, .used = U32_UNKNOWN,
						     .cpus = U32_UNKNOWN, .user = U32_UNKNOWN,
						     .started = U32_UNKNOWN };
	idmap_add(&s->by_name, text_hash(name, length, 1), (uint32_t)s->host_count++);
	return (uint32_t)s->host_count - 1;
}

bool lsf_site_is_volclava(const struct lsf_site *s)
{
	return s->version && strncmp(s->version, "volclava", 8) == 0;
}

struct lsf_queue *lsf_site_queue(struct lsf_site *s, struct slice name)
{
	struct lsf_queue *q;

	name.length = strnlen(name.at, name.length);
	for (size_t i = 0; i < s->queue_count; i++) {
		if (slice_is(name, s->queues[i].name))
			return &s->queues[i];
	}
	MEM_GROW(s->queues, s->queue_capacity, s->queue_count + 1);
	q = &s->queues[s->queue_count++];
	*q = (struct lsf_queue){ .name = mem_strndup(name.at, name.length),
				 .priority = I64_UNKNOWN, .max = U32_UNKNOWN,
				 .user = U32_UNKNOWN, .host = U32_UNKNOWN,
				 .processor = F64_UNKNOWN, .running = U32_UNKNOWN,
				 .pending = U32_UNKNOWN, .started = U32_UNKNOWN,
				 .accumulated = F64_UNKNOWN, .logged = U32_UNKNOWN,
				 .allotted = U32_UNKNOWN };
	return q;
}

const char *lsf_param(const struct lsf_queue *q, const char *name)
{
	for (size_t i = q->count; i > 0; i--) {
		const struct lsf_param *p = &q->params[i - 1];

		if (p->value && p->value[0] && slice_same(slice_of(p->name), name))
			return p->value;
	}
	return NULL;
}

void lsf_add_param(struct lsf_queue *q, const char *name, struct slice value, uint32_t line)
{
	MEM_GROW(q->params, q->capacity, q->count + 1);
	q->params[q->count++] = (struct lsf_param){ mem_strdup(name),
						    mem_strndup(value.at, value.length), line };
}

void lsf_add_unreported(struct lsf_queue *q, const char *name)
{
	lsf_add_param(q, name, slice_of(""), 0);
	mem_free(q->params[q->count - 1].value);
	q->params[q->count - 1].value = NULL;
}

double lsf_site_hist_hours(const struct lsf_site *s)
{
	static const char name[] = "HIST_HOURS";
	const struct policy *p = builder_policy(s->b);
	size_t i = policy_param(name);
	double hours;

	if (!s->texts->kind[LSF_PARAMS].text && !policy_is_known(p, i))
		return F64_UNKNOWN;
	return policy_real(p, i, &hours) && hours >= 0 && hours < 1e6 ? hours : F64_UNKNOWN;
}

static void free_accounts(struct lsf_site *s)
{
	for (size_t i = 0; i < s->user_group_count; i++) {
		MEM_FREE(s->user_groups[i].name, s->user_groups[i].members,
			 s->user_groups[i].shares);
	}
	for (size_t i = 0; i < s->share_count; i++) {
		mem_free(s->shares[i].above);
		mem_free(s->shares[i].name);
	}
	mem_free_texts(s->charged, s->charged_count);
	for (size_t i = 0; i < s->user_limit_count; i++)
		mem_free(s->user_limits[i].name);
	MEM_FREE(s->user_limits, s->user_groups, s->shares);
	idmap_free(&s->jobs);
	mem_free(s->cluster);
	mem_free(s->version);
}

void lsf_site_free(struct lsf_site *s)
{
	for (size_t i = 0; i < s->host_count; i++) {
		MEM_FREE(s->hosts[i].name, s->hosts[i].mxj, s->hosts[i].partition,
			 s->hosts[i].state);
	}
	for (size_t i = 0; i < s->group_count; i++) {
		mem_free(s->groups[i].name);
		mem_free(s->groups[i].members);
	}
	for (size_t i = 0; i < s->limit_count; i++)
		MEM_FREE(s->limits[i].name, s->limits[i].hosts, s->limits[i].queues);
	for (size_t i = 0; i < s->queue_count; i++) {
		for (size_t k = 0; k < s->queues[i].count; k++) {
			mem_free(s->queues[i].params[k].name);
			mem_free(s->queues[i].params[k].value);
		}
		MEM_FREE(s->queues[i].params, s->queues[i].name, s->queues[i].state);
	}
	MEM_FREE(s->hosts, s->groups, s->limits, s->queues);
	idmap_free(&s->by_name);
	mem_free(s->default_mxj);
	dispatch_log_free(&s->log);
	free_accounts(s);
}

/* ---- lists of hosts ------------------------------------------------------------------------ */

/* A word of a list without ~ (*WITHOUT), preference (+2), first-host mark (!), cluster (@c). */
static struct slice lsf_site_plain(struct slice word, bool *without)
{
	*without = word.length > 0 && word.at[0] == '~';
	if (*without)
		word = slice_from(word, 1);
	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] == '+' || word.at[i] == '!' || word.at[i] == '@' ||
		    word.at[i] == ')' || word.at[i] == '(')
			return (struct slice){ word.at, i };
	}
	return word;
}

/* Words separated by blanks, commas (outside []) and brackets (). */
static bool next_word(struct slice *rest, struct slice *word)
{
	size_t from = 0, to;
	bool inside = false;

	while (from < rest->length && strchr(" \t,()", rest->at[from]))
		from++;
	for (to = from; to < rest->length; to++) {
		inside = rest->at[to] == '[' || (inside && rest->at[to] != ']');
		if (!inside && strchr(" \t,()", rest->at[to]))
			break;
	}
	*word = (struct slice){ rest->at + from, to - from };
	*rest = slice_from(*rest, to);
	return word->length > 0;
}

static bool is_keyword(struct slice word)
{
	return slice_same(word, "all") || slice_same(word, "others") || slice_same(word, "none") ||
	       slice_same(word, "allremote") || slice_same(word, "default") || word.length == 0;
}

static const struct lsf_group *lsf_site_find_group(const struct lsf_site *s, struct slice name)
{
	for (size_t i = 0; i < s->group_count; i++) {
		if (slice_is(name, s->groups[i].name) ||
		    (name.length > 1 && name.at[name.length - 1] == '/' &&
		     slice_is((struct slice){ name.at, name.length - 1 }, s->groups[i].name)))
			return &s->groups[i];
	}
	return NULL;
}

void lsf_site_host_group(struct lsf_site *s, struct slice name, struct slice members,
			 bool partition)
{
	MEM_GROW(s->groups, s->group_capacity, s->group_count + 1);
	s->groups[s->group_count++] = (struct lsf_group){
		mem_strndup(name.at, name.length), mem_strndup(members.at, members.length),
		partition };
}

static bool is_pattern(struct slice word)
{
	return memchr(word.at, '*', word.length) != NULL;
}

/* "h[01-10,15]x": calls EACH for h01x ... A word without valid brackets is passed as it is. */
static void expand_name(struct slice word, void (*each)(void *context, const char *name),
			void *context)
{
	const char *open = memchr(word.at, '[', word.length);
	const char *close = open ? memchr(open, ']', word.length - (size_t)(open - word.at)) : NULL;
	struct slice ranges, range, tail;
	char name[NAME_SIZE];

	if (!close) {
		snprintf(name, sizeof(name), "%.*s", (int)(word.length < 255 ? word.length : 255),
			 word.at);
		each(context, name);
		return;
	}
	ranges = (struct slice){ open + 1, (size_t)(close - open - 1) };
	tail = slice_from(word, (size_t)(close + 1 - word.at));
	while (slice_piece(&ranges, ',', &range)) {
		struct slice first;
		uint32_t low, high;

		if (!slice_piece(&range, '-', &first) || !slice_u32(slice_trim(first), &low))
			continue;
		high = low;
		if (range.length > 0 && !slice_u32(slice_trim(range), &high))
			continue;
		for (uint32_t i = 0; low + (uint64_t)i <= high && i < EXPAND_MAX; i++) {
			snprintf(name, sizeof(name), "%.*s%0*u%.*s",
				 (int)(open - word.at < 100 ? open - word.at : 100), word.at,
				 (int)(first.at[0] == '0' && first.length < 10 ? first.length : 1),
				 (unsigned)(low + i),
				 (int)(tail.length < 100 ? tail.length : 100), tail.at);
			each(context, name);
		}
	}
}

static void add_host(void *context, const char *name)
{
	if (name[0])
		lsf_site_host(context, name, strlen(name));
}

void lsf_site_mention(struct lsf_site *s, struct slice list)
{
	struct slice word;
	bool without;

	list.length = strnlen(list.at, list.length);
	while (next_word(&list, &word)) {
		word = lsf_site_plain(word, &without);
		if (!is_keyword(word) && !lsf_site_find_group(s, word) && !is_pattern(word))
			expand_name(word, add_host, s);
	}
}

struct expansion {
	const struct lsf_site *s;
	bool *set;
	bool value;
};

static void mark_host(void *context, const char *name)
{
	struct expansion *x = context;
	uint32_t host = lsf_site_find_host(x->s, name, strlen(name));

	if (host != ROW_NONE)
		x->set[host] = x->value;
}

static void mark_all(const struct lsf_site *s, bool *set, bool value)
{
	for (size_t i = 0; i < s->host_count; i++)
		set[i] = value;
}

static void mark_list(const struct lsf_site *s, const char *list, bool *set, bool value,
		      unsigned depth);

static void mark_word(const struct lsf_site *s, struct slice word, bool *set, bool value,
		      unsigned depth)
{
	struct expansion x = { s, set, value };
	const struct lsf_group *group = lsf_site_find_group(s, word);
	char pattern[NAME_SIZE];

	if (slice_same(word, "all") || slice_same(word, "others")) {
		mark_all(s, set, value);
	} else if (group && depth < GROUP_DEPTH_MAX) {
		bool *own = mem_zalloc(s->host_count + 1, sizeof(*own));

		mark_list(s, group->members, own, true, depth + 1);
		for (size_t i = 0; i < s->host_count; i++)
			set[i] = own[i] ? value : set[i];
		mem_free(own);
	} else if (is_pattern(word) && word.length < sizeof(pattern)) {
		snprintf(pattern, sizeof(pattern), "%.*s", (int)word.length, word.at);
		for (size_t i = 0; i < s->host_count; i++) {
			if (fnmatch(pattern, s->hosts[i].name, 0) == 0)
				set[i] = value;
		}
	} else if (!is_keyword(word)) {
		expand_name(word, mark_host, &x);
	}
}

/* Marks inclusions first, then removes exclusions, in whatever order they are written. */
static void mark_list(const struct lsf_site *s, const char *list, bool *set, bool value,
		      unsigned depth)
{
	for (int pass = 0; pass < 2; pass++) {
		struct slice rest = slice_of(list), word;
		bool without;

		while (next_word(&rest, &word)) {
			word = lsf_site_plain(word, &without);
			if (without == (pass == 1))
				mark_word(s, word, set, without ? !value : value, depth);
		}
	}
}

bool lsf_site_expand(const struct lsf_site *s, const char *list, bool *set)
{
	struct slice rest = slice_of(list ? list : ""), word;
	bool without, any = false, all = false, others = false;

	while (next_word(&rest, &word)) {
		word = lsf_site_plain(word, &without);
		any = true;
		all |= !without && (slice_same(word, "all") || slice_same(word, "others"));
		others |= without;
	}
	if (!any || (all && !others)) {
		mark_all(s, set, true);
		return false;
	}
	mark_all(s, set, false);
	/* Exclusions alone are taken from all hosts. */
	if (!all) {
		rest = slice_of(list);
		all = true;
		while (next_word(&rest, &word))
			all &= word.at[0] == '~';
		if (all)
			mark_all(s, set, true);
	}
	mark_list(s, list, set, true, 0);
	return true;
}

/* The number behind "+" in a word of a list; 0. */
static uint32_t preference_of(struct slice word)
{
	const char *plus = memchr(word.at, '+', word.length);
	uint32_t n;

	if (!plus)
		return 0;
	word = slice_from(word, (size_t)(plus + 1 - word.at));
	return slice_u32(word, &n) && n < U32_UNKNOWN ? n : 1;
}

static void lsf_site_append_name(char **list, size_t *used, size_t *capacity, struct slice name)
{
	*list = mem_grow(*list, capacity, *used + name.length + 2, 1);
	*used += (size_t)snprintf(*list + *used, name.length + 2, "%s%.*s", *used ? " " : "",
				  SLICE_PRINT(name));
}

char *lsf_site_preferred(const struct lsf_site *s, const char *list)
{
	bool *set = mem_alloc(s->host_count + 1, sizeof(*set)), without, all = false;
	bool *seen = mem_zalloc(s->host_count + 1, sizeof(*seen));
	size_t used = 0, capacity = 0;
	uint32_t level = U32_UNKNOWN, next = U32_UNKNOWN;
	char *names = NULL;

	while (level > 0) {
		struct slice rest = slice_of(list), word;

		level = next;
		next = 0;
		while (next_word(&rest, &word)) {
			uint32_t preference = preference_of(word);
			bool any = false;

			if (preference < level && preference > next)
				next = preference;
			if (preference != level)
				continue;
			mark_all(s, set, false);
			if (word.length > 0 && word.at[0] != '~') {
				word = lsf_site_plain(word, &without);
				all |= slice_same(word, "all") || slice_same(word, "others");
				mark_word(s, word, set, true, 0);
			}
			for (size_t i = 0; i < s->host_count; i++) {
				any |= set[i];
				if (set[i] && !seen[i])
					lsf_site_append_name(&names, &used, &capacity,
							     slice_of(s->hosts[i].name));
				seen[i] |= set[i];
			}
			if (!any)
				lsf_site_append_name(&names, &used, &capacity, word);
		}
	}
	/* Only this list refers to all hosts, and they are unknown. */
	if (all && s->host_count == 0) {
		mem_free(names);
		names = NULL;
	}
	mem_free(seen);
	mem_free(set);
	return names;
}
