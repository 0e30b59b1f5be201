/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts that model_new() is put together from.
 */
#ifndef FAIRTOP_CORE_SHARE_MODEL_PRIVATE_H
#define FAIRTOP_CORE_SHARE_MODEL_PRIVATE_H

#include "core/share/model.h"

/* running, pending and burn, from the jobs. Nothing if the source has no table of jobs. */
void workload_new(struct model *m);

void limits_new(const struct cluster *c, struct model_limits *limits);
void limits_free(struct model_limits *limits);

#endif
