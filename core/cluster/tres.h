/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres: lists of trackable resources as Slurm writes them.
 *
 *	list = item { "," item } ;  item = type [ "/" name ] "=" number [ unit ]
 *
 * Two meanings: counts "cpu=3,mem=31250G,gres/gpu=2" (as squeue and scontrol print them) and
 * weights "CPU=1.0,Mem=0.25G,GRES/gpu=20" (TRESBillingWeights, PriorityWeightTRES). Memory and
 * burst buffers are counted in MiB, all else in ones; units are K M G T P (and E in counts), case
 * ignored. Sources: slurm.conf(5); slurm_get_tres_weight_array().
 */
#ifndef FAIRTOP_CORE_CLUSTER_TRES_H
#define FAIRTOP_CORE_CLUSTER_TRES_H

#include "core/base/err.h"

#define TRES_NAME_MAX 128

struct tres_pair {
	char name[TRES_NAME_MAX];	/* lower case: "cpu", "gres/gpu", "license/matlab" */
	double value;
};

/*
 * Calls EACH for every item in order, items that repeat included (the last one counts). Stops when
 * EACH returns false, and then returns false itself with the error that EACH set. An empty TEXT
 * has no items. ERR_INPUT names the item that cannot be read and says what was expected.
 *
 * Counts: a unit multiplies by 1024 per step from the base, so mem=2G is 2048 (MiB) and mem=512K
 * is 0.5. Negative counts are errors.
 * Weights: a unit above the base divides by 1024 per step, one at or below it changes nothing:
 * Mem=0.25G is 0.25/1024 per MiB, Mem=1K is 1. Only the first character of the unit is read.
 */
typedef bool tres_each(void *context, const struct tres_pair *pair, struct err *err);
bool tres_parse_counts(const char *text, tres_each *each, void *context, struct err *err);
bool tres_parse_weights(const char *text, tres_each *each, void *context, struct err *err);

/* Is NAME (lower case) of a type that slurmctld knows, and has a name if its type needs one? */
bool tres_is_type(const char *name, struct err *err);

#endif
