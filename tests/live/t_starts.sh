# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_starts.sh - 40 jobs on the 16 CPUs of a cluster of its own: the start of each is estimated, with
# known run times, and compared with what slurmctld then does. It may run in parallel with others:
# on a busy machine slurmctld learns of the end of each job some seconds late, so there only the
# order is judged and the times are just printed.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
# shellcheck source=tests/tools/ranks.sh
. "$LIVE_HOME/../tools/ranks.sh"
export LIVE_CLUSTERS="$LIVE_CLUSTERS starts" LIVE_NODES=4 LIVE_CPUS=4 LIVE_JOB_AGE=3600

cluster_files starts
cluster_register starts
sacctmgr -i -Q add account lab cluster=starts > "$LIVE_TMP/out" 2>&1 &&
	sacctmgr -i -Q add user daemon account=lab cluster=starts >> "$LIVE_TMP/out" 2>&1 ||
	die "sacctmgr: $(tail -n 1 "$LIVE_TMP/out")"
cluster_up starts

# Requests repeat only after many jobs; no job reaches its limit. All limits are equal and long, as
# otherwise a second could decide whether backfill fits a job in before a reservation.
printf 'job\trun\n' > "$LIVE_TMP/runs"
for ((i = 0; i < 40; i++)); do
	cpus=$((1 + i * 7 % 6)) seconds=$((6 + i * 11 % 29))
	id=$(submit daemon lab normal -n "$cpus" -t 10 -- "exec sleep $seconds")
	printf '%s\t%s\n' "$id" "$seconds" >> "$LIVE_TMP/runs"
done
jobs_run() { [ -n "$(squeue -h -t R -o %i)" ]; }
wait_for 120 jobs_run || die "no job begins"
expect_exit "snapshot before the starts" 0 "$FAIRTOP" snapshot slurm
cp "$LIVE_TMP/out" "$LIVE_TMP/before.snapshot"
now=$(date +%s)

starts=("$FAIRTOP" starts "$LIVE_TMP/before.snapshot" --format csv --columns "id,start" --runs)
expect_exit "starts of 40 jobs are told" 0 "${starts[@]}" "$LIVE_TMP/runs"
cp "$LIVE_TMP/out" "$LIVE_TMP/told"

is_over() { prints_nothing squeue -h -t PD,R,CG,CF -o %i; }
wait_for 900 is_over || {
	not_ok "starts come" "jobs remain: $(squeue -h | head -n 3)"
	exit 0
}

# the true "job start end" of each
ended() { squeue -h -t all -o '%i %S %e' > "$LIVE_TMP/ended"; }
wait_for 60 ended || die "squeue does not answer"
while read -r id start end; do
	start=$(date -d "$start" +%s) end=$(date -d "$end" +%s)
	printf '%s,%s,%s\n' "$id" "$start" "$((end - start))"
done < "$LIVE_TMP/ended" > "$LIVE_TMP/true"
awk -F, 'BEGIN { OFS = "\t"; print "job", "run" } { print $1, $3 }' "$LIVE_TMP/true" > "$LIVE_TMP/lengths"
expect_exit "starts with the lengths that they had" 0 "${starts[@]}" "$LIVE_TMP/lengths"

# score FILE: "SHARE-WITHIN-60-S ORDER WAIT-OFF JOBS" of FILE's starts against the true ones
score()
{
	tr -d '"' < "$1" | awk -F, '
		NR == FNR { start[$1] = $2; next }
		FNR > 1 && $1 in start { print $2, start[$1] }
		' "$LIVE_TMP/true" - > "$LIVE_TMP/pairs"
	awk -v r="$(correlation "$LIVE_TMP/pairs")" -v now="$now" '
		{ near += ($1 - $2) ^ 2 <= 3600; ours += $1 - now; true += $2 - now }
		END { printf "%.3f %s %.3f %d\n", near / NR, r, (ours - true) / true, NR }
		' "$LIVE_TMP/pairs"
}
# Was the machine's load low over the last minute and the last five?
quiet=$(awk -v cpus="$(getconf _NPROCESSORS_ONLN)" '{ print $1 <= cpus && $2 <= cpus }' /proc/loadavg)
said=$(score "$LIVE_TMP/told")
found=$(score "$LIVE_TMP/out")
say "within 60 s, order, waits off by, jobs: told before $said; with the lengths they had $found"
waited=$(($(wc -l < "$LIVE_TMP/told") - 1))
echo "$found $said $quiet $waited" | awk '{
	exit !($2 >= 0.95 && $4 >= 20 && $4 == $10 && $8 == $10 && $6 >= 0.95 &&
	    (!$9 || $1 >= 0.97 && $2 >= 0.98 && $3 ^ 2 <= 0.05 ^ 2)) }' &&
	ok "starts come as told$([ "$quiet" = 1 ] || echo ' (in order; this machine is busy)')" ||
	not_ok "starts come as told" "$found, $said" "$LIVE_TMP/pairs" "$LIVE_TMP/err"
exit 0
