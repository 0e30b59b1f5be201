/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen as a state machine: key scripts, pictures and time go in, cells come out. Each test
 * checks what a user sees.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "tests/support/hostile.h"
#include "tests/support/stage.h"
#include "tui/acts/lessons.h"
#include "tui/acts/commands.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

/* ---- tests --------------------------------------------------------------------------------- */

static void test_first_paint(void **state)
{
	struct stage *s = *state = stage_empty(NULL);

	stage_sees(s, "Asking sketch");
	stage_keys(s, "?");
	stage_sees(s, "go down a row");
	stage_keys(s, "q");
	stage_source(s, SOURCE_LOADING, "slurmctld does not answer");
	stage_sees(s, "No data from sketch");
	stage_sees(s, "slurmctld does not answer");
	stage_keys(s,
		   "jjllhh*/x<Esc>f<Esc>C e<Enter>>I<Space>y"); /* nothing breaks without data */
	stage_show(s, TREE);
	stage_sees(s, "physics");
	stage_sees_not(s, "slurmctld");
}

static void test_moving(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_cursor_on(s, "root");
	stage_keys(s, "j");
	stage_cursor_on(s, "physics");
	stage_keys(s, "Gk");
	stage_cursor_on(s, "dave");
	stage_keys(s, "p");
	stage_cursor_on(s, "bio");
	stage_keys(s, "K");
	stage_cursor_on(s, "physics");
	stage_keys(s, "J");
	stage_cursor_on(s, "bio");
	stage_keys(s, "g<PgDn>");
	stage_cursor_on(s, "alice");
	stage_keys(s, "<Home>:down 3<Enter>");
	stage_cursor_on(s, "alice");
	stage_keys(s, ":down x<Enter>");
	stage_sees(s, "'x': expected a number of rows");
}

static void test_folding(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "jh");
	stage_sees_not(s, "hep");
	stage_keys(s, "l");
	stage_sees(s, "hep");
	stage_keys(s, "l");
	stage_cursor_on(s, "hep");
	stage_keys(s, "lh");			/* a user cannot fold: goes to its account */
	stage_cursor_on(s, "hep");
	stage_keys(s, "g*");			/* all is unfolded: folds all */
	stage_sees_not(s, "hep");
	stage_sees(s, "physics");
	stage_keys(s, "+");
	stage_sees(s, "hep");
	stage_sees_not(s, "carol");
	stage_keys(s, "+");
	stage_sees(s, "carol");
	stage_keys(s, "-");
	stage_sees_not(s, "carol");
	stage_keys(s, "jo");
	stage_sees(s, "carol");
	stage_sees(s, "dave");
	stage_keys(s, ":fold-depth 1<Enter>");
	stage_sees_not(s, "hep");
}

static void test_search(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":fold-depth 1<Enter>/ali");
	stage_cursor_on(s, "alice");		/* unfolds while the user types */
	stage_keys(s, "<Esc>");
	stage_cursor_on(s, "root");
	stage_keys(s, "/ALI<Enter>");
	stage_cursor_on(s, "alice");
	uint32_t first = s->app->sheets[VIEW_ACCOUNTS].list.cursor;
	stage_keys(s, "n");
	stage_cursor_on(s, "alice");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_keys(s, "n");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_keys(s, "N");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	stage_keys(s, "/nobody");
	stage_sees(s, "no name contains 'nobody'");
	stage_keys(s,
		   "<Backspace><Backspace><Backspace><Backspace><Backspace><Backspace><Backspace>");
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	stage_keys(s, "/<C-u>bob<Left><Left><Delete>a<End><Enter>");
	stage_sees(s, "no name contains");
	stage_keys(s, "/<Up>");
	stage_sees(s, "/bab");
}

/* A search folds again what it unfolded on its way; Enter keeps only the found row visible. */
static void test_search_folds_back(void **state)
{
	struct stage *s = *state = stage(TREE);
	char *before;

	stage_keys(s, ":fold-depth 1<Enter>G");
	stage_resize(s, 80, 16);
	before = mem_strdup(stage_seen(s));
	stage_keys(s, "/carol");
	stage_cursor_on(s, "carol");
	stage_keys(s, "<C-u>hep");		/* another match: carol's branch folds again */
	stage_cursor_on(s, "hep");
	stage_sees_not(s, "carol");
	stage_keys(s, "<Esc>");
	assert_string_equal(stage_seen(s), before);
	stage_keys(s, "/carol<C-u>hep<Enter>");
	stage_cursor_on(s, "hep");
	stage_sees_not(s, "carol");
	/* Cancelling a second search does not fold what the first one kept open. */
	stage_keys(s, "/carol<Esc>");
	stage_cursor_on(s, "hep");
	stage_sees_not(s, "carol");
	mem_free(before);
}

/* Every hint word of a command is ranked by worth in hint_words, or is always shown. */
static void test_hints_are_ranked(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i].name; i++) {
		const char *hint = commands[i].hint;
		size_t at = 0;

		if (!hint || strcmp(hint, "help") == 0 || strcmp(hint, "quit") == 0)
			continue;
		while (hint_words[at] && strcmp(hint_words[at], hint) != 0)
			at++;
		if (!hint_words[at])
			fail_msg("'%s' of %s is never shown", hint, commands[i].name);
	}
}

static void test_hints(void **state)
{
	static const int widths[] = { 60, 61, 70, 80, 120, 200 };
	static const char keys[] = "12345";
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 80, 24);
	stage_sees(s, "/ search  Enter open  e explain  w what-if  f filter  <> sort");
	stage_sees(s, "? help  Q quit");
	stage_keys(s, "2");
	stage_sees(s, "e explain");
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		stage_resize(s, widths[i], 24);
		for (size_t view = 0; keys[view] != '\0'; view++) {
			char key[2] = { keys[view], '\0' };
			stage_keys(s, key);
			stage_sees(s, "/ search");
			if (keys[view] != '5')
				stage_sees(s, "e explain");
			stage_sees(s, "? help  Q quit");
			/* Hints of this view come before those of all views. */
			if (keys[view] == '2')
				stage_sees(s, "% terms");
			if (keys[view] == '4' && widths[i] >= 80)
				stage_sees(s, "X exclude  E group");
		}
	}
}

/* Switching classes off and on again restores the same classes with the same numbers. */
static void test_classes_off_and_on(void **state)
{
	struct stage *s = *state = stage(TREE);
	char *before, *after;

	stage_keys(s, "4");
	before = mem_strdup(stage_seen(s));
	stage_keys(s, "E");
	stage_sees(s, "classes off, each job on its own: ");
	stage_keys(s, "E");
	stage_sees(s, "classes on: ");
	stage_keys(s, "j");	/* clears the message */
	stage_keys(s, "k");
	after = mem_strdup(stage_seen(s));
	assert_string_equal(after, before);
	mem_free(before);
	mem_free(after);
}

/* The saving kept from the former grouping equals that of a fresh grouping. */
static void assert_saving_is_of_now(struct stage *s)
{
	const struct picture *p = s->app->picture;
	struct class_choice choice = picture_choice(p->cluster, &s->app->class_pick);
	struct queue *fresh = queue_new(p->model);
	const struct cycle_saving *is, *wanted;

	queue_free(queue_group(fresh, &choice));
	is = queue_saving(p->queue);
	wanted = queue_saving(fresh);
	assert_int_equal(is->jobs, wanted->jobs);
	assert_int_equal(is->with, wanted->with);
	assert_int_equal(is->without, wanted->without);
	while (queue_toggles_advance(fresh))
		;
	while (queue_toggles_advance(p->queue))
		;
	assert_int_equal(p->queue->toggles->count, fresh->toggles->count);
	for (uint32_t i = 0; i < fresh->toggles->count; i++) {
		const struct class_toggle *a = &p->queue->toggles->list[i];
		const struct class_toggle *b = &fresh->toggles->list[i];

		assert_string_equal(a->name, b->name);
		assert_int_equal(a->excluded, b->excluded);
		assert_int_equal(a->classes, b->classes);
	}
	queue_free(fresh);
}

static void test_saving_is_of_the_grouping(void **state)
{
	struct stage *s = *state =
		stage("physics 40\n\t+alice 1 50\n\t+bob 1 10\n"
		      "*host name=n1 cpus=2 state=IDLE\n"
		      "*job id=1 state=PENDING assoc=3 user=alice cpus=9 time_limit=60\n"
		      "*job id=2 state=PENDING assoc=3 user=alice cpus=9 time_limit=120\n"
		      "*job id=3 state=PENDING assoc=4 user=bob cpus=9 time_limit=120\n"
		      "*job id=4 state=PENDING assoc=4 user=bob cpus=9 time_limit=120\n");
	static const char *const keys[] = {
		"4", "E", ":exclude time_limit<Enter>", "E", "E", ":exclude user<Enter>", "E",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		stage_keys(s, keys[i]);
		assert_saving_is_of_now(s);
	}
}

static void test_filter(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "fuser=alice<Enter>");
	stage_sees(s, "FILTER user=alice");
	stage_sees_not(s, "bob");
	stage_keys(s, "f<C-u>nosuch=1<Enter>");
	stage_sees(s, "nosuch");
	assert_int_equal(s->app->prompt.kind, PROMPT_FILTER);	/* stays open for a correction */
	stage_keys(s, "<Esc>");
	stage_sees(s, "FILTER user=alice");
	stage_keys(s, "f<C-u><Enter>");
	stage_sees_not(s, "FILTER");
	stage_sees(s, "bob");
	stage_keys(s, ":filter shares>25<Enter>");
	stage_sees(s, "hep");
	stage_sees_not(s, "astro");
	stage_keys(s, "u");
	stage_sees(s, "MINE");
	stage_sees(s, "No match for shares>25");
	stage_keys(s, ":filter<Enter><C-u><Enter>");
	stage_sees(s, "alice");
	stage_sees_not(s, "bob");
	stage_keys(s, "u");
	stage_sees(s, "bob");
	stage_keys(s, "fef<Tab>");
	stage_sees(s, "filter: effective_usage");
	stage_keys(s, "<Tab>");
	stage_sees(s, "filter: effective_ratio");
	stage_keys(s, "<Tab>");
	stage_sees(s, "filter: effective_usage");
	/* After an operator, Tab offers the values of the column, each once. */
	stage_keys(s, "<C-u>R>1 account!=a<Tab>");
	stage_sees(s, "filter: R>1 account!=astro");
	stage_keys(s, "<Tab>");
	stage_sees(s, "filter: R>1 account!=astro");
	stage_keys(s, "<C-u>path^=/phys<Tab>");
	stage_sees(s, "filter: path^=/physics");
	stage_keys(s, "<C-u>user=unk<Tab>");
	stage_sees(s, "filter: user=unknown");
	/* ":edit" completes an edit as the edit prompt does. */
	stage_keys(s, "<Esc>:edit reset<Tab>");
	stage_sees(s, ":edit reset_period =");
	stage_keys(s, "D<Tab>");
	stage_sees(s, ":edit reset_period = DAILY");
}

/* Returns how many words of parameter I before the Nth begin like it without its last letter. */
static int words_before(size_t i, size_t n)
{
	const char *word = policy_word(i, n);
	int before = 0;

	for (size_t k = 0; k < n; k++)
		before += strncasecmp(policy_word(i, k), word, strlen(word) - 1) == 0;
	return before;
}

/* Tab completes every word of every parameter from all but its last letter, also in a list. */
static void test_words_of_parameters(void **state)
{
	struct stage *s = *state = stage(TREE);
	uint32_t words = 0;
	char text[200];

	for (size_t i = 0; i < policy_params_count; i++) {
		for (size_t n = 0; policy_word(i, n); n++, words++) {
			const char *word = policy_word(i, n);

			snprintf(text, sizeof(text), ":edit %s = %.*s<Tab>", policy_params[i].name,
				 (int)strlen(word) - 1, word);
			stage_keys(s, text);
			for (int k = words_before(i, n); k > 0; k--)
				stage_keys(s, "<Tab>");
			snprintf(text, sizeof(text), ":edit %s = %s", policy_params[i].name, word);
			stage_sees(s, text);
			stage_keys(s, "<Esc>");
		}
	}
	assert_true(words > 100);
	stage_keys(s, ":edit preempt_prio = express_queue, server_softlimits+f<Tab>");
	stage_sees(s, ":edit preempt_prio = express_queue, server_softlimits+fairshare");
}

static void test_sorting(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":sort usage<Enter>");
	const char *text = stage_seen(s);
	assert_true(strstr(text, "bio") > strstr(text, "physics"));
	stage_keys(s, "I");
	text = stage_seen(s);
	assert_true(strstr(text, "bio") < strstr(text, "physics"));
	stage_keys(s, "T");
	stage_sees(s, "FLAT");
	stage_sees(s, "carol  physics/");
	stage_keys(s, "T");
	stage_sees_not(s, "FLAT");
	/* Back to the order of the source; the legend changes, too. */
	stage_keys(s, "<lt><lt>");
	stage_sees(s, "raw shares among siblings");
	stage_keys(s, "<lt><lt><lt><lt><lt><lt>");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.order.count, 0);
	stage_keys(s, "I");
	stage_sees(s, "in the source's order");
	stage_keys(s, ":sort nosuch<Enter>");
	stage_sees(s, "nosuch");
}

static void test_mouse(void **state)
{
	struct stage *s = *state = stage(TREE);
	int x = 0;

	stage_keys(s, "<Click:5,6>");
	stage_cursor_on(s, "hep");
	stage_keys(s, "<Click:5,6>");		/* a second click folds */
	stage_sees_not(s, "bob");
	stage_keys(s, "<WheelDown>");
	stage_keys(s, "<Click:99,29><Click:1,1><Click:50,2>");
	for (size_t i = 0; i < s->app->sheets[VIEW_ACCOUNTS].layout.count; i++) {
		const struct sheet_slot *slot = &s->app->sheets[VIEW_ACCOUNTS].layout.slots[i];
		if (strcmp(slot->column->name, "fairshare") == 0)
			x = slot->x + 1;
	}
	struct script_step click = { .type = STEP_CLICK, .x = x, .y = 2 };
	stage_step(s, &click);
	assert_string_equal(s->app->sheets[VIEW_ACCOUNTS].picked->name, "fairshare");
	assert_true(s->app->sheets[VIEW_ACCOUNTS].list.order.keys[0].descending);
	stage_step(s, &click);
	assert_false(s->app->sheets[VIEW_ACCOUNTS].list.order.keys[0].descending);
	stage_keys(s, "m");
	assert_false(app_mouse(s->app));
}

static void test_marks_fade(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_wait(s, 10000);
	stage_show(s, "physics 40\n\thep 30\n\t\t+alice 1 80\n\t\t+zoe 1 10 #99\n"
		"\tastro 10\n\t\t+carol 1 5\nbio 20\n\t+dave 1 20\n\t+alice 1 15\n");
	stage_sees(s, "zoe");
	stage_sees(s, "bob");			/* gone, still shown */
	assert_true(stage_has_role(s, "bob", ROLE_GONE));
	assert_true(stage_has_role(s, "zoe", ROLE_NEW));
	assert_true(stage_has_role(s, "bio", ROLE_CHANGED));	/* over-served now */
	assert_false(stage_has_role(s, "carol", ROLE_CHANGED));	/* changed numbers are not marked */
	assert_int_equal(app_next_ms(s->app), s->ms + MARKS_MS);
	stage_wait(s, MARKS_MS + 1);
	stage_sees_not(s, "bob");
	assert_false(stage_has_role(s, "zoe", ROLE_NEW));
	assert_false(stage_has_role(s, "bio", ROLE_CHANGED));
}

/* The first picture is not news. */
static void test_first_picture_is_calm(void **state)
{
	struct stage *s = *state = stage(TREE);

	assert_false(stage_has_role(s, "alice", ROLE_NEW));
	assert_false(stage_has_role(s, "bio", ROLE_CHANGED));
}

static void test_time(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_resize(s, 120, 30);
	stage_sees(s, "sketch  now");
	/* The picture was taken 100 s of 300 s after a pass, by the cluster's clock. */
	stage_sees(s, "next pass 3 min");
	stage_wait(s, 25000);
	stage_sees(s, "sketch  20 s");
	/* It wakes when some text changes, and not before. */
	assert_in_range(app_next_ms(s->app) - s->ms, 1000, 60000);
	stage_wait(s, 3600000);
	stage_sees(s, "sketch  1 h");
	stage_source(s, SOURCE_STALE, "no route to host");
	stage_sees(s, "stale");
	stage_sees(s, "no route to host");
	stage_sees(s, "physics");		/* the last good data stay */
}

/* Overdue data show their age and the time of the next attempt; so does !. */
static void test_overdue(void **state)
{
	struct source_state source = { .health = SOURCE_GOOD, .live = true, .name = "sketch" };
	struct stage *s = *state = stage(TREE);

	source.last_good_ms = s->ms;
	source.next_ms = s->ms + 100000;	/* the refresh is 30 s: an answer was slow */
	stage_source_is(s, &source);
	stage_wait(s, 25000);
	stage_sees(s, "sketch  20 s");
	stage_sees_not(s, "next request");
	stage_wait(s, 35000);
	stage_sees(s, "sketch  1 min, next request in 40 s");
	assert_in_range(app_next_ms(s->app) - s->ms, 1, 10000);
	stage_wait(s, 20000);
	stage_sees(s, "sketch  1 min, next request in 20 s");
	stage_keys(s, "!");
	stage_sees(s, "every 30 s, next request in 20 s");
	stage_wait(s, 15000);
	stage_sees(s, "every 30 s, next request soon");
	source.busy = true;
	stage_source_is(s, &source);
	stage_sees(s, "sketch  1 min, asking");
	source = (struct source_state){ .health = SOURCE_STALE, .live = true, .name = "sketch",
					.last_good_ms = source.last_good_ms,
					.next_ms = s->ms + 12000, .problem = "no route to host" };
	stage_source_is(s, &source);
	stage_sees(s, "stale 1 min, next request in 10 s");
}

static void test_freeze_and_follow(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "z");
	assert_true(app_frozen(s->app));
	stage_sees(s, "FROZEN");
	s->effects = 0;
	stage_keys(s, "r");
	assert_false(s->effects & APP_REFRESH);
	stage_keys(s, "zr");
	assert_true(s->effects & APP_REFRESH);
	stage_keys(s, "/carol<Enter>F");
	stage_sees(s, "FOLLOW");
	stage_keys(s, "/dave<Esc>");
	stage_sees(s, "FOLLOW");
	stage_show(s, "aaa 1\n" TREE);
	stage_cursor_on(s, "carol");
	stage_keys(s, "F");
	stage_sees_not(s, "FOLLOW");
	stage_keys(s, "F2k1");			/* another view has its own cursor */
	stage_sees(s, "FOLLOW");
	stage_keys(s, "g");			/* a move of the cursor ends following */
	stage_sees_not(s, "FOLLOW");
	stage_show(s, TREE);
	stage_cursor_on(s, "root");
}

/* Enter opens a summary, with what-if values, too; e explains in full digits and with limits. */
static void test_summary(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "<Resize:80x24>jjj<Enter>");
	stage_sees(s, "Summary");
	stage_sees(s, "r_l       ");
	stage_sees(s, " users");
	stage_sees(s, "Above     hep  R ");
	stage_sees(s, "e explain");
	stage_sees_not(s, "raw shares =");
	stage_keys(s, "e");
	stage_sees_not(s, "Above");
	stage_sees(s, "raw shares =");
	stage_keys(s, "<Enter>");
	stage_sees_not(s, "raw shares =");
	stage_keys(s, "qi7<Enter><Enter>");
	stage_sees(s, "→ 7");
	stage_keys(s, "q:set algorithm fair-tree<Enter><Enter>");
	stage_sees(s, "Above     hep  Level FS ");
	stage_sees_not(s, "r_l");
}

/* A cell that a what-if sets shows its old value, on narrow screens and in every view mode. */
static void test_edited_cells(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "<Resize:80x24>:edit shares:/physics=60<Enter>");
	stage_sees(s, "→60");
	assert_true(stage_has_role(s, "→60", ROLE_CHANGED));
	stage_keys(s, ":edit shares:/physics/hep:alice=12345<Enter>");
	stage_sees(s, "→12345");
	stage_keys(s, "b");			/* the base shows no edits */
	stage_sees_not(s, "→60");
	stage_keys(s, "b:set ascii on<Enter>");
	stage_sees(s, ">60");
	stage_sees(s, ">12345");
	stage_keys(s, ":edit shares:/bio=90<Enter>:sort -shares<Enter><Home>j");
	stage_cursor_on(s, "bio");		/* sorts by the present value, not the old one */
	stage_keys(s, "___");
	stage_sees_not(s, ">60");
}

/* With too many rows to measure, the cell shows both values whole, or only the present one. */
static void test_edited_cells_of_many(void **state)
{
	const size_t users = 100001, size = 32 * users;
	char *text = malloc(size);
	size_t used = (size_t)snprintf(text, size, "physics 40\nbio 30\n");
	struct stage *s;

	for (size_t i = 0; i < users; i++)
		used += (size_t)snprintf(text + used, size - used, "\t+u%zu 1 0\n", i);
	s = *state = stage(text);
	stage_keys(s, "<Resize:120x40>:edit shares:/physics=60<Enter>");
	stage_sees(s, "→60");
	stage_keys(s, ":edit shares:/physics=100000<Enter>");
	stage_sees(s, " 100000");
	stage_sees_not(s, "40→");
	free(text);
}

static void test_panes(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "jjj<Enter>");
	stage_sees(s, "/physics/hep:alice");
	stage_keys(s, "q");
	stage_sees_not(s, "Summary");
	stage_keys(s, "<Resize:170x40><Enter>");
	stage_sees(s, "/physics/hep:alice");
	stage_keys(s, "j");			/* the pane follows the cursor */
	stage_sees(s, "/physics/hep:bob");
	stage_keys(s, "<Tab><PgDn>");
	stage_cursor_on(s, "bob");
	stage_keys(s, "<Tab>k");
	stage_cursor_on(s, "alice");
	stage_keys(s, "e");
	stage_sees(s, "How the factor is computed");
	stage_keys(s, "e");
	stage_sees_not(s, "How the factor is computed");
	stage_keys(s, "C");
	stage_sees(s, "mark another row first");
	stage_keys(s, "<Space>G<Resize:100x40>C");
	stage_sees(s, "comes before");
	stage_show(s, "bio 20\n");
	stage_sees(s, "one of the two is gone");
	stage_keys(s, "<Esc>");
	stage_sees_not(s, "is gone");
}

static void test_columns(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":columns F,R<Enter>");
	stage_sees(s, "F");
	stage_sees_not(s, "Shares");
	stage_keys(s, ":columns +shares<Enter>");
	stage_sees(s, "Shares");
	stage_keys(s, ":columns -F<Enter>:columns nosuch<Enter>");
	stage_sees(s, "nosuch");
	stage_sees(s, "Shares");
	stage_keys(s, "c");
	stage_sees(s, "[x] Shares");
	stage_keys(s, "/<Esc>");
	for (int i = 0; i < 4; i++)
		stage_keys(s, "j");
	stage_keys(s, "<Space>");		/* Shares */
	stage_sees(s, "[ ] Shares");
	stage_keys(s, "Gk<Space>");		/* the bar */
	stage_sees(s, "[x] under | over");
	stage_keys(s, "c");
	stage_sees_not(s, "[x]");
	stage_sees(s, "under | over");
}

static void test_copy(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "jjjy");
	assert_true(s->effects & APP_COPY);
	assert_string_equal(app_copied(s->app), "/physics/hep:alice");
	stage_sees(s, "copied /physics/hep:alice");
}

/* Everything shown can be copied, or written to a file instead. */
static void test_copy_what(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":columns shares<Enter>jjjY<Enter>");
	assert_true(s->effects & APP_COPY);
	stage_sees(s, "copied 10 rows");
	assert_non_null(strstr(app_copied(s->app), "Shares"));
	assert_non_null(strstr(app_copied(s->app), "/physics/hep:alice"));
	assert_non_null(strstr(app_copied(s->app), "/bio"));
	stage_keys(s, "Yj<Enter>");
	assert_non_null(strstr(app_copied(s->app), "/physics/hep:alice"));
	assert_null(strstr(app_copied(s->app), "/bio"));
	stage_keys(s, ":copy cell<Enter>");
	assert_null(strchr(app_copied(s->app), '\n'));
	stage_keys(s, "Yjjj<Enter>");
	stage_sees(s, "copied the explanation");
	assert_non_null(strstr(app_copied(s->app), "alice"));
	assert_non_null(strstr(app_copied(s->app), "shares"));
	stage_keys(s, ":copy export<Enter>");
	stage_sees(s, "no active edit");
	stage_keys(s, ":edit shares:/physics=60<Enter>:copy export<Enter>");
	assert_non_null(strstr(app_copied(s->app), "sacctmgr"));
	s->effects = 0;
	stage_keys(s, ":copy row row.csv<Enter>");
	assert_int_equal(s->app->errand, ERRAND_TABLE);
	assert_false(s->effects & APP_COPY);
	assert_memory_equal(app_copied(s->app), "path,", 5);
	assert_string_equal(s->app->save_path, "row.csv");
}

/*
 * Copies text as shown, so that a hostile name pasted into a shell runs nothing; raw if asked.
 */
static void test_copy_hostile(void **state)
{
	static const char name[] = "eve\xe2\x80\xae\xc2\x9b";
	struct stage *s = *state = stage("eve%E2%80%AE%C2%9B 5\n*job id=7 state=PENDING"
					 " name=x%0Aid%0A%1B[201~\n");

	stage_keys(s, "gjy");
	assert_string_equal(app_copied(s->app), "/eve<U+202E><9B>");
	stage_keys(s, ":copy raw<Enter>");
	assert_string_equal(app_copied(s->app) + 1, name);
	stage_sees(s, "copied raw");
	stage_keys(s, ":copy cooked<Enter>");
	stage_sees(s, "explanation, answer, export or raw");
	stage_keys(s, "2:columns id,name<Enter>:column name<Enter>y");
	assert_string_equal(app_copied(s->app), "x<0A>id<0A><1B>[201~");
	stage_keys(s, ":copy raw<Enter>");
	assert_string_equal(app_copied(s->app), "x\nid\n\x1b[201~");
}

/* The earliest known start of an array's tasks counts; tasks without one are ignored. */
static void test_start_of_array(void **state)
{
	struct stage *s = *state = stage("physics 40\n*job id=7 state=PENDING\n");
	struct queue *q = s->app->picture->queue;
	static const int64_t times[] = { I64_UNKNOWN, 500, I64_UNKNOWN, 400, 600 };
	struct starts starts = { .c = s->app->picture->cluster };

	starts.rows = mem_zalloc(5, sizeof(*starts.rows));
	for (; starts.count < 5; starts.count++)
		starts.rows[starts.count].start = times[starts.count];
	queue_take_starts(q, &starts);
	assert_int_equal(q->start_of[0].start, 400);
	q->starts.count = 3;
	starts = q->starts;
	q->starts = (struct starts){ 0 };
	queue_take_starts(q, &starts);
	assert_int_equal(q->start_of[0].start, 500);
}

static void test_leaving(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, "<Esc>");
	assert_false(s->effects & APP_QUIT);
	stage_keys(s, "5q");
	assert_false(s->effects & APP_QUIT);
	stage_keys(s, "q");
	assert_true(s->effects & APP_QUIT);
	s->effects = 0;
	stage_keys(s, "?Q");
	assert_true(s->effects & APP_QUIT);
}

/* What the first picture shows is no reason to read the source a second time at once. */
static void test_first_picture_needs_no_more(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	uint32_t needs = app_needs(s->app);

	stage_show(s, TREE "*pool name=p1 max_slots=4\n");
	assert_int_equal(cluster_rows(s->app->picture->cluster, TABLE_POOL), 1);
	assert_int_equal(app_needs(s->app), needs);
}

/* The tour has seven steps, in this order, each done by its own key; :tour leaves it. */
static void test_tour(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	struct screen_options o;

	screen_options_init(&o);
	o.tour = true;
	assert_true(app_options(s->app, &o, NULL));
	stage_show(s, TREE);
	stage_sees(s, "Tour 1 of 7: \u2193  goes down");
	stage_keys(s, "e");				/* a later step's key does not count yet */
	stage_sees(s, "Tour 1 of 7");
	stage_keys(s, "qj");
	stage_sees(s, "Tour 2 of 7: /");
	stage_keys(s, "/ali<Enter>");
	stage_sees(s, "Tour 3 of 7: e");
	stage_keys(s, "eq2");
	stage_sees(s, "Tour 5 of 7");
	stage_keys(s, "1jO");
	stage_sees(s, "Tour 6 of 7");
	stage_keys(s, "qi<Esc>?");
	stage_sees(s, "End of the tour");
	stage_keys(s, "q");
	stage_sees_not(s, "Tour");
	stage_keys(s, ":tour<Enter>");
	stage_sees(s, "Tour 1 of 7");
	stage_keys(s, ":tour<Enter>");
	stage_sees_not(s, "Tour 1");
}

/* First-time users get hints, which go as their keys are used, or after ten minutes. */
static void test_first_hints(void **state)
{
	struct stage *s = *state = stage(TREE);

	s->app->lessons = LESSONS_HINTS;
	s->app->sheets[VIEW_ACCOUNTS].ordered = false;	/* a sort legend would replace the hint */
	stage_keys(s, "p");
	stage_sees(s, "Try  \u2193  goes down");
	stage_keys(s, "2");			/* hints may be followed in any order */
	stage_sees_not(s, "most over-served");	/* the hint shows in every view */
	stage_keys(s, "1j");
	stage_sees(s, "Try  /  finds a name");
	stage_sees_not(s, "zme");
	stage_keys(s, "/bob<Enter>eqq");
	stage_sees_not(s, "opens the jobs");
	stage_sees(s, "Try  O");
	stage_wait(s, 601000);
	stage_sees_not(s, "Try ");
}

/* Hostile names anywhere: no control byte on the screen, and every column in its place. */
static void test_hostile(void **state)
{
	struct stage *s = *state = stage(TREE);
	char *text = mem_zalloc(400000, 1), hex[4];

	for (size_t i = 0; i < hostile_count(); i++) {
		char *name = hostile_name(i);
		size_t used = 0;
		for (const char *c = name; *c != '\0' && used < 30000; c++) {
			snprintf(hex, sizeof(hex), "%%%02x", (unsigned char)*c);
			memcpy(text + used, hex, 3);
			used += 3;
		}
		text[used] = '\0';
		if (used == 0 || strcmp(name, "root") == 0) {
			mem_free(name);
			continue;
		}
		char *tree = mem_zalloc(3 * used + 200, 1);
		snprintf(tree, 3 * used + 200, "%s 1\n\t+%s 1 5\nplain 2\n\t+plain 1 7\n", text,
			 text);
		stage_show(s, tree);
		stage_keys(s, "jj<Enter>q/x<Esc>yC 5q<Resize:80x24><Resize:100x30>");
		const char *screen = stage_seen(s);
		for (const char *c = screen; *c != '\0'; c++)
			assert_true((unsigned char)*c >= 0x20 || *c == '\n');
		mem_free(tree);
		mem_free(name);
	}
	mem_free(text);
}

/* A line of fairtop.conf sets classes before the first picture, and from other views. */
static void test_classes_are_tried_from_anywhere(void **state)
{
	struct stage *s = *state = stage_empty(NULL);

	stage_keys(s, ":exclude walltime<Enter>");
	stage_show(s, TREE);
	stage_keys(s, ":exclude mem,walltime<Enter>");
	stage_keys(s, ":equivalence<Enter>");
	stage_keys(s, ":exclude<Enter>");
	stage_sees(s, "Class definition");
	stage_sees(s, "equiv_class_enable False");
	stage_sees(s, "equiv_class_exclude mem,walltime");
	stage_keys(s, "<Enter>");
	stage_sees(s, "equiv_class_enable True");
	stage_show(s, TREE);
	stage_keys(s, "<Esc>");
	stage_sees(s, "WITHOUT mem,walltime");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_first_paint),
		stage_test(test_moving),
		stage_test(test_folding),
		stage_test(test_search),
		stage_test(test_search_folds_back),
		cmocka_unit_test(test_hints_are_ranked),
		stage_test(test_hints),
		stage_test(test_classes_off_and_on),
		stage_test(test_saving_is_of_the_grouping),
		stage_test(test_filter),
		stage_test(test_words_of_parameters),
		stage_test(test_sorting),
		stage_test(test_mouse),
		stage_test(test_marks_fade),
		stage_test(test_first_picture_is_calm),
		stage_test(test_time),
		stage_test(test_overdue),
		stage_test(test_freeze_and_follow),
		stage_test(test_summary),
		stage_test(test_edited_cells), stage_test(test_edited_cells_of_many),
		stage_test(test_panes),
		stage_test(test_columns),
		stage_test(test_copy), stage_test(test_copy_what),
		stage_test(test_copy_hostile),
		stage_test(test_leaving), stage_test(test_first_picture_needs_no_more),
		stage_test(test_tour), stage_test(test_first_hints),
		stage_test(test_hostile), stage_test(test_start_of_array),
		stage_test(test_classes_are_tried_from_anywhere),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
