/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vterm: a program on a pseudo-terminal, and what a person would see there (libvterm).
 *
 * Waiting is for something to be seen, with a generous limit, never for a time: a slow machine
 * makes a test slow, not wrong. A limit that is reached fails the test and shows the screen.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_VTERM_H
#define FAIRTOP_TESTS_SUPPORT_VTERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct vt;

/* Environment of the program: "NAME=value", NULL-ended, added to a clean one; "NAME" takes away. */
struct vt *vt_start(const char *const *argv, const char *const *environment, int width, int height);
void vt_free(struct vt *vt);		/* kills what still runs */

pid_t vt_pid(const struct vt *vt);
void vt_type(struct vt *vt, const char *bytes);
void vt_resize(struct vt *vt, int width, int height);	/* the kernel then sends SIGWINCH */
void vt_signal(struct vt *vt, int signal);

/*
 * Read what the program writes until TEXT stands somewhere on the screen (or no longer does), until
 * one of the modes below is as WANTED, until LEAST to MOST cells are on the terminal's own ground.
 * The frame is then complete, so that the rest of it can be looked at, too.
 */
void vt_wait_text(struct vt *vt, const char *text);
void vt_wait_no_text(struct vt *vt, const char *text);
void vt_wait(struct vt *vt, bool (*is)(const struct vt *vt), bool wanted);
void vt_wait_unpainted(struct vt *vt, size_t least, size_t most);
bool vt_has_text(struct vt *vt, const char *text);

/* Until the program has read all that was typed. */
void vt_wait_read(struct vt *vt);

const char *vt_screen(struct vt *vt); /* lines without trailing blanks; valid until the next call */

/* Waits for the end; the exit status, or 1000 + the signal that killed it. */
int vt_wait_exit(struct vt *vt);
void vt_wait_stopped(struct vt *vt);

/* The terminal itself. */
bool vt_alternate(const struct vt *vt);		/* on the alternate screen? */
bool vt_cursor_visible(const struct vt *vt);
bool vt_mouse(const struct vt *vt);
size_t vt_frames(const struct vt *vt);		/* that came between the marks of mode 2026 */
/* The last ring so far: "bell", or what an OSC 9 or 777 said, "9;text"; "": there was none. */
const char *vt_ring(const struct vt *vt);
bool vt_modes_restored(struct vt *vt);		/* termios as before the start */
const char *vt_since_alternate(const struct vt *vt); /* bytes after the alternate screen was left */

#endif
