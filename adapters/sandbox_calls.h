/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox_calls: what who is shut in may ask of the kernel, by name. All else is refused (EPERM).
 * The table is what the filter is made from, what --sandbox-status prints and SECURITY.md says.
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
 * A condition of a call that is allowed: its argument ARG, of which MASK is looked at, is VALUE. A
 * call that has several is allowed by each; one that has none always.
 */
struct sandbox_condition {
	const char *call;
	unsigned who;			/* as above */
	unsigned arg;
	unsigned mask, value;		/* SANDBOX_SELF: the process that is shut in */
};
#define SANDBOX_SELF 0xffffffffu

extern const struct sandbox_condition sandbox_conditions[];
extern const size_t sandbox_conditions_count;

/*
 * The filter, for process SELF. FD < 0: this process has it from now on. Else it is written to FD,
 * as the kernel takes it, for architecture ARCH (SCMP_ARCH_..., libseccomp). False if there is no
 * libseccomp, or the kernel does not take it.
 */
bool sandbox_calls_filter(enum sandbox_who who, unsigned arch, int self, int fd);

/* Whether there is one, in words. */
void sandbox_calls_text(char *buf, size_t size);

#endif
