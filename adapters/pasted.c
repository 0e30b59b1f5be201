/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/pasted.h"

#include <stdio.h>
#include <string.h>

#include "core/base/word.h"

#define ESCAPE '\033'
#define BELL '\a'
#define PROMPT_MAX 100		/* bytes, including its sign */

/* Characters of a program's name; it begins with a small letter: CLUSTER: and QUEUE: are titles. */
static bool is_name_char(char c, bool first)
{
	if (c >= 'a' && c <= 'z')
		return true;
	return first ? c == '/' || c == '-' : word_is_digit(c) ||
		(c >= 'A' && c <= 'Z') || (c && strchr("_-./()", c));
}

/* ---- cleaning ------------------------------------------------------------------------------ */

/* A string up to BEL or ESC \, on one line: an operating system command or its like. */
static size_t string_length(struct slice s)
{
	for (size_t n = 2; n < s.length && s.at[n] != '\n'; n++) {
		if (s.at[n] == BELL)
			return n + 1;
		if (s.at[n] == ESCAPE && n + 1 < s.length && s.at[n + 1] == '\\')
			return n + 2;
	}
	return 2;
}

/* Length of the escape sequence at the beginning of S, including ESC. */
static size_t escape_length(struct slice s)
{
	size_t n = 1;

	if (s.length < 2 || s.at[1] == '\n')
		return 1;
	if (strchr("]PX^_", s.at[1]))
		return string_length(s);
	if (s.at[1] == '[') {
		/* Parameters and intermediates, then one final byte. */
		for (n = 2; n < s.length && s.at[n] >= ' ' && s.at[n] <= '?'; n++)
			;
		return n < s.length && s.at[n] >= '@' && s.at[n] <= '~' ? n + 1 : n;
	}
	while (n < s.length && s.at[n] >= ' ' && s.at[n] <= '/')
		n++;
	return n < s.length && s.at[n] != '\n' ? n + 1 : n;
}

void pasted_clean(char *text, size_t *length)
{
	struct slice rest = { text, *length };
	size_t used = 0;

	if (slice_starts(rest, "\xef\xbb\xbf"))
		rest = slice_from(rest, 3);
	else if (!memchr(text, ESCAPE, *length) && !memchr(text, 0xc2, *length))
		return;			/* nearly all texts; they may have hundreds of MB */
	while (rest.length > 0) {
		if (rest.at[0] == ESCAPE) {
			rest = slice_from(rest, escape_length(rest));
		} else if (slice_starts(rest, "\xc2\xa0")) {
			text[used++] = ' ';
			rest = slice_from(rest, 2);
		} else {
			text[used++] = rest.at[0];
			rest = slice_from(rest, 1);
		}
	}
	text[used] = '\0';
	*length = used;
}

/* ---- around the output --------------------------------------------------------------------- */

static void blank_out(char *text, size_t from, size_t to)
{
	for (; from < to; from++) {
		if (text[from] != '\n')
			text[from] = ' ';
	}
}

void pasted_json(char *text, size_t length, char *remark, size_t size)
{
	struct slice rest = { text, length }, line = { text, 0 };
	const char *last = memrchr(text, '}', length);

	remark[0] = '\0';
	while (slice_line(&rest, &line) && !slice_starts(slice_trim(line), "{"))
		;
	if (!slice_starts(slice_trim(line), "{") || !last)
		return;
	blank_out(text, 0, (size_t)(line.at - text));
	rest = (struct slice){ last + 1, (size_t)(text + length - last) - 1 };
	while (slice_line(&rest, &line)) {
		line = slice_trim(line);
		if (pasted_is_remark(line))
			(void)snprintf(remark, size, "%.*s", SLICE_PRINT(line));
	}
	blank_out(text, (size_t)(last + 1 - text), length);
}

/* "...", "[...]", "(...)", the ellipsis sign: lines were left out. "```": a quote. */
static bool is_cut(struct slice word)
{
	bool dots = slice_starts(word, "```");

	for (size_t i = 0; i < word.length && !dots; i++) {
		dots = slice_starts(slice_from(word, i), "...") ||
		       slice_starts(slice_from(word, i), "\xe2\x80\xa6");
		if (!dots && word.at[i] != '[' && word.at[i] != '(' && word.at[i] != '<')
			break;
	}
	return dots;
}

bool pasted_is_remark(struct slice line)
{
	struct slice rest = line, word;
	size_t n = 0;

	if (!slice_word(&rest, &word))
		return false;
	if (is_cut(word) && slice_trim(rest).length == 0)
		return true;
	while (n < word.length && is_name_char(word.at[n], n == 0))
		n++;
	/* Cells of a table are further apart. */
	if (n > 0 && n + 1 == word.length && word.at[n] == ':')
		return rest.length > 1 && rest.at[1] != ' ';
	if (slice_is(word, "Connection") && slice_word(&rest, &word))
		return slice_is(word, "to") || slice_is(word, "closed");
	if (slice_is(word, "Couldn't") || slice_is(line, "logout"))
		return true;
	return n == word.length && slice_word(&rest, &word) &&
	       (slice_is(word, "error:") || slice_is(word, "warning:") ||
		slice_is(word, "fatal:"));
}

/* Is HEAD the beginning of a prompt, before its sign: "[me@login ~]", "bash-5.1"? */
static bool is_prompt_head(struct slice head)
{
	if (head.length == 0 || head.at[0] == '[' || head.at[0] == '(')
		return true;
	return (head.at[0] == '~' || is_name_char(head.at[0], true)) &&
	       (!memchr(head.at, ' ', head.length) || memchr(head.at, '@', head.length) ||
		memmem(head.at, head.length, ":~", 2));
}

bool pasted_is_prompt(struct slice line)
{
	if (line.length == 0 || line.at[0] == ' ')
		return false;
	if (slice_starts(line, "\xe2\x9d\xaf") || slice_starts(line, "\xe2\x9e\x9c"))	/* arrows */
		return true;
	for (size_t i = 0; i < line.length && i < PROMPT_MAX; i++) {
		struct slice command = slice_from(line, i + 1);

		if (!strchr("$#%>", line.at[i]) || !line.at[i])
			continue;
		/* Cells of a table are further apart. */
		if ((command.length == 0 || (command.at[0] == ' ' &&
		     (command.length == 1 || command.at[1] != ' '))) &&
		    (line.at[i] != '>' || i == 0 || memchr(line.at, '@', i)))
			return is_prompt_head((struct slice){ line.at, i });
	}
	return false;
}

void pasted_lines(char *text, size_t length, char *remark, size_t size)
{
	struct slice rest = { text, length }, line;

	remark[0] = '\0';
	while (slice_line(&rest, &line)) {
		if (slice_starts(line, "#") || (!pasted_is_remark(line) && !pasted_is_prompt(line)))
			continue;
		if (!remark[0])
			(void)snprintf(remark, size, "%.*s", SLICE_PRINT(line));
		blank_out(text, (size_t)(line.at - text), (size_t)(line.at - text) + line.length);
	}
}
