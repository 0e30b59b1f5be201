/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures that come later than the key which asked for them: what the screen shows until then,
 * which answers it takes, and that it takes no other. Here nothing is made before stage_make().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/share/fairshare.h"
#include "tests/support/stage.h"
#include "tui/rows/views.h"
#include "tui/whatif/making.h"

#define TREE(alice) \
	"physics 40\n\t+alice 3 " alice "\n\t+bob 1 1000\nbiology 20\n\t+carol 1 50000\n"
#define QUEUE \
	SKETCH_QUEUE \
	"*job id=43 user=carol account=biology assoc=6 partition=batch qos=normal name=d " \
	SKETCH_PENDING("1794150000") "\n"
#define TEXT TREE("900000") QUEUE

static struct stage *open_later(void)
{
	struct stage *s = stage(TEXT);

	s->later = true;
	return s;
}

/* The weight of age in the shown picture. */
static uint32_t age(const struct stage *s)
{
	return cluster_policy(s->app->picture->cluster)->weight[PRIO_AGE];
}

static struct making *ordered(struct stage *s)
{
	struct making *m = making_order(s->app);

	assert_non_null(m);
	making_run(m);
	return m;
}

static void take(struct stage *s, struct making *m)
{
	making_take(s->app, m);
	making_free(m);
}

static void test_until_then(void **state)
{
	struct stage *s = *state = open_later();

	stage_keys(s, "2:edit weight.age = 7<Enter>");
	assert_true(whatif_waits(s->app));
	stage_sees(s, "WHAT-IF 1 edit, COMPUTING");
	stage_sees_not(s, "jobs move");
	assert_null(whatif_changes(s->app));
	assert_int_equal(age(s), 1000);
	stage_keys(s, "w");
	stage_sees(s, "[x] weight.age = 7");
	stage_make(s);
	assert_int_equal(age(s), 7);
	stage_sees_not(s, "COMPUTING");
	stage_sees(s, "no job moves");
	/* Nothing is ordered twice. */
	assert_null(making_order(s->app));
}

/* What cannot be is said at once, in the prompt. */
static void test_refused_at_once(void **state)
{
	struct stage *s = *state = open_later();

	stage_keys(s, ":edit shares:/nobody = 7<Enter>");
	stage_sees(s, "/nobody");
	assert_int_equal(s->app->message_role, ROLE_ERROR);
	assert_false(whatif_waits(s->app));
	assert_int_equal(whatif_count(s->app), 0);
}

/* A weight that is moved by two keys moves by two steps, though neither is computed yet. */
static void test_slides(void **state)
{
	struct stage *s = *state = open_later();
	struct making *first;
	uint32_t step;

	stage_keys(s, "2w<Right>");
	first = ordered(s);
	stage_keys(s, "<Right>");
	take(s, first);				/* shown, though another one is wanted */
	assert_true(whatif_waits(s->app));
	step = age(s) - 1000;
	assert_true(step > 0);
	stage_make(s);
	assert_int_equal(age(s), 1000 + 2 * step);
	assert_false(whatif_waits(s->app));
}

/* Undone before it came: the base is shown at once, and stays. */
static void test_undone(void **state)
{
	struct stage *s = *state = open_later();
	struct making *late;

	stage_keys(s, ":edit weight.age = 7<Enter>");
	late = ordered(s);
	stage_keys(s, "_");
	assert_false(whatif_waits(s->app));
	take(s, late);
	assert_null(whatif_changes(s->app));
	stage_sees_not(s, "WHAT-IF");
}

/* An answer for a set, or to a look at the base, that the screen has left. */
static void test_left(void **state)
{
	struct stage *s = *state = open_later();
	struct making *late;

	stage_keys(s, ":edit weight.age = 7<Enter>");
	stage_make(s);
	stage_keys(s, ":next-set B<Enter>:edit weight.age = 8<Enter>");
	late = ordered(s);
	stage_keys(s, ":next-set A<Enter>");
	take(s, late);
	assert_true(whatif_waits(s->app));
	assert_int_not_equal(age(s), 8);
	stage_make(s);
	assert_int_equal(age(s), 7);
	stage_keys(s, ":edit weight.age = 9<Enter>");
	late = ordered(s);
	stage_keys(s, "b");
	assert_null(whatif_changes(s->app));
	take(s, late);
	assert_null(whatif_changes(s->app));
	stage_keys(s, "b");
	assert_true(whatif_waits(s->app));
	stage_make(s);
	assert_int_equal(age(s), 9);
}

/* New data with edits is shown with them, not before. */
static void test_refreshed(void **state)
{
	struct stage *s = *state = open_later();
	const struct cluster *first = s->app->picture->cluster;
	struct making *late;
	uint32_t pictures;

	stage_keys(s, ":edit weight.age = 7<Enter>");
	stage_make(s);
	pictures = s->app->pictures;
	stage_show(s, TREE("5000") QUEUE);
	assert_int_equal(s->app->pictures, pictures);
	assert_ptr_equal(whatif_base(s->app)->cluster, first);
	late = ordered(s);
	stage_show(s, TREE("6000") QUEUE);
	take(s, late);				/* newer ones may come as fast as they are made */
	assert_int_equal(s->app->pictures, pictures + 1);
	assert_true(whatif_waits(s->app));
	assert_true(cluster_f64(s->app->picture->cluster, F_ASSOC_USAGE, 2) == 5000);
	stage_make(s);
	assert_int_equal(s->app->pictures, pictures + 2);
	assert_true(cluster_f64(s->app->picture->cluster, F_ASSOC_USAGE, 2) == 6000);
	assert_int_equal(age(s), 7);
	assert_true(app_marks_shown(s->app));
}

/* The edits need raw usage, and the next answer of the source has none: said, and shown without. */
static void test_cannot(void **state)
{
	struct stage *s = *state = open_later();
	struct cluster *c = sketch_cluster(TREE("5000") QUEUE, FS_DEPTH_OBLIVIOUS);
	struct builder *b = cluster_copy(c);
	struct event event = { .type = EVENT_CLUSTER, .ms = s->ms, .now = SKETCH_TIME };

	stage_keys(s, ":edit shares:/physics = 5<Enter>");
	stage_make(s);
	assert_non_null(whatif_changes(s->app));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		builder_f64(b, F_ASSOC_USAGE, i, F64_UNKNOWN);
	cluster_free(c);
	event.cluster = builder_seal(b, NULL);
	app_event(s->app, &event);
	stage_make(s);
	assert_int_equal(s->app->message_role, ROLE_ERROR);
	assert_null(whatif_changes(s->app));
	assert_false(whatif_waits(s->app));
}

/* Other classes are made like a what-if; their effect is said when they are there. */
static void test_classes(void **state)
{
	struct stage *s = *state = open_later();
	const struct queue *q = s->app->picture->queue;
	uint32_t count;

	stage_keys(s, "4");
	count = q->classes->classes->count;
	assert_true(count < 4);
	stage_keys(s, "E");
	assert_int_equal(q->classes->classes->count, count);
	stage_make(s);
	assert_int_equal(q->classes->classes->count, 4);
	stage_sees(s, "classes off, each job on its own: ");
	stage_keys(s, "E");
	stage_make(s);
	assert_int_equal(q->classes->classes->count, count);
}

/* The list shows the classes that there are, whatever else looks at them meanwhile. */
static void test_classes_meanwhile(void **state)
{
	struct stage *s = *state = stage(TEXT);
	struct making *late;

	stage_keys(s, "46");
	s->later = true;
	stage_keys(s, "Ejk");
	stage_make(s);
	stage_keys(s, ":edit weight.age = 7<Enter>");
	late = ordered(s);
	stage_keys(s, "E");
	take(s, late);
	stage_keys(s, "j");
	stage_make(s);
	stage_keys(s, "j");
	assert_int_equal(s->app->picture->queue->choice.apart, s->app->class_pick.apart);
}

/* A message about classes does not replace that of a later key. */
static void test_later_message(void **state)
{
	struct stage *s = *state = open_later();

	stage_keys(s, "4E:edit shares:/nobody = 7<Enter>");
	stage_make(s);
	assert_int_equal(s->app->message_role, ROLE_ERROR);
	assert_int_equal(s->app->regrouped[0], '\0');
}

/* The sum of a set that was left before its last edits were computed. */
static void test_sum_of_left(void **state)
{
	struct stage *s = *state = open_later();
	const struct whatif_sum *a = &s->app->whatif->sums[0];
	uint32_t moved;

	stage_keys(s, ":edit weight.age = 7<Enter>");
	stage_make(s);
	assert_int_equal(a->moved, 0);
	stage_keys(s, ":edit weight.fairshare = 0<Enter>:edit weight.age = 100000<Enter>");
	stage_keys(s, ":next-set B<Enter>:edit weight.age = 8<Enter>");
	stage_make(s);
	assert_true(a->known);
	moved = a->moved;
	assert_true(moved > 0);
	stage_keys(s, ":next-set A<Enter>");
	stage_make(s);
	assert_int_equal(a->moved, moved);
}

/* Sums of other sets survive an answer with another base, and the one after it without. */
static void test_sums_of_others(void **state)
{
	struct stage *s = *state = open_later();
	struct making *first, *second;

	stage_keys(s, ":next-set B<Enter>:edit weight.age = 100000<Enter>");
	stage_make(s);
	stage_keys(s, ":next-set A<Enter>:edit weight.age = 7<Enter>");
	stage_make(s);
	stage_keys(s, ":edit shares:/physics = 5<Enter>");
	first = ordered(s);
	stage_keys(s, "_");
	second = ordered(s);
	take(s, first);
	take(s, second);
	assert_true(s->app->whatif->sums[1].known);
}

/* Problems belong to the edits that were applied; those of an older order may be others. */
static void test_problems_of_older(void **state)
{
	struct stage *s = *state = open_later();
	struct making *late;

	stage_keys(s, ":edit weight.age = 7<Enter>:edit shares:/biology = 5<Enter>");
	stage_make(s);
	stage_show(s, "physics 40\n\t+alice 3 9000\n\t+bob 1 1000\n" QUEUE);
	late = ordered(s);
	stage_keys(s, "_:edit weight.fairshare = 3<Enter>");
	take(s, late);
	assert_string_equal(whatif_edits(s->app)->entries[1].problem, "");
	stage_make(s);
	assert_int_equal(whatif_void(s->app), 0);
}

/* What an edit changes is not marked as new data. */
static void test_no_marks(void **state)
{
	struct stage *s = *state = open_later();
	struct making *late;

	stage_keys(s, "2:edit weight.age = 100000<Enter>");
	stage_make(s);
	stage_show(s, TREE("5000") QUEUE);
	late = ordered(s);
	stage_keys(s, ":edit weight.age = 8<Enter>");
	take(s, late);
	assert_true(app_marks_shown(s->app));
	stage_keys(s, "b");
	assert_null(whatif_changes(s->app));
	assert_false(app_marks_shown(s->app));
}

/* A slider is moved to what cannot be: the rows are those of the edits that are left. */
static void test_slider_refused(void **state)
{
	struct stage *s = *state = open_later();
	struct script_step click = { .type = STEP_CLICK };
	uint32_t without;

	stage_keys(s, "w:edit weight.age = 60%<Enter>");
	stage_make(s);
	without = cluster_policy(s->app->picture->cluster)->weight[PRIO_FAIRSHARE];
	click.x = s->app->whatif->sliders_at.x + (s->app->whatif->sliders_at.width - 1) * 3 / 10;
	click.y = s->app->whatif->sliders_at.y + PRIO_FAIRSHARE;
	stage_step(s, &click);
	stage_make(s);
	assert_int_equal(whatif_count(s->app), 2);
	click.x = s->app->whatif->sliders_at.x + (s->app->whatif->sliders_at.width - 1) * 9 / 10;
	stage_step(s, &click);
	stage_sees(s, "the percentages of the weights add up to");
	stage_make(s);
	assert_int_equal(whatif_count(s->app), 1);
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_FAIRSHARE], without);
}

/* Another algorithm: the chart has no point of the former one. */
static void test_chart(void **state)
{
	struct stage *s = *state = open_later();
	const struct chart *c = s->app->chart;
	struct chart_point former, then;

	stage_keys(s, "*j6");
	assert_int_equal(c->count, 1);
	former = c->points[0];
	stage_keys(s, ":set algorithm fair-tree<Enter>");
	stage_make(s);
	assert_int_equal(c->count, 1);
	then = c->points[0];
	chart_forget(s->app);
	stage_wait(s, 0);
	assert_memory_equal(c->points[0].values, then.values, sizeof(then.values));
	assert_memory_not_equal(former.values, then.values, sizeof(then.values));
}

/* The first picture is being made; an algorithm that is set meanwhile counts for it. */
static void test_first(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	struct making *late;

	s->later = true;
	stage_keys(s, ":exclude user<Enter>");
	stage_show(s, TEXT);
	assert_null(s->app->picture);
	late = ordered(s);
	stage_keys(s, ":set algorithm classic<Enter>");
	take(s, late);
	stage_make(s);
	assert_int_equal(s->app->picture->model->algo->id, FS_CLASSIC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_until_then), stage_test(test_refused_at_once),
		stage_test(test_slides),     stage_test(test_undone),
		stage_test(test_left),	     stage_test(test_refreshed),
		stage_test(test_cannot),     stage_test(test_classes),
		stage_test(test_classes_meanwhile), stage_test(test_later_message),
		stage_test(test_sum_of_left), stage_test(test_sums_of_others),
		stage_test(test_problems_of_older), stage_test(test_no_marks),
		stage_test(test_slider_refused), stage_test(test_chart), stage_test(test_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
