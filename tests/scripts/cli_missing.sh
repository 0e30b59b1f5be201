#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Captures with missing outputs: what was not read is unknown, and the answer says so. No number
# replaces it, and what cannot be answered is refused with the reason.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
trees=$srcdir/tests/data/slurm/fairtree/quiet
oblivious=$srcdir/tests/data/slurm/depthobl/quiet

# refused NAME REGEX ARGUMENT...: exit 2, no answer, an error that matches
refused()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null
	code=$?
	verdict "refused: $what" "$([ $code -eq 2 ] || echo "exit $code;"
		[ ! -s "$work/out" ] || echo "an answer;"
		grep -q -E -e "$regex" "$work/err" || cat "$work/err")"
}

# --- forecasts of what is unknown ---------------------------------------------------------------

refused 'a forecast of F that Fair Tree does not give' \
	'forecast: refused: F is unknown: Fair Tree gives it to users only' \
	forecast "slurm:$trees" /biology --reach 0.5
answers 'F is unknown: Fair Tree gives it to users only' forecast "slurm:$trees" /biology
refused 'a forecast of the rank of a held job' \
	'forecast: refused: the job has no rank: it does not wait for its turn' \
	forecast "slurm:$oblivious" job:166 --reach 1
answers 'the job has no rank: it does not wait for its turn' forecast "slurm:$oblivious" job:166

# --- tables that no output lists ----------------------------------------------------------------

# without PATTERN...: copies the capture without the files that match, and without sprio and squeue,
# so that there is no reported priority
without()
{
	rm -rf "$work/part"
	cp -r "$oblivious" "$work/part"
	chmod -R u+w "$work/part"
	for pattern in 'sprio*' 'squeue*' "$@"; do
		# shellcheck disable=SC2086 # patterns
		rm -f "$work/part/"$pattern
	done
	sed -i 's/ Priority=[1-9][0-9]* / /' "$work/part/scontrol_jobs.txt"
}

# unknown NAME NOTE FACTOR: FACTOR of a pending job, its priority and rank are unknown
unknown()
{
	"$fairtop" jobs "slurm:$work/part" --format csv --columns id,rank,priority,factors \
		> "$work/out" 2> "$work/err"
	verdict "unknown without $1" "$(grep -q -e "$2" "$work/err" || cat "$work/err"
		awk -F, -v name="$3" 'NR == 1 {
			for (i = 1; i <= NF; i++)
				if ($i == name)
					at = i
		}
		NR > 1 && $1 == 163 && at && $2 == "" && $3 == "" && $at == "" { ok = 1 }
		END { if (!ok) print "a number stands for it" }' "$work/out")"
}

without
verdict 'all tables give ranks' "$("$fairtop" jobs "slurm:$work/part" --format csv \
	--columns id,rank,priority 2> "$work/err" | grep -q '^163,[0-9]*,[0-9]*$' || echo 'none')"
verdict 'and nothing is said of unknown priorities' "$(grep 'unknown priority' "$work/err")"
without 'scontrol_partition*'
"$fairtop" jobs "slurm:$work/part" --format csv --columns id,reason > "$work/out" 2> "$work/err"
waiting=$(grep -v -E '^id,|BeginTime|Dependency|JobHeld|Reservation' "$work/out" | sort -u | wc -l)
verdict 'of how many waiting jobs the priority is unknown' "$(
	grep -q "jobs: $waiting of $waiting pending jobs have an unknown priority" "$work/err" ||
		cat "$work/err")"
unknown partitions 'partitions: none of the outputs lists them' factors_partition
without 'sacctmgr_qos*' scontrol_assoc_mgr.txt
unknown QOS 'qos: none of the outputs lists them' factors_qos
without 'scontrol_node*'
unknown nodes 'nodes: none of the outputs lists them' factors_jobsize
without 'sacctmgr_assoc*' scontrol_assoc_mgr.txt 'sshare*' sacctmgr_dump.cfg
unknown associations 'associations: none of the outputs lists them' factors_fairshare

# --- no configuration ---------------------------------------------------------------------------

# bare RECORDING: copies it without the configuration
bare()
{
	rm -rf "$work/part"
	cp -r "$1" "$work/part"
	chmod -R u+w "$work/part"
	rm -f "$work/part/slurm.conf" "$work/part/scontrol_config.txt" "$work/part/sprio_w.txt"
}

bare "$oblivious"
verdict 'no parameter is a default that nobody read' "$(
	"$fairtop" policy "slurm:$work/part" --format csv --columns name,value,from 2> "$work/err" |
		awk -F, 'NR > 1 && $1 != "PriorityType" && $1 != "NextUsageReset" &&
			($2 != "" || $3 != "not read")'
	grep -q 'policy: .*no parameter was read' "$work/err" || cat "$work/err")"
verdict 'F, which hangs on the flags and the damping, is as reported, and R unknown' "$(
	"$fairtop" accounts "slurm:$work/part" --base usage --format csv --columns \
		path,norm_shares,effective_ratio,fairshare,reported_fairshare 2> "$work/err" |
		awk -F, 'NR > 2 && (($2 != 0 && $3 != "") || $4 != $5 || $5 == "") { print; exit }
			END { if (NR < 80) print "few rows" }')"
verdict 'priorities are those reported' "$(
	"$fairtop" explain "slurm:$work/part" job:163 2> "$work/err" | grep -q 'as reported' ||
		echo 'one is computed')"
answers '^164,bill,$' jobs "slurm:$work/part" --format csv --columns id,partition,billing
refused 'a forecast without a decay' 'the decay of usage could not be read' \
	forecast "slurm:$work/part" /biology --reach 0.5
bare "$trees"
verdict 'a LevelFS tells Fair Tree' "$(
	"$fairtop" accounts "slurm:$work/part" --format json 2> "$work/err" |
		grep -q '"algorithm":"fair-tree"' || echo 'it does not')"

# --- bills --------------------------------------------------------------------------------------

answers '^164,bill,647\.92578125$' jobs "slurm:$oblivious" --format csv \
	--columns id,partition,billing
answers '^163,high,1632$' jobs "slurm:$oblivious" --format csv --columns id,partition,billing
answers 'CPUs, as the partition has no TRESBillingWeights' explain "slurm:$oblivious" job:163

sed 's/"shares":0,"usage":0/"shares":0,"usage":25.99/' "$srcdir/tests/data/postgres.snapshot" \
	> "$work/few.snapshot"
"$fairtop" lint "$work/few.snapshot" --format csv > "$work/out" 2> "$work/err"
verdict 'a number without a suffix has one blank behind it' "$(
	grep -q 'usage of 25\.99 TRES-s' "$work/out" || cat "$work/out")"

# --- munge --------------------------------------------------------------------------------------

# Slurm 22.05 without munged, through its commands and libslurm; sshare had no --json yet.
mkdir "$work/bin" "$work/libexec"
cat > "$work/bin/scontrol" << 'END'
#!/bin/sh
name=${0##*/}
case "$*" in *--json*) echo 'Try "sshare --help" for more information' >&2; exit 1 ;; esac
cat >&2 << WORDS
$name: error: If munged is up, restart with --num-threads=10
$name: error: Munge encode failed: Failed to access "/run/munge": No such file (Did you start munged?)
$name: error: slurm_send_node_msg: auth_g_create: REQUEST_BUILD_INFO has authentication error
slurm_load_ctl_conf error: Protocol authentication error
WORDS
exit 1
END
chmod 755 "$work/bin/scontrol"
for name in sshare squeue sprio sacctmgr sdiag; do
	ln "$work/bin/scontrol" "$work/bin/$name"
done
ln "$work/bin/scontrol" "$work/libexec/fairtop-slurm"
echo 'ClusterName=m' > "$work/slurm.conf"
why='munge: encode failed: Failed to access "/run/munge": No such file .Did you start munged'

for way in none libexec; do
	set -- env "PATH=$work/bin:$PATH" "SLURM_CONF=$work/slurm.conf" \
		"FAIRTOP_LIBEXEC=$work/$way" "$fairtop"
	"$@" accounts slurm > "$work/out" 2> "$work/err"
	echo "exit $?" >> "$work/err"
	verdict "munge is named by a verb, $way" "$(cat "$work/out"
		grep -q "^fairtop: slurm: $why" "$work/err" || cat "$work/err"
		grep -x 'exit [^3]' "$work/err")"
	"$@" slurm --render 120x10 > "$work/out" 2> /dev/null
	verdict "munge is named by the screen, $way" "$(
		grep -q "^ *$why" "$work/out" || cat "$work/out")"
	"$@" record slurm -o "$work/m.rec" 2> "$work/err" &
	recorder=$!
	shown=$work/err
	until_so "munge is named by the recorder, $way" \
		grep -q "^fairtop: source: $why" "$work/err"
	kill "$recorder"
	wait "$recorder"
done

exit "$failed"
