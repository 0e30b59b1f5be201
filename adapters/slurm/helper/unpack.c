/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/helper/unpack.h"

#include <dlfcn.h>
#include <endian.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "core/base/mem.h"

/* What the library exports and no header declares; "buffer" is its buf_t. */
struct buffer {
	uint32_t magic;
	char *head;
	uint32_t size, processed;
	bool mmaped;
};
int slurmdb_unpack_assoc_rec_with_usage(void **object, uint16_t protocol, struct buffer *buffer);

/* One association in one piece of memory; its arrays and texts follow it. */
struct whole {
	slurmdb_assoc_rec_t assoc;	/* its ASSOC_NEXT, which nobody sends, is the mark below */
	slurmdb_assoc_usage_t usage;
	bool qos_told;
	uint32_t qos_count;
	uint32_t *qos;
};

static slurmdb_assoc_rec_t made_here;	/* never looked into */

static bool is_ours(const slurmdb_assoc_rec_t *assoc)
{
	return assoc->assoc_next == &made_here;
}

bool unpack_qos_ids(const slurmdb_assoc_rec_t *assoc, uint32_t *ids, uint32_t most,
		    uint32_t *count)
{
	const struct whole *w = (const struct whole *)assoc;
	struct listIterator *i;
	const char *text;

	*count = 0;
	if (is_ours(assoc)) {
		*count = w->qos_count < most ? w->qos_count : most;
		if (*count > 0)
			memcpy(ids, w->qos, *count * sizeof(*ids));
		return w->qos_told;
	}
	if (!assoc->qos_list)
		return false;
	i = slurm_list_iterator_create(assoc->qos_list);
	while (*count < most && (text = slurm_list_next(i)))
		ids[(*count)++] = (uint32_t)strtoul(text, NULL, 10);
	slurm_list_iterator_destroy(i);
	return true;
}

/* The bytes are known of 22.05 only; later libraries keep their functions. */
#ifndef HAVE_SLURM_ASSOCIATIONS_GET_SHARES

#define BUFFER_MAGIC 0x42554545
#define PROTOCOL_2205 (38 << 8)
#define LIBRARY_2205 38
#define DOUBLE_SCALE 1000000		/* doubles are sent as so many times their value */
#define ARRAY_MOST 4096			/* kinds of TRES, QOS of one association */
#define NUMBER_MOST 64			/* a long double as text */
#define TRIALS 16			/* associations that are unpacked both ways */

/* ---- reading ------------------------------------------------------------------------------- */

/* Goes over the bytes; once past the end it stays FAILED and reads zeros. */
struct reader {
	const unsigned char *at, *end;
	bool failed;
};

static const unsigned char *take(struct reader *r, size_t length)
{
	const unsigned char *at = r->at;

	if (r->failed || (size_t)(r->end - at) < length) {
		r->failed = true;
		return NULL;
	}
	r->at += length;
	return at;
}

static uint64_t get64(const unsigned char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return be64toh(word);
}

static uint32_t get32(const unsigned char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return be32toh(word);
}

static uint32_t read32(struct reader *r)
{
	const unsigned char *bytes = take(r, 4);

	return bytes ? get32(bytes) : 0;
}

static uint16_t read16(struct reader *r)
{
	const unsigned char *bytes = take(r, 2);

	return bytes ? (uint16_t)(bytes[0] << 8 | bytes[1]) : 0;
}

static double read_double(struct reader *r)
{
	const unsigned char *bytes = take(r, 8);
	uint64_t word = bytes ? get64(bytes) : 0;
	double value;

	memcpy(&value, &word, sizeof(value));
	return value / DOUBLE_SCALE;
}

/* A text with its NUL. NULL: none. */
static const char *read_text(struct reader *r)
{
	uint32_t length = read32(r);
	const unsigned char *bytes;

	if (length == 0)
		return NULL;
	bytes = take(r, length);
	if (bytes && bytes[length - 1] != '\0')
		r->failed = true;
	return r->failed ? NULL : (const char *)bytes;
}

static void skip_text(struct reader *r)
{
	take(r, read32(r));
}

/*
 * "123.456789" as strtold() rounds it: a whole number of millionths that fits the significand,
 * divided once. Whatever looks different is left to strtold().
 */
static long double number(const char *text)
{
	const char *digit = text;
	uint64_t millionths = 0;
	bool negative = *digit == '-';

	digit += negative;
	text = digit;
	while (*digit >= '0' && *digit <= '9' && digit - text < 13)
		millionths = millionths * 10 + (uint64_t)(*digit++ - '0');
	if (digit > text && *digit == '.') {
		const char *point = digit++;

		while (*digit >= '0' && *digit <= '9' && digit - point <= 6)
			millionths = millionths * 10 + (uint64_t)(*digit++ - '0');
		if (*digit == '\0' && digit - point == 7)
			return (negative ? -1.0L : 1.0L) * (long double)millionths / 1000000.0L;
	}
	return strtold(text - negative, NULL);
}

static long double read_number(struct reader *r)
{
	const char *text = read_text(r);

	return text ? number(text) : 0;
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* Where the numbers of an array lie in the message; COUNT 0: it says nothing. */
struct array {
	const unsigned char *bytes;
	uint32_t count;
};

static struct array read_array(struct reader *r)
{
	struct array a = { .count = read32(r) };

	if (a.count > ARRAY_MOST)
		r->failed = true;
	a.bytes = take(r, (size_t)a.count * 8);
	return a;
}

/* Both look at all of it without a branch: mostly it says nothing. */
static struct array read_used(struct reader *r)
{
	struct array a = read_array(r);
	uint64_t any = 0;

	for (uint32_t i = 0; a.bytes && i < a.count; i++)
		any |= get64(a.bytes + 8 * (size_t)i);
	return any != 0 ? a : (struct array){ NULL, 0 };
}

static struct array read_limits(struct reader *r)
{
	const uint64_t last_bit = INFINITE64 ^ NO_VAL64;	/* either means no limit */
	struct array a = read_array(r);
	uint64_t all = INFINITE64;

	for (uint32_t i = 0; a.bytes && i < a.count; i++)
		all &= get64(a.bytes + 8 * (size_t)i);
	return (all | last_bit) != INFINITE64 ? a : (struct array){ NULL, 0 };
}

_Static_assert(INFINITE64 == UINT64_MAX && (INFINITE64 ^ NO_VAL64) == 1, "read_limits()");

/* What varies in length; the rest goes straight into the structs. */
enum { USED, RUNNING, ARRAYS_OF_USE,
       GRP_MINS = ARRAYS_OF_USE, GRP_RUN_MINS, GRP, MAX_MINS, MAX, ARRAYS };
struct parts {
	struct array arrays[ARRAYS];
	struct reader usage_by_tres;	/* its texts begin here */
	uint32_t usage_count;		/* 0: all zero */
	struct reader qos;
	bool qos_told;
	uint32_t qos_count;
	const char *account, *user, *partition;
};

/* The usages by TRES, as texts: where they begin, whether any is not zero. */
static void read_usages(struct reader *r, struct parts *p)
{
	static const char zero[] = "0.000000";
	uint32_t count = read32(r), length;
	const unsigned char *text;

	p->usage_by_tres = *r;
	p->usage_count = 0;
	if (count > ARRAY_MOST)
		r->failed = true;
	for (uint32_t i = 0; !r->failed && i < count; i++) {
		length = read32(r);
		text = take(r, length);
		if (text && length > 0 && text[length - 1] != '\0')
			r->failed = true;
		if (text && (length != sizeof(zero) || memcmp(text, zero, sizeof(zero)) != 0))
			p->usage_count = count;
	}
}

/* ---- an association ------------------------------------------------------------------------ */

static void read_qos(struct reader *r, struct parts *p)
{
	uint32_t count = read32(r);

	p->qos = *r;
	p->qos_told = count != NO_VAL;
	p->qos_count = p->qos_told ? count : 0;
	if (p->qos_count > ARRAY_MOST)
		r->failed = true;
	for (uint32_t i = 0; !r->failed && i < p->qos_count; i++)
		skip_text(r);
}

static void read_assoc(struct reader *r, slurmdb_assoc_rec_t *a, struct parts *p)
{
	uint32_t accounting = read32(r);

	if (accounting != NO_VAL && accounting != 0)
		r->failed = true;	/* nobody sends these here */
	p->account = read_text(r);
	skip_text(r);			/* cluster */
	a->def_qos_id = read32(r);
	a->flags = read16(r);
	a->shares_raw = read32(r);
	for (int i = 0; i < 3; i++)
		skip_text(r);		/* limits as texts */
	a->grp_jobs = read32(r);
	a->grp_jobs_accrue = read32(r);
	a->grp_submit_jobs = read32(r);
	a->grp_wall = read32(r);
	a->id = read32(r);
	a->is_def = read16(r);
	a->lft = read32(r);
	for (int i = 0; i < 4; i++)
		skip_text(r);		/* limits as texts */
	a->max_jobs = read32(r);
	a->max_jobs_accrue = read32(r);
	a->min_prio_thresh = read32(r);
	a->max_submit_jobs = read32(r);
	a->max_wall_pj = read32(r);
	skip_text(r);			/* parent account */
	a->parent_id = read32(r);
	p->partition = read_text(r);
	a->priority = read32(r);
	read_qos(r, p);
	a->rgt = read32(r);
	a->uid = read32(r);
	p->user = read_text(r);
}

static void read_usage(struct reader *r, slurmdb_assoc_usage_t *u, struct parts *p)
{
	u->accrue_cnt = read32(r);
	u->tres_cnt = r->failed || r->end - r->at < 4 ? 0 : get32(r->at);
	p->arrays[USED] = read_used(r);
	p->arrays[RUNNING] = read_used(r);
	u->grp_used_wall = read_double(r);
	u->fs_factor = read_double(r);
	u->level_shares = read32(r);
	u->shares_norm = read_double(r);
	u->usage_efctv = read_number(r);
	u->usage_norm = read_number(r);
	u->usage_raw = read_number(r);
	read_usages(r, p);
	u->used_jobs = read32(r);
	u->used_submit_jobs = read32(r);
	u->level_fs = read_number(r);
	if (read32(r) != NO_VAL)
		skip_text(r);		/* valid QOS */
}

static void read_limits_by_tres(struct reader *r, struct parts *p)
{
	p->arrays[GRP_MINS] = read_limits(r);
	p->arrays[GRP_RUN_MINS] = read_limits(r);
	p->arrays[GRP] = read_limits(r);
	p->arrays[MAX_MINS] = read_limits(r);
	read_array(r);			/* running minutes at most: nothing uses them */
	p->arrays[MAX] = read_limits(r);
	read_array(r);			/* per node */
}

/* ---- in one piece -------------------------------------------------------------------------- */

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static char *put_text(char **room, const char *text)
{
	char *at = *room;
	size_t size = text_size(text);

	if (!text)
		return NULL;
	memcpy(at, text, size);
	*room += size;
	return at;
}

static uint64_t *put_array(uint64_t **room, const struct array *a)
{
	uint64_t *at = *room;

	if (a->count == 0)
		return NULL;
	for (uint32_t i = 0; i < a->count; i++)
		at[i] = get64(a->bytes + 8 * (size_t)i);
	*room += a->count;
	return at;
}

static long double *put_usages(struct whole *w, struct parts *p)
{
	long double *at = (void *)(w + 1);

	for (uint32_t i = 0; i < p->usage_count; i++)
		at[i] = read_number(&p->usage_by_tres);
	return p->usage_count > 0 ? at : NULL;
}

static struct whole *join(const slurmdb_assoc_rec_t *assoc, const slurmdb_assoc_usage_t *usage,
			  struct parts *p)
{
	size_t counts = 0, texts = text_size(p->account) + text_size(p->user) +
				   text_size(p->partition);
	uint64_t *numbers, *arrays[ARRAYS];
	struct whole *w;
	char *room;

	for (int i = 0; i < ARRAYS; i++)
		counts += p->arrays[i].count;
	w = mem_alloc(sizeof(*w) + p->usage_count * sizeof(long double) + counts * 8 +
		      p->qos_count * sizeof(uint32_t) + texts, 1);
	w->assoc = *assoc;
	w->usage = *usage;
	w->usage.usage_tres_raw = put_usages(w, p);
	numbers = (void *)((char *)(w + 1) + p->usage_count * sizeof(long double));
	for (int i = 0; i < ARRAYS; i++)
		arrays[i] = put_array(&numbers, &p->arrays[i]);
	w->usage.grp_used_tres = arrays[USED];
	w->usage.grp_used_tres_run_secs = arrays[RUNNING];
	w->assoc.grp_tres_mins_ctld = arrays[GRP_MINS];
	w->assoc.grp_tres_run_mins_ctld = arrays[GRP_RUN_MINS];
	w->assoc.grp_tres_ctld = arrays[GRP];
	w->assoc.max_tres_mins_ctld = arrays[MAX_MINS];
	w->assoc.max_tres_ctld = arrays[MAX];
	w->qos = (uint32_t *)numbers;
	w->qos_told = p->qos_told;
	w->qos_count = p->qos_count;
	for (uint32_t i = 0; i < p->qos_count; i++) {
		const char *id = read_text(&p->qos);

		w->qos[i] = id ? (uint32_t)strtoul(id, NULL, 10) : 0;
	}
	room = (char *)(w->qos + w->qos_count);
	w->assoc.acct = put_text(&room, p->account);
	w->assoc.user = put_text(&room, p->user);
	w->assoc.partition = put_text(&room, p->partition);
	w->assoc.usage = &w->usage;
	w->assoc.assoc_next = &made_here;
	return w;
}

/* NULL, and nothing is taken: these bytes are not as we know them. */
static struct whole *unpack(struct buffer *buffer)
{
	const unsigned char *head = (const unsigned char *)buffer->head;
	struct reader r = { head + buffer->processed, head + buffer->size, false };
	slurmdb_assoc_rec_t assoc = { .id = 0 };
	slurmdb_assoc_usage_t usage = { .accrue_cnt = 0 };
	struct parts parts;
	struct whole *w;

	if (buffer->magic != BUFFER_MAGIC || buffer->processed > buffer->size)
		return NULL;
	read_assoc(&r, &assoc, &parts);
	read_usage(&r, &usage, &parts);
	read_limits_by_tres(&r, &parts);
	if (r.failed)
		return NULL;
	w = join(&assoc, &usage, &parts);
	buffer->processed = (uint32_t)(r.at - head);
	return w;
}

/* ---- the same as the library's? ------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* OURS is NULL if THEIRS says nothing: 0 of use, no limit. */
static bool same_array(const uint64_t *ours, const uint64_t *theirs, uint32_t count, bool limits)
{
	if (ours && theirs)
		return memcmp(ours, theirs, count * sizeof(*ours)) == 0;
	for (uint32_t i = 0; theirs && i < count; i++) {
		if (limits ? theirs[i] != INFINITE64 && theirs[i] != NO_VAL64 : theirs[i] != 0)
			return false;
	}
	return !ours;
}

static bool same_limits(const slurmdb_assoc_rec_t *a, const slurmdb_assoc_rec_t *b, uint32_t n)
{
	return a->grp_jobs == b->grp_jobs && a->grp_jobs_accrue == b->grp_jobs_accrue &&
	       a->grp_submit_jobs == b->grp_submit_jobs && a->grp_wall == b->grp_wall &&
	       a->max_jobs == b->max_jobs && a->max_jobs_accrue == b->max_jobs_accrue &&
	       a->max_submit_jobs == b->max_submit_jobs && a->max_wall_pj == b->max_wall_pj &&
	       same_array(a->grp_tres_ctld, b->grp_tres_ctld, n, true) &&
	       same_array(a->grp_tres_mins_ctld, b->grp_tres_mins_ctld, n, true) &&
	       same_array(a->grp_tres_run_mins_ctld, b->grp_tres_run_mins_ctld, n, true) &&
	       same_array(a->max_tres_ctld, b->max_tres_ctld, n, true) &&
	       same_array(a->max_tres_mins_ctld, b->max_tres_mins_ctld, n, true);
}

static bool same_usage(const slurmdb_assoc_usage_t *a, const slurmdb_assoc_usage_t *b)
{
	for (uint32_t i = 0; b->usage_tres_raw && i < b->tres_cnt; i++) {
		if ((a->usage_tres_raw ? a->usage_tres_raw[i] : 0) != b->usage_tres_raw[i])
			return false;
	}
	return a->tres_cnt == b->tres_cnt && a->accrue_cnt == b->accrue_cnt &&
	       a->grp_used_wall == b->grp_used_wall && a->fs_factor == b->fs_factor &&
	       a->level_shares == b->level_shares && a->shares_norm == b->shares_norm &&
	       a->usage_efctv == b->usage_efctv && a->usage_norm == b->usage_norm &&
	       a->usage_raw == b->usage_raw && a->level_fs == b->level_fs &&
	       a->used_jobs == b->used_jobs && a->used_submit_jobs == b->used_submit_jobs &&
	       same_array(a->grp_used_tres, b->grp_used_tres, b->tres_cnt, false) &&
	       same_array(a->grp_used_tres_run_secs, b->grp_used_tres_run_secs, b->tres_cnt, false);
}

static bool same_qos(const slurmdb_assoc_rec_t *a, const slurmdb_assoc_rec_t *b)
{
	uint32_t ours[64], theirs[64], our_count, their_count;

	return unpack_qos_ids(a, ours, 64, &our_count) ==
		       unpack_qos_ids(b, theirs, 64, &their_count) &&
	       our_count == their_count && memcmp(ours, theirs, our_count * sizeof(*ours)) == 0;
}

static bool same_assoc(const slurmdb_assoc_rec_t *a, const slurmdb_assoc_rec_t *b)
{
	return b->usage && a->id == b->id && a->parent_id == b->parent_id && a->lft == b->lft &&
	       a->rgt == b->rgt && a->uid == b->uid && a->is_def == b->is_def &&
	       a->flags == b->flags && a->shares_raw == b->shares_raw &&
	       a->priority == b->priority && a->def_qos_id == b->def_qos_id &&
	       a->min_prio_thresh == b->min_prio_thresh && same_text(a->acct, b->acct) &&
	       same_text(a->user, b->user) && same_text(a->partition, b->partition) &&
	       same_usage(a->usage, b->usage) && same_limits(a, b, b->usage->tres_cnt) &&
	       same_qos(a, b);
}

/* ---- in the place of the library's --------------------------------------------------------- */

static struct {
	int (*unpack)(void **object, uint16_t protocol, struct buffer *buffer);
	void (*destroy)(void *object);
} library;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

/* Associations are loaded by one thread at a time. */
static unsigned trials;			/* that went well; TRIALS: trusted */
static bool distrusted;
static unsigned destroyed;		/* of the library's, through our function */

static void find_library(void)
{
	library.unpack = (int (*)(void **, uint16_t, struct buffer *))
		dlsym(RTLD_NEXT, "slurmdb_unpack_assoc_rec_with_usage");
	library.destroy = (void (*)(void *))dlsym(RTLD_NEXT, "slurmdb_destroy_assoc_rec");
	if (!library.unpack || !library.destroy || sizeof(void *) != 8 ||
	    slurm_api_version() >> 16 != LIBRARY_2205)
		distrusted = true;
}

/*
 * What is cut short the library throws away, by a call that has to come to our function: else it
 * would throw away our associations as if they were its own.
 */
static bool destroys_by_us(uint16_t protocol, const struct buffer *buffer, uint32_t end)
{
	struct buffer cut = *buffer;
	unsigned before = destroyed;
	void *object = NULL;

	cut.size = end - 1;
	return library.unpack(&object, protocol, &cut) != SLURM_SUCCESS && destroyed == before + 1;
}

/* Unpacks as the library does, and sees whether we would have come to the same. */
static int try_both(void **object, uint16_t protocol, struct buffer *buffer)
{
	struct buffer before = *buffer, after = *buffer;
	struct whole *w = unpack(&after);
	bool same = w && (trials > 0 || destroys_by_us(protocol, &before, after.processed));
	int rc = library.unpack(object, protocol, buffer);

	if (same && rc == SLURM_SUCCESS && after.processed == buffer->processed &&
	    same_assoc(&w->assoc, *object))
		trials++;
	else
		distrusted = true;
	mem_free(w);
	return rc;
}

int slurmdb_unpack_assoc_rec_with_usage(void **object, uint16_t protocol, struct buffer *buffer)
{
	struct whole *w;

	pthread_once(&library_once, find_library);
	if (!library.unpack)
		return SLURM_ERROR;
	if (distrusted || protocol != PROTOCOL_2205)
		return library.unpack(object, protocol, buffer);
	if (trials < TRIALS)
		return try_both(object, protocol, buffer);
	w = unpack(buffer);
	if (!w)
		return library.unpack(object, protocol, buffer);
	*object = &w->assoc;
	return SLURM_SUCCESS;
}

void slurmdb_destroy_assoc_rec(void *object)
{
	pthread_once(&library_once, find_library);
	if (object && is_ours(object)) {
		mem_free(object);
		return;
	}
	destroyed++;
	if (library.destroy)
		library.destroy(object);
}

#endif
