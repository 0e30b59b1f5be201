#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Guesses of a user who knows sshare, squeue, htop or k9s, one per line. Either it works, or the
# error says what does.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
export XDG_CONFIG_HOME="$work/config"
cd "$work" || exit 1

# works REGEX ARGUMENT...: exit 0 and a line that matches
works()
{
	answers "$@"
}

# leads REGEX ARGUMENT...: exit 2 and one line of error that matches
leads()
{
	refused "$*" "$@"
}

# --- one-letter options and the columns that they mean ---
works '^fairtop [0-9]' -V
works '^fairtop [0-9]' jobs demo -V
works '^  -u, --user USER ' jobs -h
works '^  -o, --output FILE ' record -h
works ' alice +cms ' jobs demo -u alice
works ' alice +cms ' jobs demo -ualice
works ' alice +cms ' jobs demo -u=alice
works ' alice +cms ' jobs demo --user nobody.such,alice
works ' alice +cms ' jobs demo -u alice -A cms -p batch --filter 'nodes=1'
works '^[^,]*,alice,' accounts demo -u alice --format csv --columns path,user,account
works '^cms,' accounts demo -A cms --format csv --columns account,user
works ' alice ' cycle demo -u alice
works ' alice ' starts demo -u alice
works '^1 job of alice is pending' why demo -u alice
lacks ' (mallory|bob) ' jobs demo -u alice
lacks ' alice ' jobs demo -u alice -A physics
lacks ' alice ' jobs demo -u alice --filter 'user=bob'
lacks ' alice ' jobs demo -u alice --filter 'user=bob | user=mallory'
"$fairtop" snapshot demo | sed 's/"alice"/"o\\"d d\\\\"/g' > odd
# shellcheck disable=SC1003 # a backslash is meant
works ' o"d d\\ +cms ' jobs odd -u 'o"d d\'
leads '^fairtop: -user=alice: no such option .expected --user=alice' jobs demo -user=alice
leads '^fairtop: -limit: no such option .expected --limit' jobs demo -limit 3
leads '^fairtop: -u: a value is missing \(expected USER\)$' jobs demo -u
leads '^fairtop: --user: a name is missing' jobs demo -u ''
leads '^fairtop: --user: a name is missing' jobs demo -u alice,,bob
leads '^fairtop: filter usge>1 *:.*no such column|usge: no such column' jobs demo -u alice 'usge>1'
leads '^fairtop: 7: together with --user alice' why demo 7 -u alice
leads '^fairtop: --user: not an option of lint \(it is one of accounts, jobs, ' lint demo --user a
leads '^fairtop: -p: not an option of the screen \(it is one of accounts, jobs, ' demo -p batch
leads '^fairtop: -x: no such option \(fairtop jobs --help lists them\)$' jobs -x
leads '^fairtop: -x: no such option \(fairtop --help lists them\)$' -x

# --- the screen ---
works 'user="alice"' demo -u alice --render 100x30
works '1 of .* jobs|141587' demo -u alice --keys 2 --render 100x30
works 'user=alice' demo user=alice --render 100x30

# --- JSON ---
works '^\{"fairtop"' jobs demo --json
works '^\{"fairtop"' --json jobs demo
works '^\{"fairtop"' demo explain /physics --json
leads 'expected fairtop accounts SOURCE --json\)$' --json
leads 'expected fairtop accounts SOURCE --json\)$' demo --json
leads '^fairtop: -o json: .*record, .*import.*\(expected --json\)$' jobs demo -o json
leads '^fairtop: -o csv: .*\(expected --format csv\)$' jobs -ocsv demo
leads '^fairtop: -o user,state: .*\(expected --columns user,state\)$' jobs demo -o user,state

# --- the verb anywhere ---
works '^Rank ' demo jobs
works '^Rank ' --sort rank demo jobs
works '^Rank ' --filter user=alice demo jobs
works '^job 141565 ' demo why 141565
works '^fairtop jobs: ' help jobs
leads '^fairtop: ./jobs: No such file' ./jobs
leads '^fairtop: jobs: no such verb and no such source .fairtop help' -- jobs

# --- filters and edits without their options ---
works ' alice +cms ' jobs demo user=alice
works ' alice +cms ' jobs user=alice demo 'nodes<2' --filter 'partition=batch'
works 'shares +' whatif demo shares:/physics=60 weight.age=1000 --all
works '^R +=' explain demo /physics shares:/physics=60
works '^Rank +Moves ' jobs demo shares:/physics=60
works '^R +=' explain demo shares:/physics=60 physics
# The last edit on the command line is applied last.
works 'fairshare=60$' whatif demo shares:/physics=10 --set shares:/physics=60 --export slurm
works 'fairshare=10$' whatif demo --set=shares:/physics=60 shares:/physics=10 --export slurm
leads '^fairtop: --set, --what-if: edits apply to one cluster' jobs demo:1 demo:2 shares:physics=3
lacks ' alice ' jobs demo '!user=alice'
leads '^fairtop: "": an argument is empty .expected fairtop jobs ' jobs demo ''
leads '^fairtop: "": an argument is empty .expected fairtop .SOURCE' ''
leads '^fairtop: --set: ' whatif demo nonsense:/physics=60
leads '^fairtop: alice: no such file .*\(expected --filter alice .*, or -u alice\)$' jobs demo alice
leads '^fairtop: alice: no such file .*, or -u alice\)$' jobs alice
leads '^fairtop: alice: no such file .*\(expected --filter alice .* it\)$' lint demo alice
leads '^fairtop: x: too many arguments \(expected fairtop snapshot' snapshot demo x
leads 'x/y: No such file' jobs x/y

leads '^fairtop: slrum:x,cluster=a: no such ' jobs slrum:x,cluster=a

# --- the first rows, the largest first ---
works '^   1  141656 ' jobs demo -n 3
verdict "and no more" "$([ "$(wc -l < out)" -eq 4 ] || cat out)"
works '^/physics +723' accounts demo --limit 2 --sort usage --columns path,usage
lacks '^/physics ' accounts demo --limit 1 --sort usage
works '^/physics +723' accounts demo --limit 2 --sort -usage --columns path,usage
lacks '^/physics ' accounts demo --limit 9 --sort +usage
works '^ *1 ' jobs demo --sort rank -n 1
leads '^fairtop: --limit 0: not a whole number' jobs demo -n 0

# --- an object by its name alone ---
works '^/physics, depth-oblivious' explain demo physics
works '^/physics/hep, ' explain demo physics/hep
works '^/physics/hep/cms:alice, ' explain demo alice
works '^/physics/hep/cms:alice, ' explain demo alice@cms
works '^job:141551, rank ' explain demo 141551
works '^queue:short in pool ' explain demo short
works '^pool:compute, ' explain demo compute
works '^/chemistry comes before /physics' compare demo physics chemistry
works '^job 141551 comes before ' compare demo 141551 141496
works ' shares:/physics = ' seek demo physics --reach 0.5
works ',0\.4153' forecast demo physics --format csv --columns time,fairshare
works '^shares .*60|^/physics +norm_shares' whatif demo shares:physics=60
leads '^fairtop: object "phisics": no such object .did you mean physics' explain demo phisics
leads '^fairtop: object "shrot": no such account, user or job' forecast demo shrot
leads '^fairtop: user "alice@bio": no such association .the user has /physics/hep/cms:alice' \
	explain demo alice@bio
leads '^fairtop: physics: is an account ' why demo physics
leads '^fairtop: explain: OBJECT is missing' explain demo
leads '^fairtop: dmeo: no such ' explain dmeo alice
for object in physics physics/hep /physics/hep; do
	"$fairtop" explain "$object" > out 2> err < /dev/null
	verdict "the source of $object can be left out" \
		"$(grep -q 'no scheduler found here' err || cat err)"
done
"$fairtop" compare physics biology shares:physics=60 > out 2> err < /dev/null
verdict "before edits, too" "$(grep -q 'no scheduler found here' err || cat err)"
leads '^fairtop: user "alice@cms": is one association .expected alice' why demo alice@cms
leads '^fairtop: account:physics: neither a job nor a user' why demo account physics
"$fairtop" snapshot demo > now
"$fairtop" record ./now -o past --count 1 2> err || cat err
leads '^fairtop: past: class:3: history takes accounts and users, ' history past class 3
leads '^fairtop: past: at its end: object "alcie": no such account or user .did you mean' \
	history past alcie
leads '^fairtop: past: at its end: object "alice": no such job' history past 141551 alice

# --- an object of two words ---
works '^job:141551, ' explain demo job 141551
works '^job 141565 ' why demo job 141565
works '^1 job of alice is pending' why demo user alice
works '^/biology comes before /physics' compare demo account physics account biology
works '^class 3 of ' explain demo class 3

# --- a cluster by its name ---
leads 'fairtop.conf has no line cluster NAME SOURCE .slurm:DIR,cluster=NAME ' jobs -M alpha
leads 'fairtop.conf has no line cluster NAME SOURCE' jobs -M all
mkdir -p "$work/config/fairtop"
printf 'cluster alpha demo:1\ncluster beta demo:2\n' > "$work/config/fairtop/fairtop.conf"
works '^Rank ' jobs -M alpha
works '^Rank ' jobs -M alpha user=alice
works '^demo .demo:2. ' jobs -M alpha,beta
works '^demo .demo:2. ' jobs --cluster all
works '^job:141551, ' explain -M beta job 141551
works '^job 141565 ' why 141565 -M alpha
works '^ demo .demo:2. ' -M all --render 100x30
works '1 Accounts' -M beta -u alice --render 100x30
leads '^fairtop: --cluster alhpa: no such .*did you mean alpha. there are alpha, beta\)$' jobs -M alhpa
leads '^fairtop: --cluster all: more than one \(expected fairtop lint' lint -M all
leads '^fairtop: demo: too many arguments .*--cluster instead of SOURCE' lint -M alpha demo
leads '^fairtop: demo: too many arguments .*--cluster instead of SOURCE' jobs demo -M alpha
leads '^fairtop: --user: only for one source' -u alice --render 100x30

exit $failed
