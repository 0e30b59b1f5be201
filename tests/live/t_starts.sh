# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_starts.sh - 40 jobs on the 16 CPUs of a cluster of its own: when each begins is told before, with
# the run times known, and compared with what slurmctld then does. It may run beside all others.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
# shellcheck source=tests/tools/ranks.sh
. "$LIVE_HOME/../tools/ranks.sh"
export LIVE_CLUSTERS="$LIVE_CLUSTERS starts" LIVE_NODES=4 LIVE_CPUS=4

cluster_files starts
cluster_register starts
sacctmgr -i -Q add account lab cluster=starts > "$LIVE_TMP/out" 2>&1 &&
	sacctmgr -i -Q add user daemon account=lab cluster=starts >> "$LIVE_TMP/out" 2>&1 ||
	die "sacctmgr: $(tail -n 1 "$LIVE_TMP/out")"
cluster_up starts

# What each asks for repeats itself after many jobs only; none reaches its limit.
printf 'job\trun\n' > "$LIVE_TMP/runs"
for ((i = 0; i < 40; i++)); do
	cpus=$((1 + i * 7 % 6)) seconds=$((3 + i * 11 % 17))
	id=$(submit daemon lab normal -n "$cpus" -t $((1 + i * 5 % 4)) -- "exec sleep $seconds")
	printf '%s\t%s\n' "$id" "$seconds" >> "$LIVE_TMP/runs"
done
jobs_run() { [ -n "$(squeue -h -t R -o %i)" ]; }
wait_for 120 jobs_run || die "no job begins"
expect_exit "starts of 40 jobs are told" 0 "$FAIRTOP" starts slurm --runs "$LIVE_TMP/runs" \
    --format csv --columns id,start
told=$(date +%s)
tr -d '"' < "$LIVE_TMP/out" > "$LIVE_TMP/told"

is_over() { [ -z "$(squeue -h -t PD,R,CG,CF -o %i)" ]; }
wait_for 400 is_over || {
	not_ok "starts come" "jobs remain: $(squeue -h | head -n 3)"
	exit 0
}

# "OURS TRUE" of each job that waited
squeue -h -t all -o '%i %S' | while read -r id start; do
	printf '%s,%s\n' "$id" "$(date -d "$start" +%s)"
done > "$LIVE_TMP/true"
awk -F, 'NR == FNR { start[$1] = $2; next } FNR > 1 && $1 in start { print $2, start[$1] }' \
    "$LIVE_TMP/true" "$LIVE_TMP/told" > "$LIVE_TMP/pairs"
# On a busy machine each of the short jobs takes seconds more to begin and to end, which adds up: the
# order is judged, and the waits by how far all of them are drawn out, which is printed.
found=$(awk -v r="$(correlation "$LIVE_TMP/pairs")" -v now="$told" '
	{ ours[NR] = $1 - now; true[NR] = $2 - now; told += ours[NR]; wait += true[NR] }
	END {
		drawn = told > 0 && wait > told ? wait / told : 1
		for (i = 1; i <= NR; i++) {
			near += (ours[i] - true[i]) ^ 2 <= 3600
			fit += (drawn * ours[i] - true[i]) ^ 2 <= 3600
		}
		printf "%d of %d within 60 s, %d with all waits drawn out %.2f times; order %s, " \
			"waits %.1f s of %.1f off\n", near, NR, fit, drawn, r, \
			(told - wait) / NR, wait / NR
		exit !(NR >= 20 && fit >= 0.9 * NR && drawn < 4 && r >= 0.95)
	}' "$LIVE_TMP/pairs") && ok "starts come as told: $found" ||
	not_ok "starts come as told" "$found" "$LIVE_TMP/pairs" "$LIVE_TMP/err"
exit 0
