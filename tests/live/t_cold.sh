# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_cold.sh CLUSTER - a depth-oblivious slurmctld that was just restarted reports figures that do
# not follow from its usage: a level's ratio includes users nobody has evaluated yet. `verify` must
# recognise that, say how long to wait, and exit 4. Likewise one whose algorithm was just switched.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"

tick=$(cluster_tick "$name")
slurmctld_restart "$name"
wait_for 120 tick_changed "$name" "$tick" || {
	not_ok "$name cold" "no decay pass at the start of slurmctld"
	exit 0
}
expect_exit "$name verify just after a restart" 4 "$FAIRTOP" verify slurm
if grep -Eiq 'restart|evaluat|pass' "$LIVE_TMP/out" "$LIVE_TMP/err"; then
	ok "$name verify names the restart"
else
	not_ok "$name verify names the restart" "it does not" "$LIVE_TMP/err" "$LIVE_TMP/out"
fi
# A reconfigure switches the algorithm: up to 23.02 slurmctld keeps the shares of the old one; later
# versions restart themselves, and all that they report is of the new one.
sed -i 's/^PriorityFlags=.*/PriorityFlags=MAX_TRES/' "$SLURM_CONF"
cluster_reconfigure "$name"
wait_for 60 sh -c 'scontrol show config | grep -q "^PriorityFlags *= MAX_TRES"' ||
	not_ok "$name switch of the algorithm" "slurmctld did not take it"
if [ "$LIVE_RELEASE" -ge 2311 ]; then
	expect_exit "$name verify after a switch of the algorithm" '0 4' "$FAIRTOP" verify slurm
	exit 0
fi
expect_exit "$name verify just after a switch of the algorithm" 4 "$FAIRTOP" verify slurm
if grep -q 'NormShares are still those of' "$LIVE_TMP/err"; then
	ok "$name verify names the switch"
else
	not_ok "$name verify names the switch" "it does not" "$LIVE_TMP/err" "$LIVE_TMP/out"
fi
exit 0
