# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_stopped.sh CLUSTER - slurmctld is stopped, started again, and restarted between two refreshes
# while the screen runs; munged is stopped for long, and started again; then slurmdbd and its
# database are stopped, which must not affect what slurmctld itself reports.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/site.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/screen.sh"
. "$LIVE_HOME/hazard.sh"
name=$1
cluster_select "$name"

hazard_open "$name" || exit 0

slurmctld_stop "$name"
hazard_holds "$name slurmctld stopped" 45
slurmctld_start "$name"
hazard_over "$name slurmctld started" 60

slurmctld_restart "$name"
hazard_over "$name slurmctld restarted" 60
screen_expect "$name slurmctld restarted: tree is there" watch 60 "$TREE"

daemon_stop "$LIVE_DIR/run/munged.pid"
start=$SECONDS
hazard_holds "$name munged stopped" 60
hazard_lasts "$start"
site_munged
hazard_healed "$name munged started again"
hazard_close "$name"

daemon_freeze "$LIVE_DIR/run/slurmdbd.pid"
RUN_DEADLINE=120 expect_exit "$name slurmdbd frozen does not matter" 0 \
    "$FAIRTOP" accounts slurm --format csv
FAIRTOP_LIBEXEC=$LIVE_DIR/empty RUN_DEADLINE=120 \
    expect_exit "$name slurmdbd frozen does not matter, by commands" 0 \
    "$FAIRTOP" accounts slurm --format csv
daemon_thaw "$LIVE_DIR/run/slurmdbd.pid"
exit 0
