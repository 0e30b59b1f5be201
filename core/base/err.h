/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err: one error, carried by value through every layer.
 *
 * A function that can fail takes a struct err * as its last parameter, fills it and returns false
 * or NULL. The message is lower-case, quotes its subject and says what was expected. It may hold
 * untrusted names: callers that print it to a terminal pass it through visible_copy(). Every
 * function accepts NULL for "the caller does not want to know why", and returns false, so that
 * "return err_set(...)" reads well.
 *
 * Its parts stand in this order:
 *
 *	SOURCE: DIRECTORY/FILE:LINE: SUBJECT: WHAT IS WRONG (expected WHAT)
 *
 * Who finds the error sets what is wrong; each layer above puts before it what only that layer
 * knows. All of it is joined by err_join(): of a prefix that is too long the beginning is left out
 * ("..."), of a path thus the upper directories; the reason stays.
 */
#ifndef FAIRTOP_CORE_BASE_ERR_H
#define FAIRTOP_CORE_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
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
	uint32_t line;		/* of the input, while it is not in the message yet (err_at()); 0 */
	char message[ERR_MESSAGE_MAX];
};

#if defined(__GNUC__)
#define ERR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ERR_PRINTF(fmt, args)
#endif

/* Sets code and message (cut to fit). */
bool err_set(struct err *err, enum err_code code, const char *format, ...) ERR_PRINTF(3, 4);
/* Like err_set(), for an error in line LINE of some input; the caller's err_at() names it. */
bool err_set_line(struct err *err, enum err_code code, uint32_t line, const char *format, ...)
	ERR_PRINTF(4, 5);
bool err_vset(struct err *err, enum err_code code, uint32_t line, const char *format, va_list args)
	ERR_PRINTF(4, 0);
/* Like err_set(), with "NAME: " before it, which may be a long path. */
bool err_about(struct err *err, enum err_code code, const char *name, const char *format, ...)
	ERR_PRINTF(4, 5);

/*
 * Puts the first LENGTH bytes of PREFIX and SEPARATOR before the message; nothing if LENGTH is 0. A
 * directory before "FILE:LINE: ..." has the separator "/", and may end in slashes itself. SEPARATOR
 * is short.
 */
bool err_join(struct err *err, const char *prefix, size_t length, const char *separator);
/* Puts "PREFIX: " before the message; used by a layer that knows the subject. */
bool err_prefix(struct err *err, const char *format, ...) ERR_PRINTF(2, 3);

/*
 * Names the input that the error is in, a file or a command: "NAME:LINE: " goes before the message,
 * or "NAME: " without a line. LINE 0: the line of err_set_line(), if any.
 */
bool err_at(struct err *err, const char *name, uint64_t line);

#ifdef __clang_analyzer__
/* clang's analyser reads one file at a time; this tells it what these functions return. */
static inline bool err_false(bool result)
{
	(void)result;
	return false;
}
#define err_set(...) err_false((err_set)(__VA_ARGS__))
#define err_set_line(...) err_false((err_set_line)(__VA_ARGS__))
#define err_vset(...) err_false((err_vset)(__VA_ARGS__))
#define err_about(...) err_false((err_about)(__VA_ARGS__))
#define err_join(...) err_false((err_join)(__VA_ARGS__))
#define err_prefix(...) err_false((err_prefix)(__VA_ARGS__))
#define err_at(...) err_false((err_at)(__VA_ARGS__))
#endif

void err_clear(struct err *err);

#endif
