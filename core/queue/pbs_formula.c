/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_formula.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/base/word.h"

#define NODES_MAX 4096
#define DEPTH_MAX 100
#define ARGUMENTS_MAX 3

enum op {
	OP_NUMBER, OP_NAME,
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FLOOR_DIV, OP_MOD, OP_POW, OP_NEG, OP_PLUS,
	OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR, OP_NOT, OP_IF,
	OP_F_POW, OP_F_ABS, OP_F_MIN, OP_F_MAX, OP_F_SQRT, OP_F_CEIL, OP_F_FLOOR, OP_F_EXP, OP_F_LOG
};

struct node {
	enum op op;
	double number;
	uint32_t a, b, c;	/* operands; of OP_NAME a is the name's number */
};

struct term {
	char *text;
	uint32_t node;
	bool minus;
};

struct pbs_formula {
	struct node *nodes;
	size_t count, capacity;
	char **names;
	size_t name_count, name_capacity;
	struct term *terms;
	size_t term_count, term_capacity;
	uint32_t root;
};

/* ---- parsing --------------------------------------------------------------------------------- */

/* Operands that are missing or wrong leave a problem; what is returned then does not matter. */
struct parser {
	const char *start, *at;
	struct pbs_formula *f;
	unsigned depth;
	struct err *err;
	bool failed;
};

static uint32_t parse_any(struct parser *p);

static void problem(struct parser *p, const char *what)
{
	if (p->failed)
		return;
	p->failed = true;
	err_set(p->err, ERR_INPUT, "job_sort_formula: %s at \"%.40s\" (understood are arithmetic, "
		"comparisons and the documented names)", what, p->at);
}

static void blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static uint32_t add_node(struct parser *p, enum op op, uint32_t a, uint32_t b, uint32_t c)
{
	struct pbs_formula *f = p->f;

	if (f->count == NODES_MAX) {
		problem(p, "too long");
		return 0;
	}
	f->nodes = mem_grow(f->nodes, &f->capacity, f->count + 1, sizeof(*f->nodes));
	f->nodes[f->count] = (struct node){ op, 0, a, b, c };
	return (uint32_t)f->count++;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word_byte(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9');
}

/* Takes a sign, or a word that does not go on. */
static bool take(struct parser *p, const char *token)
{
	size_t length = strlen(token);

	blanks(p);
	if (strncmp(p->at, token, length) != 0 ||
	    (is_letter(token[0]) && is_word_byte(p->at[length])))
		return false;
	p->at += length;
	return true;
}

/* One level of nesting; false if that is one too many. */
static bool enter(struct parser *p)
{
	if (++p->depth > DEPTH_MAX)
		problem(p, "nested too deeply");
	return !p->failed;
}

static uint32_t parse_number(struct parser *p)
{
	char *end;
	double value = strtod(p->at, &end);
	uint32_t node = add_node(p, OP_NUMBER, 0, 0, 0);

	if (is_word_byte(*end) || (p->at[0] == '0' && (p->at[1] | 0x20) == 'x') || !isfinite(value))
		problem(p, "not a number");
	p->at = end;
	if (!p->failed)
		p->f->nodes[node].number = value;
	return node;
}

static uint32_t name_number(struct pbs_formula *f, const char *name, size_t length)
{
	for (size_t i = 0; i < f->name_count; i++) {
		if (strncmp(f->names[i], name, length) == 0 && f->names[i][length] == '\0')
			return (uint32_t)i;
	}
	f->names = mem_grow(f->names, &f->name_capacity, f->name_count + 1, sizeof(*f->names));
	f->names[f->name_count] = mem_strndup(name, length);
	return (uint32_t)f->name_count++;
}

static const struct function {
	const char *name;
	enum op op;
	unsigned least, most;		/* arguments */
} functions[] = {
	{ "pow", OP_F_POW, 2, 2 }, { "abs", OP_F_ABS, 1, 1 }, { "fabs", OP_F_ABS, 1, 1 },
	{ "min", OP_F_MIN, 2, 3 }, { "max", OP_F_MAX, 2, 3 }, { "sqrt", OP_F_SQRT, 1, 1 },
	{ "ceil", OP_F_CEIL, 1, 1 }, { "floor", OP_F_FLOOR, 1, 1 }, { "exp", OP_F_EXP, 1, 1 },
	{ "log", OP_F_LOG, 1, 1 },
};

/* Behind the opening bracket. */
static uint32_t parse_call(struct parser *p, const struct function *function)
{
	uint32_t arguments[ARGUMENTS_MAX] = { 0 }, node;
	unsigned n = 0;

	do {
		if (n == function->most)
			problem(p, "too many arguments");
		else
			arguments[n++] = parse_any(p);
	} while (!p->failed && take(p, ","));
	if (n < function->least || !take(p, ")"))
		problem(p, "expected the arguments of a function");
	node = add_node(p, function->op, arguments[0], arguments[1], 0);
	/* min and max of three are two of two. */
	return n == 3 ? add_node(p, function->op, node, arguments[2], 0) : node;
}

static uint32_t parse_word(struct parser *p)
{
	static const char *const reserved[] = { "and", "or", "not", "if", "else", "lambda", "for",
						"in", "is" };
	const char *name = p->at;
	size_t length = 0;
	uint32_t node;

	while (is_word_byte(name[length]))
		length++;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (strlen(reserved[i]) == length && strncmp(reserved[i], name, length) == 0)
			problem(p, "a word that cannot stand there");
	}
	p->at += length;
	if (take(p, "(")) {
		for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
			if (strlen(functions[i].name) == length &&
			    strncmp(functions[i].name, name, length) == 0)
				return parse_call(p, &functions[i]);
		}
		p->at = name;
		problem(p, "unknown function");
		return 0;
	}
	if (strncmp(name, "True", length) == 0 && length == 4) {
		node = add_node(p, OP_NUMBER, 0, 0, 0);
		p->f->nodes[node].number = 1;
		return node;
	}
	if (strncmp(name, "False", length) == 0 && length == 5)
		return add_node(p, OP_NUMBER, 0, 0, 0);
	return add_node(p, OP_NAME, name_number(p->f, name, length), 0, 0);
}

static uint32_t parse_atom(struct parser *p)
{
	uint32_t node;

	blanks(p);
	if (p->failed)
		return 0;
	if (word_is_digit(*p->at) || (*p->at == '.' && word_is_digit(p->at[1])))
		return parse_number(p);
	if (is_letter(*p->at))
		return parse_word(p);
	if (!take(p, "(")) {
		problem(p, *p->at ? "expected a number or a name" : "something is missing");
		return 0;
	}
	node = parse_any(p);
	if (!take(p, ")"))
		problem(p, "expected \")\"");
	return node;
}

static uint32_t parse_unary(struct parser *p);

/* ** binds to the right, and tighter than a sign before it but not after: -2 ** -1. */
static uint32_t parse_power(struct parser *p)
{
	uint32_t node = parse_atom(p);

	if (!p->failed && take(p, "**"))
		return add_node(p, OP_POW, node, parse_unary(p), 0);
	return node;
}

static uint32_t parse_unary(struct parser *p)
{
	uint32_t node = 0;

	if (!enter(p))
		return 0;
	blanks(p);
	if (take(p, "-"))
		node = add_node(p, OP_NEG, parse_unary(p), 0, 0);
	else if (take(p, "+"))
		node = add_node(p, OP_PLUS, parse_unary(p), 0, 0);
	else
		node = parse_power(p);
	p->depth--;
	return node;
}

static uint32_t parse_product(struct parser *p)
{
	uint32_t node = parse_unary(p);

	while (!p->failed) {
		if (take(p, "//"))
			node = add_node(p, OP_FLOOR_DIV, node, parse_unary(p), 0);
		else if (take(p, "*"))
			node = add_node(p, OP_MUL, node, parse_unary(p), 0);
		else if (take(p, "/"))
			node = add_node(p, OP_DIV, node, parse_unary(p), 0);
		else if (take(p, "%"))
			node = add_node(p, OP_MOD, node, parse_unary(p), 0);
		else
			break;
	}
	return node;
}

static uint32_t parse_sum(struct parser *p)
{
	uint32_t node = parse_product(p);

	while (!p->failed) {
		if (take(p, "+"))
			node = add_node(p, OP_ADD, node, parse_product(p), 0);
		else if (take(p, "-"))
			node = add_node(p, OP_SUB, node, parse_product(p), 0);
		else
			break;
	}
	return node;
}

static bool take_comparison(struct parser *p, enum op *op)
{
	static const struct {
		const char *sign;
		enum op op;
	} signs[] = {
		{ "<=", OP_LE }, { ">=", OP_GE }, { "==", OP_EQ }, { "!=", OP_NE }, { "<", OP_LT },
		{ ">", OP_GT },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (take(p, signs[i].sign)) {
			*op = signs[i].op;
			return true;
		}
	}
	return false;
}

/* a < b < c is a < b and b < c. */
static uint32_t parse_comparison(struct parser *p)
{
	uint32_t left = parse_sum(p), chain = UINT32_MAX;
	enum op op;

	while (!p->failed && take_comparison(p, &op)) {
		uint32_t right = parse_sum(p), one = add_node(p, op, left, right, 0);

		chain = chain == UINT32_MAX ? one : add_node(p, OP_AND, chain, one, 0);
		left = right;
	}
	return chain == UINT32_MAX ? left : chain;
}

static uint32_t parse_not(struct parser *p)
{
	uint32_t node;

	if (!take(p, "not"))
		return parse_comparison(p);
	if (!enter(p))
		return 0;
	node = add_node(p, OP_NOT, parse_not(p), 0, 0);
	p->depth--;
	return node;
}

static uint32_t parse_and(struct parser *p)
{
	uint32_t node = parse_not(p);

	while (!p->failed && take(p, "and"))
		node = add_node(p, OP_AND, node, parse_not(p), 0);
	return node;
}

static uint32_t parse_or(struct parser *p)
{
	uint32_t node = parse_and(p);

	while (!p->failed && take(p, "or"))
		node = add_node(p, OP_OR, node, parse_and(p), 0);
	return node;
}

static uint32_t parse_any(struct parser *p)
{
	uint32_t node, condition;

	if (!enter(p))
		return 0;
	node = parse_or(p);
	if (!p->failed && take(p, "if")) {
		condition = parse_or(p);
		if (!take(p, "else"))
			problem(p, "expected \"else\"");
		node = add_node(p, OP_IF, condition, node, parse_any(p));
	}
	p->depth--;
	return node;
}

/* ---- terms ----------------------------------------------------------------------------------- */

static void add_term(struct pbs_formula *f, const char *from, const char *to, uint32_t node,
		     bool minus)
{
	size_t length, size;
	char *text;

	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	length = (size_t)(to - from);
	size = length + 2;
	text = mem_alloc(size, 1);
	snprintf(text, size, "%s%.*s", minus ? "-" : "", (int)length, from);
	f->terms = mem_grow(f->terms, &f->term_capacity, f->term_count + 1, sizeof(*f->terms));
	f->terms[f->term_count++] = (struct term){ text, node, minus };
}

/* Parses the formula again, term by term; a formula that is no sum is one term. */
static void split_terms(struct parser *p)
{
	bool minus = false;

	p->at = p->start;
	for (;;) {
		const char *from = p->at;
		uint32_t node = parse_product(p);

		add_term(p->f, from, p->at, node, minus);
		if (take(p, "+"))
			minus = false;
		else if (take(p, "-"))
			minus = true;
		else
			break;
	}
	blanks(p);
	if (*p->at == '\0' && !p->failed)
		return;
	while (p->f->term_count > 0)
		mem_free(p->f->terms[--p->f->term_count].text);
	add_term(p->f, p->start, p->start + strlen(p->start), p->f->root, false);
}

struct pbs_formula *pbs_formula_parse(const char *text, struct err *err)
{
	struct pbs_formula *f = mem_zalloc(1, sizeof(*f));
	struct parser p = { text, text, f, 0, err, false };

	f->root = parse_any(&p);
	blanks(&p);
	if (!p.failed && *p.at != '\0')
		problem(&p, "expected an operator");
	if (p.failed) {
		pbs_formula_free(f);
		return NULL;
	}
	p.err = NULL;
	split_terms(&p);
	return f;
}

void pbs_formula_free(struct pbs_formula *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->name_count; i++)
		mem_free(f->names[i]);
	for (size_t i = 0; i < f->term_count; i++)
		mem_free(f->terms[i].text);
	mem_free(f->names);
	mem_free(f->terms);
	mem_free(f->nodes);
	mem_free(f);
}

/* ---- evaluating ------------------------------------------------------------------------------ */

struct evaluation {
	const struct pbs_formula *f;
	const double *values;
	bool raised;		/* an exception of Python */
};

static double evaluate(struct evaluation *e, uint32_t i);

/* A number that Python would not have come to. */
static double checked(struct evaluation *e, double x)
{
	if (!isfinite(x))
		e->raised = true;
	return x;
}

/* The remainder has the sign of the divisor. */
static double modulo(double x, double y)
{
	double rest = fmod(x, y);

	return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static double compute(struct evaluation *e, enum op op, double x, double y)
{
	switch (op) {
	case OP_ADD:	return checked(e, x + y);
	case OP_SUB:	return checked(e, x - y);
	case OP_MUL:	return checked(e, x * y);
	case OP_DIV:	return checked(e, y == 0 ? (double)INFINITY : x / y);
	case OP_FLOOR_DIV: return checked(e, y == 0 ? (double)INFINITY : floor(x / y));
	case OP_MOD:	return checked(e, y == 0 ? (double)INFINITY : modulo(x, y));
	case OP_POW:
	case OP_F_POW:	return checked(e, pow(x, y));
	case OP_LT:	return x < y;
	case OP_LE:	return x <= y;
	case OP_GT:	return x > y;
	case OP_GE:	return x >= y;
	case OP_EQ:	return x == y;
	case OP_NE:	return x != y;
	case OP_F_MIN:	return fmin(x, y);
	case OP_F_MAX:	return fmax(x, y);
	case OP_NEG:	return -x;
	case OP_NOT:	return x == 0;
	case OP_F_ABS:	return fabs(x);
	case OP_F_SQRT:	return checked(e, sqrt(x));
	case OP_F_CEIL:	return ceil(x);
	case OP_F_FLOOR: return floor(x);
	case OP_F_EXP:	return checked(e, exp(x));
	case OP_F_LOG:	return checked(e, x > 0 ? log(x) : (double)INFINITY);
	default:	return x;
	}
}

static bool has_two(enum op op)
{
	return (op >= OP_ADD && op <= OP_POW) || (op >= OP_LT && op <= OP_NE) || op == OP_F_POW ||
	       op == OP_F_MIN || op == OP_F_MAX;
}

/* "and" and "or" give one of their operands, and do not look at the other where that decides. */
static double evaluate(struct evaluation *e, uint32_t i)
{
	const struct node *n = &e->f->nodes[i];
	double x, y = 0;

	if (n->op == OP_NUMBER)
		return n->number;
	if (n->op == OP_NAME)
		return e->values[n->a];
	x = evaluate(e, n->a);
	if (e->raised || isnan(x))
		return x;
	if (n->op == OP_AND || n->op == OP_OR)
		return (x != 0) == (n->op == OP_OR) ? x : evaluate(e, n->b);
	if (n->op == OP_IF)
		return evaluate(e, x != 0 ? n->b : n->c);
	if (has_two(n->op))
		y = evaluate(e, n->b);
	if (e->raised || isnan(y))
		return y;
	return compute(e, n->op, x, y);
}

double pbs_formula_value(const struct pbs_formula *f, const double *values, bool *failed)
{
	struct evaluation e = { f, values, false };
	double x = evaluate(&e, f->root);

	if (failed)
		*failed = e.raised;
	return e.raised ? 0 : (double)(float)x;
}

size_t pbs_formula_names(const struct pbs_formula *f)
{
	return f->name_count;
}

const char *pbs_formula_name(const struct pbs_formula *f, size_t i)
{
	return f->names[i];
}

size_t pbs_formula_terms(const struct pbs_formula *f)
{
	return f->term_count;
}

const char *pbs_formula_term(const struct pbs_formula *f, size_t i)
{
	return f->terms[i].text;
}

double pbs_formula_term_value(const struct pbs_formula *f, size_t i, const double *values)
{
	struct evaluation e = { f, values, false };
	double x = evaluate(&e, f->terms[i].node);

	if (e.raised)
		return F64_UNKNOWN;
	return f->terms[i].minus ? -x : x;
}
