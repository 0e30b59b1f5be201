# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_whatif.sh CLUSTER - a what-if comes true: the commands that `whatif --export slurm` writes are
# run and its slurm.conf lines put in place; after the passes the scheduler's own F and priorities
# are what was predicted. Then the commands of the inverse bring back the start. Nothing runs
# meanwhile; the weight of age is 0 in the what-if, since time goes by.
#
# The clusters do this side by side and have one database. Accounts and QOS belong to all of them:
# the new account has a name of the cluster, and only Fair Tree changes a QOS (elsewhere no job
# with that QOS is left).

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
conf=$LIVE_DIR/$name/etc/slurm.conf
work=$LIVE_DIR/$name/whatif
mkdir -p "$work"
cluster_select "$name"
cluster_settle "$name"

new=cs103_$name
[ "$name" = fairtree ] || scancel -t PD -q low
job=$(squeue -h -u www-data -t PD -o %i | head -n 1)
cat > "$work/edits" <<-EDITS
	weight.age = 0
	weight.qos = 30000
	shares:/physics/hep = 25
	shares:/biology/neuro = parent
	shares:/physics/hep/cms:daemon = 9
	parent:/engineering/fem = /physics
	add:/class/$new = 4
	partition:normal.job_factor = 77
	job:$job.nice = 321
EDITS
[ "$name" != fairtree ] || echo "qos:low.priority = 400" >> "$work/edits"

# settle_again: the passes that the figures need after a change; one more, since the priorities of
# the first are computed before a new association has its figures
settle_again()
{
	rm -f "$LIVE_DIR/$name/settled"
	cluster_settle "$name"
	cluster_next_pass "$name"
	cluster_evaluate
}

# factors FILE [OPTION...]: path and F of every association, as computed
factors()
{
	local file=$1
	shift
	run "$FAIRTOP" accounts slurm --base usage --columns path,fairshare --format csv "$@"
	tr -d '\r' < "$LIVE_TMP/out" | sort > "$file"
}

# reported FILE: path and F as sshare has them, through a snapshot
reported()
{
	run "$FAIRTOP" snapshot slurm
	cp "$LIVE_TMP/out" "$work/snapshot"
	run "$FAIRTOP" accounts "$work/snapshot" --base reported --columns path,fairshare --format csv
	tr -d '\r' < "$LIVE_TMP/out" | sort > "$1"
}

# sprio_rows FILE: "job partition priority age-term" by the scheduler; sprio_plain: without age
sprio_rows() { sprio -h -o '%i %r %Y %A' | awk '{ print $1 " " $2, $3, $4 }' | sort > "$1"; }

# apply EXPORT: its lines of slurm.conf, then its commands
apply()
{
	sed -n 's/^#   \([A-Z][A-Za-z]*\)=\(.*\)/\1=\2/p' "$1" > "$work/lines"
	while IFS='=' read -r key value; do
		sed -i "/^$key=/d" "$conf"
		printf '%s=%s\n' "$key" "$value" >> "$conf"
	done < "$work/lines"
	sh -e "$1" > "$work/applied" 2>&1
}

# same_factors NAME A B: every path of A has the same F in B
same_factors()
{
	awk -F, -v OFS=, 'NR == FNR { f[$1] = $2; next }
	    !($1 in f) { print "missing", $1; bad++; next }
	    $2 != "" && f[$1] != "" && ($2 - f[$1] > 2e-6 || f[$1] - $2 > 2e-6) {
		print $1, f[$1], $2; bad++ }
	    { n++ }
	    END { print n " rows, " bad + 0 " differ"; exit bad > 0 || n < 10 }' "$2" "$3" \
	    > "$work/difference" && ok "$1" || not_ok "$1" "F differs" "$work/difference"
}

reported "$work/f.start"
sprio_rows "$work/p.start"
expect_exit "$name export" 0 "$FAIRTOP" whatif slurm --what-if "$work/edits" --export slurm
cp "$LIVE_TMP/out" "$work/forward"
expect_exit "$name export of the inverse" 0 \
    "$FAIRTOP" whatif slurm --what-if "$work/edits" --export slurm --inverse
cp "$LIVE_TMP/out" "$work/inverse"
factors "$work/f.predicted" --what-if "$work/edits"
run "$FAIRTOP" jobs slurm --base usage --what-if "$work/edits" --format csv \
    --columns id,partition,priority
tr -d '\r' < "$LIVE_TMP/out" > "$work/p.predicted"

if apply "$work/forward"; then
	ok "$name the commands run"
else
	not_ok "$name the commands run" "exit $?" "$work/applied" "$work/forward"
fi
settle_again
reported "$work/f.after"
same_factors "$name F is what was predicted" "$work/f.after" "$work/f.predicted"
sprio_rows "$work/p.after"
awk 'NR == FNR { if (split($0, a, ",") == 3) p[a[1] " " a[2]] = a[3]; next }
    { key = $1 " " $2 }
    key in p { n++; d = p[key] - $3; if (d > 1 || d < -1) { print key, p[key], $3; bad++ } }
    END { print n " jobs, " bad + 0 " differ"; exit bad > 0 || n < 5 }' \
    "$work/p.predicted" "$work/p.after" > "$work/difference" &&
	ok "$name priorities are what was predicted" ||
	not_ok "$name priorities are what was predicted" "they differ" "$work/difference"

if apply "$work/inverse"; then
	ok "$name the inverse runs"
else
	not_ok "$name the inverse runs" "exit $?" "$work/applied" "$work/inverse"
fi
settle_again
reported "$work/f.back"
same_factors "$name the inverse brings back F" "$work/f.back" "$work/f.start"
sprio_rows "$work/p.back"
# Age went on: what is left of each priority without it is the same, but for its rounding.
awk 'NR == FNR { p[$1 " " $2] = $3 - $4; next }
    ($1 " " $2) in p { n++; d = p[$1 " " $2] - ($3 - $4)
	if (d > 2 || d < -2) { print $0, p[$1 " " $2]; bad++ } }
    END { print n " jobs, " bad + 0 " differ"; exit bad > 0 || n < 5 }' \
    "$work/p.start" "$work/p.back" > "$work/difference" &&
	ok "$name the inverse brings back priorities" ||
	not_ok "$name the inverse brings back priorities" "they differ" "$work/difference"
exit 0
