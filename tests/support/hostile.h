/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostile: names that could break a screen: escape sequences, bidirectional controls, stacked
 * combining marks, wide characters, broken UTF-8, ten thousand characters.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_HOSTILE_H
#define FAIRTOP_TESTS_SUPPORT_HOSTILE_H

#include <stddef.h>

size_t hostile_count(void);
char *hostile_name(size_t i);		/* mem_free() it */

#endif
