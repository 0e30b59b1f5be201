/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anything: clusters with every field of every table set to anything that it may hold.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_ANYTHING_H
#define FAIRTOP_TESTS_SUPPORT_ANYTHING_H

#include <stdint.h>

#include "core/cluster/cluster.h"

/*
 * Up to ROWS rows a table. HIDDEN: the usage of some accounts is unknown though their users' is
 * known.
 */
struct cluster *anything_new(uint64_t seed, uint32_t rows, bool hidden);

#endif
