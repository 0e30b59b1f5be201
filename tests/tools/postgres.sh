#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # $work is theirs
# Sourced by scripts that need a PostgreSQL server: a private one, on a socket in $work, which must
# exist. It runs as nobody if the script is root. Source verdict.sh before.

# pg_find: sets $pg_bin to the programs of the newest server; false if none is version 14 or later
pg_find()
{
	pg_bin=$(dirname "$(find /usr/lib/postgresql /usr/pgsql-* -path '*/bin/initdb' 2> /dev/null |
		sort -V | tail -n 1)" 2> /dev/null)
	if [ ! -x "$pg_bin/initdb" ]; then
		pg_bin=$(dirname "$(command -v initdb 2> /dev/null)")
	fi
	[ -x "$pg_bin/initdb" ] && [ -x "$pg_bin/postgres" ] &&
		[ "$("$pg_bin/initdb" --version | sed 's/.* \([0-9]*\).*/\1/')" -ge 14 ]
}

# as_owner COMMAND...: runs it as the server's user
as_owner()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups env HOME=/ "$@"
	else
		"$@"
	fi
}

# pg_make: makes a database cluster in $work/pg with a database fairtop, and starts it
pg_make()
{
	mkdir -p "$work/pg/socket" || return 1
	chmod 755 "$work" "$work/pg"
	[ "$(id -u)" -ne 0 ] || chown -R nobody "$work/pg"
	as_owner "$pg_bin/initdb" -D "$work/pg/data" -U fairtop -A trust -E UTF8 --locale=C \
		--no-sync > "$work/pg.initdb" 2>&1 || { cat "$work/pg.initdb"; return 1; }
	as_owner tee -a "$work/pg/data/postgresql.conf" > /dev/null << END
listen_addresses = ''
unix_socket_directories = '$work/pg/socket'
log_min_messages = warning
END
	pg_start && pg_sql postgres -c 'CREATE DATABASE fairtop' > /dev/null
}

# pg_start: starts it and waits for an answer; pg_kill: kills it (-9) and waits for its end
pg_start()
{
	as_owner "$pg_bin/pg_ctl" -D "$work/pg/data" -l "$work/pg/log" -w -t 60 start \
		> "$work/pg.start" 2>&1 || { cat "$work/pg.start" "$work/pg/log"; return 1; }
}
pg_pid()
{
	head -n 1 "$work/pg/data/postmaster.pid" 2> /dev/null
}
# The children of a killed postmaster end by themselves.
pg_kill()
{
	pid=$(pg_pid)
	kill -9 "$pid"
	await gone "$pid"
}
pg_stop()
{
	as_owner "$pg_bin/pg_ctl" -D "$work/pg/data" -m "${1:-immediate}" -w stop > /dev/null 2>&1
}

# pg_sql DATABASE ARGUMENT...: quiet psql, one value per line; fails if the server is silent
pg_sql()
{
	database=$1
	shift
	timeout 60 "$pg_bin/psql" -X -q -At -v ON_ERROR_STOP=1 -h "$work/pg/socket" -U fairtop -d "$database" "$@"
}

# pg_url CLUSTER: the URL of CLUSTER in the database fairtop
pg_url()
{
	echo "postgresql://fairtop@/fairtop?host=$work/pg/socket&cluster=$1"
}

# rows FILE FIRST: all rows of all tables, except data about the copying; columns as in FIRST
rows()
{
	for table in $(sqlite3 -readonly "$2" "SELECT name FROM sqlite_schema WHERE type = 'table'"); do
		where=''
		[ "$table" != recording ] || where="WHERE substr(name, 1, 5) <> 'copy_'"
		columns=$(sqlite3 -readonly "$2" "SELECT group_concat('\"' || name || '\"') FROM
			pragma_table_info('$table')")
		echo "table $table"
		printf '.timeout 10000\n.mode quote\nSELECT %s FROM "%s" %s;\n' "$columns" "$table" \
			"$where" | sqlite3 -readonly "$1" | sort
	done
}

# same_rows A B: prints what differs; leaves the rows of both in $work/rows.a and rows.b
same_rows()
{
	rows "$1" "$1" > "$work/rows.a"
	rows "$2" "$1" > "$work/rows.b"
	[ -s "$work/rows.a" ] || echo "$1 has no rows"
	cmp -s "$work/rows.a" "$work/rows.b" || diff "$work/rows.a" "$work/rows.b" | head -n 6
}
