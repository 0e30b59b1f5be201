#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Saved outputs of Slurm as people paste them: with the text around them in the terminal, its
# control characters, a line of standard error. The output is read, nothing else is a value.

: "${srcdir:?}" "${FAIRTOP_SHARED=}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
paste=$work/paste
esc=$(printf '\033')
cr=$(printf '\r')

# fresh: makes an empty directory of saved outputs
fresh()
{
	rm -rf "$paste"
	mkdir "$paste"
}

# banner COMMAND: prints text that may precede an output
banner()
{
	printf '\357\273\277Last login: Mon Nov  2 08:00:00 2026 from 10.1.2.3\n'
	printf '  *** Welcome to the cluster: JOBID and Account are explained in the wiki ***\n\n'
	printf 'Load=3.2 Users=17\n#1) Respect the privacy of others.\n[sudo] password for me: \n'
	printf '[me@login ~]%s %s\n' "\$" "$1"
}

# wrapped FILE: prints it as it may look in a chat
wrapped()
{
	case $1 in
	*slurm.conf | *.cfg) printf '[me@login ~]%s cat %s\n' "\$" "${1##*/}" ;;
	*) banner "sprio -o JOBID,Account ${1##*/}" ;;
	esac
	sed -e "s/^/${esc}[0m/" -e "s/\$/${esc}[K$cr/" "$1"
	printf 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)\r\n'
	printf '[me@login ~]%s exit\r\nlogout\r\n' "\$"
}

# picture DIRECTORY: prints its snapshot without the notes
picture()
{
	"$fairtop" snapshot "slurm:$1" 2> "$work/err" | sed '1s/"notes":\[.*\],"policy"/"policy"/'
}

# --- all outputs of a recording -----------------------------------------------------------------

for recording in "$srcdir/tests/data/slurm/fairtree/quiet" "$srcdir/tests/data/slurm/depthobl/quiet" \
	"$FAIRTOP_SHARED/captures/slurm/nofairtree/live" "$FAIRTOP_SHARED/captures/slurm/depthobl/live"; do
	[ -d "$recording" ] || continue
	name=$(echo "$recording" | sed 's|.*/\([^/]*/[^/]*\)$|\1|')
	rm -rf "$work/rest"
	cp -r "$recording" "$work/rest"
	chmod -R u+w "$work/rest"
	fresh
	for file in "$recording"/*.txt "$recording"/*.psv "$recording"/*.json "$recording"/*.cfg \
		"$recording"/slurm.conf; do
		wrapped "$file" > "$paste/${file##*/}"
	done
	# All of them, then those that are read if better ones are missing.
	for gone in none 'squeue.json sacctmgr_assoc.psv sshare_all_fields.psv sprio_weighted.psv' \
		'scontrol_jobs.txt scontrol_assoc_mgr.txt sacctmgr_assoc_tree.psv sprio_norm.psv' \
		'squeue.psv squeue_O.psv sacctmgr_dump.cfg sshare_a_l.psv'; do
		for file in $gone; do
			rm -f "$work/rest/$file" "$paste/$file"
		done
		picture "$work/rest" > "$work/clean"
		picture "$paste" > "$work/pasted"
		verdict "$name without $gone: what stands around changes nothing" "$(
			[ "$(wc -l < "$work/clean")" -gt 50 ] || cat "$work/err"
			cmp "$work/clean" "$work/pasted" 2>&1)"
	done
done

# --- headers and rows ---------------------------------------------------------------------------

# told NAME REGEX ARGUMENT...: exit 0, and a line on standard error matches
told()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null
	code=$?
	verdict "told: $what" "$([ $code -eq 0 ] || echo "exit $code;"
		grep -q -E -e "$regex" "$work/err" || cat "$work/err")"
}

fresh
cat > "$paste/sshare.txt" << 'END'
Account balance and User quota: see the portal
[ann@head ~]$ sshare -a -l -m -P
Account|User|Partition|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS
root||||0.000000|900||1.000000||
 optics|||60|0.600000|300|0.333333|0.333333||1.800000
sshare: error: slurm_receive_msg: Zero Bytes were transmitted or received
  optics|bea||1|1.000000|300|0.333333|1.000000|1.000000|1.000000
 c#|||40|0.400000|600|0.666667|0.666667||0.600000
  c#|cem||1|1.000000|600|0.666667|1.000000|0.500000|1.000000
[ann@head ~]$ squeue
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
END
answers '^/c#:cem .*0\.500000' accounts "slurm:$paste"
told 'what stands among the rows' '^fairtop: sshare.txt: ignored, not part of the output: sshare: error: slurm_re' \
	accounts "slurm:$paste"
sed -i -e 's/^Account|.*//' -e '/squeue$/,$d' "$paste/sshare.txt"
refused 'no header' 'sshare.txt:1: no column "Account" in "Account balance .*\(expected the header line of sshare -a -l -m;' \
	accounts "slurm:$paste"
fresh
printf 'Load=3.2\n[a@b ~]%s scontrol -a show job\nslurm_load_jobs error: Unable to contact\n' "\$" > "$paste/scontrol_jobs.txt"
refused 'no records' 'scontrol_jobs.txt:1: "Load=3.2": expected records that begin with JobId=, as scontrol -a show job' \
	jobs "slurm:$paste"
printf 'Account|User|RawShares\nroot|x|1|y\n' > "$paste/sshare.txt"
refused 'a row too long' "^fairtop: $paste/sshare.txt:2: the row does not match" accounts "slurm:$paste"
refused 'a row too long, as a file' "^fairtop: slurm:$paste/sshare.txt:2: the row does not match" \
	accounts "slurm:$paste/sshare.txt"

# A tree that lost its indentation is refused, and an ellipsis is no account.
fresh
cat > "$paste/sshare.txt" << 'END'
Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare
-------------------- ---------- ---------- ----------- ----------- ------------- ----------
root                                          0.000000         800      1.000000
optics                                  30    0.300000         200      0.250000
...
lens                                    70    0.700000         600      0.750000
END
answers '^/optics +30 +0\.300000 .* 0\.250000' accounts "slurm:$paste"
verdict 'a cut is no account' "$(grep -F -e ... "$work/out")"
told 'a tree whose blanks were lost' '^fairtop: accounts: .*the tree cannot be rebuilt' \
	accounts "slurm:$paste"
verdict 'no parent is said to be gone' "$(grep 'are gone' "$work/err")"

fresh
cat > "$paste/sacctmgr_qos.psv" << 'END'
      Name   Priority UsageFactor
---------- ---------- -----------
long_jobs+         80    1.000000
long_jobs+         20    2.000000
END
refused 'two QOS of one cut name' 'sacctmgr_qos.psv:4: "long_jobs\+" is listed twice: the names are cut' \
	policy "slurm:$paste"

# --- several clusters ---------------------------------------------------------------------------

# As the commands print them with -M east,west.
fresh
cat > "$paste/squeue.txt" << 'END'
[ann@head ~]$ squeue -M east,west
CLUSTER: east
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                11       cpu     mesh      ann PD       0:00      2 (Priority)

CLUSTER: west
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
                11       gpu    train      bea PD       0:00      1 (Resources)
                12       gpu    train      bea PD       0:00      1 (Priority)
END
cat > "$paste/sshare.psv" << 'END'
CLUSTER: east
Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare
root||||70|1.000000|
 mech||1|1.000000|70|1.000000|
  mech|ann|1|1.000000|70|1.000000|1.000000

CLUSTER: west
Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare
root||||9|1.000000|
 learn||1|1.000000|9|1.000000|
  learn|bea|1|1.000000|9|1.000000|1.000000
END
refused 'several clusters' 'outputs of several clusters: east \(sshare.psv\), west \(sshare.psv\), east \(squeue.txt\).*slurm:DIR,cluster=NAME' \
	jobs "slurm:$paste"
refused 'a cluster nobody names' 'cluster=north: no output names it \(expected one of east' \
	jobs "slurm:$paste,cluster=north"
answers '^ *[0-9-]+ +12 .*bea' jobs "slurm:$paste,cluster=west"
verdict 'no job of the other cluster' "$(grep -w -e mesh -e ann "$work/out")"
answers '^/mech:ann' accounts "slurm:$paste,cluster=east"
verdict 'no account of the other cluster' "$(grep learn "$work/out")"
printf 'Configuration data as of 2026-11-02T08:00:00\nClusterName             = West\nSLURM_VERSION           = 24.05.1\nPriorityType            = priority/multifactor\n' \
	> "$paste/scontrol_config.txt"
answers '^/learn:bea' accounts "slurm:$paste"
printf 'Cluster|Account|User|Share|Par Name\neast|root||1|\neast|mech||1|root\n' > "$paste/sacctmgr_assoc.psv"
told 'a text that tells nothing of it' \
	'^fairtop: cluster: sacctmgr_assoc.psv is not read: it is from cluster east, squeue.txt is from West' \
	accounts "slurm:$paste"
verdict 'nor is it read' "$(grep mech "$work/out")"

# The configuration of another cluster does not apply to the rows.
fresh
printf 'ClusterName=north\nPriorityType=priority/multifactor\nPriorityWeightAge=12345\n' > "$paste/slurm.conf"
printf 'Cluster|Account|User|Share|Par Name\nsouth|root||1|\nsouth|mech||1|root\n' > "$paste/sacctmgr_assoc.psv"
told 'two clusters' '^fairtop: policy: slurm.conf is not read: it is from cluster north, sacctmgr_assoc.psv is from south' \
	policy "slurm:$paste"
verdict 'its weights do not count' "$(grep 12345 "$work/out"
	grep -q -E '^PriorityWeightAge +- ' "$work/out" || echo 'PriorityWeightAge is known')"
sed -i 's/north/South/' "$paste/slurm.conf"
answers '^PriorityWeightAge +12345 ' policy "slurm:$paste"

# --- the weights of sprio -w --------------------------------------------------------------------

fresh
cat > "$paste/sprio.txt" << 'END'
[ann@head ~]$ sprio -w
          JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE        QOS                 TRES
        Weights                               1        600      70000       8000        CPU=50,Mem=60
[ann@head ~]$ sprio -l
          JOBID PARTITION     USER   PRIORITY       SITE        AGE      ASSOC  FAIRSHARE    JOBSIZE  PARTITION        QOS        NICE                 TRES
             31 cpu            ann      70610          0        600          0      70000          0          0          0           0                cpu=10
END
for row in 'Age +600' 'Fairshare +70000' 'QOS +8000' 'TRES +cpu=50,mem=60' 'JobSize +- '; do
	answers "^PriorityWeight$row" policy "slurm:$paste"
done
answers '^ *1 +31 .* 70610$' jobs "slurm:$paste"
verdict 'the weights are no job' "$("$fairtop" jobs "slurm:$paste" 2>&1 | grep -i weights)"
told 'the weights are an excerpt' '^fairtop: policy: sprio.txt is an excerpt' policy "slurm:$paste"
printf 'PriorityType=priority/multifactor\nPriorityWeightAge=601\n' > "$paste/slurm.conf"
answers '^PriorityWeightAge +601' policy "slurm:$paste"

# The terminal cut the terms off: this does not mean, as terms of 0 do, a priority set by hand.
fresh
cat > "$paste/sprio.txt" << 'END'
          JOBID PARTITION     USER   PRIORITY       SITE        AGE      AS
             31 cpu            ann      70610          0          0
END
"$fairtop" snapshot "slurm:$paste" > "$work/out" 2> "$work/err"
verdict 'terms cut off' "$(grep -q '"priority":70610' "$work/out" || cat "$work/out" "$work/err"
	grep '"direct"' "$work/out")"

# --- files by another name ----------------------------------------------------------------------

quiet=$srcdir/tests/data/slurm/fairtree/quiet
while read -r from as rows; do
	fresh
	wrapped "$quiet/$from" > "$paste/$as"
	"$fairtop" snapshot "slurm:$quiet/$from" > "$work/clean" 2> /dev/null
	verdict "$from alone" "$(grep -v '^{"fairtop' "$work/clean" | grep -q "$rows" || cat "$work/clean")"
	"$fairtop" snapshot "slurm:$paste" > "$work/out" 2> "$work/err"
	verdict "$from called $as" "$(grep -v '^{"fairtop' "$work/clean" > "$work/left"
		grep -v '^{"fairtop' "$work/out" | cmp - "$work/left" 2>&1
		grep -q "^fairtop: $as: has the contents of a .*: it is read as that" "$work/err" || cat "$work/err")"
done << 'END'
squeue.json squeue.txt "job":72
squeue_plain.txt sprio.txt "job":60
sprio_l.txt squeue.psv "prio":49
sacctmgr_assoc_tree.psv sshare.txt "assoc":86
sshare_a_l.txt sacctmgr_assoc.psv "assoc":86
scontrol_jobs.txt squeue_plain.txt "job":72
scontrol_partition.txt scontrol_nodes.txt "partition":4
scontrol_assoc_mgr.txt sshare.psv "qos":5
END
fresh
wrapped "$quiet/slurm.conf" > "$paste/scontrol_config.txt"
wrapped "$quiet/scontrol_config.txt" > "$paste/slurm.conf"
picture "$paste" > "$work/out"
rm -rf "$work/rest"
mkdir "$work/rest"
cp "$quiet/slurm.conf" "$quiet/scontrol_config.txt" "$work/rest"
picture "$work/rest" > "$work/clean"
verdict 'the two configurations, each by the name of the other' "$(cmp "$work/out" "$work/clean" 2>&1)"

# --- PBS ----------------------------------------------------------------------------------------

# Blanks at the ends of lines, an output twice, a continuation line without its tab, and Torque.
cat > "$work/pbs" << 'END'
Job Id: 71.head
    Job_Name = mesh
    job_state = Q
    queue = work
    Resource_List.ncpus = 24
    Resource_List.select = 2:ncpus=12:mpiprocs=12:mem=64gb:arch=linux:vnode=n00
    1
    comment = Not Running: a reason that is as long as one that PBS may well fol

	d
    euser = ann
END
sed -e 's/$/   /' -e 's/\\t/	/' "$work/pbs" > "$work/qstat"
{ echo; sed 's/= Q/= R/' "$work/pbs"; } >> "$work/qstat"
told 'a second output' '^fairtop: jobs: qstat: 71.head appears more than once' jobs "pbs:$work/qstat"
answers '^71,mesh,ann,work,PENDING,24$' jobs "pbs:$work/qstat" --format csv \
	--columns id,name,user,partition,state,cpus
verdict 'one job' "$([ "$(grep -c '^71,' "$work/out")" -eq 1 ] || cat "$work/out")"
head -8 "$work/pbs" > "$work/qstat"
"$fairtop" snapshot "pbs:$work/qstat" > "$work/out" 2> "$work/err"
verdict 'half a value is none' "$(grep '"select"' "$work/out"
	grep -q 'select may continue in a line that lost its tab: unknown' "$work/err" || cat "$work/err")"
printf 'Job Id: 7.head\n    job_state = Q\n    queue = batch\n    submit_args = -l nodes=2\n' > "$work/qstat"
told 'Torque' '^fairtop: jobs: qstat: from Torque, not PBS' jobs "pbs:$work/qstat"

exit $failed
