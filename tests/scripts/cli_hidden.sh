#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Hidden data is not absent data: the outputs of a real slurmctld as alice would have saved them
# under PrivateData=jobs, which lists only her jobs. No rank, count or start is made up from these;
# what is certain is shown, and each answer says why the rest is unknown.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
whole=$srcdir/tests/data/slurm/fairtree/quiet
hers=$work/hers
why='PrivateData hides those of others'

# saved USER INTO: saves the outputs as USER sees them
saved()
{
	mkdir "$2"
	cp "$whole"/* "$2"
	chmod -R u+w "$2"
	rm -f "$2"/squeue* "$2"/sprio*
	sed -i 's/^\(PrivateData *= \).*/\1jobs/' "$2/scontrol_config.txt"
	awk -v user="UserId=$1(" 'BEGIN { RS = ""; ORS = "\n\n" } index($0, user)' \
		"$whole/scontrol_jobs.txt" > "$2/scontrol_jobs.txt"
}

# rows VERB COLUMNS ARGUMENT...: prints the answer without its header; saves the notes
rows()
{
	verb=$1 columns=$2
	shift 2
	"$fairtop" "$verb" "$@" --format csv --columns "$columns" 2> "$work/err" | sed 1d
}

# said REGEX: prints the notes if none matches
said()
{
	grep -q -e "$1" "$work/err" || echo "nobody said $1 but: $(cat "$work/err")"
}

# told WHAT: the notes have the reason
told()
{
	verdict "$1: and why" "$(said "$why")"
}

saved alice "$hers"
verdict "the jobs of others are not there" "$(grep UserId= "$hers/scontrol_jobs.txt" |
	grep -v 'UserId=alice(')"
verdict "all are where all are shown" "$(rows jobs id,rank "slurm:$whole" |
	awk -F, '$2 == "" { none++ } $2 > most { most = $2 }
		END { if (most < 40) print most " ranks" }')"
rows jobs state,priority,rank,partition_rank,ahead "slurm:$hers" > "$work/jobs"
verdict "jobs have no place" "$(grep -c '^"*PENDING"*,[0-9][0-9]*,,,$' "$work/jobs" | awk '
	$1 < 2'; grep -v ',,,$' "$work/jobs")"
told "no place"
answers 'rank unknown: other users. jobs are hidden$' explain "slurm:$hers" job:"$(
	rows jobs id,user,rank "slurm:$whole" | sed -n 's/^\([0-9]*\),"*alice"*,[0-9].*/\1/p' | head -n 1)"

# Her own rows are exact, all others unknown; no number differs from the complete data.
rows accounts path,running,pending,burn "slurm:$whole" > "$work/all"
rows accounts path,running,pending,burn "slurm:$hers" > "$work/some"
told "no counts"
verdict "no count but her own" "$(awk -F, 'NR == FNR { was[$1] = $0; next }
	$1 ~ /:alice/ && $3 != "" { own++ }
	$2 $3 $4 != "" && $0 != was[$1] { print was[$1] " became " $0 }
	$2 $3 $4 != "" && $1 !~ /:alice/
	END { if (!own) print "none of hers" }' "$work/all" "$work/some")"

rows starts id,place,start,start_p50 "slurm:$hers" > "$work/starts"
verdict "nothing begins by what is shown" "$(grep -c . "$work/starts" | awk '$1 < 2'
	grep -v ',,,$' "$work/starts")"
answers 'other users. hidden jobs may come first' starts "slurm:$hers"
answers '"notes":\[.*"subject":"jobs","text":"[^"]*'"$why" jobs "slurm:$hers" --format json
for verb in cycle "forecast /"; do
	# shellcheck disable=SC2086 # with its object
	set -- $verb
	name=$1
	shift
	"$fairtop" "$name" "slurm:$hers" "$@" > "$work/out" 2> "$work/err"
	verdict "$name takes all jobs" "$([ $? -eq 3 ] || echo "exit status"; cat "$work/out"
		said "$name: needs the jobs of all")"
done
"$fairtop" metrics "slurm:$hers" > "$work/metrics" 2> "$work/err"
verdict "no metric of jobs" "$([ $? -eq 0 ] || cat "$work/err"
	grep -q '^fairtop_' "$work/metrics" || echo "no metrics"
	grep -E '^fairtop_[a-z_]*(running|pending|burn|wait)' "$work/metrics")"

# An alarm without data is not the same as no alarm.
"$fairtop" watch "slurm:$hers" --once --rule 'first: jobs rank=1' > "$work/out" 2> "$work/err"
verdict "an alarm is blind to jobs of others" "$([ $? -eq 3 ] || echo "exit status"
	said "alarm first does not see other users' jobs")"

# A snapshot and a recording of it have the reason, too.
"$fairtop" snapshot "slurm:$hers" > "$work/snapshot" 2> "$work/err"
"$fairtop" record "slurm:$hers" -o "$work/recording" --count 1 > "$work/out" 2> "$work/err"
for file in snapshot recording; do
	rows jobs state,priority,rank,partition_rank,ahead "$work/$file" | diff "$work/jobs" - \
		> "$work/diff"
	verdict "nor in a $file" "$(cat "$work/diff")"
	told "a $file"
done
"$fairtop" backtest "$work/recording" > "$work/out" 2> "$work/err"
verdict "it is no past of the machine" "$([ $? -eq 3 ] || echo "exit status"
	said 'backtest: needs the jobs of all')"

# The screen: one line, and no partial sum.
answers 'running - .*pending at least [0-9].*OTHER USERS. JOBS HIDDEN' "slurm:$hers" --render 140x24
answers ' pending at least ' "slurm:$hers" --render 140x24 --keys 2

# No job is visible, but that does not mean none is pending. Likewise for the tree.
saved nobody "$work/none"
echo 'No jobs in the system' > "$work/none/scontrol_jobs.txt"
"$fairtop" jobs "slurm:$work/none" > "$work/out" 2> "$work/err"
verdict "an empty list is not an empty queue" "$([ $? -eq 3 ] || echo "exit status"
	said 'the jobs are unknown: ')"
answers ' pending unknown ' "slurm:$work/none" --render 140x24
for file in "$work"/none/s*; do
	case $file in
	*/scontrol_config.txt | */scontrol_jobs.txt | */scontrol_nodes.txt) ;;
	*) rm "$file" ;;
	esac
done
head -n 1 "$whole/sshare_a_l.psv" > "$work/none/sshare_a_l.psv"
answers 'accounts - +users -' "slurm:$work/none" --render 140x24
answers 'The account tree is not visible here:' "slurm:$work/none" --render 140x24
verdict "nor does it say that there is none" "$(grep 'no associations' "$work/out")"
"$fairtop" accounts "slurm:$work/none" --mine > "$work/out" 2> "$work/err"
verdict "--mine: whose is not shown" "$(said "user $(id -un) has no association that is visible")"
"$fairtop" accounts demo --mine > "$work/out" 2> "$work/err"
verdict "--mine: who has none" "$(said "user $(id -un) has no association$")"

exit "$failed"
