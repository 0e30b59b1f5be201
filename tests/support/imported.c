/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/imported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/data.h"

struct import im;

void imported_open(const struct import_kind *kind)
{
	imported_close(NULL);
	import_init(&im, kind);
}

int imported_close(void **state)
{
	(void)state;
	import_free(&im);
	memset(&im, 0, sizeof(im));
	return 0;
}

bool imported_more(const char *bytes, size_t length, struct err *err)
{
	struct lines *l = lines_of(bytes, length);
	bool good = import_read_lines(&im, l, "log", err);

	lines_close(l);
	return good;
}

void imported_text(const struct import_kind *kind, const char *text)
{
	struct err err = { .code = ERR_NONE };

	imported_open(kind);
	if (!imported_more(text, strlen(text), &err))
		fail_msg("%s", err.message);
}

void imported_refused(const struct import_kind *kind, const char *text, const char *message)
{
	struct err err = { .code = ERR_NONE };

	imported_open(kind);
	if (imported_more(text, strlen(text), &err))
		fail_msg("read, but expected \"%s\"", message);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" instead of \"%s\"", err.message, message);
}

void imported_shared(const struct import_kind *kind, const char *dir, const char *file)
{
	char path[600];
	struct err err = { .code = ERR_NONE };

	if (!data_shared(dir, path, 500))
		skip();
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s", file);
	imported_open(kind);
	if (!import_read(&im, path, &err))
		fail_msg("%s", err.message);
}

uint64_t imported_tally(const char *begin)
{
	for (size_t i = 0; i < im.tallies; i++) {
		if (strncmp(im.tally[i].what, begin, strlen(begin)) == 0)
			return im.tally[i].count;
	}
	return 0;
}

bool imported_is(uint32_t text, const char *name)
{
	return text == replay_text(im.replay, name, strlen(name));
}

uint32_t imported_assoc(const char *account, const char *user)
{
	return replay_assoc(im.replay, replay_text(im.replay, account, strlen(account)),
			    replay_text(im.replay, user, strlen(user)), 0);
}
