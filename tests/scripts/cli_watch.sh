#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Alarms from outside: exit codes of --once, lines and JSON, rules of fairtop.conf with file and line
# of a mistake, several sources, the environment of an --exec program (with hostile names), a source
# that fails and comes back. Needs no cluster.

# A verdict says what failed of two things, and no shell reads the names in a rule.
# shellcheck disable=SC2015,SC2016
: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data
cd "$work" || exit 1
export XDG_CONFIG_HOME="$work/config"
mkdir -p config/fairtop

# exits STATUS ARGUMENT...: fairtop watch ends with STATUS
exits()
{
	expected=$1
	shift
	"$fairtop" watch "$@" > out 2> err < /dev/null
	status=$?
	verdict "watch $*: exit $expected" "$([ $status -eq "$expected" ] ||
		echo "exit $status: $(head -n 3 err)")"
}
said() { verdict "says: $1" "$(grep -q -e "$1" err || head -n 3 err)"; }

exits 1 demo --once --rule 'over: accounts path=/physics R>0 for 30m'
verdict "one line, as of the picture" "$(grep -q -x "$(date -d @1777798800 '+%F %T'
	) begin over: demo accounts: /physics (accounts path=/physics R>0 for 30m)" out || cat out)"
exits 0 demo --once --rule 'over: accounts usage<0'
verdict "and then no line" "$(cat out)"
exits 1 demo "$data/cli/fairtree.snapshot" --once --format json --rule 'up: source state=up'
verdict "JSON, a line for each source" "$([ "$(wc -l < out)" -eq 2 ] && grep -q -x \
	'{"time":1777798800,"event":"begin","alarm":"up","source":"demo","cluster":"demo","view":"source","object":"demo","rule":"source state=up","since":1777798800}' \
	out || cat out)"
exits 2 demo --once
said 'watch: no rule (expected --rule'
exits 2 demo --once --rule 'a: accunts R>1'
said '\-\-rule: a: accunts: no such view (did you mean accounts?)'
exits 2 demo --once --rule 'a: accounts R>1 for long'
said 'for long: not a time (expected at the end for example: for 30m)'
exits 2 none.snapshot --once --rule 'a: accounts R>1'

conf=config/fairtop/fairtop.conf
printf 'set mouse off\nalarm mine accounts path=/physics R>0 until R<0.1 for 1h\n' > $conf
exits 1 demo --once
verdict "a rule of fairtop.conf" "$(grep -q ' begin mine: demo accounts: /physics ' out || cat out)"
exits 2 demo --once --rule 'mine: accounts R>1'
said '\-\-rule: mine: a rule of that name already exists'
printf '\n# alarms\nalarm bad accounts R>>1\n' > $conf
exits 2 demo --once
said "$conf:3: bad: filter: "
verdict "the screen says so, too" "$("$fairtop" demo --render 80x24 > out 2> err
	[ $? -eq 2 ] && grep -q "$conf:3: bad: filter: " err || cat err)"

# A configuration that exists but is no text file is an error, and reading it does not block.
unread()
{
	timeout 20 "$fairtop" watch demo --once --rule 'up: source state=up' > out 2> err
	status=$?
	verdict "fairtop.conf: $1" "$([ $status -eq 2 ] && [ ! -s out ] &&
		grep -q "$conf: .*$1" err || echo "exit $status: $(cat out err)")"
	rm -rf $conf
}
rm $conf
mkfifo $conf && unread 'a FIFO (expected a file)'
ln -s fairtop.conf $conf && unread 'Too many levels'
mkdir $conf && unread 'Is a directory'
ln -s /dev/zero $conf && unread 'larger than'
printf 'alarm bad accounts R>>1\n\000\n' > $conf && unread 'not a text file (zero byte)'

# The environment of a program: no shell evaluates it, and it has no terminal controls.
printf '#!/bin/sh\nenv | grep ^FAIRTOP_ > "%s/environment"\necho told\nexit 3\n' "$work" > told
chmod +x told
# shellcheck disable=SC2016 # that is the name
sed -e 's/"account":"physics"/"account":"$(touch x);\\u001b[2J\\u202e"/g' "$data/demo.snapshot" \
	> strange.snapshot
exits 1 strange.snapshot --once --exec ./told --rule 'a: accounts path~touch user=unknown usage>0'
verdict "the program's words and status" "$(grep -q -x 'fairtop: ./told: exit status 3' err &&
	grep -q -x told err || cat err)"
verdict "it has the alarm in its environment" "$(for line in FAIRTOP_ALARM=a FAIRTOP_EVENT=begin \
	FAIRTOP_SOURCE=strange.snapshot FAIRTOP_VIEW=accounts FAIRTOP_TIME=1777798800; do
	grep -q -x -e "$line" environment || echo "$line"; done)"
verdict "with harmless names" "$(grep -q -F \
	'FAIRTOP_OBJECT=/$(touch x);%1B[2J<U+202E>' environment || cat environment
	[ ! -e x ] || echo 'a shell has read it')"
verdict "nowhere a control character" "$(tr -d '\n\40-\176' < out | od -c | sed 1q |
	grep -v '^0000000$'; tr -d '\n\40-\176' < environment | od -c | sed 1q | grep -v '^0000000$')"
exits 1 demo --once --exec './told and more' --rule 'a: source state=up'
said 'told and more: No such file'

# A source on another host that can be switched off.
shown='lines err'	# by until_so
has() { grep -q -e "$1" lines; }
mkdir bin
printf '#!/bin/sh\n[ -e up ] || exit 255\nexec "%s" serve demo\n' "$fairtop" > bin/ssh
chmod +x bin/ssh
PATH=$work/bin:$PATH "$fairtop" watch ssh:there/demo --every 1s --rule 'down: source state=down' \
	--rule 'came: changes what=source is=up' --rule 'much: accounts path=/physics usage>0' \
	> lines 2> err &
loop=$!
until_so "it begins" has ' begin down: ssh:there/demo source: ssh:there/demo '
touch up
until_so "it ends" has ' end   down: demo source: ssh:there/demo '
until_so "a change begins" has ' begin came: demo changes: source ssh:there/demo '
until_so "and ends by itself" has ' end   came: '
verdict "its rows count as soon as it answers" "$(has ' begin much: ' || cat lines)"
stop TERM $loop
verdict "SIGTERM ends it" "$([ $status -eq 143 ] || echo "exit $status")"

# A hanging source does not delay the others, which are reported meanwhile, each with its cluster.
printf '#!/bin/sh\nexec tail -f /dev/null\n' > bin/ssh
PATH=$work/bin:$PATH "$fairtop" watch ssh:far/demo demo demo:4,speed=0 "$data/cli/fairtree.snapshot" \
	--every 1s --rule 'up: source state=up' --rule 'much: accounts path=/physics usage>0' \
	> lines 2> err &
loop=$!
until_so "others are told while one hangs" has ' begin up: demo.* source: demo:4,speed=0 '
until_so "by the names of their clusters" has ' begin much: demo (demo.*) accounts: /physics '
until_so "a snapshot, too" has ' begin up: [^ ]* source: .*fairtree.snapshot '
verdict "none says what it has not heard" "$(grep -e ssh:far lines)"
stop INT $loop
verdict "SIGINT ends it" "$([ $status -eq 130 ] || echo "exit $status")"
"$fairtop" watch - --once --rule 'up: source state=up' < "$data/cli/fairtree.snapshot" > out 2> err
verdict "the standard input is one" "$([ $? -eq 1 ] && grep -q ' begin up: ' out || cat err)"
"$fairtop" watch --once --rule 'up: source state=up' > out 2> err < /dev/null
verdict "a source that nobody named has no empty name" "$(grep -e '^fairtop: :' err)"
exit $failed
