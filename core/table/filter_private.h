/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter: the tree that filter_parse.c makes and filter.c evaluates. Nobody else includes this. */
#ifndef FAIRTOP_CORE_TABLE_FILTER_PRIVATE_H
#define FAIRTOP_CORE_TABLE_FILTER_PRIVATE_H

#include "core/table/filter.h"
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
	bool is_unknown;		/* compared with the word unknown */
	bool is_number;			/* TEXT reads as NUMBER in the column's unit */
	double number;
	struct match *match;		/* FILTER_MATCHES */
	/* and FILTER_BARE, in lower case */
	char *text;
};

struct filter {
	struct filter_node *nodes;
	size_t count, capacity;
	size_t root;			/* FILTER_NONE: everything passes */
	const struct column *columns;	/* borrowed */
	size_t column_count;
	const struct column **texts;	/* those of them that a bare text looks into */
	size_t text_count;
};

#endif
