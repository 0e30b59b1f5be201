#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The shipped units: systemd knows all their settings and rates them as protected (exposure at most
# 2.5 of 10), and recordings are readable for a group.

: "${srcdir:?}"
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
units=$srcdir/packaging/systemd

# verdict WHAT PROBLEM: ok if there is none
verdict()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		failed=1
		echo "not ok $1: $2"
	fi
}

pbs=$units/fairtop-record@pbs.service record=$units/fairtop-record@.service
# has FILE LINE...: prints the lines that are missing
has()
{
	file=$1
	shift
	for setting; do
		grep -q -x -e "$setting" "$file" || echo "$setting"
	done
}

# For another user any filter of system calls implies NoNewPrivileges=, which breaks pbs_iff.
verdict "PBS is recorded as root, with one capability" "$(has "$pbs" User=root \
	CapabilityBoundingSet=CAP_NET_BIND_SERVICE StateDirectory=fairtop-pbs; grep PrivateUsers "$pbs")"
verdict "the unit of all others has no privileges" "$(has "$record" NoNewPrivileges=yes \
	User=fairtop PrivateUsers=yes CapabilityBoundingSet=; grep ^DynamicUser "$record")"
verdict "its user is made" "$(grep -q '^u fairtop ' "$units/fairtop.conf" || echo none)"
for unit in "$pbs" "$record"; do
	verdict "${unit##*/}: a group may read" "$(has "$unit" Group=fairtop UMask=0027 \
		StateDirectoryMode=0750)"
done
if ! command -v systemd-analyze > /dev/null; then
	echo "skipped: there is no systemd-analyze"
	exit $failed
fi
for unit in "$units"/*.service; do
	name=${unit##*/}
	sed "s|@bindir@|/bin|; s|/bin/fairtop|/bin/true|" "$unit" > "$work/$name"
	verdict "$name: exposure" "$(systemd-analyze security --offline=true --threshold=25 \
		--no-pager "$work/$name" > "$work/out" 2>&1 || tail -n 1 "$work/out")"
	verdict "$name: nothing unknown" "$(grep -i -E 'unknown|failed to parse|ignoring' "$work/out")"
done
for unit in "$units"/*.timer; do
	name=${unit##*/}
	cp "$unit" "$work"
	verdict "$name: nothing unknown" "$(systemd-analyze verify --man=no "$work/$name" 2>&1 |
		grep -i -E 'unknown|failed to parse|ignoring')"
done
exit $failed
