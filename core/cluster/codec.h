/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec: a sealed cluster as bytes and back, for the frames between fairtop and its helpers.
 *
 * Driven by the fields table: each present column travels as field name, type and packed
 * little-endian values, so a reader of another version skips unknown columns, and columns not sent
 * are unknown. Decoding trusts nothing: every length, handle and row is checked, and the result
 * passes builder_seal().
 */
#ifndef FAIRTOP_CORE_CLUSTER_CODEC_H
#define FAIRTOP_CORE_CLUSTER_CODEC_H

#include "core/cluster/cluster.h"
#include "core/base/sink.h"

#define CODEC_VERSION 2	/* 1 had no last_backfill */

bool codec_write(const struct cluster *c, struct sink sink, struct err *err);
struct cluster *codec_read(const void *bytes, size_t length, struct err *err);

#endif
