# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_whatif.sh CLUSTER - a what-if comes true: the commands that `whatif --export slurm` writes are
# run and its slurm.conf lines put in place; after the passes the scheduler's own F, priorities,
# parameters and partitions are as predicted. Then the commands of the inverse restore the start.
# A second what-if has edits that no command undoes: a user moves to another account with his jobs
# but without his usage, a user and accounts are removed, usage is set to 0.
# Nothing runs meanwhile; the weight of age is 0 in the what-if, since time passes.
#
# The clusters do this at the same time with one database. Accounts and QOS belong to all of them,
# so the new account has the cluster in its name, and only Fair Tree changes a QOS (the others have
# no job left with that QOS).

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
conf=$LIVE_DIR/$name/etc/slurm.conf
work=$LIVE_DIR/$name/whatif
mkdir -p "$work"
cluster_select "$name"
cluster_settle "$name"

# waiting USER [OPTION...]: his first job that is pending in one partition with a unique priority
waiting()
{
	local user=$1
	shift
	squeue -h -u "$user" -t PD -o '%i %P %r' "$@" | sort -n |
		awk '$2 !~ /,/ && $1 !~ /_/ && $3 !~ /^Job(Held|Begin)/ { print $1; exit }'
}

# words: slurmctld's PriorityFlags; DEPTH_OBLIVIOUS implies NO_FAIR_TREE
words() { scontrol show config | sed -n 's/^PriorityFlags *= //p'; }

new=cs103_$name
[ "$name" = fairtree ] || scancel -t PD -q low
job=$(waiting www-data) site=$(waiting sys) direct=$(waiting proxy) held=$(waiting list)
moved=$(waiting lp) news=$(waiting news) quality=$(waiting daemon -p normal)
cat > "$work/edits" <<-EDITS
	weight.age = 0
	weight.assoc = 3000
	weight.fairshare = 90000
	weight.jobsize = 6000
	weight.partition = 7000
	weight.qos = 30000
	weight.tres = CPU=2500,Mem=100
	flags = $(words),NO_NORMAL_ASSOC
	favor_small = yes
	max_age = 3h
	half_life = 6-0
	shares:/physics/hep = 25
	shares:/biology/neuro = parent
	shares:/physics/hep/cms:daemon = 9
	priority:/physics/astro = 33
	parent:/engineering/fem = /physics
	add:/class/$new = 4
	add:/class/$new:lp = 3
	partition:normal.job_factor = 77
	partition:low.tier = 2
	partition:bill.billing_weights = CPU=2.0
	job:$job.nice = 321
	job:$site.site = 55
	job:$site.cpus = 10
	job:$direct.priority = 50000
	job:$held.hold = yes
	job:$moved.account = proteomics
	job:$news.partition = low
	job:$news.time_limit = 3h
	job:$quality.qos = high
	job:$quality.nodes = 2
EDITS
[ "$name" = fairtree ] || echo "damping = 2" >> "$work/edits"
[ "$name" != fairtree ] || cat >> "$work/edits" <<-EDITS
	qos:low.priority = 400
	qos:low.usage_factor = 0.75
EDITS

# settle_again: waits for the passes that the figures need after a change, and one more, since the
# first computes priorities before a new association has its figures
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
	sort < "$LIVE_TMP/out" > "$file"
}

# reported FILE: path and F as the scheduler reports them, through a snapshot
reported()
{
	run "$FAIRTOP" snapshot slurm
	cp "$LIVE_TMP/out" "$work/snapshot"
	run "$FAIRTOP" accounts "$work/snapshot" --base reported --columns path,fairshare --format csv
	sort < "$LIVE_TMP/out" > "$1"
}

# sprio_rows FILE: the scheduler's "job partition priority age-term"
sprio_rows() { sprio -h -o '%i %r %Y %A' | awk '{ print $1 " " $2, $3, $4 }' | sort > "$1"; }

# apply EXPORT: applies its lines of slurm.conf, then its commands; on one cluster at a time, since
# they begin with a reconfigure (README)
apply()
{
	sed -n 's/^#   \([A-Z][A-Za-z]*\)=\(.*\)/\1=\2/p' "$1" > "$work/lines"
	while IFS='=' read -r key value; do
		sed -i "/^$key=/d" "$conf"
		printf '%s=%s\n' "$key" "$value" >> "$conf"
	done < "$work/lines"
	flock "$LIVE_DIR/apply.lock" sh -e "$1" > "$work/applied" 2>&1
}

# same_factors NAME A B: checks that every path of B has the same F in A
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

# predict FILE: writes the F, priorities and parameters that the edits in FILE give to FILE.f,
# FILE.p and FILE.policy
predict()
{
	factors "$1.f" --what-if "$1"
	run "$FAIRTOP" jobs slurm --base usage --what-if "$1" --format csv \
	    --columns id,partition,priority
	cp "$LIVE_TMP/out" "$1.p"
	run "$FAIRTOP" policy slurm --what-if "$1" --format csv --columns name,what_if
	sed 1d < "$LIVE_TMP/out" > "$1.policy"
}

# came_true WHAT FILE: checks that F, priorities and parameters are as predict FILE wrote them
came_true()
{
	reported "$work/f.after"
	same_factors "$name F is what was predicted$1" "$work/f.after" "$2.f"
	sprio_rows "$work/p.after"
	awk 'NR == FNR { if (split($0, a, ",") == 3) p[a[1] " " a[2]] = a[3]; next }
	    { key = $1 " " $2 }
	    key in p { n++; d = p[key] - $3; if (d > 1 || d < -1) { print key, p[key], $3; bad++ } }
	    END { print n " jobs, " bad + 0 " differ"; exit bad > 0 || n < 5 }' \
	    "$2.p" "$work/p.after" > "$work/difference" &&
		ok "$name priorities are what was predicted$1" ||
		not_ok "$name priorities are what was predicted$1" "they differ" "$work/difference"
	run "$FAIRTOP" policy slurm --format csv --columns name,value
	sed 1d < "$LIVE_TMP/out" | diff "$2.policy" - > "$work/difference" &&
		ok "$name parameters are what was written$1" ||
		not_ok "$name parameters are what was written$1" "they differ" "$work/difference"
}

# edited_jobs FILE: checks that edited jobs have the priority of FILE.p in squeue, including held
# ones and those with a direct priority, which sprio does not list
edited_jobs()
{
	local id want is
	for id in "$job" "$site" "$direct" "$held" "$moved" "$news" "$quality"; do
		want=$(awk -F, -v id="$id" '$1 == id { print $3 }' "$1.p")
		is=$(squeue -h -j "$id" -o %Q)
		[ $((want - is)) -le 1 ] && [ $((is - want)) -le 1 ] ||
			echo "job $id: predicted $want, is $is"
	done > "$work/difference"
	[ ! -s "$work/difference" ] && ok "$name the edited jobs have their priorities" ||
		not_ok "$name the edited jobs have their priorities" "they differ" \
		    "$work/difference"
}

# enact NAME EXPORT: applies it and waits until the figures follow
enact()
{
	if apply "$2"; then
		ok "$1"
	else
		not_ok "$1" "exit $?" "$work/applied" "$2"
	fi
	settle_again
}

reported "$work/f.start"
sprio_rows "$work/p.start"
scontrol -o show partition | sort > "$work/partitions.start"
expect_exit "$name export" 0 "$FAIRTOP" whatif slurm --what-if "$work/edits" --export slurm
cp "$LIVE_TMP/out" "$work/forward"
expect_exit "$name export of the inverse" 0 \
    "$FAIRTOP" whatif slurm --what-if "$work/edits" --export slurm --inverse
cp "$LIVE_TMP/out" "$work/inverse"
predict "$work/edits"

enact "$name the commands run" "$work/forward"
came_true "" "$work/edits"
edited_jobs "$work/edits"
scontrol -o show partition normal | grep -q ' PriorityJobFactor=77 ' &&
	scontrol -o show partition low | grep -q ' PriorityTier=2 ' &&
	scontrol -o show partition bill | grep -q ' TRESBillingWeights=CPU=2' &&
	ok "$name partitions are what was written" ||
	not_ok "$name partitions are what was written" "they are not"

enact "$name the inverse runs" "$work/inverse"
reported "$work/f.back"
same_factors "$name the inverse brings back F" "$work/f.back" "$work/f.start"
sprio_rows "$work/p.back"
# Age has grown: without its term each priority is the same, except for rounding.
awk 'NR == FNR { p[$1 " " $2] = $3 - $4; next }
    ($1 " " $2) in p { n++; d = p[$1 " " $2] - ($3 - $4)
	if (d > 2 || d < -2) { print $0, p[$1 " " $2]; bad++ } }
    END { print n " jobs, " bad + 0 " differ"; exit bad > 0 || n < 5 }' \
    "$work/p.start" "$work/p.back" > "$work/difference" &&
	ok "$name the inverse brings back priorities" ||
	not_ok "$name the inverse brings back priorities" "they differ" "$work/difference"
scontrol -o show partition | sort | diff "$work/partitions.start" - > "$work/difference" &&
	ok "$name the inverse brings back partitions" ||
	not_ok "$name the inverse brings back partitions" "they differ" "$work/difference"

# ---- what cannot be undone ---------------------------------------------------------------------

cat > "$work/last" <<-EDITS
	weight.age = 0
	parent:/physics/hep/cms:news = /physics/astro
	remove:/biology/proteomics:daemon = yes
	remove:/empty_dept = yes
	usage:/engineering/fem = 0
EDITS
expect_exit "$name export of what cannot be taken back" 0 \
    "$FAIRTOP" whatif slurm --what-if "$work/last" --export slurm
cp "$LIVE_TMP/out" "$work/forward"
predict "$work/last"
enact "$name the last commands run" "$work/forward"
came_true " at last" "$work/last"
[ "$(squeue -h -j "$news" -o %a)" = astro ] && ok "$name the job went with its user" ||
	not_ok "$name the job went with its user" "$(squeue -h -j "$news" -o %a)"
exit 0
