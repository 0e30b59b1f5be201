/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/table/filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/table/match.h"

#define FILTER_NONE SIZE_MAX

enum filter_kind { FILTER_AND, FILTER_OR, FILTER_NOT, FILTER_COMPARE, FILTER_BARE };

enum filter_op {
	FILTER_EQ, FILTER_NE, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE,
	FILTER_MATCHES, FILTER_BEGINS
};

/* AND, OR and NOT hold a list of nodes: FIRST, then each one's NEXT. */
struct filter_node {
	enum filter_kind kind;
	size_t first, next;
	/* FILTER_COMPARE */
	const struct column *column;	/* borrowed */
	char *key;			/* "column.key" of a map, or NULL */
	enum filter_op op;
	bool is_unknown;		/* compared with the word "unknown" */
	bool is_number;			/* TEXT reads as NUMBER in the column's unit */
	double number;
	struct match *match;		/* FILTER_MATCHES */
	/* and FILTER_BARE, in lower case */
	char *text;
};

struct filter {
	struct filter_node *nodes;
	size_t count, capacity;
	size_t root;			/* FILTER_NONE: matches every row */
	const struct column *columns;	/* borrowed */
	size_t column_count;
	const struct column **texts;	/* the columns that a bare text searches */
	size_t text_count;
};

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++) {
		mem_free(f->nodes[i].text);
		mem_free(f->nodes[i].key);
		match_free(f->nodes[i].match);
	}
	MEM_FREE(f->nodes, f->texts, f);
}

uint32_t filter_needs(const struct filter *f)
{
	uint32_t needs = 0;

	for (size_t i = 0; f && i < f->count; i++) {
		if (f->nodes[i].column)
			needs |= f->nodes[i].column->needs;
		if (f->nodes[i].kind != FILTER_BARE)
			continue;
		for (size_t c = 0; c < f->text_count; c++)
			needs |= f->texts[c]->needs;
	}
	return needs;
}

bool filter_held(const struct filter *f, struct err *err)
{
	for (size_t i = 0; f && i < f->count; i++) {
		if (f->nodes[i].match && !match_held(f->nodes[i].match, err))
			return err_prefix(err, "filter");
	}
	return true;
}

static bool filter_bare(const struct filter *f, const struct filter_node *n, const void *context,
			uint32_t row)
{
	struct value v;

	for (size_t c = 0; c < f->text_count; c++) {
		column_get(f->texts[c], context, row, &v);
		if (v.kind == VALUE_TEXT && word_holds(v.text, n->text))
			return true;
		if (v.kind != VALUE_LIST && v.kind != VALUE_MAP && v.kind != VALUE_RECORDS)
			continue;
		for (uint32_t i = 0; i < v.count; i++) {
			const struct value_entry *e = &v.entries[i];

			if ((e->text && word_holds(e->text, n->text)) ||
			    (e->shown && word_holds(e->shown, n->text)))
				return true;
		}
	}
	return false;
}

static bool filter_order(enum filter_op op, int order)
{
	switch (op) {
	case FILTER_EQ:
		return order == 0;
	case FILTER_NE:
		return order != 0;
	case FILTER_LT:
		return order < 0;
	case FILTER_LE:
		return order <= 0;
	case FILTER_GT:
		return order > 0;
	case FILTER_GE:
		return order >= 0;
	case FILTER_MATCHES:
	case FILTER_BEGINS:
		break;
	}
	return false;
}

static bool filter_text(const struct filter_node *n, const char *text)
{
	if (n->op == FILTER_MATCHES)
		return match_test(n->match, text, strlen(text));
	if (n->op == FILTER_BEGINS)
		return strncmp(text, n->text, strlen(n->text)) == 0;
	return filter_order(n->op, strcmp(text, n->text));
}

static bool filter_number(const struct filter_node *n, double x)
{
	char digits[32];

	if (isnan(x))
		return n->op == FILTER_NE;
	if (n->op == FILTER_MATCHES || n->op == FILTER_BEGINS || !n->is_number) {
		value_print_double(x, digits);
		return filter_text(n, digits);
	}
	return filter_order(n->op, x < n->number ? -1 : x > n->number);
}

/* A text in a numeric column ("parent" as shares) is neither less nor greater than a number. */
static bool filter_word(const struct filter_node *n, const char *text)
{
	bool order = n->op >= FILTER_LT && n->op <= FILTER_GE;

	return !(order && n->is_number && !column_is_text(n->column)) && filter_text(n, text);
}

/* "yes" and "no" mean true and false. */
static bool filter_bool(const struct filter_node *n, bool yes)
{
	const char *have = yes ? "true" : "false", *want = n->text;

	if (n->op == FILTER_MATCHES || n->op == FILTER_BEGINS)
		return filter_text(n, have);
	if (strcmp(want, "yes") == 0)
		want = "true";
	if (strcmp(want, "no") == 0)
		want = "false";
	return filter_order(n->op, strcmp(have, want));
}

/* True if any element matches; with "!=" if no element is equal. */
static bool filter_list(const struct filter_node *n, const struct value *v)
{
	for (uint32_t i = 0; i < v->count; i++) {
		if (n->op == FILTER_NE && strcmp(v->entries[i].text, n->text) == 0)
			return false;
		if (n->op != FILTER_NE && filter_text(n, v->entries[i].text))
			return true;
	}
	return n->op == FILTER_NE;
}

/* Compares the entry as it is, or as shown to people. */
static bool filter_entry(const struct filter_node *n, const struct value_entry *e)
{
	bool fits;

	if (!e->text)
		return filter_number(n, e->number);
	fits = filter_text(n, e->text);
	if (!e->shown)
		return fits;
	return n->op == FILTER_NE ? fits && filter_text(n, e->shown) :
				    fits || filter_text(n, e->shown);
}

/* Compares the entry of a map that "column.key" names. */
static bool filter_map(const struct filter_node *n, const struct value *v)
{
	for (uint32_t i = 0; n->key && i < v->count; i++) {
		const struct value_entry *e = &v->entries[i];

		if (strcmp(e->key, n->key) != 0)
			continue;
		if (n->is_unknown)
			return (n->op == FILTER_NE) == (e->text || f64_known(e->number));
		return filter_entry(n, e);
	}
	return n->is_unknown ? n->op == FILTER_EQ : n->op == FILTER_NE;
}

static bool filter_compare(const struct filter_node *n, const void *context, uint32_t row)
{
	struct value v;

	column_get(n->column, context, row, &v);
	if (v.kind == VALUE_MAP && n->key)
		return filter_map(n, &v);
	if (n->is_unknown)
		return (v.kind == VALUE_UNKNOWN || (v.kind == VALUE_REAL && isnan(v.real))) ==
		       (n->op == FILTER_EQ);
	switch (v.kind) {
	case VALUE_UNKNOWN:
		return n->op == FILTER_NE;
	case VALUE_INT:
		return filter_number(n, (double)v.integer);
	case VALUE_REAL:
		return filter_number(n, v.real);
	case VALUE_TEXT:
		return filter_word(n, v.text);
	case VALUE_BOOL:
		return filter_bool(n, v.integer != 0);
	case VALUE_LIST:
		return filter_list(n, &v);
	case VALUE_MAP:
	case VALUE_RECORDS:
		break;
	}
	return n->op == FILTER_NE;
}

/* Depth is bounded by FILTER_DEPTH_MAX of the parser; chains of | and of terms are loops. */
static bool filter_eval(const struct filter *f, size_t at, const void *context, uint32_t row)
{
	const struct filter_node *n = &f->nodes[at];

	switch (n->kind) {
	case FILTER_AND:
		for (size_t i = n->first; i != FILTER_NONE; i = f->nodes[i].next) {
			if (!filter_eval(f, i, context, row))
				return false;
		}
		return true;
	case FILTER_OR:
		for (size_t i = n->first; i != FILTER_NONE; i = f->nodes[i].next) {
			if (filter_eval(f, i, context, row))
				return true;
		}
		return false;
	case FILTER_NOT:
		return !filter_eval(f, n->first, context, row);
	case FILTER_COMPARE:
		return filter_compare(n, context, row);
	case FILTER_BARE:
		return filter_bare(f, n, context, row);
	}
	return false;
}

bool filter_match(const struct filter *f, const struct view *view, uint32_t row)
{
	return !f || f->root == FILTER_NONE || filter_eval(f, f->root, view->context, row);
}

#define FILTER_DEPTH_MAX 64
#define FILTER_WORD_MAX 2048	/* paths of deep trees are long */

struct filter_parser {
	const char *text;
	size_t at;
	unsigned depth;
	struct filter *f;
	struct err *err;
};

/* A word as written: bare, up to a special character, or between quotes. */
struct filter_word {
	char text[FILTER_WORD_MAX];
	size_t length;
	bool quoted;
};

static bool filter_parse_or(struct filter_parser *p, size_t *out);

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

	MEM_GROW(f->nodes, f->capacity, f->count + 1);
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
			return parse_error(p, "the closing quote is missing");
		if (word->length + 1 == sizeof(word->text))
			return parse_error(p, "the text is too long");
		word->text[word->length++] = p->text[p->at++];
	}
	p->at++;
	word->text[word->length] = '\0';
	return true;
}

/* STOPS: characters that end a bare word, besides blanks. */
static bool filter_parse_word(struct filter_parser *p, const char *stops, struct filter_word *word)
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
		/* strtod() also accepts hexadecimal and nan; the filter language does not. */
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
		return err_prefix(p->err, "filter");
	}
	return true;
}

static bool parse_value(struct filter_parser *p, struct filter_node *n)
{
	struct filter_word value;
	const struct column *c = n->column;

	parse_blanks(p);
	if (!filter_parse_word(p, "|)(\"'", &value))
		return false;
	if (p->text[p->at] == '(' || p->text[p->at] == '"' || p->text[p->at] == '\'')
		return parse_error(p, "write the whole value in quotes: unexpected character");
	n->text = c->path && n->op != FILTER_MATCHES ?
		  word_path(value.text, value.length) :
		  mem_strndup(value.text, value.length);
	n->is_unknown = !value.quoted && strcmp(value.text, "unknown") == 0;
	n->is_number = filter_read_number(value.text, c->unit, &n->number);
	if (n->is_unknown && n->op != FILTER_EQ && n->op != FILTER_NE)
		return parse_error(p, "unknown can only be compared with = and !=");
	if (n->op == FILTER_MATCHES) {
		n->match = match_new(value.text, value.length, p->err);
		return n->match || err_prefix(p->err, "filter");
	}
	if (!n->is_unknown && !n->is_number && !n->key && c->format != COLUMN_PLAIN)
		return err_set(p->err, ERR_INPUT,
			       "filter: %s: %s is not a number (expected e.g. 1.5, 20%%, 3G%s)",
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
	if (!filter_parse_or(p, out))
		return false;
	if (p->text[p->at] != ')')
		return parse_error(p, ") is missing");
	p->at++;
	return true;
}

static bool parse_term(struct filter_parser *p, size_t *out);

static bool filter_parse_not(struct filter_parser *p, size_t *out)
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

/* Parses "column op value" or a bare text: what follows the word decides. */
static bool filter_parse_comparison(struct filter_parser *p, size_t *out)
{
	struct filter_word word;
	enum filter_op op;
	size_t after;

	if (!filter_parse_word(p, "|()!=<>~^\"'", &word))
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
		ok = filter_parse_not(p, out);
	else if (p->text[p->at] == '(')
		ok = parse_group(p, out);
	else
		ok = filter_parse_comparison(p, out);
	p->depth--;
	return ok;
}

/* Appends NODE to the children of PARENT, of which *LAST is the last. */
static void parse_append(struct filter_parser *p, size_t parent, size_t *last, size_t node)
{
	if (*last == FILTER_NONE)
		p->f->nodes[parent].first = node;
	else
		p->f->nodes[*last].next = node;
	*last = node;
}

static bool filter_parse_and(struct filter_parser *p, size_t *out)
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

static bool filter_parse_or(struct filter_parser *p, size_t *out)
{
	size_t last = FILTER_NONE, term;

	*out = parse_node(p, FILTER_OR);
	for (;;) {
		if (!filter_parse_and(p, &term))
			return false;
		parse_append(p, *out, &last, term);
		if (p->text[p->at] != '|')
			return true;
		p->at++;
	}
}

/* Finds the text columns once, not for every row. */
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
	if (filter_parse_or(&p, &p.f->root)) {
		if (!text[p.at])
			return p.f;
		parse_error(&p, "( is missing");
	}
	filter_free(p.f);
	return NULL;
}
