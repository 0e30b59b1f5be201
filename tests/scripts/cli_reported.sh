#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Excerpts of Slurm's outputs: a value is computed only if all inputs were read, else it is the
# scheduler's and marked as reported, else unknown. Defaults do not replace missing inputs.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

# says REGEX ARGUMENT...: like answers(), but for all output and with any exit code
says()
{
	regex=$1
	shift
	"$fairtop" "$@" > "$work/out" 2>&1 < /dev/null
	grep -q -E -e "$regex" "$work/out" && problem='' || problem="no line like $regex but: $(
		head -n 30 "$work/out")"
	verdict "says: $*" "$problem"
}

# never REGEX ARGUMENT...: no line matches
never()
{
	regex=$1
	shift
	"$fairtop" "$@" > "$work/out" 2>&1 < /dev/null
	verdict "never $regex: $*" "$([ $? -eq 0 ] || echo "exit status"
		grep -E -e "$regex" "$work/out")"
}

new()	# a directory to put outputs into
{
	dir=$work/$1
	mkdir "$dir"
}


# ---- no configuration: the priorities are those of squeue ----
new plain
cat > "$dir/squeue.psv" <<'END'
JOBID|PARTITION|USER|ACCOUNT|NAME|STATE|PRIORITY|NODES|CPUS|REASON|QOS
71|day|ann|bio|fold|PENDING|4711|1|8|Priority|std
72|day|bob|geo|dock|PENDING|9000|1|8|Priority|std
73|day|bob|geo|late|PENDING|4294967295|1|8|Priority|std
END
list=rank,id,priority,reported_priority,reported
answers '^3,71,4711,4711,priority$' jobs "slurm:$dir" --format csv --columns $list
answers '^1,73,4294967295,4294967295,priority$' jobs "slurm:$dir" --format csv --columns $list
answers '"priority":4711,.*"reported":\["priority"\]' jobs "slurm:$dir" --format json
answers 'as reported: the source reports neither weights nor terms' explain "slurm:$dir" job:71
says '3 of 3 pending jobs have the priority that the scheduler reports' jobs "slurm:$dir"

# ---- no partitions: the terms of sprio replace the unknown factor ----
new partition
printf 'ClusterName=k\nPriorityType=priority/multifactor\nPriorityWeightPartition=500\n' \
	> "$dir/slurm.conf"
cat > "$dir/squeue.psv" <<'END'
JOBID|PARTITION|USER|ACCOUNT|NAME|STATE|PRIORITY|NODES|CPUS|REASON|QOS
5|slow|ann|bio|a|PENDING|125|1|1|Priority|std
6|fast|bob|geo|b|PENDING|500|1|1|Priority|std
7|slow,fast|bob|geo|b|PENDING|500|1|1|Priority|std
END
cat > "$dir/sprio_l.txt" <<'END'
  JOBID PARTITION USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE TRES
      5 slow      ann       125    0   0     0         0       0       125   0    0
      6 fast      bob       500    0   0     0         0       0       500   0    0
      7 slow      bob       125    0   0     0         0       0       125   0    0
      7 fast      bob       500    0   0     0         0       0       500   0    0
END
list=id,partition,priority,terms,reported
answers '^5,slow,125,0,0,0,0,125,0,0,0,"priority,terms"$' \
	jobs "slurm:$dir" --format csv --columns $list
answers '^7,slow,125,' jobs "slurm:$dir" --format csv --columns $list
answers '^7,fast,500,' jobs "slurm:$dir" --format csv --columns $list
answers '^1,6,1$' jobs "slurm:$dir" --format csv --columns rank,id,partition_rank --filter id=6
answers 'neither the partition nor its PriorityJobFactor was read' explain "slurm:$dir" job:5
never 'it has no PriorityJobFactor' explain "slurm:$dir" job:5
answers '"partition":null,.*"partition":125' jobs "slurm:$dir" --format json --filter id=5
# Reported values are of the cluster as it is: no answer with other weights.
answers '^5,,125$' jobs "slurm:$dir" --set PriorityWeightPartition=1000 --format csv \
	--columns id,priority,base_priority --filter id=5

answers '^5,,$' jobs "slurm:$dir" --set PriorityWeightPartition=1000 --format csv \
	--columns id,rank,priority --filter id=5

# ---- nice: from sprio, else unknown ----
new nice
cat > "$dir/slurm.conf" <<'END'
ClusterName=k
PriorityType=priority/multifactor
PriorityWeightPartition=1000
END
printf 'PartitionName=day\n   PriorityJobFactor=1 PriorityTier=1\n' > "$dir/scontrol_partition.txt"
cat > "$dir/squeue.psv" <<'END'
JOBID|PARTITION|USER|ACCOUNT|NAME|STATE|PRIORITY|NODES|CPUS|REASON|QOS
8|day|ann|bio|a|PENDING|700|1|1|Priority|std
9|day|bob|geo|b|PENDING|990|1|1|Priority|std
END
answers '^8,700,700,priority$' jobs "slurm:$dir" --format csv \
	--columns id,priority,reported_priority,reported
cat > "$dir/sprio_l.txt" <<'END'
  JOBID PARTITION USER PRIORITY SITE AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS NICE TRES
      8 day       ann       700    0   0     0         0       0      1000   0  300
      9 day       bob       990    0   0     0         0       0      1000   0   10
END
answers '^8,700,700,$' jobs "slurm:$dir" --format csv \
	--columns id,priority,reported_priority,reported
answers '= 700' explain "slurm:$dir" job:8
answers 'reported: 1000' explain "slurm:$dir" job:8
answers '"nice":300' snapshot "slurm:$dir"
rm "$dir/sprio_l.txt"
answers '"id":8,.*"nice":null' snapshot "slurm:$dir"
"$fairtop" snapshot "slurm:$dir" > "$work/nice.snapshot" 2> /dev/null
answers '^8,700,priority$' jobs "$work/nice.snapshot" --format csv --columns id,priority,reported

# ---- sprio alone is a queue ----
new sprio
cat > "$dir/sprio.txt" <<'END'
      JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE        QOS
        400 red            61000          0       1000      50000      10000
        401 red            90500          0        500      40000      50000
        402 red            70000          0          0      20000      50000
        402 blue           70001          0          0      20001      50000
END
list=rank,id,partition,state,priority,reported
answers '^1,401,red,PENDING,90500,"priority,terms"$' jobs "slurm:$dir" --format csv \
	--columns $list
answers '^2,402,blue,PENDING,70001,' jobs "slurm:$dir" --format csv --columns $list
answers '"age":500,.*"fairshare":40000,.*"qos":50000' jobs "slurm:$dir" --format json \
	--filter id=401
says 'those of sprio, which lists pending jobs' jobs "slurm:$dir"

cat > "$dir/sprio.txt" <<'END'
      JOBID PARTITION     USER   PRIORITY       SITE        AGE        QOS    QOSNAME
        400 red            ann      61000          0      51000      10000       high
        400 red            ann      51000          0      51000          0        low
        401 red            ann      51001          0      51001          0        low
END
answers '^1,400,red,high,61000$' jobs "slurm:$dir" --format csv \
	--columns rank,id,partition,qos,priority
answers '^3,400,red,low,51000$' jobs "slurm:$dir" --format csv \
	--columns rank,id,partition,qos,priority
# Jobs of only one user are not the whole queue.
printf 'Configuration data as of 2026-11-20T10:00:00\nPrivateData = jobs\n' \
	> "$dir/scontrol_config.txt"
answers '^,400,high,61000$' jobs "slurm:$dir" --format csv --columns rank,id,qos,priority
rm "$dir/scontrol_config.txt"
cat > "$dir/sprio.txt" <<'END'
      JOBID PARTITION   PRIORITY       SITE        AGE
        400 red            61000          0       1000
END

# ---- squeue as it is printed, the priority from sprio ----
cat > "$dir/squeue.txt" <<'END'
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
               400       red    fold1      ann PD       0:00      1 (Resources)
END
answers '^1,400,ann,61000,' jobs "slurm:$dir" --format csv --columns rank,id,user,priority,reported

# ---- an excerpt of a family: values that need all siblings are as reported ----
new family
cat > "$dir/sshare_a_l.psv" <<'END'
Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|TRESRunMins
wet||4|0.016000|2000|0.000040|0.000070||228.571429||
 wet|ida|1|0.050000|0|0.000000|0.000000|0.310000|inf||
 wet|joe|1|0.050000|1500|0.000030|0.750000|0.300000|0.066667||
 wet|kay|2|0.100000|500|0.000010|0.250000|0.305000|0.400000||
END
list=path,norm_shares,fairshare,rank,reported_norm_shares,reported
answers '^/wet:joe,0.05,0.3,,0.05,"norm_shares,fairshare,level_fs"$' \
	accounts "slurm:$dir" --format csv --columns $list
answers '"norm_shares":0.1,.*"reported":\["norm_shares","fairshare","level_fs"\]' \
	accounts "slurm:$dir" --format json --filter user=kay
answers 'an excerpt: siblings are missing' explain "slurm:$dir" user:kay@wet

# ---- an excerpt of scontrol show config: its values, but no defaults for the rest ----
new excerpt
cat > "$dir/scontrol_config.txt" <<'END'
PriorityDecayHalfLife   = 1-00:00:00
PriorityFlags           = INCR_ONLY
PriorityMaxAge          = 7-00:00:00
PriorityType            = priority/multifactor
PriorityWeightAge       = 2000
PriorityWeightAssoc     = 0
PriorityWeightFairShare = 30000
PriorityWeightQOS       = 500
END
list=name,value,from
answers '^PriorityWeightFairshare,30000,scheduler$' policy "slurm:$dir" --format csv --columns $list
answers '^PriorityWeightJobSize,,not read$' policy "slurm:$dir" --format csv --columns $list
answers '^FairShareDampeningFactor,,not read$' policy "slurm:$dir" --format csv --columns $list
says 'scontrol_config.txt is an excerpt: .* unknown' policy "slurm:$dir"
answers '"PriorityWeightAge":2000,.*"PriorityWeightJobSize":null' snapshot "slurm:$dir"
"$fairtop" snapshot "slurm:$dir" > "$work/excerpt.snapshot" 2> /dev/null
answers '^PriorityWeightJobSize,,not read$' policy "$work/excerpt.snapshot" --format csv \
	--columns $list
"$fairtop" record "slurm:$dir" -o "$work/excerpt.db" --count 1 > /dev/null 2>&1
answers '^PriorityWeightJobSize,,not read$' policy "$work/excerpt.db" --format csv --columns $list
# A slurm.conf beside it was read whole: what is absent from both has the default.
printf 'ClusterName=k\nPriorityType=priority/multifactor\n' > "$dir/slurm.conf"
answers '^PriorityWeightJobSize,0,default$' policy "slurm:$dir" --format csv --columns $list
# Before 19.05 there is no site factor, nor a weight of the association.
rm "$dir/slurm.conf"
echo 'SLURM_VERSION = 18.08.8' >> "$dir/scontrol_config.txt"
answers '^PrioritySiteFactorPlugin,,default$' policy "slurm:$dir" --format csv --columns $list
sed -i '/SLURM_VERSION/d' "$dir/scontrol_config.txt"
answers '^PrioritySiteFactorPlugin,,not read$' policy "slurm:$dir" --format csv --columns $list
# Unless it includes a missing file.
printf 'ClusterName=k\nInclude elsewhere.conf\n' > "$dir/slurm.conf"
rm "$dir/scontrol_config.txt"
answers '^PriorityWeightAge,,not read$' policy "slurm:$dir" --format csv --columns $list

# ---- one weight missing from complete outputs ----
new weight
cp "$srcdir/tests/data/slurm/depthobl/quiet"/* "$dir"
chmod u+w "$dir"/*
rm "$dir/slurm.conf" "$dir/sprio_w.txt"
sed -i '/PriorityWeightJobSize/d' "$dir/scontrol_config.txt"
job=$("$fairtop" jobs "slurm:$dir" --format csv --columns rank,id 2> /dev/null |
	sed -n 's/^20,//p')
says 'seek: the priority of some jobs is only as reported' seek "slurm:$dir" "job:$job" --reach 1
answers '^summary +jobs_moved +0 +- ' whatif "slurm:$dir" --set PriorityWeightAge=5
# ---- complete outputs with one thing left out: values as reported, and no unknown rank ----
# all_reported NAME: every priority of a pending job is the reported one
all_reported()
{
	"$fairtop" jobs "slurm:$dir" --format csv --columns state,priority,reported_priority,reported \
		--filter 'state=PENDING' > "$work/out" 2> "$work/err"
	verdict "$1" "$(awk -F, 'NR > 1 && $2 != "" && ($2 - $3 > 3 || $3 - $2 > 3)' "$work/out"
		awk -F, '$2 != "" { n++ } END { if (n < 20) print n + 0 " priorities" }' "$work/out")"
}

# cut_picture NAME: complete outputs, from which something can be removed
cut_picture()
{
	new "$1"
	cp "$srcdir/tests/data/slurm/fairtree/quiet"/* "$dir"
	chmod u+w "$dir"/*
}

cut_picture associations
rm -f "$dir"/scontrol_assoc* "$dir"/sacctmgr_assoc* "$dir"/sacctmgr_dump*
for file in "$dir"/sshare*; do
	head -n 12 "$file" > "$work/cut"
	cp "$work/cut" "$file"
done
all_reported "jobs of associations that are not listed"

cut_picture conf
rm "$dir/scontrol_config.txt"
printf 'ClusterName=lab\nPriorityType=priority/multifactor\n' > "$dir/slurm.conf"
answers '^PriorityWeightTRES,,not read$' policy "slurm:$dir" --format csv --columns name,value,from
all_reported "a slurm.conf without its weights, which sprio -w tells as far as they are not cut"
rm "$dir/sprio_w.txt"
all_reported "a slurm.conf without its weights"
says 'PriorityWeightAge is unknown: it is in no configuration' policy "slurm:$dir"

cut_picture node
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR > 1' "$dir/scontrol_nodes.txt" > "$work/cut"
cp "$work/cut" "$dir/scontrol_nodes.txt"
all_reported "one node is not listed"

cut_picture partition
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR == 1' "$dir/scontrol_partition.txt" > "$work/cut"
cp "$work/cut" "$dir/scontrol_partition.txt"
all_reported "one partition is listed"

cut_picture queue
rm "$dir"/squeue*
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR <= 3' "$dir/scontrol_jobs.txt" > "$work/cut"
cp "$work/cut" "$dir/scontrol_jobs.txt"
"$fairtop" jobs "slurm:$dir" --format csv --columns rank,ahead > "$work/out" 2> "$work/err"
verdict "no ranks of a part of the queue" "$(grep '[0-9]' "$work/out"
	grep -q 'sprio lists more' "$work/err" || cat "$work/err")"

# By another algorithm a column may not exist.
new other
cp "$srcdir/tests/data/slurm/depthobl/quiet"/* "$dir"
for other in classic fair-tree fair-tree-documented depth-oblivious pbs lsf; do
	answers '"path":"/"' accounts "slurm:$dir" --algorithm $other --format json
done

exit $failed
