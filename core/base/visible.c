/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/visible.h"

#include <stdio.h>
#include <string.h>

struct visible_range {
	uint32_t first, last;
};

/*
 * Characters that a terminal acts upon, that reorder or hide text, or that have no shape of their
 * own. Source: Unicode 15, general categories Cc, Cf, Zl, Zp, and the noncharacters.
 */
static const struct visible_range hidden[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x00ad, 0x00ad }, { 0x034f, 0x034f },
	{ 0x0600, 0x0605 }, { 0x061c, 0x061c }, { 0x06dd, 0x06dd }, { 0x070f, 0x070f },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xd800, 0xdfff },
	{ 0xe000, 0xf8ff }, { 0xfdd0, 0xfdef }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff }, { 0x110bd, 0x110bd },
	{ 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0x10ffff },
};

static bool is_hidden(uint32_t c)
{
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		if (c <= hidden[i].last)
			return c >= hidden[i].first;
	}
	return true;
}

size_t utf8_decode(const char *string, size_t length, uint32_t *code_point)
{
	const unsigned char *s = (const unsigned char *)string;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t need;
	uint32_t c;

	if (length == 0)
		return 0;
	*code_point = UINT32_MAX;
	if (s[0] < 0x80) {
		*code_point = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		need = 2, c = s[0] & 0x1fU;
	else if ((s[0] & 0xf0) == 0xe0)
		need = 3, c = s[0] & 0x0fU;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		need = 4, c = s[0] & 0x07U;
	else
		return 1;
	if (length < need)
		return 1;
	for (size_t i = 1; i < need; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (s[i] & 0x3fU);
	}
	if (c < least[need] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 1;
	*code_point = c;
	return need;
}

size_t utf8_encode(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* One character of the source as it will be written; returns the bytes consumed. */
static size_t visible_step(const char *s, size_t length, char piece[16], size_t *piece_length)
{
	uint32_t c;
	size_t n = utf8_decode(s, length, &c);

	if (c == UINT32_MAX)
		*piece_length =
			(size_t)snprintf(piece, 16, "<%02X>", (unsigned)(unsigned char)s[0]);
	else if (!is_hidden(c))
		memcpy(piece, s, n), *piece_length = n;
	else if (c < 0x100)
		*piece_length = (size_t)snprintf(piece, 16, "<%02X>", (unsigned)c);
	else
		*piece_length = (size_t)snprintf(piece, 16, "<U+%04X>", (unsigned)c);
	return n;
}

size_t visible_ascii(const char *string, size_t length)
{
	size_t n = 0;

	while (n < length && string[n] >= ' ' && string[n] <= '~')
		n++;
	return n;
}

size_t visible_copy(char *dst, size_t size, const char *string, size_t length)
{
	size_t total = 0, put = 0;
	bool room = size > 0;
	char piece[16];
	size_t n;

	for (size_t i = 0; i < length;) {
		i += visible_step(string + i, length - i, piece, &n);
		if (room && put + n < size) {
			memcpy(dst + put, piece, n);
			put += n;
		} else {
			room = false;
		}
		total += n;
	}
	if (size > 0)
		dst[put] = '\0';
	return total;
}

bool visible_is_plain(const char *string, size_t length)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = visible_ascii(string, length); i < length;) {
		i += utf8_decode(string + i, length - i, &c);
		if (c == UINT32_MAX || is_hidden(c))
			return false;
	}
	return true;
}

/* Offset after the next scheme of such a URL; 0: there is none. */
static size_t behind_scheme(const char *text)
{
	const char *at = strstr(text, "postgres");

	for (; at; at = strstr(at + 1, "postgres")) {
		const char *end = at + strlen("postgres");

		if (strncmp(end, "ql:", 3) == 0)
			end += 2;
		if (*end == ':')
			return (size_t)(end - text) + 1 + strspn(end + 1, "/");
	}
	return 0;
}

static const char word[] = "password=";

bool visible_has_password(const char *text)
{
	size_t at = behind_scheme(text);
	const char *last = strrchr(text + at, '@'), *colon = strchr(text + at, ':');

	return at > 0 && ((last && colon && colon < last) || strstr(text + at, word));
}

/* Hides the user before the host of any URL: messages that refuse one quote it. */
static void hide_users(char *text)
{
	while ((text = strstr(text, "://"))) {
		size_t length;

		text += strlen("://");
		length = strcspn(text, "/?# \t");
		while (length > 0 && text[length] != '@')
			length--;
		memset(text, '*', length);
	}
}

void visible_hide_passwords(char *text)
{
	char *from = text + behind_scheme(text), *last;

	hide_users(text);
	if (from == text)
		return;
	last = strrchr(from, '@');
	if (last)
		memset(from, '*', (size_t)(last - from));
	while ((from = strstr(from, word))) {
		from += strlen(word);
		memset(from, '*', strcspn(from, "& \t"));
	}
}
