# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_noconf.sh CLUSTER - no slurm.conf at all, or a wrong one. libslurm would ask the DNS for
# _slurmctld._tcp, try for a minute and call exit(1); fairtop must say what is missing, soon, and
# its screen must work meanwhile. In a private network namespace, so that nothing is contacted.
#
# Also the slurm.conf of CLUSTER with one thing wrong, each a way in which libslurm ends the
# process that calls it or fails without saying why.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/screen.sh"
unset SLURM_CONF

# nowhere COMMAND...: runs it without network and without this host's /etc/slurm
nowhere()
{
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --net --mount -- sh -c '
		[ ! -d /etc/slurm ] || mount -t tmpfs none /etc/slurm
		[ ! -d /etc/slurm-llnl ] || mount -t tmpfs none /etc/slurm-llnl
		exec "$@"' sh "$@"
}
export -f nowhere

# soon TEST EXIT REGEX COMMAND...: expects EXIT within 50 s (libslurm alone needs 59) and a message
# that matches REGEX
soon()
{
	local test=$1 wanted=$2 regex=$3
	shift 3
	RUN_DEADLINE=50 expect_exit "$test" "$wanted" "$@" || return
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

# wrong NAME REGEX SED-SCRIPT VERB: the same for the cluster's slurm.conf changed by SED-SCRIPT
wrong()
{
	sed "$3" "$good" > "$LIVE_DIR/etc/wrong.conf"
	soon "slurm.conf: $1" "2 3" "$2" "$FAIRTOP" "$4" "slurm:$LIVE_DIR/etc/wrong.conf"
}

good=$LIVE_DIR/$1/etc/slurm.conf
wrong "no ClusterName" ClusterName '/^ClusterName=/d' accounts
wrong "no SlurmctldHost" 'SlurmctldHost|ControlMachine' '/^SlurmctldHost=/d' accounts
wrong "a line of garbage" 'slurm' '$a@@ garbage @@' accounts
wrong "unknown SlurmUser" 'SlurmUser|nosuchuser' \
    's/^SlurmUser=.*/SlurmUser=nosuchuser/' accounts
wrong "PluginDir that is missing" 'PluginDir|plugin' '$aPluginDir=/nonexistent' accounts
wrong "AuthType without a plugin" 'auth|plugin' 's/^AuthType=.*/AuthType=auth\/nosuch/' \
    accounts
wrong "SelectType without a plugin" 'select|plugin' \
    's/^SelectType=.*/SelectType=select\/nosuch/' snapshot
wrong "munge without a socket" 'munge|auth' \
    's/^AuthInfo=.*/AuthInfo=socket=\/nonexistent\/munge.sock/' accounts
wrong "a host that no name server knows" 'slurmctld' \
    's/^SlurmctldHost=.*/SlurmctldHost=nosuchhost.invalid/' accounts
install -m 644 "$good" "$LIVE_DIR/etc/wrong.conf"
chmod 600 "$LIVE_DIR/etc/wrong.conf"
soon "slurm.conf: unreadable" "2 3" 'ermission denied' setpriv --reuid=1 --regid=1 \
    --clear-groups "$FAIRTOP" accounts "slurm:$LIVE_DIR/etc/wrong.conf"

soon "nobody to ask and no source named" 3 'demo' \
    bash -c 'nowhere "$@"' bash env PATH=/usr/bin:/bin "$FAIRTOP" --render 80x24

# the screen
screen_open noconf bash -c 'nowhere "$@"' bash "$FAIRTOP" slurm --every 2s
screen_expect "screen without slurm.conf says so" noconf 60 'slurm\.conf|SLURM_CONF|helper|sshare'
screen_keys noconf '?'
screen_expect "screen without slurm.conf opens help" noconf 25 "$SCREEN_HELP"
screen_keys noconf q
screen_expect_gone "screen without slurm.conf closes help" noconf 25 "$SCREEN_HELP"
screen_keys noconf Q
if wait_for 60 screen_ended noconf; then
	ok "screen without slurm.conf is left by Q"
else
	not_ok "screen without slurm.conf is left by Q" "still there after 60 s"
fi
screen_close noconf
exit 0
