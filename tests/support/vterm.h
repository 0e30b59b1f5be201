/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vterm: runs a program on a pseudo-terminal and gives what a person would see there (libvterm).
 *
 * Tests wait until something is shown, with a generous limit, never for a fixed time: a slow
 * machine makes a test slow, not wrong. At the limit the test fails and prints the screen.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_VTERM_H
#define FAIRTOP_TESTS_SUPPORT_VTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct vt;

/* ENVIRONMENT (NULL-ended) changes a clean one: "NAME=value" adds, "NAME" removes. */
struct vt *vt_start(const char *const *argv, const char *const *environment, int width, int height);
void vt_free(struct vt *vt);		/* kills the program if it still runs */

pid_t vt_pid(const struct vt *vt);
void vt_type(struct vt *vt, const char *bytes);
void vt_resize(struct vt *vt, int width, int height);	/* the kernel then sends SIGWINCH */
void vt_signal(struct vt *vt, int signal);

/*
 * Read what the program writes until TEXT is somewhere on the screen (or no longer is), until one
 * of the modes below is as WANTED, or until LEAST to MOST cells have the terminal's own background.
 * The frame is then complete, so that tests can look at the rest of it, too.
 */
void vt_wait_text(struct vt *vt, const char *text);
void vt_wait_no_text(struct vt *vt, const char *text);
void vt_wait(struct vt *vt, bool (*is)(const struct vt *vt), bool wanted);
void vt_wait_unpainted(struct vt *vt, size_t least, size_t most);
bool vt_has_text(struct vt *vt, const char *text);

/* Waits until the program has read everything that was typed. */
void vt_wait_read(struct vt *vt);

const char *vt_screen(struct vt *vt); /* lines without trailing blanks; valid until the next call */

/* Waits for the end; returns the exit status, or 1000 + the signal that killed it. */
int vt_wait_exit(struct vt *vt);
void vt_wait_stopped(struct vt *vt);

/* The terminal itself. */
bool vt_alternate(const struct vt *vt);		/* on the alternate screen? */
bool vt_cursor_visible(const struct vt *vt);
bool vt_mouse(const struct vt *vt);
size_t vt_frames(const struct vt *vt);		/* complete ones, between the marks of mode 2026 */
/* The last alert so far: "bell", or the text of an OSC 9 or 777, such as "9;text"; "": none. */
const char *vt_ring(const struct vt *vt);
bool vt_modes_restored(struct vt *vt);		/* termios as before the start */
const char *vt_since_alternate(const struct vt *vt); /* bytes after the alternate screen was left */

#endif
