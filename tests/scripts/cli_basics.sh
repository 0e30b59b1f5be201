#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line from outside: help and version, what is refused, the form and exit status of
# errors, and that standard output has only the answer. Needs no cluster.

: "${srcdir:?}"
# Not in memory, where set-user-ID programs may be disallowed.
TMPDIR=/tmp
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data/cli

# run ARGUMENT...: sets status; the output is in $work/out and $work/err
run()
{
	"$fairtop" "$@" > "$work/out" 2> "$work/all" < /dev/null
	status=$?
	# The note about a source's precision is neither an answer nor an error.
	grep -v '^fairtop: precision: ' "$work/all" > "$work/err"
}

# refused STATUS REGEX ARGUMENT...: exit STATUS, one line on standard error, nothing else
refused()
{
	expected=$1 regex=$2
	shift 2
	run "$@"
	problem=''
	[ $status -eq "$expected" ] || problem="exit $status instead of $expected;"
	[ ! -s "$work/out" ] || problem="$problem writes to standard output;"
	[ "$(wc -l < "$work/err")" -eq 1 ] || problem="$problem not one line of error;"
	grep -q -E "^fairtop: $regex" "$work/err" || problem="$problem says $(cat "$work/err")"
	verdict "refused: $*" "$problem"
}

# answers REGEX ARGUMENT...: exit 0, nothing on standard error, a line that matches
answers()
{
	regex=$1
	shift
	run "$@"
	problem=''
	[ $status -eq 0 ] || problem="exit $status;"
	[ ! -s "$work/err" ] || problem="$problem complains: $(cat "$work/err");"
	grep -q -E -e "$regex" "$work/out" || problem="$problem no line like $regex"
	verdict "answers: $*" "$problem"
}

answers '^fairtop [0-9]+\.[0-9]+' --version
answers '^screen: ncurses [0-9]' --version
answers '^recording: SQLite 3\.' --version
FAIRTOP_LIBEXEC=/nonexistent answers '^slurm: .*helper: not (installed|built)' --version
answers '^  accounts ' --help
answers '^  explain ' help
answers '--filter EXPRESSION' help accounts
answers '<Down> j  down' help keys
answers 'k=unknown' help filter
answers '^  effective_ratio ' help columns
answers '^  ground.cursor ' help themes
answers '^  shares:PATH ' help edits
answers '^  fairtop demo ' help demo
answers '^  r_l ' help terms
answers '^  ssh:HOST/SOURCE ' help source
answers 'ssh:login/slurm' help sources
answers '^  --format csv ' help formats
answers '^  130 ' help format
answers 'fairtop help source, formats, ' help
answers '--filter EXPRESSION' accounts --help
answers '^Usage:' explain --nonsense -h
answers '^/biology ' accounts "$data/depthobl.snapshot" --filter 'depth=1' --columns path,F,rank
answers '^/physics' accounts "$data/../cli/depthobl.snapshot" --sort -usage
answers '^path,usage_ratio' accounts "$data/depthobl.snapshot" --format csv --columns path,r
answers 'DEPTH_OBLIVIOUS +yes' policy "$data/depthobl.snapshot"
answers '^\{"fairtop-snapshot":1' snapshot demo
answers '^S .*equal' verify "$data/depthobl.snapshot"
answers '^F += 2 \^ -' explain "$data/depthobl.snapshot" /physics/hep
answers '^F +2 \^ -' explain "$data/depthobl.snapshot" account:cms --columns name,formula

# With nothing to compare one line says so, and there is no table without rows.
"$fairtop" verify demo > "$work/out" 2> "$work/err"
status=$?
verdict 'verify of what reports nothing is one line that says so' \
	"$([ $status -eq 4 ] || echo "exit $status;" && cat "$work/out" &&
		grep -v '^fairtop: demo: .* no results of the scheduler to compare with$' "$work/err")"
refused 2 'seek: OBJECT is missing' seek
refused 2 'nonsense: ' nonsense
refused 2 'nonsense: no such verb' help nonsense
refused 2 'job: no such verb and no such source \(did you mean jobs' job demo
refused 2 'demo: history needs a recording' history demo
refused 2 'demo:2: history needs a recording' history demo:2 /physics
refused 2 'verfy: no such verb \(did you mean verify\?\)' help verfy
refused 2 '--nonsense: no such option' accounts --nonsense
refused 2 '--colums: no such option \(did you mean columns\?\)' accounts --colums path
refused 2 '--format xml: unknown \(expected table, json or csv\)' accounts demo --format xml
refused 2 'usge: no such column \(did you mean usage\?\)' accounts demo --columns path,usge
refused 2 'sort: usge: no such column' accounts demo --sort usge
refused 2 'filter: usge: no such column' accounts demo --filter 'usge>1'
refused 2 'filter .*: \) is missing' accounts demo --filter '(depth=1'
refused 2 '.*/missing.snapshot: ' accounts "$work/missing.snapshot"
refused 2 'explain: OBJECT is missing' explain demo
refused 2 '.*biologi.*biology' explain demo account:biologi
refused 2 'class:4000000000: there are [0-9]+ classes, counted from 0' explain demo class:4000000000
refused 2 'queue:norml: no such queue \(did you mean' explain demo queue:norml
refused 2 '--format: needs --render' demo --format svg
refused 2 '.*no-such.conf' accounts slurm:"$work/no-such.conf"

# A file that ends too early is named with its last line.
head -n 40 "$data/depthobl.snapshot" > "$work/cut.snapshot"
refused 2 '.*cut\.snapshot:4[01]: ' accounts "$work/cut.snapshot"
sed '20s/.*/{"assoc":{/' "$data/depthobl.snapshot" > "$work/bad.snapshot"
refused 2 '.*bad\.snapshot:20: ' accounts "$work/bad.snapshot"

# The same from standard input.
"$fairtop" accounts - --format csv < "$data/fairtree.snapshot" > "$work/a" 2> "$work/err"
"$fairtop" accounts "$data/fairtree.snapshot" --format csv > "$work/b" 2> "$work/err"
verdict "standard input is a source" "$(cmp "$work/a" "$work/b" 2>&1)"

# A snapshot of a snapshot is the same text.
"$fairtop" snapshot "$data/fairtree.snapshot" > "$work/a" 2> /dev/null
"$fairtop" snapshot "$work/a" > "$work/b" 2> /dev/null
verdict "a snapshot reads back" "$(cmp "$work/a" "$work/b" 2>&1)"

# A report has a snapshot that reads back and names nobody; an existing file is not overwritten.
"$fairtop" bug-report demo -o "$work/report" 2> "$work/err"
verdict "a report is written" "$([ $? -eq 0 ] && [ "$(grep -c '^### ' "$work/report")" -eq 5 ] &&
	grep -q '^exit status [014]$' "$work/report" || cat "$work/err" "$work/report" | head -n 5)"
sed '1,/^### snapshot/d' "$work/report" > "$work/a"
verdict "its snapshot reads back" "$("$fairtop" accounts "$work/a" --format csv 2>&1 > "$work/b"
	[ "$(wc -l < "$work/b")" -eq "$("$fairtop" accounts demo --format csv | wc -l)" ] || echo no)"
verdict "its snapshot names nobody" "$(grep -w -m 1 -e alice -e physics -e biology "$work/a" |
	cut -c 1-200)"
refused 2 '.*report: File exists' bug-report demo -o "$work/report"
"$fairtop" bug-report "$data/none.snapshot" -o "$work/none" 2> "$work/err"
verdict "a source that is not there is told beside the report" "$([ $? -eq 2 ] &&
	grep -q 'none.snapshot: No such file' "$work/err" && grep -q '^exit status 2;' "$work/none" ||
	cat "$work/err" "$work/none")"

# As a set-user-ID program: programs from PATH and FAIRTOP_SSH are not started, and those that are
# get none of fairtop's or the loader's variables. Skipped if the file system or kernel does not
# allow such programs.
if [ "$(id -u)" -eq 0 ] && cp "$(command -v id)" "$work/id" && chown nobody "$work/id" &&
	chmod 755 "$work" && chmod 4755 "$work/id" && [ "$("$work/id" -u)" = "$(id -u nobody)" ] &&
	cp "$fairtop" "$work/other" && chown nobody "$work/other"; then
	printf '#!/bin/sh\necho started >&2\n' > "$work/ssh"
	printf '#!/bin/sh\nenv >&2\n' > "$work/show"
	chmod 755 "$work/ssh" "$work/show"
	for mode in 0755 4755; do
		chmod $mode "$work/other"
		PATH=$work:$PATH FAIRTOP_SSH=$work/ssh "$work/other" accounts \
			ssh:fairtop.invalid/demo > "$work/$mode" 2>&1
		LD_A=$work LD_LIBRARY_PATH=$work FAIRTOP_A=$work "$work/other" watch demo --once \
			--exec "$work/show" --rule 'a: source state=up' > "$work/env$mode" 2>&1
	done
	verdict "PATH is not believed when the ids differ" "$(grep -q started "$work/0755" &&
		! grep -q started "$work/4755" || cat "$work/0755" "$work/4755")"
	verdict "nor are the loader's variables and ours handed on" "$([ "$(grep -c -x \
		-e 'LD_A=.*' -e 'LD_LIBRARY_PATH=.*' -e 'FAIRTOP_A=.*' "$work/env0755")" -eq 3 ] ||
		cat "$work/env0755"
		grep -e '^LD_' -e '^FAIRTOP_A=' "$work/env4755"
		grep -q -x PATH=/usr/sbin:/usr/bin:/sbin:/bin "$work/env4755" || cat "$work/env4755")"
else
	echo "skip programs with other ids: not root, or not here"
fi

# Views of the past and of simulations do not say "now", except for the key that goes there.
for keys in '{' '{3' '{4' '{5' '{e' '{jj' '{jjO' '{6' '{2<Enter>' '{3<Enter>' '{2jjO' \
	'{w' '{jR0.5<Enter>' '{D<Enter>' '7<Enter>'; do
	verdict "$keys is not now" "$("$fairtop" demo:1,speed=0,jobs=40 --render 150x50 --keys "$keys" |
		sed 's/= now//' | grep -w now)"
done
exit $failed
