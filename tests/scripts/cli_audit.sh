#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop audit`: the usage that an import computes from a generated log is exactly that of its
# jobs; each kind of planted error is found for the right user and with its own reason; what cannot
# be judged is refused. And a real slurmctld's usage follows from its sacct.

: "${fairtop:=./fairtop}" "${srcdir:?}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# 240 jobs of six users in three accounts; those of user0 and user3 in QOS high, of user4 in
# partition bill, which bills memory. Passes once a minute until an hour after the last job.
awk -v dir="$work" 'BEGIN {
	log_file = dir "/sacct"
	print "JobID|Cluster|Account|User|Partition|QOS|State|Submit|Start|End|AllocTRES" > log_file
	first = 1790000000
	for (k = 0; k < 240; k++) {
		user = k % 6
		cpus = 1 + (k * 31) % 16
		start = first + k * 700 + (k * 7919) % 613
		partition = user == 4 ? "bill" : "normal"
		billing = cpus + (user == 4 ? cpus * 1000 * 0.25 / 1024 : 0)
		printf "%d|lab|acct%d|user%d|%s|%s|COMPLETED|%d|%d|%d|billing=%d,cpu=%d,mem=%dM\n",
		    k + 1, int(user / 2), user, partition, k % 3 ? "normal" : "high",
		    start - 10, start, start + 60 + (k * 104729) % 9000, int(billing), cpus,
		    cpus * 1000 > log_file
	}
	for (t = first - 60; t < first + 241 * 700 + 13000; t += 60)
		print t > dir "/passes"
}'
{
	printf "Cluster - 'lab'\nParent - 'root'\n"
	for a in 0 1 2; do echo "Account - 'acct$a':Fairshare=1"; done
	for u in 0 1 2 3 4 5; do
		[ $((u % 2)) -eq 1 ] || echo "Parent - 'acct$((u / 2))'"
		echo "User - 'user$u':DefaultAccount='acct$((u / 2))':Fairshare=1"
	done
} > "$work/tree"
printf 'Name|Priority|UsageFactor\nnormal|0|1.0\nhigh|10|2.0\n' > "$work/qos"
printf 'PartitionName=normal\n\nPartitionName=bill TRESBillingWeights=CPU=1.0,Mem=0.25G\n' \
	> "$work/partitions"

# held LOG: writes a snapshot of a scheduler that has run the jobs of LOG
held()
{
	rm -f "$work/recording"
	"$fairtop" import sacct "$1" --tree "$work/tree" --qos "$work/qos" --half-life 1-0 \
		--partitions "$work/partitions" --period 60 --passes "$work/passes" \
		-o "$work/recording" > "$work/out" 2>&1 || cat "$work/out"
	"$fairtop" snapshot "$work/recording" 2> "$work/err" | awk '
		/"job":/ && !/"end"/ { next }
		/^{"assoc"/ && !done++ {
			print "{\"partition\":{\"name\":\"normal\"}}"
			print "{\"partition\":{\"name\":\"bill\"," \
			    "\"billing_weights\":\"CPU=1.0,Mem=0.25G\"}}"
		}
		/^{"end"/ {
			sub(/"job":[0-9]*/, "\"job\":0")
			sub(/"end":{/, "&\"partition\":2,")
		}
		{ print }' > "$work/held"
}

# audit LOG: writes the audit to out, sets code to its status
audit()
{
	"$fairtop" audit "$work/held" --sacct "$1" --passes "$work/passes" --format csv \
		> "$work/out" 2> "$work/err"
	code=$?
}

# told CODE PATH=REASON...: prints a problem unless exactly these users differ, with these reasons
told()
{
	want=$1
	shift
	awk -F, '$1 ~ /:/ && $6 != "" { sub(/ about 20.*/, "", $6); print $1 "=" $6 }' "$work/out" |
		sort > "$work/have"
	printf '%s\n' "$@" | sed '/^$/d' | sort > "$work/want"
	[ "$code" -eq "$want" ] || printf 'exit %s, not %s; ' "$code" "$want"
	diff "$work/want" "$work/have" || cat "$work/err"
}

held "$work/sacct"
audit "$work/sacct"
verdict "a log that explains everything" "$(told 0 '')"
verdict "exactly" "$(awk -F, 'NR > 1 && ($4 > 1e-6 * $3 || -$4 > 1e-6 * $3) { print }
	NR > 1 && $3 > 1e5 { used++ } END { if (used != 10) print used " with usage" }' "$work/out")"
verdict "a recording, by its own jobs" "$("$fairtop" audit "$work/recording" --format csv \
	> "$work/out" 2> "$work/err" || cat "$work/err"; awk -F, 'NR > 1 && $6 != ""' "$work/out")"

grep -v '^\(234\|228\)|' "$work/sacct" > "$work/log"
audit "$work/log"
verdict "jobs missing from the log" "$(told 1 \
	'/acct2:user5=job missing from the log: more than its jobs add up to')"
verdict "the account has the reason of its user" "$(awk -F, '$1 == "/acct2" {
	if ($6 !~ /^job missing/) print }' "$work/out")"

sed -i.bak 's/"usage_factor":2/"usage_factor":1/' "$work/held"
audit "$work/sacct"
factor='UsageFactor: that of QOS high was about 2; now it is 1'
verdict "another UsageFactor" "$(told 1 "/acct0:user0=$factor" "/acct1:user3=$factor")"

held "$work/sacct"
sed -i.bak 's/Mem=0.25G/Mem=4G/' "$work/held"
audit "$work/sacct"
verdict "changed weights" "$(told 1 \
	'/acct2:user4=changed weights: its jobs were billed with others than now')"

# Moved: the account keeps the usage, the user starts at 0 elsewhere. Then: removed and added.
held "$work/sacct"
cp "$work/held" "$work/plain"
verdict "no difference has no sign" "$("$fairtop" audit "$work/held" --sacct "$work/sacct" \
	--passes "$work/passes" 2> "$work/err" | grep ' -0 ')"
usage3=$(sed -n 's/.*"user":"user3".*"usage":\([0-9.]*\).*/\1/p' "$work/plain")
parent() { sed -n "s/.*\"id\":\([0-9]*\),.*\"account\":\"$1\",\"shares\".*/\1/p" "$work/plain"; }
sed "/\"user\":\"user3\"/{s/\"parent\":[0-9]*/\"parent\":$(parent acct0)/;s/acct1/acct0/
	s/\"usage\":[0-9.]*/\"usage\":0/}" "$work/plain" > "$work/held"
audit "$work/sacct"
verdict "a moved user" "$(told 0 '/acct1:user3=moved user: now in account acct0')"
# A user who was always in both accounts and is removed from one has not moved.
sed 's/^24|lab|acct2|user5|/24|lab|acct0|user5|/' "$work/sacct" > "$work/log"
audit "$work/log"
verdict "a user of two accounts" "$(awk -F, '$1 == "/acct0:user5" && $6 !~ /^removed: / ||
	/moved user.*acct2/ { print }' "$work/out"; grep -q '^/acct0:user5' "$work/out" || cat "$work/out")"
audit "$work/sacct"
verdict "its usage is unknown where it is not" "$(awk -F, '$1 == "/acct1:user3" {
	if ($2 < 1e5 || $3 != "" || $4 != "") print }' "$work/out"; [ "${usage3%.*}" -gt 100000 ] ||
	echo "user3 has no usage")"
sed '/"user":"user3"/s/"usage":[0-9.]*/"usage":0/' "$work/plain" > "$work/held"
audit "$work/sacct"
verdict "a user added anew" "$(told 1 '/acct1:user3=moved user: removed and added again; its account kept the usage')"
# The account's usage is of the removed user; the user without usage, also above, was set to 0.
awk 'function usage(line) { sub(/.*"usage":/, "", line); return line + 0 }
	NR == FNR { if (/"user":"user2"/) zeroed = usage($0); next }
	/"user":"user3"/ { next }
	/"user":"user2"/ || /"account":"root"/ || /"account":"acct1","shares"/ {
		sub(/"usage":.*/, sprintf("\"usage\":%.6f}}", usage($0) - zeroed))
	}
	{ sub(/"assoc":10/, "\"assoc\":9"); print }' "$work/plain" "$work/plain" > "$work/held"
audit "$work/sacct"
verdict "an edit beside a removed user" "$(told 1 \
	'/acct1:user2=edit of RawUsage: as if set to 0' \
	'/acct1:user3=removed: the association no longer exists')"

# Set to 0 at a pass, for one user and for all: charges until then no longer count.
zero() # at TIME WHO: the log of what counts after
{
	awk -F'|' -v OFS='|' -v at="$1" -v who="$2" '
		NR > 1 && $4 ~ who && $10 <= at { next }
		NR > 1 && $4 ~ who && $9 < at { $9 = at }
		{ print }' "$work/sacct" > "$work/log"
	held "$work/log"
}
zero 1790120000 '^user2$'
audit "$work/sacct"
verdict "an edit of RawUsage" "$(told 1 '/acct1:user2=edit of RawUsage: as if set to 0')"
zero 1790120000 .
audit "$work/sacct"
verdict "a reset" "$(told 1 /acct0:user0=reset /acct0:user1=reset /acct1:user2=reset \
	/acct1:user3=reset /acct2:user4=reset /acct2:user5=reset)"

# Without the times of the passes their phase is different: equal within the error of that.
held "$work/sacct"
verdict "passes that are not known" "$("$fairtop" audit "$work/held" --sacct "$work/sacct" \
	--format json --tolerance 0 > "$work/out" 2> "$work/err" || echo "exit $?"
	grep -o '"verdict":"[a-z]*"' "$work/out" | grep -v equal; grep -v 'passes\|log counts\|nice value' \
		"$work/err")"

# Cases that cannot be judged.
refused() # CODE MESSAGE ARGUMENTS: it says so
{
	code=$1 message=$2
	shift 2
	"$fairtop" audit "$@" > "$work/out" 2> "$work/err"
	status=$?
	verdict "refused: $message" "$([ "$status" -eq "$code" ] || echo "exit $status"
		grep -q "$message" "$work/err" || cat "$work/err")"
}
refused 3 'does not report which jobs ran' "$work/held"
refused 3 'not charged by Slurm' "pbs:$srcdir/tests/data/pbs/01_main" --sacct "$work/sacct"
refused 2 'no header line' "$work/held" --sacct "$work/tree"
refused 2 'not a part' "$work/held" --tolerance half
sed 's/"PriorityDecayHalfLife":[0-9]*,//' "$work/held" > "$work/other"
refused 3 'PriorityDecayHalfLife' "$work/other" --sacct "$work/sacct"
sed 's/"PriorityCalcPeriod":60/"PriorityCalcPeriod":0/' "$work/held" > "$work/other"
refused 3 'PriorityCalcPeriod' "$work/other" --sacct "$work/sacct"
sed 's/,"usage":[0-9.]*//' "$work/held" > "$work/other"
refused 3 'no usage' "$work/other" --sacct "$work/sacct"

# Also of a recording: no pass is known, or what a job was billed is unknown.
for case in 'PriorityCalcPeriod:billing:0' 'billing of 1 job:cpus:300'; do
	IFS=: read -r message key period <<-END
	$case
	END
	cat > "$work/other" <<-END
	{"fairtop-snapshot":1,"kind":"slurm","cluster":"lab","time":1790003600,"policy":{"PriorityFlags":[],"PriorityDecayHalfLife":86400,"PriorityCalcPeriod":$period}}
	{"assoc":{"id":1,"parent":null,"account":"root","shares":1,"usage":14300}}
	{"assoc":{"id":2,"parent":1,"account":"a","shares":1,"usage":14300}}
	{"assoc":{"id":4,"parent":2,"account":"a","user":"u","shares":1,"usage":14300}}
	{"job":{"id":60,"user":"u","account":"a","assoc":4,"state":"COMPLETED","$key":4,"submit":1789999000,"start":1789999990,"end":1790003590}}
	{"end":{"assoc":3,"job":1}}
	END
	sed 's/"time":1790003600/"time":1789999995/; s/:14300/:0/; s/COMPLETED/RUNNING/
		s/,"end":1790003590//' "$work/other" > "$work/before"
	rm -f "$work/recording"
	for sample in before other; do
		"$fairtop" record "$work/$sample" -o "$work/recording" --count 1 \
			> "$work/out" 2>&1 || cat "$work/out"
	done
	refused 3 "$message" "$work/recording"
done

# A real slurmctld 22.05.8, idle: each association has the usage of its jobs in sacct, which printed
# times in UTC.
export TZ=UTC
for kind in depthobl nofairtree fairtree; do
	dir=${FAIRTOP_SHARED:-}/captures/slurm/$kind/quiet
	[ -d "$dir" ] || continue
	verdict "usage of a real slurmctld, $kind" "$("$fairtop" audit "slurm:$dir" --sacct \
		"$dir/sacct_X_all.psv" --tolerance 1e-5 --format csv > "$work/out" 2> "$work/err" ||
		cat "$work/out"; awk -F, 'NR > 1 && $3 > 1000 { n++ }
		NR > 1 && ($4 > 2 + 2e-5 * $3 || -$4 > 2 + 2e-5 * $3) { print }
		END { if (n < 20) print n " with usage" }' "$work/out")"
done
exit "$failed"
