/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_priv/sched_config and sched_priv/holidays, as pbs_sched reads them.
 *
 * A line is a name, a value and perhaps a word that says when it holds, separated by blanks or in
 * quotes; a colon separates like a blank; case matters. Some settings have one value for prime time
 * and one for all other time. Sources: parse_config() and scan() of parse.cpp, is_prime_time() and
 * parse_holidays() of prime.cpp of OpenPBS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"
#include "core/base/word.h"

#define VALUE_MAX 4096

/* ---- lines --------------------------------------------------------------------------------- */

struct config_line {
	struct slice name, value;
	bool holds[2];			/* in prime time, in all other time */
};

/* A line that ends in a backslash continues in the next. */
static void config_join(struct pbs_text *t)
{
	size_t used = 0;

	for (size_t i = 0; i < t->length;) {
		size_t end = i + 1;

		while (t->text[i] == '\\' && end < t->length && word_is_blank(t->text[end]) &&
		       t->text[end - 1] != '\n')
			end++;
		if (end > i + 1 && t->text[end - 1] == '\n')
			i = end;
		else
			t->text[used++] = t->text[i++];
	}
	t->length = used;
	t->text[used] = '\0';
}

static bool config_word(struct slice *rest, char target, struct slice *word)
{
	size_t n = 0;
	char quote;

	while (n < rest->length && (word_is_blank(rest->at[n]) || rest->at[n] == target))
		n++;
	*rest = slice_from(*rest, n);
	if (rest->length == 0)
		return false;
	quote = rest->at[0];
	n = 0;
	if (quote == '"' || quote == '\'') {
		*rest = slice_from(*rest, 1);
		while (n < rest->length && rest->at[n] != quote)
			n++;
	} else {
		while (n < rest->length && !word_is_blank(rest->at[n]) && rest->at[n] != target)
			n++;
	}
	*word = (struct slice){ rest->at, n };
	*rest = slice_from(*rest, n + 1);
	return true;
}

static bool pbs_config_is_comment(struct slice line)
{
	line = slice_trim(line);
	return line.length == 0 || line.at[0] == '#' || line.at[0] == '*';
}

/* Any other word is an error for pbs_sched, which then uses the line for all time. */
static void config_when(struct config_line *l, struct slice word)
{
	bool none = slice_is(word, "none") || slice_is(word, "NONE");

	l->holds[0] = !none && !slice_is(word, "non_prime") && !slice_is(word, "NON_PRIME");
	l->holds[1] = !none && !slice_is(word, "prime") && !slice_is(word, "PRIME");
}

/* The next line that pbs_sched accepts; false at the end. */
static bool config_next(struct slice *rest, struct config_line *l)
{
	struct slice line, when = { "", 0 };

	while (slice_line(rest, &line)) {
		if (pbs_config_is_comment(line) || !config_word(&line, ':', &l->name) ||
		    !config_word(&line, ' ', &l->value))
			continue;
		(void)config_word(&line, ' ', &when);
		config_when(l, when);
		return true;
	}
	return false;
}

/* ---- what holds at all times --------------------------------------------------------------- */

/* "true" and "false" in any case, or a leading number; all else is -1, which is true. */
static long config_number(struct slice value)
{
	if (slice_same(value, "true") || slice_same(value, "false"))
		return slice_same(value, "true");
	return value.length > 0 && word_is_digit(value.at[0]) ? strtol(value.at, NULL, 10) : -1;
}

static const char *config_bool(struct pbs_reader *r, const struct config_line *l)
{
	long number = config_number(l->value);

	if (number < 0)
		builder_note(r->b, "policy", "%s: %.*s: %.*s is neither True nor False, and counts "
			     "as True", r->text->name, SLICE_PRINT(l->name), SLICE_PRINT(l->value));
	return number ? "True" : "False";
}

/* A value from qmgr wins: versions that keep it in sched_config do not report it there. */
static bool is_qmgrs(const struct policy *policy, size_t i)
{
	const char *object = policy_qmgr_object(i);

	return object && (policy_is_known(policy, i) || strcmp(object, "server") == 0);
}

static void config_put(struct pbs_reader *r, const struct config_line *l)
{
	bool half_life = slice_is(l->name, "half_life");
	struct slice name = half_life ? slice_of("fairshare_decay_time") : l->name;
	size_t i = policy_param_by_name(name.at, name.length);
	char text[VALUE_MAX];

	if (i == policy_params_count || policy_params[i].scheduler != POLICY_OF_PBS ||
	    !slice_is(name, policy_params[i].name) || is_qmgrs(builder_policy(r->b), i))
		return;
	if (half_life)
		builder_note(r->b, "policy", "%s: half_life is obsolete, but still sets "
			     "fairshare_decay_time", r->text->name);
	if (policy_params[i].type == POLICY_BOOL)
		snprintf(text, sizeof(text), "%s", config_bool(r, l));
	else if (policy_params[i].type == POLICY_U32)
		snprintf(text, sizeof(text), "%ld", config_number(l->value));
	else if (snprintf(text, sizeof(text), "%.*s", (int)l->value.length, l->value.at) >=
		 VALUE_MAX)
		builder_note(r->b, "policy", "%s: %s is too long and was cut", r->text->name,
			     policy_params[i].name);
	pbs_put_policy(r, policy_params[i].name, text);
}

/* ---- what may differ by the time ----------------------------------------------------------- */

enum config_kind { CONFIG_BOOL, CONFIG_KEYS, CONFIG_WORD };

/* The defaults of config::config(). In CONFIG_KEYS each line is a further key. */
static const struct config_pair {
	const char *name, *initial;
	enum config_kind kind;
} config_pairs[] = {
	{ "by_queue", "False", CONFIG_BOOL }, { "round_robin", "False", CONFIG_BOOL },
	{ "strict_ordering", "False", CONFIG_BOOL }, { "backfill", "True", CONFIG_BOOL },
	{ "strict_fifo", "False", CONFIG_BOOL }, { "fair_share", "False", CONFIG_BOOL },
	{ "preemptive_sched", "False", CONFIG_BOOL }, { "job_sort_key", "", CONFIG_KEYS },
	{ "node_sort_key", "", CONFIG_KEYS }, { "resources", "", CONFIG_KEYS },
	{ "smp_cluster_dist", "pack", CONFIG_WORD },
	{ "resource_unset_infinite", "", CONFIG_KEYS },
};
#define PAIRS (sizeof(config_pairs) / sizeof(config_pairs[0]))

static size_t config_pair_of(struct slice name)
{
	size_t i = 0;

	while (i < PAIRS && !slice_is(name, config_pairs[i].name))
		i++;
	return i;
}

/* The values of each setting, in prime time and in all other time. */
struct config_values {
	char value[PAIRS][2][VALUE_MAX];
};

static void values_put(char *value, enum config_kind kind, struct slice text)
{
	size_t used = kind == CONFIG_KEYS ? strlen(value) : 0;

	if (text.length > 0)
		(void)snprintf(value + used, VALUE_MAX - used, "%s%.*s", used ? ", " : "",
			       (int)text.length, text.at);
}

static void values_add(struct pbs_reader *r, struct config_values *v, struct config_line l)
{
	size_t i;

	if (slice_is(l.name, "sort_nodes")) {
		l.name = slice_of("node_sort_key");
		l.value = slice_of("sort_priority HIGH");
	}
	i = config_pair_of(l.name);
	if (i == PAIRS)
		return;
	if (config_pairs[i].kind == CONFIG_BOOL)
		l.value = slice_of(config_bool(r, &l));
	if (slice_is(l.name, "resources") || slice_is(l.name, "resource_unset_infinite"))
		l.holds[0] = l.holds[1] = true;
	for (int k = 0; k < 2; k++) {
		if (l.holds[k])
			values_put(v->value[i][k], config_pairs[i].kind, l.value);
	}
}

static void note_strict_fifo(struct pbs_reader *r, const struct config_values *v)
{
	size_t fifo = config_pair_of(slice_of("strict_fifo"));

	if (strcmp(v->value[fifo][0], "True") == 0 || strcmp(v->value[fifo][1], "True") == 0)
		builder_note(r->b, "policy", "%s: strict_fifo is obsolete, but still works as "
			     "strict_ordering without backfill in each queue", r->text->name);
}

static struct config_values *values_read(struct pbs_reader *r)
{
	struct config_values *v = mem_alloc(1, sizeof(*v));
	struct slice rest = { r->text->text, r->text->length };
	struct config_line l;

	for (size_t i = 0; i < PAIRS; i++) {
		for (int k = 0; k < 2; k++)
			snprintf(v->value[i][k], VALUE_MAX, "%s", config_pairs[i].initial);
	}
	while (config_next(&rest, &l))
		values_add(r, v, l);
	note_strict_fifo(r, v);
	return v;
}

bool pbs_read_config(struct pbs_reader *r)
{
	struct slice rest;
	struct config_line l;

	config_join(r->text);
	rest = (struct slice){ r->text->text, r->text->length };
	while (config_next(&rest, &l)) {
		if (config_pair_of(l.name) == PAIRS)
			config_put(r, &l);
	}
	return true;
}

/* ---- prime time ---------------------------------------------------------------------------- */

enum { PRIME, OTHER };

/* When prime and other time begin on a day, as HHMM; -1 with ALL or NONE. */
struct prime_day {
	int64_t at[2];
	bool all[2], none[2];
};

/* False: WORD is not a time, and the rest of the line is ignored. */
static bool day_put(struct prime_day *d, int k, struct slice word)
{
	if (slice_is(word, "all") || slice_is(word, "ALL")) {
		if (k == OTHER && d->all[PRIME])
			return true;
	} else if (slice_is(word, "none") || slice_is(word, "NONE")) {
		if (k == OTHER && d->none[PRIME]) {
			k = PRIME;
			word = slice_of("all");
		}
	} else {
		return slice_i64(word, &d->at[k]);
	}
	d->all[k] = word.at[0] == 'a' || word.at[0] == 'A';
	d->none[k] = !d->all[k];
	d->at[k] = -1;
	return true;
}

static bool day_is_prime(const struct prime_day *d, int now)
{
	const int64_t *at = d->at;

	if (d->all[PRIME] || d->all[OTHER])
		return d->all[PRIME];
	if (d->none[PRIME] || d->none[OTHER])
		return !d->none[PRIME];
	/* A day without times has prime time only. */
	if (at[PRIME] == 0 && at[OTHER] == 0)
		return true;
	if (at[OTHER] > at[PRIME])
		return at[PRIME] <= now && now < at[OTHER];
	return at[OTHER] < at[PRIME] && !(at[OTHER] <= now && now < at[PRIME]);
}

/* "weekday 0600 1730", "sunday none all". */
static void holidays_day(struct prime_day *days, struct slice name, struct slice line)
{
	static const char *const names[] = { "sunday", "monday", "tuesday", "wednesday",
					     "thursday", "friday", "saturday" };
	struct slice first, second;

	if (!config_word(&line, ' ', &first) || !config_word(&line, ' ', &second))
		return;
	for (size_t i = 0; i < 7; i++) {
		if (!slice_is(name, names[i]) && !(slice_is(name, "weekday") && i > 0 && i < 6))
			continue;
		if (day_put(&days[i], PRIME, first))
			(void)day_put(&days[i], OTHER, second);
	}
}

/* Without a year all time is prime time. */
static int holidays_which(const struct pbs_text *t, const struct tm *tm)
{
	struct slice rest = { t->text, t->length }, line, name, year;
	struct prime_day days[7] = { { { 0 }, { 0 }, { 0 } } };
	bool reported = false, holiday = false;

	while (slice_line(&rest, &line)) {
		if (pbs_config_is_comment(line) || !config_word(&line, ' ', &name))
			continue;
		if (slice_is(name, "YEAR"))
			reported = config_word(&line, ' ', &year) && config_number(year) > 0;
		else if (word_is_digit(name.at[0]))
			holiday |= config_number(name) == tm->tm_yday + 1;
		else
			holidays_day(days, name, line);
	}
	if (!reported)
		return PRIME;
	return !holiday && day_is_prime(&days[tm->tm_wday], tm->tm_hour * 100 + tm->tm_min) ?
	       PRIME : OTHER;
}

/* PRIME or OTHER; -1 unknown. */
static int prime_now(const struct pbs_reader *r)
{
	const struct pbs_text *t = &r->texts->kind[PBS_HOLIDAYS];
	int64_t now = r->time != I64_UNKNOWN ? r->time : r->texts->time;
	time_t at = (time_t)(now + (r->offset_known ? r->offset : 0));
	struct tm tm;

	if (!t->text || now == I64_UNKNOWN ||
	    !(r->offset_known ? gmtime_r(&at, &tm) : localtime_r(&at, &tm)))
		return -1;
	return holidays_which(t, &tm);
}

static void pbs_config_put_pair(struct pbs_reader *r, size_t i, char value[2][VALUE_MAX], int now)
{
	const char *name = config_pairs[i].name;
	bool differ = strcmp(value[PRIME], value[OTHER]) != 0;
	size_t param = policy_param(name);

	if (differ)
		builder_note(r->b, "policy", "%s is \"%.60s\" in prime time and \"%.60s\" at all "
			     "other times: %s", name, value[PRIME], value[OTHER],
			     now == PRIME ? "the first applies now" :
			     now == OTHER ? "the second applies now" :
			     "which applies is unknown (expected sched_priv/holidays)");
	if (param == policy_params_count)
		return;
	if (differ && now < 0)
		policy_forget(builder_policy(r->b), param);
	else
		pbs_put_policy(r, name, value[differ ? now : PRIME]);
}

/* If it is unknown which value holds: notes the one that is not used. */
static void note_distribution(struct pbs_reader *r, char value[2][VALUE_MAX], int now)
{
	const char *word = value[now >= 0 ? now : strcmp(value[PRIME], "pack") == 0];

	if (strcmp(word, "pack") != 0)
		builder_note(r->b, "cycle", "smp_cluster_dist is %.60s: it is not followed, vnodes "
			     "are filled one after another", word);
}

static void pbs_config_note_time(struct pbs_reader *r, const char *param, const char *prefix,
				 const char *time)
{
	bool known = policy_is_known(builder_policy(r->b), policy_param(param));

	for (uint32_t q = 0; known && *prefix && q < builder_rows(r->b, TABLE_QUEUE); q++) {
		const char *name = builder_get_text(r->b, F_QUEUE_NAME, q);

		if (name && strncmp(name, prefix, strlen(prefix)) == 0)
			builder_note(r->b, "cycle", "queue %.100s runs jobs in %s time only: it is "
				     "not followed, they are tried at any time", name, time);
	}
}

/*
 * Notes queues whose names limit when they run jobs, if that may be another time. Without holidays
 * it is prime time. Source: is_ok_to_run_queue() of check.cpp, is_prime_time() of prime.cpp.
 */
static void note_times(struct pbs_reader *r, int now)
{
	const struct policy *policy = builder_policy(r->b);

	pbs_config_note_time(r, "dedicated_prefix", policy->dedicated_prefix, "dedicated");
	if (now == OTHER)
		pbs_config_note_time(r, "primetime_prefix", policy->primetime_prefix, "prime");
	else
		pbs_config_note_time(r, "nonprimetime_prefix", policy->nonprimetime_prefix,
				     "non-prime");
}

/* Source: query_server_dyn_res() of server_info.cpp. */
static void note_programs(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length };
	struct config_line l;

	while (config_next(&rest, &l)) {
		if (slice_is(l.name, "server_dyn_res"))
			builder_note(r->b, "cycle", "server_dyn_res: its output is unknown and not "
				     "followed: %.*s", SLICE_PRINT(l.value));
	}
}

void pbs_finish_config(struct pbs_reader *r)
{
	struct config_values *v;
	int now = prime_now(r);

	r->text = &r->texts->kind[PBS_CONFIG];
	if (!r->text->text)
		return;
	v = values_read(r);
	for (size_t i = 0; i < PAIRS; i++)
		pbs_config_put_pair(r, i, v->value[i], now);
	note_distribution(r, v->value[config_pair_of(slice_of("smp_cluster_dist"))], now);
	note_times(r, now);
	note_programs(r);
	mem_free(v);
}
