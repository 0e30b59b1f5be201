# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# scale.sh - shared by the benches against a live Slurm: a cluster called scale with thousands of
# associations, and the clock. Needs lib.sh, site.sh, cluster.sh and populate.sh; the bench sets
# LIVE_CLUSTERS=scale.

# scale_tree N: sacctmgr's load file: 20 accounts x 5 x 5, N users spread over the leaves. The
# first dozen are real users, who can run jobs.
scale_tree()
{
	awk -v n="$1" '
	function shares(list,    a, count) {
		count = split(list, a, " ")
		return a[1 + int(rand() * count)]
	}
	function account(name, value) {
		printf "Account - \047%s\047:Description=\047x\047:Organization=\047x\047" \
		    ":Fairshare=%s\n", name, value
	}
	BEGIN {
		srand(5)
		print "Cluster - \047scale\047:Fairshare=1"
		print "Parent - \047root\047"
		print "User - \047root\047:DefaultAccount=\047root\047:AdminLevel=" \
		    "\047Administrator\047:Fairshare=1"
		for (t = 0; t < 20; t++)
			account(sprintf("t%02d", t), 1 + int(rand() * 100))
		for (t = 0; t < 20; t++) {
			printf "Parent - \047t%02d\047\n", t
			for (m = 0; m < 5; m++)
				account(sprintf("t%02dm%d", t, m), 1 + int(rand() * 100))
		}
		for (t = 0; t < 20; t++)
			for (m = 0; m < 5; m++) {
				printf "Parent - \047t%02dm%d\047\n", t, m
				for (l = 0; l < 5; l++)
					account(sprintf("t%02dm%dl%d", t, m, l), \
					    shares("1 1 5 parent 40"))
			}
		real = split("daemon bin sys games man lp mail news uucp proxy backup irc", name, " ")
		for (leaf = 0; leaf < 500; leaf++) {
			account_name = sprintf("t%02dm%dl%d", int(leaf / 25), int(leaf / 5) % 5, leaf % 5)
			printf "Parent - \047%s\047\n", account_name
			for (u = leaf; u < n; u += 500) {
				i = (u % 7919) % (n / 4)
				user = u < 1000 ? name[1 + u % real] : sprintf("z%05d", u * 7 % (n / 4))
				if ((user, leaf) in seen)
					user = sprintf("y%05d", u)
				seen[user, leaf] = 1
				printf "User - \047%s\047:DefaultAccount=\047%s\047:Fairshare=%s\n", \
				    user, account_name, shares("1 1 1 7 0 parent")
			}
		}
	}'
}

# scale_usage: runs jobs of the real users, so that a good part of the tree has usage
scale_usage()
{
	sacctmgr -nP show assoc cluster=scale format=user,account |
	    awk -F'|' '$1 ~ /^(daemon|bin|sys|games|man|lp|mail|news|uucp|proxy|backup|irc)$/ &&
	    NR % 5 == 0 { print $1, $2, 1 + n++ % 13 }' | head -n 150 |
	while read -r user account cpus; do
		submit "$user" "$account" normal -n "$cpus" -t 5 --mem-per-cpu=10 -- \
		    "exec sleep 2" > /dev/null < /dev/null
	done
	wait_for 180 nothing_waits
	wait_for 180 cluster_idle
}

# scale_up N: makes a cluster with N user associations and nothing running
scale_up()
{
	site_up
	cluster_files scale
	cluster_select scale
	cluster_register scale
	populate_qos
	scale_tree "$1" > "$LIVE_DIR/scale.load"
	say "loading $1 associations"
	sacctmgr -i load file="$LIVE_DIR/scale.load" > "$LIVE_DIR/log/load" 2>&1 ||
		die "sacctmgr load: $(tail -n 1 "$LIVE_DIR/log/load")"
	cluster_up scale
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# timed FILE COMMAND...: runs it and appends its time in microseconds to FILE
timed()
{
	local file=$1 start end
	shift
	start=${EPOCHREALTIME/./}
	"$@" > "$LIVE_DIR/out" 2> "$LIVE_DIR/err" < /dev/null ||
		die "$1 $2: $(tail -n 1 "$LIVE_DIR/err")"
	end=${EPOCHREALTIME/./}
	echo $((end - start)) >> "$file"
}
