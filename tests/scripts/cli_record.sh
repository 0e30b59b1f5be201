#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings from outside: record, the verbs at an earlier time, history, diff, --follow, and what
# is refused; the example queries of fairtop-recording(5); a killed writer, a second one, a path
# that is no directory, a full disk. Needs no cluster.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
mounted=''
trap '[ -z "$mounted" ] || umount "$work/small"; rm -rf "$work"' EXIT
cd "$work" || exit 1
TZ=UTC
export TZ

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
	verdict "refused: $*" "$problem"
}

demo=demo:1,accounts=6,users=10,jobs=20,step=3600
"$fairtop" record $demo -o day.rec --count 4 > out 2> err
verdict "record ends after --count" "$([ $? -eq 0 ] || cat err)"
verdict "record is silent" "$(cat out err)"
verdict "one file is left" "$(find . -type f ! -name day.rec ! -name out ! -name err)"

first=$("$fairtop" history day.rec account:physics --format csv --columns time | sed -n 2p)
last=$("$fairtop" history day.rec account:physics --format csv --columns time |
	tail -n 1)
verdict "time passes in a recording" "$([ "$last" -eq "$((first + 10800))" ] || echo "$first $last")"
# No waiting, and each step is a sample, even if the recorder is in a hurry.
timeout 60 "$fairtop" record $demo -o long.rec --every 1h --count 100 > out 2>&1
verdict "a source that steps is not waited for" "$([ $? -eq 0 ] || echo "exit $?"; cat out
	"$fairtop" history long.rec /physics --format csv --columns time |
		awk 'NR > 2 && $1 != last + 3600 { print } { last = $1 } END { if (NR != 101) print NR }')"
refused 2 '.*step=N and speed=X do not go together' record $demo,speed=1 -o x.rec
refused 2 '.*step=45: expected a multiple of 30 from 0 to 86400' record demo:1,step=45 -o x.rec

# Each verb reads a recording like any source.
for verb in accounts jobs policy; do
	"$fairtop" $verb $demo --format csv > live.csv 2> err
	"$fairtop" $verb day.rec --at "$first" --format csv > past.csv 2> err
	verdict "$verb --at the first sample" "$(cmp live.csv past.csv 2>&1)"
done
"$fairtop" snapshot $demo > live.snapshot
"$fairtop" snapshot day.rec --at "$first" > past.snapshot
verdict "snapshot --at the first sample" "$(cmp live.snapshot past.snapshot 2>&1)"
"$fairtop" accounts day.rec --format csv --columns path,usage > last.csv
"$fairtop" accounts day.rec --at now --format csv --columns path,usage > now.csv
verdict "the last sample is the default" "$(cmp last.csv now.csv 2>&1)"
answers '^F ' explain day.rec account:physics --at "$first"
answers 'day\.rec' day.rec --render 120x24
answers 'day\.rec' day.rec --follow --render 120x24
answers 'day\.rec' day.rec --at "$first" --render 120x24

answers '^time,object,usage,fairshare$' history day.rec account:physics --format csv \
	--columns time,object,usage,fairshare
verdict "history has a row a sample and object" "$("$fairtop" history day.rec account:physics \
	account:biology --format csv | wc -l | grep -v -x 9)"
answers '"rows":\[' history day.rec /physics --format json
job=$("$fairtop" jobs day.rec --format csv --columns id | sed -n 2p)
answers "job:$job .*(PENDING|RUNNING)" history day.rec "job:$job" --columns time,object,state
verdict "history --from --to" "$("$fairtop" history day.rec /physics --from "$last" --to "$last" \
	--format csv | wc -l | grep -v -x 2)"
answers '^object,column,before,after,difference$' diff day.rec --format csv
answers '^Object +Column +Before +After +Difference$' diff day.rec
answers '^ +Time  Object ' history day.rec account:physics
answers 'usage' diff day.rec --filter column=usage
verdict "no difference to itself" "$("$fairtop" diff day.rec --from "$last" --format csv |
	sed 1d)"
for pair in "$last $first" "$first $((last + 400000000))" "$((last + 400000000)) $last" \
	"$((first - 9)) $last" "$((last + 400000000)) $((last + 500000000))"; do
	"$fairtop" diff day.rec --from "${pair% *}" --to "${pair#* }" > out 2> err
	code=$?
	verdict "diff from/to $pair is refused in one line" "$([ $code -eq 2 ] || echo "exit $code"
		[ ! -s out ] || echo "an answer"
		grep -q -E 'expected (a time from|the earlier)' err && [ "$(wc -l < err)" -eq 1 ] ||
			cat err)"
done
verdict "diff --to now is to the end" "$("$fairtop" diff day.rec --to now --format csv > out
	"$fairtop" diff day.rec --format csv | cmp - out 2>&1)"

# Samples older than --keep are dropped: the demo's are an hour apart.
"$fairtop" record $demo -o keep.rec --count 5 --keep 90m 2> err
verdict "--keep lets old samples go" "$("$fairtop" history keep.rec /physics --format csv \
	--columns time | awk 'NR > 1 { n++; first = first ? first : $1; last = $1 }
	END { if (n != 2 || last - first != 3600) print n, "samples", first, last }')"
answers '/physics' accounts keep.rec --columns path

# Thinning: fewer samples, but the same jobs.
"$fairtop" record $demo,step=600 -o whole.rec --count 8 2> err
cp whole.rec thin.rec
"$fairtop" thin thin.rec --keep 10m,100h:1h > out 2>&1
verdict "thin is silent" "$([ $? -eq 0 ] || echo failed; cat out)"
"$fairtop" history whole.rec /physics --format csv > a
"$fairtop" history thin.rec /physics --format csv > b
verdict "thin leaves fewer of the same samples" "$([ "$(wc -l < b)" -lt "$(wc -l < a)" ] || cat b
	grep -v -x -F -f a b)"
verdict "thin leaves the last sample" "$("$fairtop" accounts whole.rec --format csv > a
	"$fairtop" accounts thin.rec --format csv | cmp a - 2>&1)"
verdict "thin leaves the jobs" "$("$fairtop" backtest whole.rec --format csv 2> /dev/null > a
	"$fairtop" backtest thin.rec --format csv 2> /dev/null | cmp a - 2>&1; [ -s a ] || echo none)"
refused 2 'thin: --keep is missing' thin thin.rec
refused 2 'nowhere\.rec: No such file' thin nowhere.rec --keep 1d
refused 2 'err: an SQLite database, but not a recording' thin err --keep 1d
refused 2 '--keep 7d,5d: not a retention period' thin thin.rec --keep 7d,5d
refused 2 '--keep 0{60}: not a retention' thin thin.rec --keep "$(printf '%0400d' 0)"
refused 2 '--keep 7d:8d: not a retention period' record demo -o x.rec --keep 7d:8d

# A change of the policy comes first in diff.
"$fairtop" snapshot demo > a.snapshot
sed '1s/"FairShareDampeningFactor":1/"FairShareDampeningFactor":3/
	1s/"time":\([0-9]*\)/"time":1888888888/' a.snapshot > b.snapshot
"$fairtop" record a.snapshot -o two.rec && "$fairtop" record b.snapshot -o two.rec
answers '^policy,FairShareDampeningFactor,1,3,2$' diff two.rec --format csv \
	--filter object=policy

# --- outages --------------------------------------------------------------------------------

if command -v sqlite3 > /dev/null; then
	verdict "time without a recorder is a gap" "$(sqlite3 two.rec \
		'SELECT reason FROM gap' | grep -v -x 'the recorder was not running')"
	# The queries of the manual page, as printed there.
	page=$FAIRTOP_BUILD/doc/fairtop-recording.5
	if [ -f "$page" ]; then
		sed -n 's/^\.Dl sqlite3 recording \(.*\)/\1/p' "$page" | sed 's/\\(dq/"/g' > queries
		verdict "the page has queries" "$([ "$(wc -l < queries)" -ge 5 ] || echo too few)"
		cat > reader.py <<-'END'
			import sqlite3, sys
			def text(x):
			    if isinstance(x, float):
			        word = "%.15g" % x
			        return word if set(word) & set(".en") else word + ".0"
			    return "" if x is None else str(x)
			for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
			    print("|".join(map(text, row)))
		END
		while IFS= read -r query <&3; do
			eval "sqlite3 day.rec $query" > out 2> err
			verdict "query: $query" "$([ -s out ] && [ ! -s err ] || cat err)"
			python3 -c 'import sqlite3' 2> err || continue
			eval "python3 reader.py day.rec $query" > other 2>&1
			verdict "as another reader has it: $query" "$(cmp out other 2>&1)"
		done 3< queries
	fi
fi

# --- people ---------------------------------------------------------------------------------

"$fairtop" record $demo -o nobody.rec --count 2 --anonymize
names=$("$fairtop" accounts $demo --format csv --columns user |
	sed '1d;/^$/d' | sort -u)
verdict "nobody is left in an anonymous recording" "$(for name in $names; do
	grep -q -a -w -e "$name" nobody.rec && echo "$name"; done)"
verdict "the key lies beside, for its owner only" "$(find nobody.rec.key -perm 600 -size 16c |
	grep -q . || echo missing)"
# LSF: its queues are the top accounts, and their parameters name users.
"$fairtop" record "lsf:$srcdir/tests/data/lsf/accounts" -o lsf.rec --count 1 --anonymize 2> err
"$fairtop" snapshot lsf.rec > a 2> err
verdict "nobody is left in an anonymous LSF" "$(for name in ga gb gc top w1 w2 w5 w7 w9; do
	grep -q -w -e "$name" a && echo "$name"; done)"
"$fairtop" jobs lsf.rec --format csv --columns rank,id > a 2> err
"$fairtop" jobs "lsf:$srcdir/tests/data/lsf/accounts" --format csv --columns rank,id \
	> b 2> err
verdict "the order of its jobs stays" "$(cmp a b 2>&1; [ -s a ] || echo empty)"
"$fairtop" accounts nobody.rec --format csv --columns path > a
"$fairtop" record day.rec -o nobody.rec --count 1 --anonymize
"$fairtop" accounts nobody.rec --format csv --columns path > b
verdict "pseudonyms stay" "$(cmp a b 2>&1)"
mv nobody.rec.key away
mkfifo fifo.rec.key
timeout -s KILL 20 "$fairtop" record day.rec -o fifo.rec --count 1 --anonymize > out 2> err
status=$?
verdict "a key that is a FIFO is refused" "$([ $status -eq 2 ] || echo "exit $status"
	grep -q 'not a key (expected 16 bytes)' err || cat err)"
rm -f fifo.rec*
refused 2 'nobody\.rec: its key .* is missing' record day.rec -o nobody.rec --anonymize

# --- secrets --------------------------------------------------------------------------------

# Passwords, keys and tokens in configurations and jobs must not be recorded.
secret=hunter2-s3cr3t
# hides WHAT SOURCE FILE...: the files contain the secret, the recording does not
hides()
{
	what=$1 source=$2
	shift 2
	rm -f secret.rec
	"$fairtop" record "$source" -o secret.rec 2> err
	problem=$([ -s secret.rec ] || cat err)
	for file; do
		grep -q -F "$secret" "$file" || problem="$problem $file does not hold it;"
	done
	! grep -q -a -F "$secret" secret.rec || problem="$problem it is recorded"
	verdict "$what: no secret is recorded" "$problem"
}
data=$srcdir/tests/data
cp -R "$data/slurm/depthobl/quiet" slurm
cp -R "$data/pbs/01_main" pbs
chmod -R u+w slurm pbs
for name in AccountingStoragePass StoragePass JobCompPass LicenseServers; do
	echo "$name=$secret"
done >> slurm/slurm.conf
sed "s/^AuthInfo .*/AuthInfo = socket=$secret/
	s/^AuthAltParameters .*/AuthAltParameters = jwt_key=$secret/
	s/^SlurmctldParameters .*/SlurmctldParameters = token=$secret/" \
	"$data/slurm/depthobl/quiet/scontrol_config.txt" > slurm/scontrol_config.txt
hides Slurm slurm:slurm slurm/slurm.conf slurm/scontrol_config.txt
sed "s/\"Error_Path\":/\"Variable_List\": {\"TOKEN\": \"$secret\"}, &/
	s/\"Output_Path\":/\"Submit_arguments\": \"-v T=$secret\", &/" \
	"$data/pbs/01_main/qstat_ft_json.json" > pbs/qstat_ft_json.json
sed "s/\"pbs_license_info\":.*/\"pbs_license_info\": \"$secret\",/
	s/\"default_chunk\"/\"license_key\": \"$secret\", &/" \
	"$data/pbs/01_main/qstat_Bf_json.json" > pbs/qstat_Bf_json.json
hides PBS pbs:pbs pbs/qstat_ft_json.json pbs/qstat_Bf_json.json

# In the demo, times are relative to its first picture.
"$fairtop" accounts demo --at '2h ago' --format csv > ago.csv
"$fairtop" accounts demo --at '2026-05-03T07:00:00' --format csv > then.csv
verdict "demo --at counts from its own time" "$(cmp ago.csv then.csv 2>&1)"

# --- what goes wrong ------------------------------------------------------------------------

refused 2 'record: FILE is missing' record demo
refused 2 'record: SOURCE is missing' record
refused 2 '/.*/x.rec: .*No such file' record demo -o /nonexistent/x.rec
refused 2 "day\.rec: the source's own time restarts" record $demo -o day.rec --count 1
refused 2 'nowhere: ' record nowhere -o x.rec
refused 2 '--keep 5: not a retention period' record demo -o x.rec --keep 5
refused 2 '--count 99999999999999999999: not a whole number above 0' record demo -o x.rec \
	--count 99999999999999999999
refused 2 'ssh:[^ ]*: no host name' accounts 'ssh:a;reboot/slurm'
refused 2 'ssh:[^ ]*: no host name' accounts 'ssh:a$(id)/slurm'
refused 2 '--at: "soon" is not a time \(expected' accounts day.rec --at soon
refused 2 'demo: the demo has its own time, and covers only the day before 2026-05-03 09:00 UTC' accounts demo --at '2d ago'
refused 2 'day\.rec: nothing was recorded by then \(it starts at' accounts day.rec --at 5
refused 2 'day\.rec: account:nobody: not in any sample' history day.rec account:nobody
refused 2 'history: OBJECT is missing' history day.rec
refused 2 'missing\.rec: no such file' history missing.rec account:a
refused 2 'usge: no such column' history day.rec account:physics --columns usge
head -c 20000 day.rec > cut.rec
refused 2 'cut\.rec: .*damaged' accounts cut.rec
head -c 300 day.rec > cut.rec
refused 2 'cut\.rec: ' accounts cut.rec
refused 2 'cut\.rec: ' record demo -o cut.rec
printf 'SQLite format 3\0 and then nothing' > bad.rec
refused 2 'bad\.rec: ' accounts bad.rec

# A writer at work: a second one is refused, readers read, kill -9 loses nothing.
# shellcheck disable=SC2317 # called by until_so
reads() { "$fairtop" accounts "$1" > out 2> err; }
shown='err busy.err'
"$fairtop" record $demo -o busy.rec 2> busy.err &
writer=$!
until_so "a reader beside the writer" reads busy.rec
refused 2 'busy\.rec: another fairtop is recording into this file' record demo -o busy.rec
kill -9 $writer
wait $writer 2> /dev/null
answers '/physics' accounts busy.rec --columns path
"$fairtop" record day.rec -o busy.rec --count 1
verdict "it goes on after kill -9" "$([ $? -eq 0 ] || echo no)"
"$fairtop" record $demo -o ended.rec &
writer=$!
until_so "it records" reads ended.rec
stop TERM $writer
verdict "SIGTERM ends it" "$([ $status -eq 143 ] || echo "exit $status")"

# A file that may not grow: a quota, a limit.
(
	ulimit -f 700
	timeout 60 "$fairtop" record $demo -o limit.rec > out 2> err
	echo "exit $?" >> out
)
verdict "a limit of the file's size ends it" "$(grep -q -x 'exit 2' out &&
	grep -q '^fairtop: limit\.rec: .*is safe' err || cat out err)"
answers '/physics' accounts limit.rec --columns path

# A full disk, if one can be mounted.
mkdir small
if mount -t tmpfs -o size=1500k none small 2> /dev/null; then
	mounted=yes
	timeout 60 "$fairtop" record $demo -o small/full.rec > out 2> err
	status=$?
	verdict "a full disk ends it" "$([ $status -eq 2 ] &&
		grep -q 'no space left' err || echo "exit $status: $(cat err)")"
	cp small/full.rec* .
	answers '/physics' accounts full.rec --columns path
else
	echo "skipped: a full disk (no tmpfs can be mounted)"
fi

# A reader without write permission that opened the file before the recorder started sees later
# samples; the files are readable for the group. A Slurm with two answers; alice becomes zed.
mkdir bin shared
cat > bin/scontrol << 'END'
#!/bin/sh
[ "$*" = 'show config' ] || exit 1
exec cat "$srcdir/tests/data/slurm/depthobl/quiet/scontrol_config.txt"
END
cat > bin/sshare << 'END'
#!/bin/sh
sed "$(cat become)" "$srcdir/tests/data/slurm/depthobl/quiet/sshare_all_fields.psv"
END
chmod 755 . bin/scontrol bin/sshare
for name in squeue sprio sacctmgr sdiag; do
	ln bin/scontrol bin/$name
done
: > become
set -- env "srcdir=$srcdir" "PATH=$PWD/bin:$PATH" FAIRTOP_LIBEXEC=/nonexistent SLURM_CONF=/nonexistent \
	"$fairtop" record slurm -o shared/f.rec --every 1s
(umask 027 && exec "$@" --count 1 > /dev/null 2> err)
verdict "a recorder goes by the umask" "$(find shared/f.rec -perm 640 | grep -q . || cat err)"
chmod 644 shared/f.rec
chmod 555 shared
as=
[ "$(id -u)" -ne 0 ] || as="setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups"
# shellcheck disable=SC2086 # words
$as "$fairtop" watch shared/f.rec --every 1s --rule 'any: accounts depth=0' \
	--rule 'zed: accounts user=zed' > watched 2>&1 &
watcher=$!
touch watched
shown='watched err'
until_so "who may only read is shown a recording" grep -q ' begin any: ' watched
chmod 755 shared
echo 's/|alice|/|zed|/' > become
"$@" > /dev/null 2> err &
until_so "and what is written meanwhile" grep -q ' begin zed: ' watched
stop TERM $!
stop TERM $watcher

exit $failed
