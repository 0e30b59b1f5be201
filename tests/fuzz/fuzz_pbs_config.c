/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_config; after a line "holidays" the file that selects prime or non-prime settings. */
#include "tests/fuzz/pbs_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "\nholidays\n";
	const uint8_t *at = size > 0 ? memmem(data, size, mark, sizeof(mark) - 1) : NULL;
	static const enum pbs_text_kind kinds[] = { PBS_CONFIG };
	struct pbs_text holidays = { "holidays", NULL, 0, NULL, true };
	int result;

	if (at) {
		holidays.length = size - (size_t)(at - data) - (sizeof(mark) - 1);
		holidays.text = malloc(holidays.length + 1);
		if (!holidays.text)
			abort();
		memcpy(holidays.text, at + sizeof(mark) - 1, holidays.length);
		holidays.text[holidays.length] = '\0';
		size = (size_t)(at - data) + 1;
	}
	result = fuzz_pbs_texts(kinds, sizeof(kinds) / sizeof(kinds[0]), data, size, PBS_HOLIDAYS,
				&holidays);
	free(holidays.text);
	return result;
}
