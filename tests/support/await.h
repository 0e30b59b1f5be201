/* SPDX-License-Identifier: GPL-2.0-or-later */
/* await: waits for another thread or process; aborts the test if nothing happens within 60 s. */
#ifndef FAIRTOP_TESTS_SUPPORT_AWAIT_H
#define FAIRTOP_TESTS_SUPPORT_AWAIT_H

#include <stdatomic.h>
#include <sys/types.h>

/* Adds one to *COUNT and wakes await_count(). */
void await_count_up(atomic_uint *count);

/* Waits until *COUNT is at least LEAST. */
void await_count(atomic_uint *count, unsigned least);

/* Waits until the file NAME exists in the directory of scratch.h. */
void await_file(const char *name);

/* Waits until THREAD of this process has exactly one child, and that runs NAME. */
void await_only_child(pid_t thread, const char *name);

/* Waits until FD is readable or at its end. */
void await_input(int fd);

#endif
