/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pasted: outputs as people save and paste them, made into what the command printed.
 *
 * A terminal, a chat or a web page leaves marks in a saved output: colours, a byte order mark,
 * blanks that are none. Around it stand a prompt, a banner of sudo, a message from standard error.
 * Lines keep their numbers, so that an error names the line people see.
 */
#ifndef FAIRTOP_ADAPTERS_PASTED_H
#define FAIRTOP_ADAPTERS_PASTED_H

#include "adapters/slice.h"

/*
 * Takes out of TEXT, which is NUL-ended, a byte order mark and the escape sequences of a terminal
 * (ECMA-48: CSI, OSC and the like), and makes a no-break space a blank.
 */
void pasted_clean(char *text, size_t *length);

/*
 * Blanks out what stands around the JSON object in TEXT: before the first line that begins with a
 * brace, and behind the last brace. REMARK, of SIZE bytes, becomes the last line behind it that
 * pasted_is_remark(), or "".
 */
void pasted_json(char *text, size_t length, char *remark, size_t size);

/*
 * Is LINE what a program says on standard error ("sprio: error: ...", "bash: line 1: ...",
 * "slurm_load_jobs error: ...", "Connection to login1 closed."), the end of a session, or what a
 * writer put in the place of lines ("...", "[...]") or around them ("```")?
 */
bool pasted_is_remark(struct slice line);

/*
 * Blanks out the lines of TEXT, whose comments begin with #, that are remarks or prompts. REMARK,
 * of SIZE bytes, becomes the first of them, or "".
 */
void pasted_lines(char *text, size_t length, char *remark, size_t size);

/* Does LINE begin with a shell's prompt ("[me@login ~]$ sshare", "$ exit", "bash-5.1$")? */
bool pasted_is_prompt(struct slice line);

#endif
