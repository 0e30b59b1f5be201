/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/script.h"

#include <string.h>

#include "core/base/word.h"

/* #ff8000 is a word, # red a comment. */
static bool script_is_comment(const char *line, size_t length, size_t at, size_t words)
{
	return line[at] == '#' && (words == 0 || at + 1 == length || word_is_blank(line[at + 1]));
}

/* Copies one word that begins at line[*at]; *used counts the bytes of the buffer. */
static bool script_take_word(const char *line, size_t length, size_t *at, struct words *words,
			     size_t *used, struct err *err)
{
	char quote = '\0';
	size_t i = *at;

	words->start[words->count] = i;
	words->word[words->count++] = words->buffer + *used;
	for (; i < length && (quote != '\0' || !word_is_blank(line[i])); i++) {
		char c = line[i];
		if (quote == '\0' && (c == '\'' || c == '"')) {
			quote = c;
			continue;
		}
		if (c == quote && quote != '\0') {
			quote = '\0';
			continue;
		}
		if (quote == '"' && c == '\\' && i + 1 < length &&
		    (line[i + 1] == '"' || line[i + 1] == '\\'))
			c = line[++i];
		words->buffer[(*used)++] = c;
	}
	words->buffer[(*used)++] = '\0';
	*at = i;
	if (quote != '\0')
		return err_set(err, ERR_INPUT, "a %c is not closed", quote);
	return true;
}

bool script_split(const char *line, size_t length, struct words *words, struct err *err)
{
	size_t used = 0, at = 0;

	words->count = 0;
	/*
	 * Each word takes its bytes and a NUL; each but the first has at least one blank before it.
	 */
	if (length + 1 >= sizeof(words->buffer))
		return err_set(err, ERR_INPUT, "the line is longer than %zu bytes",
			       sizeof(words->buffer) - 2);
	for (;;) {
		while (at < length && word_is_blank(line[at]))
			at++;
		if (at == length || script_is_comment(line, length, at, words->count))
			return true;
		if (words->count == SCRIPT_WORDS)
			return err_set(err, ERR_INPUT, "more than %d words", SCRIPT_WORDS);
		if (!script_take_word(line, length, &at, words, &used, err))
			return false;
	}
}

bool script_run(const char *file, const char *text, size_t length, script_each *each, void *context,
		struct err *err)
{
	uint32_t number = 0;
	struct words words;

	for (size_t at = 0; at < length; ) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', length - at);
		size_t n = end ? (size_t)(end - line) : length - at;
		char copy[SCRIPT_LINE];

		number++;
		at += n + 1;
		if (!script_split(line, n, &words, err))
			return err_at(err, file, number);
		if (words.count == 0)
			continue;
		memcpy(copy, line, n);
		copy[n] = '\0';
		if (!each(context, copy, &words, err))
			return err_at(err, file, number);
	}
	return true;
}
