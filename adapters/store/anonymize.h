/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anonymize: a cluster in which nobody can be recognised.
 *
 * Names of users, accounts, jobs and reservations become pseudonyms: the first 50 bits of
 * SipHash-2-4 (Aumasson, Bernstein, 2012) of the name under a key, so that with one key a name
 * always has the same pseudonym, and nobody without the key can test names. Numeric user ids,
 * groups, directories and texts written by people are left out; of a note only the words of its
 * reader stay, and none if it came from another program or a file. The name of the account "root"
 * stays, and those of machines, queues, partitions, QOS, licenses and resources.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_ANONYMIZE_H
#define FAIRTOP_ADAPTERS_STORE_ANONYMIZE_H

#include "core/cluster/cluster.h"

#define ANONYMIZE_KEY 16	/* bytes */
#define PSEUDONYM_MAX 16

uint64_t siphash(const unsigned char key[ANONYMIZE_KEY], const void *bytes, size_t length);

/* A new cluster; NULL with err only if two names have the same pseudonym. */
struct cluster *anonymize(const struct cluster *c, const unsigned char key[ANONYMIZE_KEY],
			  struct err *err);

#endif
