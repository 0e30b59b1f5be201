# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# ranks.sh - rank correlation (Spearman) of numbers in columns. Source it.

# ranks COLUMN: appends to each line of standard input the rank of its COLUMN; ties share one
ranks()
{
	sort -n -k "$1,$1" | awk -v c="$1" '
		{ line[NR] = $0; x[NR] = $c }
		END {
			for (i = 1; i <= NR; i = k) {
				for (k = i; k <= NR && x[k] == x[i]; k++);
				for (m = i; m < k; m++)
					print line[m], (i + k - 1) / 2
			}
		}'
}

# correlation FILE: the rank correlation of columns 1 and 2
correlation()
{
	ranks 1 < "$1" | ranks 2 | awk '
		{ n++; a = $(NF - 1); b = $NF; x += a; y += b; xx += a * a; yy += b * b; xy += a * b }
		END { printf "%.4f\n", (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y)) }'
}
