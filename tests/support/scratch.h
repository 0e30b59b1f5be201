/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch: a private directory for the time that a test or a group of tests runs. */
#ifndef FAIRTOP_TESTS_SUPPORT_SCRATCH_H
#define FAIRTOP_TESTS_SUPPORT_SCRATCH_H

/* Set-up and teardown of a cmocka test or group; the teardown removes the files, too. */
int scratch_open(void **state);
int scratch_close(void **state);

/* The directory for temporary files: TMPDIR, or /tmp if TMPDIR is too long for socket paths. */
const char *scratch_parent(void);

#define SCRATCH_PATH_MAX 200

const char *scratch_directory(void);

/* Writes the path of NAME in the directory to PATH, and removes that file. Returns PATH. */
const char *scratch_path(const char *name, char path[SCRATCH_PATH_MAX]);

/* Copies the file FROM of the directory to TO, also in the directory. */
void scratch_copy(const char *from, const char *to);

#endif
