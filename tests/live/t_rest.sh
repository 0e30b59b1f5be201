# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_rest.sh CLUSTER - the cluster through its slurmrestd, on a unix socket and on TCP with a token.
# Since 23.11: every row equals sshare's with all its digits, verify says equal, a snapshot and a
# recording of it too. Before: the tree and its shares are sacctmgr's, usage and F are unknown with
# the reason. In any case jobs have squeue's priorities and states. A refused token is reported in
# one line, and no token is printed, recorded or visible in a command line.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"
port=$(($(cluster_port "$name") + 15))
local_socket=$LIVE_TMP/local.socket
token_socket=$LIVE_TMP/token.socket
pids=()

# restd AUTH ADDRESS...: starts slurmrestd, which refuses to run as root or as SlurmUser
restd()
{
	setpriv --reuid=nobody --regid=nogroup --clear-groups \
	    slurmrestd -a "rest_auth/$1" "${@:2}" > "$LIVE_TMP/slurmrestd.$1" 2>&1 &
	pids+=($!)
}

end_restd() { kill "${pids[@]}" 2>/dev/null; }

both()
{
	sshare -a -l -P -m > "$LIVE_TMP/sshare.psv" 2> "$LIVE_TMP/sshare.err"
	run "$FAIRTOP" accounts "$source" --format csv
}

# rows_equal TEST: every row as sshare has it
rows_equal()
{
	between_passes "$name" both
	if [ "$code" -eq 0 ] && LC_ALL=C awk -f "$LIVE_HOME/shares.awk" "$LIVE_TMP/sshare.psv" \
	    "$LIVE_TMP/out" > "$LIVE_TMP/differences"; then
		ok "$1 ($(($(wc -l < "$LIVE_TMP/out") - 1)) rows)"
	else
		not_ok "$1" "exit $code, or they differ" "$LIVE_TMP/err" "$LIVE_TMP/differences"
	fi
}

# columns FILE TITLE...: prints these columns of all rows that have no quoted cell
columns()
{
	awk -F, -v want="${*:2}" '/"/ { next } NR == 1 { n = split(want, w, " ")
	    for (i = 1; i <= NF; i++) at[$i] = i; next }
	    { line = ""; for (i = 1; i <= n; i++) line = line "|" $at[w[i]]; print line }' "$1" |
		sort
}

# tree_equal TEST: the accounts and users of sshare with their shares, without usage and F; except
# that outside Fair Tree F is 0 without shares, whatever the usage
tree_equal()
{
	both
	LC_ALL=C awk -f "$LIVE_HOME/shares.awk" "$LIVE_TMP/sshare.psv" "$LIVE_TMP/out" |
		grep -E 'RawShares|missing|not in|twice|header' > "$LIVE_TMP/differences"
	columns "$LIVE_TMP/out" path usage effective_usage fairshare |
		grep -v -e '|||$' -e '|||0$' -e '^|/|' >> "$LIVE_TMP/differences"
	if [ "$code" -eq 0 ] && [ ! -s "$LIVE_TMP/differences" ] &&
	    grep -q 'shares: .*usage and F are unknown' "$LIVE_TMP/err"; then
		ok "$1 ($(($(wc -l < "$LIVE_TMP/out") - 1)) rows)"
	else
		not_ok "$1" "exit $code, or they differ" "$LIVE_TMP/err" "$LIVE_TMP/differences"
	fi
}

listings()
{
	local tick
	tick=$(cluster_tick "$name")
	squeue -h -a -r -t PD -o '%P|%A|%T|%Q' |
		awk -F'|' '{ print "|" $2 "|" $3 "|" ($1 ~ /,/ ? "" : $4) }' |
		sort -u > "$LIVE_TMP/squeue" &&
	    run "$FAIRTOP" jobs "$source" --format csv &&
	    [ "$tick" = "$(cluster_tick "$name")" ]
}

# jobs_equal TEST: for several partitions slurmrestd reports one priority, not saying whose: unknown
jobs_equal()
{
	wait_for 60 listings
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	    NR == 1 || $at["state"] == "PENDING"' "$LIVE_TMP/out" > "$LIVE_TMP/pending"
	columns "$LIVE_TMP/pending" id state priority | sort -u > "$LIVE_TMP/ours"
	if [ "$code" -eq 0 ] && [ -s "$LIVE_TMP/squeue" ] &&
	    ! comm -23 "$LIVE_TMP/squeue" "$LIVE_TMP/ours" | grep . > "$LIVE_TMP/differences"
	then
		ok "$1 ($(wc -l < "$LIVE_TMP/squeue") jobs)"
	else
		not_ok "$1" "exit $code, or they differ" "$LIVE_TMP/err" "$LIVE_TMP/differences" \
		    "$LIVE_TMP/ours"
	fi
}

# complains TEST PATTERN SOURCE: exit 3 and one line that says so, without the token
complains()
{
	expect_exit "$1: exit 3" 3 "$FAIRTOP" accounts "$3" || return
	if [ "$(wc -l < "$LIVE_TMP/err")" -eq 1 ] && grep -q "$2" "$LIVE_TMP/err" &&
	    ! grep -qF "$SLURM_JWT" "$LIVE_TMP/err" "$LIVE_TMP/out"; then
		ok "$1"
	else
		not_ok "$1" "it does not say so in one line" "$LIVE_TMP/err"
	fi
}

with_shares()
{
	rows_equal "$name rows equal sshare's, by slurmrestd"
	expect_exit "$name verify by slurmrestd" 0 "$FAIRTOP" verify "$source"
	(unset SLURM_CONF; run "$FAIRTOP" verify "$source"
	case $name$code in
	fairtree0 | classic4 | depthobl4) ok "$name verify by slurmrestd, without slurm.conf" ;;
	*) not_ok "$name verify by slurmrestd, without slurm.conf" "exit $code" \
	    "$LIVE_TMP/out" "$LIVE_TMP/err" ;;
	esac)
	expect_exit "$name snapshot by slurmrestd" 0 "$FAIRTOP" snapshot "$source"
	cp "$LIVE_TMP/out" "$LIVE_TMP/file.snapshot"
	expect_exit "$name snapshot by slurmrestd verifies" 0 \
	    "$FAIRTOP" verify "$LIVE_TMP/file.snapshot"
}

# recorded TEST: records a sample, which must not contain the token
recorded()
{
	expect_exit "$1" 0 "$FAIRTOP" record "$source" -o "$LIVE_TMP/file.ftr" --count 1 || return
	if "$FAIRTOP" accounts "$LIVE_TMP/file.ftr" > /dev/null 2>&1 &&
	    ! grep -qaF "$SLURM_JWT" "$LIVE_TMP/file.ftr"; then
		ok "$1: it is read, and without the token"
	else
		not_ok "$1: it is read, and without the token" "it is not"
	fi
}

# While the screen waits for a silent server, no command line may show the token.
hidden()
{
	kill -STOP "${pids[1]}"
	"$FAIRTOP" "$source" --render 120x24 > /dev/null 2>&1 &
	sleep 1
	if grep -qsF "$SLURM_JWT" /proc/[0-9]*/cmdline; then
		not_ok "$1" "it is there"
	else
		ok "$1"
	fi
	kill -CONT "${pids[1]}"
	wait $!
}

by_token()
{
	SLURM_JWT=daemon restd jwt "unix:$token_socket" "127.0.0.1:$port"
	wait_for 30 test -S "$token_socket" || not_ok "$name slurmrestd with tokens" "no socket" \
	    "$LIVE_TMP/slurmrestd.jwt"
	unset SLURM_JWT
	complains "$name no token" 'SLURM_JWT holds none' "slurm:http+unix:$token_socket" 2>&1 |
		sed 's/^/    /' > "$LIVE_TMP/none"
	SLURM_JWT=$(scontrol token lifespan=3600 | sed 's/^SLURM_JWT=//')
	export SLURM_JWT
	source=slurm:http://127.0.0.1:$port
	jobs_equal "$name jobs by slurmrestd, on TCP with a token"
	recorded "$name recording by slurmrestd"
	hidden "$name no command line shows the token"
	SLURM_JWT=x$SLURM_JWT complains "$name a wrong token" 'token in SLURM_JWT is refused' \
	    "slurm:http+unix:$token_socket"
	complains "$name TLS where there is none" 'slurmrestd: ' "slurm:https://127.0.0.1:$port"
}

command -v slurmrestd > /dev/null || { not_ok "$name slurmrestd" "it is not installed"; exit 0; }
trap end_restd EXIT
chmod 777 "$LIVE_TMP"
restd local "unix:$local_socket"
wait_for 30 test -S "$local_socket" || { not_ok "$name slurmrestd" "no socket" \
    "$LIVE_TMP/slurmrestd.local"; exit 0; }
source=slurm:http+unix:$local_socket
if [ "$LIVE_RELEASE" -ge 2311 ]; then
	with_shares
else
	tree_equal "$name tree by slurmrestd"
fi
jobs_equal "$name jobs by slurmrestd"
run "$FAIRTOP" "$source" --render 120x24
if grep -q "$name" "$LIVE_TMP/out"; then
	ok "$name the screen by slurmrestd"
else
	not_ok "$name the screen by slurmrestd" "it does not name the cluster" "$LIVE_TMP/out" \
	    "$LIVE_TMP/err"
fi
by_token
exit 0
