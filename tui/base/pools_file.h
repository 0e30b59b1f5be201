/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pools_file: queue pools for a cluster that has none (--pools FILE).
 *
 * Commands of fairtop's own language, one a line:
 *
 *	pool NAME [max-slots=N] [use-priority=yes|no] [strict=yes|no]
 *	queue NAME [pool=NAME share=PERCENT] [priority=N] [limit=SLOTS]
 *	set hist-hours N		set grouped yes|no
 *
 * A queue is a partition of Slurm or a queue of PBS or LSF; a pool stands above its queues. The
 * order of queues that are equal otherwise is the scheduler's.
 */
#ifndef FAIRTOP_TUI_BASE_POOLS_FILE_H
#define FAIRTOP_TUI_BASE_POOLS_FILE_H

#include "core/pools/pools.h"

/*
 * ERR_INPUT with "FILE:LINE: ..." for what is not understood. CONFIG is the caller's to free,
 * after a failure, too.
 */
bool pools_file_parse(const char *file, const char *text, size_t length,
		      struct pools_config *config, struct err *err);
bool pools_file_read(const char *file, struct pools_config *config, struct err *err);

#endif
