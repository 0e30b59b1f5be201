/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export: a what-if as the commands that make it true, or take it back.
 *
 * The text is a shell script: a header, then for each active edit a comment (what it is, when it
 * takes effect, or why there is no command) and its commands, in an order that works:
 *
 *	1. lines for slurm.conf (as comments, indented) and scontrol reconfigure first, because
 *	   reading the configuration again undoes what scontrol changed in partitions
 *	2. sacctmgr: add, move, modify, remove, in the order of the list
 *	3. scontrol update of partitions, then of jobs (a direct priority before a nice value, since
 *	   setting one clears the other)
 *
 * The inverse sets every changed value back to its value in BASE: configuration, jobs, partitions,
 * then sacctmgr, last edit first. Names are quoted for the shell. A name that sacctmgr itself would
 * split (commas, quotes, brackets, control characters) gets the reason instead of a command.
 * Nothing is executed.
 */
#ifndef FAIRTOP_CORE_WHATIF_EXPORT_H
#define FAIRTOP_CORE_WHATIF_EXPORT_H

#include "core/base/sink.h"
#include "core/whatif/whatif.h"

struct export_options {
	bool inverse;
	const struct calendar *calendar;	/* for the time in the header; NULL: none */
	const char *effect;	/* for the header, lines joined by newlines; "" for none */
};

/* BASE as read, EDITED as whatif_apply() returned it. False with the error of the sink. */
bool export_slurm(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		  const struct export_options *options, struct sink out, struct err *err);

/*
 * The same for PBS: qmgr and pbsfs commands, lines of resource_group and sched_config as comments;
 * for LSF: lines of lsb.queues as comments, and badmin reconfig.
 */
bool export_pbs(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		const struct export_options *options, struct sink out, struct err *err);
bool export_lsf(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		const struct export_options *options, struct sink out, struct err *err);

/*
 * Writes TEXT as one word of any shell, quoted where needed. Bytes that a terminal would act on or
 * hide are written as a printf command, except for line feeds at the end. Like snprintf.
 */
size_t export_quote(const char *text, char *buf, size_t size);

/* Can this name be passed to sacctmgr and scontrol unchanged? */
bool export_name_is_safe(const char *name);

#endif
