#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command line in README.md and in the manual pages' examples works. On the demo or on a file
# it runs as it is; if it needs a cluster it must at least be parsed: there is no cluster here, so
# it must end with exit 3. Every verb and option is documented, and the shell completions are valid
# scripts that complete.

: "${srcdir:?}" "${FAIRTOP_BUILD:?}"
data=$srcdir/tests/data/cli
doc=$FAIRTOP_BUILD/doc
page=$doc/fairtop.1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$FAIRTOP_BUILD:$PATH
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

if [ ! -f "$page" ]; then
	echo "doc/fairtop.1 is not built"
	exit 77
fi

# Each as FILE:LINE:COMMAND, without repetitions or error messages (fairtop: SUBJECT).
awk '
	/^(    |\.Dl )fairtop( |$)/ {
		sub(/^(    |\.Dl )/, "")
		if (seen[$0]++)
			next
		name = FILENAME
		sub(/.*\//, "", name)
		print name ":" FNR ":" $0
	}' "$srcdir/README.md" "$srcdir"/doc/*.in "$doc"/fairtop-*.1 > "$work/examples"
for page_of in README.md:10 fairtop.1.in:3 fairtop-source.5.in:3 fairtop-whatif.5.in:5; do
	verdict "${page_of%:*} has examples" "$(
		[ "$(grep -c "^${page_of%:*}:" "$work/examples")" -ge "${page_of#*:}" ] || echo "too few")"
done

# The files that examples name; no scheduler: nothing listens at the addresses used.
cp "$srcdir/tests/data/replay/sacct.psv" "$work/jobs.psv"
cp "$data/fairtree.snapshot" "$work/lab.snapshot"
ln -s "$(cd "$srcdir" && pwd)/tests/data/starts/2-backfill" "$work/saved"
ln -s saved "$work/report"
printf '; MaxProcs: 8\n1 0 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 1 9 10 8 -1 -1 8 20 -1 1 1 1 1 1 1 -1 -1\n' \
	> "$work/log.swf"
printf 'ClusterName=b\n' > "$work/b.conf"
(cd "$work" && fairtop record demo:1,speed=1800 -o slurm.recording --count 1 &&
	fairtop record demo:1,step=1800 -o day.recording --count 3 &&
	fairtop import sacct jobs.psv -o old.recording) > /dev/null 2>&1
verbs=$(fairtop help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')

# opens_screen WORDS: is there no verb among them?
opens_screen()
{
	for one in $1; do
		case $one in
		--version | --print-config | --sandbox-status) return 1 ;;
		esac
		! echo "$verbs" | grep -q -x -e "$one" || return 1
	done
}

# adapted COMMAND: prints it with the screen as one frame, the test's files for those of the system,
# and record on the demo, since it would wait for a cluster
adapted()
{
	echo "$1" | sed -e 's/  *#.*//' -e 's|/var/lib/fairtop/||' -e 's|/etc/slurm/||' \
		-e 's/^\(fairtop record\) slurm\(.*\)/\1 demo\2 --count 1/' |
		while IFS= read -r command; do
			case $command in
			*--render*) ;;
			*) ! opens_screen "$command" || command="$command --render 80x24" ;;
			esac
			echo "$command"
		done
}

# needs_cluster COMMAND: is its source no demo, file or directory, or is there none?
needs_cluster()
{
	case " $1 " in
	*[\ \']postgresql:* | *.conf" "*) return 0 ;;
	*" help "* | *" demo"[\ :]* | *" slurm:"*) return 1 ;;
	*" ssh:"* | *" slurm "* | *" pbs "* | *" lsf "*) return 0 ;;
	*.recording" "* | *.snapshot" "* | *.psv" "* | *.swf" "*) return 1 ;;
	esac
}

while IFS= read -r example; do
	command=${example#*:*:}
	line=$(adapted "$command")
	case $line in *postgresql:*) ! fairtop --version | grep -q 'without libpq' || continue ;; esac
	(cd "$work" && export SLURM_CONF=/nonexistent PBS_CONF_FILE=/nonexistent \
		LSF_ENVDIR=/nonexistent FAIRTOP_SSH=/bin/false PGHOSTADDR=127.0.0.1 PGPORT=1 &&
		eval "$line") > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	problem=''
	if needs_cluster "$line"; then
		[ $status -eq 3 ] || problem="exit $status, not 3: $(head -n 2 "$work/err")"
	elif [ $status -ne 0 ]; then
		problem="exit $status: $(head -n 2 "$work/err")"
	elif [ ! -s "$work/out" ]; then
		case $line in *'>'* | *' -o '*) ;; *) problem="no answer" ;; esac
	fi
	verdict "example $example" "$problem"
done < "$work/examples"

for word in $(fairtop --help | grep -o -E -e '--[a-z-]+' | sort -u); do
	grep -q -F -e "Fl Fl ${word#--}" "$doc/fairtop-screen.7" || missing="$missing $word"
done
verdict "fairtop-screen(7) has every option of the screen" "$missing"
verdict "fairtop(1) names every verb" "$(
	fairtop help | sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\)  .*/\1/p' | while read -r verb; do
		grep -qx ".It Xr fairtop-$verb 1" "$page" || echo "$verb"
	done)"
verdict "each verb has a page with an example" "$(fairtop help | sed -n 's/^  \([a-z]*\)  .*/\1/p' |
	while read -r verb; do
		[ -z "$(fairtop help "$verb" 2> /dev/null)" ] ||
			grep -q "^\.Dl .*fairtop $verb" "$FAIRTOP_BUILD/doc/fairtop-$verb.1" || echo "$verb"
	done)"

# The screen in the manual is what the program shows, except for the letters after its lines.
fairtop demo:1,speed=0 --render 80x24 --ascii --color never > "$work/frame" 2> /dev/null < /dev/null
verdict "the picture of the screen is true" "$(sed -n '/^\.Ss Reading the screen/,/^\.Ed/p' "$doc/fairtop-screen.7" |
	sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' |
	sed -e 's/ *{[a-i]}$//' -e 's/\\-/-/g' -e 's/\\(ha/^/g' -e 's/\\(aq/'"'"'/g' |
	while IFS= read -r line; do grep -q -F -e "$line" "$work/frame" || echo "$line"; done)"

verdict "units keep their case" "$(grep -n -e 'Unit: S' "$doc"/*.[157] | head -n 3)"
snapshot_page=$FAIRTOP_BUILD/doc/fairtop-snapshot.5
problem=$(grep -e 'Default: [A-Z][a-z]' "$snapshot_page" | grep -v -E ' (True|False)\.' | head -n 3)
grep -q 'Default: priority/multifactor' "$snapshot_page" || problem="$problem no PriorityType"
verdict "defaults keep their case" "$problem"

rules=$(sed -n 's/^\t{ "\([A-Z][0-9]*\)", "\(Slurm\|PBS\|LSF\)".*/\1/p' "$srcdir/core/lint/lint_rules.c")
verdict "the page lists every rule of lint" "$([ -n "$rules" ] || echo none
	for rule in $rules; do tr -d '\\&' < "$doc/fairtop-lint.1" | grep -qx ".It Sy $rule" || echo "$rule"; done)"

if command -v mandoc > /dev/null; then
	verdict "mandoc finds nothing" "$(mandoc -T lint -W warning "$doc"/*.[157] 2>&1 | head -n 3)"
fi

# Without a seccomp filter it prints no table, since nothing in it would be true.
fairtop --sandbox-status | sed -n '/^what sandboxed processes may do/,$p' > "$work/powers"
[ ! -s "$work/powers" ] || verdict "SECURITY.md has the table of the filter" "$(
	sed -n '/^what sandboxed processes may do/,/^```/p' "$srcdir/SECURITY.md" | grep -v '^```' |
		diff - "$work/powers" | head -n 3)"

"$FAIRTOP_BUILD/docgen" --completion bash > "$work/bash"
"$FAIRTOP_BUILD/docgen" --completion zsh > "$work/zsh"
"$FAIRTOP_BUILD/docgen" --completion fish > "$work/fish"
for shell in bash zsh fish; do
	command -v $shell > /dev/null || continue
	verdict "$shell reads its completion" "$($shell -n "$work/$shell" 2>&1)"
done

# completes WORDS EXPECTED: completes the last of WORDS
completes()
{
	# shellcheck disable=SC2086 # words
	reply=$(bash -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_fairtop
		echo "${COMPREPLY[@]}"' - "$work/bash" $1)
	case " $reply " in
	*" $2 "*) verdict "bash completes $1" "" ;;
	*) verdict "bash completes $1" "to: $reply" ;;
	esac
}

verdict "fairtop-whatif(5) lists the words" "$(grep -q -x '.Li QUARTERLY ,' "$FAIRTOP_BUILD/doc/fairtop-whatif.5" ||
	echo 'no QUARTERLY')"
if command -v bash > /dev/null; then
	completes 'fairtop acc' accounts
	completes 'fairtop de' demo
	completes 'fairtop accounts demo --fo' --format
	completes 'fairtop accounts demo --format c' csv
	completes 'fairtop accounts --columns usage_' usage_ratio
	completes 'fairtop policy --sort mean' meaning
	completes 'fairtop lint demo --columns sugg' suggestion
	completes 'fairtop help ver' verify
	completes 'fairtop why de' demo
	completes 'fairtop why demo --columns hel' helps
	completes 'fairtop explain demo acc' account:
	completes 'fairtop demo explain us' user:
	completes 'fairtop compare demo account:a jo' job:
	completes 'fairtop demo why --columns hel' helps
	completes 'fairtop --al' --algorithm
	completes 'fairtop --algorithm fair' fair-tree
	completes 'fairtop whatif demo --set reset_period = WEEK' WEEKLY
	completes 'fairtop whatif demo --set PriorityFlags =' DEPTH_OBLIVIOUS
	completes 'fairtop whatif demo --set SchedulerTy' SchedulerType=sched/builtin
fi

exit $failed
