# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_noconf.sh - no slurm.conf at all, or a wrong one. libslurm would ask the DNS for
# _slurmctld._tcp, try for a minute and call exit(1); fairtop must say what is missing, soon, and
# its screen must work meanwhile. In a network namespace of its own, so that nobody is asked.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/screen.sh"
unset SLURM_CONF

# nowhere COMMAND...: no network, and no /etc/slurm should this host have one
nowhere()
{
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --net --mount -- sh -c '
		[ ! -d /etc/slurm ] || mount -t tmpfs none /etc/slurm
		[ ! -d /etc/slurm-llnl ] || mount -t tmpfs none /etc/slurm-llnl
		exec "$@"' sh "$@"
}
export -f nowhere

# soon TEST EXIT REGEX COMMAND...: that exit code within 15 s (libslurm alone needs 59), and a
# message like REGEX
soon()
{
	local test=$1 wanted=$2 regex=$3
	shift 3
	RUN_DEADLINE=15 expect_exit "$test" "$wanted" "$@" || return
	if grep -Eiq "^fairtop: .*$regex" "$LIVE_TMP/err"; then
		ok "$test: says why"
	else
		not_ok "$test: says why" "no line like /$regex/" "$LIVE_TMP/err"
	fi
}

soon "no slurm.conf" 3 'slurm' bash -c 'nowhere "$@"' bash "$FAIRTOP" accounts slurm
soon "slurm:FILE that is missing" "2 3" 'gone/slurm\.conf' \
    "$FAIRTOP" accounts "slurm:$LIVE_DIR/gone/slurm.conf"
SLURM_CONF=$LIVE_DIR/gone/slurm.conf soon "SLURM_CONF that is missing" "2 3" 'gone/slurm\.conf' \
    "$FAIRTOP" accounts slurm

: > "$LIVE_DIR/etc/empty.conf"
soon "empty slurm.conf" "2 3" 'slurm|ClusterName|empty' \
    "$FAIRTOP" accounts "slurm:$LIVE_DIR/etc/empty.conf"
printf 'ClusterName=x\nSlurmctldHost=localhost(127.0.0.1)\nNoSuchKey=1\n' > "$LIVE_DIR/etc/bad.conf"
soon "unknown key in slurm.conf" "2 3" 'slurm|NoSuchKey' \
    "$FAIRTOP" accounts "slurm:$LIVE_DIR/etc/bad.conf"
soon "nobody to ask and no source named" 3 'demo' \
    bash -c 'nowhere "$@"' bash env PATH=/usr/bin:/bin "$FAIRTOP" --render 80x24

# the screen
screen_open noconf bash -c 'nowhere "$@"' bash "$FAIRTOP" slurm --every 2s
screen_expect "screen without slurm.conf says so" noconf 15 'slurm\.conf|SLURM_CONF|helper|sshare'
screen_keys noconf '?'
screen_expect "screen without slurm.conf opens help" noconf 5 '[Hh]elp|[Kk]eys'
screen_keys noconf q
sleep 0.5
screen_keys noconf Q
if wait_for 5 screen_ended noconf; then
	ok "screen without slurm.conf is left by Q"
else
	not_ok "screen without slurm.conf is left by Q" "still there after 5 s"
fi
screen_close noconf
exit 0
