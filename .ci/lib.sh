# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# lib.sh - shared by .ci/run and .ci/full: runs steps one after the other, each with a title, a log,
# a verdict and its times; ends with a table, and "N passed, N failed" as the last line.
#
# Sourced by a script that has set
#   work    a directory of its own, which is kept
#   tree    the source to test: builds are configured from there
#   limit   seconds: then the running step is stopped, and no other step begins
# and that defines step_NAME() for each NAME of its table title(). A step passes if its status is 0.
# A command that could not test anything prints a line "not tried: why" and succeeds.

: "${work:?}" "${tree:?}" "${limit:?}"
logs=$work/logs
jobs=$(($(getconf _NPROCESSORS_ONLN) + 1))	# tests wait, too
export DEBIAN_FRONTEND=noninteractive
unset MAKEFLAGS MFLAGS MAKELEVEL
exec < /dev/null
mkdir -p "$logs" && rm -f "$logs"/* && touch "$logs/begin" || exit 2

# Temporary files are in memory, if possible.
TMPDIR=$(sh tests/tools/scratch)
export TMPDIR

# left: seconds until the limit
left()
{
	echo $((limit > SECONDS ? limit - SECONDS : 1))
}

# in_time COMMAND...: stops it when the time is up
in_time()
{
	timeout -k 30 "$(left)" "$@"
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

# build NAME MAKE-TARGET CONFIGURE-ARGUMENT...: configures in the directory NAME, once per run, and
# makes MAKE-TARGET
build()
{
	local name=$1 target=$2
	shift 2
	mkdir -p "$work/$name"
	if ! [ "$work/$name/config.status" -nt "$logs/begin" ]; then
		(cd "$work/$name" && "$tree/configure" -q "$@" > configure.out 2>&1) ||
			{ cat "$work/$name/configure.out"; return 1; }
	fi
	in_build "$name" "$target"
}

# in_build NAME MAKE-ARGUMENT...
in_build()
{
	local name=$1
	shift
	in_time make -C "$work/$name" --no-print-directory -j "$jobs" -k "$@"
}

# make_locale: a German locale, whose numbers look different, for somewhere_else
make_locale()
{
	mkdir -p "$work/locale" && localedef -c -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8"
}

# somewhere_else COMMAND...: runs it so that tests see another day, hour, time zone and locale
somewhere_else()
{
	TEST_CLOCK='400 days 677 minutes' TEST_TZ=Australia/Lord_Howe TEST_LANG=de_DE.UTF-8 \
		LOCPATH=$work/locale "$@"
}

# install_packages PACKAGE...: installs those that are missing; meanwhile a policy keeps their
# daemons from starting
install_packages()
{
	local policy=/usr/sbin/policy-rc.d made='' status missing=() package
	local apt=(timeout -k 30 "$(left)" apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120
		-o DPkg::Options::=--force-unsafe-io)
	for package; do
		dpkg-query -W -f='${db:Status-Status}\n' "$package" 2> /dev/null |
			grep -q -x installed || missing+=("$package")
	done
	if [ ${#missing[@]} -eq 0 ]; then
		echo "all are installed"
		return 0
	fi
	echo "installing ${missing[*]}"
	if [ ! -e $policy ]; then
		made=yes
		printf '#!/bin/sh\nexit 101\n' | as_root tee $policy > /dev/null &&
			as_root chmod 755 $policy || return 1
	fi
	# Not an error yet: an archive other than Debian's may not answer.
	as_root "${apt[@]}" update > "$logs/apt.log" 2>&1
	as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" \
		>> "$logs/apt.log" 2>&1
	status=$?
	[ -z "$made" ] || as_root rm -f $policy
	[ $status -eq 0 ] || tail -n 20 "$logs/apt.log"
	return $status
}

# --- steps and their table -----------------------------------------------------------------

# skips STEP: prints the tests that its log calls skipped, one per line: STEP TEST NUMBER
skips()
{
	awk -v step="$1" '$1 == "skip" { sub(/:$/, "", $2); print step, $2, 1 }
		$1 == "ok" && $6 == "skipped" { sub(/:$/, "", $2); print step, $2, $5 }' "$logs/$1.log"
}

# run_step STEP: runs it and writes its line of the table
run_step()
{
	local step=$1 log=$logs/$1.log start=$SECONDS status p f s verdict=ok real=0 user=0 system=0
	printf '\n=== %s: %s\n' "$step" "$(title "$step")"
	if [ "$start" -ge "$limit" ]; then
		echo "no time is left" | tee "$log"
		status=1
	else
		TIMEFORMAT='%0R %0U %0S'
		{ time "step_$step" 2>&1; } 2> "$logs/$step.times" | tee "$log"
		status=${PIPESTATUS[0]}
		read -r real user system < <(tail -n 1 "$logs/$step.times")
	fi
	read -r p f < <(awk '/^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3 }
		END { print p + 0, f + 0 }' "$log")
	s=$(skips "$step" | awk '{ s += $3 } END { print s + 0 }')
	if [ "$status" -ne 0 ]; then
		verdict=FAILED
		[ "$f" -gt 0 ] || f=1
	elif grep -q '^not tried: ' "$log"; then
		verdict=not-tried
	fi
	printf '%-10s %-9s %6d %6d %7d %7d %8d  %s\n' "$step" "$verdict" "$real" $((user + system)) \
		"$p" "$f" "$s" "$(title "$step")" | tee "$logs/$step.verdict"
}

# what_failed STEP: prints the failures in its log again
what_failed()
{
	printf '\n%s failed:\n' "$1"
	grep -A 3 -e '^ *FAIL ' -e '^not ok ' -e '^[^ ]*: error: ' -e '^failure ' \
		-e '|.*\(not ok\|ERROR\|error:\|vterm:\)' "$logs/$1.log" | grep -v '^  ok ' |
		tail -n 40 | grep . || tail -n 20 "$logs/$1.log"
}

# slowest NUMBER: the slowest tests that printed their time, one per line: seconds, test, step
slowest()
{
	sed -n 's/^  \(ok\|FAIL\)  *\([^ ]*\): .*(\([0-9]*\) s)$/\3 s \2/p' "$logs"/*.log |
		sort -rn | head -n "$1"
}

# prove "STEP...": runs all of them in this order, whatever fails; then prints the table and the
# totals. Fails if anything did.
prove()
{
	local step
	for step in $1; do
		run_step "$step"
	done
	for step in $(awk '$2 == "FAILED" { print $1 }' "$logs"/*.verdict); do
		what_failed "$step"
	done
	printf '\n=== the slowest tests\n'
	slowest 15
	printf '\n%-10s %-9s %6s %6s %7s %7s %8s\n' step verdict wall CPU passed failed skipped
	for step in $1; do
		cat "$logs/$step.verdict"
	done
	printf '%d s in all\n' $SECONDS
	told_of_skips
	sed '/^#/d; s/^/unstable: /' tests/unstable
	awk '{ p += $5; f += $6 } END { print p " passed, " f " failed"; exit f > 0 }' "$logs"/*.verdict
}
