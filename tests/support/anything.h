/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anything: clusters in which every field of every table has a random value that it may hold.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_ANYTHING_H
#define FAIRTOP_TESTS_SUPPORT_ANYTHING_H

#include <stdint.h>

#include "core/cluster/cluster.h"

/*
 * Returns a cluster of up to ROWS rows per table. HIDDEN: the usage of some accounts is unknown
 * although that of their users is known.
 */
struct cluster *anything_new(uint64_t seed, uint32_t rows, bool hidden);

#endif
