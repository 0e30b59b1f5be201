# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_audit.sh - the usage in a slurmctld of its own is exactly the sum of its jobs, by sacct and by a
# recording. Then errors of each kind are planted there in turn, and each is found for the user it
# concerns and with its own reason.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
[ -x "$FAIRTOP_LIBEXEC/fairtop-slurm" ] || {
	say "usage is known to whole seconds only without the helper"
	exit 0
}
export LIVE_CLUSTERS="$LIVE_CLUSTERS starts audit" LIVE_NODES=1
set_up() { sacctmgr -i -Q "$@" > "$LIVE_TMP/out" 2>&1 ||
	die "sacctmgr $*: $(tail -n 1 "$LIVE_TMP/out")"; }

cluster_files audit
cluster_register audit
set_up add qos audited usagefactor=2
set_up add account a1,a2,a3 cluster=audit
for who in daemon,bin:a1 games,man:a2 mail,news:a3; do
	set_up add user "${who%:*}" account="${who#*:}" cluster=audit qos=normal,audited
done
cluster_up audit
cluster_watch audit &
watcher=$!
"$FAIRTOP" record slurm -o "$LIVE_TMP/recording" --every 1s 2> "$LIVE_TMP/record.log" &
recorder=$!
trap 'kill $watcher $recorder 2> /dev/null' EXIT
wait_for 60 test -s "$LIVE_TMP/recording" || die "the recorder does not begin"

run_jobs() # USER:ACCOUNT:PARTITION:QOS...: one each, to their ends
{
	local who user account partition qos
	for who; do
		IFS=: read -r user account partition qos <<< "$who"
		submit "$user" "$account" "$partition" -n 100 -q "$qos" --mem-per-cpu=1000 -- \
		    "exec sleep 3" > /dev/null
	done
	wait_for 120 is_over || die "jobs remain: $(squeue -h | head -n 3)"
	wait_for 60 nothing_open || die "sacct has jobs that still run"
	sacct -a -P -D -S 2000-01-01 -M audit -o JobID,Cluster,Account,User,Partition,QOS,State,\
Submit,Start,End,AllocTRES,AllocCPUS > "$LIVE_TMP/sacct"
}
is_over() { prints_nothing squeue -h -t PD,R,CG,CF -o %i; }
nothing_open() { prints_nothing sacct -a -X -n -S 2000-01-01 -s R,PD -M audit -o JobID; }

audit() # SOURCE OPTION...: its status in code
{
	run "$FAIRTOP" audit "$@" --passes "$LIVE_DIR/audit/passes" --format csv
}

# told NAME CODE PATH=REASON...: checks that these users, and no others, have these reasons
told()
{
	local name=$1 want=$2
	shift 2
	awk -F, '$1 ~ /:/ && $6 != "" { sub(/ (about|by) 20.*/, "", $6); print $1 "=" $6 }' \
	    "$LIVE_TMP/out" | sort > "$LIVE_TMP/have"
	printf '%s\n' "$@" | sed '/^$/d' | sort > "$LIVE_TMP/want"
	if [ "$code" -eq "$want" ] && cmp -s "$LIVE_TMP/have" "$LIVE_TMP/want"; then
		ok "audit $name"
	else
		not_ok "audit $name" "exit $code, expected $want" "$LIVE_TMP/err" "$LIVE_TMP/out"
	fi
}

# recorded CODE [PATTERN]: waits until the audit of the recording gives this; the recorder samples
# once a second (less often on a busy machine), and the previous test's error may still show
audits_to()
{
	audit "$LIVE_TMP/recording"
	[ "$code" -eq "$1" ] && grep -q "${2:-}" "$LIVE_TMP/out"
}
recorded() { wait_for 60 audits_to "$@" || say "the recorder is slow"; }

run_jobs daemon:a1:normal:normal daemon:a1:normal:normal bin:a1:normal:audited \
    games:a2:normal:audited man:a2:bill:normal mail:a3:normal:normal news:a3:normal:normal
audit slurm --sacct "$LIVE_TMP/sacct"
told "of what jobs come to" 0 ''
if awk -F, 'NR > 1 && $3 > 200 { n++ } NR > 1 && ($4 > 1e-6 * $3 + 2e-6 || -$4 > 1e-6 * $3 + 2e-6) {
	exit 1 } END { exit n != 10 }' "$LIVE_TMP/out"; then
	ok "audit to six digits"
else
	not_ok "audit to six digits" "it is not" "$LIVE_TMP/out"
fi
recorded 0
told "of a recording" 0 ''

sed "$(grep -n '|a1|daemon|' "$LIVE_TMP/sacct" | head -n 1 | cut -d: -f1)d" "$LIVE_TMP/sacct" \
    > "$LIVE_TMP/cut"
audit slurm --sacct "$LIVE_TMP/cut"
told "finds a job missing from the log" 1 \
    '/a1:daemon=job missing from the log: more than its jobs add up to'

scontrol update partitionname=bill TRESBillingWeights=CPU=1.0,Mem=4G
audit slurm --sacct "$LIVE_TMP/sacct"
told "finds changed weights" 1 \
    '/a2:man=changed weights: its jobs were billed with others than now'
scontrol update partitionname=bill TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=20.0

set_up modify qos audited set usagefactor=1
audit slurm --sacct "$LIVE_TMP/sacct"
factor='UsageFactor: that of QOS audited was about 2; now it is 1'
told "finds another UsageFactor" 1 "/a1:bin=$factor" "/a2:games=$factor"
recorded 1 UsageFactor
factor='UsageFactor: it was different while its jobs ran'
told "of a recording finds another UsageFactor" 1 "/a1:bin=$factor" "/a2:games=$factor"
set_up modify qos audited set usagefactor=2

set_up modify user mail account=a3 cluster=audit set rawusage=0
audit slurm --sacct "$LIVE_TMP/sacct"
told "finds an edit of RawUsage" 1 '/a3:mail=edit of RawUsage: as if set to 0'
recorded 1 'mail,.*edit'
told "of a recording finds an edit of RawUsage" 1 '/a3:mail=edit of RawUsage: seen set to 0'

set_up add user news account=a1 cluster=audit
set_up modify user news cluster=audit set defaultaccount=a1
set_up remove user news account=a3 cluster=audit
audit slurm --sacct "$LIVE_TMP/sacct"
told "finds a moved user" 1 '/a3:news=moved user: now in account a1' \
    '/a3:mail=edit of RawUsage: as if set to 0'

set_up modify account root cluster=audit set rawusage=0
run_jobs daemon:a1:normal:normal
audit slurm --sacct "$LIVE_TMP/sacct"
told "finds a reset" 1 /a1:daemon=reset /a1:bin=reset /a2:games=reset /a2:man=reset \
    /a3:mail=reset '/a3:news=moved user: now in account a1'
exit 0
