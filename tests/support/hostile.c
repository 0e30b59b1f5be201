/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/hostile.h"

#include <string.h>

#include "core/base/mem.h"

static const char *const names[] = {
	"\033[2J\033[H",
	"\033]0;owned\a",
	"\033]52;c;cm0gLXJmIC8=\a",
	"\033P+q544e\033\\",
	"\x9b"
	"31m",
	"\xc2\x9b"
	"31m",
	"\xc2\x85",
	"a\rb",
	"a\nb",
	"a\tb",
	"a\bb",
	"a\fb",
	"\x7f\x7f",
	"\x01\x02\x1f",
	" leading",
	"trailing ",
	"a b",
	"\xe2\x80\xae"
	"drowssap",
	"\xe2\x80\xab"
	"rtl",
	"\xe2\x81\xa6"
	"isolate",
	"\xe2\x80\x8f",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
	"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85",
	"\xe2\x80\x8b"
	"zero",
	"zw\xe2\x80\x8d"
	"j",
	"\xef\xbb\xbf"
	"bom",
	"\xc2\xad"
	"shy",
	"\xf3\xa0\x81\x81"
	"tag",
	"\xe2\x80\xa8",
	"\xe2\x80\xa9",
	"e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
	"\xcc\x81",
	"\xcc\x81"
	"alice",
	"\xef\xb8\x8f",
	"\xe2\x9d\xa4\xef\xb8\x8f",
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac",
	"\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
	"\xe3\x82\xab\xe3\x82\x99",
	"\xea\xb0\x80\xe1\x86\xa8",
	"\xef\xbc\xa1\xef\xbc\xa2",
	"\xe0\xb8\x81\xe0\xb8\xb3",
	"\x80",
	"\xff\xfe",
	"\xc0\xaf",
	"\xe0\x80\xaf",
	"\xed\xa0\x80",
	"\xf4\x90\x80\x80",
	"\xe6\x97",
	"\xf0\x9f",
	"\xef\xbf\xbf",
	"\xf0\x90\x80\x80",
	"\xef\xbf\xbd",
	"/",
	":",
	"@",
	"%41",
	"%",
	"-",
	"+",
	"\"",
	"'",
	"\\",
	"$(reboot)",
	"`id`",
	"<b>&amp;</b>",
	"...",
	"CON",
	"NULL",
	"unknown",
	"root",
	"=1+1",
	"",
};

/* Long ones: a pattern repeated. */
static const struct {
	const char *pattern;
	size_t times;
} repeated[] = {
	{ "x", 10000 }, { "\xe6\x97\xa5", 3400 }, { "e\xcc\x81", 3000 }, { "\xcc\x81", 5000 },
	{ "\033[A", 3000 }, { "\xff", 10000 }, { "\xe2\x80\xae", 3000 },
};

size_t hostile_count(void)
{
	return sizeof(names) / sizeof(names[0]) + sizeof(repeated) / sizeof(repeated[0]);
}

char *hostile_name(size_t i)
{
	size_t plain = sizeof(names) / sizeof(names[0]), length;
	char *name;

	if (i < plain)
		return mem_strdup(names[i]);
	i -= plain;
	length = strlen(repeated[i].pattern);
	name = mem_alloc(length * repeated[i].times + 1, 1);
	for (size_t j = 0; j < repeated[i].times; j++)
		memcpy(name + j * length, repeated[i].pattern, length);
	name[length * repeated[i].times] = '\0';
	return name;
}
