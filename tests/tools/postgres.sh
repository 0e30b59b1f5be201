#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # $work is theirs
# Read by scripts that need a PostgreSQL server: one of their own, on a socket in $work, which must
# be there. It runs as nobody where the script is root's. verdict.sh is read before.

# pg_find: the newest server's programs in $pg_bin; false where there is none of version 14 or later
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

# as_owner COMMAND...: as who runs the server
as_owner()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups env HOME=/ "$@"
	else
		"$@"
	fi
}

# pg_make: a cluster of databases below $work/pg, with one called fairtop; then pg_start
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

# pg_start, pg_kill: it answers; it is gone without having had time for anything
pg_start()
{
	as_owner "$pg_bin/pg_ctl" -D "$work/pg/data" -l "$work/pg/log" -w -t 60 start \
		> "$work/pg.start" 2>&1 || { cat "$work/pg.start" "$work/pg/log"; return 1; }
}
pg_pid()
{
	head -n 1 "$work/pg/data/postmaster.pid" 2> /dev/null
}
# The children of a postmaster that was killed end by themselves.
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

# pg_sql DATABASE ARGUMENT...: psql, quiet, one value a line; a server that is silent fails it
pg_sql()
{
	database=$1
	shift
	timeout 60 "$pg_bin/psql" -X -q -At -v ON_ERROR_STOP=1 -h "$work/pg/socket" -U fairtop -d "$database" "$@"
}

# pg_url CLUSTER: of the database fairtop
pg_url()
{
	echo "postgresql://fairtop@/fairtop?host=$work/pg/socket&cluster=$1"
}

# rows FILE FIRST: every row of every table, but for the facts of copying; columns as in FIRST
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

# same_rows A B: what differs; rows.a and rows.b in $work are those of both
same_rows()
{
	rows "$1" "$1" > "$work/rows.a"
	rows "$2" "$1" > "$work/rows.b"
	[ -s "$work/rows.a" ] || echo "$1 has no rows"
	cmp -s "$work/rows.a" "$work/rows.b" || diff "$work/rows.a" "$work/rows.b" | head -n 6
}
