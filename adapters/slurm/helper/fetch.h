/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picture: successive clusters from slurmctld, and what is kept between fetches.
 *
 * A fetch makes only the calls that `needs` requires. If nothing changed since the last picture, it
 * says so instead of sending it again.
 */
#ifndef FAIRTOP_SLURM_HELPER_PICTURE_H
#define FAIRTOP_SLURM_HELPER_PICTURE_H

#include "adapters/adapter.h"

struct helper_picture;

struct helper_picture *picture_new(void);
void picture_free(struct helper_picture *p);

/*
 * FETCH_NEW, FETCH_SAME or FETCH_FAILED; *REFUSED if this library and this slurmctld will never
 * understand each other.
 */
enum fetch_result picture_take(struct helper_picture *p, uint32_t needs, struct cluster **out,
			       bool *refused, struct err *err);

#endif
