#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop accounts` against what Slurm's own sshare printed about the same clusters (recordings of
# Slurm 22.05.8 with nothing running, one in Fair Tree, one depth-oblivious): the same rows in the
# same order, and every figure equal at sshare's precision. Also verify, and the three formats
# against each other.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data/cli

# rows SITE [OPTION...]: prints fairtop's figures in sshare's columns, joined by |
rows()
{
	site=$1
	shift
	"$fairtop" accounts "$data/$site.snapshot" --format csv --columns \
		account,user,shares,norm_shares,usage,norm_usage,effective_usage,fairshare,level_fs \
		"$@" 2> /dev/null | tr , '|'
}

# compare: reads lines "sshare's|fairtop's", prints the first differences. Figures that sshare
# leaves blank are not compared; it truncates usage; level_fs of small usage depends on digits that
# it does not show.
compare()
{
	awk -F '|' '
		function differs(name, theirs, ours, tolerance) {
			if (theirs == "" || (theirs == "inf" && ours == "inf"))
				return
			if (ours == "" || ours == "inf" || theirs == "inf" ||
			    ours - theirs > tolerance || theirs - ours > tolerance) {
				if (shown++ < 5)
					printf "%s of %s/%s: %s instead of %s; ", name, $1, $2, ours, theirs
			}
		}
		NR > 1 {
			gsub(/ /, "", $1)
			n++
			if ($1 != $(o + 1) || $2 != $(o + 2))
				printf "row %d is %s/%s instead of %s/%s; ", n, $(o + 1), $(o + 2), $1, $2
			if ($3 != "parent")
				differs("shares", $3, $(o + 3), 0)
			differs("NormShares", $4, $(o + 4), 6e-7)
			differs("RawUsage", $5 + 0.5, $(o + 5), 0.52)
			differs("NormUsage", $6, $(o + 6), 1e-6)
			differs("EffectvUsage", $7, $(o + 7), 3e-6)
			differs("FairShare", $8, $(o + 8), 3e-6)
			if (level && $5 > 1000)
				differs("LevelFS", $9, $(o + 9), 1e-6 + 1e-4 * $9)
		}
		END { if (n < 80) printf "only %d rows", n }' o="$1" level="$2"
}

for site in depthobl fairtree; do
	columns=10 level=''
	[ $site != fairtree ] || columns=11 level=1
	rows $site --base usage > "$work/ours"
	paste -d '|' "$data/$site.sshare" "$work/ours" > "$work/both"
	verdict "$site: the figures of sshare, from raw usage" \
		"$(compare $columns "$level" < "$work/both")"

	"$fairtop" verify "$data/$site.snapshot" > "$work/out" 2> "$work/err"
	status=$?
	verdict "$site: verify" "$([ $status -eq 0 ] || { echo "exit $status"; cat "$work/out"; })"
done

# One wrong figure of one user must not pass.
sed '/"user":"peggy"/s/"norm_shares":0\.666667/"norm_shares":0.666669/' \
	"$data/fairtree.snapshot" > "$work/wrong.snapshot"
"$fairtop" verify "$work/wrong.snapshot" > "$work/out" 2> "$work/err"
status=$?
verdict "verify finds what is wrong" \
	"$([ $status -eq 1 ] && grep -q differs "$work/out" || echo "exit $status")"

# The algorithm was just changed by a reconfigure: shares are still those of the old one, and job
# sizes those of the old flags. Nothing is wrong, and nothing can be compared.
flags='"DEPTH_OBLIVIOUS","SMALL_RELATIVE_TO_TIME"'
mkdir "$work/switched"
cp "$srcdir"/tests/data/slurm/fairtree/quiet/*.??? "$work/switched"
chmod -R u+w "$work/switched"
"$fairtop" snapshot "slurm:$work/switched" 2> /dev/null |
	sed "1s/\"PriorityFlags\":\[[^]]*\]/\"PriorityFlags\":[$flags]/" > "$work/switched.snapshot"
"$fairtop" verify "$work/switched.snapshot" > "$work/out" 2> "$work/err"
status=$?
verdict "verify names a switch of the algorithm" "$([ $status -eq 4 ] &&
	grep -q 'NormShares are still those of Fair Tree' "$work/err" &&
	grep -q 'jobsize .* not-comparable .*next pass, [0-9]* s' "$work/out" ||
	{ echo "exit $status"; cat "$work/err" "$work/out"; })"

# scontrol prints one word for any of four flags; without slurm.conf it is unknown which.
mkdir "$work/flags"
cp "$srcdir"/tests/data/slurm/nofairtree_xflags/quiet/*.??? "$work/flags"
chmod -R u+w "$work/flags"
rm "$work/flags/slurm.conf"
"$fairtop" verify "slurm:$work/flags" > "$work/out" 2> "$work/err"
status=$?
verdict "verify takes no unknown flag for a mistake" "$([ $status -eq 0 ] &&
	grep -q 'assoc term .* not-comparable .*only slurm.conf shows' "$work/out" &&
	grep -q 'jobsize term .* equal ' "$work/out" ||
	{ echo "exit $status"; cat "$work/out"; })"

# The output of sshare -a -l -P, as it is and with one number changed: idle users are tied.
idle_site()
{
	rm -rf "$work/idle"
	mkdir "$work/idle"
	cat > "$work/idle/sshare.psv" <<-'EOF'
	Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS
	root|||0.000000|900||1.000000||
	 root|root|1|0.004975|0|0.000000|0.000000|1.000000|inf
	 optics||150|0.746269|900|1.000000|1.000000||0.746269
	  optics|nina|1|0.333333|0|0.000000|0.000000|0.400000|inf
	  optics|otto|2|0.666667|900|1.000000|1.000000|0.200000|0.666667
	 plasma||50|0.248756|0|0.000000|0.000000||inf
	  plasma|pia|1|0.250000|0|0.000000|0.000000|1.000000|inf
	  plasma|quin|3|0.750000|0|0.000000|0.000000|1.000000|inf
	EOF
	sed "$1" "$work/idle/sshare.psv" > "$work/changed"
	mv "$work/changed" "$work/idle/sshare.psv"
}

# idle VERDICT EXIT REASON SED: verify on that output changed by SED
idle()
{
	idle_site "$4"
	"$fairtop" verify "slurm:$work/idle" > "$work/out" 2> "$work/err"
	status=$?
	verdict "$1" "$([ $status -eq "$2" ] && cat "$work/out" "$work/err" | grep -q "$3" ||
		{ echo "exit $status"; cat "$work/err" "$work/out"; })"
}
idle "idle users as they are" 0 ' equal ' ''
idle "F of an idle user is wrong" 1 'F from reported Level FS .*pia .*differs' \
	'/|pia|/s/|1.000000|inf/|0.600000|inf/'
idle "a user without F is no new one" 1 'quin .*differs' '/|quin|/s/|1.000000|inf/|0.000000|inf/'
idle "an excerpt is named" 4 'an excerpt: siblings are missing below /plasma' \
	'/|pia|/s/0.250000/0.100000/; /|quin|/s/0.750000/0.300000/'
idle "one wrong share is no excerpt" 1 'S .*quin .*differs' '/|quin|/s/0.750000/0.300000/'
# U is blank; E, F and LevelFS are 0, except those of the user below the root.
idle "not computed yet" 4 'is new: .* Wait for the next pass' \
	'/^ *[op][a-z]*|/s/|[01]\.000000|[01]\.000000|\([0-9.]*\)|[0-9a-z.]*$/||0.000000|0.000000|0.000000/'

# The same rows whatever the format.
cells=path,shares,fairshare,level_fs,rank
site=$data/fairtree.snapshot
"$fairtop" accounts "$site" --columns $cells --format csv 2> /dev/null |
	tail -n +2 > "$work/csv"
"$fairtop" accounts "$site" --columns $cells --format json 2> /dev/null |
	sed -n 's/^{"path":"\([^"]*\)","shares":\(.*\),"fairshare":\(.*\),"level_fs":\(.*\),"rank":\([^}]*\)}.*/\1,\2,\3,\4,\5/p' |
	sed 's/null//g; s/"//g' > "$work/json"
verdict "CSV and JSON hold the same" "$(diff "$work/csv" "$work/json" | head -n 4)"
"$fairtop" accounts "$site" --columns $cells 2> /dev/null | tail -n +2 | awk '{ print $1 "," $2 }' \
	> "$work/table"
verdict "the table has the same rows" "$(cut -d , -f 1,2 "$work/csv" | sed 's/,$/,-/' |
	diff - "$work/table" | head -n 4)"

exit $failed
