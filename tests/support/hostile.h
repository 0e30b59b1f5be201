/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile: names that want to break a screen: escape sequences, marks that turn text round, marks
 * on marks, wide characters, broken UTF-8, ten thousand characters.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_HOSTILE_H
#define FAIRTOP_TESTS_SUPPORT_HOSTILE_H

#include <stddef.h>

size_t hostile_count(void);
char *hostile_name(size_t i);		/* mem_free() it */

#endif
