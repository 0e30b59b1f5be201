#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# PBS's output in the form for people gives the same cluster as -F json. The text and the JSON of
# the captures were made in the same second; if both are present they are compared as a whole.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
TZ=UTC
export TZ
d=$work/site
mkdir "$d"

# snapshot PATH...: prints it without its head, which has the file's time.
snapshot()
{
	"$fairtop" snapshot "$@" 2> "$work/err" | sed 1d
}

cat > "$d/qstat_f.txt" << 'END'
*** Job Id: is what you are asked for. ***
[ann@login2 ~]$ qstat -f
Job Id: 31.srv
    Job_Name = a = b
    Job_Owner = ann@login2
    job_state = R
    queue = night
    server = srv
    Resource_List.ncpus = 6
    Resource_List.walltime = 02:00:00
    stime = Mon Nov 23 10:15:00 2026
    comment = Job run at Mon Nov 23 at 10:15 on (n1:ncpus=6) and what a line of
	 eighty letters cuts
    Variable_List = PBS_O_HOME=/home/ann,
	PBS_O_SHELL=/bin/bash

Job Id: 32[].srv
    Job_Owner = bob@login2
    job_state = Q
    queue = night
    Priority = 7
    Resource_List.ncpus = 2
    Resource_List.mem = 4gb
    array_indices_remaining = 1-5

qstat: Unknown Job Id 33.srv
[ann@login2 ~]$
END
cat > "$d/qstat_f.json" << 'END'
{"timestamp":1795428000,"pbs_server":"srv","Jobs":{"31.srv":{"Job_Name":"a = b",
"Job_Owner":"ann@login2","job_state":"R","queue":"night","server":"srv",
"Resource_List":{"ncpus":6,"walltime":"02:00:00"},"stime":"Mon Nov 23 10:15:00 2026",
"comment":"Job run at Mon Nov 23 at 10:15 on (n1:ncpus=6) and what a line of eighty letters cuts"},
"32[].srv":{"Job_Owner":"bob@login2","job_state":"Q","queue":"night","Priority":7,
"Resource_List":{"ncpus":2,"mem":"4gb"},"array_indices_remaining":"1-5"}}}
END
snapshot "pbs:$d/qstat_f.json" > "$work/json"
snapshot "pbs:$d/qstat_f.txt" > "$work/text"
verdict "both forms give the same jobs" "$(diff "$work/json" "$work/text"
	grep -q '"cpus":6' "$work/text" || cat "$work/text")"
verdict "a message of standard error is a note" "$(
	grep -q 'jobs: qstat_f.txt: qstat: Unknown Job Id 33.srv' "$work/err" || cat "$work/err")"
# A terminal turns tabs into blanks, and people give files any name.
sed 's/^	/        /' "$d/qstat_f.txt" > "$work/other"
verdict "blanks for tabs, and another name" "$(snapshot "pbs:$work/other" | diff "$work/json" -)"
expand "$d/qstat_f.txt" | sed 's/^/    /' > "$work/other"
verdict "the indentation of a code block" "$(snapshot "pbs:$work/other" | diff "$work/json" -)"
{ cat "$d/qstat_f.txt"; sed 's/= R/= Q/' "$d/qstat_f.txt"; } > "$work/other"
verdict "of an output that is there twice the first counts" "$(
	snapshot "pbs:$work/other" | diff "$work/json" -
	grep -q '32\[\].srv appears more than once' "$work/err" || cat "$work/err")"
rm "$d/qstat_f.json"
cp "$d/qstat_f.txt" "$d/qstat_ft.json"
verdict "its content tells what a file is" "$(snapshot "pbs:$d" | diff "$work/json" -)"

# print server: limits on several lines, quoted values, and a server whose name is not given.
cat > "$d/qmgr_print_server.txt" << 'END'
#
# Create queues and set their attributes.
#
create queue night
set queue night queue_type = Execution
set queue night Priority = 40
set queue night max_run = [u:PBS_GENERIC=3]
set queue night max_run += [u:ann=9]
set queue night resources_max.walltime = 12:00:00
set queue night started = True
#
# Set server attributes.
#
set server scheduling = True
set server query_other_jobs = True
set server job_sort_formula = "ncpus * 2"
END
snapshot "pbs:$d" > "$work/text"
verdict "queues and limits of print server" "$(
	grep -q '"name":"night","priority":40.*"max_run=\[u:PBS_GENERIC=3\],\[u:ann=9\]"' \
		"$work/text" || grep '"queue"' "$work/text")"
verdict "the jobs name the server" "$(grep -q '"server":{"name":"srv","scheduling":true' \
	"$work/text" || grep '"server"' "$work/text")"
answers '^job_sort_formula +ncpus \* 2 ' policy "pbs:$d"
printf '$ qmgr\nQmgr: \nset server job_sort_formula = ncpus\n' > "$work/other"
refused 'commands that somebody typed' 'not a known output of PBS' jobs "pbs:$work/other"

cat > "$d/pbsnodes_a.txt" << 'END'
n1
     Mom = n1.site
     ntype = PBS
     state = free
     resources_available.ncpus = 16
     resources_available.mem = 64gb
     resources_available.color = red
     resources_assigned.ncpus = 6

n2
Mom = n2.site
state = state-unknown,down
resources_available.ncpus = 16

END
snapshot "pbs:$d" > "$work/text"
verdict "nodes" "$(grep -q '"name":"n1".*"cpus":16,"cpus_used":6,"memory":65536' "$work/text" &&
	grep -q '"name":"n2","state":"state-unknown,down"' "$work/text" ||
	grep '"host"' "$work/text")"

# Insufficient output is refused with the command that prints enough.
printf 'Job id            Name             User\n' > "$work/other"
refused 'a short table' 'the table of qstat \(expected qstat -f -t' jobs "pbs:$work/other"
printf '\n\nsrv: \nJob ID          Username Queue\n' > "$work/other"
refused 'a short table' 'the table of qstat -a \(expected qstat -f -t' jobs "pbs:$work/other"
rm -rf "$work/half"
mkdir "$work/half"
printf '{"timestamp":1,\n"Jobs":{ x' > "$work/half/qstat_f.json"
refused 'half a JSON' "^fairtop: $work/half/qstat_f.json:2: " jobs "pbs:$work/half"
refused 'half a JSON, as a file' "^fairtop: pbs:$work/half/qstat_f.json:2: " \
	jobs "pbs:$work/half/qstat_f.json"

captures=${FAIRTOP_SHARED:-$srcdir/../shared}/captures/pbs
# Except for an account with an escape character, which the text prints as "^[".
for pair in 01_main:qstat_f 01_main:qstat_ft 01_main:qstat_Qf 01_main:qstat_Bf 03_tricky:qstat_f; do
	dir=$captures/${pair%%:*} name=${pair#*:}
	[ -r "$dir/$name.txt" ] && [ -r "$dir/${name}_json.json" ] || continue
	snapshot "pbs:$dir/${name}_json.json" | grep -v '"account":"quo' > "$work/json"
	verdict "the recording $pair in both forms" "$(snapshot "pbs:$dir/$name.txt" |
		grep -v '"account":"quo' | diff "$work/json" - | head -n 4)"
done
exit "$failed"
