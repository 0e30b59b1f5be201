#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The order of the directories, proved by the link graph and by the #include lines: a directory takes
# names and headers only from itself and from directories below it, those of one floor take nothing
# from each other, and files that need each other in a circle are one module, whose header says so:
#
#	 * One module of several files: NAME NAME ...
#
# (the names of its .c files without .c; such a line without a circle is a fault, too). No two files
# of different directories have one name, except the same part of different adapters.
#
# Run by `make check` and `make lint` in the build directory, with srcdir and NM in the environment.

: "${srcdir:?}" "${NM:=nm}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

# From the bottom up; a line is a floor. Directories below a directory count by themselves.
floors='
core/base
core/cluster core/table
core/share
core/queue
core/classes
core/pools core/verify
core/whatif
core/replay core/lint
core/sim core/watch core/fleet
core/why
adapters
adapters/snapshot
adapters/slurm adapters/pbs adapters/lsf
adapters/slurm/helper adapters/import adapters/demo adapters/store adapters/ssh
adapters/postgres
adapters/registry
tui/base
tui/cells
tui/rows
tui/whatif
tui/time
tui/panes
tui/acts
tui/screen
cli
cli/docgen'

# Directories that still use one above them, and files that are still in a circle. Each that no
# longer is must leave the list. A line that begins with a tab goes on with the one before.
known_upward=''
known_circles=''

known_names=''

mkdir -p gen
echo "$floors" | awk '{ for (i = 1; i <= NF; i++) print $i, NR }' > gen/floors

# --- what is linked ------------------------------------------------------------------------

# "FILE T NAME" for a name that an object defines (W: weakly), "FILE U NAME" for one that it takes
symbols()
{
	# shellcheck disable=SC2046 # a list of names without blanks
	$NM -A -g $(cat gen/list.core gen/list.adapters gen/list.tui gen/list.cli |
		tr ' ' '\n' | grep -v '^gen/') $(cd "$srcdir" &&
		find cli/main.c cli/docgen adapters/slurm/helper -name '*.c' | sed 's/c$/o/' |
		while read -r o; do [ ! -f "$OLDPWD/$o" ] || echo "$o"; done) |
		awk '{ sub(/\.o:/, " ") } $2 == "U" { print $1, $2, $3 }
			NF == 4 { print $1, $3 == "W" ? "W" : "T", $4 }'
}

# "FILE FILE NAME": the first takes the name from the second. What may be said otherwise above (W)
# is taken from below. main is in several programs.
symbols | awk '$2 == "W" { weak[$3] }
	$2 == "W" || ($2 == "T" && $3 != "main" && !($3 in weak)) { from[$3] = $1 }
	$2 == "U" { taker[++n] = $1; name[n] = $3 }
	END {
		for (i = 1; i <= n; i++)
			if (name[i] in from && from[name[i]] != taker[i])
				print taker[i], from[name[i]], name[i]
	}' | sort > gen/links

# --- what is included ----------------------------------------------------------------------

(cd "$srcdir" && grep -H -o -E '^[ 	]*#[ 	]*include[ 	]*"(core|adapters|tui|cli)/[^"]*"' \
	-r --include='*.[ch]' core adapters tui cli) |
	sed 's/:.*"\(.*\)"/ \1 #include/' | sort > gen/includes

# upward FILE: "DIR>DIR FILE FILE NAME" for each line of FILE that goes up or sideways
upward()
{
	awk 'function dir(file) { sub(/\/[^\/]*$/, "", file); return file }
		NR == FNR { floor[$1] = $2; next }
		{ a = dir($1); b = dir($2) }
		!(a in floor) { print "no-floor>" a, $0; next }
		!(b in floor) { print "no-floor>" b, $0; next }
		a != b && floor[b] >= floor[a] { print a ">" b, $0 }' gen/floors "$1"
}

{ upward gen/links; upward gen/includes; } | sort > gen/upward
for known in $known_upward; do
	verdict "known: $known" "$(grep -q "^$known " gen/upward || echo 'is no more: take it off the list')"
done
verdict "each directory uses only those below it" "$(awk -v known="$known_upward" '
	BEGIN { n = split(known, k); for (i = 1; i <= n; i++) is_known[k[i]] = 1 }
	!($1 in is_known) { print $2 " takes " $4 " from " $3 ";" }' gen/upward)"

# --- circles -------------------------------------------------------------------------------

# Tarjan: "FILE FILE ..." for each strongly connected part of more than one file
circles()
{
	awk 'function visit(v,    i, w, count, part) {
			number[v] = low[v] = ++numbers
			stack[++depth] = v
			on[v] = 1
			for (i = 1; i <= degree[v]; i++) {
				w = next_of[v, i]
				if (!(w in number)) {
					visit(w)
					if (low[w] < low[v])
						low[v] = low[w]
				} else if (on[w] && number[w] < low[v]) {
					low[v] = number[w]
				}
			}
			if (low[v] != number[v])
				return
			do {
				w = stack[depth--]
				on[w] = 0
				part = part " " w
				count++
			} while (w != v)
			if (count > 1)
				print substr(part, 2)
		}
		!seen[$1, $2]++ { next_of[$1, ++degree[$1]] = $2 }
		END { for (v in degree) if (!(v in number)) visit(v) }' gen/links
}

# "FILE FILE ...": what the headers say
modules()
{
	(cd "$srcdir" && grep -r -E '^ \* One module of several files: ' --include='*.h' \
		core adapters tui cli) | awk '{
			sub(/[^\/]*\.h: \* One module of several files:/, "")
			for (i = 2; i <= NF; i++)
				$i = $1 $i
			sub(/^[^ ]* /, "")
			print
		}'
}

circles > gen/circles
{ modules; echo "$known_circles" | sed -e ':a' -e '$!N' -e 's/\n\t/ /' -e 'ta' -e 'P' -e 'D' |
	grep .; } > gen/modules
# A circle is all of the files of one line, or some of them: then a file is named in vain.
verdict "files in a circle are one module and say so" "$(awk '
	NR == FNR { for (i = 1; i <= NF; i++) { home[$i] = NR; listed[$i] } next }
	{
		bad = !($1 in home)
		for (i = 1; i <= NF; i++) {
			if (home[$i] != home[$1])
				bad = 1
			delete listed[$i]
		}
		if (bad)
			print "(" $0 ")"
	}
	END { for (f in listed) print f " is said to be in a circle, and is in none;" }' \
	gen/modules gen/circles)"

# --- names ---------------------------------------------------------------------------------

# An adapter counts as one directory; its parts may have names that another adapter has, too.
verdict "no file has the name of one in another directory" "$(cd "$srcdir" &&
	find core adapters tui cli -name '*.[ch]' | sort | awk -v known="$known_names" '
		BEGIN { n = split(known, k); for (i = 1; i <= n; i++) is_known[k[i]] = 1 }
		{
			dir = name = $0
			sub(/\/[^\/]*$/, "", dir)
			sub(/.*\//, "", name)
			if (dir ~ /^adapters\/./)
				dir = "adapters/*"
			if (name in at && at[name] != dir && name in is_known)
				met[name]
			else if (name in at && at[name] != dir)
				print name ": " at[name] ", " dir ";"
			at[name] = dir
		}
		END {
			for (name in is_known)
				if (!(name in met))
					print name " is known for nothing;"
		}')"

exit $failed
