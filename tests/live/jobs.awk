# SPDX-License-Identifier: GPL-2.0-or-later
#
# jobs.awk - compares rows of `fairtop jobs slurm --format csv` with sprio's and squeue's. Prints
# the differences, and at the end the number of rows compared; exit 1 for any difference.
#
#   awk -f jobs.awk sprio squeue jobs.csv
#
# sprio: -o '%i|%r|%Y|%A|%B|%F|%J|%P|%Q|%S|%N|%T', weighted, rounded to whole numbers. squeue: -o
# '%A|%r|%V' with the reason. The CSV has no quotes: its columns are numbers and words.

function differs(what, have, want)
{
	printf "%s: fairtop has %s, slurm %s\n", what, have, want
	bad++
}

# fairtop's term must be sprio's when rounded to the nearest whole number.
function check_term(key, name, want,    have)
{
	have = cell["terms_" name]
	if (have - want > 0.5001 || want - have > 0.5001)
		differs(key " " name, have, want)
}

function check_tres(key, list,    item, pair, n, i)
{
	n = split(list, item, ",")
	for (i = 1; i <= n; i++) {
		split(item[i], pair, "=")
		check_term(key, "tres_" pair[1], pair[2])
	}
}

BEGIN { FS = "|" }
FNR == 1 { file++ }
file == 1 { gsub(/ /, ""); sprio[$1 " " $2] = $0; terms++; next }
file == 2 { reason[$1] = $2; jobs++; next }
FNR == 1 { FS = ","; $0 = $0; columns = split($0, title, ","); next }
{
	for (i = 1; i <= columns; i++)
		cell[title[i]] = $i
	if (cell["state"] != "PENDING")
		next
	key = cell["id"] " " cell["partition"]
	seen[cell["id"]] = 1
	if (index(reason[cell["id"]], cell["reason"]) != 1 &&
	    !(cell["reason"] == "Resources" && reason[cell["id"]] ~ /^Nodes required/))
		differs(key " reason", cell["reason"], reason[cell["id"]])
	# With ACCRUE_ALWAYS sprio also lists jobs that do not compete yet.
	if ((cell["rank"] != "") != (key in sprio) &&
	    !(key in sprio && (cell["reason"] == "Dependency" || cell["reason"] == "BeginTime" ||
	    cell["reason"] == "Reservation")))
		differs(key " ranked", cell["rank"], key in sprio ? "lists it" : "does not list it")
	if (!(key in sprio))
		next
	found++
	split(sprio[key], p, "|")
	if (cell["priority"] != p[3])
		differs(key " priority", cell["priority"], p[3])
	if (cell["terms_age"] == "")
		next	# set directly: sprio prints zeros
	check_term(key, "age", p[4])
	check_term(key, "assoc", p[5])
	check_term(key, "fairshare", p[6])
	check_term(key, "jobsize", p[7])
	check_term(key, "partition", p[8])
	check_term(key, "qos", p[9])
	check_term(key, "site", p[10])
	check_term(key, "nice", -p[11])
	check_tres(key, p[12])
	computed++
}
END {
	for (id in reason)
		if (!(id in seen))
			differs("job " id, "no row", reason[id])
	if (found != terms)
		differs("rows of sprio", found, terms)
	printf "%d jobs, %d rows of sprio, %d with terms\n", jobs, terms, computed
	exit bad > 0 || jobs < 60 || computed < 40
}
