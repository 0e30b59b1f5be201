#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The units that are shipped: systemd knows what stands in them and finds them closed (exposure at
# most 2.5 of 10; of the one for PBS, which has to let a setuid program work, 6.5).

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

pbs=$units/fairtop-record@pbs.service
# All but the first two are filters of system calls (systemd.exec(5), NoNewPrivileges=).
verdict "PBS's unit allows new privileges" "$(grep -E '^(DynamicUser|PrivateUsers|'"\
"'NoNewPrivileges|SystemCall[A-Za-z]*|LockPersonality|MemoryDenyWriteExecute|PrivateDevices|'"\
"'Protect(Clock|Hostname|Kernel[A-Za-z]*)|Restrict[A-Za-z]*)=' "$pbs")"
verdict "PBS's unit has a user of its own" "$(grep -q '^User=fairtop$' "$pbs" || echo none)"
verdict "the unit of all others has no privileges" "$(for setting in NoNewPrivileges=yes \
	DynamicUser=yes PrivateUsers=yes CapabilityBoundingSet=; do
	grep -q -x "$setting" "$units/fairtop-record@.service" || echo "$setting"; done)"
if ! command -v systemd-analyze > /dev/null; then
	echo "skipped: there is no systemd-analyze"
	exit $failed
fi
for unit in "$units"/*.service; do
	name=${unit##*/}
	sed "s|@bindir@|/bin|; s|/bin/fairtop|/bin/true|" "$unit" > "$work/$name"
	most=25
	[ "$unit" != "$pbs" ] || most=65
	verdict "$name: exposure" "$(systemd-analyze security --offline=true --threshold=$most \
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
