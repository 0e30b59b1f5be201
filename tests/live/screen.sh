# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# screen.sh - runs the real program on a terminal of 120x40 in a private tmux server: types keys
# and looks at the screen. Needs lib.sh.

# Text that is in the help and nowhere else.
# shellcheck disable=SC2034 # for whoever sources this
SCREEN_HELP='go down a row'

screen_tmux() { LC_ALL=C.UTF-8 tmux -S "$LIVE_DIR/run/tmux.sock" -f /dev/null "$@"; }

# screen_open NAME COMMAND...: runs it; its exit code goes to $LIVE_DIR/NAME.code when it ends
screen_open()
{
	local name=$1
	shift
	rm -f "$LIVE_DIR/$name.code"
	screen_tmux new-session -d -s "$name" -x 120 -y 40 \
	    "env TERM=screen-256color LC_ALL=C.UTF-8 $(printf '%q ' "$@"); echo \$? > \
	    $(printf '%q' "$LIVE_DIR/$name.code")"
}

screen_text() { screen_tmux capture-pane -p -t "$1"; }
screen_keys() { local name=$1; shift; screen_tmux send-keys -t "$name" "$@"; }
screen_shows() { screen_text "$1" | grep -Eq -- "$2"; }
screen_lacks() { ! screen_shows "$@"; }
screen_ended() { [ -s "$LIVE_DIR/$1.code" ]; }
screen_close() { screen_tmux kill-session -t "$1" 2>/dev/null; }

# screen_expect TEST NAME SECONDS REGEX: ok when it appears in time
screen_expect()
{
	if wait_for "$3" screen_shows "$2" "$4"; then
		ok "$1"
	else
		screen_text "$2" > "$LIVE_TMP/screen.txt"
		not_ok "$1" "no line like /$4/ within $3 s" "$LIVE_TMP/screen.txt"
		return 1
	fi
}

# screen_expect_gone TEST NAME SECONDS REGEX: ok when no line matches any more
screen_expect_gone()
{
	if wait_for "$3" screen_lacks "$2" "$4"; then
		ok "$1"
	else
		screen_text "$2" > "$LIVE_TMP/screen.txt"
		not_ok "$1" "still a line like /$4/ after $3 s" "$LIVE_TMP/screen.txt"
		return 1
	fi
}
