/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ssh: any source of another host, "ssh:HOST/SOURCE".
 *
 * Runs `ssh HOST fairtop serve SOURCE` and speaks frames with it, like with a local helper. ssh
 * never asks for a password (BatchMode). FAIRTOP_SSH names another program that takes the same
 * arguments.
 */
#ifndef FAIRTOP_ADAPTERS_SSH_H
#define FAIRTOP_ADAPTERS_SSH_H

#include "adapters/adapter.h"

extern const struct source_ops ssh_source;

#endif
