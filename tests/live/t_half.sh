# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_half.sh CLUSTER - depth-oblivious, nothing running any more, but only one pass since the last
# job ended: U is right already, while the ratios of accounts still mix it with the previous one.
# `verify` says so (4); if the wait took longer than intended it finds everything equal (0).

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"

cluster_evaluate
expect_exit "$name verify one pass after the last job" "0 4" "$FAIRTOP" verify slurm
say "$name: exit $code one pass after the last job"
FAIRTOP_LIBEXEC=$LIVE_DIR/empty \
    expect_exit "$name verify one pass after the last job, by commands" "0 4" \
    "$FAIRTOP" verify slurm
exit 0
