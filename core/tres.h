/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres: lists of trackable resources as Slurm writes them.
 *
 * Two grammars: counts "cpu=3,mem=31250G,gres/gpu=2" (as squeue and scontrol print them) and
 * weights "CPU=1.0,Mem=0.25G,GRES/gpu=20" (TRESBillingWeights, PriorityWeightTRES).
 */
#ifndef FAIRTOP_CORE_TRES_H
#define FAIRTOP_CORE_TRES_H

#include <stddef.h>

#include "core/err.h"

#define TRES_NAME_MAX 128

struct tres_pair {
	char name[TRES_NAME_MAX];	/* lower case type, "gres/gpu", "license/matlab" */
	double value;
};

/*
 * Calls EACH for every entry; stops when it returns false (and then returns false itself, with the
 * error EACH set). Counts: memory and burst buffer counts come out in MiB. Weights: a unit letter above the base divides by
 * 1024 per step (Mem=0.25G is 0.25/1024 per MiB). ERR_INPUT names the entry that cannot be read.
 */
typedef bool tres_each(void *context, const struct tres_pair *pair, struct err *err);
bool tres_parse_counts(const char *text, tres_each *each, void *context, struct err *err);
bool tres_parse_weights(const char *text, tres_each *each, void *context, struct err *err);

#endif
