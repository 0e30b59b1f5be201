/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The start of a single job, and which job is the last to leave its nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/host_list.h"
#include "core/queue/jobs.h"
#include "core/sim/sim_site.h"
#include "core/sim/starts.h"
#include "tests/support/living.h"
#include "tests/support/walk.h"

/* Checks that JOB's rows equal those in WHOLE: start, nodes, missing input, last job to leave. */
static void same_rows(const struct starts *whole, const struct starts *s, uint32_t job)
{
	bool any = false;

	assert_int_equal(s->count, whole->count);
	assert_false(s->rough);
	for (size_t i = 0; i < s->count; i++) {
		const struct starts_row *r = &s->rows[i], *w = &whole->rows[i];

		assert_int_equal(r->job, w->job);
		if (r->job != job || (any && r->start == I64_UNKNOWN))
			continue;	/* for an array, the first task that starts */
		any |= r->start != I64_UNKNOWN;
		if (r->start != w->start)
			fail_msg("job %u: %ld, not %ld", (unsigned)r->id, (long)r->start,
				 (long)w->start);
		assert_int_equal(r->after, w->after);
		assert_true(r->after_end == w->after_end && r->obstacle == w->obstacle);
		if (w->nodes)
			assert_string_equal(r->nodes, w->nodes);
	}
}

/* Returns whether another row, later than those wanted, has no start yet. */
static bool is_cut(const struct starts *whole, const struct starts *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->rows[i].start == I64_UNKNOWN && whole->rows[i].start != I64_UNKNOWN) {
			assert_int_equal(s->rows[i].obstacle, SITE_LATER);
			return true;
		}
	}
	return false;
}

/* Simulates every STEP-th pending job of C alone; returns how many simulations ended early. */
static uint32_t each_alone(const struct cluster *c, uint32_t step)
{
	const struct starts_options all = { .seed = 1 };
	struct err err = { .code = ERR_NONE };
	uint32_t cut = 0;
	struct starts whole;

	assert_true(starts_make(&whole, c, &all, &err));
	for (size_t i = 0; i < whole.count; i += step) {
		const struct starts_options o = { .only = &whole.rows[i].job };
		struct starts s;

		assert_true(starts_make(&s, c, &o, &err));
		same_rows(&whole, &s, whole.rows[i].job);
		cut += is_cut(&whole, &s);
		starts_free(&s);
	}
	starts_free(&whole);
	return cut;
}

/* A single job starts as among all, and the simulation stops there. */
static void alone(void **state)
{
	static const char *const demos[] = { "1,jobs=120", "2,jobs=90", "3,jobs=60" };
	struct cluster *demo = living_first("7");

	(void)state;
	for (size_t i = 0; i < sizeof(demos) / sizeof(demos[0]); i++) {
		struct cluster *c = living_first(demos[i]);

		assert_true(each_alone(c, 1) > 5);
		cluster_free(c);
	}
	assert_true(each_alone(demo, walk_steps(97, 47)) > 3);
	cluster_free(demo);
}

/* A start later than requested is not given; one as early is. */
static void not_later(void **state)
{
	struct cluster *c = living_first("7");
	struct err err = { .code = ERR_NONE };
	struct starts whole, s;
	uint32_t cut = 0, step = walk_steps(64, 16);

	(void)state;
	assert_true(starts_make(&whole, c, &(const struct starts_options){ .seed = 1 }, &err));
	for (size_t i = 0; i < whole.count; i += step) {
		const struct starts_row *r = &whole.rows[i];
		struct starts_options o = { .only = &r->job, .until = r->start };

		if (r->start == I64_UNKNOWN || r->task != U32_UNKNOWN)
			continue;
		assert_true(starts_make(&s, c, &o, &err));
		same_rows(&whole, &s, r->job);
		starts_free(&s);
		o.until = cluster_meta(c)->time + 1;
		assert_true(starts_make(&s, c, &o, &err));
		if (r->start > o.until + 3600) {
			assert_true(s.rows[i].start == I64_UNKNOWN);
			assert_int_equal(s.rows[i].obstacle, SITE_LATER);
			cut++;
		}
		starts_free(&s);
	}
	assert_true(cut > 2);
	starts_free(&whole);
	cluster_free(c);
}

/* The first answer is exact; even with many jobs there is no rough one before. */
static void alone_at_once(void **state)
{
	struct cluster *c = living_first("7");
	const struct starts_options all = { .seed = 1 };
	struct err err = { .code = ERR_NONE };
	struct starts whole, s;
	struct starting *from;
	uint32_t steps;

	(void)state;
	assert_true(starts_make(&whole, c, &all, &err));
	assert_true(whole.count > STARTS_MANY);
	from = starts_begin(c, &(const struct starts_options){ .only = &whole.rows[40].job },
			    &err);
	for (steps = 0; starts_step(from); steps++)
		;
	starts_so_far(from, &s);
	assert_int_equal(steps, 1);
	same_rows(&whole, &s, whole.rows[40].job);
	starts_end(from);
	starts_free(&s);
	starts_free(&whole);
	cluster_free(c);
}

static bool share_node(const struct cluster *c, const char *a, const char *b)
{
	for (uint32_t i = 0; a && b && i < cluster_rows(c, TABLE_HOST); i++) {
		const char *name = cluster_text(c, F_HOST_NAME, i);

		if (host_list_has(a, name) && host_list_has(b, name))
			return true;
	}
	return false;
}

/* Checks that the job that leaves before R had one of its nodes, running or simulated. */
static void check_leaver(const struct cluster *c, const struct starts *s,
			 const struct starts_row *r)
{
	bool shared = share_node(c, cluster_text(c, F_JOB_NODE_LIST, r->after), r->nodes);

	for (size_t k = 0; !shared && k < s->count; k++) {
		shared = s->rows[k].job == r->after && s->rows[k].start < r->after_end &&
			 share_node(c, s->rows[k].nodes, r->nodes);
	}
	assert_true(shared);
}

/* The last job to leave had one of these nodes and has ended by then, at the time given. */
static void leavers(void **state)
{
	struct cluster *c = living_first("7");
	uint32_t found = 0, running = 0;
	struct err err = { .code = ERR_NONE };
	struct starts s;

	(void)state;
	assert_true(starts_make(&s, c, &(const struct starts_options){ .seed = 1 }, &err));
	for (size_t i = 0; i < s.count; i++) {
		const struct starts_row *r = &s.rows[i];

		if (r->after == ROW_NONE) {
			assert_true(r->after_end == I64_UNKNOWN);
			continue;
		}
		assert_true(r->after_end <= r->start && r->after_end > cluster_meta(c)->time);
		check_leaver(c, &s, r);
		running += job_kind_of(c, r->after) == JOB_RUNNING;
		found++;
	}
	assert_true(found > s.count / 4 && running > 0 && running < found);
	starts_free(&s);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alone),
		cmocka_unit_test(alone_at_once),
		cmocka_unit_test(not_later),
		cmocka_unit_test(leavers),
	};

	return cmocka_run_group_tests_name("starts_only", tests, NULL, NULL);
}
