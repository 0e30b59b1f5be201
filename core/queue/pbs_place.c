/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_asked.h"
#include "core/queue/pbs_limits.h"
#include "core/queue/pbs_capacity.h"
#include "core/queue/pbs_sets.h"

#define WORDS 96			/* bytes of a reason */

static const char no_total_nodes[] = "Not enough total nodes available";
static const char no_free_nodes[] = "Not enough free nodes available";
static const char no_resources[] = "No available resources on nodes";
static const char conflict[] = "Job would conflict with reservation or top job";
static const char cannot_span[] =
	"Can't fit in the largest placement set, and can't span placement sets";
static const char not_exclusive[] = "Job is requesting an exclusive node and node is in use";

struct pbs_place {
	const struct cluster *c;
	const char *checked;
	struct pbs_limits *limits, *supply;	/* or NULL: there are none */
	struct pbs_vnodes v;
	struct pbs_capacity room;
	struct pbs_sets *sets;		/* or NULL: jobs may span them */
	bool *open_at_first;		/* before the cycle */
	bool *open_then;		/* at a plan's time: jobs ending by then are gone */
	uint32_t *queues;		/* text of each job's queue, if it has vnodes; else 0 */
	char (**reasons)[WORDS];	/* "Insufficient amount of resource: ..." texts so far */
	size_t reason_count, reason_capacity;
	/* The try; other numbers belong to older tries: */
	const bool *open;
	bool plan;
	uint32_t *scattered;		/* per vnode */
	uint32_t *visited, visit;	/* per vnode: number of the last search that visited it */
	bool *shut;			/* per vnode: closed to the job */
};

/* Vnodes of a host, or all, in their order. */
struct place_span {
	const uint32_t *order;		/* all vnodes; NULL: those of HOST */
	uint32_t count, host;
};

static uint32_t span_next(const struct pbs_place *p, const struct place_span *s, uint32_t *at)
{
	uint32_t n;

	if (s->order)
		return *at < s->count ? s->order[(*at)++] : ROW_NONE;
	n = *at == 0 ? p->v.first[s->host] : p->v.next[*at - 1];
	*at = n == ROW_NONE ? *at : n + 1;
	return n;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *place_missing_of(struct pbs_place *p, const struct pbs_item *item)
{
	char text[WORDS];
	size_t i = 0;

	(void)snprintf(text, sizeof(text), "Insufficient amount of resource: %.*s",
		       item->name_length < 60 ? (int)item->name_length : 60, item->name);
	while (i < p->reason_count && strcmp(*p->reasons[i], text) != 0)
		i++;
	if (i == p->reason_count) {
		MEM_GROW(p->reasons, p->reason_capacity, i + 1);
		p->reasons[i] = mem_alloc(1, WORDS);
		memcpy(*p->reasons[i], text, WORDS);
		p->reason_count++;
	}
	return *p->reasons[i];
}

/* ---- all vnodes together --------------------------------------------------------------------- */

static bool is_of_queue(const struct pbs_place *p, uint32_t node, uint32_t job)
{
	return p->v.queue[node] == p->queues[job];
}

/* The vnodes of a sum: of SET, of HOST, or of all hosts if ROW_NONE, for JOB. */
struct place_sums {
	uint32_t job, host;
	const double *left;		/* NULL: sums the total amounts */
	const bool *open, *counted;	/* which are free; whose rest counts */
	const struct pbs_set *set;	/* or NULL */
};

/* The next vnode of the sum, in order; *AT starts at 0; ROW_NONE. */
static uint32_t next_summed(const struct pbs_place *p, const struct place_sums *s, uint32_t *at)
{
	const struct place_span span = { s->set ? s->set->vnodes : s->host == ROW_NONE ?
					 p->v.order : NULL, s->set ? s->set->count : p->v.n,
					 s->host };
	uint32_t n = span_next(p, &span, at);

	while (n != ROW_NONE && (!is_of_queue(p, n, s->job) || p->v.stale[n]))
		n = span_next(p, &span, at);
	return n;
}

static uint32_t place_count_nodes(const struct pbs_place *p, const struct place_sums *s)
{
	uint32_t count = 0, at = 0, n;

	while ((n = next_summed(p, s, &at)) != ROW_NONE)
		count += !s->left || s->open[n];
	return count;
}

/* Is NODE's amount of it reported, even if 0? */
static bool has_any(const struct pbs_place *p, uint32_t node, uint32_t tres)
{
	struct tres_list list = cluster_tres(p->c, F_HOST_TRES, node);
	uint32_t i = 0;

	while (i < list.count && list.items[i].tres != tres)
		i++;
	return i < list.count;
}

/*
 * Unused amounts of vnodes that are not free do not count, except on the vnode that introduces the
 * resource into the sum, unless that is the very first (add_resource_list()). Vnodes with an
 * unlimited amount add nothing.
 */
static double place_sum_of(const struct pbs_place *p, const struct place_sums *s, uint32_t tres)
{
	bool first = true, brought = false, endless = false;
	uint32_t at = 0, n;
	double sum = 0;

	for (; (n = next_summed(p, s, &at)) != ROW_NONE; first = false) {
		double has = p->v.has[(size_t)n * p->v.columns + tres];

		endless = endless || isinf(has);
		if (isinf(has))
			continue;
		if (!s->left)
			sum += has;
		else if (s->counted[n] || (!first && !brought && has_any(p, n, tres)))
			sum += s->left[(size_t)n * p->room.columns + tres];
		brought = brought || has_any(p, n, tres);
	}
	return endless && !brought ? HUGE_VAL : sum;
}

/*
 * Vnodes together have the words of all of them, False for an unset boolean: a word is unlimited
 * only if no vnode sets it (node_partition_update(), find_check_resource()).
 */
static bool any_matches(const struct pbs_place *p, const struct place_sums *s,
			const struct pbs_item *item)
{
	bool endless = pbs_item_endless(&p->v, item), set = pbs_item_is_boolean(item);
	bool is_false = word_equal_n(item->value, item->length, "False");
	uint32_t at = 0, n;

	while ((n = next_summed(p, s, &at)) != ROW_NONE) {
		bool has = pbs_vnode_word(p->c, n, item->name, item->name_length) != NULL;

		set = set || has;
		if ((has || is_false || !endless) && pbs_vnode_matches(&p->v, n, item))
			return true;
	}
	return endless && !set;
}

/* NULL: there is enough for one such chunk. */
static const char *chunk_short(struct pbs_place *p, const struct place_sums *s,
			       const struct pbs_chunk *chunk)
{
	for (uint32_t i = 0; i < chunk->items_count; i++) {
		const struct pbs_item *item = &chunk->items[i];

		if (item->tres == ROW_NONE ? !any_matches(p, s, item) :
		    item->amount > 0 && item->amount > place_sum_of(p, s, item->tres))
			return place_missing_of(p, item);
	}
	return NULL;
}

/* Resource T as requested by some chunk; NULL: not requested of vnodes. */
static const struct pbs_item *place_item_of(const struct pbs_request *r, uint32_t t)
{
	for (uint32_t k = 0; k < r->count; k++) {
		for (uint32_t i = 0; i < r->chunks[k].items_count; i++) {
			if (r->chunks[k].items[i].tres == t)
				return &r->chunks[k].items[i];
		}
	}
	return NULL;
}

/* Does the server sum it over jobs? Then the scheduler sums it over vnodes (ATR_DFLAG_RASSN). */
static bool place_is_summed_up(const struct pbs_place *p, const struct pbs_item *item)
{
	static const char names[] = "ncpus,mem,vmem,naccelerators,accelerator_memory,hbmem";
	struct text_list list = { NULL, 0 };

	if (word_listed(names, item->name, item->name_length))
		return true;
	if (cluster_rows(p->c, TABLE_SERVER) > 0)
		list = cluster_list(p->c, F_SERVER_RESOURCES_ASSIGNED, 0);
	for (uint32_t i = 0; i < list.count; i++) {
		const char *text = cluster_string(p->c, list.texts[i]);

		if (strcspn(text, "=") == item->name_length &&
		    strncmp(text, item->name, item->name_length) == 0)
			return true;
	}
	return false;
}

/* NULL: there is enough for R. */
static const char *all_short(struct pbs_place *p, const struct pbs_request *r,
			     const struct place_sums *s)
{
	struct tres_list need = cluster_tres(p->c, F_JOB_TRES, r->job);
	uint64_t nodes = place_count_nodes(p, s), least = r->scatter || r->vscatter ? r->total : 1;

	if (nodes == 0 || nodes < least)
		return s->left ? no_free_nodes : no_total_nodes;
	for (uint32_t i = 0; i < need.count; i++) {
		const struct pbs_item *item = place_item_of(r, need.items[i].tres);

		if (item && place_is_summed_up(p, item) && need.items[i].count > 0 &&
		    need.items[i].count > place_sum_of(p, s, item->tres))
			return place_missing_of(p, item);
	}
	for (uint32_t k = 0; k < r->count; k++) {
		const char *why = chunk_short(p, s, &r->chunks[k]);

		if (why)
			return why;
	}
	return NULL;
}

/* NULL: some set has enough for R, or it may span sets. */
static const char *short_of_sets(struct pbs_place *p, const struct pbs_request *r)
{
	struct place_sums s = { .job = r->job, .host = ROW_NONE };
	uint32_t count = 0;
	const struct pbs_set *sets = p->sets ? pbs_sets_of(p->sets, r->job, &count) : NULL;

	for (uint32_t i = 0; i < count; i++) {
		s.set = &sets[i];
		if (!all_short(p, r, &s))
			return NULL;
	}
	return sets ? cannot_span : NULL;
}

const char *pbs_place_fits(struct pbs_place *p, uint32_t job)
{
	struct place_sums s = { job, ROW_NONE, p->room.left, p->v.open, p->open_at_first, NULL };
	const char *why, *ever;
	struct pbs_request r;

	if (!pbs_request_read(p->c, p->checked, job, &r))
		return NULL;
	/*
	 * As jobs begin, only the last set a vnode was added to has its sums updated
	 * (add_ptr_to_array() replaces the previous one): its queue's, its host's if hosts have
	 * several vnodes, or that of all.
	 */
	if (p->v.many && p->queues[job] == 0) {
		s.left = p->room.at_first;
		s.open = p->open_at_first;
	}
	why = all_short(p, &r, &s);
	s.left = NULL;
	ever = why ? all_short(p, &r, &s) : NULL;
	pbs_request_free(&r);
	return ever ? ever : why;
}

/* ---- one chunk ------------------------------------------------------------------------------- */

static bool place_is_looked_at(const struct pbs_place *p, uint32_t n)
{
	return !p->shut[n] && p->scattered[n] != p->room.number && p->visited[n] != p->visit;
}

static const char *words_short(struct pbs_place *p, const struct pbs_chunk *chunk, uint32_t n)
{
	for (uint32_t i = 0; i < chunk->words; i++) {
		if (!pbs_vnode_matches(&p->v, n, &chunk->items[i]))
			return place_missing_of(p, &chunk->items[i]);
	}
	return NULL;
}

/* The amount of CHUNK that N is short of at the beginning; NULL: none. */
static const struct pbs_item *amount_short(struct pbs_place *p, const struct pbs_chunk *chunk,
					   uint32_t n)
{
	const double *has = pbs_capacity_has(&p->room, n);

	for (uint32_t i = chunk->words; i < chunk->items_count; i++) {
		const struct pbs_item *item = &chunk->items[i];

		if (item->amount > 0 && item->amount > has[item->tres])
			return item;
	}
	return NULL;
}

/* Would a job of R on N meet a planned one, with either of them exclusive? */
static bool place_meets(struct pbs_place *p, const struct pbs_request *r, uint32_t n)
{
	const double *has = pbs_capacity_has(&p->room, n), *least = pbs_capacity_least(&p->room, n);
	uint32_t jobs = p->room.jobs, excl = p->room.excl;

	return least[excl] < 0 || (pbs_vnode_excl(&p->v, n, r) && least[jobs] < has[jobs]);
}

/* How many of CHUNK fit on N, at least 1 and up to MOST. */
static uint32_t place_room_for(struct pbs_place *p, const struct pbs_chunk *chunk, uint32_t n,
			       uint32_t most)
{
	const double *least = pbs_capacity_least(&p->room, n);
	double count = most;

	for (uint32_t i = chunk->words; i < chunk->items_count; i++) {
		const struct pbs_item *item = &chunk->items[i];

		if (item->amount > 0)
			count = fmin(count, floor(least[item->tres] / item->amount));
	}
	return count > 1 ? (uint32_t)count : 1;
}

/* What no vnode has (amount 0) is taken from any column. */
static uint32_t place_column_of(const struct pbs_place *p, const struct pbs_item *item)
{
	return item->tres == ROW_NONE ? p->room.jobs : item->tres;
}

/* Takes as many of COUNT times CHUNK as fit on N, and sets COUNT: NULL; or why none fits. */
static const char *place_take_whole(struct pbs_place *p, const struct pbs_request *r,
				    const struct pbs_chunk *chunk, uint32_t n, uint32_t *count)
{
	const struct pbs_item *item = amount_short(p, chunk, n);
	const double *least = pbs_capacity_least(&p->room, n);

	if (item)
		return place_missing_of(p, item);
	if (chunk->words == chunk->items_count)
		return no_resources;	/* the scheduler places amounts, and there is none */
	for (uint32_t i = chunk->words; i < chunk->items_count; i++) {
		if (chunk->items[i].amount > 0 &&
		    chunk->items[i].amount > least[chunk->items[i].tres])
			return conflict;
	}
	if (place_meets(p, r, n))
		return conflict;
	*count = place_room_for(p, chunk, n, *count);
	for (uint32_t i = chunk->words; i < chunk->items_count; i++)
		pbs_capacity_take(&p->room, n, place_column_of(p, &chunk->items[i]),
				  chunk->items[i].amount * *count);
	return NULL;
}

/* Takes what N has of the rest NEEDed of CHUNK; NULL, or the last thing that it is short of. */
static const char *place_take_part(struct pbs_place *p, const struct pbs_request *r,
				   const struct pbs_chunk *chunk, double *need, uint32_t n)
{
	const double *has = pbs_capacity_has(&p->room, n), *least = pbs_capacity_least(&p->room, n);
	const char *why = NULL;

	for (uint32_t i = chunk->words; i < chunk->items_count; i++) {
		uint32_t t = place_column_of(p, &chunk->items[i]);
		double part = least[t] < need[i] ? least[t] : need[i];

		if (!(need[i] > 0))
			continue;
		if (!(has[t] > 0)) {
			why = place_missing_of(p, &chunk->items[i]);
		} else if (!(part > 0) || place_meets(p, r, n)) {
			why = conflict;
		} else {
			need[i] -= part;
			pbs_capacity_take(&p->room, n, t, part);
		}
	}
	return why;
}

/* Does some vnode have all of it, whether or not it takes the job? */
static bool fits_one(struct pbs_place *p, const struct pbs_request *r, const struct place_span *s,
		     const struct pbs_chunk *chunk)
{
	uint32_t at = 0, n;

	while ((n = span_next(p, s, &at)) != ROW_NONE) {
		if (is_of_queue(p, n, r->job) && !words_short(p, chunk, n) &&
		    !amount_short(p, chunk, n))
			return true;
	}
	return false;
}

/* If N can never have it, skips the vnodes like it; that is then the reason. */
static const char *visit_like(struct pbs_place *p, const struct place_span *s,
			      const struct pbs_chunk *chunk, uint32_t node, const char *why)
{
	const double *has = p->v.has + (size_t)node * p->v.columns;
	uint32_t at = 0, i = 0, n;

	for (; i < chunk->items_count; i++) {
		const struct pbs_item *item = &chunk->items[i];

		if (item->tres == ROW_NONE ?
		    !word_equal_n(item->name, item->name_length, "host") &&
		    !word_equal_n(item->name, item->name_length, "vnode") &&
		    !pbs_vnode_matches(&p->v, node, item) :
		    item->amount > 0 && item->amount > has[item->tres])
			break;
	}
	p->visited[node] = p->visit;
	if (i == chunk->items_count)
		return why;
	while ((n = span_next(p, s, &at)) != ROW_NONE) {
		if (p->v.like[n] == p->v.like[node])
			p->visited[n] = p->visit;
	}
	return place_missing_of(p, &chunk->items[i]);
}

static bool take_broken(struct pbs_place *p, const struct pbs_request *r,
			const struct place_span *s, const struct pbs_chunk *chunk, const char **why)
{
	size_t before = p->room.taken_count;
	double *need = mem_alloc(chunk->items_count, sizeof(*need));
	const char *first = NULL;
	uint32_t at = 0, n;
	bool left = true;

	for (uint32_t i = 0; i < chunk->items_count; i++)
		need[i] = chunk->items[i].tres == ROW_NONE ? 0 : chunk->items[i].amount;
	*why = NULL;
	while (left && (n = span_next(p, s, &at)) != ROW_NONE) {
		size_t taken = p->room.taken_count;

		if (!place_is_looked_at(p, n))
			continue;
		*why = words_short(p, chunk, n);
		*why = *why ? *why : place_take_part(p, r, chunk, need, n);
		if (!first && p->room.taken_count == taken)
			first = *why;
		left = false;
		for (uint32_t i = 0; i < chunk->items_count; i++)
			left = left || need[i] > 0;
	}
	mem_free(need);
	if (left) {
		pbs_capacity_undo(&p->room, before);
		*why = *why ? *why : first;
	}
	return !left;
}

/*
 * eval_simple_selspec(): places CHUNK on one vnode of S, or several if BROKEN; else WHY not, or
 * NULL. Takes up to MOST at once on that vnode, as the next ones would be tried there; returns how
 * many.
 */
static uint32_t take_chunk(struct pbs_place *p, const struct pbs_request *r,
			   const struct place_span *s, const struct pbs_chunk *chunk, bool broken,
			   uint32_t most, const char **why)
{
	const char *first = NULL;
	uint32_t at = 0, n;

	if (r->scatter || r->vscatter)
		most = 1;
	if (broken && !fits_one(p, r, s, chunk))
		return take_broken(p, r, s, chunk, why) ? 1 : 0;
	*why = NULL;
	while ((n = span_next(p, s, &at)) != ROW_NONE) {
		if (!place_is_looked_at(p, n))
			continue;
		*why = words_short(p, chunk, n);
		*why = *why ? *why : place_take_whole(p, r, chunk, n, &most);
		if (!*why) {
			if (r->scatter || r->vscatter)
				p->scattered[n] = p->room.number;
			return most;
		}
		first = first ? first : *why;
		*why = visit_like(p, s, chunk, n, *why);
	}
	*why = *why ? *why : first;
	return 0;
}

/* ---- all chunks ------------------------------------------------------------------------------ */

/* eval_complex_selspec(): all chunks on the vnodes of S. */
static bool take_all(struct pbs_place *p, const struct pbs_request *r, const struct place_span *s,
		     bool broken, const char **why)
{
	size_t before = p->room.taken_count;

	for (uint32_t k = 0; k < r->count; k++) {
		uint32_t left = r->chunks[k].count;

		p->visit++;
		while (left > 0) {
			uint32_t took = take_chunk(p, r, s, &r->chunks[k], broken, left, why);

			if (took == 0) {
				pbs_capacity_undo(&p->room, before);
				return false;
			}
			left -= took;
		}
	}
	return true;
}

/* Takes the rest of HOST's vnodes for the job, too. */
static void take_rest(struct pbs_place *p, uint32_t host)
{
	for (uint32_t n = p->v.first[host]; n != ROW_NONE; n = p->v.next[n])
		pbs_capacity_take(&p->room, n, p->room.jobs, 0);
}

/*
 * One host of eval_placement(): places as many of the LEFT chunks as place allows; WHY: the first
 * obstacle of any of them.
 */
static uint64_t fill_host(struct pbs_place *p, const struct pbs_request *r, uint32_t *left,
			  const struct place_sums *sums, const char **why)
{
	const struct place_span s = { NULL, 0, sums->host };
	bool broken = !r->vscatter || p->v.n == 1;
	uint64_t taken = 0;
	const char *now;

	for (uint32_t k = 0; k < r->count && !(r->scatter && taken > 0); k++) {
		uint32_t more = 1;

		now = place_count_nodes(p, sums) > 0 ? chunk_short(p, sums, &r->chunks[k]) : NULL;
		if (now || place_count_nodes(p, sums) == 0) {
			*why = *why ? *why : now;
			continue;
		}
		p->visit++;
		while (more > 0 && left[k] > 0) {
			more = take_chunk(p, r, &s, &r->chunks[k], broken, left[k], &now);
			if (more == 0)
				*why = *why ? *why : now;
			left[k] -= more;
			taken += more;
			more = r->scatter ? 0 : more;
		}
	}
	return taken;
}

/* eval_placement() with several vnodes per host: host by host. */
static bool take_by_host(struct pbs_place *p, const struct pbs_request *r, const char **why)
{
	/* Plans, and vnodes of queues, sum hosts again, without the rest on busy vnodes. */
	bool fresh = p->plan || p->v.queued;
	uint32_t *left = mem_alloc(r->count, sizeof(*left));
	uint64_t total = 0;

	for (uint32_t k = 0; k < r->count; k++)
		left[k] = r->chunks[k].count;
	for (uint32_t i = 0; i < p->v.host_count && total < r->total; i++) {
		struct place_sums sums = { r->job, p->v.hosts[i], p->room.base, p->open,
				     fresh ? p->open : p->open_at_first, NULL };
		const struct place_span s = { NULL, 0, p->v.hosts[i] };
		uint32_t at = 0, head = next_summed(p, &sums, &at);
		const char *now = NULL;
		uint64_t got = 0;

		if (head == ROW_NONE)
			continue;
		if (!r->pack)
			got = fill_host(p, r, left, &sums, why);
		else if (take_all(p, r, &s, true, &now))
			got = r->total;
		else
			*why = *why ? *why : now;
		if (got > 0 && pbs_vnode_exclhost(&p->v, head, r))
			take_rest(p, s.host);
		total += got;
	}
	mem_free(left);
	return total == r->total;
}

/*
 * Marks vnodes closed to R: of another queue, not free, or in conflict with exclusive use. Returns
 * the reason for the last kind, or NULL.
 */
static const char *shut_vnodes(struct pbs_place *p, const struct pbs_request *r)
{
	const char *why = NULL;

	for (uint32_t i = 0; i < p->v.n; i++)
		p->shut[i] = !is_of_queue(p, i, r->job) || !p->open[i];
	for (uint32_t i = 0; i < p->v.n; i++) {
		uint32_t n = p->v.order[i];
		const double *base = p->room.base + (size_t)n * p->room.columns;

		if (p->shut[n] || !(base[p->room.excl] < 0 ||
				    (base[p->room.jobs] < 0 && pbs_vnode_excl(&p->v, n, r))))
			continue;
		p->shut[n] = true;
		why = not_exclusive;
		if (!pbs_vnode_exclhost(&p->v, n, r))
			continue;
		for (n = p->v.first[p->v.host[n]]; n != ROW_NONE; n = p->v.next[n])
			p->shut[n] = true;
	}
	return why;
}

/* eval_selspec(): NULL, with all taken by the try; or why not. */
static const char *place_take(struct pbs_place *p, const struct pbs_request *r)
{
	const char *shut = shut_vnodes(p, r), *why = NULL;
	const struct place_span all = { p->v.order, p->v.n, 0 };
	bool done;

	if (!p->v.many && (!r->pack || r->total == 1))
		done = take_all(p, r, &all, false, &why);
	else
		done = take_by_host(p, r, &why);
	if (done)
		return NULL;
	return why ? why : shut ? shut : no_resources;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Counts the job on its vnodes; a vnode without CPUs left, or with an exclusive job, is busy. */
static void place_add_jobs(struct pbs_place *p, const struct pbs_request *r)
{
	uint32_t cpu = cluster_find_tres(p->c, "cpu");
	size_t count = p->room.taken_count;

	p->visit++;
	for (size_t i = 0; i < count; i++) {
		uint32_t n = p->room.taken[i].node;
		bool excl = pbs_vnode_excl(&p->v, n, r), busy;

		if (p->visited[n] == p->visit)
			continue;
		p->visited[n] = p->visit;
		pbs_capacity_take(&p->room, n, p->room.jobs, 1);
		if (excl)
			pbs_capacity_take(&p->room, n, p->room.excl, 1);
		busy = cpu != ROW_NONE && !(pbs_capacity_has(&p->room, n)[cpu] > 0);
		p->v.open[n] = p->v.open[n] && (p->plan || !(excl || busy));
	}
}

const char *pbs_place_limited(const struct pbs_place *p, uint32_t job)
{
	return pbs_limits_check(p->limits, job, p->room.now,
				p->room.now + pbs_job_length(p->c, job));
}

const char *pbs_place_supplied(const struct pbs_place *p, uint32_t job)
{
	return pbs_limits_check(p->supply, job, p->room.now,
				p->room.now + pbs_job_length(p->c, job));
}

/* Counts JOB from FROM on. */
static void use_limits(struct pbs_place *p, uint32_t job, int64_t from)
{
	int64_t to = from + pbs_job_length(p->c, job);

	(void)pbs_limits_use(p->limits, job, from, to);
	(void)pbs_limits_use(p->supply, job, from, to);
}

/* Sorts hosts by their sums over the vnodes of S. */
static void sort_hosts(struct pbs_place *p, const struct place_sums *s)
{
	struct pbs_vnodes *v = &p->v;
	double *has = mem_alloc((size_t)v->n * v->columns, sizeof(*has));
	double *left = mem_alloc((size_t)v->n * v->columns, sizeof(*left));

	for (uint32_t i = 0; i < v->host_count; i++) {
		struct place_sums all = { s->job, v->hosts[i], NULL, s->open, s->counted,
				    NULL }, own = all;

		own.left = s->left;
		for (uint32_t t = 0; t < v->columns; t++) {
			size_t cell = (size_t)all.host * v->columns + t;

			has[cell] = place_sum_of(p, &all, t);
			left[cell] = place_sum_of(p, &own, t);
		}
	}
	pbs_hosts_sort(v, has, left);
	mem_free(has);
	mem_free(left);
}

/*
 * A job has begun: sorts vnodes again; if hosts have several, and none is a queue's, sorts hosts by
 * their sums instead (sort_all_nodepart()).
 */
static void place_sort_again(struct pbs_place *p, const struct pbs_request *r)
{
	const struct place_sums s = { r->job, ROW_NONE, p->room.left, p->v.open, p->open_at_first,
				NULL };

	if (!p->v.many || p->v.queued)
		pbs_vnodes_sort(&p->v, p->room.left, p->room.columns);
	else
		sort_hosts(p, &s);
}

const char *pbs_place_start(struct pbs_place *p, uint32_t job)
{
	int64_t now = p->room.now;
	const char *why = NULL;
	struct pbs_request r;

	if (pbs_request_read(p->c, p->checked, job, &r)) {
		p->open = p->v.open;
		p->plan = false;
		pbs_capacity_try(&p->room, false, now, r.length);
		why = short_of_sets(p, &r);
		why = why ? why : place_take(p, &r);
		if (!why) {
			place_add_jobs(p, &r);
			pbs_capacity_keep(&p->room);
		}
		if (!why && p->v.moves)
			place_sort_again(p, &r);
		pbs_request_free(&r);
	}
	if (!why)
		use_limits(p, job, now);
	return why;
}

/*
 * If hosts have several vnodes and none is a queue's, vnodes and then hosts are sorted as of that
 * time (update_all_nodepart(), after the ends until then).
 */
static bool plan_at(struct pbs_place *p, const struct pbs_request *r, int64_t from)
{
	struct place_sums s = { r->job, ROW_NONE, p->room.later, p->open_then, p->open_then,
			  NULL };

	for (uint32_t n = 0; n < p->v.n; n++)
		p->open_then[n] = p->v.open[n] || (p->v.opens[n] && p->room.freed[n]);
	if (all_short(p, r, &s) || pbs_limits_check(p->limits, r->job, from, from + r->length) ||
	    pbs_limits_check(p->supply, r->job, from, from + r->length))
		return false;
	if (p->v.moves && p->v.many && !p->v.queued && from > p->room.now) {
		pbs_vnodes_sort(&p->v, p->room.later, p->room.columns);
		sort_hosts(p, &s);
	}
	pbs_capacity_try(&p->room, true, from, r->length);
	return !place_take(p, r);
}

/* Saves the order of the vnodes: planning changes it. */
static uint32_t *keep_order(const struct pbs_vnodes *v)
{
	size_t size = v->n * sizeof(*v->order);
	uint32_t *kept = mem_alloc((size_t)4 * v->n, sizeof(*kept));

	memcpy(kept, v->order, size);
	memcpy(kept + v->n, v->first, size);
	memcpy(kept + 2 * (size_t)v->n, v->next, size);
	memcpy(kept + 3 * (size_t)v->n, v->hosts, size);
	return kept;
}

static void order_as_kept(struct pbs_vnodes *v, uint32_t *kept)
{
	size_t size = v->n * sizeof(*v->order);

	memcpy(v->order, kept, size);
	memcpy(v->first, kept + v->n, size);
	memcpy(v->next, kept + 2 * (size_t)v->n, size);
	memcpy(v->hosts, kept + 3 * (size_t)v->n, size);
	mem_free(kept);
}

bool pbs_place_plan(struct pbs_place *p, uint32_t job, int64_t earliest)
{
	int64_t from = earliest > p->room.now ? earliest : p->room.now;
	struct place_sums ever = { .job = job, .host = ROW_NONE };
	struct pbs_request r;
	uint32_t *kept;
	size_t at = 0;
	bool found;

	if (!pbs_request_read(p->c, p->checked, job, &r))
		return true;
	kept = keep_order(&p->v);
	p->open = p->open_then;
	p->plan = true;
	pbs_capacity_to_now(&p->room);
	if (from > p->room.now)
		at = pbs_capacity_to(&p->room, 0, from);
	found = !all_short(p, &r, &ever) && !short_of_sets(p, &r);
	while (found && !plan_at(p, &r, from)) {
		found = pbs_capacity_next(&p->room, &at);
		if (found)
			from = p->room.changes[p->room.queue[at]].time;
		at = pbs_capacity_to(&p->room, at, from);
	}
	if (found) {
		place_add_jobs(p, &r);
		pbs_capacity_keep(&p->room);
		use_limits(p, job, from);
	}
	order_as_kept(&p->v, kept);
	pbs_request_free(&r);
	return found;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Per job: its queue, if that has vnodes of its own. */
static void place_find_queues(struct pbs_place *p)
{
	uint32_t jobs = cluster_rows(p->c, TABLE_JOB);
	struct idmap own = { 0 };

	p->queues = mem_zalloc(jobs, sizeof(*p->queues));
	for (uint32_t n = 0; n < p->v.n; n++) {
		if (p->v.queue[n])
			idmap_put(&own, p->v.queue[n], 1);
	}
	for (uint32_t job = 0; job < jobs; job++) {
		uint32_t queue = cluster_text_id(p->c, F_JOB_PARTITION, job);

		p->queues[job] = idmap_has(&own, queue) ? queue : 0;
	}
	idmap_free(&own);
}

struct pbs_place *pbs_place_new(const struct cluster *c, const char *checked, bool plans)
{
	struct pbs_place *p = mem_zalloc(1, sizeof(*p));

	p->c = c;
	p->checked = checked;
	pbs_vnodes_open(&p->v, c);
	pbs_capacity_open(&p->room, &p->v, plans);
	pbs_vnodes_sort(&p->v, p->room.left, p->room.columns);
	place_find_queues(p);
	p->open_at_first = mem_alloc(p->v.n, sizeof(*p->open_at_first));
	memcpy(p->open_at_first, p->v.open, p->v.n * sizeof(*p->open_at_first));
	p->open_then = mem_alloc(p->v.n, sizeof(*p->open_then));
	p->scattered = mem_zalloc(p->v.n, sizeof(*p->scattered));
	p->visited = mem_zalloc(p->v.n, sizeof(*p->visited));
	p->shut = mem_alloc(p->v.n, sizeof(*p->shut));
	p->limits = pbs_limits_new(c, PBS_HARD);
	p->supply = pbs_limits_new(c, PBS_SUPPLY);
	p->sets = pbs_sets_new(&p->v);
	return p;
}

bool pbs_place_sorted(const struct pbs_place *p)
{
	return p->v.key_known;
}

void pbs_place_free(struct pbs_place *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->reason_count; i++)
		mem_free(p->reasons[i]);
	mem_free(p->reasons);
	pbs_limits_free(p->limits);
	pbs_limits_free(p->supply);
	pbs_sets_free(p->sets);
	pbs_capacity_free(&p->room);
	pbs_vnodes_free(&p->v);
	MEM_FREE(p->open_at_first, p->open_then, p->queues, p->scattered, p->visited, p->shut, p);
}
