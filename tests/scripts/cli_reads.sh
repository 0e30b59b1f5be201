#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fairtop never changes a cluster: whatever the verb and the scheduler, it starts only commands that
# read. Commands that change something are in PATH, too, so that a start would show. And the helper
# uses only functions of libslurm that read.

# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

slurm='scontrol sshare sacctmgr squeue sprio sinfo sdiag sreport sacct scrontab scancel sbatch srun
	salloc strigger sbcast sstat'
pbs='qstat qmgr pbsnodes pbs_rstat pbsfs qsub qalter qdel qhold qrls qrun qrerun qmove qorder qsig
	qmsg qselect qdisable qenable qstart qstop qterm pbs_rsub pbs_rdel pbs_ralter pbs_sched pbs_server'
lsf='bqueues bhosts bjobs bparams bugroup busers lshosts lsid lsload bhist bacct bsub bmod bkill bstop
	bresume bswitch btop bbot bpeek brequeue bmig brsvadd brsvdel badmin lsadmin bconf blimits bresources'

# The commands that read, as they may be called.
cat > "$work/reads" << 'END'
scontrol (-a )?(-d )?show (config|assoc_mgr flags=users,assoc,qos|partition|node|reservation|license|job)
sdiag
sshare -a (-m --json|-l -m -P)
sacctmgr -P show qos
squeue -a -t all --json
sprio -o [^ ]*
qstat (-B -f|-Q -f|-f -t) -F json
qmgr -c list sched
pbsnodes -av -F json
pbs_rstat -F
pbsfs
bqueues (-r|-o [a-z_A-Z :%0-9-]* -json)
bhosts (-w|-o [a-z_A-Z :%0-9-]* -json)
bjobs -u all (-l|-o [a-z_A-Z :%0-9-]* -json)
lshosts -w
lsid
bparams -l
bugroup -w
busers all
END
cat > "$work/fake" << 'END'
#!/bin/sh
me=${0##*/}
echo "$me${1:+ $*}" >> "$work/calls"
case "$me $*" in
'scontrol show config') exec cat "$answers/scontrol_config.txt" ;;
'scontrol show assoc_mgr '*) exec cat "$answers/scontrol_assoc_mgr.txt" ;;
'scontrol -a show partition') exec cat "$answers/scontrol_partition.txt" ;;
'scontrol show node') exec cat "$answers/scontrol_nodes.txt" ;;
'scontrol -a -d show job') exec cat "$answers/scontrol_jobs.txt" ;;
'scontrol show '*) echo 'No such thing' ; exit 0 ;;
'sshare -a -l -m -P') exec cat "$answers/sshare_a_l.psv" ;;
'sacctmgr -P show qos') exec cat "$answers/sacctmgr_qos.psv" ;;
'sprio '*) exec cat "$answers/sprio_weighted.psv" ;;
esac
for d in lsf pbs; do
	[ ! -x "$srcdir/tests/mock/$d/$me" ] || exec "$srcdir/tests/mock/$d/$me" "$@"
done
exit 1
END
chmod 755 "$work/fake"
mkdir "$work/bin" "$work/conf" "$work/none" "$work/some"
for name in $slurm $pbs $lsf; do
	ln "$work/fake" "$work/bin/$name"
done
cp "$srcdir/tests/data/lsf/volclava/conf/"ls[bf].[!pu]* "$work/some"	# users are asked for then
printf 'LSF_LIM_PORT=6322\nLSB_CONFDIR=%s\n' "$work/some" > "$work/conf/lsf.conf"
export work srcdir answers="$srcdir/tests/data/slurm/fairtree/quiet" PATH="$work/bin:$PATH"
export PBS_RECORDING="$srcdir/tests/data/pbs/01_main" PBS_LOGS="$work/none" PBS_CALLS=/dev/null
export PBS_CONF_FILE=/dev/null LSF_RECORDING="$srcdir/tests/data/lsf/volclava/t1" LSF_CALLS=/dev/null
export LSF_ENVDIR="$work/conf" FAIRTOP_LIBEXEC="$work/none" SLURM_CONF=

# ask SOURCE: runs all verbs on it; how much they print depends on the scheduler
ask()
{
	while read -r verb rest; do
		[ "$verb" != screen ] || verb=''
		# shellcheck disable=SC2086 # words
		(cd "$work" && "$fairtop" $verb "$1" $rest >> answer 2>> err < /dev/null)
	done << 'END'
accounts
jobs
classes
cycle
pools
lint
policy
verify
starts
audit
snapshot
explain /
explain job:1
why 1
why
compare / job:1
forecast / --reach 0.5
seek / --reach 0.5
whatif --set shares:/=3 --export sacctmgr
whatif --set shares:/=3 --export pbs
whatif --set shares:/=3 --export lsf
metrics -o text
watch --once
record -o recording --every 1s --count 1
bug-report -o report
serve
screen --render 120x24
END
}

for source in slurm pbs lsf; do
	: > "$work/calls"
	rm -f "$work/answer" "$work/err" "$work/report" "$work/recording"
	ask $source
	verdict "$source: all that is started reads" "$(grep -v -x -E -f "$work/reads" "$work/calls" |
		sort -u)"
	cat "$work/calls" >> "$work/all"
	verdict "$source: it answers" "$([ "$(wc -l < "$work/answer")" -gt 100 ] || cat "$work/err")"
done
verdict "each of these is started" "$(while read -r line; do
	[ "$line" != pbsfs ] || [ "$(id -u)" -eq 0 ] || continue
	grep -q -x -E -e "$line" "$work/all" || echo "$line"
done < "$work/reads")"
verdict "what changes would be seen" "$(printf '%s\n' 'scontrol update job=1 nice=1' 'scontrol reconfigure' \
	'sacctmgr -i modify user x set fairshare=1' 'sacctmgr -P show qos x' 'qmgr -c set server x=1' \
	'qstat' 'bmod -q x 1' | grep -c -v -x -E -f "$work/reads" | grep -v -x 7)"

# Functions of libslurm, linked or looked up by name; the only message it sends itself is a query.
helper="$srcdir/adapters/slurm/helper"
{
	grep -h -o '"slurm[a-z]*_[a-z_]*"' "$helper"/*.c | tr -d '"'
	[ ! -x "$FAIRTOP_BUILD/fairtop-slurm" ] ||
		"${NM:-nm}" -D "$FAIRTOP_BUILD/fairtop-slurm" | sed -n 's/^ *U \(slurm[^@]*\).*/\1/p'
} | sort -u > "$work/names"
verdict "the helper takes only what reads" "$(grep -v -x -E -e 'slurm_conf' \
	-e 'slurm_(bit|destroy|free|get|hostlist|list|load)_[a-z_]*' -e 'slurm_job_[a-z_]*_string' \
	-e 'slurm_(api_version|associations_get_shares|init|job_cpus_allocated_on_node|msg_t_init)' \
	-e 'slurm_(ping|populate_node_partitions|send_recv_controller_msg|strerror|xfree)' "$work/names"
	[ -s "$work/names" ] || echo none)"
verdict "and sends one question" "$(grep -h -o -w 'REQUEST_[A-Z_]*' "$helper"/*.[ch] | sort -u |
	grep -v -x REQUEST_SHARE_INFO)"
verdict "slurmrestd is only asked" "$(grep -E 'CURLOPT_(POST|CUSTOM|UPLOAD|PUT|MIME|NOBODY)' \
	"$srcdir/adapters/slurm/http.c")"
exit $failed
