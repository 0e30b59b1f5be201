# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_sshare.sh CLUSTER - every row of `fairtop accounts slurm --format csv` equals sshare's row at
# sshare's precision (shares.awk says how), once with the helper and once with the commands
# only. The names in the tree are as hostile as sacctmgr lets them be.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"

# both: takes sshare's rows and fairtop's
both()
{
	sshare -a -l -P -m > "$LIVE_TMP/sshare.psv" 2> "$LIVE_TMP/sshare.err"
	run "$FAIRTOP" accounts slurm --format csv
}

# rows_equal TEST [AWK ARGS...]
rows_equal()
{
	local test=$1 rows
	shift
	between_passes "$name" both
	if [ ! -s "$LIVE_TMP/sshare.psv" ]; then
		not_ok "$test" "sshare failed" "$LIVE_TMP/sshare.err"
	elif [ "$code" -ne 0 ]; then
		not_ok "$test" "exit $code" "$LIVE_TMP/err"
	elif LC_ALL=C awk "$@" -f "$LIVE_HOME/shares.awk" "$LIVE_TMP/sshare.psv" \
	    "$LIVE_TMP/out" > "$LIVE_TMP/differences"; then
		rows=$(($(wc -l < "$LIVE_TMP/out") - 1))
		ok "$test ($rows rows)"
	else
		not_ok "$test" "$(wc -l < "$LIVE_TMP/differences") differences" \
		    "$LIVE_TMP/differences"
	fi
}

rows_equal "$name rows equal sshare's"
FAIRTOP_LIBEXEC=$LIVE_DIR/empty rows_equal "$name rows equal sshare's, by commands" -v rounded="$name"

# The comparison itself can fail: one digit of one row changed must be found.
awk -F'|' -v OFS='|' 'NR == 3 { $5 = $5 + 1e-6 } { print }' "$LIVE_TMP/sshare.psv" \
    > "$LIVE_TMP/changed.psv"
if LC_ALL=C awk -f "$LIVE_HOME/shares.awk" "$LIVE_TMP/changed.psv" "$LIVE_TMP/out" > /dev/null
then
	not_ok "$name comparison finds a changed digit" "it did not"
else
	ok "$name comparison finds a changed digit"
fi
exit 0
