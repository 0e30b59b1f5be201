/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: a process that is about to read foreign data reduces its own rights.
 *
 * From then on it and its threads can only do what sandbox_calls.c allows: read files, compute, and
 * write to open descriptors; some may do one thing more. Landlock (if the kernel has it) and
 * seccomp (if fairtop is built with libseccomp) each enforce what they can; without both, all that
 * remains is that no program can give it new rights (PR_SET_NO_NEW_PRIVS). It cannot be undone.
 *
 * FAIRTOP_SANDBOX=off in the environment, which --no-sandbox sets, turns it off.
 */
#ifndef FAIRTOP_ADAPTERS_SANDBOX_H
#define FAIRTOP_ADAPTERS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

enum sandbox_who {
	SANDBOX_READS,		/* data written by others */
	SANDBOX_IMPORTS,	/* logs into a recording, which SQLite opens by its name */
	SANDBOX_ASKS,		/* a scheduler: for the helper */
	SANDBOX_WHO
};

/*
 * Call before the process has a second thread. OUTPUT: for SANDBOX_IMPORTS a descriptor of the file
 * that may be opened for writing (without Landlock any file may); else -1.
 */
void sandbox_enter(enum sandbox_who who, int output);
bool sandbox_is_off(void);

/*
 * Lists, one per line, what is available, and what a sandboxed test process was able to do. True if
 * sandbox_powers (sandbox_calls.h) is enforced here.
 */
bool sandbox_status(char *buf, size_t size);

/*
 * For a program that may run with other rights than its user's (set-user-ID, set-group-ID,
 * capabilities): programs are then searched in the system's directories, not in PATH, and variables
 * of the loader (LD_...) and those that name our programs (FAIRTOP_...) are neither used nor passed
 * on.
 */
void sandbox_environment(void);

#endif
