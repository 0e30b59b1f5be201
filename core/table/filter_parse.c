/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of filters, by recursive descent over the bytes of the text. */
#include "core/table/filter_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"

#define FILTER_DEPTH_MAX 64
#define FILTER_WORD_MAX 256

struct filter_parser {
	const char *text;
	size_t at;
	unsigned depth;
	struct filter *f;
	struct err *err;
};

/* A word as written: bare up to a character that means something, or between quotes. */
struct filter_word {
	char text[FILTER_WORD_MAX];
	size_t length;
	bool quoted;
};

static bool parse_or(struct filter_parser *p, size_t *out);

static bool parse_error(struct filter_parser *p, const char *what)
{
	return err_set(p->err, ERR_INPUT, "filter %.100s: %s at character %zu", p->text, what,
		       p->at + 1);
}

static void parse_blanks(struct filter_parser *p)
{
	while (word_is_blank(p->text[p->at]))
		p->at++;
}

static size_t parse_node(struct filter_parser *p, enum filter_kind kind)
{
	struct filter *f = p->f;

	f->nodes = mem_grow(f->nodes, &f->capacity, f->count + 1, sizeof(*f->nodes));
	f->nodes[f->count] = (struct filter_node){
		.kind = kind, .first = FILTER_NONE, .next = FILTER_NONE
	};
	return f->count++;
}

static bool parse_quoted(struct filter_parser *p, struct filter_word *word)
{
	char quote = p->text[p->at++];

	word->quoted = true;
	while (p->text[p->at] != quote) {
		if (p->text[p->at] == '\\' && (p->text[p->at + 1] == quote ||
					       p->text[p->at + 1] == '\\'))
			p->at++;
		if (!p->text[p->at])
			return parse_error(p, "the quote does not end");
		if (word->length + 1 == sizeof(word->text))
			return parse_error(p, "the text is too long");
		word->text[word->length++] = p->text[p->at++];
	}
	p->at++;
	word->text[word->length] = '\0';
	return true;
}

/* STOPS: what ends a bare word besides blanks. */
static bool parse_word(struct filter_parser *p, const char *stops, struct filter_word *word)
{
	*word = (struct filter_word){ .length = 0 };
	if (p->text[p->at] == '"' || p->text[p->at] == '\'')
		return parse_quoted(p, word);
	while (p->text[p->at] && !word_is_blank(p->text[p->at]) && !strchr(stops, p->text[p->at])) {
		if (word->length + 1 == sizeof(word->text))
			return parse_error(p, "the word is too long");
		word->text[word->length++] = p->text[p->at++];
	}
	word->text[word->length] = '\0';
	if (word->length == 0)
		return parse_error(p, "a word is missing");
	return true;
}

static bool parse_op(struct filter_parser *p, enum filter_op *op)
{
	static const struct {
		char text[3];
		enum filter_op op;
	} ops[] = {
		{ "!=", FILTER_NE }, { "<=", FILTER_LE }, { ">=", FILTER_GE },
		{ "^=", FILTER_BEGINS }, { "=", FILTER_EQ }, { "<", FILTER_LT },
		{ ">", FILTER_GT }, { "~", FILTER_MATCHES },
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		size_t n = strlen(ops[i].text);

		if (strncmp(p->text + p->at, ops[i].text, n) == 0) {
			p->at += n;
			*op = ops[i].op;
			return true;
		}
	}
	return false;
}

/* The factor of the suffix letter C for a column of UNIT; 0 if it has none. */
static double filter_suffix(char c, enum unit unit)
{
	bool seconds = unit == UNIT_SECONDS || unit == UNIT_TRES_SECONDS;

	switch (c) {
	case 'K': case 'k':
		return 1e3;
	case 'M':
		return 1e6;
	case 'G':
		return 1e9;
	case 'T':
		return 1e12;
	case '%':
		return unit == UNIT_PERCENT ? 1 : 0.01;
	case 's':
		return seconds ? 1 : 0;
	case 'm':
		return seconds ? 60 : 0;
	case 'h':
		return seconds ? 3600 : 0;
	case 'd':
		return seconds ? 86400 : 0;
	case 'w':
		return seconds ? 604800 : 0;
	default:
		return 0;
	}
}

/* "1.5", "20%", "3G", "inf", "1d12h": parts with suffixes add up. */
static bool filter_read_number(const char *text, enum unit unit, double *out)
{
	double sum = 0, part, factor;
	bool more = true;
	char *end;

	if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
		*out = text[0] == '-' ? -INFINITY : INFINITY;
		return true;
	}
	do {
		/* strtod() knows hexadecimal and nan, too: not here. */
		if (text[strspn(text, "0123456789.eE+-KkMGTsmhdw%")] != '\0' || *text == '\0')
			return false;
		part = strtod(text, &end);
		if (end == text)
			return false;
		more = *end != '\0';
		factor = more ? filter_suffix(*end, unit) : 1;
		if (factor <= 0)
			return false;
		sum += part * factor;
		text = end + more;
		more = *text != '\0';
	} while (more);
	*out = sum;
	return true;
}

/* "column", or "column.key" where the column is a map. */
static bool parse_column(struct filter_parser *p, const struct filter_word *name,
			 struct filter_node *n)
{
	const struct filter *f = p->f;
	const char *dot = strchr(name->text, '.');

	n->column = column_find(f->columns, f->column_count, name->text, name->length);
	if (!n->column && dot) {
		n->column = column_find(f->columns, f->column_count, name->text,
					(size_t)(dot - name->text));
		if (n->column)
			n->key = mem_strdup(dot + 1);
	}
	if (!n->column) {
		column_unknown(f->columns, f->column_count, name->text, name->length, p->err);
		err_prefix(p->err, "filter");
		return false;
	}
	return true;
}

static bool parse_value(struct filter_parser *p, struct filter_node *n)
{
	struct filter_word value;
	const struct column *c = n->column;

	parse_blanks(p);
	if (!parse_word(p, "|)(\"'", &value))
		return false;
	if (p->text[p->at] == '(' || p->text[p->at] == '"' || p->text[p->at] == '\'')
		return parse_error(p, "write the whole value in quotes: unexpected character");
	n->text = mem_strndup(value.text, value.length);
	n->is_unknown = !value.quoted && strcmp(value.text, "unknown") == 0;
	n->is_number = filter_read_number(value.text, c->unit, &n->number);
	if (n->is_unknown && n->op != FILTER_EQ && n->op != FILTER_NE)
		return parse_error(p, "unknown can be compared by = and != only");
	if (n->op == FILTER_MATCHES) {
		n->match = match_new(value.text, value.length, p->err);
		return n->match || (err_prefix(p->err, "filter"), false);
	}
	if (!n->is_unknown && !n->is_number && !n->key && c->format != COLUMN_PLAIN)
		return err_set(p->err, ERR_INPUT,
			       "filter: %s: %s is not a number (expected such as 1.5, 20%%, 3G%s)",
			       c->name, value.text, filter_suffix('h', c->unit) > 0 ? ", 12h" : "");
	return true;
}

static bool parse_bare(struct filter_parser *p, const struct filter_word *word, size_t *out)
{
	char *text = mem_strndup(word->text, word->length);

	for (size_t i = 0; text[i]; i++)
		text[i] = word_lower(text[i]);
	*out = parse_node(p, FILTER_BARE);
	p->f->nodes[*out].text = text;
	return true;
}

static bool parse_group(struct filter_parser *p, size_t *out)
{
	p->at++;
	if (!parse_or(p, out))
		return false;
	if (p->text[p->at] != ')')
		return parse_error(p, ") is missing");
	p->at++;
	return true;
}

static bool parse_term(struct filter_parser *p, size_t *out);

static bool parse_not(struct filter_parser *p, size_t *out)
{
	size_t inner;

	p->at++;
	parse_blanks(p);
	if (!parse_term(p, &inner))
		return false;
	*out = parse_node(p, FILTER_NOT);
	p->f->nodes[*out].first = inner;
	return true;
}

/* column op value, or a bare text: what follows the word decides. */
static bool parse_comparison(struct filter_parser *p, size_t *out)
{
	struct filter_word word;
	enum filter_op op;
	size_t after;

	if (!parse_word(p, "|()!=<>~^\"'", &word))
		return false;
	after = p->at;
	parse_blanks(p);
	if (!parse_op(p, &op)) {
		p->at = after;
		return parse_bare(p, &word, out);
	}
	*out = parse_node(p, FILTER_COMPARE);
	p->f->nodes[*out].op = op;
	return parse_column(p, &word, &p->f->nodes[*out]) && parse_value(p, &p->f->nodes[*out]);
}

static bool parse_term(struct filter_parser *p, size_t *out)
{
	bool ok;

	if (p->depth == FILTER_DEPTH_MAX)
		return parse_error(p, "nested too deeply");
	p->depth++;
	if (p->text[p->at] == '!')
		ok = parse_not(p, out);
	else if (p->text[p->at] == '(')
		ok = parse_group(p, out);
	else
		ok = parse_comparison(p, out);
	p->depth--;
	return ok;
}

/* Puts NODE at the end of the list of PARENT, whose last child is *LAST. */
static void parse_append(struct filter_parser *p, size_t parent, size_t *last, size_t node)
{
	if (*last == FILTER_NONE)
		p->f->nodes[parent].first = node;
	else
		p->f->nodes[*last].next = node;
	*last = node;
}

static bool parse_and(struct filter_parser *p, size_t *out)
{
	size_t last = FILTER_NONE, term;

	*out = parse_node(p, FILTER_AND);
	parse_blanks(p);
	do {
		if (!parse_term(p, &term))
			return false;
		parse_append(p, *out, &last, term);
		parse_blanks(p);
	} while (p->text[p->at] && p->text[p->at] != '|' && p->text[p->at] != ')');
	return true;
}

static bool parse_or(struct filter_parser *p, size_t *out)
{
	size_t last = FILTER_NONE, term;

	*out = parse_node(p, FILTER_OR);
	for (;;) {
		if (!parse_and(p, &term))
			return false;
		parse_append(p, *out, &last, term);
		if (p->text[p->at] != '|')
			return true;
		p->at++;
	}
}

/* Told apart once, not at every row. */
static void parse_texts(struct filter *f)
{
	f->texts = mem_alloc(f->column_count, sizeof(const struct column *));
	for (size_t i = 0; i < f->column_count; i++) {
		if (column_is_text(&f->columns[i]))
			f->texts[f->text_count++] = &f->columns[i];
	}
}

struct filter *filter_parse(const char *text, const struct column *columns, size_t count,
			    struct err *err)
{
	struct filter_parser p = { .text = text, .err = err };

	p.f = mem_zalloc(1, sizeof(*p.f));
	p.f->columns = columns;
	p.f->column_count = count;
	p.f->root = FILTER_NONE;
	parse_texts(p.f);
	parse_blanks(&p);
	if (!text[p.at])
		return p.f;
	if (parse_or(&p, &p.f->root)) {
		if (!text[p.at])
			return p.f;
		parse_error(&p, "( is missing");
	}
	filter_free(p.f);
	return NULL;
}
