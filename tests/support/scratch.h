/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch: a directory of a test program's own, for as long as a test or a group of them runs. */
#ifndef FAIRTOP_TESTS_SUPPORT_SCRATCH_H
#define FAIRTOP_TESTS_SUPPORT_SCRATCH_H

/* Set-up and teardown of a cmocka test or group; what is left in it goes, too. */
int scratch_open(void **state);
int scratch_close(void **state);

/* Where temporary files go: TMPDIR, unless it is too long for the paths of sockets; else /tmp. */
const char *scratch_parent(void);

#define SCRATCH_PATH_MAX 200

const char *scratch_directory(void);

/* The path of file NAME in it, which is not there (any more); returns PATH. */
const char *scratch_path(const char *name, char path[SCRATCH_PATH_MAX]);

/* FROM to TO, which is a file of the directory, too. */
void scratch_copy(const char *from, const char *to);

#endif
