#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop import`: a real run of Slurm (sacct, tree and QOS recorded with it) becomes a recording
# that the table verbs read, with the usage that sshare printed; gzip and standard input; the
# summary; what is refused, and that nothing is left behind then. Public logs of all kinds, where
# FAIRTOP_SHARED names them: each is imported, or refused with a reason.

: "${srcdir:?}" "${FAIRTOP_BUILD:?}"
fairtop=$FAIRTOP_BUILD/fairtop
data=$srcdir/tests/data
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TZ=UTC
export TZ
failed=0

# verdict WHAT PROBLEM: ok if there is none
verdict()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		failed=1
		echo "not ok $1: $2"
	fi
}

# import FILE ARGUMENT...: into $work/r.db; standard error is in $work/err, the summary in $work/out
import()
{
	rm -f "$work"/r.db*
	"$fairtop" import "$@" -o "$work/r.db" > "$work/out" 2> "$work/err" < /dev/null
}

# refused WHAT STATUS PATTERN: the last import was refused and left nothing behind
refused()
{
	if [ "$2" -ne 2 ]; then
		verdict "$1" "exit status $2 instead of 2"
	elif ! grep -q "^fairtop: .*$3" "$work/err"; then
		verdict "$1" "$(cat "$work/err")"
	else
		verdict "$1" "$(cd "$work" && ls r.db* 2> /dev/null)"
	fi
}

# --- a real run ----------------------------------------------------------------------------

site=$data/slurm/depthobl/quiet
# The last pass before sshare was run, and those before it.
awk 'BEGIN { for (t = 1795147465; t >= 1795146355; t -= 60) print "pass", t }' > "$work/passes"
import sacct "$data/replay/sacct.psv" --tree "$site/sacctmgr_dump.cfg" \
	--qos "$site/sacctmgr_qos.psv" --partitions "$site/scontrol_partition.txt" --passes "$work/passes" --half-life 7-0
verdict "a run of Slurm is imported" "$(cat "$work/err")"
verdict "the summary counts its lines" "$(awk '
	$1 == "lines" { l = $2 } $1 == "used" { u = $2 } $1 == "skipped" { s = $2 }
	END { if (l != 291 || u != 290 || s != 0) print l, u, s }' "$work/out")"

"$fairtop" accounts "$work/r.db" --format csv --columns path,usage 2> /dev/null |
	sort > "$work/ours"
"$fairtop" accounts "slurm:$site" --format csv --columns path,usage 2> /dev/null |
	sort > "$work/theirs"
# 2.9e-4 is the largest error from unknown passes.
verdict "usage is what sshare printed" "$(join -t , "$work/ours" "$work/theirs" | awk -F , '
	/^path/ { next }
	{
		off = $3 > $2 ? $3 - $2 : $2 - $3
		n++
		if (off > 2.9e-4 * $3 + 0.01)
			print $1, $2, $3
	}
	END { if (n < 80) print n, "rows" }')"

"$fairtop" jobs "$work/r.db" --format csv --columns id,state > "$work/jobs" 2> /dev/null
verdict "jobs wait at the end" "$(grep -q PENDING "$work/jobs" || echo none)"

# Two hours of four processors on two days: the reset at midnight removes the first.
cat > "$work/two.swf" << 'END'
; UnixStartTime: 1795046400
; TimeZoneString: UTC
; MaxProcs: 8
1 36000 0 3600 4 -1 -1 4 3600 -1 1 7 1 -1 1 1 -1 -1
2 90000 0 3600 4 -1 -1 4 3600 -1 1 8 1 -1 1 1 -1 -1
END
cat > "$work/told" << 'END'
PriorityUsageResetPeriod,DAILY
NextUsageReset,1795219200
END
for period in NONE DAILY; do
	import swf "$work/two.swf" --half-life 0 --reset-period $period
	"$fairtop" accounts "$work/r.db" --format csv --columns path,usage 2> /dev/null
done > "$work/resets"
verdict "--reset-period resets" "$(printf '%s\n' path,usage /,28800 /g1,28800 /g1:u7,14400 \
	/g1:u8,14400 path,usage /,14400 /g1,14400 /g1:u7,0 /g1:u8,14400 | diff - "$work/resets")"
verdict "the recording tells its resets" "$("$fairtop" policy "$work/r.db" --format csv \
	--columns name,value 2> /dev/null | grep Reset | diff - "$work/told")"

# --- input ---------------------------------------------------------------------------------

gzip -c "$data/replay/sacct.psv" > "$work/sacct.gz"
import sacct "$work/sacct.gz"
cp "$work/out" "$work/plain"
verdict "gzip is read" "$(cat "$work/err")"
yes '1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1' | head -c 100000000 | gzip > "$work/bomb.gz"
"$fairtop" import swf "$work/bomb.gz" -o "$work/bomb.recording" > "$work/out" 2> "$work/err"
status=$?
verdict "a gzip bomb is refused" "$([ $status -eq 2 ] &&
	grep -q 'unpack to more than 100 times their size' "$work/err" || cat "$work/err")"
rm -f "$work"/r.db*
"$fairtop" import sacct - -o "$work/r.db" < "$work/sacct.gz" > "$work/out" 2> "$work/err"
verdict "standard input is read" "$(cmp "$work/plain" "$work/out" 2>&1)"

# --- what is refused -----------------------------------------------------------------------

import sacct "$work/sacct.gz"
"$fairtop" import sacct "$work/sacct.gz" -o "$work/r.db" > /dev/null 2> "$work/err"
verdict "a file that is there is not touched" \
	"$(grep -q "^fairtop: .*already exists" "$work/err" || cat "$work/err")"
import nonsense "$work/sacct.gz"; refused "an unknown kind" $? 'expected one of swf, sacct'
import swf "$data/replay/sacct.psv"; refused "another kind of file" $? 'no usable record'
import swf "$work/none"; refused "a file that is not there" $? 'No such file'
head -c 2000 "$work/sacct.gz" > "$work/cut.gz"
import sacct "$work/cut.gz"; refused "a cut file" $? 'end early'
import swf /dev/zero; refused "a binary file" $? '/dev/zero:1: a binary file'
import swf /dev/urandom; refused "endless noise" $? '/dev/urandom:1: a binary file'
import sacct /dev/zero; refused "a binary file, looked into first" $? '/dev/zero:1: a binary file'
import sacct "$work/sacct.gz" --tree /dev/zero; refused "a binary tree" $? 'a binary file'
yes endless | tr -d '\n' |
	"$fairtop" import swf - -o "$work/r.db" > "$work/out" 2> "$work/err"
refused "a line without an end" $? '-:1: longer than 100 MB'
import sacct "$work/sacct.gz" --passes /dev/null; refused "no passes" $? 'no pass time in it'
import sacct "$work/sacct.gz" --tree "$site/sacctmgr_qos.psv"; refused "no tree" $? ''
import sacct "$work/sacct.gz" --half-life soon; refused "no half-life" $? 'half-life soon'

# An import that is killed while it writes leaves no partial recording under the requested name.
rm -f "$work"/r.db*
"$fairtop" import sacct "$data/replay/sacct.psv" --period 1s --every 1s -o "$work/r.db" \
	> /dev/null 2>&1 &
pid=$!
until [ -n "$(find "$work" -name 'r.db.import-*')" ] || ! kill -0 $pid 2> /dev/null; do
	:
done
kill -KILL $pid 2> /dev/null
wait $pid 2> /dev/null
if [ -e "$work/r.db" ]; then
	verdict "killed: no half of a recording" \
		"$("$fairtop" accounts "$work/r.db" --columns path 2>&1 > /dev/null)"
else
	verdict "killed: no half of a recording" ""
fi

# --- public logs ---------------------------------------------------------------------------

# each KIND FILE...: imported, or refused with a reason that names the file
each()
{
	kind=$1
	shift
	for file in "$@"; do
		import "$kind" "$file" --every 7d
		status=$?
		if [ $status -eq 0 ]; then
			verdict "$kind $(basename "$file")" ""
		else
			refused "$kind $(basename "$file") is refused" $status "$file"
		fi
	done
}

# Delimiters of any length, given or found in the header; JSON, also compressed.
cat > "$work/table" <<-'END'
	JobID~~Account~~User~~State~~Submit~~Start~~End~~AllocCPUS
	5~~lab~~u1~~COMPLETED~~2026-03-01T10:00:00~~2026-03-01T10:10:00~~2026-03-01T12:00:00~~8
	END
import sacct "$work/table"
verdict "a delimiter seen in the header" "$(grep -q '^used  *1$' "$work/out" ||
	cat "$work/err" "$work/out")"
import sacct "$work/table" --delimiter '~~'
verdict "a delimiter that is told" "$(grep -q '^used  *1$' "$work/out" || cat "$work/err" "$work/out")"
import sacct "$work/table" --delimiter ';'; refused "another delimiter" $? 'no header line'
import sacct "$work/table" --delimiter ''; refused "an empty delimiter" $? 'expected the separator of'
echo '{"jobs": [{"job_id": 5, "account": "lab", "user": "u1", "state": {"current": ["COMPLETED"]},
	"time": {"submission": 1772359200, "start": 1772359800, "end": 1772366400},
	"required": {"CPUs": 8}}]}' | gzip > "$work/jobs.json.gz"
import sacct "$work/jobs.json.gz"
verdict "sacct --json" "$(grep -q '^used  *1$' "$work/out" || cat "$work/err" "$work/out")"
echo '{"jobs": [{"job_id": 5,' > "$work/jobs.json"
import sacct "$work/jobs.json"; refused "half a JSON" $? 'jobs.json:2: '

if [ -d "${FAIRTOP_SHARED-}/traces" ]; then
	traces=$FAIRTOP_SHARED/traces
	each swf "$traces"/swf/*.gz
	each sacct "$traces"/slurm/sacct/* "$traces"/slurm/slurmrestd/*/slurm-jobs.json.gz
	# Without a header line, but with known columns.
	import sacct "$traces/slurm/sacct/xdmod-pozidriv.sacct.gz" --every 7d --columns \
		JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,\
Start,End,Elapsed,ExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,\
JobName
	verdict "sacct without its header, by --columns" "$(grep -q '^used  *11704$' "$work/out" ||
		cat "$work/err" "$work/out")"
	each pbs-accounting "$traces"/pbs/accounting/*
	each lsf-acct "$traces"/lsf/aws/* "$traces"/lsf/xdmod/*
else
	echo "skipped: public logs (FAIRTOP_SHARED)"
fi

exit $failed
