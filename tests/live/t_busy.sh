# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_busy.sh CLUSTER - with jobs running across a decay pass. Fair Tree is consistent at a pass;
# in the classic kinds accounts lag their users by one pass, so Slurm's own figures do not
# belong together. `verify` may then say equal (0) or name why nothing is comparable (4), but
# never that the scheduler is wrong (1); `verify --wait` says equal.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"

jobs_run() { ! cluster_idle; }

wait_for 120 jobs_run || {
	not_ok "$name busy" "no job is running"
	exit 0
}
cluster_next_pass "$name"
cluster_evaluate

expect_exit "$name verify while jobs run" "0 4" "$FAIRTOP" verify slurm
if [ "$code" -eq 4 ]; then
	if grep -Eiq 'pass|running|evaluat|restart|jobs' "$LIVE_TMP/out" "$LIVE_TMP/err"; then
		ok "$name verify names the reason"
	else
		not_ok "$name verify names the reason" "it does not" "$LIVE_TMP/err" "$LIVE_TMP/out"
	fi
fi
expect_exit "$name verify --wait while jobs run" 0 "$FAIRTOP" verify --wait slurm
expect_exit "$name accounts while jobs run" 0 "$FAIRTOP" accounts slurm --format csv
FAIRTOP_LIBEXEC=$LIVE_DIR/empty expect_exit "$name verify by commands while jobs run" "0 4" \
    "$FAIRTOP" verify slurm
exit 0
