/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/lsf/conf.h"

#include <string.h>

#include "core/base/mem.h"

#define IF_DEPTH_MAX 16

/* One open #if. */
struct conf_branch {
	bool taken;		/* a part of it was true */
	bool on;		/* this part is read */
	bool last;		/* #else was read */
	uint32_t line;
};

struct conf_reader {
	struct slice rest;
	uint32_t line;		/* number of the last line read */
	const struct lsf_when *when;
	lsf_each *each;
	void *context;
	struct err *err;
	struct conf_branch branches[IF_DEPTH_MAX];
	unsigned depth;
	char *joined;		/* a logical line */
	size_t joined_length, joined_capacity;
	/* The open section; "" outside. */
	char section[64];
	bool open, horizontal;
	uint32_t section_line;
	char *bytes;		/* texts of its record; by offset, as it moves when it grows */
	size_t used, capacity;
	struct {
		size_t name, name_length, value, value_length;
		uint32_t line;
	} cells[LSF_CELLS_MAX];
	uint32_t count;		/* cells of a vertical record, columns of a horizontal one */
};

static bool conf_fail(struct conf_reader *r, uint32_t line, const char *what, struct slice quote)
{
	return err_set_line(r->err, ERR_INPUT, line, "%.*s: %s", SLICE_PRINT(quote), what);
}

static size_t conf_keep(struct conf_reader *r, struct slice s)
{
	size_t at = r->used;

	r->bytes = mem_grow(r->bytes, &r->capacity, r->used + s.length + 1, 1);
	memcpy(r->bytes + at, s.at, s.length);
	r->used += s.length;
	return at;
}

/* ---- conditionals -------------------------------------------------------------------------- */

static bool is_on(const struct conf_reader *r)
{
	for (unsigned i = 0; i < r->depth; i++) {
		if (!r->branches[i].on)
			return false;
	}
	return true;
}

/* WORD, such as "#if", as a whole word. */
static bool conf_is_word(struct slice line, const char *word, struct slice *rest)
{
	*rest = line;
	return slice_take(rest, word) &&
	       (rest->length == 0 || slice_is_blank(rest->at[0]) || rest->at[0] == '(' ||
		rest->at[0] == '!');
}

static bool conf_evaluate(struct conf_reader *r, struct slice expression, bool *is)
{
	if (lsf_condition(slice_trim(expression), r->when, is, r->err))
		return true;
	if (r->err)
		r->err->line = r->line;
	return false;
}

/* *IS: LINE was one of the four. False on a problem. */
static bool read_directive(struct conf_reader *r, struct slice line, bool *is)
{
	struct conf_branch *b = r->depth ? &r->branches[r->depth - 1] : NULL;
	struct slice rest;
	bool truth = false;

	*is = true;
	if (conf_is_word(line, "#if", &rest)) {
		bool good = conf_evaluate(r, rest, &truth);

		if (good && r->depth == IF_DEPTH_MAX)
			return conf_fail(r, r->line, "nested too deeply", line);
		if (good)
			r->branches[r->depth++] =
				(struct conf_branch){ truth, truth, false, r->line };
		return good;
	}
	*is = conf_is_word(line, "#elif", &rest) || conf_is_word(line, "#else", &rest) ||
	      conf_is_word(line, "#endif", &rest);
	if (!*is)
		return true;
	if (!b)
		return conf_fail(r, r->line, "without #if", line);
	if (conf_is_word(line, "#endif", &rest)) {
		r->depth--;
		return true;
	}
	if (b->last)
		return conf_fail(r, r->line, "after #else", line);
	b->last = conf_is_word(line, "#else", &rest);
	if (b->last)
		truth = true;
	else if (conf_is_word(line, "#elif", &rest) && !conf_evaluate(r, rest, &truth))
		return false;
	b->on = truth && !b->taken;
	b->taken |= truth;
	return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* A line without its comment. */
static struct slice conf_uncommented(struct slice line)
{
	char quote = '\0';

	for (size_t i = 0; i < line.length; i++) {
		char c = line.at[i];

		if (quote)
			quote = c == quote ? '\0' : quote;
		else if ((c == '"' || c == '\'') && memchr(line.at + i + 1, c, line.length - i - 1))
			quote = c;
		else if (c == '#')
			return slice_trim((struct slice){ line.at, i });
	}
	return slice_trim(line);
}

static void conf_join(struct conf_reader *r, struct slice s)
{
	r->joined = mem_grow(r->joined, &r->joined_capacity, r->joined_length + s.length + 1, 1);
	memcpy(r->joined + r->joined_length, s.at, s.length);
	r->joined_length += s.length;
}

/* The next line with content, continuations joined; *FIRST is its first line. */
static bool conf_next_line(struct conf_reader *r, struct slice *line, uint32_t *first, bool *good)
{
	struct slice raw;

	r->joined_length = 0;
	*good = true;
	while (slice_line(&r->rest, &raw)) {
		bool directive = false, more;

		r->line++;
		raw = slice_trim(raw);
		if (r->joined_length == 0) {
			if (!read_directive(r, raw, &directive)) {
				*good = false;
				return false;
			}
			*first = r->line;
		}
		if (directive || !is_on(r))
			continue;
		raw = conf_uncommented(raw);
		more = raw.length > 0 && raw.at[raw.length - 1] == '\\';
		conf_join(r, more ? slice_trim((struct slice){ raw.at, raw.length - 1 }) : raw);
		if (more) {
			conf_join(r, slice_of(" "));
			continue;
		}
		*line = slice_trim((struct slice){ r->joined, r->joined_length });
		if (line->length > 0)
			return true;
		r->joined_length = 0;
	}
	*line = slice_trim((struct slice){ r->joined, r->joined_length });
	return r->joined_length > 0 && line->length > 0;
}

/* ---- records ------------------------------------------------------------------------------- */

static struct slice piece_of(const struct conf_reader *r, size_t at, size_t length)
{
	return (struct slice){ r->bytes + at, length };
}

static bool conf_emit(struct conf_reader *r, const struct lsf_cell *cells, uint32_t count,
		      uint32_t line)
{
	struct lsf_record record = { slice_of(r->section), line, r->horizontal, cells, count };

	if (r->each(r->context, &record, r->err))
		return true;
	if (r->err && r->err->line == 0)
		r->err->line = line;
	return false;
}

static bool end_vertical(struct conf_reader *r)
{
	struct lsf_cell *cells = mem_zalloc(r->count + 1, sizeof(*cells));
	bool good;

	for (uint32_t i = 0; i < r->count; i++)
		cells[i] = (struct lsf_cell){
			piece_of(r, r->cells[i].name, r->cells[i].name_length),
			piece_of(r, r->cells[i].value, r->cells[i].value_length),
			r->cells[i].line };
	good = conf_emit(r, cells, r->count, r->section_line);
	mem_free(cells);
	return good;
}

/* The inside of brackets or quotes around the whole slice. */
static struct slice conf_unwrapped(struct slice s)
{
	char first = s.length > 1 ? s.at[0] : '\0', last = s.length > 1 ? s.at[s.length - 1] : '\0';

	if ((first == '"' && last == '"') || (first == '\'' && last == '\''))
		return (struct slice){ s.at + 1, s.length - 2 };
	return s;
}

static bool vertical_line(struct conf_reader *r, struct slice line, uint32_t number)
{
	const char *equals = memchr(line.at, '=', line.length);
	size_t length = equals ? (size_t)(equals - line.at) : line.length;
	struct slice name = slice_trim((struct slice){ line.at, length });
	struct slice value = equals ? conf_unwrapped(slice_trim(slice_from(line, length + 1)))
				    : (struct slice){ line.at, 0 };

	if (name.length == 0)
		return conf_fail(r, number, "a keyword is missing before =", line);
	if (r->count == LSF_CELLS_MAX)
		return conf_fail(r, number, "too many parameters in one section", name);
	r->cells[r->count].name = conf_keep(r, name);
	r->cells[r->count].name_length = name.length;
	r->cells[r->count].value = conf_keep(r, value);
	r->cells[r->count].value_length = value.length;
	r->cells[r->count++].line = number;
	return true;
}

/* The next cell of a row: a word, or the inside of (nested) brackets or quotes. */
static bool next_cell(struct slice *rest, struct slice *cell)
{
	size_t i = 0;
	unsigned depth = 0;
	char quote = '\0';

	*rest = slice_trim(*rest);
	if (rest->length == 0)
		return false;
	for (; i < rest->length; i++) {
		char c = rest->at[i];

		if (quote) {
			quote = c == quote ? '\0' : quote;
			continue;
		}
		if (c == '"' || c == '\'')
			quote = c;
		else if (c == '(' || c == '[')
			depth++;
		else if ((c == ')' || c == ']') && depth > 0)
			depth--;
		else if (slice_is_blank(c) && depth == 0)
			break;
	}
	*cell = (struct slice){ rest->at, i };
	*rest = slice_from(*rest, i);
	return true;
}

static struct slice conf_unbracketed(struct slice s)
{
	if (s.length > 1 && s.at[0] == '(' && s.at[s.length - 1] == ')')
		return slice_trim((struct slice){ s.at + 1, s.length - 2 });
	return conf_unwrapped(s);
}

static bool horizontal_head(struct conf_reader *r, struct slice line, uint32_t number)
{
	struct slice cell;

	while (next_cell(&line, &cell)) {
		if (r->count == LSF_CELLS_MAX)
			return conf_fail(r, number, "too many columns", cell);
		r->cells[r->count].name = conf_keep(r, cell);
		r->cells[r->count++].name_length = cell.length;
	}
	return true;
}

static bool horizontal_row(struct conf_reader *r, struct slice line, uint32_t number)
{
	struct lsf_cell *cells = mem_zalloc(r->count + 1, sizeof(*cells));
	struct slice whole = line, cell;
	uint32_t n = 0;
	bool good = true;

	while (good && next_cell(&line, &cell)) {
		if (n == r->count) {
			good = conf_fail(r, number, "more cells than the section has columns",
					 whole);
			break;
		}
		cells[n] = (struct lsf_cell){
			piece_of(r, r->cells[n].name, r->cells[n].name_length),
			conf_unbracketed(cell), number };
		n++;
	}
	good = good && conf_emit(r, cells, n, number);
	mem_free(cells);
	return good;
}

/* ---- sections ------------------------------------------------------------------------------ */

/* "Begin Queue": reads the name after WORD. */
static bool is_mark(struct slice line, const char *word, struct slice *name)
{
	struct slice first;

	if (!slice_word(&line, &first) || !slice_same(first, word))
		return false;
	*name = slice_trim(line);
	return true;
}

static bool begin_section(struct conf_reader *r, struct slice line, struct slice name,
			  uint32_t number)
{
	if (r->open)
		return conf_fail(r, number, "the section before has no End", line);
	if (name.length == 0 || name.length >= sizeof(r->section))
		return conf_fail(r, number, "expected Begin and a section's name", line);
	memcpy(r->section, name.at, name.length);
	r->section[name.length] = '\0';
	r->open = true;
	r->horizontal = false;
	r->section_line = number;
	r->count = 0;
	r->used = 0;
	return true;
}

static bool end_section(struct conf_reader *r, struct slice line, struct slice name,
			uint32_t number)
{
	if (!r->open)
		return conf_fail(r, number, "End without Begin", line);
	if (!slice_same(name, r->section))
		return conf_fail(r, number, "ends a section that is not open", line);
	r->open = false;
	return r->horizontal || end_vertical(r);
}

static bool conf_read_line(struct conf_reader *r, struct slice line, uint32_t number)
{
	struct slice name;

	if (is_mark(line, "Begin", &name))
		return begin_section(r, line, name, number);
	if (is_mark(line, "End", &name))
		return end_section(r, line, name, number);
	if (!r->open)
		return conf_fail(r, number, "outside of any section (expected Begin)", line);
	if (r->horizontal)
		return horizontal_row(r, line, number);
	/* The first line decides: columns, or a parameter. */
	if (r->count == 0 && !memchr(line.at, '=', line.length) &&
	    !slice_same(line, "RUN_WINDOW")) {
		struct slice rest = line, word;
		unsigned words = 0;

		while (slice_word(&rest, &word))
			words++;
		if (words > 1) {
			r->horizontal = true;
			return horizontal_head(r, line, number);
		}
	}
	return vertical_line(r, line, number);
}

bool lsf_conf_read(const char *text, size_t length, const struct lsf_when *when, lsf_each *each,
		   void *context, struct err *err)
{
	struct conf_reader *r = mem_zalloc(1, sizeof(*r));
	uint32_t first = 0;
	struct slice line;
	bool good = true;

	r->rest = (struct slice){ text, length };
	r->when = when;
	r->each = each;
	r->context = context;
	r->err = err;
	while (good && conf_next_line(r, &line, &first, &good))
		good = conf_read_line(r, line, first);
	if (good && r->open)
		good = conf_fail(r, r->section_line, "Begin without End", slice_of(r->section));
	if (good && r->depth > 0)
		good = conf_fail(r, r->branches[r->depth - 1].line, "without #endif",
				 slice_of("#if"));
	MEM_FREE(r->joined, r->bytes, r);
	return good;
}

const struct lsf_cell *lsf_cell(const struct lsf_record *record, const char *name)
{
	for (uint32_t i = record->count; i > 0; i--) {
		if (slice_same(record->cells[i - 1].name, name))
			return &record->cells[i - 1];
	}
	return NULL;
}
