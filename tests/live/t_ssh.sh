# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_ssh.sh CLUSTER - ssh:HOST/SOURCE is the same cluster through fairtop on another host. The ssh
# here is a stand-in that runs the remote command line in a new shell, as sshd would, in a
# directory and environment that have nothing of this run but the PATH.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"
conf=$SLURM_CONF

mkdir -p "$LIVE_DIR/ssh"
cat > "$LIVE_DIR/ssh/ssh" <<-STUB
	#!/bin/bash
	# options, then a host, then words that the remote shell sees joined by spaces
	while [[ \$1 == -* ]]; do
		case \$1 in
		-o | -p | -l | -i | -F | -E) shift 2 ;;
		--) shift; break ;;
		*) shift ;;
		esac
	done
	printf '%s\n' "\$*" >> "$LIVE_DIR/ssh/asked"
	[ "\$1" = otherhost ] || { echo "ssh: Could not resolve hostname \$1" >&2; exit 255; }
	shift
	cd / && exec env -i PATH="$LIVE_DIR/bin:/usr/bin:/bin:/usr/sbin" HOME=/ \
	    FAIRTOP_LIBEXEC="$FAIRTOP_LIBEXEC" /bin/sh -c "\$*"
STUB
chmod 755 "$LIVE_DIR/ssh/ssh"

export PATH=$LIVE_DIR/ssh:$PATH
unset SLURM_CONF

# both: takes the local and the remote rows
both()
{
	run "$FAIRTOP" accounts "slurm:$conf" --format csv
	cp "$LIVE_TMP/out" "$LIVE_TMP/local.csv"
	run "$FAIRTOP" accounts "ssh:otherhost/slurm:$conf" --format csv
}

between_passes "$name" both
if [ "$code" -ne 0 ]; then
	not_ok "$name over ssh" "exit $code" "$LIVE_TMP/err"
elif cmp -s "$LIVE_TMP/out" "$LIVE_TMP/local.csv" && [ -s "$LIVE_TMP/out" ]; then
	ok "$name over ssh gives the local rows"
else
	diff "$LIVE_TMP/out" "$LIVE_TMP/local.csv" > "$LIVE_TMP/differences"
	not_ok "$name over ssh gives the local rows" "they differ" "$LIVE_TMP/differences"
fi
if grep -qs '^otherhost' "$LIVE_DIR/ssh/asked"; then
	ok "$name ssh was asked"
else
	not_ok "$name ssh was asked" "the stand-in was not run"
fi

expect_exit "ssh to a host that is not there" 3 "$FAIRTOP" accounts "ssh:nohost/slurm" --format csv
if grep -q 'Could not resolve hostname nohost' "$LIVE_TMP/err"; then
	ok "ssh's own complaint is shown"
else
	not_ok "ssh's own complaint is shown" "it is not" "$LIVE_TMP/err"
fi
exit 0
