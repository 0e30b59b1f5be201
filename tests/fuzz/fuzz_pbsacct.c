/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The importer of logs: PBS accounting. */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_import(&import_pbs, data, size);
}
