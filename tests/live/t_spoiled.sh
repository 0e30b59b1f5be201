# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_spoiled.sh CLUSTER - slurmctld's replies are damaged: none, half of one, one that stops in
# the middle, other bytes, an insane length. A proxy between libslurm and slurmctld does it
# (tests/mock/cut_proxy.c) while the screen runs. And slurm.conf is deleted meanwhile.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/screen.sh"
. "$LIVE_HOME/hazard.sh"
name=$1
cluster_select "$name"
dir=$LIVE_DIR/$name/spoiled
conf=$dir/slurm.conf
mkdir -p "$dir"

[ -x "${CUT_PROXY:-}" ] || {
	not_ok "$name spoiled replies" "no program tests/mock/cut_proxy in the build directory"
	exit 0
}
target=$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF")
port=$((target + 15))
sed "s/^SlurmctldPort=.*/SlurmctldPort=$port/" "$SLURM_CONF" > "$conf"

# spoil HOW: damages replies in this way, from the next one on
spoil() { printf '%s\n' "$1" > "$dir/how.new" && mv "$dir/how.new" "$dir/how"; }

spoil well
"$CUT_PROXY" "$port" "$target" "$dir/how" 2> "$dir/proxy.err" &
proxy=$!
trap 'kill "$proxy" 2> /dev/null' EXIT
export SLURM_CONF=$conf
wait_for 60 cluster_answers || {
	not_ok "$name through a proxy" "slurmctld does not answer" "$dir/proxy.err"
	exit 0
}

for how in close half stall garbage length; do
	spoil "$how"
	expect_exit "$name replies spoiled ($how): exit 3" 3 \
	    "$FAIRTOP" accounts slurm --format csv
	if grep -q '^fairtop: .*slurm' "$LIVE_TMP/err" && [ ! -s "$LIVE_TMP/out" ]; then
		ok "$name replies spoiled ($how): says so"
	else
		not_ok "$name replies spoiled ($how): says so" "no message, or output beside it" \
		    "$LIVE_TMP/err" "$LIVE_TMP/out"
	fi
done
spoil well

hazard_open "$name" "$conf" || exit 0
for how in half stall; do
	spoil "$how"
	screen_keys watch r
	hazard_holds "$name replies spoiled ($how)" 120
	spoil well
	hazard_over "$name replies whole again after $how" 120
done

spoil close
start=$SECONDS
hazard_holds "$name no replies" 120
hazard_lasts "$start"
spoil well
hazard_healed "$name the proxy is well again"

# libslurm has already read it, so nothing may happen
rm -f "$conf"
screen_keys watch r
hazard_steady "$name slurm.conf removed"
hazard_close "$name"
exit 0
