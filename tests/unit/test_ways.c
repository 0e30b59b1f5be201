/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways around the screen that people know from other programs of the terminal: everything that
 * shows a key can be clicked, boxes tell their own keys.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

/* The cell where TEXT begins in line Y (-1: the first that has it); false if it is not there. */
static bool find(struct stage *s, const char *text, int y, int *at_x, int *at_y)
{
	const struct canvas *c = s->canvas;
	size_t length = strlen(text);

	for (int line = y < 0 ? 0 : y; line < (y < 0 ? c->height : y + 1); line++) {
		for (int x = 0; x + (int)length <= c->width; x++) {
			const struct cell *cell = &c->cells[line * c->width + x];
			size_t i = 0;

			while (i < length && cell[i].text[0] == text[i])
				i++;
			if (i == length) {
				*at_x = x;
				*at_y = line;
				return true;
			}
		}
	}
	return false;
}

static void click(struct stage *s, const char *text, int y)
{
	struct script_step step = { .type = STEP_CLICK };

	if (!find(s, text, y, &step.x, &step.y))
		fail_msg("'%s' is not there to be clicked:\n%s", text, stage_seen(s));
	stage_step(s, &step);
}

/* ---- the line at the bottom ---------------------------------------------------------------- */

static void test_hints_are_of_the_box(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	stage_resize(s, 80, 24);
	stage_sees(s, "/ search");
	stage_keys(s, "?");
	stage_sees(s, "q close");
	stage_sees_not(s, "w what-if");
	stage_keys(s, "qc");
	stage_sees(s, "Space show or hide  v sort by it");
	stage_keys(s, "q!");
	stage_sees(s, "scroll");
	stage_keys(s, "q<Enter>");		/* over the view: it has the keys */
	stage_sees(s, "PgDn PgUp page");
	stage_sees_not(s, "Tab rows");
	stage_keys(s, "q<Resize:160x40><Enter>");	/* beside it: the view has them */
	stage_sees(s, "/ search");
	stage_keys(s, "<Tab>");
	stage_sees(s, "Tab rows");
	stage_sees_not(s, "/ search");
	stage_keys(s, "q:unbind c<Enter>:bind all Y columns<Enter>Y:unbind v<Enter>");
	stage_sees_not(s, "sort by it");
	stage_leave(s);
}

static void test_hints_are_clicked(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	click(s, "explain", 29);
	stage_sees(s, "How the factor came about");
	click(s, "close", 29);
	stage_sees_not(s, "How the factor came about");
	click(s, "> sort", 29);
	assert_string_equal(s->app->sheets[VIEW_ACCOUNTS].picked->name, "shares");
	click(s, "<> sort", 29);
	assert_null(s->app->sheets[VIEW_ACCOUNTS].picked);
	click(s, "/ search", 29);
	assert_int_equal(s->app->prompt.kind, PROMPT_SEARCH);
	click(s, "/", 29);			/* what is typed is no hint */
	assert_int_equal(s->app->prompt.kind, PROMPT_SEARCH);
	stage_keys(s, "<Esc>~");
	stage_sees(s, "does nothing here");
	stage_keys(s, "<Click:3,30>");		/* and neither is a message */
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	click(s, "? help", 29);
	stage_sees(s, "go down a row");
	click(s, "q close", 29);
	stage_sees_not(s, "go down a row");
	click(s, "Q leave", 29);
	assert_true(s->effects & APP_QUIT);
	stage_leave(s);
}

/* ---- boxes --------------------------------------------------------------------------------- */

static void test_lists_are_clicked(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	stage_keys(s, "c");
	stage_sees(s, "[x] Shares");
	click(s, "[x] Shares", -1);		/* its sign */
	stage_sees(s, "[ ] Shares");
	click(s, "Depth", -1);			/* its name: picks, and then does */
	stage_sees(s, "[ ] Depth");
	click(s, "Depth", -1);
	stage_sees(s, "[x] Depth");
	stage_keys(s, "<Click:1,3>");		/* beside the box: away with it */
	assert_int_equal(s->app->pane.kind, PANE_NONE);
	/* What reaches a goal. */
	stage_keys(s, "jjj:seek 0.4<Enter>");
	assert_true(s->app->pane.lines > 0);
	struct script_step step = { .type = STEP_CLICK, .x = 30, .y = s->app->pane.list_y };
	stage_step(s, &step);
	assert_true(s->app->message[0] != '\0');
	stage_leave(s);
}

static void test_palette_is_clicked(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	stage_keys(s, "<C-p>");
	stage_keys(s, "<WheelDown><WheelDown>");
	assert_int_equal(s->app->palette_pick, 2);
	stage_keys(s, "freez");
	click(s, "freeze", -1);
	assert_true(app_frozen(s->app));
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	stage_keys(s, "<C-p>fold-dep");
	click(s, "fold-depth", -1);		/* what wants an argument waits for it */
	assert_int_equal(s->app->prompt.kind, PROMPT_COMMAND);
	stage_keys(s, "<Esc>");
	stage_leave(s);
}

/* The wheel turns what is under the pointer. */
static void test_wheel(void **state)
{
	struct stage *s = stage(TREE);
	struct event wheel = { .type = EVENT_WHEEL, .x = 150, .at = 10, .y = 1, .ms = s->ms };

	(void)state;
	stage_keys(s, "<Resize:160x16>jjj<Enter>");
	assert_false(s->app->pane.focus);
	app_event(s->app, &wheel);
	assert_int_equal(s->app->pane.scroll, 3);
	wheel.x = 5;
	app_event(s->app, &wheel);
	assert_int_equal(s->app->pane.scroll, 3);
	stage_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hints_are_of_the_box),
		cmocka_unit_test(test_hints_are_clicked),
		cmocka_unit_test(test_lists_are_clicked),
		cmocka_unit_test(test_palette_is_clicked),
		cmocka_unit_test(test_wheel),
	};

	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
