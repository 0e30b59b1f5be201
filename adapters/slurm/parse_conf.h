/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_conf: slurm.conf.
 *
 * One or several Key=Value on a line, keys without regard to case, values in double quotes when
 * they hold blanks; "#" begins a comment unless a backslash stands before it; a backslash at the
 * end continues the line; "Include FILE" reads another file, relative to the directory of the
 * first, %c in it being the cluster. Source: slurm.conf(5) and src/common/parse_config.c.
 *
 * Only the parameters of struct policy are ever kept: passwords and keys (AccountingStoragePass,
 * AuthAltParameters, ...) are passed over and stored nowhere.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_PARSE_CONF_H
#define FAIRTOP_ADAPTERS_SLURM_PARSE_CONF_H

#include "adapters/slice.h"
#include "adapters/slurm/slurm_text.h"

struct slurm_conf_pair {
	const char *file;
	uint32_t line;			/* where its line begins */
	struct slice head;		/* key that its line begins with: "NodeName", ... */
	struct slice key, value;
};

/*
 * Sees each pair in turn, an Include line as key "Include" with the file as value; false ends the
 * reading with the error it set. The slices live until it returns.
 */
typedef bool slurm_conf_each(void *context, const struct slurm_conf_pair *pair, struct err *err);

/* Reads a text; includes are left to EACH. ERR_INPUT, "NAME:LINE: ...". */
bool slurm_conf_scan(const struct slurm_text *text, slurm_conf_each *each, void *context,
		     struct err *err);

/*
 * Reads a file with what it includes, each pair under the name of the file it stands in. 8 deep,
 * 1000 includes and 16 MB in all are the most: the product of what files include has no end else.
 */
bool slurm_conf_read(const char *path, slurm_conf_each *each, void *context, struct err *err);

/*
 * Is it within those bounds, as far as it can be read? libslurm has none: it reads until it is out
 * of memory or time. What else is wrong with it is for libslurm to say. ERR_SOURCE.
 */
bool slurm_conf_ends(const char *path, struct err *err);

/*
 * The name that the text of KIND, a slurm.conf or the output of scontrol show config, has for its
 * cluster, into NAME of SIZE bytes; "" if it has none.
 */
void slurm_config_cluster(const struct slurm_texts *texts, enum slurm_kind kind, char *name,
			  size_t size);

/* Is it a parameter of the cluster, and not of one node or partition? */
bool slurm_conf_is_global(const struct slurm_conf_pair *pair);

/*
 * Sets the parameter KEY of POLICY, if it has one of that name. A text longer than its member is
 * cut at a comma, and *CUT set. ERR_INPUT for values that cannot be read.
 */
bool slurm_conf_policy(struct policy *policy, struct slice key, struct slice value, bool *cut,
		       struct err *err);

#endif
