# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_private.sh CLUSTER - PrivateData hides other people's associations and all accounts from a plain
# user. What he may not see is unknown, and fairtop gives the reason: it says if the tree cannot be
# rebuilt, makes nothing up, and prints a message to a user without any association. He sees only
# his own jobs, so there is no rank, start or partial sum, by helper or commands; an operator is
# shown all jobs, and root still sees everything.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
name=$1
cluster_select "$name"

# as_user USER COMMAND...
as_user()
{
	local user=$1
	shift
	run setpriv --reuid="$(id -u "$user")" --regid="$(id -g "$user")" --clear-groups \
	    env HOME=/ USER="$user" "$@"
}

as_user_expect()
{
	local test=$1 wanted=$2
	shift 2
	as_user "$@"
	case " $wanted " in
	*" $code "*) ok "$test" ;;
	*) not_ok "$test" "exit $code, expected $wanted" "$LIVE_TMP/err" "$LIVE_TMP/out" ;;
	esac
}

# Pending jobs of two users; those of other tests may be among them.
cluster_drain
for who in daemon:cms daemon:atlas_ana mail:cms mail:asm; do
	submit "${who%:*}" "${who#*:}" normal -n 3 -t 10 -- true
done > "$LIVE_TMP/ids"
sacctmgr -i -Q modify user mail set adminlevel=Operator > /dev/null

as_user_expect "$name plain user without PrivateData" 0 daemon "$FAIRTOP" accounts slurm --format csv
rows=$(wc -l < "$LIVE_TMP/out")

printf 'PrivateData=jobs,usage,accounts,users,reservations\n' >> "$SLURM_CONF"
cluster_reconfigure "$name"
wait_for 60 sh -c 'scontrol show config | grep -q "^PrivateData.*usage"' ||
	not_ok "$name PrivateData" "slurmctld did not take it"

as_user_expect "$name plain user with PrivateData" "0 3" daemon "$FAIRTOP" accounts slurm --format csv
if [ "$(grep -c . "$LIVE_TMP/out")" -lt "$rows" ] &&
    ! grep -q '^[^,]*:mail' "$LIVE_TMP/out"; then
	ok "$name plain user sees only his own"
else
	not_ok "$name plain user sees only his own" "more than that" "$LIVE_TMP/out"
fi
as_user daemon "$FAIRTOP" accounts slurm
if cat "$LIVE_TMP/out" "$LIVE_TMP/err" | grep -Eiq 'PrivateData|may not|not (be )?visible|hidden'; then
	ok "$name plain user is told why"
else
	not_ok "$name plain user is told why" "he is not" "$LIVE_TMP/err" "$LIVE_TMP/out"
fi
as_user_expect "$name plain user: nothing to verify" "3 4" daemon "$FAIRTOP" verify slurm
as_user_expect "$name user without association" "0 3" nobody "$FAIRTOP" accounts slurm
as_user_expect "$name user without association, by commands" "0 3" nobody \
    env FAIRTOP_LIBEXEC="$LIVE_DIR/empty" "$FAIRTOP" accounts slurm
expect_exit "$name root with PrivateData" 0 "$FAIRTOP" accounts slurm --format csv
if [ "$(wc -l < "$LIVE_TMP/out")" -eq "$rows" ]; then
	ok "$name root sees all rows"
else
	not_ok "$name root sees all rows" "$(wc -l < "$LIVE_TMP/out") lines, expected $rows"
fi

# ranks WAY USER: prints of how many users he is shown jobs, and how many jobs have a rank
ranks()
{
	as_user "$2" env FAIRTOP_LIBEXEC="$1" "$FAIRTOP" jobs slurm --format csv --columns user,rank
	awk -F, 'NR > 1 { users[$1]; ranked += $2 != "" }
		END { for (user in users) n++; print n + 0, ranked + 0 }' "$LIVE_TMP/out"
}

for way in "$FAIRTOP_LIBEXEC" "$LIVE_DIR/empty"; do
	how="$name ${way##*/}:"
	told=$(ranks "$way" daemon)
	if [ "$told" = "1 0" ] && grep -q 'PrivateData hides those of others' "$LIVE_TMP/err"; then
		ok "$how a plain user's jobs have no rank"
	else
		not_ok "$how a plain user's jobs have no rank" "users, ranks: $told" \
		    "$LIVE_TMP/out" "$LIVE_TMP/err"
	fi
	as_user daemon env FAIRTOP_LIBEXEC="$way" "$FAIRTOP" accounts slurm --format csv \
	    --columns path,pending
	if grep -q '/cms:daemon"*,[1-9]' "$LIVE_TMP/out" && ! grep -v ':daemon' "$LIVE_TMP/out" |
	    grep -q ',[0-9]'; then
		ok "$how no count but his own"
	else
		not_ok "$how no count but his own" "other ones" "$LIVE_TMP/out"
	fi
	for user in mail root; do
		read -r users ranked <<< "$(ranks "$way" "$user")"
		if [ "$users" -gt 1 ] && [ "$ranked" -ge 4 ] &&
		    ! grep -q 'PrivateData' "$LIVE_TMP/err"; then
			ok "$how $user is shown all jobs"
		else
			not_ok "$how $user is shown all jobs" "$users users, $ranked ranks" \
			    "$LIVE_TMP/out" "$LIVE_TMP/err"
		fi
	done
done
sacctmgr -i -Q modify user mail set adminlevel=None > /dev/null
# shellcheck disable=SC2046 # numbers
scancel $(cat "$LIVE_TMP/ids")
cluster_undrain

sed -i '/^PrivateData=/d' "$SLURM_CONF"
cluster_reconfigure "$name"
exit 0
