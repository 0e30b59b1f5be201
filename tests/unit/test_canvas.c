/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells: widths, cuts, wide and combining characters. Hostile names put no control byte onto the
 * screen and shift no column.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "tests/support/hostile.h"
#include "tui/cells/canvas.h"

struct text {
	char bytes[65536];
	size_t length;
};

static bool append(void *context, const char *bytes, size_t length, struct err *err)
{
	struct text *t = context;

	(void)err;
	assert_true(t->length + length < sizeof(t->bytes));
	memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = '\0';
	return true;
}

static const char *written(const struct canvas *c)
{
	static struct text text;

	text.length = 0;
	assert_true(canvas_write_text(c, (struct sink){ append, &text }, NULL));
	return text.bytes;
}

static const char *roles(const struct canvas *c)
{
	static struct text text;

	text.length = 0;
	assert_true(canvas_write_roles(c, (struct sink){ append, &text }, NULL));
	return text.bytes;
}

/* Checks what holds for every canvas: widths add up, and no text moves the cursor. */
static void check_cells(const struct canvas *c)
{
	for (int y = 0; y < c->height; y++) {
		int x = 0;
		while (x < c->width) {
			const struct cell *cell = c->cells + (size_t)y * (size_t)c->width + x;
			assert_in_range(cell->width, 1, 2);
			assert_true(memchr(cell->text, '\0', CELL_TEXT) != NULL);
			assert_true(cell->text[0] != '\0');
			assert_true((unsigned char)cell->text[0] >= 0x20 && cell->text[0] != 0x7f);
			if (c->ascii)
				assert_true((unsigned char)cell->text[0] < 0x7f &&
					    cell->text[1] == '\0');
			if (cell->width == 2)
				assert_true(x + 1 < c->width && cell[1].width == 0 &&
					    cell[1].text[0] == '\0');
			x += cell->width;
		}
		assert_int_equal(x, c->width);
	}
}

static void test_put(void **state)
{
	struct canvas *c = canvas_new(12, 2, false);

	(void)state;
	assert_int_equal(canvas_put(c, 0, 0, 12, ROLE_DIM, "abc"), 3);
	assert_int_equal(canvas_put(c, 10, 0, 99, ROLE_TEXT, "xyz"), 2);
	assert_int_equal(canvas_put(c, 3, 1, 4, ROLE_TEXT, "12345678"), 4);
	assert_int_equal(canvas_put(c, 0, 7, 4, ROLE_TEXT, "off"), 0);
	assert_int_equal(canvas_put(c, -2, 1, 9, ROLE_TEXT, "abcd"), 4);
	assert_string_equal(written(c), "abc       xy\ncd 1234\n");
	assert_int_equal(canvas_right(c, 4, 0, 6, ROLE_TEXT, "9.5"), 3);
	assert_string_equal(written(c), "abc    9.5xy\ncd 1234\n");
	check_cells(c);
	canvas_free(c);
}

static void test_wide(void **state)
{
	struct canvas *c = canvas_new(6, 3, false);

	(void)state;
	assert_int_equal(text_width("日本"), 4);
	assert_int_equal(canvas_put(c, 0, 0, 6, ROLE_TEXT, "a日b本"), 6);
	assert_int_equal(canvas_put(c, 0, 1, 6, ROLE_TEXT, "abcde日"), 5); /* no half characters */
	assert_string_equal(written(c), "a日b本\nabcde\n\n");
	check_cells(c);
	canvas_put(c, 2, 0, 1, ROLE_TEXT, "x");		/* overwrites a right half */
	assert_string_equal(written(c), "a xb本\nabcde\n\n");
	check_cells(c);
	canvas_put(c, 4, 0, 1, ROLE_TEXT, "y");		/* overwrites a left half */
	assert_string_equal(written(c), "a xby\nabcde\n\n");
	check_cells(c);
	canvas_put(c, 0, 2, 6, ROLE_TEXT, "日日日");
	canvas_put(c, 1, 2, 2, ROLE_TEXT, "本");		/* overwrites two halves */
	assert_string_equal(written(c), "a xby\nabcde\n 本 日\n");
	check_cells(c);
	canvas_free(c);
}

static void test_combining(void **state)
{
	struct canvas *c = canvas_new(6, 2, false);

	(void)state;
	assert_int_equal(canvas_put(c, 0, 0, 6, ROLE_TEXT, "e\xcc\x81tat"), 4);
	assert_string_equal(written(c), "e\xcc\x81tat\n\n");
	/* More marks than a cell holds are dropped, not spread. */
	assert_int_equal(
		canvas_put(c, 0, 1, 6, ROLE_TEXT,
			   "z\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87\xcc\x88q"),
		2);
	check_cells(c);
	canvas_free(c);
}

static void test_name(void **state)
{
	struct canvas *c = canvas_new(10, 1, false), *ascii = canvas_new(10, 1, true);

	(void)state;
	assert_int_equal(canvas_name(c, 0, 0, 6, ROLE_USER, "alice"), 5);
	assert_int_equal(canvas_name(c, 0, 0, 6, ROLE_USER, "alexandra"), 6);
	assert_string_equal(written(c), "alexa…\n");
	canvas_clear(c);
	assert_int_equal(canvas_name(c, 0, 0, 4, ROLE_USER, "日本語"), 3);
	assert_string_equal(written(c), "日…\n");
	canvas_clear(c);
	assert_int_equal(canvas_name_end(c, 0, 0, 6, ROLE_USER, "alexandra"), 6);
	assert_string_equal(written(c), "…andra\n");
	canvas_clear(c);
	assert_int_equal(canvas_name_end(c, 0, 0, 4, ROLE_USER, "日本語"), 3);
	assert_string_equal(written(c), "…語\n");
	canvas_clear(c);
	canvas_name(c, 0, 0, 10, ROLE_USER, "\033[31mred");
	assert_string_equal(written(c), "<1B>[31mr…\n");
	canvas_name(ascii, 0, 0, 10, ROLE_USER, "caf\xc3\xa9");
	assert_string_equal(written(ascii), "caf~\n");
	check_cells(c);
	check_cells(ascii);
	canvas_free(c);
	canvas_free(ascii);
}

static void test_roles(void **state)
{
	struct canvas *c = canvas_new(8, 2, false);

	(void)state;
	canvas_put(c, 0, 0, 8, ROLE_DIM, "ab");
	canvas_put(c, 3, 0, 8, ROLE_TEXT, "cd");
	canvas_ground(c, 0, 1, 4, GROUND_CURSOR);
	canvas_put(c, 1, 1, 8, ROLE_DIM, "x");
	assert_string_equal(roles(c), "AA\n A\n\n\n3333\n");
	canvas_fill(c, 0, 0, 2, 2, GROUND_PANE);
	assert_string_equal(roles(c), "\n\n\n55\n5533\n");
	canvas_free(c);
}

static void test_box(void **state)
{
	struct canvas *c = canvas_new(12, 3, true);

	(void)state;
	canvas_box(c, 0, 0, 12, 3, "Keys");
	assert_string_equal(written(c), "+- Keys ---+\n|          |\n+----------+\n");
	canvas_box(c, -3, -1, 40, 40, "x");	/* clipped at the edge */
	check_cells(c);
	canvas_free(c);
}

/* A clip cuts text at its sides; the reported widths are those without a clip. */
static void test_clip(void **state)
{
	struct canvas *c = canvas_new(8, 3, false);

	(void)state;
	canvas_box(c, 0, 0, 8, 3, NULL);
	canvas_clip(c, 1, 1, 6, 1);
	canvas_put(c, -2, 1, 20, ROLE_TEXT, "0123456789");
	canvas_put(c, 0, 0, 8, ROLE_TEXT, "above");
	canvas_put(c, 0, 2, 8, ROLE_TEXT, "below");
	assert_string_equal(written(c), "┌──────┐\n│345678│\n└──────┘\n");
	canvas_put(c, 0, 1, 8, ROLE_TEXT, "日本語");
	canvas_fill(c, 5, 0, 9, 3, GROUND_NONE);
	check_cells(c);
	assert_string_equal(written(c), "┌──────┐\n│3本   │\n└──────┘\n");
	canvas_clear(c);
	assert_int_equal(canvas_put(c, 0, 0, 8, ROLE_TEXT, "01234567"), 8);
	canvas_free(c);
}

/* Every hostile name at every place and width, in both modes. */
static void test_hostile(void **state)
{
	(void)state;
	for (int ascii = 0; ascii < 2; ascii++) {
		for (size_t i = 0; i < hostile_count(); i++) {
			struct canvas *c = canvas_new(24, 3, ascii != 0);
			char *name = hostile_name(i);
			for (int width = 0; width < 26; width++) {
				canvas_name(c, width % 5, 1, width, ROLE_USER, name);
				check_cells(c);
				canvas_put(c, 23 - width, 1, width, ROLE_TEXT, name);
				check_cells(c);
			}
			for (int x = 0; x < 24; x++) {
				assert_string_equal(c->cells[x].text, " ");
				assert_string_equal(c->cells[48 + x].text, " ");
			}
			mem_free(name);
			canvas_free(c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),	  cmocka_unit_test(test_wide),
		cmocka_unit_test(test_combining), cmocka_unit_test(test_name),
		cmocka_unit_test(test_roles),	  cmocka_unit_test(test_box),
		cmocka_unit_test(test_hostile),	  cmocka_unit_test(test_clip),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
