/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pasted: restores what a command printed from output that people saved or pasted.
 *
 * A terminal, a chat or a web page leaves marks in a saved output: colours, a byte order mark,
 * no-break spaces. Around it there may be a prompt, a banner of sudo, a message from standard
 * error. Line numbers do not change, so that an error names the line people see.
 */
#ifndef FAIRTOP_ADAPTERS_PASTED_H
#define FAIRTOP_ADAPTERS_PASTED_H

#include "adapters/slice.h"

/*
 * Removes from TEXT, which is NUL-ended, a byte order mark and the escape sequences of a terminal
 * (ECMA-48: CSI, OSC and the like), and turns a no-break space into a blank.
 */
void pasted_clean(char *text, size_t *length);

/*
 * Blanks out what is around the JSON object in TEXT: before the first line that begins with a
 * brace, and behind the last brace. REMARK, of SIZE bytes, becomes the last line behind it for
 * which pasted_is_remark() is true, or "".
 */
void pasted_json(char *text, size_t length, char *remark, size_t size);

/*
 * Is LINE a message from standard error ("sprio: error: ...", "bash: line 1: ...", "slurm_load_jobs
 * error: ...", "Connection to login1 closed."), the end of a session, or what a writer put in place
 * of lines ("...", "[...]") or around them ("```")?
 */
bool pasted_is_remark(struct slice line);

/*
 * Blanks out lines of TEXT that are remarks or prompts; # begins a comment in TEXT. REMARK, of SIZE
 * bytes, becomes the first such line, or "".
 */
void pasted_lines(char *text, size_t length, char *remark, size_t size);

/* Does LINE begin with a shell's prompt ("[me@login ~]$ sshare", "$ exit", "bash-5.1$")? */
bool pasted_is_prompt(struct slice line);

#endif
