# SPDX-License-Identifier: GPL-2.0-or-later
#
# shares.awk - compares `fairtop accounts --format csv` with `sshare -a -l -P -m`, row by row and
# at the precision that sshare prints: integers for shares and usage (truncated), six decimals
# for the rest, blank where sshare has nothing to say.
#
#   LC_ALL=C awk [-v rounded=depthobl|classic|fairtree] -f shares.awk SSHARE.psv FAIRTOP.csv
#
# Rows are matched by path: sshare's is made from its indentation. A real differs when it is
# further from the printed one than half of its last digit. With rounded=MODE fairtop itself had
# only the output of Slurm's commands: usage rounded to 0.01, ratios to six decimals. Then shares,
# usage and NormUsage must still agree as above, E within half a digit of its inputs, and values
# computed from E within two units of the sixth decimal of U, relative to the row's share.
#
# sshare leaves two cells blank that slurmctld has a value for: the root's RawShares, and the
# LevelFS of whatever has fairshare=parent. Prints one line per difference and ends with 1 if
# there was any.

BEGIN {
	for (i = 0; i < 256; i++)
		code[sprintf("%c", i)] = i
	split("RawShares NormShares RawUsage NormUsage EffectvUsage FairShare LevelFS", theirs, " ")
	split("shares norm_shares usage norm_usage effective_usage fairshare level_fs", ours, " ")
	quantities = 7
}

# escape NAME as the paths of the contract do
function escape(name,    i, c, out)
{
	for (i = 1; i <= length(name); i++) {
		c = substr(name, i, 1)
		if (index("/:@%", c) || code[c] < 32 || code[c] == 127)
			c = sprintf("%%%02X", code[c])
		out = out c
	}
	return out
}

# split_csv LINE into f[1..]: RFC 4180, no line breaks inside a field
function split_csv(line, f,    n, c, i, quoted, cell)
{
	n = 0
	cell = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (quoted) {
			if (c != "\"")
				cell = cell c
			else if (substr(line, i + 1, 1) == "\"")
				cell = cell substr(line, ++i, 1)
			else
				quoted = 0
		} else if (c == "\"") {
			quoted = 1
		} else if (c == ",") {
			f[++n] = cell
			cell = ""
		} else {
			cell = cell c
		}
	}
	f[++n] = cell
	return n
}

function report(path, what)
{
	printf "%s: %s\n", path, what
	differences++
}

function magnitude(x) { return x < 0 ? -x : x }

function above(path)
{
	sub(/[:\/][^:\/]*$/, "", path)
	return path == "" ? "/" : path
}

# doubt PATH: the relative error of the product of U / (sum of siblings' U) over all levels if each
# U is off by half a digit
function doubt(path,    up)
{
	up = above(path)
	if (parent[path])
		return doubt(up)
	if (path == "/" || norm[path] == 0)
		return 0
	return 0.5e-6 / norm[path] + 0.5e-6 * siblings[up] / below[up] + doubt(up)
}

# slack NAME PATH VALUE: the error of a number computed from rounded usage and U
function slack(name, path, value,    share)
{
	share = shares_of[path] + 0
	if (!rounded || name !~ /^(EffectvUsage|FairShare|LevelFS)$/)
		return 0
	# E is a fraction of the parent's usage, or a mean of U and the parent's E, or that product.
	if (name == "EffectvUsage" && rounded == "fairtree")
		return usage[above(path)] > 0 ? 0.005 * (1 + value) / usage[above(path)] : 0
	if (name == "EffectvUsage")
		return rounded == "classic" ? 0.5e-6 : value * doubt(path)
	if (share <= 0)
		return 2e-6
	if (name == "FairShare")
		return 2e-6 / share
	return magnitude(value) * 2e-6 / (share < 1e-6 ? 1e-6 : share) + 2e-6
}

# same NAME PATH PRINTED VALUE: would VALUE (fairtop's) be printed as PRINTED (sshare's)?
function same(name, path, printed, value)
{
	if (printed == value)
		return 1
	if (printed == "" && name == "RawShares" && path == "/")
		return 1
	if (printed == "" && name == "LevelFS" && parent[path])
		return 1
	# Since 25.11 sshare prints no factor of accounts, so there is nothing to compare.
	if (printed == "" && name == "FairShare" && path !~ /:/)
		return 1
	if (printed !~ /^[-0-9.e+]+$/ || value !~ /^[-0-9.e+]+$/)
		return 0
	if (name == "RawShares")
		return printed + 0 == value + 0
	if (name == "RawUsage" && rounded)
		return value + 0 >= printed - 0.005 && value + 0 <= printed + 1.005
	if (name == "RawUsage")
		return printed + 0 == int(value + 0)
	return magnitude(printed - value) <= 0.5000001e-6 + 1e-9 * magnitude(printed) + \
	    slack(name, path, printed)
}

FNR == 1 { file++ }

file == 1 && FNR == 1 {
	n = split($0, head, "|")
	for (i = 1; i <= n; i++)
		at[head[i]] = i
	next
}

file == 1 {
	n = split($0, f, "|")
	match(f[1], /^ */)
	depth = RLENGTH
	name = substr(f[1], depth + 1)
	if (f[2] == "") {
		chain[depth] = depth == 0 ? "" : chain[depth - 1] "/" escape(name)
		path = depth == 0 ? "/" : chain[depth]
	} else {
		path = (depth == 1 ? "/" : chain[depth - 1]) ":" escape(f[2])
		if (f[at["Partition"]] != "")
			path = path "@" escape(f[at["Partition"]])
	}
	if (path in known)
		report(path, "twice in sshare's output")
	known[path] = 1
	rows++
	for (q = 1; q <= quantities; q++)
		if (theirs[q] in at)
			value[path, q] = f[at[theirs[q]]]
	parent[path] = f[at["RawShares"]] == "parent"
	shares_of[path] = f[at["NormShares"]]
	usage[path] = f[at["RawUsage"]]
	norm[path] = f[at["NormUsage"]] + 0
	if (path != "/" && !parent[path]) {
		below[above(path)] += norm[path]
		siblings[above(path)]++
	}
	next
}

FNR == 1 {
	n = split_csv($0, head)
	for (i = 1; i <= n; i++)
		column[head[i]] = i
	for (q = 1; q <= quantities; q++)
		if (!(ours[q] in column))
			report("header", "no column " ours[q])
	if (!("path" in column))
		report("header", "no column path")
	next
}

{
	split_csv($0, f)
	path = f[column["path"]]
	if (!(path in known)) {
		report(path, "not in sshare's output")
		next
	}
	delete known[path]
	for (q = 1; q <= quantities; q++) {
		if (!(theirs[q] in at))
			continue
		if (!same(theirs[q], path, value[path, q], f[column[ours[q]]]))
			report(path, theirs[q] " is " (value[path, q] == "" ? "blank" : value[path, q]) \
			    ", " ours[q] " says " (f[column[ours[q]]] == "" ? "nothing" : \
			    f[column[ours[q]]]))
	}
}

END {
	for (path in known)
		report(path, "missing in fairtop's output")
	if (rows < 2)
		report("sshare", "has only " rows + 0 " rows")
	exit differences > 0
}
