/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_request.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_asked.h"

bool pbs_item_next(const struct cluster *c, const char **text, struct pbs_item *item)
{
	char value[64];

	if (**text == '\0' || **text == '+' || **text == ')')
		return false;
	*item = (struct pbs_item){ .name = *text, .name_length = strcspn(*text, "=:+)"),
				   .tres = ROW_NONE, .amount = F64_UNKNOWN };
	item->value = item->name + item->name_length;
	item->value += *item->value == '=';
	item->length = strcspn(item->value, ":+)");
	*text = item->value + item->length;
	*text += **text == ':';
	if (item->name_length >= sizeof(value) || item->length >= sizeof(value))
		return true;
	memcpy(value, item->name, item->name_length);
	value[item->name_length] = '\0';
	item->tres = cluster_find_tres(c, strcmp(value, "ncpus") == 0 ? "cpu" : value);
	memcpy(value, item->value, item->length);
	value[item->length] = '\0';
	item->amount = pbs_amount(value);
	/* Sizes are in kB in PBS, and in MiB in a TRES. */
	if (f64_known(item->amount) && item->length > 0 &&
	    (value[item->length - 1] == 'b' || value[item->length - 1] == 'w'))
		item->amount /= 1024;
	/* A negative amount gives a negative count of chunks: check.cpp, match_resource(). */
	if (!(item->amount >= 0))
		item->tres = ROW_NONE;
	return true;
}

bool pbs_item_is_boolean(const struct pbs_item *item)
{
	return word_equal_n(item->value, item->length, "True") ||
	       word_equal_n(item->value, item->length, "False");
}

/* Settings for MPI and OpenMP are not resources of vnodes. */
static bool request_counts(const char *checked, const struct pbs_item *item)
{
	if (word_equal_n(item->name, item->name_length, "mpiprocs") ||
	    word_equal_n(item->name, item->name_length, "ompthreads"))
		return false;
	return !checked || !*checked || pbs_item_is_boolean(item) ||
	       word_listed(checked, item->name, item->name_length);
}

/* Does any vnode have it as a word? Then "0" is a word, too. */
static bool is_string(const struct cluster *c, const struct pbs_item *item)
{
	uint32_t n = 0, hosts = cluster_rows(c, TABLE_HOST);

	while (n < hosts && !cluster_list_value(c, cluster_list(c, F_HOST_RESOURCES, n), item->name,
						item->name_length))
		n++;
	return n < hosts;
}

/*
 * Words first, the last one first, then amounts in the order of TEXT. What no vnode has is a word
 * that never matches, unless the amount is 0 (match_resource() of check.cpp).
 */
static void read_items(const struct cluster *c, const char *checked, const char *text,
		       struct pbs_chunk *chunk)
{
	struct pbs_item item;

	while (pbs_item_next(c, &text, &item)) {
		bool word = item.tres == ROW_NONE;

		if (!request_counts(checked, &item))
			continue;
		if (word && item.amount == 0 && is_string(c, &item))
			item.amount = F64_UNKNOWN;
		word = word && item.amount != 0;
		if (word)
			memmove(chunk->items + 1, chunk->items, chunk->items_count * sizeof(item));
		chunk->items[word ? 0 : chunk->items_count] = item;
		chunk->words += word;
		chunk->items_count++;
	}
}

static size_t request_count_of(const char *text, const char *any)
{
	size_t n = 0;

	while ((text = strpbrk(text, any))) {
		text++;
		n++;
	}
	return n;
}

/* Saturates: a job may request more than any cluster has. */
static uint32_t request_read_count(const char *digits)
{
	unsigned long long n = strtoull(digits, NULL, 10);

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void read_chunks(const struct cluster *c, const char *checked, const char *select,
			struct pbs_request *r)
{
	struct pbs_item *items;

	r->chunks = mem_alloc(request_count_of(select, "+") + 1, sizeof(*r->chunks));
	items = r->items = mem_alloc(request_count_of(select, "+:") + 1, sizeof(*r->items));
	for (; *select; select += strcspn(select, "+"), select += *select == '+') {
		size_t digits = strspn(select, "0123456789");
		bool counted = digits > 0 && strchr(":+", select[digits]);
		struct pbs_chunk *chunk = &r->chunks[r->count++];

		*chunk = (struct pbs_chunk){ .count = 1, .items = items };
		if (counted) {
			chunk->count = request_read_count(select);
			select += digits + (select[digits] == ':');
		}
		read_items(c, checked, select, chunk);
		items += chunk->items_count;
		r->total += chunk->count;
	}
}

static const char *request_select_of(const struct cluster *c, uint32_t job)
{
	const char *select = cluster_text(c, F_JOB_SCHEDSELECT, job);

	if (cluster_text(c, F_JOB_RESERVATION, job))
		return NULL;
	return select ? select : cluster_text(c, F_JOB_SELECT, job);
}

bool pbs_request_reported(const struct cluster *c, uint32_t job)
{
	return request_select_of(c, job) != NULL;
}

bool pbs_request_read(const struct cluster *c, const char *checked, uint32_t job,
		      struct pbs_request *r)
{
	const char *place = cluster_text(c, F_JOB_PLACE, job), *select = request_select_of(c, job);

	if (!select)
		return false;
	*r = (struct pbs_request){ .job = job, .pack = word_among(place, ":", "pack"),
				   .scatter = word_among(place, ":", "scatter"),
				   .vscatter = word_among(place, ":", "vscatter"),
				   .exclhost = word_among(place, ":", "exclhost"),
				   .shared = word_among(place, ":", "shared") };
	r->length = pbs_job_length(c, job);
	r->excl = r->exclhost || word_among(place, ":", "excl");
	read_chunks(c, checked, select, r);
	return true;
}

void pbs_request_free(struct pbs_request *r)
{
	mem_free(r->chunks);
	mem_free(r->items);
}
