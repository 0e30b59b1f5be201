/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox_calls: the system calls a sandboxed process may make, by name. Others are refused
 * (EPERM). The filter and the output of --sandbox-status use the table; SECURITY.md repeats it.
 */
#ifndef FAIRTOP_ADAPTERS_SANDBOX_CALLS_H
#define FAIRTOP_ADAPTERS_SANDBOX_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/sandbox.h"

struct sandbox_power {
	const char *what;		/* "read files": may, or may not */
	const char *calls;		/* names of system calls with a space between */
	unsigned who;			/* bits 1 << enum sandbox_who; 0: nobody */
};

extern const struct sandbox_power sandbox_powers[];
extern const size_t sandbox_powers_count;

/*
 * A condition for a call that is allowed: argument ARG, masked with MASK, equals VALUE. If a call
 * has several conditions, one that holds is enough; without conditions it is always allowed.
 */
struct sandbox_condition {
	const char *call;
	unsigned who;			/* as above */
	unsigned arg;
	unsigned mask, value;		/* SANDBOX_SELF: the sandboxed process */
};
#define SANDBOX_SELF 0xffffffffu

extern const struct sandbox_condition sandbox_conditions[];
extern const size_t sandbox_conditions_count;

/*
 * Makes the filter for process SELF. FD < 0: applies it to this process. Else writes it to FD in
 * the kernel's format, for architecture ARCH (SCMP_ARCH_..., libseccomp). False if there is no
 * libseccomp, or the kernel refuses it.
 */
bool sandbox_calls_filter(enum sandbox_who who, unsigned arch, int self, int fd);

/* Says in words whether there is a filter. */
void sandbox_calls_text(char *buf, size_t size);

#endif
