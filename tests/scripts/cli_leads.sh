#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A word that is no verb, source or file gets a hint: the intended command, a similar word, or the
# list. One line each, exit status 2. test_guesses checks that each line of the table works.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

# leads REGEX ARGUMENT...: exit 2, no answer, one line of error that matches
leads()
{
	regex=$1
	shift
	refused "$*" "^fairtop: $regex" "$@"
}

mkdir "$work/here" && cd "$work/here" || exit 1
touch my-cluster.rec other.snapshot .hidden-one "$(printf 'odd\033name')"
mkdir directory

leads 'users: no such verb \(fairtop accounts SOURCE lists users\)$' users
leads 'users: no such verb \(fairtop accounts SOURCE lists users\)$' users demo
leads 'users: no such verb \(fairtop accounts SOURCE lists users\)$' help users
leads 'users: no such verb \(fairtop accounts' demo users
leads 'users: no such file and no such source' jobs users
leads 'sshare: .*fairtop accounts SOURCE' sshare
leads 'fairshare: .*fairtop accounts SOURCE' fairshare
leads 'squeue: .*fairtop jobs SOURCE' squeue demo
leads 'squeue: .*fairtop jobs SOURCE' squeue -u alice -t R
leads 'sshare: .*fairtop accounts SOURCE' sshare -a
leads '-a: no such option' -a sshare
leads 'alice: .*for a name: fairtop explain SOURCE alice\)$' alice
leads 'alice: .*for a name: fairtop explain SOURCE alice\)$' demo alice
leads 'priority: .*fairtop jobs SOURCE' priority
leads 'queues: .*fairtop pools SOURCE .*fairtop jobs SOURCE -p NAME ' queues
leads 'top: .*\(fairtop SOURCE ' top
leads 'config: .*fairtop policy SOURCE .*fairtop --print-config ' config
leads 'version: .*fairtop --version' version
leads 'completion: .*make install .*bash.*zsh.*fish' completion bash
leads 'show: .*fairtop explain SOURCE OBJECT' show
leads 'eta: .*fairtop starts SOURCE .*fairtop why ' eta
leads 'what-if: .*fairtop whatif SOURCE --set' what-if demo
leads 'export: .*whatif .*--export' export
leads 'save: .*fairtop snapshot SOURCE .*fairtop record SOURCE -o FILE' save
leads 'sacct: .*fairtop import .*fairtop history' sacct
leads 'doctor: .*fairtop verify SOURCE .*fairtop lint SOURCE' doctor
leads 'limits: .*--columns \+limits' limits
leads 'man: .*fairtop help ' man
leads 'sinfo: .*fairtop starts SOURCE .*no view' sinfo

leads 'dmeo: no such verb and no such source \(did you mean demo\?\)$' dmeo
leads 'dmeo: no such file and no such source \(did you mean demo\?\)$' jobs dmeo
leads 'dmeo:7: no such file and no such source \(did you mean demo\?\)$' dmeo:7
leads 'slrum: .*did you mean slurm\?' accounts slrum
leads 'slrum: .*did you mean slurm\?' accounts demo slrum
leads 'filtr: .*did you mean filter\?' filtr
leads 'my-clsuter.rec: no such file and .*\(did you mean my-cluster.rec\?\)$' my-clsuter.rec
leads 'other.snapsot: .*did you mean other.snapshot\?' verify other.snapsot
leads 'oddname: .*did you mean odd<1B>name\?' oddname
leads 'directry: .*fairtop help lists them' directry
leads 'hidden-one: .*fairtop help lists them' hidden-one
leads 'nosuch.rec: no such file and no such source \(fairtop help source lists them\)$' nosuch.rec
leads 'nosuch: .*expected --filter nosuch for rows that contain it, or -u nosuch' jobs nosuch
leads 'nosuch: .*fairtop help source' snapshot nosuch
leads '\./nosuch: No such file' jobs ./nosuch
leads 'a/b.rec: No such file' a/b.rec
leads 'nosuch: no such file' history nosuch /physics
leads 'nosuch: no such file' diff nosuch
leads 'nosuch: ([Nn]o such file|.*No such file)' backtest nosuch
leads 'nosuch: ([Nn]o such file|.*No such file)' thin nosuch --keep 3d
leads 'sorces: no such verb \(did you mean source\?\)' help sorces

# An existing file is a source, whatever its name.
cp "$srcdir/tests/data/cli/depthobl.snapshot" users
answers '^/physics ' accounts users
answers 'Account/User' users --render 80x24

# An empty table has a note if the name is unknown, but not if the user just has no jobs.
"$fairtop" jobs demo:1,speed=0 -u alcie,bob -A phisics > "$work/out" 2> "$work/err"
verdict "names that nobody has" "$([ "$(cat "$work/err")" = \
'fairtop: --user: nothing that was read belongs to "alcie" (did you mean alice?)
fairtop: --account: nothing that was read belongs to "phisics" (did you mean physics?)' ] ||
	cat "$work/err")"
"$fairtop" jobs demo:1,speed=0 -u bob -p none > "$work/out" 2> "$work/err"
verdict "names that somebody has" "$(cat "$work/err")"

exit $failed
