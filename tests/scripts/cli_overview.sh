#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The screen with several sources: the overview as a frame, clusters opened from it, and clusters
# named in the configuration. A source that fails says so in its row and does not affect the others.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

demo=demo:3,speed=0
pbs=pbs:$srcdir/tests/data/pbs/01_main
export XDG_CONFIG_HOME="$work/config"

# sees WHAT REGEX ARGUMENT...: a frame of these sources matches
sees()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" --render 200x24 "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	verdict "$what" "$([ $status -eq 0 ] && grep -q -E -e "$regex" "$work/out" ||
		{ echo "exit $status:"; cat "$work/out" "$work/err"; })"
}

# refused WHAT REGEX ARGUMENT...: exit 2 with that message, and nothing else
refused()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" --render 200x24 "$@" > "$work/out" 2> "$work/err" < /dev/null
	verdict "$what" "$([ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q -E -e "$regex" "$work/err" ||
		cat "$work/out" "$work/err")"
}

# The figures of a row are those of the verbs.
waiting=$("$fairtop" accounts "$pbs" --format csv --columns pending 2> "$work/err" | sed -n 2p)
over=$("$fairtop" accounts "$pbs" --format csv --columns path,user,effective_ratio,norm_usage \
	2> "$work/err" | awk -F, 'NR > 1 && $2 == "" && $4 >= 0.01 && $3 + 0 > most + 0 {
		most = $3; n = split($1, part, "/"); who = part[n] }
		END { printf "%s +%.2f", who, most }')
sees "a row is a cluster" "^ pbshead .* good +now +[0-9]+ +$waiting .* $over" "$demo" "$pbs"
sees "two clusters" '^ clusters 2  good 2 *$' "$demo" "$pbs"
sees "Enter opens one" '1 Accounts.*pbshead' "$demo" "$pbs" \
	--keys 'G<Enter>'
sees "Esc returns" '^ clusters 2 ' "$demo" "$pbs" --keys 'G<Enter>2<Esc><Esc>'
sees "an account beside itself" "^ demo .* 0\.2920 " "$demo" demo:4,speed=0 \
	--keys ':account physics<Enter>'
sees "sorted and filtered" '^ pbshead ' "$demo" "$pbs" --sort -waiting --filter 'waiting<100' \
	--columns waiting,running
verdict "the filter hides the other" "$(grep '^ demo' "$work/out")"

printf '#!/bin/sh\necho "no route to host" >&2\nexit 255\n' > "$work/ssh"
chmod 755 "$work/ssh"
FAIRTOP_SSH=$work/ssh
export FAIRTOP_SSH
sees "a dead one says why" '^ ssh:far/slurm .*no route to host' "$demo" ssh:far/slurm
sees "and the sum is of the others" '^ pending ≥ ' "$demo" ssh:far/slurm
sees "what is no file inside" "$work/ssh:1: column 1: .*neither a snapshot nor a recording" \
	"$demo" "$work/ssh"

# Also for an invalid URL with a typing mistake.
for url in 'postgresql://u:secret@/d?host=/nowhere&cluster=a' 'postgres://u:secret@h/d?cluster=a'; do
	mkdir -p "$work/config/fairtop"
	printf 'cluster db "%s"\ncluster demo %s\n' "$url" "$demo" \
		> "$work/config/fairtop/fairtop.conf"
	sees "a server that is away says why" "^ db .*postgres(ql)?://\*+@.*: "
	verdict "without its password" "$(cat "$work/out" "$work/err" | grep secret)"
	rm -r "$work/config/fairtop"
done

refused "a file that is not there" 'none: No such file' "$demo" "$work/none"
refused "a word that is no verb" 'acounts: no such verb .*accounts' acounts "$demo"
refused "no source twice" 'is named twice' "$demo" "$demo"
refused "a time is of one" 'only for one source' "$demo" "$pbs" --at '1h ago'
refused "columns of the clusters" 'norm_shares: no such column' "$demo" "$pbs" --columns norm_shares

mkdir -p "$work/config/fairtop"
printf 'cluster alpha "%s"\ncluster beta demo:9\ncluster beta "%s"\n' "$demo" "$pbs" \
	> "$work/config/fairtop/fairtop.conf"
sees "clusters of the configuration" '^ alpha '
verdict "a later line counts" "$(grep -q "^ beta  *pbs:.* 86 " "$work/out" || cat "$work/out")"
sees "a source is that source" '1 Accounts' "$demo"
"$fairtop" --print-config > "$work/out" 2> "$work/err"
verdict "--print-config has them" "$(grep -q -x "cluster \"beta\" \"$pbs\"" "$work/out" ||
	cat "$work/err")"
printf 'cluster alpha "%s"\n' "$work/gone" > "$work/config/fairtop/fairtop.conf"
sees "what is gone is told at once" "^ alpha +$work/gone: fairtop: $work/gone: No such file"
printf 'cluster alpha\n' > "$work/config/fairtop/fairtop.conf"
refused "a line without a source" 'fairtop.conf.*1.*expected NAME SOURCE'
exit $failed
