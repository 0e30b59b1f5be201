# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_snapshot.sh CLUSTER - a snapshot holds what the live source reported: `fairtop verify` of the
# file passes, and `fairtop accounts` of the file prints the live rows, byte for byte.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"
file=$LIVE_DIR/$name.snapshot

# both: takes a snapshot and the live rows
both()
{
	run "$FAIRTOP" snapshot slurm
	cp "$LIVE_TMP/out" "$file"
	run "$FAIRTOP" accounts slurm --format csv
	cp "$LIVE_TMP/out" "$LIVE_TMP/live.csv"
}

expect_exit "$name snapshot" 0 "$FAIRTOP" snapshot slurm || exit 0
between_passes "$name" both
expect_exit "$name snapshot verifies" 0 "$FAIRTOP" verify "$file"

run "$FAIRTOP" accounts "$file" --format csv
if diff "$LIVE_TMP/live.csv" "$LIVE_TMP/out" > "$LIVE_TMP/differences" &&
    [ -s "$LIVE_TMP/out" ]; then
	ok "$name snapshot has the live rows"
else
	not_ok "$name snapshot has the live rows" "they differ" "$LIVE_TMP/differences"
fi

# half a snapshot is an error, not a smaller cluster
head -n 20 "$file" > "$file.cut"
expect_exit "$name cut snapshot is refused" 2 "$FAIRTOP" accounts "$file.cut"
exit 0
