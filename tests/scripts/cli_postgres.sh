#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings in a PostgreSQL server that this script starts: recorded, sent, read by the verbs like
# the spool; a server that is away, a second recorder, a lost spool, hostile names and rows,
# passwords that must not be shown. Skipped if there is no server to start; if fairtop is built
# without libpq, it only checks that fairtop says so.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
# shellcheck source=tests/tools/postgres.sh
. "$srcdir/tests/tools/postgres.sh"
trap 'pg_stop; rm -rf "$work"' EXIT
cd "$work" || exit 1
TZ=UTC XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
export TZ XDG_STATE_HOME XDG_CACHE_HOME

# refused STATUS REGEX ARGUMENT...: exit STATUS, one line on standard error, nothing else
refused()
{
	expected=$1 regex=$2
	shift 2
	"$fairtop" "$@" > out 2> err < /dev/null
	status=$?
	problem=''
	[ $status -eq "$expected" ] || problem="exit $status instead of $expected;"
	[ ! -s out ] || problem="$problem writes to standard output;"
	[ "$(wc -l < err)" -eq 1 ] || problem="$problem not one line of error: $(cat err);"
	grep -q -E "^fairtop: $regex" err || problem="$problem says $(cat err)"
	verdict "refused: $regex" "$problem"
}

demo=demo:1,accounts=6,users=10,jobs=20,step=3600
if ! "$fairtop" --version | grep -q '^postgresql: libpq'; then
	refused 2 'a PostgreSQL source: .*built without libpq .*--with-postgresql' accounts \
		'postgresql://host/db?cluster=a'
	refused 2 'a PostgreSQL source: .*built without libpq .*--with-postgresql' record $demo \
		-o 'postgresql://host/db?cluster=a'
	echo 'the rest is skipped: fairtop is built without libpq'
	exit $failed
fi
if ! pg_find; then
	echo 'skipped: no PostgreSQL server from 14 on is installed (Debian: postgresql)'
	exit 77
fi
command -v sqlite3 > /dev/null || { echo 'skipped: the program sqlite3 is missing'; exit 77; }
if [ "$(id -u)" -eq 0 ] && { ! command -v setpriv > /dev/null || ! id nobody > /dev/null 2>&1; }; then
	echo 'skipped: as root it needs setpriv and the user nobody'
	exit 77
fi
pg_make || exit 1
night=$(pg_url night)

# as_spool URL SPOOL: reads URL, and compares the copy with the spool
as_spool()
{
	"$fairtop" snapshot "$1" > /dev/null 2> err || cat err
	same_rows "$2" "$(find cache -name "postgresql-*${1##*cluster=}-*.rec")"
}

"$fairtop" record $demo -o "$night" --count 4 > out 2>&1 || echo "exit $?" >> out
verdict "it records" "$(cat out)"
spool=$(find state -name 'postgresql-night-*.rec')
verdict "the spool is where the manual says" "$([ -f "$spool" ] || find . -type f)"
verdict "and nobody else's to read" "$(find state -mindepth 1 -perm /077)"
verdict "all samples are there" "$(pg_sql fairtop -c "SELECT sample FROM fairtop.replica WHERE
	cluster = 'night'" | grep -v -x 4)"
verdict "tables have the rows, too" "$(pg_sql fairtop -c "SELECT count(DISTINCT name) FROM
	fairtop.user WHERE cluster = 'night'" | grep -v -x 10)"
verdict "a copy is the spool to the last bit" "$(as_spool "$night" "$spool")"
verdict "and nobody else's to read" "$(find cache -mindepth 1 -perm /077)"
find cache -name '*.rec' -exec chmod 644 {} +

verdict "each word is sent once" "$(pg_sql fairtop -c "SELECT n_tup_ins || ' ' || n_tup_del FROM
	pg_stat_user_tables WHERE relname = 'word'" > a
	pg_sql fairtop -c "SELECT count(*) || ' 0' FROM fairtop.word" | diff a - )"
"$fairtop" accounts "$night" > a 2> a.err
"$fairtop" accounts "postgres${night#postgresql}" > b 2> b.err
verdict "libpq's other name for it" "$([ -s a ] || cat a.err b.err; cmp a b)"

# Every verb reads it like the spool.
for verb in accounts jobs classes policy lint 'explain account:physics' snapshot; do
	# shellcheck disable=SC2086 # a verb and its object
	set -- $verb
	name=$1
	shift
	"$fairtop" "$name" "$spool" "$@" --at '2026-05-03 10:00' > a 2> a.err
	a=$?
	"$fairtop" "$name" "$night" "$@" --at '2026-05-03 10:00' > b 2> b.err
	b=$?
	verdict "$verb says the same" "$([ "$a$b" = 00 ] || echo "exit $a and $b: $(cat b.err)"
		cmp a b)"
done
"$fairtop" history "$spool" account:physics > a 2> a.err
"$fairtop" history "$night" account:physics > b 2> b.err
verdict "history says the same" "$([ -s a ] || cat a.err b.err; cmp a b)"
verdict "a copy that others could read is theirs no longer" "$(find cache -mindepth 1 -perm /077)"
from=$(sqlite3 -readonly "$spool" "SELECT datetime(min(time), 'unixepoch') FROM sample")
"$fairtop" diff "$spool" --from "$from" > a 2> a.err
"$fairtop" diff "$night" --from "$from" > b 2> b.err
verdict "diff says the same" "$([ -s a ] || cat a.err b.err; cmp a b)"
"$fairtop" "$night" --render 100x20 > out 2> err
verdict "the screen reads it" "$(grep -q 2026-05-03 out || cat out err)"
"$fairtop" watch "$night" --once --rule 'w: accounts running > 1000000' > out 2>&1 ||
	echo "exit $?" >> out
verdict "watch reads it" "$(cat out)"
"$fairtop" accounts "$night" "$spool" --format csv > out 2> err
verdict "beside another source" "$([ "$(grep -c physics out)" -gt 1 ] || cat out err)"

sql=$(sed -n 's/^\.Dl \(SELECT DISTINCT ON.*\)/\1/p' "$srcdir/doc/fairtop-recording.5.in" |
	sed 's/\\(dq/"/g')
verdict "the manual's query tells accounts" "$(pg_sql fairtop -c "$sql" > out 2>&1
	[ "$(grep -c -E '^night\|[a-z_]+\|' out)" -ge 7 ] || cat out)"

# Another cluster in the same database, hostile texts, infinite numbers.
copy=$(find cache -name 'postgresql-night-*.rec')
sqlite3 "$copy" "UPDATE sums SET sums = x'00' WHERE sample = 1"
columns=$(pg_sql fairtop -c "SELECT count(*) FROM information_schema.columns WHERE
	table_schema = 'fairtop'")
# A column that the demo does not have.
sed 's/^{"job":{"id":1,/&"licenses":"matlab:1",/' "$srcdir/tests/data/postgres.snapshot" > odd.snapshot
"$fairtop" record odd.snapshot -o "$(pg_url odd)" --spool odd.rec > out 2>&1 ||
	echo "exit $?" >> out
verdict "another cluster, a spool of its own" "$(cat out; ls odd.rec > /dev/null)"
verdict "its copy is the spool" "$(as_spool "$(pg_url odd)" odd.rec)"
"$fairtop" snapshot "$night" > /dev/null 2> err
verdict "columns that came with it have nothing fetched again" "$(cat err
	[ "$(sqlite3 "$copy" 'SELECT hex(sums) FROM sums WHERE sample = 1')" = 00 ] || echo 'it was'
	[ "$(pg_sql fairtop -c "SELECT count(*) FROM information_schema.columns WHERE
		table_schema = 'fairtop'")" -gt "$columns" ] || echo 'no column came')"
rm -f "$copy"*
verdict "the first one is untouched" "$(as_spool "$night" "$spool")"

# A second request gets what was recorded since, not the old copy: frames of adapters/frame.h.
ask='FTF2\002\000\000\000\010\000\000\000\377\000\000\000\000\000\000\000'
pictures()
{
	od -An -v -tx1 served | tr -d ' \n' | grep -o 4654463203 | wc -l
}
has_pictures()
{
	[ "$(pictures)" -ge "$1" ]
}
turns=$(pg_url turns)
# sent CLUSTER N: the server has a sample after N
sent()
{
	[ "$(pg_sql fairtop -c "SELECT sample > $2 FROM fairtop.replica WHERE
		cluster = '$1'" 2>&1)" = t ]
}
"$fairtop" record "${demo%step*}speed=3600" -o "$turns" --every 1s > out 2>&1 &
recorder=$!
await sent turns 0
: > served
{
	# shellcheck disable=SC2059 # the bytes of a request
	printf "$ask"
	await has_pictures 1
	await sent turns "$(pg_sql fairtop -c "SELECT sample FROM fairtop.replica WHERE
		cluster = 'turns'")"
	# shellcheck disable=SC2059
	printf "$ask"
	await has_pictures 2
} | FAIRTOP_SERVE_SOURCE=$turns "$fairtop" serve > served 2> err
stop TERM "$recorder"
verdict "each look brings what is new" "$([ "$(pictures)" -eq 2 ] || cat out err)"
verdict "what is served is a recording" "$(head -c 200 served | grep -a -q ' recording postgresql:' ||
	head -c 200 served)"

# An older recording becomes a spool: texts that look like numbers, and invalid UTF-8, stay texts.
sqlite3 old.rec < "$srcdir/tests/data/store/schema-2.sql"
sqlite3 old.rec "UPDATE job SET name = '1', account = CAST(x'ff41' AS TEXT)"
"$fairtop" record odd.snapshot -o "$(pg_url old)" --spool old.rec > out 2>&1 || echo "exit $?" >> out
verdict "an older recording is sent" "$(cat out; pg_sql fairtop -c "SELECT sample FROM
	fairtop.replica WHERE cluster = 'old'" | grep -v -x 4)"
for at in 1 2; do
	time=$(sqlite3 old.rec "SELECT datetime(time, 'unixepoch') FROM sample WHERE id = $at")
	"$fairtop" jobs old.rec --at "$time" --format csv > a 2> a.err
	"$fairtop" jobs "$(pg_url old)" --at "$time" --format csv > b 2> b.err
	verdict "its sample $at is read as it is there" "$([ -s a ] || cat a.err; cat b.err; cmp a b)"
done

# Tables and columns that do not belong to a recording are not sent, nor their names used as SQL.
cp odd.rec evil.rec
sqlite3 evil.rec "CREATE TABLE \"x\"\"(a int);DROP SCHEMA fairtop CASCADE;--\"(a);
	UPDATE recording SET value = ''';DROP SCHEMA fairtop CASCADE;--' WHERE name LIKE 'copy_%'"
"$fairtop" record odd.snapshot -o "$(pg_url evil)" --spool evil.rec > out 2>&1 ||
	echo "exit $?" >> out
verdict "a stranger's recording as a spool" "$(cat out; pg_sql fairtop -c "SELECT sample FROM
	fairtop.replica WHERE cluster = 'evil'" | grep -v -x 2)"
sqlite3 evil.rec 'ALTER TABLE job ADD COLUMN "x"" int;DROP SCHEMA fairtop CASCADE;--" INTEGER'
refused 2 'evil.rec: table job has more columns, or other names, than any of fairtop.s' record odd.snapshot \
	-o "$(pg_url evil)" --spool evil.rec
verdict "all clusters are still there" "$(pg_sql fairtop -c 'SELECT count(*) FROM
	fairtop.replica' | grep -v -x 5)"

# A second recorder, with a spool of its own and with the first one's.
away=$(pg_url away) FAIRTOP_SSH=$work/ssh
export FAIRTOP_SSH
# A cluster whose clock continues across connections.
printf '#!/bin/sh\nexec "%s" serve %s\n' "$fairtop" "$demo" > ssh
chmod 755 ssh
"$fairtop" record ssh:host/demo -o "$away" --every 1s > first.out 2>&1 &
first=$!
shown=first.out
until_so "the first recorder sends" sent away 0
refused 2 'another fairtop is recording cluster away' record ssh:host/demo -o "$away" --spool two.rec
refused 2 '.*another fairtop is recording into this file' record ssh:host/demo -o "$away"

# A server that refuses, is silent, or is away: the recorder goes on, and all is there afterwards.
stop TERM "$first"
kept=$(find state -name 'postgresql-away-*.rec')
before=$(sqlite3 "$kept" 'SELECT max(id) FROM sample')
pg_sql postgres -c 'ALTER DATABASE fairtop SET default_transaction_read_only = on'
"$fairtop" record ssh:host/demo -o "$away" --count 1 > out 2>&1
status=$?
pg_sql postgres -c 'ALTER DATABASE fairtop RESET default_transaction_read_only'
verdict "a server that refuses keeps nothing from the spool" "$([ $status -eq 0 ] ||
	echo "exit $status"; grep -q 'read-only' out || cat out
	[ "$(sqlite3 "$kept" 'SELECT max(id) FROM sample')" -eq $((before + 1)) ] || echo 'no sample')"
pg_stop immediate
"$fairtop" record ssh:host/demo -o "$away" --count 1 > out 2>&1
status=$?
verdict "nor does one that is away" "$([ $status -eq 0 ] || echo "exit $status"
	grep -q 'not all samples are on the server yet' out || cat out)"
pg_start
# The lock of a session whose connection was lost is still waited for.
PGAPPNAME=dead "$pg_bin/psql" -X -q -h "$work/pg/socket" -U fairtop -d fairtop > /dev/null << END &
SELECT pg_advisory_lock(hashtextextended('fairtop cluster away', 0)), pg_sleep(600);
END
dead=$!
locked()
{
	[ "$(pg_sql fairtop -c "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted")" -eq 1 ]
}
shown=pg/log
until_so "a lock of one that is gone" locked
"$fairtop" record ssh:host/demo -o "$away" --count 1 > out 2>&1
status=$?
verdict "nor does a lock of one that is gone" "$([ $status -eq 0 ] || echo "exit $status"
	grep -q 'still waits for the previous recorder' out || cat out)"
pg_sql fairtop -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE
	query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()" > /dev/null
wait "$dead"
"$fairtop" record ssh:host/demo -o "$away" --count 1 > out 2>&1 || echo "exit $?" >> out
verdict "all is there afterwards" "$(cat out; as_spool "$away" "$kept")"

# A slow server: samples that are not sent when the recorder ends are reported.
{
	echo '; UnixStartTime: 1700000000'
	for n in $(seq 400); do
		echo "$n $((n * 60)) 10 100 1 -1 -1 1 200 -1 1 1 1 -1 1 1 -1 -1"
	done
} > many.swf
"$fairtop" import swf many.swf -o many.rec > /dev/null
pg_sql fairtop -c "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM
	pg_sleep(5.2); RETURN NULL; END'; CREATE TRIGGER slow BEFORE INSERT ON fairtop.sample
	FOR EACH STATEMENT EXECUTE FUNCTION slow()"
"$fairtop" record ssh:host/demo -o "$(pg_url many)" --spool many.rec --count 1 > out 2>&1
pg_sql fairtop -c 'DROP TRIGGER slow ON fairtop.sample'
verdict "a recorder that ends before all is sent" "$(grep -q 'not all samples are on the server yet' out || cat out
	[ "$(pg_sql fairtop -c "SELECT sample FROM fairtop.replica WHERE cluster = 'many'")" -lt \
	"$(sqlite3 many.rec 'SELECT max(id) FROM sample')" ] || echo 'all is there')"

# A lost spool is made again from the server; the old one is then no longer accepted.
mv "$kept" lost.rec
rm -f "$kept-wal" "$kept-shm"
"$fairtop" record ssh:host/demo -o "$away" --count 1 > out 2>&1 || echo "exit $?" >> out
verdict "a spool that is lost" "$(cat out; as_spool "$away" "$kept")"
verdict "it has what was there" "$([ "$(sqlite3 "$kept" 'SELECT max(id) FROM sample')" -eq \
	$((before + 5)) ] || sqlite3 "$kept" 'SELECT max(id) FROM sample')"
refused 2 'cluster away: it has since been recorded with another spool than lost.rec' record ssh:host/demo \
	-o "$away" --spool lost.rec

# what is refused
refused 2 'the server has no cluster none' accounts "$(pg_url none)"
refused 2 'a PostgreSQL source: no cluster is named' accounts "postgresql://fairtop@/fairtop"
refused 2 "a PostgreSQL source: not a cluster's name" accounts "$(pg_url "a'b")"
refused 3 'PostgreSQL: .*No such file' accounts "postgresql:///x?host=$work/nowhere&cluster=a"
refused 2 '--spool: only with -o postgresql' record $demo -o x.rec --spool y.rec
refused 2 'thin: a recording in PostgreSQL is thinned' thin "$night" --keep 1d
refused 2 'cluster night: .*from another recording than odd.rec' record odd.snapshot \
	-o "$night" --spool odd.rec
refused 3 '.*new.rec is new, and the server must first report' record $demo \
	-o "postgresql:///x?host=$work/nowhere&cluster=a" --spool new.rec
long=$(printf '%0400d' 0)
for url in "postgresql://h/d?cluster=a&sslcert=$long&password=secret" \
	"ssh:h/postgresql://h/d?cluster=a&sslcert=$long&password=secret" \
	"postgresql://u:${long}secret@h/d?cluster=a" 'postgresql://u:se@cret@h/d?cluster=a' 'postgresql://u:secret:x@h/d?cluster=a' \
	'postgresql://u:secret@/d?host=/nowhere&cluster=a' 'postgresql://u:secret@h/d' \
	'postgresql://u@/d?nonsense=x&password=secret&cluster=a'; do
	"$fairtop" accounts "$url" > out 2>&1
	"$fairtop" record demo "$url" >> out 2>&1
	"$fairtop" "$url" --render 80x24 >> out 2>&1
	"$fairtop" metrics "$url" >> out 2>&1
	"$fairtop" metrics "$url" "$url" >> out 2>&1
	verdict "no password is shown" "$(grep -E 'se@cret|secret|cret@' out)"
done
refused 2 'a PostgreSQL source: not a connection string .* %40 for .* postgresql://HOST:PORT/DATABASE' \
	accounts 'postgresql://u:secret@h:x/d?cluster=a'

# The manual's way to delete a cluster deletes that one and no other.
statement=$(sed -n "s/^\.Dl \(DO .*\)/\1/p" "$srcdir/doc/fairtop-recording.5.in" | sed "s/'NAME'/'many'/")
verdict "a cluster is forgotten" "$(pg_sql fairtop -c "$statement" 2>&1)"
refused 2 'the server has no cluster many' accounts "$(pg_url many)"
verdict "the others are not" "$("$fairtop" accounts "$away" 2>&1 > out && [ -s out ] || cat out)"

exit $failed
