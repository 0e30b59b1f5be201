/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_memo: what became of a text, by its handle. A queue of a million jobs has some thousand
 * distinct selects and resources: each is put into its one spelling once.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_MEMO_H
#define FAIRTOP_CORE_CLASSES_CLASS_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_memo_entry {
	uint32_t handle;		/* 0: the slot is empty */
	uint32_t id;			/* of the text in its one spelling */
	uint32_t component;		/* UINT32_MAX: it does not count */
};

struct class_memo {
	struct class_memo_entry *slots;	/* open addressing; size is a power of two, or 0 */
	size_t size, count;
};

/*
 * The entry of HANDLE (not 0), valid until the next call; *IS_NEW: it was not there, and its
 * members are the caller's to set.
 */
struct class_memo_entry *class_memo_get(struct class_memo *m, uint32_t handle, bool *is_new);
void class_memo_free(struct class_memo *m);	/* of a memo that is all zero, too */

#endif
