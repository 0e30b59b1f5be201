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
#include "core/queue/pbs_number.h"

#define NODES_MAX 4096
#define DEPTH_MAX 100
#define NONE UINT32_MAX		/* no node */

/* OP_LIST: an element and the rest; OP_COMPARE: two operands and the rest of the chain. */
enum op { OP_NUMBER, OP_NAME, OP_CALL, OP_LIST, OP_COMPARE, OP_AND, OP_OR, OP_NOT, OP_IF };

struct formula_node {
	enum op op;
	uint32_t a, b, c;	/* operands, or NONE; for OP_NAME, a is the name's number */
	const struct pbs_function *function;
	struct pbs_number number;
};

struct formula_term {
	char *text;
	uint32_t node;
	bool minus;
};

struct pbs_formula {
	struct formula_node *nodes;
	size_t count, capacity;
	char **names;
	size_t name_count, name_capacity;
	struct formula_term *terms;
	size_t term_count, term_capacity;
	uint32_t root;
};

/* ---- parsing --------------------------------------------------------------------------------- */

/* A missing or wrong operand sets a problem; the returned value is then irrelevant. */
struct formula_parser {
	const char *start, *at;
	struct pbs_formula *f;
	unsigned depth;
	struct err *err;
	bool failed;
};

static uint32_t parse_any(struct formula_parser *p);

static void formula_problem(struct formula_parser *p, const char *what)
{
	if (p->failed)
		return;
	p->failed = true;
	err_set(p->err, ERR_INPUT, "job_sort_formula: %s at \"%.40s\" (expected arithmetic, "
		"comparisons and the documented names)", what, p->at);
}

static void formula_blanks(struct formula_parser *p)
{
	p->at += strspn(p->at, " \t");
}

/* Lists are only valid as arguments of functions. */
static bool is_operand(const struct formula_parser *p, uint32_t node)
{
	return node >= p->f->count || p->f->nodes[node].op != OP_LIST;
}

static uint32_t formula_add_node(struct formula_parser *p, enum op op, uint32_t a, uint32_t b,
				 uint32_t c)
{
	struct pbs_formula *f = p->f;

	if (f->count == NODES_MAX)
		formula_problem(p, "too long");
	if (op > OP_LIST || op == OP_CALL) {
		if (!is_operand(p, a) || !is_operand(p, b) || !is_operand(p, c))
			formula_problem(p, "a list in the wrong place");
	}
	if (p->failed)
		return 0;
	MEM_GROW(f->nodes, f->capacity, f->count + 1);
	f->nodes[f->count] = (struct formula_node){ .op = op, .a = a, .b = b, .c = c };
	return (uint32_t)f->count++;
}

static uint32_t add_call(struct formula_parser *p, const struct pbs_function *function, uint32_t a,
			 uint32_t b)
{
	uint32_t node = formula_add_node(p, OP_CALL, a, b, NONE);

	if (!p->failed)
		p->f->nodes[node].function = function;
	return node;
}

static uint32_t add_number(struct formula_parser *p, struct pbs_number number)
{
	uint32_t node = formula_add_node(p, OP_NUMBER, NONE, NONE, NONE);

	if (!p->failed)
		p->f->nodes[node].number = number;
	return node;
}

static bool formula_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word_byte(char c)
{
	return formula_is_letter(c) || (c >= '0' && c <= '9');
}

/* Takes an operator, or a word that ends there. */
static bool formula_take(struct formula_parser *p, const char *token)
{
	size_t length = strlen(token);

	formula_blanks(p);
	if (strncmp(p->at, token, length) != 0 ||
	    (formula_is_letter(token[0]) && is_word_byte(p->at[length])))
		return false;
	p->at += length;
	return true;
}

/* Enters one level of nesting; false if that is too deep. */
static bool formula_enter(struct formula_parser *p)
{
	if (++p->depth > DEPTH_MAX)
		formula_problem(p, "nested too deeply");
	return !p->failed;
}

static uint32_t parse_number(struct formula_parser *p)
{
	const char *text = p->at, *digits = text + strspn(text, "0123456789");
	char *end;
	struct pbs_number number = pbs_number_float(strtod(text, &end));
	unsigned long long whole = strtoull(text, NULL, 10);

	if (is_word_byte(*end) || (text[0] == '0' && (text[1] | 0x20) == 'x'))
		formula_problem(p, "not a number");
	/* Digits without a point are an int, of any length. */
	if (end == digits) {
		if (text[0] == '0' && strspn(text, "0") != (size_t)(end - text))
			formula_problem(p, "not a number");
		number = whole > INT64_MAX ? pbs_number_plain(number.x) :
			 pbs_number_int((int64_t)whole);
	}
	p->at = end;
	return add_number(p, number);
}

static uint32_t name_number(struct pbs_formula *f, const char *name, size_t length)
{
	for (size_t i = 0; i < f->name_count; i++) {
		if (strncmp(f->names[i], name, length) == 0 && f->names[i][length] == '\0')
			return (uint32_t)i;
	}
	MEM_GROW(f->names, f->name_capacity, f->name_count + 1);
	f->names[f->name_count] = mem_strndup(name, length);
	return (uint32_t)f->name_count++;
}

/*
 * Parses up to CLOSE: a chain of OP_LIST, or NONE. LONE: a single item without a comma after it,
 * which in brackets is no tuple.
 */
static uint32_t parse_items(struct formula_parser *p, const char *close, bool *lone)
{
	uint32_t first = NONE, last = NONE;

	*lone = false;
	while (!p->failed && !formula_take(p, close)) {
		uint32_t node = formula_add_node(p, OP_LIST, parse_any(p), NONE, NONE);

		if (p->failed)
			break;
		*lone = last == NONE;
		if (last == NONE)
			first = node;
		else
			p->f->nodes[last].b = node;
		last = node;
		if (formula_take(p, ","))
			*lone = false;
		else if (*p->at != *close)
			formula_problem(p, *close == ')' ? "expected \")\"" : "expected \"]\"");
	}
	return first;
}

static uint32_t formula_item_of(const struct formula_parser *p, uint32_t list)
{
	return list == NONE ? NONE : p->f->nodes[list].a;
}

static uint32_t formula_after(const struct formula_parser *p, uint32_t list)
{
	return list == NONE ? NONE : p->f->nodes[list].b;
}

/* min, max and sum of many are folded into pairs. */
static uint32_t formula_fold(struct formula_parser *p, const struct pbs_function *function,
			     uint32_t list)
{
	const struct pbs_function *add = pbs_function_find("+", 1);
	bool sum = function->two == add->two;
	uint32_t first = formula_item_of(p, list),
		 start = formula_item_of(p, formula_after(p, list)), result;

	if (first != NONE && !is_operand(p, first)) {
		if (formula_after(p, list) != NONE &&
		    (!sum || formula_after(p, formula_after(p, list)) != NONE))
			formula_problem(p, "too many arguments");
		/* The empty list has no node. */
		list = formula_item_of(p, first) == NONE ? NONE : first;
	} else if (sum || formula_after(p, list) == NONE) {
		formula_problem(p, "expected the arguments of a function");
	}
	if (sum)
		result = start != NONE ? start : add_number(p, pbs_number_int(0));
	else
		result = formula_item_of(p, list);
	if (result == NONE)
		formula_problem(p, "expected the arguments of a function");
	for (list = sum ? list : formula_after(p, list); !p->failed && list != NONE;
	     list = formula_after(p, list))
		result = add_call(p, sum ? add : function, result, formula_item_of(p, list));
	return result;
}

/* After the opening bracket. */
static uint32_t parse_call(struct formula_parser *p, const struct pbs_function *function)
{
	bool lone;
	uint32_t list = parse_items(p, ")", &lone), n = 0;

	if (p->failed)
		return 0;
	if (function->most == 0)
		return formula_fold(p, function, list);
	for (uint32_t at = list; at != NONE; at = formula_after(p, at))
		n++;
	if (n > function->most)
		formula_problem(p, "too many arguments");
	if (n < function->least)
		formula_problem(p, "expected the arguments of a function");
	return p->failed ? 0 : add_call(p, function, formula_item_of(p, list),
					formula_item_of(p, formula_after(p, list)));
}

/* Is NAME one of the words in LIST, each with a blank on either side? */
static bool formula_is_one_of(const char *list, const char *name, size_t length)
{
	char word[32];

	if (length + 3 > sizeof(word))
		return false;
	snprintf(word, sizeof(word), " %.*s ", (int)length, name);
	return strstr(list, word) != NULL;
}

/* Constants, which shadow resources of the same name. */
static bool formula_constant(const char *name, size_t length, struct pbs_number *value)
{
	static const struct {
		const char *name;
		double value;
	} floats[] = {
		{ "pi", 3.14159265358979323846 }, { "e", 2.7182818284590452354 },
		{ "tau", 6.28318530717958647693 }, { "inf", (double)INFINITY },
		{ "nan", F64_UNKNOWN },
	};

	for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
		if (strlen(floats[i].name) == length &&
		    strncmp(floats[i].name, name, length) == 0) {
			*value = pbs_number_float(floats[i].value);
			return true;
		}
	}
	*value = pbs_number_int(formula_is_one_of(" True ", name, length));
	return formula_is_one_of(" True False ", name, length);
}

static uint32_t formula_parse_word(struct formula_parser *p)
{
	static const char reserved[] = " and or not if else lambda for in is None await yield ";
	/* Names of module math in some version, and of the scheduler's program. */
	static const char others[] =
		" cbrt comb dist erf erfc exp2 factorial fma frexp fsum gamma gcd isclose isfinite "
		"isinf isnan isqrt lcm lgamma modf nextafter perm prod remainder sumprod ulp ex "
		"globals_dict ";
	const char *name = p->at;
	size_t length = 0;
	const struct pbs_function *function;
	struct pbs_number number;

	while (is_word_byte(name[length]))
		length++;
	if (formula_is_one_of(reserved, name, length))
		formula_problem(p, "a word in the wrong place");
	p->at += length;
	function = pbs_function_find(name, length);
	if (formula_take(p, "(")) {
		if (function)
			return parse_call(p, function);
		p->at = name;
		formula_problem(p, "unknown function");
		return 0;
	}
	if (formula_constant(name, length, &number))
		return add_number(p, number);
	if (function || formula_is_one_of(others, name, length)) {
		p->at = name;
		formula_problem(p, "a function without arguments");
	}
	return formula_add_node(p, OP_NAME, name_number(p->f, name, length), NONE, NONE);
}

static uint32_t parse_atom(struct formula_parser *p)
{
	bool list, lone;
	uint32_t node;

	formula_blanks(p);
	if (p->failed)
		return 0;
	if (word_is_digit(*p->at) || (*p->at == '.' && word_is_digit(p->at[1])))
		return parse_number(p);
	if (formula_is_letter(*p->at))
		return formula_parse_word(p);
	list = *p->at == '[';
	if (!formula_take(p, "[") && !formula_take(p, "(")) {
		formula_problem(p, *p->at ? "expected a number or a name" : "something is missing");
		return 0;
	}
	node = parse_items(p, list ? "]" : ")", &lone);
	if (p->failed)
		return 0;
	if (node == NONE)
		return formula_add_node(p, OP_LIST, NONE, NONE, NONE);
	return lone && !list ? formula_item_of(p, node) : node;
}

static uint32_t parse_unary(struct formula_parser *p);

/* ** is right-associative and binds tighter than a sign before it, but not after: -2 ** -1. */
static uint32_t parse_power(struct formula_parser *p)
{
	uint32_t node = parse_atom(p);

	if (!p->failed && formula_take(p, "**"))
		return add_call(p, pbs_function_find("**", 2), node, parse_unary(p));
	return node;
}

static uint32_t parse_unary(struct formula_parser *p)
{
	static const char *const signs[] = { "u-", "u+", "u~" };
	uint32_t node = NONE;

	if (!formula_enter(p))
		return 0;
	for (size_t i = 0; node == NONE && i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (formula_take(p, signs[i] + 1))
			node = add_call(p, pbs_function_find(signs[i], 2), parse_unary(p), NONE);
	}
	if (node == NONE)
		node = parse_power(p);
	p->depth--;
	return node;
}

enum formula_level {
	LEVEL_OR,
	LEVEL_XOR,
	LEVEL_AND,
	LEVEL_SHIFT,
	LEVEL_SUM,
	LEVEL_PRODUCT,
	LEVELS
};

static const struct pbs_function *take_operator(struct formula_parser *p, enum formula_level level)
{
	static const char *const signs[LEVELS][5] = {
		{ "|" }, { "^" }, { "&" }, { "<<", ">>" }, { "+", "-" }, { "//", "*", "/", "%" },
	};

	for (const char *const *sign = signs[level]; *sign; sign++) {
		if (formula_take(p, *sign))
			return pbs_function_find(*sign, strlen(*sign));
	}
	return NULL;
}

static uint32_t parse_binary(struct formula_parser *p, enum formula_level level)
{
	uint32_t node = level == LEVELS ? parse_unary(p) : parse_binary(p, level + 1);
	const struct pbs_function *function;

	while (level < LEVELS && !p->failed && (function = take_operator(p, level)))
		node = add_call(p, function, node, parse_binary(p, level + 1));
	return node;
}

static const struct pbs_function *take_comparison(struct formula_parser *p)
{
	static const char *const signs[] = { "<=", ">=", "==", "!=", "<", ">" };

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (formula_take(p, signs[i]))
			return pbs_function_find(signs[i], strlen(signs[i]));
	}
	return NULL;
}

/* a < b < c means a < b and b < c, with b evaluated once. */
static uint32_t formula_parse_comparison(struct formula_parser *p)
{
	uint32_t first = parse_binary(p, 0), left = first, last = NONE, node;
	const struct pbs_function *function;

	while (!p->failed && (function = take_comparison(p))) {
		node = formula_add_node(p, OP_COMPARE, left, parse_binary(p, 0), NONE);
		if (p->failed)
			break;
		p->f->nodes[node].function = function;
		left = p->f->nodes[node].b;
		if (last == NONE)
			first = node;
		else
			p->f->nodes[last].c = node;
		last = node;
	}
	return first;
}

static uint32_t formula_parse_not(struct formula_parser *p)
{
	uint32_t node;

	if (!formula_take(p, "not"))
		return formula_parse_comparison(p);
	if (!formula_enter(p))
		return 0;
	node = formula_add_node(p, OP_NOT, formula_parse_not(p), NONE, NONE);
	p->depth--;
	return node;
}

static uint32_t formula_parse_and(struct formula_parser *p)
{
	uint32_t node = formula_parse_not(p);

	while (!p->failed && formula_take(p, "and"))
		node = formula_add_node(p, OP_AND, node, formula_parse_not(p), NONE);
	return node;
}

static uint32_t formula_parse_or(struct formula_parser *p)
{
	uint32_t node = formula_parse_and(p);

	while (!p->failed && formula_take(p, "or"))
		node = formula_add_node(p, OP_OR, node, formula_parse_and(p), NONE);
	return node;
}

static uint32_t parse_any(struct formula_parser *p)
{
	uint32_t node, condition;

	if (!formula_enter(p))
		return 0;
	node = formula_parse_or(p);
	if (!p->failed && formula_take(p, "if")) {
		condition = formula_parse_or(p);
		if (!formula_take(p, "else"))
			formula_problem(p, "expected \"else\"");
		node = formula_add_node(p, OP_IF, condition, node, parse_any(p));
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
	MEM_GROW(f->terms, f->term_capacity, f->term_count + 1);
	f->terms[f->term_count++] = (struct formula_term){ text, node, minus };
}

/* Parses the formula again, term by term; a formula without a sum is one term. */
static void split_terms(struct formula_parser *p)
{
	bool minus = false;

	p->at = p->start;
	for (;;) {
		const char *from = p->at;
		uint32_t node = parse_binary(p, LEVEL_PRODUCT);

		add_term(p->f, from, p->at, node, minus);
		if (formula_take(p, "+"))
			minus = false;
		else if (formula_take(p, "-"))
			minus = true;
		else
			break;
	}
	formula_blanks(p);
	if (*p->at == '\0' && !p->failed)
		return;
	while (p->f->term_count > 0)
		mem_free(p->f->terms[--p->f->term_count].text);
	add_term(p->f, p->start, p->start + strlen(p->start), p->f->root, false);
}

struct pbs_formula *pbs_formula_parse(const char *text, struct err *err)
{
	struct pbs_formula *f = mem_zalloc(1, sizeof(*f));
	struct formula_parser p = { text, text, f, 0, err, false };

	f->root = parse_any(&p);
	formula_blanks(&p);
	if (!p.failed && *p.at != '\0')
		formula_problem(&p, "expected an operator");
	if (!p.failed && !is_operand(&p, f->root))
		formula_problem(&p, "a list in the wrong place");
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
	mem_free_texts(f->names, f->name_count);
	for (size_t i = 0; i < f->term_count; i++)
		mem_free(f->terms[i].text);
	MEM_FREE(f->terms, f->nodes, f);
}

/* ---- evaluating ------------------------------------------------------------------------------ */

struct evaluation {
	const struct pbs_formula *f;
	const double *values;
};

static struct pbs_number formula_evaluate(struct evaluation *e, uint32_t i);

/*
 * An amount as the scheduler writes it for Python: at most four decimals, and none after three
 * zeros or nines. Source: openpbs, misc_utils.c, float_digits().
 */
static double as_written(double x)
{
	double left = fabs(x);
	char text[400];
	int digits = 0;

	for (; digits < 4; digits++, left *= 10) {
		double next = trunc((left - trunc(left)) * 1000);

		if (next < 1 || next >= 999)
			break;
	}
	snprintf(text, sizeof(text), "%.*f", digits, x);
	return strtod(text, NULL);
}

/* Fair-share inputs are written as "%f", others as whole numbers if they are. */
static struct pbs_number input_of(const struct evaluation *e, uint32_t name)
{
	const char *text = e->f->names[name];
	double x = e->values[name];

	if (strncmp(text, "fairshare_", 10) == 0 || strcmp(text, "fair_share_perc") == 0)
		return pbs_number_float(x);
	return pbs_number_plain(isfinite(x) && x != floor(x) ? as_written(x) : x);
}

static struct pbs_number formula_compare_all(struct evaluation *e, const struct formula_node *n,
					     struct pbs_number x)
{
	for (;;) {
		struct pbs_number y = formula_evaluate(e, n->b), result;

		if (!pbs_number_is(&y))
			return y;
		result = pbs_function_call(n->function, 2, &x, &y);
		if (n->c == NONE || !pbs_number_true(&result))
			return result;
		x = y;
		n = &e->f->nodes[n->c];
	}
}

/* "and" and "or" return an operand, and skip the second if the first decides. */
static struct pbs_number formula_evaluate(struct evaluation *e, uint32_t i)
{
	const struct formula_node *n = &e->f->nodes[i];
	struct pbs_number x, y = { .kind = PBS_UNKNOWN };

	if (n->op == OP_NUMBER)
		return n->number;
	if (n->op == OP_NAME)
		return input_of(e, n->a);
	x = formula_evaluate(e, n->a);
	if (!pbs_number_is(&x))
		return x;
	if (n->op == OP_COMPARE)
		return formula_compare_all(e, n, x);
	if (n->op == OP_NOT)
		return pbs_number_int(!pbs_number_true(&x));
	if (n->op == OP_IF)
		return formula_evaluate(e, pbs_number_true(&x) ? n->b : n->c);
	if (n->op != OP_CALL)
		return pbs_number_true(&x) == (n->op == OP_OR) ? x : formula_evaluate(e, n->b);
	if (n->b == NONE)
		return pbs_function_call(n->function, 1, &x, &y);
	y = formula_evaluate(e, n->b);
	return pbs_number_is(&y) ? pbs_function_call(n->function, 2, &x, &y) : y;
}

double pbs_formula_value(const struct pbs_formula *f, const double *values, bool *failed)
{
	struct evaluation e = { f, values };
	struct pbs_number x = formula_evaluate(&e, f->root);

	if (failed)
		*failed = x.kind == PBS_RAISED;
	return x.kind == PBS_RAISED ? 0 : (double)(float)pbs_number_double(&x);
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
	struct evaluation e = { f, values };
	struct pbs_number number = formula_evaluate(&e, f->terms[i].node);
	double x = pbs_number_double(&number);

	return f->terms[i].minus ? -x : x;
}
