#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The helper's comments about releases of Slurm are true for the one it is compiled against:
# "#ifdef HAVE_X	/* since 23.02 */" (or "before 25.05") agrees with configure, the table in
# compat.c with the number of the library. Skipped without libslurm.
#
# Run by `make check` in the build directory, and by .ci/versions in one for another Debian.

: "${srcdir:?}"
helper=$srcdir/adapters/slurm/helper
release=$(sed -n 's/.* compiles and links with libslurm \([0-9]*\.[0-9]*\)\..*/\1/p' config.log)
[ -n "$release" ] || { echo "no libslurm"; exit 77; }
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

sed -n 's|^#ifdef \(HAVE_[A-Z0-9_]*\)[[:space:]]*/\* \([a-z]*\) \([0-9.]*\).*|\1 \2 \3|p' \
	"$helper"/*.c > helper_versions.list
[ "$(wc -l < helper_versions.list)" -ge 8 ]
verdict "comments with a release" "$([ $? -eq 0 ] || echo 'fewer than 8 are found')"
# A macro that is not in config.h.in never gets into config.h.
for macro in $(sed -n 's/^#if.*\(HAVE_[A-Z0-9_]*\).*/\1/p' "$helper"/*.[ch] | sort -u); do
	verdict "$macro" "$(grep -q -x "#undef $macro" "$srcdir/config.h.in" ||
		echo "it is not in config.h.in")"
done
while read -r macro word when; do
	have=no claim=no
	grep -q "^#define $macro 1" config.h && have=yes
	# Both have two digits on each side.
	newer=$(printf '%s\n%s\n' "$when" "$release" | sort -n | head -n 1)
	case $word in
	since) [ "$newer" != "$when" ] || claim=yes ;;
	before) [ "$newer" = "$when" ] || claim=yes ;;
	*) claim="the word $word" ;;
	esac
	verdict "$macro $word $when, beside $release" \
		"$([ "$have" = "$claim" ] || echo "found: $have, by the comment: $claim")"
done < helper_versions.list
rm -f helper_versions.list

# { 22 << 8 | 5, 38 }: 22.05 has libslurm.so.38
number=$(sed -n 's/[{}]/\n/gp' "$helper/compat.c" | awk -v release="$release" '
	$2 == "<<" && sprintf("%d.%02d", $1, $5) == release { print $6 }')
needed=$(cat fairtop-slurm 2> /dev/null | tr -c '[:print:]' '\n' |
	sed -n 's/^libslurm\.so\.\([0-9.]*\)$/\1/p' | head -n 1)
[ -z "$needed" ] ||
	verdict "$release has libslurm.so.$number" \
		"$([ "${needed%%.*}" = "$number" ] || echo "it needs libslurm.so.$needed")"
exit "$failed"
