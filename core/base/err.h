/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err: one error, carried by value through every layer.
 *
 * A function that can fail takes a struct err * as its last parameter, fills it and returns false
 * or NULL. The message is lower-case, quotes its subject and says what was expected. It may hold
 * untrusted names: callers that print it to a terminal pass it through visible_copy(). Every
 * function accepts NULL for "the caller does not want to know why".
 */
#ifndef FAIRTOP_CORE_BASE_ERR_H
#define FAIRTOP_CORE_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* The values are the exit codes of the contract. */
enum err_code {
	ERR_NONE = 0,
	ERR_INPUT = 2,	/* bad usage or bad input: missing file, unknown object, parse error */
	ERR_SOURCE = 3,		/* a source is out of reach, has no helper, or has no such data */
	ERR_NOTHING = 4,	/* nothing comparable now */
};

#define ERR_MESSAGE_MAX 512

struct err {
	enum err_code code;
	uint32_t line;		/* line of the input the error is about, 0 when it has none */
	char message[ERR_MESSAGE_MAX];
};

#if defined(__GNUC__)
#define ERR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERR_PRINTF(fmt, args)
#endif

/*
 * Sets code and message (cut to fit); always returns false, so that "return err_set(...)" reads
 * well.
 */
bool err_set(struct err *err, enum err_code code, const char *format, ...) ERR_PRINTF(3, 4);

/* Like err_set(), for an error in line LINE of some input. */
bool err_set_line(struct err *err, enum err_code code, uint32_t line, const char *format, ...)
	ERR_PRINTF(4, 5);

#ifdef __clang_analyzer__
/* clang's analyser reads one file at a time; this tells it what the two functions return. */
static inline bool err_false(bool result)
{
	(void)result;
	return false;
}
#define err_set(...) err_false((err_set)(__VA_ARGS__))
#define err_set_line(...) err_false((err_set_line)(__VA_ARGS__))
#endif

/* Puts "PREFIX: " before the message; used by a layer that knows the subject. */
void err_prefix(struct err *err, const char *format, ...) ERR_PRINTF(2, 3);

/* "FILE:LINE: ..." becomes "DIR/FILE:LINE: ...": the message then names the whole path. */
void err_in_directory(struct err *err, const char *directory);

void err_clear(struct err *err);

#endif
