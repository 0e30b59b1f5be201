/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and running text as mdoc. */
#include "cli/docgen/docgen.h"

#include <stdbool.h>
#include <string.h>

#define DOC_LINE 72		/* columns of a line of text */

/* A character of running text; at the start of a line a dot would begin a macro. */
static void doc_char(FILE *out, char c)
{
	switch (c) {
	case '\\':
		fputs("\\e", out);
		break;
	case '-':
		fputs("\\-", out);
		break;
	case '\'':
		fputs("\\(aq", out);
		break;
	case '"':
		fputs("\\(dq", out);
		break;
	case '^':
		fputs("\\(ha", out);
		break;
	case '~':
		fputs("\\(ti", out);
		break;
	case '`':
		fputs("\\(ga", out);
		break;
	default:
		fputc(c, out);
	}
}

/* Whether a line ends here: after a sentence, and before a word that would make it too long. */
static bool doc_breaks(const char *blank, char before, size_t column)
{
	bool sentence = strchr(".?!", before) && blank[1] >= 'A' && blank[1] <= 'Z';

	return sentence || column + 1 + strcspn(blank + 1, " ") > DOC_LINE;
}

void doc_text(FILE *out, const char *text)
{
	size_t column = 0;
	char before = 'x';

	for (; *text; before = *text++) {
		if (column == 0 && *text == '.')
			fputs("\\&", out);
		column++;
		if (*text == ' ' && doc_breaks(text, before, column)) {
			fputc('\n', out);
			column = 0;
		} else if (*text == '-' && text[1] >= 'a' && text[1] <= 'z') {
			fputc('-', out);		/* a hyphen, not a minus */
		} else {
			doc_char(out, *text);
		}
	}
	fputc('\n', out);
}

void doc_word(FILE *out, const char *word)
{
	/* Short words may be names of macros, punctuation is moved out of quotes. */
	if (strlen(word) <= 2 || strchr(".,:;()[]?!|", word[0]))
		fputs("\\&", out);
	for (; *word; word++) {
		if (*word == ' ')
			fputs("\\ ", out);
		else
			doc_char(out, *word);
	}
}
