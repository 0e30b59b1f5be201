#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The screen on unreadable input: a file, a directory of saved outputs, standard input. No frame,
# one line that gives file, line and what was expected, exit status 2, as for every verb. And
# missing data is unknown: if no output lists the jobs, no verb answers as if none were (exit 3).

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
bad=$srcdir/tests/data/bad

# ended LINE: checks $status, $work/out and $work/err of a run; LINE is a shell pattern
ended()
{
	[ "$status" -eq 2 ] || echo "exit $status instead of 2;"
	[ ! -s "$work/out" ] || echo "writes to standard output;"
	[ "$(wc -l < "$work/err")" -eq 1 ] || echo "not one line of error;"
	# shellcheck disable=SC2254
	case $(cat "$work/err") in
	$1) ;;
	*) echo "says $(cat "$work/err")" ;;
	esac
}

# screen NAME LINE SOURCE [OPTION...]: the screen ends with LINE
screen()
{
	name=$1 line=$2
	shift 2
	"$fairtop" "$@" --render 60x16 > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	verdict "no screen of $name" "$(ended "$line")"
}

# Each file of the corpus, with its message in the file beside it.
for file in "$bad"/*.snapshot; do
	"$fairtop" "$file" --render 60x16 > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	printf 'fairtop: %s:%s\n' "$file" "$(cat "${file%.snapshot}.message")" > "$work/expected"
	verdict "no screen of $(basename "$file")" \
		"$(ended '*'; diff "$work/expected" "$work/err")"
done

neither='neither a snapshot nor a recording'
echo 'root:x:0:0:root:/root:/bin/sh' > "$work/passwd"
screen 'a text' "fairtop: $work/passwd:1: column 1: expected a value; this is $neither" "$work/passwd"
screen 'a text, with keys' "fairtop: $work/passwd:1: *" "$work/passwd" --keys 2
echo '17 and more' > "$work/number"
screen 'a number' "fairtop: $work/number:1: *$neither" "$work/number"
printf '\037\213\010\000\000\000\000\000' > "$work/snapshot.gz"
screen 'gzip' "fairtop: $work/snapshot.gz:1: column 1: *gzip*$neither*" "$work/snapshot.gz"
head -c 2000000 /dev/zero | tr '\000' '\377' > "$work/bytes"
screen 'bytes without a line' "fairtop: $work/bytes:1: *$neither" "$work/bytes"

"$fairtop" - --render 60x16 < "$work/passwd" > "$work/out" 2> "$work/err"
status=$?
verdict "no screen of standard input" "$(ended "fairtop: -:1: column 1: *$neither")"

# A recording that ends after its first page, and one that is only a header.
"$fairtop" record demo:1,accounts=6,users=10,jobs=20 -o "$work/day.rec" --every 1s --count 1 \
	2> "$work/err"
size=$(wc -c < "$work/day.rec")
{ head -c 4096 "$work/day.rec"; head -c $((size - 4096)) /dev/zero | tr '\000' '\377'; } \
	> "$work/damaged.rec"
screen 'a damaged recording' "fairtop: $work/damaged.rec: *" "$work/damaged.rec"
head -c 100 "$work/day.rec" > "$work/cut.rec"
screen 'a cut recording' "fairtop: $work/cut.rec: *" "$work/cut.rec"

# Saved outputs.
mkdir "$work/slurm" "$work/lsf"
echo nonsense > "$work/slurm/sshare.txt"
screen 'saved outputs of Slurm' "fairtop: $work/slurm/sshare.txt:[0-9]*: *" "slurm:$work/slurm"
echo nonsense > "$work/lsf/bqueues.json"
screen 'saved outputs of LSF' "fairtop: $work/lsf/bqueues.json: *" "lsf:$work/lsf"

# A file is named once, with a directory that ends in a slash, and with an option of the source.
refused 'a directory with slashes' "^fairtop: $work/lsf/bqueues.json: column" pools "lsf:$work/lsf//"
mkdir "$work/pbs"
printf '{"timestamp":1,\n"Jobs":{ x' > "$work/pbs/qstat_f.json"
refused 'a file of a scheduler' "^fairtop: pbs:$work/pbs/qstat_f.json:2: expected a key" \
	jobs "pbs:$work/pbs/qstat_f.json,sched=owl"
refused 'a directory of a scheduler' "^fairtop: $work/pbs/qstat_f.json:2: expected a key" \
	jobs "pbs:$work/pbs,sched=owl"
refused 'a directory of a cluster' "^fairtop: $work/slurm/sshare.txt:1: no column" \
	accounts "slurm:$work/slurm,cluster=a"

# So is a long path, of which the beginning is left out. The reason stays.
for n in 80 115 124 130 200; do
	long=$work/$(printf '%0*d/%0*d' $n 0 $n 0)
	mkdir -p "$long"
	cp "$work/slurm/sshare.txt" "$long"
	cp "$work/lsf/bqueues.json" "$long"
	cp "$work/pbs/qstat_f.json" "$long"
	echo nonsense > "$long/snapshot"
	for source in "slurm:$long" "slurm:$long/none" "slurm:$long/none.conf" "pbs:$long" \
		"pbs:$long/qstat_f.json,sched=owl" "lsf:$long" "lsf:$long/snapshot" \
		"$long/snapshot" "$long/none"; do
		refused "a path of 2 * $n: ${source##*00}" \
			'^fairtop: ([a-z]*:)?[^: ]*00/?[^:/ ]*:(1:|2:)? [^/]{10,}[a-z?)]$' pools "$source"
	done
	"$fairtop" record "slurm:$long" -o "$work/none.rec" --count 1 > "$work/out" 2> "$work/err"
	verdict "so does the end of a recording" "$([ $? -eq 2 ] &&
		grep -q '^fairtop: .*sshare.txt:1: .*run with -h or -n?)$' "$work/err" ||
		cat "$work/err")"
done

mkdir "$work/empty"
for kind in slurm pbs lsf; do
	screen "nothing saved of $kind" "fairtop: $kind:$work/empty: no *" "$kind:$work/empty"
	screen "no directory of $kind" "fairtop: $kind:$work/gone: No such file*" "$kind:$work/gone"
done

# More hosts than the initial table size; a fuzzer found a pointer into the moved table.
cp -R "$srcdir/tests/data/lsf/volclava/t1" "$work/hosts"
chmod -R u+w "$work/hosts"
for i in 1 2 3 4 5 6 7; do
	for k in 1 2 3 4 5 6 7; do
		echo "n$i$k ok - 4 0 0 0 0 0"
	done
done >> "$work/hosts/bhosts_w.txt"
verdict "LSF with 49 hosts more" "$("$fairtop" policy "lsf:$work/hosts" 2>&1 > /dev/null ||
	echo "exit $?")"

# In an ASCII locale a table has only ASCII; the other formats are UTF-8.
sed 's/"physics"/"phys\xc3\xafcs"/g' "$srcdir/tests/data/demo.snapshot" > "$work/name.snapshot"
LC_ALL=C "$fairtop" accounts "$work/name.snapshot" > "$work/out" 2> "$work/err"
verdict "a table in the locale C" "$(grep -q 'phys<U+00EF>cs' "$work/out" || echo "no <U+00EF>"
	LC_ALL=C grep -n '[^ -~]' "$work/out" | head -n 1)"

# Directories of all three schedulers without the outputs that list jobs.
untold=$work/untold
mkdir "$untold" "$untold/slurm" "$untold/pbs" "$untold/lsf" "$untold/none"
cp "$srcdir/tests/data/slurm/several_qos"/* "$untold/slurm"
cp "$srcdir/tests/data/slurm/several_qos"/* "$untold/none"
cp -R "$srcdir/tests/data/pbs/01_main"/* "$untold/pbs"
cp "$srcdir/tests/data/lsf/accounts"/* "$untold/lsf"
chmod -R u+w "$untold"
# Also without sprio, which alone would be a queue.
rm "$untold/slurm/scontrol_jobs.txt" "$untold/slurm"/sprio* \
	"$untold/pbs"/qstat_*ft_json.json "$untold/lsf/bjobs_l.txt"
rm "$untold/none"/sprio* "$untold/none"/sdiag*
echo 'No jobs in the system' > "$untold/none/scontrol_jobs.txt"
"$fairtop" snapshot "lsf:$untold/lsf" > "$untold/kept.snapshot" 2> "$work/err"

# unknown SOURCE VERB [ARGUMENT...]: exit 3, no answer, one line that says so
unknown()
{
	source=$1
	verb=$2
	shift 2
	"$fairtop" "$verb" "$source" "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	verdict "the jobs of ${source##*/} are unknown: $verb $*" "$([ $status -eq 3 ] ||
		echo "exit $status;"
		head -n 1 "$work/out"
		[ "$(grep -c "^fairtop: $source: \(alarm [a-z]* is not evaluated: \)*the jobs are unknown: .*(expected " "$work/err")" -eq 1 ] ||
			cat "$work/err")"
}

for source in "slurm:$untold/slurm" "pbs:$untold/pbs" "lsf:$untold/lsf" "$untold/kept.snapshot"; do
	for verb in jobs classes cycle starts; do
		unknown "$source" $verb
	done
	unknown "$source" jobs --format json
	unknown "$source" explain job:1
	unknown "$source" explain class:0
	unknown "$source" compare job:1 job:2
	unknown "$source" forecast job:1
	unknown "$source" whatif --view jobs --format json
	unknown "$source" watch --once --rule 'waits: jobs rank>0'
	unknown "$source" watch --once --rule 'full: accounts running>0'
	answers '^[^,]*,,$' accounts "$source" --format csv --columns path,running,pending
	answers '^fairtop_source_up' metrics "$source" --users
	verdict "no number of jobs in the metrics" "$(grep -E 'running|pending|waiting|_jobs' \
		"$work/out" | head -n 1)"
done

# Here the output says that there are none.
for verb in jobs classes starts; do
	answers '"rows":\[' $verb "slurm:$untold/none" --format json
done
answers '^0 jobs: 0 run' cycle "slurm:$untold/none"

exit $failed
