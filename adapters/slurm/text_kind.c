/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises the command that printed a text by its content, if its name does not decide. */
#include <string.h>

#include "adapters/slurm/text_table.h"
#include "core/cluster/policy.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define TITLES_MAX 9
#define HEAD_BYTES 16384		/* searched for the kind */

/* Beginnings of lines that occur in one kind of output only. */
static const struct {
	const char *begin;
	enum slurm_kind kind;
} line_signs[] = {
	{ "JobId=", SLURM_JOB },
	{ "ReservationName=", SLURM_RESERVATION },
	{ "LicenseName=", SLURM_LICENSE },
	{ "sdiag output at ", SLURM_SDIAG },
	{ "Configuration data as of ", SLURM_CONFIG },
	{ "Association Records", SLURM_ASSOC_MGR },
	{ "Current Association Manager state", SLURM_ASSOC_MGR },
	{ "Cluster - '", SLURM_DUMP },
	{ "# To edit this file start with a cluster line", SLURM_DUMP },
};

/* Titles of tables: the first, and one of the others. */
static const struct {
	enum slurm_kind kind;
	const char *first, *others[TITLES_MAX];
} table_signs[] = {
	{ SLURM_SPRIO, "JOBID", { "AGE", "ASSOC", "FAIRSHARE", "JOBSIZE", "SITE" } },
	{ SLURM_SQUEUE, "JOBID", { "ST", "STATE", "TIME", "NODES", "NODELIST(REASON)", "REASON",
				   "NODELIST", "START_TIME", "TIME_LIMIT" } },
	{ SLURM_SSHARE, "Account", { "RawShares", "NormShares", "RawUsage", "EffectvUsage",
				     "FairShare", "LevelFS" } },
	{ SLURM_USER, "User", { "Def Acct", "DefaultAccount", "Admin", "AdminLevel" } },
	{ SLURM_ASSOC, "Account", { "Share", "ParentName", "Par Name", "LFT", "GrpTRESMins" } },
	{ SLURM_QOS, "Name", { "UsageFactor", "GraceTime", "Priority" } },
	{ SLURM_TRES, "Type", { "ID" } },
	{ SLURM_CLUSTER, "Cluster", { "ControlHost" } },
};

/* The kind by the first list. */
static enum slurm_kind kind_of_json(struct slice s)
{
	const char *shares = memmem(s.at, s.length, "\"shares\"", 8);
	const char *jobs = memmem(s.at, s.length, "\"jobs\"", 6);

	if (shares && (!jobs || shares < jobs))
		return SLURM_SSHARE_JSON;
	return jobs ? SLURM_SQUEUE_JSON : SLURM_KINDS;
}

/* The kind by the first such line, whose number is *AT; UINT32_MAX and SLURM_KINDS if none. */
static enum slurm_kind kind_by_lines(const struct slurm_text *text, uint32_t *at)
{
	struct slice rest = { text->text, text->length }, line;

	for (*at = 1; slice_line(&rest, &line); (*at)++) {
		for (size_t i = 0; i < COUNT_OF(line_signs); i++) {
			if (slice_starts(line, line_signs[i].begin))
				return line_signs[i].kind;
		}
		if (slice_starts(slice_trim(line), "{"))
			return kind_of_json((struct slice){ line.at, (size_t)(text->text +
							    text->length - line.at) });
	}
	*at = UINT32_MAX;
	return SLURM_KINDS;
}

/* The kind by the first header before line AT; else KIND. */
static enum slurm_kind kind_by_titles(const struct slurm_text *text, enum slurm_kind kind,
				      uint32_t at)
{
	struct text_table t;

	for (size_t i = 0; i < COUNT_OF(table_signs); i++) {
		if (!table_open(&t, text, table_signs[i].first, false, NULL))
			continue;
		for (size_t k = 0; k < TITLES_MAX && table_signs[i].others[k] && t.line < at; k++) {
			if (table_column(&t, table_signs[i].others[k], 0) == TABLE_NO_COLUMN)
				continue;
			kind = table_signs[i].kind;
			at = t.line;
		}
	}
	return kind;
}

/* "Key=Value" in a slurm.conf, "Key   = Value" of scontrol; and records that both have. */
static enum slurm_kind kind_by_parameters(const struct slurm_text *text)
{
	struct slice rest = { text->text, text->length }, line, key, name;
	enum slurm_kind record = SLURM_KINDS;

	while (slice_line(&rest, &line)) {
		if (slice_starts(line, " ") || !slice_piece(&line, '=', &key) || line.length == 0)
			continue;
		name = slice_trim(key);
		if (policy_param_by_name(name.at, name.length) != policy_params_count ||
		    slice_same(name, "SlurmctldHost"))
			return name.length < key.length ? SLURM_CONFIG : SLURM_CONF;
		if (slice_is(name, "PartitionName"))
			record = SLURM_PARTITION;
		else if (slice_is(name, "NodeName"))
			record = SLURM_NODE;
	}
	return record;
}

enum slurm_kind slurm_kind_of(const struct slurm_text *text)
{
	struct slurm_text head = *text;
	enum slurm_kind kind;
	uint32_t at;

	if (head.length > HEAD_BYTES)
		head.length = HEAD_BYTES;
	kind = kind_by_lines(&head, &at);
	kind = kind_by_titles(&head, kind, at);
	return kind == SLURM_KINDS ? kind_by_parameters(&head) : kind;
}
