/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern becomes a tree, the tree a program of six instructions, and the program runs on the
 * text with the list of all states it may be in.
 */
#include "core/base/match.h"

#include <stdint.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

#define MATCH_NODES_MAX (2 * MATCH_PATTERN_MAX + 2)
#define MATCH_RANGES_MAX (4 * MATCH_PATTERN_MAX)
#define MATCH_REPEAT_MAX 1000
#define MATCH_NO_LIMIT UINT16_MAX

enum match_op {
	OP_EMPTY,		/* tree only: matches the empty text */
	OP_ANY,
	OP_CLASS,		/* ranges [first, first + count), negated or not */
	OP_BEGIN,
	OP_END,
	OP_JUMP,		/* to a */
	OP_SPLIT,		/* to a and to b */
	OP_DONE,
	OP_CAT, OP_ALT, OP_REPEAT	/* tree only */
};

struct match_range {
	uint32_t low, high;
};

struct match_node {
	enum match_op op;
	uint16_t a, b;			/* children */
	uint16_t least, most;		/* OP_REPEAT */
	uint16_t first, count;		/* OP_CLASS */
	bool negated;
};

struct match_state {
	enum match_op op;
	uint16_t a, b;
	uint16_t first, count;
	bool negated;
};

struct match {
	struct match_state *states;
	uint32_t count;
	struct match_range *ranges;
	uint16_t range_count;
	/* Scratch of match_test(). */
	uint16_t *now, *next, *stack;
	uint32_t *seen;			/* step in which a state was last added */
};

/* ---- reading ------------------------------------------------------------------------------- */

struct match_parser {
	const char *text;
	size_t length, at;
	struct match_node nodes[MATCH_NODES_MAX];
	uint16_t node_count;
	struct match_range ranges[MATCH_RANGES_MAX];
	uint16_t range_count;
	struct err *err;
	bool failed;
};

static uint16_t parse_alternatives(struct match_parser *p);

static uint16_t parse_fail(struct match_parser *p, const char *what)
{
	if (!p->failed) {
		p->failed = true;
		err_set(p->err, ERR_INPUT, "regular expression %.*s: %s at character %zu",
			(int)(p->length < MATCH_PATTERN_MAX ? p->length : MATCH_PATTERN_MAX),
			p->text, what, p->at + 1);
	}
	return 0;
}

static bool parse_more(const struct match_parser *p)
{
	return !p->failed && p->at < p->length;
}

static bool parse_accept(struct match_parser *p, char c)
{
	if (!parse_more(p) || p->text[p->at] != c)
		return false;
	p->at++;
	return true;
}

static uint16_t parse_node(struct match_parser *p, enum match_op op)
{
	if (p->node_count == MATCH_NODES_MAX)
		return parse_fail(p, "too long");
	p->nodes[p->node_count] = (struct match_node){ .op = op };
	return p->node_count++;
}

static void parse_range(struct match_parser *p, uint32_t low, uint32_t high)
{
	if (p->range_count == MATCH_RANGES_MAX) {
		parse_fail(p, "too many ranges");
		return;
	}
	p->ranges[p->range_count++] = (struct match_range){ low, high };
}

/* Next code point of the pattern, taken literally. */
static uint32_t parse_code_point(struct match_parser *p)
{
	uint32_t c = 0;
	size_t n = utf8_decode(p->text + p->at, p->length - p->at, &c);

	if (n == 0)
		return parse_fail(p, "a character is missing");
	if (c == UINT32_MAX)
		return parse_fail(p, "not UTF-8");
	p->at += n;
	return c;
}

static bool parse_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* \d \s \w and their opposites into a class; false if LETTER is none of them. */
static bool parse_shorthand(struct match_parser *p, char letter, struct match_node *node)
{
	switch (letter) {
	case 'D': case 'S': case 'W':
		node->negated = true;
		break;
	default:
		break;
	}
	switch (letter) {
	case 'd': case 'D':
		parse_range(p, '0', '9');
		return true;
	case 's': case 'S':
		parse_range(p, '\t', '\r');
		parse_range(p, ' ', ' ');
		return true;
	case 'w': case 'W':
		parse_range(p, '0', '9');
		parse_range(p, 'A', 'Z');
		parse_range(p, 'a', 'z');
		parse_range(p, '_', '_');
		return true;
	default:
		return false;
	}
}

/* After "[". A "]" that comes first stands for itself, as in POSIX. */
static void parse_brackets(struct match_parser *p, struct match_node *node)
{
	bool first = true;

	node->negated = parse_accept(p, '^');
	while (first || !parse_accept(p, ']')) {
		uint32_t low, high;

		if (!parse_more(p)) {
			parse_fail(p, "] is missing");
			return;
		}
		first = false;
		if (parse_accept(p, '\\') && parse_more(p) &&
		    strchr("dsw", p->text[p->at]) && parse_shorthand(p, p->text[p->at], node)) {
			p->at++;
			continue;
		}
		low = high = parse_code_point(p);
		if (p->at + 1 < p->length && p->text[p->at] == '-' && p->text[p->at + 1] != ']') {
			p->at++;
			(void)parse_accept(p, '\\');
			high = parse_code_point(p);
			if (high < low)
				parse_fail(p, "range ends before it begins");
		}
		parse_range(p, low, high);
	}
}

static uint16_t parse_class(struct match_parser *p)
{
	uint16_t id = parse_node(p, OP_CLASS);
	struct match_node *node = &p->nodes[id];
	uint32_t c;

	node->first = p->range_count;
	if (parse_accept(p, '[')) {
		parse_brackets(p, node);
	} else if (parse_accept(p, '\\') && parse_more(p) && parse_is_letter(p->text[p->at])) {
		if (!parse_shorthand(p, p->text[p->at], node))
			return parse_fail(p, "unknown escape");
		p->at++;
	} else {
		c = parse_code_point(p);
		parse_range(p, c, c);
	}
	node->count = (uint16_t)(p->range_count - node->first);
	return id;
}

static uint16_t parse_atom(struct match_parser *p)
{
	uint16_t id;

	if (parse_accept(p, '.'))
		return parse_node(p, OP_ANY);
	if (parse_accept(p, '^'))
		return parse_node(p, OP_BEGIN);
	if (parse_accept(p, '$'))
		return parse_node(p, OP_END);
	if (strchr("*+?{", p->text[p->at]))
		return parse_fail(p, "nothing to repeat");
	if (!parse_accept(p, '('))
		return parse_class(p);
	id = parse_alternatives(p);
	if (!p->failed && !parse_accept(p, ')'))
		return parse_fail(p, ") is missing");
	return id;
}

static uint16_t parse_count(struct match_parser *p)
{
	unsigned n = 0;
	size_t start = p->at;

	while (parse_more(p) && p->text[p->at] >= '0' && p->text[p->at] <= '9') {
		n = n * 10 + (unsigned)(p->text[p->at] - '0');
		if (n > MATCH_REPEAT_MAX)
			return parse_fail(p, "repeated too often");
		p->at++;
	}
	if (p->at == start)
		return parse_fail(p, "a number is missing");
	return (uint16_t)n;
}

/* "*", "+", "?", "{m}", "{m,}" or "{m,n}"; false if there is none. */
static bool parse_times(struct match_parser *p, uint16_t *least, uint16_t *most)
{
	*least = 0;
	*most = MATCH_NO_LIMIT;
	if (parse_accept(p, '*'))
		return true;
	if (parse_accept(p, '+')) {
		*least = 1;
		return true;
	}
	if (parse_accept(p, '?')) {
		*most = 1;
		return true;
	}
	if (!parse_accept(p, '{'))
		return false;
	*least = *most = parse_count(p);
	if (parse_accept(p, ',')) {
		*most = MATCH_NO_LIMIT;
		if (parse_more(p) && p->text[p->at] != '}')
			*most = parse_count(p);
	}
	if (!parse_accept(p, '}') || *most < *least)
		parse_fail(p, "{m,n} cannot be read");
	return true;
}

static uint16_t parse_piece(struct match_parser *p)
{
	uint16_t id = parse_atom(p), least, most;

	while (!p->failed && parse_times(p, &least, &most)) {
		uint16_t repeat = parse_node(p, OP_REPEAT);

		p->nodes[repeat].a = id;
		p->nodes[repeat].least = least;
		p->nodes[repeat].most = most;
		id = repeat;
	}
	return id;
}

static uint16_t parse_join(struct match_parser *p, enum match_op op, uint16_t a, uint16_t b)
{
	uint16_t id = parse_node(p, op);

	p->nodes[id].a = a;
	p->nodes[id].b = b;
	return id;
}

static uint16_t parse_sequence(struct match_parser *p)
{
	uint16_t id;

	if (!parse_more(p) || p->text[p->at] == '|' || p->text[p->at] == ')')
		return parse_node(p, OP_EMPTY);
	id = parse_piece(p);
	while (parse_more(p) && p->text[p->at] != '|' && p->text[p->at] != ')')
		id = parse_join(p, OP_CAT, id, parse_piece(p));
	return id;
}

static uint16_t parse_alternatives(struct match_parser *p)
{
	uint16_t id = parse_sequence(p);

	while (parse_accept(p, '|'))
		id = parse_join(p, OP_ALT, id, parse_sequence(p));
	return id;
}

/* ---- the program --------------------------------------------------------------------------- */

struct match_compiler {
	struct match *m;
	const struct match_node *nodes;
	bool too_big;
};

static uint16_t emit(struct match_compiler *c, enum match_op op)
{
	if (c->m->count == MATCH_STATES_MAX) {
		c->too_big = true;
		return MATCH_STATES_MAX - 1;
	}
	c->m->states[c->m->count] = (struct match_state){ .op = op };
	return (uint16_t)c->m->count++;
}

static uint16_t emit_here(const struct match_compiler *c)
{
	return (uint16_t)c->m->count;
}

static void emit_node(struct match_compiler *c, uint16_t id);

/* x{least,most}: the x that must be, then either a loop or x? as often as may be. */
static void emit_repeat(struct match_compiler *c, const struct match_node *node)
{
	uint16_t split;

	for (uint16_t i = 0; i < node->least && !c->too_big; i++) {
		uint32_t before = c->m->count;

		emit_node(c, node->a);
		if (c->m->count == before)
			break;		/* a thousand times nothing, nested, would take forever */
	}
	if (node->most == MATCH_NO_LIMIT) {
		split = emit(c, OP_SPLIT);
		c->m->states[split].a = emit_here(c);
		emit_node(c, node->a);
		c->m->states[emit(c, OP_JUMP)].a = split;
		c->m->states[split].b = emit_here(c);
		return;
	}
	for (uint16_t i = node->least; i < node->most && !c->too_big; i++) {
		split = emit(c, OP_SPLIT);
		c->m->states[split].a = emit_here(c);
		emit_node(c, node->a);
		c->m->states[split].b = emit_here(c);
	}
}

static void emit_alternative(struct match_compiler *c, const struct match_node *node)
{
	uint16_t split = emit(c, OP_SPLIT), jump;

	c->m->states[split].a = emit_here(c);
	emit_node(c, node->a);
	jump = emit(c, OP_JUMP);
	c->m->states[split].b = emit_here(c);
	emit_node(c, node->b);
	c->m->states[jump].a = emit_here(c);
}

/* Depth is bounded by the length of the pattern. */
static void emit_node(struct match_compiler *c, uint16_t id)
{
	const struct match_node *node = &c->nodes[id];
	uint16_t state;

	if (c->too_big)
		return;
	switch (node->op) {
	case OP_EMPTY:
		return;
	case OP_CAT:
		emit_node(c, node->a);
		emit_node(c, node->b);
		return;
	case OP_ALT:
		emit_alternative(c, node);
		return;
	case OP_REPEAT:
		emit_repeat(c, node);
		return;
	default:
		state = emit(c, node->op);
		c->m->states[state].first = node->first;
		c->m->states[state].count = node->count;
		c->m->states[state].negated = node->negated;
	}
}

static bool match_compile(struct match *m, const struct match_parser *p, uint16_t root,
			  struct err *err)
{
	struct match_compiler c = { .m = m, .nodes = p->nodes };

	m->states = mem_alloc(MATCH_STATES_MAX, sizeof(*m->states));
	emit_node(&c, root);
	(void)emit(&c, OP_DONE);
	if (c.too_big)
		return err_set(err, ERR_INPUT, "regular expression %.*s: repeats too much",
			       (int)p->length, p->text);
	m->states = mem_realloc(m->states, m->count, sizeof(*m->states));
	m->ranges = mem_alloc((size_t)p->range_count + 1, sizeof(*m->ranges));
	memcpy(m->ranges, p->ranges, p->range_count * sizeof(*m->ranges));
	m->range_count = p->range_count;
	m->now = mem_alloc(m->count, sizeof(*m->now));
	m->next = mem_alloc(m->count, sizeof(*m->next));
	m->stack = mem_alloc(2 * (size_t)m->count + 2, sizeof(*m->stack));
	m->seen = mem_alloc(m->count, sizeof(*m->seen));
	return true;
}

struct match *match_new(const char *pattern, size_t length, struct err *err)
{
	struct match_parser *p;
	struct match *m;
	uint16_t root;
	bool ok;

	if (length > MATCH_PATTERN_MAX) {
		err_set(err, ERR_INPUT, "regular expression is longer than %d bytes",
			MATCH_PATTERN_MAX);
		return NULL;
	}
	p = mem_zalloc(1, sizeof(*p));
	p->text = pattern;
	p->length = length;
	p->err = err;
	root = parse_alternatives(p);
	if (parse_more(p))
		parse_fail(p, "( is missing");
	m = mem_zalloc(1, sizeof(*m));
	ok = !p->failed && match_compile(m, p, root, err);
	mem_free(p);
	if (!ok) {
		match_free(m);
		return NULL;
	}
	return m;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	mem_free(m->states);
	mem_free(m->ranges);
	mem_free(m->now);
	mem_free(m->next);
	mem_free(m->stack);
	mem_free(m->seen);
	mem_free(m);
}

/* ---- running ------------------------------------------------------------------------------- */

struct match_run {
	const struct match *m;
	uint32_t step;			/* position, from 1: what seen[] is compared with */
	bool at_begin, at_end, done;
};

/* Adds STATE and all it leads to without reading a character. */
static uint32_t run_add(struct match_run *r, uint16_t *list, uint32_t count, uint16_t state)
{
	const struct match *m = r->m;
	size_t top = 0;

	m->stack[top++] = state;
	while (top > 0) {
		uint16_t i = m->stack[--top];
		const struct match_state *s = &m->states[i];

		if (m->seen[i] == r->step)
			continue;
		m->seen[i] = r->step;
		switch (s->op) {
		case OP_JUMP:
			m->stack[top++] = s->a;
			break;
		case OP_SPLIT:
			m->stack[top++] = s->a;
			m->stack[top++] = s->b;
			break;
		case OP_BEGIN:
			if (r->at_begin)
				m->stack[top++] = (uint16_t)(i + 1);
			break;
		case OP_END:
			if (r->at_end)
				m->stack[top++] = (uint16_t)(i + 1);
			break;
		case OP_DONE:
			r->done = true;
			break;
		default:
			list[count++] = i;
		}
	}
	return count;
}

static bool run_takes(const struct match *m, const struct match_state *s, uint32_t c)
{
	if (s->op == OP_ANY)
		return true;
	for (uint16_t i = s->first; i < s->first + s->count; i++) {
		if (c >= m->ranges[i].low && c <= m->ranges[i].high)
			return !s->negated;
	}
	return s->negated;
}

bool match_test(const struct match *m, const char *text, size_t length)
{
	struct match_run r = { .m = m, .step = 1, .at_begin = true, .at_end = length == 0 };
	uint16_t *now = m->now, *next = m->next, *swap;
	uint32_t count;

	memset(m->seen, 0, m->count * sizeof(*m->seen));
	count = run_add(&r, now, 0, 0);
	for (size_t at = 0; at < length && !r.done;) {
		uint32_t c, kept = 0;

		at += utf8_decode(text + at, length - at, &c);
		r.step++;
		r.at_begin = false;
		r.at_end = at >= length;
		for (uint32_t i = 0; i < count; i++) {
			if (run_takes(m, &m->states[now[i]], c))
				kept = run_add(&r, next, kept, (uint16_t)(now[i] + 1));
		}
		count = run_add(&r, next, kept, 0);	/* a match may begin here, too */
		swap = now;
		now = next;
		next = swap;
	}
	return r.done;
}
