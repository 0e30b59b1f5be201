/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that occur repeatedly, written once.
 *
 * The writer has a slot for each hash. The first time a text is written in full; if it occurs again
 * while its slot still has its hash, it becomes a word, and its number is written from then on,
 * until another text takes the slot. So a text may have several numbers, which does no harm, and
 * one that never repeats has none.
 */
#include <string.h>

#include "adapters/store/private.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define SLOTS 65536		/* a power of two */
#define SHORTEST 3		/* bytes; for shorter texts a number is no shorter */

struct words_slot {
	uint64_t seen;		/* hash of the last other text with this slot */
	int64_t number;
	char *text;		/* NULL none */
};

struct store_words {
	struct db *db;
	sqlite3_stmt *insert;
	int64_t last;
	struct words_slot slots[SLOTS];
};

static struct words_slot *words_slot_of(struct store_words *w, uint64_t hash)
{
	return &w->slots[hash & (SLOTS - 1)];
}

static void words_take(struct words_slot *slot, const char *text, size_t length, int64_t number)
{
	mem_free(slot->text);
	slot->text = mem_strndup(text, length);
	slot->number = number;
}

/* Loads the newest words of the file, as many as there are slots. */
static bool words_load(struct store_words *w, struct err *err)
{
	sqlite3_stmt *st;
	int result;

	w->last = db_number(w->db, "SELECT max(id) FROM word", 0);
	st = db_prepare(w->db, "SELECT id, text FROM word WHERE id > ?1 ORDER BY id", err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, w->last - SLOTS);
	while ((result = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 1);
		size_t length = (size_t)sqlite3_column_bytes(st, 1);

		if (text && strlen(text) == length)
			words_take(words_slot_of(w, text_hash(text, length, 1)), text, length,
				   sqlite3_column_int64(st, 0));
	}
	sqlite3_finalize(st);
	return result == SQLITE_DONE || db_fail(w->db, "reading", err);
}

struct store_words *words_new(struct db *db, struct err *err)
{
	struct store_words *w = mem_zalloc(1, sizeof(*w));

	w->db = db;
	if (words_load(w, err))
		return w;
	words_free(w);
	return NULL;
}

void words_free(struct store_words *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		mem_free(w->slots[i].text);
	sqlite3_finalize(w->insert);
	mem_free(w);
}

static bool words_add(struct store_words *w, const char *text, size_t length)
{
	bool ok;

	if (!w->insert)
		w->insert = db_prepare(w->db, "INSERT INTO word(id, text) VALUES(?1, ?2)", NULL);
	if (!w->insert)
		return false;
	sqlite3_bind_int64(w->insert, 1, w->last + 1);
	sqlite3_bind_text(w->insert, 2, text, (int)length, SQLITE_STATIC);
	ok = sqlite3_step(w->insert) == SQLITE_DONE;
	sqlite3_reset(w->insert);
	w->last += ok;
	return ok;
}

int64_t words_number(struct store_words *w, const char *text, size_t length)
{
	uint64_t hash = text_hash(text, length, 1);
	struct words_slot *slot = words_slot_of(w, hash);

	if (slot->text && strncmp(slot->text, text, length) == 0 && !slot->text[length])
		return slot->number;
	if (length < SHORTEST)
		return 0;
	if (slot->seen != hash) {
		slot->seen = hash;
		return 0;
	}
	/* If it cannot be added, the text is written in full; a full disk is reported there. */
	if (!words_add(w, text, length))
		return 0;
	words_take(slot, text, length, w->last);
	return w->last;
}

/* ---- reading ------------------------------------------------------------------------------- */

#define KNOWN 4096		/* a power of two */

struct word_reader {
	sqlite3_stmt *select;
	struct {
		int64_t number;
		size_t length;
		char *text;
	} known[KNOWN];
};

const char *word_text(struct db *db, int64_t number, size_t *length)
{
	struct word_reader *r = db->words;
	size_t at = (size_t)number & (KNOWN - 1);
	const char *text = NULL;

	if (!r)
		r = db->words = mem_zalloc(1, sizeof(*r));
	*length = r->known[at].length;
	if (r->known[at].text && r->known[at].number == number)
		return r->known[at].text;
	if (!r->select)
		r->select = db_prepare(db, "SELECT text FROM main.word WHERE id = ?1", NULL);
	if (!r->select)
		return NULL;
	sqlite3_bind_int64(r->select, 1, number);
	if (sqlite3_step(r->select) == SQLITE_ROW)
		text = (const char *)sqlite3_column_text(r->select, 0);
	if (text) {
		*length = (size_t)sqlite3_column_bytes(r->select, 0);
		mem_free(r->known[at].text);
		r->known[at].text = mem_strndup(text, *length);
		r->known[at].number = number;
		r->known[at].length = *length;
		text = r->known[at].text;
	}
	sqlite3_reset(r->select);
	return text;
}

void word_reader_free(struct word_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < KNOWN; i++)
		mem_free(r->known[i].text);
	sqlite3_finalize(r->select);
	mem_free(r);
}
