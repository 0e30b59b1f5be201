# SPDX-License-Identifier: GPL-2.0-or-later
# Turns the octal bytes that `od -An -v -t o1 FILE` prints into a C source with the array `const
# char SYMBOL[]` (ended by a zero byte) and its length `const size_t SYMBOL_len`. Called with -v
# symbol=SYMBOL. It is a string of octal escapes, since the compiler reads that faster than a list
# of numbers, and bytes above 127 need no cast.

BEGIN {
	printf "/* Made by tools/embed.awk. */\n#include <stddef.h>\n\n"
	printf "extern const char %s[];\nextern const size_t %s_len;\n\n", symbol, symbol
	printf "const char %s[] =\n", symbol
}

NF > 0 {
	printf "\t\""
	for (i = 1; i <= NF; i++)
		printf "\\%s", $i
	printf "\"\n"
	total += NF
}

END {
	if (total == 0)
		printf "\t\"\"\n"
	printf ";\nconst size_t %s_len = %d;\n", symbol, total
}
