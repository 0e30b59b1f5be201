#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# LSF's plain outputs as people save them: recognised by content, not by file name, with prompts,
# banners and messages around them, in one file or a whole session; bjobs without -w, which
# truncates columns; IBM's form of bqueues -l; host partitions. Missing data is unknown, and named.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
TZ=UTC
export TZ
d=$work/site

# site: makes an empty one, dated the 20th of November 2026
site()
{
	rm -rf "$d"
	mkdir "$d"
	echo '{"time": 1795172400}' > "$d/meta.json"
}

# told WHAT REGEX ARGUMENT...: exit 0; the answer or the notes match
told()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2>&1 < /dev/null || echo "exit $?" >> "$work/out"
	verdict "$what: $regex" "$(if grep -q '^exit' "$work/out" ||
		! grep -Eq -e "$regex" "$work/out"; then cat "$work/out"; fi)"
}

# cannot WHAT REGEX ARGUMENT...: exit 2; the messages have that reason
cannot()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null
	verdict "$what" "$([ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q -e "$regex" "$work/err" ||
		cat "$work/out" "$work/err")"
}

table()
{
	cat <<-END
	QUEUE_NAME      PRIO STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP
	express          70  Open:Active     400   20    -    -   318   300    16     2
	batch            30  Open:Inact_Win    -    -    -    -    44    44     0     0
	END
}

# The same table under the file name of each other output.
columns=queue,priority,used,pending,limit
for name in bqueues.txt bqueues_l.txt bqueues_r.txt bqueues.json bjobs_w.txt; do
	site
	table > "$d/$name"
	told "a table in $name" '^express,70,18,300,400$' pools "lsf:$d" --format csv --columns $columns
	told "a table in $name" '^batch,30,0,44,$' pools "lsf:$d" --format csv --columns $columns
	told "a table in $name" 'shares: not shown by bqueues alone: unknown, not equal' \
		accounts "lsf:$d"
done

# One file of any name; noise around it; a message in it is a note.
{
	printf '\357\273\277Last login: Mon Nov 16 from desk\n\033[1m[u1@login ~]$\033[0m bqueues\n'
	table
	echo 'batch system daemon not responding ... still trying'
	echo '[u1@login ~]$ '
} > "$work/pasted"
told "one file" '^express,70,18,300' pools "lsf:$work/pasted" --format csv --columns $columns
told "a message" 'pasted: batch system daemon not responding' pools "lsf:$work/pasted"

# A session: each output is recognised; bjobs without -w.
{
	echo 'u1@login:~> bqueues'
	table
	cat <<-'END'
	u1@login:~> bhosts
	HOST_NAME          STATUS       JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV
	nodea              ok              -     16      8      8      0      0      0
	nodeb              closed_Adm      -     16     10      8      0      2      0
	u1@login:~> bjobs -u all
	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	4071    u1      RUN   express    login       nodea       *ain model Nov 18 14:00
	4072    u2      RUN   express    login       4*nodea     b c  d     Nov 18 14:05
	                                             6*nodeb
	                                             nodec
	124073844 u3      PEND  batch      login                   my job     Nov 19 09:30
	4074    u3      PEND  batch      login                   [x] 12:00  Nov 19 09:31
	u1@login:~>
	END
} > "$work/session"
for row in '4071,\*ain model,u1,express,RUNNING,1' '4072,b c  d,u2,express,RUNNING,11' \
	'124073844,my job,u3,batch,PENDING,' '4074,\[x\] 12:00,u3,batch,PENDING,'; do
	told "bjobs without -w" "^$row\$" jobs "lsf:$work/session" --format csv \
		--columns id,name,user,partition,state,cpus
done
told "a session's queues" '^express,70,18,300' pools "lsf:$work/session" --format csv \
	--columns $columns

# One job in two outputs is one job.
site
table > "$d/bqueues.txt"
sed -n '/^JOBID/,/^4074/p' "$work/session" > "$d/bjobs.txt"
sed -n '/^JOBID/p;/^4071/p;/^4074/p' "$work/session" >> "$d/bjobs.txt"
told "a job twice" 'bjobs.txt: job 4071 appears more than once' jobs "lsf:$d"
told "a job twice" '^4071,RUNNING$' jobs "lsf:$d" --format csv --columns id,state
verdict 'each job once' "$([ "$(grep -c '^407' "$work/out")" -eq 3 ] || cat "$work/out")"

# A truncated queue name is the only queue that begins so; a truncated user name stays unknown.
site
table | sed 's/^batch      /batch_night/' > "$d/bqueues.txt"
cat > "$d/bjobs_u_all.txt" <<-'END'
	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	11      mariann PEND  batch_nigh login                   run        Nov 19 09:30
	END
told "a queue's name that is cut" '^11,mariann,batch_night$' jobs "lsf:$d" --format csv \
	--columns id,user,partition
told "a user's name that is cut" '1 names of users or queues fill their column' jobs "lsf:$d"

# bjobs -w: longer cells push the rest; blanks in names; hosts in one word; a year.
site
table > "$d/bqueues.txt"
cat > "$d/bjobs.txt" <<-'END'
	JOBID      USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	501        u1      RUN   express    login1.site.example 4*nodea.site.example:2*nodeb make all -j 8 Oct 20 14:00
	502        longusername PEND  batch      login          -        two words  Oct 20 14:01
	503        longusername PEND  batch      login1.site.example    three more words Oct 20 14:02 2026
	END
for row in '501,make all -j 8,u1,6,1792504800$' '502,two words,longusername,,1792504860$' \
	'503,three more words,longusername,,1792504920$'; do
	told "bjobs -w" "^$row" jobs "lsf:$d" --format csv --columns id,name,user,cpus,submit
done

# "No job" is no error, in whatever file.
for name in bjobs.txt bjobs_l.txt bjobs_w.txt; do
	site
	table > "$d/bqueues.txt"
	printf '$ bjobs -u all\nNo unfinished job found\n$ \n' > "$d/$name"
	told "no job in $name" '0 of the 362 slots' accounts "lsf:$d"
done

# bqueues -l as in IBM's manual: a description after the name, no blank lines, more columns.
site
cat > "$d/bqueues_l.txt" <<-'END'
	% bqueues -l normal
	QUEUE: normal  -- For jobs of low priority.
	PARAMETERS/STATISTICS
	PRIO NICE STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN SSUSP USUSP  RSV PJOBS
	 40   20  Open:Active     100   50   11    1     3     1     2     0     0    0     1
	Migration threshold is 30 minutes.
	RUNLIMIT
	 342800.0 min of hosta
	SCHEDULING PARAMETERS
	           r15s   r1m  r15m   ut      pg    io   ls    it    tmp    swp    mem
	loadSched   -     0.7   1.0  0.2     4.0   50     -     -     -      -      -
	loadStop    -     1.5   2.5    -     8.0  240     -     -     -      -      -
	SCHEDULING POLICIES:  FAIRSHARE  NO_INTERACTIVE
	USER_SHARES:  [physics, 70] [default, 5]
	SHARE_INFO_FOR: normal/
	 USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME   ADJUST  GPU_RUN_TIME
	physics          70      11.500      2        0      120.5      900      0.000             0
	u9                5       1.667      0        0        0.0        0      0.000             0
	USERS:  all
	HOSTS:  hosta, hostb
	END
told "IBM's bqueues -l" '^/normal:physics,70,2,120.5,900$' accounts "lsf:$d" --format csv \
	--columns path,shares,started,cpu_time,run_time
told "IBM's bqueues -l" '^normal,40,2,1,100$' pools "lsf:$d" --format csv --columns $columns
grep -v '^HOSTS' "$d/bqueues_l.txt" > "$d/cut"
mv "$d/cut" "$d/bqueues_l.txt"
refused "half an output" 'ends before its HOSTS line .expected the whole output of bqueues -r' \
	accounts "lsf:$d"

# Host partitions: their hosts and accounts, and a note that no job is charged to them.
site
table > "$d/bqueues.txt"
cat > "$d/bhpart_r.txt" <<-'END'
	HOST_PARTITION_NAME: hp1
	HOSTS: nodea nodeb

	SHARE_INFO_FOR: hp1/
	USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME   ADJUST
	groupA          100     5.440      5        0      200.0     1324      0.000
	u7               50     8.333      0        0        0.0        0      0.000

	SHARE_INFO_FOR: hp1/groupA/
	USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME   ADJUST
	u1               30     1.100      5        0      200.0     1324      0.000
	END
told "a host partition" '^/hp1/groupA:u1,30,5$' accounts "lsf:$d" --format csv \
	--columns path,shares,started
told "a host partition" 'hp1: a host partition: jobs are neither charged' accounts "lsf:$d"

# A table of queues does not give the order of users: the places of jobs are unknown, except that of
# a single pending job.
site
cat > "$d/bqueues.txt" <<-'END'
	QUEUE_NAME      PRIO STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP
	express          60  Open:Active       -    -    -    -     1     1     0     0
	night            20  Open:Active       -    -    -    -     2     2     0     0
	END
cat > "$d/bjobs.txt" <<-'END'
	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	21      u1      PEND  night      login                   a          Oct 20 14:00
	22      u2      PEND  night      login                   b          Oct 20 14:01
	23      u2      PEND  express    login                   c          Oct 20 14:02
	END
told "who is next among users" '^23,1$' jobs "lsf:$d" --format csv --columns id,rank
told "who is next among users" '^21,$' jobs "lsf:$d" --format csv --columns id,rank
told "why" 'FAIRSHARE of queue night is unknown .expected bqueues -r' jobs "lsf:$d"

# All factors 0: static priority, only the shares at each level, whatever the usage, in either form.
# Without a known version the printed values are used, except for edited shares or factors.
site
printf 'IBM Spectrum LSF 10.1.0.13, May 10 2023\nMy cluster name is c\n' > "$d/lsid.txt"
printf '%s = 0\n' CPU_TIME_FACTOR RUN_TIME_FACTOR RUN_JOB_FACTOR |
	sed '1i Begin Parameters' | sed '$a End Parameters' > "$d/lsb.params"
cat > "$d/lsb.queues" <<-'END'
	Begin Queue
	QUEUE_NAME = day
	PRIORITY = 25
	FAIRSHARE = USER_SHARES[[lab,7] [u9,3]]
	End Queue
	END
cat > "$d/lsb.users" <<-'END'
	Begin UserGroup
	GROUP_NAME GROUP_MEMBER USER_SHARES
	lab (u1 u2) ([u1,12] [u2,20])
	End UserGroup
	END
cat > "$d/bqueues_r.txt" <<-'END'
	QUEUE: day
	PARAMETERS/STATISTICS
	PRIO NICE STATUS          MAX JL/U JL/P JL/H NJOBS  PEND   RUN SSUSP USUSP  RSV
	 25    0  Open:Active       -    -    -    -    13     3    10     0     0    0
	SCHEDULING POLICIES:  FAIRSHARE
	USER_SHARES:  [lab, 7] [u9, 3]
	SHARE_INFO_FOR: day/
	USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME
	lab               7       7.000     10         0     900.0     5000
	u9                3       3.000      0         0       0.0        0
	SHARE_INFO_FOR: day/lab/
	USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME
	u2               20      20.000     10         0     900.0     5000
	u1               12      12.000      0         0       0.0        0
	USERS: all
	HOSTS: all
	END
cat > "$d/bjobs_w.txt" <<-'END'
	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	61      u9      PEND  day        h           -           a          Nov 20 10:00
	62      u1      PEND  day        h           -           b          Nov 20 10:01
	63      u2      PEND  day        h           -           c          Nov 20 10:02
	END
order()
{
	what=$1 wanted=$2
	shift 2
	verdict "$what" "$("$fairtop" jobs "lsf:$d" --sort rank --format csv --columns id,rank "$@" \
		2> "$work/err" | tail -n +2 | tr '\n' ' ' | grep -vFx "$wanted ")"
}
order "static: most shares first" '63,1 62,2 61,3'
order "static: edited shares" '61,1 63,2 62,3' --set shares:/day:u9=8
order "static: edited shares below" '62,1 63,2 61,3' --set shares:/day/lab:u1=21
told "static: every level" 'dynamic priority +4 +0 .*equal' verify "lsf:$d"
told "static: why" 'all factors are 0: the priority is static' explain "lsf:$d" job:62
told "no longer static" '^/day/lab:u2,0.6' accounts "lsf:$d" --set RUN_JOB_FACTOR=3 --format csv \
	--columns path,dynamic_priority

cannot "what is not done is no answer" "advance.*only forecast computes the decay of LSF" \
	accounts "lsf:$d" --set advance=3h

# Terms of IBM's formula that fairtop does not compute: as printed, or unknown, with a note.
for factor in GPU_RUN_TIME_FACTOR FWD_JOB_FACTOR; do
	told "$factor tried" '^/day/lab:u2,$' accounts "lsf:$d" --set $factor=0.5 --format csv \
		--columns path,dynamic_priority
	for file in lsb.params lsb.queues; do
		cp "$d/$file" "$work/kept"
		sed -i "/RUN_JOB_FACTOR\|PRIORITY/a $factor = 0.5" "$d/$file"
		told "$factor of $file" '^/day/lab:u2,20$' accounts "lsf:$d" --format csv \
			--columns path,dynamic_priority
		told "$factor of $file, shares edited" '^/day:u9,$' accounts "lsf:$d" \
			--set shares:/day:u9=8 --format csv --columns path,dynamic_priority
		told "$factor of $file: why" "the $factor term is not 0 .*not computed" \
			explain "lsf:$d" job:62
		cannot "$factor of $file: no forecast" "the term of $factor, which is not 0" \
			forecast "lsf:$d" /day:u9
		told "$factor of $file: as set" "$factor *,?0.5" policy "lsf:$d" --format csv
		cp "$work/kept" "$d/$file"
	done
done
rm "$d/lsid.txt"
order "static: the version is unknown" '63,1 62,2 61,3'
told "priorities of other shares" '^/day:u9,8,$' accounts "lsf:$d" --set shares:/day:u9=8 \
	--format csv --columns path,shares,dynamic_priority
told "priorities of other factors" '^/day:u9,$' accounts "lsf:$d" --set RUN_JOB_FACTOR=0.0001 \
	--format csv --columns path,dynamic_priority

# The version, in unknown words.
site
table > "$d/bqueues.txt"
printf 'Otherwise LSF 3.1, Jan 01 2026\nMy cluster name is far\n' > "$d/lsid.txt"
told "another LSF" '"cluster":"far".*"version":"Otherwise LSF 3.1"' snapshot "lsf:$d"

# Errors say where, what was expected, and which command prints it.
site
echo 'LSF is down. Please wait ...' > "$d/bqueues.txt"
refused "no output" "^fairtop: $d/bqueues.txt:1: \"LSF is down.*expected the header QUEUE_NAME PRIO ... of bqueues" \
	pools "lsf:$d"
refused "no output, as a file" "^fairtop: lsf:$d/bqueues.txt:1: \"LSF is down" pools "lsf:$d/bqueues.txt"
echo 'nothing of it' > "$work/other"
refused "a file of another kind" 'other: not an output of LSF.*expected bqueues -r' pools \
	"lsf:$work/other"
site
printf 'HOST_NAME          STATUS       JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV\n' \
	> "$d/bhosts.txt"
for slots in 8 16; do
	printf 'rack01-node12.site ok              -     %2d      0      0      0      0      0\n' \
		$slots
done >> "$d/bhosts.txt"
refused "two hosts of one cut name" 'bhosts.txt:3: "rack01-node12.site": expected each name once' \
	pools "lsf:$d"
site
cat > "$d/bjobs.txt" <<-'END'
	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
	12      u1      RUN   express    login
	END
refused "half a job" 'bjobs.txt:2: "12 .*expected a job as bjobs -u all -w prints it' jobs "lsf:$d"
exit "$failed"
