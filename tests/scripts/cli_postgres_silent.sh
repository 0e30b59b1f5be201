#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A PostgreSQL server that is stopped (SIGSTOP), so that the kernel accepts connections and data but
# nobody answers: the recorder goes on and says so, verbs give up in time, the screen's keys work.
# And what is thinned in the spool is thinned on the server. Skipped if there is no server to start,
# or fairtop is built without libpq.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
# shellcheck source=tests/tools/postgres.sh
. "$srcdir/tests/tools/postgres.sh"
cd "$work" || exit 1
TZ=UTC XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache FAIRTOP_SSH=$work/ssh
export TZ XDG_STATE_HOME XDG_CACHE_HOME FAIRTOP_SSH

if ! "$fairtop" --version | grep -q '^postgresql: libpq'; then
	echo 'skipped: fairtop is built without libpq'
	exit 77
fi
if ! pg_find || ! command -v sqlite3 > /dev/null; then
	echo 'skipped: no PostgreSQL server from 14 on, or no sqlite3, is installed'
	exit 77
fi
if [ "$(id -u)" -eq 0 ] && { ! command -v setpriv > /dev/null || ! id nobody > /dev/null 2>&1; }; then
	echo 'skipped: as root it needs setpriv and the user nobody'
	exit 77
fi
# pg_signal SIGNAL: sends it to the server and all of its children
pg_signal()
{
	pid=$(pg_pid)
	# shellcheck disable=SC2046 # numbers
	[ -z "$pid" ] || kill -"$1" "$pid" $(cat "/proc/$pid/task/$pid/children")
}
trap 'pg_signal CONT; pg_stop; rm -rf "$work"' EXIT
pg_make || exit 1

# of_spool SQL, of_server SQL: one value
of_spool()
{
	sqlite3 -readonly slow.rec '.timeout 10000' "$1"
}
of_server()
{
	pg_sql fairtop -c "$1"
}

# A cluster whose clock continues across connections. While the server is silent a statement has two
# seconds, and its answer ten more.
demo=demo:1,accounts=6,users=10,jobs=20,step=3600
printf '#!/bin/sh\nexec "%s" serve %s\n' "$fairtop" "$demo" > ssh
chmod 755 ssh
calm=$(pg_url slow)
silent="$calm&connect_timeout=2&options=-c%20statement_timeout%3D2s"
slow=$calm

# record_one ARGUMENT...: records one more sample
record_one()
{
	timeout 60 "$fairtop" record ssh:host/demo -o "$slow" --spool slow.rec --count 1 "$@" \
		> out 2>&1 || echo "exit $?"
	cat out
}

# as_spool: prints how the copy differs from the spool
as_spool()
{
	"$fairtop" snapshot "$slow" > /dev/null 2> err || cat err
	same_rows slow.rec "$(find cache -name 'postgresql-slow-*.rec')"
}

# --- a server that is stopped ----------------------------------------------------------------

"$fairtop" record $demo -o "$slow" --spool slow.rec --count 24 > out 2>&1
slow=$silent
"$fairtop" record ssh:host/demo -o "$slow" --spool slow.rec --every 1s > record.out 2>&1 &
recorder=$!
# shellcheck disable=SC2317 # by until_so
is_sent()
{
	[ "$(of_server "SELECT sample > $1 FROM fairtop.replica WHERE cluster = 'slow'" 2> err)" = t ]
}
shown='out err record.out'
until_so "it records" is_sent 24

if command -v script > /dev/null; then
	mkfifo keys
	: > screen
	{
		TERM=xterm script -q -f -c \
			"stty rows 30 columns 100; exec '$fairtop' '$slow' --follow --every 1s" \
			screen > /dev/null 2>&1
		: > screen.left
	} < keys &
	exec 3> keys
	shown=screen
	until_so "the screen reads it" grep -q -a physics screen
fi
pg_signal STOP
before=$(of_spool 'SELECT max(id) FROM sample')
# shellcheck disable=SC2317
has_more()
{
	[ "$(of_spool 'SELECT max(id) FROM sample')" -gt $((before + 2)) ]
}
shown=record.out
until_so "the recorder goes on" has_more
# The screen sends requests as often, and waits for answers, too.
if [ -f screen ]; then
	shown=screen
	printf '?' >&3
	until_so "the screen answers keys meanwhile" grep -q -a Ctrl-F screen
	printf 'Q' >&3
	until_so "and ends" test -f screen.left
	exec 3>&-
fi
timeout 60 "$fairtop" accounts "$slow" > out 2> err
status=$?
verdict "a verb gives up, and says why" "$([ $status -eq 3 ] || echo "exit $status"
	[ ! -s out ] || echo 'with figures'
	grep -q -E '^fairtop: .*PostgreSQL: .*timeout expired' err || cat err)"
shown=record.out
until_so "the recorder says that the server is silent" grep -q -E \
	'PostgreSQL: no response from the server for 12 s: connection aborted; new samples stay' record.out
until_so "and then that it cannot be reached" grep -q 'timeout expired' record.out
stop TERM "$recorder"
verdict "the recorder ends" "$([ $status -eq 143 ] || echo "exit $status"
	grep -q 'not all samples are on the server yet' record.out || cat record.out)"
record_one > record.again
verdict "the next one begins without it" "$(grep '^exit' record.again
	grep -q 'not all samples are on the server yet' record.again || cat record.again)"
pg_signal CONT
slow=$calm
verdict "all is there afterwards" "$(record_one; as_spool
	[ "$(of_server "SELECT sample FROM fairtop.replica WHERE cluster = 'slow'")" = \
	"$(of_spool 'SELECT max(id) FROM sample')" ] || of_server 'SELECT * FROM fairtop.replica')"

# --- what is thinned -------------------------------------------------------------------------

"$fairtop" thin slow.rec --keep 3h,30d:6h > out 2>&1 || echo "exit $?" >> out
verdict "the spool is thinned" "$(cat out
	[ "$(of_spool 'SELECT count(*) FROM sample WHERE rows < 0')" -gt 3 ] || echo 'it is not')"
# The last sample of a batch may be marked as thinned before its other rows are.
first=$(of_spool 'SELECT min(id) FROM sample WHERE rows < 0')
end=$(of_spool "SELECT min(id) FROM sample WHERE rows >= 0 AND id > $first")
of_server "UPDATE fairtop.sample SET rows = -1 WHERE id >= $first AND id < $end"
verdict "so is the server, and the copy of before" "$(record_one; as_spool
	[ "$(of_server 'SELECT count(*) FROM fairtop.sample WHERE rows < 0')" = \
	"$(of_spool 'SELECT count(*) FROM sample WHERE rows < 0')" ] || echo 'not all that is thinned')"
verdict "no job is lost or there twice" "$(for column in count min max; do
	of_spool "SELECT $column(version) FROM job" > a
	of_server "SELECT $column(version) FROM fairtop.job" > b
	cmp -s a b || echo "$column: $(cat a b)"
done)"
verdict "a recorder that forgets" "$(record_one --keep 5h)"
# It may have looked for thinned samples before it dropped any: the next one looks at its start.
verdict "forgets there, too" "$(record_one; as_spool
	[ "$(of_spool 'SELECT min(id) FROM sample')" -gt 1 ] || echo 'nothing was forgotten'
	[ "$(of_server 'SELECT min(id) FROM fairtop.sample')" = \
	"$(of_spool 'SELECT min(id) FROM sample')" ] || of_server 'SELECT min(id) FROM fairtop.sample')"
rm -r cache
verdict "a new copy is the same" "$(as_spool)"

exit $failed
