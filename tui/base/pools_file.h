/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pools_file: queue pools for a cluster that has none (--pools FILE).
 *
 * Commands of fairtop's own language, one per line:
 *
 *	pool NAME [max-slots=N] [use-priority=yes|no] [strict=yes|no]
 *	queue NAME [pool=NAME share=PERCENT] [priority=N] [limit=SLOTS]
 *	set hist-hours N		set grouped yes|no
 *
 * A queue is a partition of Slurm or a queue of PBS or LSF; a pool precedes its queues. Queues that
 * are equal otherwise keep the scheduler's order.
 */
#ifndef FAIRTOP_TUI_BASE_POOLS_FILE_H
#define FAIRTOP_TUI_BASE_POOLS_FILE_H

#include "core/pools/pools.h"

/*
 * ERR_INPUT with "FILE:LINE: ..." for unknown text. The caller frees CONFIG, after a failure, too.
 */
bool pools_file_parse(const char *file, const char *text, size_t length,
		      struct pools_config *config, struct err *err);
bool pools_file_read(const char *file, struct pools_config *config, struct err *err);

#endif
