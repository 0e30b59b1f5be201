# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# site.sh - shared by the clusters of one run: a directory, a munged, a mariadbd (unix socket
# only) and one slurmdbd. Everything lies under $LIVE_DIR, listens on loopback only and is
# stopped by site_down; nothing is read from or written to /etc. Needs lib.sh.
#
# Loopback: without NoInAddrAny slurmdbd listens on every address, and with it on the address
# that the host's name resolves to. So the name has to resolve into 127/8; where it does not,
# site_require_loopback runs the whole script again in a UTS namespace whose host is called
# "localhost", instead of editing /etc/hosts.

# Commands in sbin are called by name.
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH

site_require()
{
	local tool missing=
	[ "$(id -u)" = 0 ] || die "must run as root (jobs of several users, namespaces)"
	for tool in munged mariadbd mariadb mariadb-admin mariadb-install-db slurmdbd slurmctld \
	    slurmd sacctmgr scontrol sshare sbatch tmux setpriv unshare; do
		command -v "$tool" >/dev/null || missing="$missing $tool"
	done
	[ -z "$missing" ] || die "not installed:$missing (Debian packages: slurmctld slurmd" \
	    "slurmdbd slurm-client slurm-wlm-basic-plugins slurm-wlm-mysql-plugin mariadb-server" \
	    "munge tmux)"
}

site_name_is_loopback()
{
	local address
	address=$(getent ahostsv4 "$(hostname)" | awk 'NR == 1 { print $1 }')
	[[ $address == 127.* ]]
}

# site_require_loopback SCRIPT [ARGS...]: returns only if the host's name resolves to loopback
site_require_loopback()
{
	site_name_is_loopback && return 0
	[ -z "${LIVE_RENAMED:-}" ] ||
		die "even 'localhost' does not resolve to 127.0.0.0/8: see /etc/hosts"
	say "$(hostname) is not a loopback name: running as 'localhost' in a UTS namespace"
	LIVE_RENAMED=1 exec unshare --uts -- \
	    bash -c 'hostname localhost && exec bash "$@"' bash "$@"
	die "unshare failed: make $(hostname) resolve to 127.0.0.1 (/etc/hosts)"
}

port_used() { (: < "/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# site_ports: a base port below 30000 where nothing listens
site_ports()
{
	local base
	for ((base = ${LIVE_PORT:-23000}; base < 29900; base += 100)); do
		port_used "$base" || port_used $((base + 10)) || { LIVE_PORT=$base; return 0; }
	done
	die "no free port between ${LIVE_PORT:-23000} and 29900"
}

site_munged()
{
	local dir=$LIVE_DIR/munge
	[ -f "$dir/key" ] || head -c 1024 /dev/urandom > "$dir/key"
	chmod 400 "$dir/key"
	munged --socket="$LIVE_DIR/run/munge.sock" --key-file="$dir/key" \
	    --log-file="$LIVE_DIR/log/munged.log" --pid-file="$LIVE_DIR/run/munged.pid" \
	    --seed-file="$dir/seed" --num-threads=4 2> "$LIVE_DIR/log/munged.start" ||
		no_daemon "munged: $(tail -n 1 "$LIVE_DIR/log/munged.start")"
	wait_for 60 test -S "$LIVE_DIR/run/munge.sock" || no_daemon "munged opened no socket"
}

site_sql() { mariadb --no-defaults -uroot --socket="$LIVE_DIR/run/mysql.sock" "$@"; }

site_mariadbd()
{
	mariadb-install-db --no-defaults --datadir="$LIVE_DIR/mysql" --user=root --skip-test-db \
	    --auth-root-authentication-method=normal > "$LIVE_DIR/log/mysql-install.log" 2>&1 ||
		no_daemon "mariadb-install-db: $(tail -n 1 "$LIVE_DIR/log/mysql-install.log")"
	# MariaDB 11.6 has snapshot isolation on: slurmdbd ends at the first conflict of writes.
	setsid mariadbd --no-defaults --datadir="$LIVE_DIR/mysql" --user=root \
	    --socket="$LIVE_DIR/run/mysql.sock" --pid-file="$LIVE_DIR/run/mariadbd.pid" \
	    --skip-networking --skip-name-resolve --loose-innodb-snapshot-isolation=OFF \
	    --innodb-buffer-pool-size=128M \
	    --innodb-log-file-size=32M --innodb-lock-wait-timeout=900 \
	    --innodb-flush-log-at-trx-commit=0 --sync-binlog=0 \
	    > "$LIVE_DIR/log/mariadbd.log" 2>&1 < /dev/null &
	wait_for 120 mariadb-admin --no-defaults -uroot --socket="$LIVE_DIR/run/mysql.sock" ping ||
		no_daemon "mariadbd does not answer, see $LIVE_DIR/log/mariadbd.log"
	site_sql -e "create database slurm_acct_db;
	    create user 'slurm'@'localhost' identified by 'live';
	    grant all on slurm_acct_db.* to 'slurm'@'localhost'" || die "mariadb: no database"
}

site_slurmdbd()
{
	local port=$LIVE_PORT conf=$LIVE_DIR/etc/slurmdbd.conf
	cat > "$conf" <<-CONF
	AuthType=auth/munge
	AuthInfo=socket=$LIVE_DIR/run/munge.sock
	DbdHost=localhost
	DbdAddr=127.0.0.1
	DbdPort=$port
	SlurmUser=root
	CommunicationParameters=NoInAddrAny
	DebugLevel=info
	LogFile=$LIVE_DIR/log/slurmdbd.log
	PidFile=$LIVE_DIR/run/slurmdbd.pid
	StorageType=accounting_storage/mysql
	StorageHost=localhost
	StorageUser=slurm
	StoragePass=live
	StorageLoc=slurm_acct_db
	CONF
	[ ! -e "$LIVE_DIR/etc/jwt.key" ] || printf '%s\n' AuthAltTypes=auth/jwt \
	    AuthAltParameters=jwt_key="$LIVE_DIR/etc/jwt.key" >> "$conf"
	chmod 600 "$conf"
	# slurmdbd has no option for its configuration: it looks in the directory of SLURM_CONF
	MYSQL_UNIX_PORT=$LIVE_DIR/run/mysql.sock SLURM_CONF=$LIVE_DIR/etc/slurm.conf slurmdbd ||
		no_daemon "slurmdbd: $(tail -n 1 "$LIVE_DIR/log/slurmdbd.log")"
}

# site_up: make $LIVE_DIR and start what all clusters share
site_up()
{
	LIVE_DIR=$(mktemp -d "${TMPDIR:-/tmp}/fairtop-live.XXXXXX") || die "mktemp failed"
	export LIVE_DIR
	chmod 755 "$LIVE_DIR"
	mkdir -p "$LIVE_DIR"/{etc,run,log,munge,mysql,dev}
	chmod 700 "$LIVE_DIR"/{munge,mysql}
	site_ports
	export LIVE_PORT
	if compgen -G '/usr/lib/*/slurm*/auth_jwt.so' > /dev/null; then
		head -c 32 /dev/urandom > "$LIVE_DIR/etc/jwt.key"
		chmod 600 "$LIVE_DIR/etc/jwt.key"
	fi
	site_munged
	site_mariadbd
	site_slurmdbd
}

# site_sweep: the last resort for jobs and anything else that outlived its daemon: processes
# that were started with this run's directory in their environment, but not our own ancestors
site_sweep()
{
	local pid mine=" $$ $PPID $BASHPID "
	for pid in /proc/[0-9]*; do
		pid=${pid#/proc/}
		[[ $mine == *" $pid "* ]] && continue
		grep -qsF "$LIVE_DIR/" "/proc/$pid/environ" || continue
		kill -CONT "$pid" 2>/dev/null
		kill -KILL "$pid" 2>/dev/null
	done
}

# site_down: stop every daemon of every cluster, then what they share; safe to call twice
site_down()
{
	local pidfile clusters
	[ -n "${LIVE_DIR:-}" ] && [ -d "$LIVE_DIR" ] || return 0
	# thaw a frozen munged first: the others cannot end without it
	daemon_alive "$LIVE_DIR/run/munged.pid" && daemon_thaw "$LIVE_DIR/run/munged.pid"
	clusters=("$LIVE_DIR"/*/run/slurmd-*.pid "$LIVE_DIR"/*/run/slurmctld.pid)
	for pidfile in "${clusters[@]}"; do
		daemon_terminate "$pidfile"
	done
	for pidfile in "${clusters[@]}" "$LIVE_DIR"/run/{slurmdbd,mariadbd,munged}.pid; do
		daemon_stop "$pidfile" 8	# a slurmd may wait for its jobs
	done
	site_sweep
	if [ -n "${LIVE_KEEP:-}" ]; then
		say "logs stay in $LIVE_DIR"
	else
		rm -rf "$LIVE_DIR"
	fi
}
