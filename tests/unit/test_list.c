/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list: the effect of a refresh, a fold, an order and a filter on the cursor, the window, the
 * folds and the marks. Rows are recognised by identity, never by number; each test changes the rows
 * under the cursor and checks where it is afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/share/model.h"
#include "tests/support/sketch.h"
#include "tui/rows/list.h"

#define BASE "physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	     "bio 20\n\t+dave 1 20\n\t+erin 1 15\n"

/* One refresh: a cluster, its model, its keys. */
struct shot {
	struct cluster *cluster;
	struct model *model;
	uint64_t *keys;
};

static struct shot take(const char *text)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct shot s;
	uint32_t n;

	s.cluster = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);
	s.model = model_new(s.cluster, &options, NULL);
	assert_non_null(s.model);
	n = cluster_rows(s.cluster, TABLE_ASSOC);
	s.keys = mem_alloc(n, sizeof(*s.keys));
	for (uint32_t i = 0; i < n; i++)
		s.keys[i] = cluster_key(s.cluster, TABLE_ASSOC, i);
	return s;
}

static void drop(struct shot *s)
{
	model_free(s->model);
	cluster_free(s->cluster);
	mem_free(s->keys);
}

/* The list of the current test, and its refreshes. */
static struct list l;
static struct shot shots[3];
static size_t shot_count;

static int begin(void **state)
{
	(void)state;
	list_init(&l);
	list_resize(&l, 20);
	return 0;
}

static int end(void **state)
{
	(void)state;
	list_free(&l);
	while (shot_count > 0)
		drop(&shots[--shot_count]);
	return 0;
}

static struct shot shoot(const char *text)
{
	return shots[shot_count++] = take(text);
}

static void update(const struct shot *s)
{
	struct list_data data = {
		.view = accounts_view(s->model), .keys = s->keys,
		.ids = cluster_col_u32(s->cluster, F_ASSOC_ID),
		.parent = cluster_parent(s->cluster), .span = cluster_span(s->cluster),
		.depth = cluster_depth(s->cluster),
	};

	list_update(&l, &data);
}

static const char *name(const struct shot *s, uint32_t row)
{
	return cluster_text(s->cluster,
			    cluster_is_user(s->cluster, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);
}

static void select_name(const struct shot *s, const char *wanted)
{
	for (uint32_t i = 0; i < l.now.view.rows; i++) {
		if (strcmp(name(s, i), wanted) == 0) {
			assert_true(list_select(&l, i));
			return;
		}
	}
	fail_msg("there is no row %s", wanted);
}

static void assert_cursor(const struct shot *s, const char *wanted)
{
	assert_int_not_equal(list_row(&l), ROW_NONE);
	assert_string_equal(name(s, list_row(&l)), wanted);
}

/* Checks the names of all items in order, ghosts in brackets. */
static void assert_items(const struct shot *now, const struct shot *before, const char *wanted)
{
	char text[1024] = "";

	for (size_t i = 0; i < l.count; i++) {
		bool ghost = (l.items[i].flags & ITEM_GHOST) != 0;
		size_t used = strlen(text);
		snprintf(text + used, sizeof(text) - used, "%s%s%s%s", used > 0 ? " " : "",
			 ghost ? "[" : "", name(ghost ? before : now, l.items[i].row),
			 ghost ? "]" : "");
	}
	assert_string_equal(text, wanted);
}

/* ---- refreshes ----------------------------------------------------------------------------- */

static void test_rows_come_above(void **state)
{
	struct shot one = shoot(BASE), two = shoot("arts 5\n\t+zoe 1 1\n" BASE);

	(void)state;
	list_resize(&l, 4);
	update(&one);
	select_name(&one, "dave");
	uint32_t line = l.cursor - l.top;
	update(&two);
	assert_cursor(&two, "dave");
	assert_int_equal(l.cursor - l.top, line);
	assert_int_equal(list_before(&l, 0), 0);
	assert_int_equal(list_before(&l, 1), ROW_NONE);
}

static void test_cursor_row_goes(void **state)
{
	struct shot one = shoot(BASE);
	struct shot two =
		shoot("physics 40\n\thep 30\n\t\t+alice 1 50\n\tastro 10\n\t\t+carol 1 5\n"
		      "bio 20\n\t+dave 1 20\n\t+erin 1 15\n");

	(void)state;
	update(&one);
	select_name(&one, "bob");
	update(&two);
	assert_cursor(&two, "astro");	/* the nearest remaining row, below first */
	assert_items(&two, &one, "root physics hep alice [bob] astro carol bio dave erin");
	list_forget(&l);
	assert_items(&two, &one, "root physics hep alice astro carol bio dave erin");
	assert_cursor(&two, "astro");
}

static void test_order_of_rows_changes(void **state)
{
	struct shot one = shoot(BASE);
	struct shot two =
		shoot("bio 20\n\t+erin 1 15\n\t+dave 1 20\nphysics 40\n\tastro 10\n\t\t+carol 1 5\n"
		      "\thep 30\n\t\t+bob 1 10\n\t\t+alice 1 50\n");

	(void)state;
	update(&one);
	select_name(&one, "carol");
	list_toggle_mark(&l, list_row(&l));
	list_fold(&l, 2, true);		/* hep */
	update(&two);
	assert_cursor(&two, "carol");
	assert_true(list_marked(&l, list_row(&l)));
	assert_items(&two, &one, "root bio erin dave physics astro carol hep");
}

/* The scheduler's id shows that the account below is the old one under a new name. */
static void test_renamed(void **state)
{
	struct shot one = shoot("physics 40 #10\n\thep 30 #11\n\t\t+alice 1 50 #12\nbio 20 #13\n");
	struct shot two = shoot("science 40 #10\n\thep 30 #11\n\t\t+alice 1 50 #12\nbio 20 #13\n");

	(void)state;
	update(&one);
	select_name(&one, "hep");
	list_fold(&l, list_row(&l), true);
	list_toggle_mark(&l, list_row(&l));
	select_name(&one, "physics");
	update(&two);
	assert_cursor(&two, "science");
	assert_items(&two, &one, "root science hep bio");
	assert_true(list_marked(&l, 2));
	assert_int_equal(list_before(&l, 1), 1);
}

/* A mark belongs to its row and returns with it. */
static void test_mark_comes_back(void **state)
{
	struct shot one = shoot(BASE), two = shoot("bio 20\n\t+dave 1 20\n"), three = shoot(BASE);

	(void)state;
	update(&one);
	select_name(&one, "alice");
	list_toggle_mark(&l, list_row(&l));
	update(&two);
	update(&three);
	select_name(&three, "alice");
	assert_true(list_marked(&l, list_row(&l)));
}

static void test_everything_goes(void **state)
{
	struct shot one = shoot(BASE), two = shoot("");

	(void)state;
	list_resize(&l, 5);
	update(&one);
	list_move(&l, 100);
	update(&two);
	assert_cursor(&two, "root");
	list_forget(&l);
	assert_items(&two, &one, "root");
	assert_int_equal(l.top, 0);
}

/* A user at the top sees new rows arrive there. */
static void test_top_stays(void **state)
{
	struct shot one = shoot("mid 1\nzoo 1\n"), two = shoot("abc 1\nmid 1\nzoo 1\n");

	(void)state;
	list_resize(&l, 10);
	update(&one);
	list_move(&l, 1);
	update(&two);
	assert_int_equal(l.top, 0);
	assert_cursor(&two, "mid");
}

/* ---- folds --------------------------------------------------------------------------------- */

static void test_folds(void **state)
{
	struct shot s = shoot(BASE);

	(void)state;
	update(&s);
	select_name(&s, "alice");
	list_fold(&l, 1, true);
	assert_cursor(&s, "physics");	/* the cursor goes to the fold that hides its row */
	assert_items(&s, NULL, "root physics bio dave erin");
	list_set_fold_depth(&l, 1);
	assert_items(&s, NULL, "root physics bio");
	list_set_fold_depth(&l, 2);
	assert_items(&s, NULL, "root physics hep astro bio dave erin");
	list_fold_subtree(&l, 1, false);
	assert_items(&s, NULL, "root physics hep alice bob astro carol bio dave erin");
	list_set_fold_depth(&l, 0);
	assert_items(&s, NULL, "root");
	select_name(&s, "bob");		/* unfolds only its ancestors */
	assert_items(&s, NULL, "root physics hep alice bob astro bio");
	assert_false(list_foldable(&l, list_row(&l)));
}

static void test_siblings(void **state)
{
	struct shot s = shoot(BASE);

	(void)state;
	update(&s);
	select_name(&s, "physics");
	assert_true(list_move_sibling(&l, 1));
	assert_cursor(&s, "bio");
	assert_false(list_move_sibling(&l, 1));
	assert_cursor(&s, "bio");
	assert_true(list_move_sibling(&l, -1));
	assert_cursor(&s, "physics");
	select_name(&s, "bob");
	assert_false(list_move_sibling(&l, 1));
	assert_cursor(&s, "bob");
}

/* ---- order and filter ---------------------------------------------------------------------- */

static void set_order(const char *text, bool flat)
{
	struct row_order order;

	assert_true(rows_parse_sort(text, accounts_columns, accounts_columns_count, &order, NULL));
	list_set_order(&l, &order, flat);
}

static void test_order(void **state)
{
	struct shot s = shoot(BASE);

	(void)state;
	update(&s);
	select_name(&s, "carol");
	set_order("+usage", false);
	assert_items(&s, NULL, "root bio erin dave physics astro carol hep bob alice");
	assert_cursor(&s, "carol");
	list_fold(&l, 5, true);		/* astro */
	assert_items(&s, NULL, "root bio erin dave physics astro hep bob alice");
	set_order("-usage", true);
	assert_items(&s, NULL, "root physics hep alice bio dave erin bob astro carol");
	assert_cursor(&s, "astro");
	set_order("-usage", false);
	assert_items(&s, NULL, "root physics hep alice bob astro bio dave erin");
}

static void set_filter(const char *text)
{
	struct filter *f =
		text ? filter_parse(text, accounts_columns, accounts_columns_count, NULL)
			     : NULL;

	assert_true(!text || f);
	list_set_filter(&l, f);
}

/* The cursor on the first row is no choice: it does not follow a row that leaves the page. */
static void test_first_row_leaves(void **state)
{
	struct shot one = shoot("+a 1 1\n+b 1 2\n+c 1 3\n+d 1 4\n");
	struct shot two = shoot("+a 1 9\n+b 1 2\n+c 1 3\n+d 1 4\n");
	const struct list_data before = { .view = accounts_view(one.model), .keys = one.keys };
	const struct list_data after = { .view = accounts_view(two.model), .keys = two.keys };

	(void)state;
	list_resize(&l, 2);
	list_update(&l, &before);
	set_order("+usage", true);
	list_move_to(&l, 0);
	assert_cursor(&one, "a");
	list_update(&l, &after);
	assert_int_equal(l.top, 0);
	assert_cursor(&two, "b");
	list_move_to(&l, 1);
	assert_cursor(&two, "c");
	list_update(&l, &before);
	assert_cursor(&one, "c");
}

static void test_filter(void **state)
{
	struct shot s = shoot(BASE), two = shoot("arts 1\n\t+bobby 1 2\n" BASE);

	(void)state;
	update(&s);
	list_set_fold_depth(&l, 1);
	select_name(&s, "bio");
	set_filter("user~\"^(bob|carol)\"");
	/* Ancestors of a match are open whatever their fold. */
	assert_items(&s, NULL, "root physics hep bob astro carol");
	assert_int_equal(l.matches, 2);
	assert_int_equal(l.items[1].flags, ITEM_CONTEXT);
	assert_int_equal(l.items[3].flags, 0);
	assert_false(list_select(&l, 7));
	select_name(&s, "carol");
	update(&two);
	assert_items(&two, &s, "root arts bobby physics hep bob astro carol");
	assert_cursor(&two, "carol");
	set_filter("user=nobody");
	assert_true(list_empty(&l));
	assert_int_equal(list_row(&l), ROW_NONE);
	list_move(&l, 3);
	list_scroll(&l, 3);
	set_filter(NULL);
	assert_items(&two, &s, "root arts physics bio");
}

/* ---- window -------------------------------------------------------------------------------- */

static void test_window(void **state)
{
	struct shot s = shoot(BASE);

	(void)state;
	list_resize(&l, 4);
	update(&s);
	list_move(&l, 5);
	assert_int_equal(l.cursor, 5);
	assert_int_equal(l.top, 2);
	list_move(&l, -100);
	assert_int_equal(l.cursor, 0);
	assert_int_equal(l.top, 0);
	list_move(&l, INT32_MAX);
	assert_int_equal(l.cursor, 9);
	assert_int_equal(l.top, 6);
	list_scroll(&l, -3);
	assert_int_equal(l.top, 3);
	assert_int_equal(l.cursor, 6);
	list_scroll(&l, -100);
	assert_int_equal(l.top, 0);
	assert_int_equal(l.cursor, 3);
	list_resize(&l, 2);
	assert_int_equal(l.top, 2);
	list_resize(&l, 100);
	assert_int_equal(l.top, 0);
}

/* Every sequence of refreshes keeps the promises of list.h; the texts come from a seed. */
static uint64_t random_number(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

static void random_text(uint64_t *seed, char *text, size_t size)
{
	size_t used = 0;

	for (unsigned account = 0; account < 6; account++) {
		if (random_number(seed) % 4 == 0)
			continue;
		used += (size_t)snprintf(text + used, size - used, "a%u 1 #%u\n", account,
					 100 + account);
		for (unsigned user = 0; user < 5; user++) {
			if (random_number(seed) % 3 == 0)
				continue;
			used += (size_t)snprintf(text + used, size - used, "\t+u%u 1 %u #%u\n",
						 user, (unsigned)(random_number(seed) % 100),
						 200 + 10 * account + user);
		}
	}
	text[used] = '\0';
}

static void check_invariants(void)
{
	assert_true(l.count > 0);
	assert_true(l.cursor < l.count);
	assert_true(l.top <= l.cursor && l.cursor < l.top + l.page);
	assert_int_equal(l.items[l.cursor].flags & ITEM_GHOST, 0);
	for (size_t i = 0; i < l.count; i++) {
		if ((l.items[i].flags & ITEM_GHOST) == 0)
			assert_int_equal(l.place[l.items[i].row], i);
	}
}

static void random_act(uint64_t *seed)
{
	uint32_t row = list_row(&l);

	switch (random_number(seed) % 7) {
	case 0:
		list_move(&l, (int64_t)(random_number(seed) % 21) - 10);
		break;
	case 1:
		list_fold(&l, row, !list_folded(&l, row));
		break;
	case 2:
		list_scroll(&l, (int64_t)(random_number(seed) % 9) - 4);
		break;
	case 3:
		set_order(random_number(seed) % 2 ? "usage" : "-shares",
			  random_number(seed) % 2);
		break;
	case 4:
		list_set_fold_depth(&l, 1 + (uint32_t)(random_number(seed) % 3));
		break;
	case 5:
		list_resize(&l, 1 + (uint32_t)(random_number(seed) % 12));
		break;
	default:
		list_forget(&l);
		break;
	}
}

static void test_random_refreshes(void **state)
{
	uint64_t seed = 7;
	char text[4096];

	(void)state;
	random_text(&seed, text, sizeof(text));
	shoot(text);
	shoot(text);
	update(&shots[0]);
	for (unsigned i = 1; i < 2000; i++) {
		struct shot *now = &shots[i % 2];
		uint64_t key = l.now.keys[list_row(&l)];
		bool there = false, first = l.cursor == 0;
		/* Data older than the last may be freed: the slot is reused. */
		struct shot next;
		random_text(&seed, text, sizeof(text));
		next = take(text);
		update(&next);
		drop(now);
		*now = next;
		check_invariants();
		for (uint32_t row = 0; row < l.now.view.rows; row++)
			there = there || l.now.keys[row] == key;
		if (there && !(first && l.cursor == 0))
			assert_int_equal(l.now.keys[list_row(&l)], key);
		for (unsigned j = 0; j < 4; j++) {
			random_act(&seed);
			check_invariants();
		}
	}
}

/* ---- groups --------------------------------------------------------------------------------- */

/* Updates with users in groups, one letter per row (a blank: none), as jobs of an array are. */
static void update_groups(const struct shot *s, const char *letters, uint32_t *group,
			  uint64_t *keys)
{
	struct list_data data = { .view = accounts_view(s->model), .keys = s->keys };

	data.group = group;
	data.group_keys = keys;
	data.groups = 26;
	for (uint32_t i = 0; i < 26; i++)
		keys[i] = 1000 + i;
	for (uint32_t i = 0; i < data.view.rows; i++)
		group[i] = letters[i] == ' ' ? ROW_NONE : (uint32_t)(letters[i] - 'a');
	list_update(&l, &data);
}

#define MEMBERS "bio 20\n\t+a 1 1\n\t+b 1 1\n\t+c 1 1\n\t+d 1 1\n\t+e 1 1\n"

/* Groups start folded; they open by identity, whatever row comes first; the filter counts. */
static void test_groups(void **state)
{
	struct shot s = shoot(MEMBERS), less = shoot("bio 20\n\t+b 1 1\n\t+c 1 1\n\t+d 1 1\n");
	uint32_t group[8], later[8];
	uint64_t keys[26];
	struct row_order order;
	struct err err;

	(void)state;
	l.fold_depth = LIST_GROUP_DEPTH;
	update_groups(&s, "  xyxxy", group, keys);
	assert_items(&s, NULL, "root bio a b");
	select_name(&s, "a");
	assert_true(list_foldable(&l, list_row(&l)));
	list_fold(&l, list_row(&l), false);
	assert_items(&s, NULL, "root bio a c d b");
	select_name(&s, "e");	/* opens the group that hides it */
	assert_items(&s, NULL, "root bio a c d b e");
	assert_true(rows_parse_sort("-user", accounts_columns, accounts_columns_count, &order,
				    &err));
	list_set_order(&l, &order, false);
	assert_cursor(&s, "e");
	assert_true(list_foldable(&l, list_row(&l)));
	/* Folding from a member moves the cursor to the first one. */
	select_name(&s, "a");
	list_fold(&l, list_parent_row(&l, list_row(&l)), true);
	assert_cursor(&s, "d");
	/*
	 * A group's first row goes: the next takes its place, still folded; the other one is open.
	 */
	update_groups(&less, "  yxx", later, keys);
	assert_false(list_folded(&l, 2));
	assert_cursor(&less, "d");
	assert_true(list_folded(&l, list_row(&l)));
	/* A group filtered down to one row cannot be folded. */
	list_set_filter(&l, filter_parse("user=c", accounts_columns, accounts_columns_count, &err));
	assert_cursor(&less, "c");
	assert_false(list_foldable(&l, list_row(&l)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows_come_above, begin, end),
		cmocka_unit_test_setup_teardown(test_cursor_row_goes, begin, end),
		cmocka_unit_test_setup_teardown(test_order_of_rows_changes, begin, end),
		cmocka_unit_test_setup_teardown(test_renamed, begin, end),
		cmocka_unit_test_setup_teardown(test_mark_comes_back, begin, end),
		cmocka_unit_test_setup_teardown(test_everything_goes, begin, end),
		cmocka_unit_test_setup_teardown(test_top_stays, begin, end),
		cmocka_unit_test_setup_teardown(test_first_row_leaves, begin, end),
		cmocka_unit_test_setup_teardown(test_folds, begin, end),
		cmocka_unit_test_setup_teardown(test_siblings, begin, end),
		cmocka_unit_test_setup_teardown(test_order, begin, end),
		cmocka_unit_test_setup_teardown(test_filter, begin, end),
		cmocka_unit_test_setup_teardown(test_window, begin, end),
		cmocka_unit_test_setup_teardown(test_groups, begin, end),
		cmocka_unit_test_setup_teardown(test_random_refreshes, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
