# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_updated.sh CLUSTER change|settled - associations change under a running slurmctld. Until the
# next decay pass a new association has no figures (NormUsage blank, LevelFS 0), and after any
# change Slurm has siblings in another order, which decides ties in Fair Tree.
#
#   change    add an association: `verify` may say equal (0) or name the reason (4), never 1
#   settled   one pass later: `verify` finds everything equal, the new row included

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1 phase=$2
mark=$LIVE_DIR/$name/updated
cluster_select "$name"

case $phase in
change)
	sacctmgr -i -Q add user sync account=tie_a fairshare=4 cluster="$name" > /dev/null ||
		not_ok "$name add an association" "sacctmgr failed"
	cluster_tick "$name" > "$mark"
	expect_exit "$name verify with a new association" "0 4" "$FAIRTOP" verify slurm
	FAIRTOP_LIBEXEC=$LIVE_DIR/empty \
	    expect_exit "$name verify with a new association, by commands" "0 4" \
	    "$FAIRTOP" verify slurm
	expect_exit "$name accounts with a new association" 0 \
	    "$FAIRTOP" accounts slurm --format csv
	;;
settled)
	wait_for 240 tick_changed "$name" "$(cat "$mark")" || {
		not_ok "$name after an update" "no decay pass"
		exit 0
	}
	cluster_evaluate
	expect_exit "$name verify a pass after the update" 0 "$FAIRTOP" verify slurm
	run "$FAIRTOP" accounts slurm --format csv
	if grep -q '^/engineering/tie_a:sync,' "$LIVE_TMP/out"; then
		ok "$name the new association is there"
	else
		not_ok "$name the new association is there" "it is not" "$LIVE_TMP/err"
	fi
	;;
esac
exit 0
