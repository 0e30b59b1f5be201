/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack: one association out of slurmctld's message, cheaper than libslurm does it.
 *
 * libslurm makes sixty pieces of memory of every association, reads each of the long doubles by
 * sscanf() and throws most of it away unread: of a message with 10,000 associations that is a
 * third of the time the whole answer takes. The functions that it does this with are exported, so
 * the two defined in unpack.c take their place in all of this process, as a malloc() of our own
 * would: slurmdb_unpack_assoc_rec_with_usage() and slurmdb_destroy_assoc_rec(). They give the
 * library's public struct, in one piece of memory, without what nobody here reads: texts of
 * limits, the cluster, the parent's name, valid QOS, limits per node; and where an array of limits
 * or of use says nothing, NULL stands for it.
 *
 * This knows the bytes of 22.05 and trusts them only after the first associations of the process
 * came out the same both ways. Of any other version, and of anything unusual in a message, the
 * library's own functions are in charge.
 */
#ifndef FAIRTOP_SLURM_HELPER_UNPACK_H
#define FAIRTOP_SLURM_HELPER_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include <slurm/slurmdb.h>

/*
 * The QOS of ASSOC by number in IDS, the first MOST of them. False: not told. Use this, not
 * ASSOC->qos_list, which is NULL in those that were made here.
 */
bool unpack_qos_ids(const slurmdb_assoc_rec_t *assoc, uint32_t *ids, uint32_t most,
		    uint32_t *count);

#endif
