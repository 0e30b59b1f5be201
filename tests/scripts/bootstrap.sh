#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ./bootstrap without installing or compiling anything: with a configure of three lines, and a fake
# make, compiler and package managers with scripted output.

: "${srcdir:?}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 755 "$work"
tree=$work/tr+ä,@~.-e
bin=$work/bin
me=$(id -u)

# program FILE: makes an executable FILE from standard input
program()
{
	cat > "$1" && chmod 755 "$1"
}

# boot VARIABLE=VALUE... WORD...: runs bootstrap; its output and status go to out
boot()
{
	# shellcheck disable=SC2086 # a command, or none
	(cd "$tree" && $lower env -i PATH="$bin" FAKES="$work" FAKE_UID="$me" "$@" < /dev/null \
		> "$work/out" 2>&1; echo "exit $?" >> "$work/out")
}
lower=''

# says STATUS TEXT: prints a problem unless out ends with this status and contains the text
says()
{
	grep -q -x "exit $1" "$work/out" && grep -q -F -e "$2" "$work/out" || cat "$work/out"
}

mkdir "$tree" "$bin"
cp "$srcdir/bootstrap" "$tree"
for tool in cat cp dirname env find getconf grep head mkdir mkfifo rm sed sh tail touch tr; do
	ln -s "$(command -v $tool)" "$bin/$tool"
done
program "$bin/id" <<'END'
#!/bin/sh
echo "$FAKE_UID"
END
program "$bin/cc" <<'END'
#!/bin/sh
! grep -q "<${MISSING:-nothing}>"
END
program "$bin/make" <<'END'
#!/bin/sh
case "$*" in
*' -n '*) for i in 1 2 3; do echo "printf '  %-5s %s\n' CC $i.o"; done ;;
*' clean') echo >> "$FAKES/cleaned" ;;
*) . "$FAKES/recipe" ;;
esac
END
program "$bin/pkg-config" < /dev/null
program "$tree/configure" <<'END'
#!/bin/sh
echo "config.status = $CONFIGURE" > config.status
[ -n "$CONFIGURE" ] || printf 'distname = fairtop-1\nabs_srcdir = %s\nabs_builddir = %s\n' "${0%/*}" "$PWD" > Makefile
END
nothing='echo "make: Nothing to be done for '\''all'\''."'
printf '#!/bin/sh\n' | program "$work/fairtop"

# --- paths ---------------------------------------------------------------------------------

for odd in ' ' '	' '#' '$' '%' ':' '=' '"' "'" '\' '*' ';' '&' '('; do
	mkdir -p "$work/a${odd}b"
	cp "$srcdir/bootstrap" "$work/a${odd}b"
	(cd "$work/a${odd}b" && PATH=$bin ./bootstrap build > "$work/out" 2>&1; echo "exit $?" >> "$work/out")
	verdict "a source with $odd in its path" "$(says 2 "takes no path with \"$odd\" in it"
		[ ! -e "$work/a${odd}b/build" ] || echo 'a build directory was made')"
	boot FAIRTOP_BUILD="$work/c${odd}d" ./bootstrap build
	verdict "FAIRTOP_BUILD with $odd" "$(says 2 "takes no path with \"$odd\" in it"
		[ ! -e "$work/c${odd}d" ] || echo 'it was made')"
done
(cd "$work/a b" && "$srcdir/configure" -q > "$work/out" 2>&1; echo "exit $?" >> "$work/out")
verdict "configure in a path with a blank" "$(says 1 'takes no path with " " in it')"

# --- packages ------------------------------------------------------------------------------

# line WHO TEXT: prints a problem unless bootstrap stops with this and only this command to type
line()
{
	grep '^    ' "$work/out" > "$work/line"
	echo "    $1" | cmp -s - "$work/line" && says 2 'Install them' || cat "$work/out"
}

for manager in apt-get dnf zypper apk; do
	printf '#!/bin/sh\nexit 1\n' | program "$bin/$manager"
	case $manager in
	apt-get) words='apt-get install --no-install-recommends libncurses-dev' ;;
	dnf) words='dnf install ncurses-devel' ;;
	zypper) words='zypper install ncurses-devel' ;;
	apk) words='apk add -U ncurses-dev' ;;
	esac
	first=''
	[ $manager != apt-get ] || first='apt-get update; '
	boot MISSING=curses.h FAKE_UID=0 ./bootstrap build
	verdict "$manager: root's line" "$(line "$first$words")"
	boot MISSING=curses.h FAKE_UID=12345 ./bootstrap build
	verdict "$manager: a user's line" "$(line "$first$words")"
	printf '#!/bin/sh\nexit 1\n' | program "$bin/sudo"
	boot MISSING=curses.h FAKE_UID=12345 ./bootstrap build
	verdict "$manager: a user's line with sudo" "$(line "${first:+sudo $first}sudo $words")"
	rm "$bin/$manager" "$bin/sudo"
done
printf '#!/bin/sh\necho "E: Failed to fetch http://there/x.deb  Temporary failure resolving there"; exit 100\n' |
	program "$bin/apt-get"
boot MISSING=curses.h FAKE_UID=0 ./bootstrap build
verdict "without a network it says so" "$(says 2 'could not fetch them (no network?)')"
rm "$bin/apt-get"
boot MISSING=curses.h ./bootstrap build
verdict "without a package manager the headers are named" "$(says 2 ': curses.h')"

# --- what make does ------------------------------------------------------------------------

echo "$nothing" > "$work/recipe"
boot ./bootstrap build
verdict "a make that builds nothing is not done" "$(says 1 'has built no'; grep done: "$work/out")"
for recipe in 'exit 2' 'printf "no end of line"; exit 2' 'echo "exit status 0"; exit 2'; do
	echo "cp '$work/fairtop' build; $recipe" > "$work/recipe"
	boot ./bootstrap build
	verdict "a failed make is not done: $recipe" "$(says 1 'the build failed'; grep done: "$work/out")"
done

cat > "$work/recipe" <<'END'
i=0
while [ $((i += 1)) -le 25 ]; do echo "  CC    $i.o"; done
read -r woken < "$FAKES/go"
touch "$FAKES/ended"
END
mkfifo "$work/go" "$work/screen"
exec 9<> "$work/go"
(cd "$tree" && exec env -i PATH="$bin" FAKES="$work" FAKE_UID="$me" ./bootstrap build \
	< /dev/null > "$work/screen" 2>&1) &
while IFS= read -r shown; do
	case $shown in
	*'[ 25/25] 25.o')
		[ -e "$work/ended" ] || echo 'while it runs' > "$work/seen"
		echo > "$work/go" ;;
	esac
	echo "$shown" >> "$work/shown"
done < "$work/screen"
wait
verdict "what make does is shown while it runs" "$([ -e "$work/seen" ] || cat "$work/shown")"

echo "$nothing" > "$work/recipe"
boot ./bootstrap build
verdict "nothing to do, nothing said of building" "$(says 0 done: ; grep -v -e done: -e '^exit 0' "$work/out")"

# --- an existing build directory -----------------------------------------------------------

boot FAIRTOP_BUILD="$work/fairtop/build" ./bootstrap build
verdict "a build directory that cannot be made" "$(says 2 'FAIRTOP_BUILD=DIR')"
mkdir "$work/foreign" && echo all: > "$work/foreign/Makefile"
boot FAIRTOP_BUILD="$work/foreign" ./bootstrap build
verdict "a directory of another program" "$(says 2 "Makefile is not fairtop's")"

cp -R "$tree" "$work/moved"
rm -f "$work/cleaned"
old=$tree tree=$work/moved
boot ./bootstrap build
verdict "a tree that was moved is configured anew" "$(says 0 'configuring in'
	[ -e "$work/cleaned" ] || echo 'what was compiled elsewhere stays')"
boot ./bootstrap build
verdict "and then no more" "$(grep configuring "$work/out")"
boot CONFIGURE=killed FAIRTOP_BUILD="$work/moved/half" ./bootstrap build
cp "$work/fairtop" "$work/moved/half"
boot FAIRTOP_BUILD="$work/moved/half" ./bootstrap build
verdict "a configure that was interrupted is repeated" "$(says 0 'configuring in')"

tree=$old
[ "$me" -ne 0 ] || lower="$(command -v setpriv) --reuid=65534 --regid=65534 --clear-groups"
chmod 777 "$tree/build" "$tree/build/bootstrap.log"
chmod 666 "$tree/build/bootstrap.log"
chmod 444 "$tree"/build/[Mc]*
boot FAKE_UID=12345 ./bootstrap build
verdict "a build directory with another user's files" "$(says 2 "is another user's; FAIRTOP_BUILD=DIR")"
chmod -R a-w "$tree"
boot ./bootstrap build
verdict "a tree that must not be written" "$(says 2 'FAIRTOP_BUILD=DIR')"
exit $failed
