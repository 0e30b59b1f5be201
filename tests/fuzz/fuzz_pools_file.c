/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An untrusted pools file: it is read, or refused with a message that names it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tui/base/pools_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pools_config config;
	struct err err = { 0 };

	if (!pools_file_parse("f", (const char *)data, size, &config, &err) &&
	    (err.code != ERR_INPUT || strncmp(err.message, "f:", 2) != 0))
		abort();
	for (size_t i = 0; i < config.queue_count; i++) {
		if (config.queues[i].pool != POOLS_NONE &&
		    (config.queues[i].pool >= config.pool_count || config.queues[i].share < 1 ||
		     config.queues[i].share > 100))
			abort();
	}
	pools_config_free(&config);
	return 0;
}
