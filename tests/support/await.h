/* SPDX-License-Identifier: GPL-2.0-or-later */
/* await: waiting for what another thread or process does; the test ends after 60 s in vain. */
#ifndef FAIRTOP_TESTS_SUPPORT_AWAIT_H
#define FAIRTOP_TESTS_SUPPORT_AWAIT_H

#include <stdatomic.h>
#include <sys/types.h>

/* One more, which await_count() waits for. */
void await_count_up(atomic_uint *count);

/* Until *COUNT is LEAST or more. */
void await_count(atomic_uint *count, unsigned least);

/* Until there is a file NAME in the directory of scratch.h. */
void await_file(const char *name);

/* Until there is no child of THREAD of this process any more but one that runs NAME. */
void await_only_child(pid_t thread, const char *name);

/* Until FD can be read, or is at its end. */
void await_input(int fd);

#endif
