# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_verify.sh CLUSTER - with nothing running and all figures up to date, `fairtop verify` gets the
# scheduler's own numbers: exit 0 and no row that differs, by SLURM_CONF and by slurm:FILE, with
# the helper and with the commands only. And the first frame of the screen shows the next pass.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"

# verify_equal TEST SOURCE
verify_equal()
{
	expect_exit "$1: exit 0" 0 "$FAIRTOP" verify "$2" --format csv || return
	if awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") v = i; next }
	    v && $v == "equal" { equal++ }
	    v && $v == "differs" { differs++ }
	    END { exit !(v && equal >= 3 && !differs) }' "$LIVE_TMP/out"; then
		ok "$1: every quantity equal"
	else
		not_ok "$1: every quantity equal" "too few rows, or one differs" "$LIVE_TMP/out"
	fi
}

verify_equal "$name verify slurm" slurm
(unset SLURM_CONF; verify_equal "$name verify slurm:FILE" "slurm:$LIVE_DIR/$name/etc/slurm.conf")
FAIRTOP_LIBEXEC=$LIVE_DIR/empty verify_equal "$name verify by commands" slurm

# next_pass TEST: a single frame: no pass was observed, so it follows from the ages of pending jobs
next_pass()
{
	between_passes "$name" run "$FAIRTOP" slurm --render 200x24
	if head -n 1 "$LIVE_TMP/out" | grep -q 'next pass [0-9n]'; then
		ok "$1"
	else
		not_ok "$1" "it does not" "$LIVE_TMP/out" "$LIVE_TMP/err"
	fi
}

next_pass "$name the first frame knows the next pass"
FAIRTOP_LIBEXEC=$LIVE_DIR/empty next_pass "$name the first frame knows the next pass, by commands"
exit 0
