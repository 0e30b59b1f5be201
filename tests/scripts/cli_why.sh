#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop why` from outside: which job or user is meant, what is refused, the answer for people and
# for programs, for all schedulers and a recording, and that hostile names do no harm.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data
slurm=slurm:$data/starts/2-backfill
array=pbs:$data/pbs/15_array
lsf=lsf:$data/lsf/volclava/t1
TZ=UTC
export TZ

# ---- which job --------------------------------------------------------------------------------

"$fairtop" snapshot demo > "$work/ytanaka" 2> "$work/err"
# The same with few jobs, so that simulations are short: two, and 22 more pending jobs of one user.
few=$work/few
awk '/^\{"job"/ { if (!/"id":(141469|141504),/ && !(/"user":"ytanaka".*PENDING/ && more++ < 22)) next
		n++ }
	/^\{"end"/ { sub(/"job":[0-9]+/, "\"job\":" n) }
	{ print }' "$work/ytanaka" > "$few"

answers '^job 141504 of ytanaka \(/physics\) is pending in batch, submitted 30 Apr 18:36 \(2$' why demo 141504
answers '^Helps    [a-z]' why demo 141504
answers '^job 141504 of ytanaka ' why "$few" job:141504
answers '^job 141504 of ytanaka ' why --format table "$few" 141504
answers '^job [0-9]+ of [a-z]+ \(/[^)]*\) is running in batch, started ' why "$few" 141469
answers '^job 5070 of ann ' why "$array" 5070.pbshead
# A user in PBS's tree may be part of a group's entity: his jobs are meant.
entity=pbs:$data/pbs/23_entity
answers '^7 jobs of dl:quinn are pending' why "$entity" dl:quinn
answers '^7 jobs of quinn are pending' why "$entity" user:quinn
answers '^job 5113 of ann .*, 6 tasks, is pending in ' why "$array" '5113[]'
answers '^job 17 of u1 .* is running in phys, started ' why "$lsf" 17
answers '^Start    it has been running since .* and ends by |^Start    it has been running since .*; its end ' why "$lsf" 17
answers '^Start    unknown: starts are simulated for Slurm only$' why "$array" 5070
answers '^job 22 of [a-z]+ .* is pending in ' why "$slurm" 22
sed 's/{"job":{"id":141469,/{"job":{"id":141469,"array":141460,"task":3,/' "$few" > "$work/tasks"
answers '^job 141460_3 of grace ' why "$work/tasks" 141460_3
answers '^job 141460_3 of grace ' why "$work/tasks" 'job:141460[3]'
answers '^job 141460_3 of grace ' why "$work/tasks" 141469

# A pending task that is not split off is in its array's record.
sed 's/{"job":{"id":141504,/{"job":{"id":141504,"array":141504,"tasks":"0-9%2",/' "$few" > "$work/unsplit"
answers '^job 141504 of ytanaka \(/physics\), 10 tasks, is pending in ' why "$work/unsplit" 141504_9
refused 'a task that it has not' 'job "141504_10": not in the queue$' why "$work/unsplit" 141504_10

refused 'a job that is not there' '^fairtop: job "99": not in the queue$' why demo 99
refused 'the same with its kind' '^fairtop: job "99": not in the queue$' why demo job:99
refused 'a task that is not there' 'job "141504_3": not in the queue$' why demo 141504_3
refused 'a task that waits, of others' \
	'"141471_3": is pending as part of its array .expected job:141471.$' explain demo job:141471_3
refused 'no job' 'object "job:x": not a job \(expected job:ID' why demo job:x
refused 'a user who is not there' \
	'^fairtop: user "nobody9": no such user' why demo nobody9
refused 'an account' '^fairtop: physics: is an account \(expected a job or a user; fairtop explain' \
	why demo physics
refused 'a user by kind' 'user "141504": no such user$' why demo user:141504
refused 'a user without a name' 'user "": no such user$' why demo user:
refused 'too much' 'slurm: too many arguments \(expected fairtop why \[SOURCE\] \[JOB\|USER\]\)' \
	why 141504 slurm
refused 'edits' '--set: not an option of why' why demo 141504 --set nice=1
refused 'a column that is not there' 'no such column \(did you mean holds\?\)' why demo 141504 --columns hold
refused 'a file that is not there' 'none.snapshot: No such file' why "$work/none.snapshot" 141504

# ---- of a user --------------------------------------------------------------------------------

answers '^205 jobs of ytanaka are pending: ' why demo ytanaka
answers '^23 jobs of ytanaka are pending: ' why "$few" user:ytanaka
answers '^\.\.\. 3 more \(--format csv has all\)$' why "$few" ytanaka
named=$(tr '\n' ' ' < "$work/out" | sed -n 's/.* fairtop why [^ ]*few \([0-9_]*\) shows more $/\1/p')
verdict "it says where there is more" "$([ -n "$named" ] || cat "$work/out")"
verdict "it names the first job" "$([ "$(sed -n '/^job /{n;s/ .*//p;}' "$work/out")" = "$named" ] ||
	cat "$work/out")"
[ -z "$named" ] || answers "^job $named of ytanaka " why "$few" "$named"
answers '^[0-9]+ jobs of ann are pending: ' why "$array" ann
answers '^5113 \(6 tasks\) ' why "$array" ann
idle=$("$fairtop" accounts demo --filter 'user!=unknown pending=0 running=0' --format csv \
	--columns user 2> "$work/err" | sed -n 2p)
[ -z "$idle" ] || answers "^no job of $idle is pending$" why demo "$idle"
# The user who runs this, who may be unknown to the demo.
me=$(id -un)
answers "^no job of $me is pending\$|[0-9]+ jobs? of $me (is|are) pending: " why demo
answers "^no job of $me is pending\$|[0-9]+ jobs? of $me (is|are) pending: " why "$lsf"
# A user without a name is not taken for one without jobs.
nameless()
{
	setpriv --reuid=54321 --clear-groups env -u USER "$fairtop" "$@" 2>&1
}
if [ "$(id -u)" -eq 0 ] && ! id 54321 > "$work/out" 2>&1 && nameless --version > "$work/out"; then
	verdict "who has no name is asked whom to look for" "$(nameless why demo |
		grep -v '^fairtop: why: the user running fairtop has no name (expected a job or a user)$')"
fi

# A job in several partitions is listed once; CSV has all of them.
verdict "jobs of a user, each once" "$("$fairtop" why demo ytanaka --format csv --columns id 2>&1 |
	sed 1d | sort > "$work/ids"; [ "$(wc -l < "$work/ids")" -eq 205 ] || wc -l < "$work/ids"
	uniq -d "$work/ids")"

# ---- for programs -----------------------------------------------------------------------------

keys='id name user account partition qos state never cause holds place order ahead start behind helps unknown'
answers "^\\{$(for key in $keys; do printf '"%s":.*,' "$key"; done | sed 's/\.\*,$/.*/')\\}\$" \
	why "$few" 141504 --format json
answers '^\{"id":141504,"name":"sweep","user":"ytanaka","account":"physics",.*"state":"waiting",' \
	why "$few" 141504 --format json
answers '"object":"141504","rows":\[$' why "$few" 141504 --format json
answers '"holds":\[.*\],"place":.*"ahead":\[.*\],"start":.*"behind":\[.*\],"helps":\[.*"unknown":\[' \
	why "$few" 141504 --format json
# Unknown (null): what helps, for many jobs; who waits for nodes, for PBS.
answers '"helps":null,' why "$few" ytanaka --format json
answers '"behind":null,"helps":null,' why "$array" 5070 --format json
answers '"state":"running",' why "$lsf" 17 --format json
answers '^id,name,user,account,partition,qos,state,never,cause,holds,' why "$few" 141504 --format csv
answers '^141504,sweep,ytanaka,physics,batch,normal,waiting,(true|false),' why "$few" 141504 --format csv
answers '^141504 +sweep$' why "$few" 141504 --columns id,name
verdict "no rows are an answer" "$([ -z "$idle" ] ||
	"$fairtop" why demo "$idle" --format json 2>&1 | tail -n 1 | grep -v -x ']}')"

# ---- sources ----------------------------------------------------------------------------------

"$fairtop" record "$slurm" -o "$work/one.recording" --count 1 2> "$work/err"
answers '^job 22 of [a-z]+ .* is pending in ' why "$work/one.recording" 22
answers '^job 22 of [a-z]+ .* is pending in ' why "$work/one.recording" 22 --at now
answers '^job 22 of [a-z]+ .* is pending in ' why "$work/one.recording" 22 --no-sandbox
# A file with the name of a user is a source; one with the name of a job is not.
: > "$work/141504"
verdict "a file that is there is a source" "$(cd "$work" && "$fairtop" why ytanaka 141504 2>&1 |
	grep -q '^job 141504 of ytanaka' || echo no)"
verdict "of a number it is the job that is meant" "$(cd "$work" && "$fairtop" why 141504 \
	2>&1 | grep '141504: ')"
# If jobs are unknown there is no answer.
mkdir "$work/jobless"
cp "$data/lsf/volclava/t3/bqueues_r.txt" "$work/jobless"
"$fairtop" why "lsf:$work/jobless" u1 > "$work/out" 2> "$work/err"
verdict "unknown jobs are not none" "$([ $? -eq 3 ] && [ ! -s "$work/out" ] &&
	grep -q 'the jobs are unknown' "$work/err" || cat "$work/out" "$work/err")"

# ---- recordings --------------------------------------------------------------------------------

# picture SECONDS [STATE REASON [KEYS]]: a sample SECONDS after the first, with job 77 if it exists
picture()
{
	awk -v time=$((1777798800 + $1)) -v state="$2" -v reason="$3" -v keys="$4" '
		/^\{"job"/ { next }
		NR == 1 { sub(/"time":[0-9]+/, "\"time\":" time) }
		/^\{"end"/ { sub(/"job":[0-9]+/, "\"job\":" (state != "")) }
		/^\{"end"/ && state {
			printf "{\"job\":{\"id\":77,\"user\":\"ytanaka\",\"account\":\"physics\""
			printf ",\"partition\":\"batch\",\"state\":\"%s\",\"reason\":\"%s\"", state, reason
			printf ",\"cpus\":4,\"time_limit\":7200,\"submit\":1777795200%s}}\n", keys
		}
		{ print }' "$few" > "$work/picture"
	"$fairtop" record "$work/picture" -o "$past" 2> "$work/err" || cat "$work/err"
}
past=$work/past.recording
picture 0 PENDING Resources
picture 600 PENDING Priority
picture 1200 PENDING Priority
picture 2400 RUNNING None ',"start":1777800600,"end":1777804200'
picture 3000 COMPLETED None ',"start":1777800600,"end":1777801700'
cp "$past" "$work/within.recording"
picture 3600
answers '^job 77 of ytanaka .* is COMPLETED in batch' why "$past" 77
verdict "of one that is gone, as of when" "$(tr '\n' ' ' < "$work/out" |
	grep -q '(as of 2026-05-03 09:50:00, when it was last seen)' || cat "$work/out"
	grep 'the job was last seen at 2026-05-03 09:50:00$' "$work/err" > "$work/said" || cat "$work/err")"
answers '^Waited   20 min: priority \(samples at most 20 min apart\)$' why "$past" 77
answers '^         10 min: resources \(samples at most ' why "$past" 77
answers '"text":"20 min: [^}]*"reason":"Priority","seconds":1200,"apart":1200\}' \
	why "$past" 77 --format json
lacks 'as of' why "$work/within.recording" 77
answers '^Waited   20 min: priority \(samples at most ' why "$work/within.recording" 77
answers '^Start    it has ended at 09:48 \(COMPLETED\)' why "$work/within.recording" 77
answers '^job 77 of ytanaka .* is running in batch, started 09:30 \(10 min ago\)$' why "$past" 77 --at 1777801200
answers '^Waited   20 min: priority \(samples at most ' why "$past" 77 --at 1777801200
# A job that is still pending has its present reason, and no past.
answers '^Reason   priority: ' why "$past" 77 --at 1777799400
lacks 'as recorded|as of' why "$past" 77 --at 1777799400
refused 'before it was recorded' 'nothing was recorded by then' why "$past" 77 --at 1777798000
refused 'one that never was' 'job "78": not in the queue$' why "$past" 78
answers '^no job of ytanaka is pending$' why "$past" ytanaka
answers '^1 job of ytanaka is pending: ' why "$past" ytanaka --at 1777799400
# A job that disappeared while pending has no start, and nothing helps.
past=$work/gone.recording
picture 0 PENDING Resources
picture 600
answers '^Start    unknown: it has left the queue since then$' why "$past" 77
lacks '^Helps' why "$past" 77
answers '"behind":null,"helps":null,' why "$past" 77 --format json
# A task was pending in its array's record.
past=$work/array.recording
picture 0 PENDING Resources ',"array":77,"tasks":"1-3"'
picture 600 RUNNING None ',"array":77,"task":2,"start":1777799400'
answers '^Waited   10 min: resources \(samples at most ' why "$past" 77_2
# Fewer samples give less, and the answer says so.
cp "$work/within.recording" "$work/thin.recording"
"$fairtop" thin "$work/thin.recording" --keep 10m,100h:30m > "$work/out" 2>&1
answers '^Waited   .* min: .* \(samples at most [2-5]0 min apart\)$' why "$work/thin.recording" 77
if command -v sqlite3 > "$work/out"; then
	sqlite3 "$work/within.recording" "INSERT INTO gap VALUES (1777800000, 1777801200, 'none')"
	answers '^         10 min: priority \(samples at most 10 min apart\)' why "$work/within.recording" 77
fi
"$fairtop" import sacct "$data/replay/sacct.psv" -o "$work/sacct.recording" > "$work/out" 2> "$work/err"
answers '^job 1 of alice \(/cms\) is COMPLETED in high ' why "$work/sacct.recording" 1
answers '^Reason   no reason was reported$' why "$work/sacct.recording" 180
lacks 'Slurm  is' why "$work/sacct.recording" 180
answers '^5 jobs of alice are pending: 5 due to an unknown reason$' why "$work/sacct.recording" alice

# ---- strangers --------------------------------------------------------------------------------

sed -e 's/"ytanaka"/"y\\u001b[31m\\nx"/g' -e 's/"sweep"/"s\\u009b\\u202e"/g' -e 's/"batch"/"b\\tc"/g' \
	"$few" > "$work/strange"
"$fairtop" why "$work/strange" 141504 > "$work/out" 2> "$work/err"
verdict "names of strangers stay in their line" "$(
	grep -q '^job 141504 of y<1B>\[31m<0A>x ' "$work/out" || head -n 3 "$work/out")"
"$fairtop" why "$work/strange" "$(printf 'y\033[31m\nx')" > "$work/out" 2> "$work/err"
verdict "and in that of all their jobs" "$(
	grep -q '^23 jobs of y<1B>\[31m<0A>x are pending: ' "$work/out" || head -n 3 "$work/out" "$work/err")"
"$fairtop" why "$work/strange" "$(printf '\033[31m')" > "$work/out" 2> "$work/err"
verdict "and in a message" "$([ $? -eq 2 ] && grep -q 'user "<1B>\[31m": ' "$work/err" ||
	cat "$work/err")"

# A name may be of any length; a note says that its end is left out.
long=$(printf '%02000d' 0 | tr 0 p)
sed "s/\"partition\":\"batch\"/\"partition\":\"$long\"/;s/\"reason\":\"Priority\"/\"reason\":\"$long\"/" \
	"$few" > "$work/long"
answers '^p{300}\.\.\.,$' why "$work/long" 141504
verdict "a line has an end" "$(grep '.\{1010\}' "$work/out")"
answers "\"partition\":\"$long\"" why "$work/long" 141504 --format json

# Lines are wrapped at the width of a page, except commands.
verdict "lines are wrapped" "$(for job in 141504 141469 ytanaka; do
	"$fairtop" why "$few" "$job" 2> "$work/err" | grep -v '^           ' | grep '.\{81\}'
done)"
exit $failed
