/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_conf: slurm.conf.
 *
 * One or several Key=Value per line; keys ignore case, values with blanks are in double quotes. "#"
 * begins a comment unless a backslash precedes it; a backslash at the end continues the line;
 * "Include FILE" reads another file, relative to the directory of the first, with %c replaced by
 * the cluster. Source: slurm.conf(5) and src/common/parse_config.c.
 *
 * Only the parameters of struct policy are ever kept: passwords and keys (AccountingStoragePass,
 * AuthAltParameters, ...) are skipped and stored nowhere.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_PARSE_CONF_H
#define FAIRTOP_ADAPTERS_SLURM_PARSE_CONF_H

#include "adapters/slice.h"
#include "adapters/slurm/slurm_text.h"

struct slurm_conf_pair {
	const char *file;
	uint32_t line;			/* first line of its logical line */
	struct slice head;		/* first key of its line: "NodeName", ... */
	struct slice key, value;
};

/*
 * Called for each pair in order; for an Include line with key "Include" and the file as value.
 * False ends the reading with the error it set. The slices are valid during the call.
 */
typedef bool slurm_conf_each(void *context, const struct slurm_conf_pair *pair, struct err *err);

/* Reads a text; includes are left to EACH. ERR_INPUT, "NAME:LINE: ...". */
bool slurm_conf_scan(const struct slurm_text *text, slurm_conf_each *each, void *context,
		     struct err *err);

/*
 * Reads a file and its includes; each pair has the name of its file. The limits are 8 levels, 1000
 * includes and 16 MB in all; without them nested includes could multiply without end.
 */
bool slurm_conf_read(const char *path, slurm_conf_each *each, void *context, struct err *err);

/*
 * Are the includes of PATH within these limits, as far as they can be read? libslurm has no limits:
 * it reads until memory or time runs out. Other errors are left to libslurm. ERR_SOURCE.
 */
bool slurm_conf_ends(const char *path, struct err *err);

/*
 * Copies the name of the cluster in the text of KIND, a slurm.conf or the output of scontrol show
 * config, to NAME of SIZE bytes; "" if it has none.
 */
void slurm_config_cluster(const struct slurm_texts *texts, enum slurm_kind kind, char *name,
			  size_t size);

/* Is it a parameter of the cluster, not of one node or partition? */
bool slurm_conf_is_global(const struct slurm_conf_pair *pair);

/*
 * Sets the parameter KEY of POLICY, if it has one of that name. A text longer than its member is
 * cut at a comma, and *CUT set. ERR_INPUT for values that cannot be read.
 */
bool slurm_conf_policy(struct policy *policy, struct slice key, struct slice value, bool *cut,
		       struct err *err);

#endif
