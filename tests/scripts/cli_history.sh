#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A history that is longer than what is kept before the answer begins: the same rows in each format
# and however many are asked for; one row for each step of time; damage in the middle.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
cd "$work" || exit 1
TZ=UTC
export TZ

demo=demo:1,accounts=6,users=10,jobs=20,step=30
"$fairtop" record $demo -o long.rec --count 300 2> err || cat err
csv()
{
	"$fairtop" history long.rec account:physics --format csv "$@" 2> err || cat err
}

# each row of a table of one object begins with its date and time
csv > rows
verdict "a row a sample" "$([ "$(wc -l < rows)" -eq 301 ] || wc -l < rows)"
verdict "the rows that are sorted are the same" "$(csv --sort time | cmp rows - 2>&1)"
verdict "the latest first" "$({ sed 1q rows; sed 1d rows | tac; } > expected
	csv --sort -time | cmp expected - 2>&1)"
verdict "a table has them, too" "$("$fairtop" history long.rec account:physics --columns \
	time,usage > out 2> err || cat err
	[ "$(grep -c '^....-..-.. ..:..:..  ' out)" -eq 300 ] || wc -l < out
	[ "$(awk '{ print length }' out | sort -u | wc -l)" -eq 1 ] || echo 'not in line')"
verdict "and JSON" "$("$fairtop" history long.rec account:physics --json > out 2> err || cat err
	[ "$(grep -c '"object":"account:physics"' out)" -eq 300 ] || wc -l < out
	[ "$(tail -c 2 out)" = '}' ] || tail -n 1 out)"
for n in 1 99 100 101 299; do
	verdict "the first $n" "$(head -n $((n + 1)) rows > expected
		csv -n "$n" | cmp expected - 2>&1)"
done
verdict "two objects, a row each" "$("$fairtop" history long.rec account:physics account:biology \
	--format csv --columns time,object | sed 1d | awk -F , '{ n[$1]++; of[$2]++ }
	END { for (t in n) if (n[t] != 2) print t; if (of["account:biology"] != 300) print NR }')"
verdict "the first 201 of them" "$("$fairtop" history long.rec account:physics account:biology \
	--format csv -n 201 | wc -l | grep -v -x 202)"
at=$(sed -n 281p rows | cut -d , -f 1)
verdict "those that match, however late" "$({ sed 1q rows; sed -n '281,$p' rows; } > expected
	csv --filter "time>=$at" | cmp expected - 2>&1)"
verdict "and the first two of them" "$(head -n 3 expected > few
	csv --filter "time>=$at" -n 2 | cmp few - 2>&1)"
refused "one of two is in no sample" 'long.rec: account:nobody: not in any sample' \
	history long.rec account:physics account:nobody --sort time

# the last row of each step
last_of_steps()
{
	awk -F , -v step="$1" 'NR == 1 { print; next }
		row && int($1 / step) != last { print row }
		{ last = int($1 / step); row = $0 } END { print row }'
}
for step in 60 600 86400; do
	verdict "a row for each $step s" "$(last_of_steps $step < rows > expected
		csv --every "$step" | cmp expected - 2>&1)"
done
to=$(sed -n 250p rows | cut -d , -f 1)
verdict "a step ends at --to" "$({ sed 1q rows; sed -n 250p rows; } > expected
	csv --from "$((to - 30))" --to "$to" --every 1d | cmp expected - 2>&1)"
# the clock goes back by three quarters of an hour
"$fairtop" snapshot $demo > now.snapshot
for time in 0 600 1200 1800 2400 3000 3600 4200 1500 1700 2500; do
	sed "1s/\"time\":[0-9]*/\"time\":$((1777798800 + time))/" now.snapshot > then.snapshot
	"$fairtop" record then.snapshot -o back.rec --count 1 2> err || cat err
done
"$fairtop" history back.rec account:physics --columns time --format csv > rows
for step in 600 1800 3600; do
	verdict "a row for each $step s, though the clock goes back" "$(
		last_of_steps $step < rows > expected
		"$fairtop" history back.rec account:physics --columns time --format csv \
			--every $step 2>&1 | cmp expected - 2>&1)"
done
refused "steps of half a second" 'whole seconds' history long.rec account:physics --every 1.5s

# a name that takes the regular expression too long comes after the first rows were written
late='object ~ "^job:141470|^j.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*[!?]"'
for format in csv json; do
	"$fairtop" history long.rec job:141470 job:141498 --format $format --filter "$late" \
		> out 2> err
	status=$?
	verdict "a filter that is given up late, $format" "$([ $status -eq 2 ] || echo "exit $status"
		grep -q '^fairtop: filter: .*takes more than' err || cat err
		[ "$(wc -l < out)" -gt 100 ] || wc -l < out
		[ "$(tail -c 2 out)" != '}' ] || echo 'looks complete')"
done

if command -v sqlite3 > /dev/null; then
	sqlite3 long.rec "UPDATE sums SET sums = x'00' WHERE sample = 250"
	for format in csv json table; do
		"$fairtop" history long.rec account:physics --format $format > out 2> err
		status=$?
		verdict "damage in the middle, $format" "$([ $status -eq 2 ] || echo "exit $status"
			grep -q '^fairtop: long.rec: the recording is damaged' err || cat err
			[ "$(wc -l < err)" -eq 1 ] || echo 'not one line'
			[ "$(tail -c 2 out)" != '}' ] || echo 'looks complete')"
	done
fi
exit $failed
