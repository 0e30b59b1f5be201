/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: a process that is about to read what others wrote shuts itself in.
 *
 * From then on it, its threads and its children can start no program, change no file but those
 * named, signal nobody, and, unless told, open no socket. What it has open stays open, and files
 * can be read. Landlock (where the kernel has it) and seccomp (where fairtop is built with
 * libseccomp) each do what they can; without both all that is left is that no program gives it
 * rights that it has not (PR_SET_NO_NEW_PRIVS). There is no way back.
 *
 * FAIRTOP_SANDBOX=off in the environment, which --no-sandbox sets, turns it off.
 */
#ifndef FAIRTOP_ADAPTERS_SANDBOX_H
#define FAIRTOP_ADAPTERS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#define SANDBOX_WRITABLE 3

struct sandbox {
	/*
	 * Files, and directories whose files may be made and written, as descriptors: what a name
	 * is of may change. Without Landlock one of them is as good as all.
	 */
	int writable[SANDBOX_WRITABLE];
	size_t writable_count;
	bool sockets;			/* it may talk to others: the helper, to a scheduler */
};

/* Before the process has a second thread. */
void sandbox_enter(const struct sandbox *s);
bool sandbox_is_off(void);

/* What there is, and what a process that is shut in was seen to be able to: a line each. */
void sandbox_status(char *buf, size_t size);

/*
 * Who runs this may not be whose rights it has (set-user-ID, set-group-ID, capabilities): programs
 * are then looked for where the system keeps them, not where PATH says, and neither the loader's
 * variables (LD_...) nor those that name a program of ours (FAIRTOP_...) are believed or handed on.
 */
void sandbox_environment(void);

#endif
