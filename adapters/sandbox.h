/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: a process that is about to read what others wrote shuts itself in.
 *
 * From then on it and its threads can do what sandbox_calls.c allows: read files, compute, and
 * write into what is open; a few may do one thing more. Landlock (where the kernel has it) and
 * seccomp (where fairtop is built with libseccomp) each do what they can; without both all that is
 * left is that no program gives it rights that it has not (PR_SET_NO_NEW_PRIVS). There is no way
 * back.
 *
 * FAIRTOP_SANDBOX=off in the environment, which --no-sandbox sets, turns it off.
 */
#ifndef FAIRTOP_ADAPTERS_SANDBOX_H
#define FAIRTOP_ADAPTERS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

enum sandbox_who {
	SANDBOX_READS,		/* what others wrote */
	SANDBOX_IMPORTS,	/* logs into a recording, which SQLite opens by its name */
	SANDBOX_ASKS,		/* a scheduler: the helper */
	SANDBOX_WHO
};

/*
 * Before the process has a second thread. OUTPUT: of who imports, a descriptor of the file that may
 * be opened for writing; without Landlock any may. Else -1.
 */
void sandbox_enter(enum sandbox_who who, int output);
bool sandbox_is_off(void);

/*
 * What there is, and what a process that is shut in was seen to be able to: a line each. True if
 * sandbox_powers (sandbox_calls.h) holds here.
 */
bool sandbox_status(char *buf, size_t size);

/*
 * Who runs this may not be whose rights it has (set-user-ID, set-group-ID, capabilities): programs
 * are then looked for where the system keeps them, not where PATH says, and neither the loader's
 * variables (LD_...) nor those that name a program of ours (FAIRTOP_...) are believed or handed on.
 */
void sandbox_environment(void);

#endif
