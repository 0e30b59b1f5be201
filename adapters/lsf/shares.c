/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The share accounts of fair-share queues as associations, and the one that each job is charged to.
 *
 * /QUEUE is an account; below it are the rows of SHARE_INFO_FOR: accounts if they head a table, are
 * user groups or "others"; else users. A queue without a printed table has its configured shares,
 * and all else of it is unknown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/lsf/site.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/share/lsf_share.h"

#define LIMITS_MAX 64		/* of one user */
#define GROUP_DEPTH_MAX 16
#define CHARGED_MAX 32		/* accounts of one user in a queue */

struct lsf_user_group *lsf_site_user_group(struct lsf_site *s, struct slice name)
{
	for (size_t i = 0; i < s->user_group_count; i++) {
		if (slice_is(name, s->user_groups[i].name))
			return &s->user_groups[i];
	}
	MEM_GROW(s->user_groups, s->user_group_capacity, s->user_group_count + 1);
	s->user_groups[s->user_group_count] =
		(struct lsf_user_group){ .name = mem_strndup(name.at, name.length) };
	return &s->user_groups[s->user_group_count++];
}

static const struct lsf_user_group *shares_find_group(const struct lsf_site *s, struct slice name)
{
	if (name.length > 1 && name.at[name.length - 1] == '/')
		name.length--;
	for (size_t i = 0; i < s->user_group_count; i++) {
		if (slice_is(name, s->user_groups[i].name))
			return &s->user_groups[i];
	}
	return NULL;
}

static bool lsf_site_is_group(const struct lsf_site *s, const char *name)
{
	return shares_find_group(s, slice_of(name)) != NULL;
}

static bool is_member(const struct lsf_site *s, const struct lsf_user_group *g, const char *user,
		      unsigned depth)
{
	struct slice rest = slice_of(g && g->members ? g->members : ""), word;

	while (depth < GROUP_DEPTH_MAX && slice_word(&rest, &word)) {
		const struct lsf_user_group *inner = shares_find_group(s, word);

		if (slice_is(word, user) || slice_is(word, "all") ||
		    (inner && is_member(s, inner, user, depth + 1)))
			return true;
	}
	return false;
}

/* ---- associations -------------------------------------------------------------------------- */

static uint32_t shares_add_row(struct lsf_site *s, uint32_t parent, const char *account,
			       const char *user)
{
	uint32_t row = builder_add(s->b, TABLE_ASSOC);

	builder_u32(s->b, F_ASSOC_ID, row, row + 1);
	if (parent != 0)
		builder_u32(s->b, F_ASSOC_PARENT, row, parent);
	builder_str(s->b, F_ASSOC_ACCOUNT, row, account);
	if (user)
		builder_str(s->b, F_ASSOC_USER, row, user);
	return row;
}

/* The name at the end of "phys/theory/". */
static struct slice last_name(const char *path)
{
	struct slice s = slice_trim(slice_of(path));
	size_t from;

	if (s.length > 0 && s.at[s.length - 1] == '/')
		s.length--;
	for (from = s.length; from > 0 && s.at[from - 1] != '/'; from--)
		;
	return slice_from(s, from);
}

static bool is_account(const struct lsf_site *s, const struct lsf_share *share)
{
	return share->heads || strcmp(share->name, "others") == 0 ||
	       lsf_site_is_group(s, share->name);
}

static void shares_put_u32(struct lsf_site *s, enum field field, uint32_t row, uint32_t value)
{
	if (value != U32_UNKNOWN)
		builder_u32(s->b, field, row, value);
}

static void shares_put_f64(struct lsf_site *s, enum field field, uint32_t row, double value)
{
	if (f64_known(value))
		builder_f64(s->b, field, row, value);
}

static void shares_add_share(struct lsf_site *s, struct lsf_share *share, uint32_t parent)
{
	struct slice above = last_name(share->above);
	char *account = mem_strndup(above.at, above.length);
	bool group = is_account(s, share);
	uint32_t row = shares_add_row(s, parent, group ? share->name : account,
				      group ? NULL : share->name);

	mem_free(account);
	share->id = row + 1;
	shares_put_u32(s, F_ASSOC_SHARES, row, share->shares);
	shares_put_u32(s, F_ASSOC_STARTED, row, share->started);
	shares_put_u32(s, F_ASSOC_RESERVED, row, share->reserved);
	shares_put_f64(s, F_ASSOC_CPU_TIME, row, share->cpu_time);
	shares_put_f64(s, F_ASSOC_RUN_TIME, row, share->run_time);
	shares_put_f64(s, F_ASSOC_ADJUST, row, share->adjust);
	shares_put_f64(s, F_ASSOC_R_DYNAMIC_PRIORITY, row, share->priority);
}

/* Is PATH, "phys/theory/", the path of this share's own table? */
static bool is_path_of(const struct lsf_share *share, const char *path)
{
	size_t above = strlen(share->above), name = strlen(share->name);

	return strlen(path) == above + name + 1 && memcmp(path, share->above, above) == 0 &&
	       memcmp(path + above, share->name, name) == 0;
}

/* A table follows the row that it belongs to; one that does not is left out with a note. */
static void add_table(struct lsf_site *s, size_t i, const char *queue, uint32_t queue_id)
{
	struct lsf_share *share = &s->shares[i];
	size_t length = strlen(queue);
	uint32_t parent = 0;

	if (strncmp(share->above, queue, length) != 0 || share->above[length] != '/')
		return;
	if (share->above[length + 1] == '\0')
		parent = queue_id;
	for (size_t k = 0; k < i && parent == 0; k++) {
		if (s->shares[k].id && is_path_of(&s->shares[k], share->above))
			parent = s->shares[k].id;
	}
	if (parent)
		shares_add_share(s, share, parent);
	else
		builder_note(s->b, share->above,
			     "shares of an account that no row names: left out");
}

/* ---- as configured --------------------------------------------------------------------------- */

/* Does a row of the table of ABOVE name the user, or a group of the user? */
static bool shares_is_named(const struct lsf_site *s, const char *above, const char *user)
{
	for (size_t i = 0; i < s->share_count; i++) {
		const struct lsf_share *share = &s->shares[i];

		if (strcmp(share->above, above) == 0 &&
		    (strcmp(share->name, user) == 0 ||
		     is_member(s, shares_find_group(s, slice_of(share->name)), user, 0)))
			return true;
	}
	return false;
}

static void add_configured(struct lsf_site *s, const char *above, const char *list, unsigned depth);
static void add_members(struct lsf_site *s, const char *above, const struct lsf_user_group *g,
			uint32_t shares, unsigned depth);

static void add_one(struct lsf_site *s, const char *above, struct slice name, uint32_t shares,
		    unsigned depth)
{
	const struct lsf_user_group *g;
	struct lsf_share *share;
	char *path;

	if (name.length > 1 && name.at[name.length - 1] == '@') {
		name.length--;
		add_members(s, above, shares_find_group(s, name), shares, depth);
		return;
	}
	MEM_GROW(s->shares, s->share_capacity, s->share_count + 1);
	share = &s->shares[s->share_count++];
	*share = (struct lsf_share){ .above = mem_strdup(above),
				     .name = mem_strndup(name.at, name.length), .shares = shares,
				     .started = U32_UNKNOWN, .reserved = U32_UNKNOWN,
				     .priority = F64_UNKNOWN, .cpu_time = F64_UNKNOWN,
				     .run_time = F64_UNKNOWN, .adjust = F64_UNKNOWN };
	g = shares_find_group(s, name);
	if (!g || !g->shares || depth == GROUP_DEPTH_MAX)
		return;
	share->heads = true;
	path = mem_format("%s%.*s/", above, (int)name.length, name.at);
	add_configured(s, path, g->shares, depth + 1);
	mem_free(path);
}

/* Adds with SHARES each user of a group, and of groups inside, who has no row yet. */
static void add_members(struct lsf_site *s, const char *above, const struct lsf_user_group *g,
			uint32_t shares, unsigned depth)
{
	struct slice rest = slice_of(g && g->members ? g->members : ""), word;

	while (depth < GROUP_DEPTH_MAX && slice_word(&rest, &word)) {
		const struct lsf_user_group *inner = shares_find_group(s, word);
		char *name = mem_strndup(word.at, word.length);

		if (inner)
			add_members(s, above, inner, shares, depth + 1);
		else if (!shares_is_named(s, above, name))
			add_one(s, above, word, shares, depth + 1);
		mem_free(name);
	}
}

/* Has the user a row of its own in the tree of ABOVE, which is a queue? */
static bool has_row(const struct lsf_site *s, const char *above, const char *user)
{
	for (size_t i = 0; i < s->share_count; i++) {
		if (strncmp(s->shares[i].above, above, strlen(above)) == 0 &&
		    strcmp(s->shares[i].name, user) == 0)
			return true;
	}
	return false;
}

/*
 * "default" of a queue means users with jobs in it; of a group its other members. In volclava these
 * are users without a row of their own, even members of a group in it (updAliveUserInFSTree()).
 */
static void add_default(struct lsf_site *s, const char *above, uint32_t shares, unsigned depth)
{
	struct slice queue = slice_of(above);

	queue.length = strcspn(above, "/");
	if (above[queue.length + 1] != '\0') {
		add_members(s, above, shares_find_group(s, last_name(above)), shares, depth);
		return;
	}
	for (uint32_t row = 0; row < builder_rows(s->b, TABLE_JOB); row++) {
		const char *user = builder_get_text(s->b, F_JOB_USER, row);
		const char *its = builder_get_text(s->b, F_JOB_PARTITION, row);

		if (user && its && slice_is(queue, its) &&
		    !(lsf_site_is_volclava(s) ? has_row : shares_is_named)(s, above, user))
			add_one(s, above, slice_of(user), shares, depth);
	}
}

/* Adds "[[theory, 30] [exper, 20]]": pairs of a name, or names, and a number. */
static void add_configured(struct lsf_site *s, const char *above, const char *list, unsigned depth)
{
	uint32_t rest = U32_UNKNOWN;

	while ((list = strchr(list, '['))) {
		const char *from = list + strspn(list, "[ \t"), *comma = strchr(from, ',');
		const char *end = strchr(from, ']');
		struct slice names;
		uint32_t shares;

		if (!comma || !end || end < comma)
			break;
		names = (struct slice){ from, (size_t)(comma - from) };
		list = end;
		if (slice_u32(slice_trim((struct slice){ comma + 1,
							 (size_t)(end - comma - 1) }), &shares)) {
			struct slice word;

			while (slice_word(&names, &word)) {
				if (slice_same(word, "default"))
					rest = shares;
				else
					add_one(s, above, word, shares, depth);
			}
		}
	}
	if (rest != U32_UNKNOWN)
		add_default(s, above, rest, depth);
}

static bool has_table(const struct lsf_site *s, const char *queue)
{
	size_t length = strlen(queue);

	for (size_t i = 0; i < s->share_count; i++) {
		if (strncmp(s->shares[i].above, queue, length) == 0 &&
		    s->shares[i].above[length] == '/')
			return true;
	}
	return false;
}

/* Adds the account NAME, a queue's or a partition's, below the root; first adds the root. */
static void add_tree(struct lsf_site *s, const char *name, uint32_t *root)
{
	uint32_t id;

	if (*root == 0)
		*root = shares_add_row(s, 0, "root", NULL) + 1;
	id = shares_add_row(s, *root, name, NULL) + 1;
	for (size_t k = 0; k < s->share_count; k++)
		add_table(s, k, name, id);
}

/* Host partitions (bhpart): only their accounts are modelled. */
static void add_host_partitions(struct lsf_site *s, uint32_t *root)
{
	for (size_t i = 0; i < s->group_count; i++) {
		const char *name = s->groups[i].name;

		if (!s->groups[i].partition || !s->texts->kind[LSF_BHPART].text ||
		    !has_table(s, name))
			continue;
		builder_note(s->b, name, "a host partition: jobs are neither charged to its "
			     "accounts nor ordered by them here");
		add_tree(s, name, root);
	}
}

void lsf_add_shares(struct lsf_site *s)
{
	uint32_t root = 0;

	for (size_t i = 0; i < s->queue_count; i++) {
		const char *queue = s->queues[i].name,
			   *policy = lsf_param(&s->queues[i], "FAIRSHARE");
		const char *shares = policy ? strstr(policy, "USER_SHARES") : NULL;
		char above[256];

		if (!shares && !has_table(s, queue))
			continue;
		snprintf(above, sizeof(above), "%.250s/", queue);
		if (shares && !has_table(s, queue)) {
			add_configured(s, above, shares, 0);
			if (!s->texts->past)
				builder_note(s->b, queue,
					     "no SHARE_INFO_FOR for it (bqueues -r): only its "
					     "configured shares are known");
		}
		add_tree(s, queue, &root);
	}
	add_host_partitions(s, &root);
}

/* ---- charged accounts ---------------------------------------------------------------------- */

/* "/phys/theory/u1", as printed by bjobs -l. */
static const struct lsf_share *by_path(const struct lsf_site *s, const char *path)
{
	path += *path == '/';
	for (size_t i = 0; i < s->share_count; i++) {
		const struct lsf_share *share = &s->shares[i];
		size_t above = strlen(share->above);

		if (share->id && strncmp(path, share->above, above) == 0 &&
		    strcmp(path + above, share->name) == 0)
			return share;
	}
	return NULL;
}

static bool groups_known(const struct lsf_site *s)
{
	return s->texts->kind[LSF_USERS].text || s->texts->kind[LSF_BUGROUP_W].text;
}

/*
 * Is the user in FAIRSHARE of a queue only as a member of a "group@"? volclava 2.2 ignores that
 * word when it looks for the users of "others" (mbd.fairshare.c, addOutsideUsrsForOthers()): the
 * members have rows, and are in "others" as well.
 */
static bool is_each_only(const struct lsf_site *s, const char *list, const char *user)
{
	bool each = false;

	while ((list = strchr(list, '['))) {
		const char *from = list + strspn(list, "[ \t");
		struct slice names = { from, strcspn(from, ",]") }, word;

		while (slice_word(&names, &word)) {
			if (slice_is(word, user) ||
			    is_member(s, shares_find_group(s, word), user, 0))
				return false;
			if (word.at[word.length - 1] == '@')
				word.length--;
			each |= is_member(s, shares_find_group(s, word), user, 0);
		}
		list = from;
	}
	return each;
}

/* Is the user in the "others" of a table? Below an account these are its members. */
static bool is_other(const struct lsf_site *s, const char *above, const char *user)
{
	size_t length = strcspn(above, "/");
	bool inside = above[length + 1] != '\0';

	for (size_t i = 0; i < s->queue_count && !inside && lsf_site_is_volclava(s); i++) {
		const char *list = lsf_param(&s->queues[i], "FAIRSHARE");

		if (list && slice_is((struct slice){ above, length }, s->queues[i].name) &&
		    is_each_only(s, list, user))
			return true;
	}
	return !shares_is_named(s, above, user) &&
	       (!inside || is_member(s, shares_find_group(s, last_name(above)), user, 0));
}

/*
 * The accounts a user in a queue may be charged to; COUNT may exceed the list, which is then cut.
 */
struct charged_accounts {
	const struct lsf_share *list[CHARGED_MAX];
	uint32_t count;
};

/*
 * Finds those below ABOVE: rows of the user, "others" that include the user, groups without rows
 * inside. Returns the one at the end of a walk by dynamic priority, NULL if there is none.
 */
static const struct lsf_share *find_charged(const struct lsf_site *s, const char *above,
					    const char *user, unsigned depth,
					    struct charged_accounts *out)
{
	const struct lsf_share *best = NULL;
	double most = F64_UNKNOWN;

	for (size_t i = 0; i < s->share_count && depth < GROUP_DEPTH_MAX; i++) {
		const struct lsf_share *share = &s->shares[i], *found = NULL;
		bool group, pays;

		if (!share->id || strcmp(share->above, above) != 0)
			continue;
		group = is_account(s, share);
		if (share->heads) {
			char *path = mem_format("%s%s/", above, share->name);

			found = find_charged(s, path, user, depth + 1, out);
			mem_free(path);
		} else {
			pays = !group ? strcmp(share->name, user) == 0 :
			       !groups_known(s) ? false :
			       strcmp(share->name, "others") == 0 ? is_other(s, above, user) :
			       is_member(s, shares_find_group(s, slice_of(share->name)), user, 0);
			found = pays ? share : NULL;
			if (found && out->count++ < CHARGED_MAX)
				out->list[out->count - 1] = found;
		}
		if (found && (!best || share->priority > most ||
			      (!f64_known(most) && f64_known(share->priority)))) {
			best = found;
			most = share->priority;
		}
	}
	return best;
}

static void shares_charge(struct lsf_site *s, uint32_t row, const char *queue,
			  const struct lsf_share *share, const struct charged_accounts *charged_to)
{
	char ids[CHARGED_MAX][12];
	const char *list[CHARGED_MAX];
	struct slice above;

	if (charged_to && charged_to->count > CHARGED_MAX)
		return;
	if (!share) {
		if (groups_known(s) && has_table(s, queue))
			builder_str(s->b, F_JOB_ACCOUNT, row, LSF_NO_SHARES);
		return;
	}
	builder_u32(s->b, F_JOB_ASSOC, row, share->id);
	above = is_account(s, share) ? slice_of(share->name) : last_name(share->above);
	builder_text(s->b, F_JOB_ACCOUNT, row, above.at, above.length);
	for (uint32_t i = 0; charged_to && i < charged_to->count; i++) {
		snprintf(ids[i], sizeof(ids[i]), "%u", (unsigned)charged_to->list[i]->id);
		list[i] = ids[i];
	}
	if (charged_to && charged_to->count > 1)
		builder_list(s->b, F_JOB_CHARGED, row, list, charged_to->count);
}

void lsf_charge_jobs(struct lsf_site *s)
{
	uint32_t n = builder_rows(s->b, TABLE_JOB);
	struct text *seen = text_new();
	struct shares_found {
		const struct lsf_share *share;
		struct charged_accounts charged_to;
	} *found = NULL;
	size_t capacity = 0, filled = 0;

	for (uint32_t row = 0; row < n && s->share_count > 0; row++) {
		const char *user = builder_get_text(s->b, F_JOB_USER, row);
		const char *queue = builder_get_text(s->b, F_JOB_PARTITION, row);
		char key[600], above[256];
		uint32_t handle;

		if (!user || !queue)
			continue;
		if (row < s->charged_count && s->charged[row] && by_path(s, s->charged[row])) {
			shares_charge(s, row, queue, by_path(s, s->charged[row]), NULL);
			continue;
		}
		/* Many jobs, few users: searches once per user and queue. */
		snprintf(key, sizeof(key), "%.250s/%.250s", queue, user);
		snprintf(above, sizeof(above), "%.250s/", queue);
		handle = text_intern(seen, key, strlen(key));
		MEM_GROW(found, capacity, (size_t)handle + 1);
		while (filled <= handle)
			found[filled++] = (struct shares_found){ .charged_to = { .count = 0 } };
		if (!found[handle].share) {
			found[handle].share = find_charged(s, above, user, 0,
							   &found[handle].charged_to);
			if (found[handle].charged_to.count > CHARGED_MAX)
				builder_note(s->b, queue, "more than %d accounts may pay for "
					     "%.60s: who pays is unknown", CHARGED_MAX, user);
		}
		shares_charge(s, row, queue, found[handle].share, &found[handle].charged_to);
	}
	mem_free(found);
	text_free(seen);
}

/* ---- MAX_JOBS and JL/P ----------------------------------------------------------------------- */

void lsf_site_limit_user(struct lsf_site *s, struct slice name, uint32_t most, double per_cpu)
{
	MEM_GROW(s->user_limits, s->user_limit_capacity, s->user_limit_count + 1);
	s->user_limits[s->user_limit_count++] =
		(struct lsf_user_limit){ mem_strndup(name.at, name.length), most, per_cpu };
}

/* The sum of PER_CPU over all hosts, rounded up on each; NaN unless the CPUs of all are known. */
static double on_all_cpus(const struct lsf_site *s, double per_cpu)
{
	double sum = s->host_count > 0 ? 0 : F64_UNKNOWN;

	for (size_t i = 0; i < s->host_count; i++) {
		const struct lsf_host *h = &s->hosts[i];
		bool by_slots = h->slots != U32_UNKNOWN && lsf_site_is_volclava(s);
		uint32_t cpus = by_slots ? h->slots : h->cpus;

		sum += cpus == U32_UNKNOWN ? F64_UNKNOWN : ceil(per_cpu * cpus);
	}
	return sum;
}

static uint32_t most_slots(const struct lsf_site *s, const struct lsf_user_limit *limit)
{
	double sum = on_all_cpus(s, limit->per_cpu);

	return sum >= 0 && sum < limit->most ? (uint32_t)sum : limit->most;
}

/* Does LIMIT apply to USER, by name, group or group@? *EACH: to this user alone. */
static bool is_bound(const struct lsf_site *s, const struct lsf_user_limit *limit,
		     const char *user, bool *each)
{
	struct slice name = slice_of(limit->name);

	*each = name.length > 1 && name.at[name.length - 1] == '@';
	name.length -= *each;
	if (shares_find_group(s, name))
		return is_member(s, shares_find_group(s, name), user, 0);
	*each = true;
	return slice_is(name, user);
}

/* Has the group a limit, or "group@" a row? */
static bool is_limited(const struct lsf_site *s, const char *group)
{
	size_t length = strlen(group);

	for (size_t i = 0; i < s->user_limit_count; i++) {
		const struct lsf_user_limit *limit = &s->user_limits[i];

		if (strncmp(limit->name, group, length) == 0 &&
		    (strcmp(limit->name + length, "@") == 0 ||
		     (!limit->name[length] && most_slots(s, limit) != U32_UNKNOWN)))
			return true;
	}
	return false;
}

/* "default" applies to each user and each group without a row; members of a group share it. */
static uint32_t add_groups(const struct lsf_site *s, const char *user, uint32_t most,
			   char (*texts)[300], const char **list, uint32_t n)
{
	for (size_t i = 0; i < s->user_group_count && n < LIMITS_MAX - 1; i++) {
		const struct lsf_user_group *g = &s->user_groups[i];

		if (is_limited(s, g->name) || !is_member(s, g, user, 0))
			continue;
		snprintf(texts[n], sizeof(texts[n]), "%.250s=%u", g->name, (unsigned)most);
		list[n] = texts[n];
		n++;
	}
	return n;
}

static void add_user(struct lsf_site *s, const char *user)
{
	char texts[LIMITS_MAX][300];
	const char *list[LIMITS_MAX];
	uint32_t row = builder_add(s->b, TABLE_USER), n = 0, k, general = U32_UNKNOWN;
	bool own = false, each;

	builder_str(s->b, F_USER_NAME, row, user);
	for (size_t i = 0; i < s->user_limit_count && n < LIMITS_MAX - 1; i++) {
		const struct lsf_user_limit *limit = &s->user_limits[i];
		bool bound = is_bound(s, limit, user, &each);
		bool is_default = strcmp(limit->name, "default") == 0;
		uint32_t most = bound || is_default ? most_slots(s, limit) : U32_UNKNOWN;

		if (is_default)
			general = most;
		if (!bound)
			continue;
		own |= each;
		if (most == U32_UNKNOWN)
			continue;
		snprintf(texts[n], sizeof(texts[n]), "%.250s=%u", each ? user : limit->name,
			 (unsigned)most);
		list[n] = texts[n];
		for (k = 0; k < n && strcmp(texts[k], texts[n]) != 0;)
			k++;
		n += k == n;	/* equal limits by name and by each member of a group are one */
	}
	if (general != U32_UNKNOWN && !s->default_spares_groups)
		n = add_groups(s, user, general, texts, list, n);
	if (!own && general != U32_UNKNOWN) {
		snprintf(texts[n], sizeof(texts[n]), "%.250s=%u", user, (unsigned)general);
		list[n] = texts[n];
		n++;
	}
	if (n > 0)
		builder_list(s->b, F_USER_LIMITS, row, list, n);
}

void lsf_add_users(struct lsf_site *s)
{
	uint32_t jobs = builder_rows(s->b, TABLE_JOB), unknown = 0;
	struct text *seen = text_new();

	for (size_t i = 0; i < s->user_limit_count; i++)
		unknown += f64_known(s->user_limits[i].per_cpu) && !f64_known(on_all_cpus(s, 1));
	if (unknown > 0)
		builder_note(s->b, "users", "JL/P of %u of them is not applied: the CPUs of some "
			     "hosts are unknown (lshosts -w)", (unsigned)unknown);
	for (uint32_t row = 0; row < jobs && s->user_limit_count > 0; row++) {
		const char *user = builder_get_text(s->b, F_JOB_USER, row);

		if (!user || text_find(seen, user, strlen(user)))
			continue;
		text_intern(seen, user, strlen(user));
		add_user(s, user);
	}
	text_free(seen);
}
