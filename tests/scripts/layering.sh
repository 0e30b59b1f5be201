#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The layers, proved by the linker and by the #include lines: what core may call, that it keeps
# no state, who may include whom, the one file that knows curses, the one that waits, and that
# no program but the helper needs libslurm. One line "ok RULE" or "not ok RULE: why" per rule.
#
# Run by `make check` in the build directory, with srcdir, NM and SANITIZE in the environment.
# The calls of core are checked with -O2, as shipped: without, compilers call functions that they
# otherwise inline.

: "${srcdir:?}" "${NM:=nm}"
failed=0

# verdict RULE OFFENDERS: ok if there are none
verdict()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		failed=1
		echo "not ok $1: $(echo "$2" | paste -s -d ' ')"
	fi
}

# --- what core calls -----------------------------------------------------------------------

# Memory and strings, numbers from and to text, sorting, mathematics, aborting. Nothing that
# reads a file, a clock, the locale (the ctype functions do) or the environment, nothing that
# prints, no threads, no long jumps, no unbounded copies. PCRE2 does none of it either.
core_may_call='
	mem(cpy|move|set|cmp|chr)(_chk)? str(n?len|n?cmp|r?chr|str|c?spn|pbrk)
	v?snprintf(_chk)? (isoc[0-9]+_)?strto(d|ld|f|l|ll|ul|ull) errno_location
	malloc calloc realloc free qsort bsearch abort assert_fail
	(log|log2|log10|log1p|exp|exp2|expm1|pow|sqrt|cbrt|floor|ceil|trunc|round|rint)[fl]?
	(nearbyint|l?lround|l?lrint|fabs|fmod|fmin|fmax|fma|ldexp|scalbn|frexp|modf)[fl]?
	(a?(cos|sin|tan)h?|atan2|copysign)[fl]?
	(ilogb|logb|nextafter|hypot|isnan|isinf|finite|signbit|fpclassify)[fl]?
	pcre2_[a-z_]+_8'
# Calls that compilers add: bcmp for memcmp, stack protection, libgcc.
compilers_call='
	bcmp __stack_chk_fail _GLOBAL_OFFSET_TABLE_ __(u?div|u?mod|mul|u?divmod)[a-z]?[td]i[34]'
sanitizers_call='__(asan|ubsan|tsan|lsan|sanitizer|fuzzer)_'

# any_of PATTERN...: one extended regular expression
any_of()
{
	printf '%s\n' "$@" | paste -s -d '|'
}

# shellcheck disable=SC2086 # lists of patterns; set -f keeps them patterns
core_allowed()
{
	set -f
	echo "^((__)?($(any_of $core_may_call))|$(any_of $compilers_call))\$"
	[ -z "$SANITIZE" ] || echo "^$sanitizers_call"
	set +f
}

# --- reading the trees ---------------------------------------------------------------------

# includes DIRECTORY...: prints "file header" for every #include, with the brackets or quotes
includes()
{
	for dir; do
		[ -d "$srcdir/$dir" ] || continue
		find "$srcdir/$dir" -name '*.[ch]' -exec awk -v top="$srcdir/" '
			match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]*[">]/) {
				header = substr($0, RSTART, RLENGTH)
				sub(/^[^"<]*/, "", header)
				print substr(FILENAME, length(top) + 1), header
			}' {} +
	done
}

# without REGEX: prints the "file header" lines whose header does not match, as "file:header"
without()
{
	awk -v allowed="$1" '$2 !~ allowed { print $1 ":" $2 }'
}

# --- the rules -----------------------------------------------------------------------------

case "$(cat gen/flags.core) " in
*' -O2 '*)
	core_allowed > gen/core.allowed
	$NM --defined-only libfaircore.a | awk 'NF == 3 { print $3 }' | sort -u > gen/core.defined
	verdict "core calls only what it may" "$($NM -u libfaircore.a | awk 'NF == 2 { print $2 }' |
		sed 's/@.*//' | sort -u | comm -23 - gen/core.defined |
		grep -v -E -f gen/core.allowed)"
	;;
*)
	echo "skip core calls only what it may: not compiled by -O2"
	;;
esac
# Sections .data and .bss; constant tables are in .rodata and .data.rel.ro.
[ -n "$SANITIZE" ] ||
	verdict "core keeps no state" "$(objdump -t libfaircore.a |
		awk '/ O \.(data|bss|tdata|tbss)/ && !/\.data\.rel\.ro/ { print $NF }')"

verdict "core includes only core" \
	"$(includes core | without '^("core/|"config\\.h"|<)')"
verdict "adapters include no screen" \
	"$(includes adapters | grep -E ' "(tui|cli)/| <n?curses' | tr ' ' ':')"
# docgen is not part of the program: it prints the tables of all layers.
verdict "the screen sees adapters only through their contract" \
	"$(includes tui cli | grep ' "adapters/' | grep -v '^cli/docgen/' |
		without '^"adapters/(adapter|sandbox(_calls)?|registry/apart|serve|clock|slice|collector|turns|snapshot/snapshot|store/(store|anonymize)|postgres/postgres|import/import|lsf/dispatch_log|slurm/parse_conf)\\.h"$')"
verdict "libslurm only in its helper" \
	"$(includes core adapters tui cli | grep ' <slurm/' | grep -v '^adapters/slurm/helper/' |
		tr ' ' ':')"
verdict "sqlite only in the store" \
	"$(includes core adapters tui cli | grep ' <sqlite3' | grep -v '^adapters/store/' | tr ' ' ':')"

verdict "libpq only in its directory" \
	"$(includes core adapters tui cli | grep ' <libpq' | grep -v '^adapters/postgres/' | tr ' ' ':')"
verdict "PCRE2 only in the directory of the filter" \
	"$(includes core adapters tui cli | grep ' <pcre2' | grep -v '^core/table/' | tr ' ' ':')"

curses=$(includes core adapters tui cli | grep -E ' <(ncursesw/)?n?curses\.h>' | cut -d ' ' -f 1 |
	sort -u)
verdict "only tui/cells/term.c includes curses" "$(echo "$curses" | grep -v -x tui/cells/term.c)"

# A poll with a deadline of zero does not wait. Reading a key could, but only term.c can (the rule
# above), and it reads without delay.
verdict "only tui/screen/loop.c waits" "$(cd "$srcdir" && find tui cli -name '*.c' ! -path tui/screen/loop.c \
	-exec grep -E '\<(p?poll|p?select|epoll_p?wait2?|(nano|u|clock_nano)?sleep) ?\(' /dev/null {} + |
	grep -v -E '\<poll\([^()]*, 0\)')"

verdict "only adapters/clock.c reads the clock" "$(cd "$srcdir" &&
	find core adapters tui cli -name '*.c' ! -path adapters/clock.c -exec grep -E \
		'\<(clock_get|get)?time(ofday)?\((NULL|&|CLOCK_)' /dev/null {} +)"

# The program starts without libslurm; the helper needs no terminal.
for rule in fairtop:libslurm fairtop-slurm:curses; do
	program=${rule%%:*} library=${rule#*:}
	[ ! -x "$program" ] ||
		verdict "$program does without $library" "$(ldd "$program" | grep -F "$library")"
done

exit $failed
