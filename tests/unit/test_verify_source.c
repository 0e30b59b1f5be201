/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify of a source with several pictures: a recording of a busy depth-oblivious cluster is equal
 * with the sample of the pass before, and a wrong number in it is found; the same with the next
 * pictures of a live source, which --wait waits for.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "tests/support/clock.h"
#include "tests/support/copy.h"
#include "tests/support/gen_tree.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/startup.h"

#define PASSES 4

struct passes {
	struct cluster *usages[PASSES], *pictures[PASSES];
};

static struct passes passes_of(uint64_t seed)
{
	struct gen_options o = GEN_MIXED(seed, 60);
	struct cluster *c = gen_tree(&o);
	struct passes p;

	for (unsigned k = 0; k < PASSES; k++)
		p.usages[k] = startup_use_more(k == 0 ? c : p.usages[k - 1], k);
	startup_busy((const struct cluster *const *)p.usages, PASSES, p.pictures);
	cluster_free(c);
	return p;
}

static void passes_free_all(struct passes *p)
{
	for (unsigned k = 0; k < PASSES; k++) {
		cluster_free(p->usages[k]);
		cluster_free(p->pictures[k]);
	}
}

static double more(void *context, enum field field, uint32_t row, double value)
{
	bool wrong = row == *(const uint32_t *)context &&
		     (field == F_ASSOC_R_EFFECTIVE_USAGE || field == F_ASSOC_R_FAIRSHARE);

	return wrong ? value * 0.999 : value;
}

/* Returns C with E and F too small for a row that mixes usage of two passes. */
static struct cluster *spoil(const struct cluster *c)
{
	uint32_t row = 0;

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC) && row == 0; i++) {
		double f = cluster_f64(c, F_ASSOC_R_FAIRSHARE, i);

		if (cluster_depth(c)[i] > 1 && cluster_is_user(c, i) && f > 0.01 && f < 0.9)
			row = i;
	}
	assert_int_not_equal(row, 0);
	return copy_changed(c, more, &row);
}

static int answer_of(struct source *source, bool wait)
{
	struct options o = { .verb = VERB_VERIFY, .format = REPORT_CSV, .wait = wait,
			     .model = MODEL_OPTIONS_DEFAULT, .at = I64_UNKNOWN };
	struct session s = { .options = &o, .source = source };
	struct fetch_request request = { .needs = VERIFY_NEEDS, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	int status;

	output_init(&s.output);
	assert_int_equal(source_fetch(source, &request, &s.cluster, &err), FETCH_NEW);
	status = verify_answer(&s, NULL);
	session_close(&s);
	return status;
}

/* ---- a recording ---------------------------------------------------------------------------- */

/* Returns verify's exit code for a recording of pictures FROM to TO, that of pass AT CHANGED. */
static int verdict_of_recording(const struct passes *p, unsigned from, unsigned to, unsigned at,
				const struct cluster *changed)
{
	char path[SCRATCH_PATH_MAX];
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = recording_writer(scratch_path("busy.recording", path));
	struct source *source;

	for (unsigned k = from; k <= to; k++) {
		const struct cluster *c = k == at ? changed : p->pictures[k];

		recording_write(w, copy_changed(c, NULL, NULL), cluster_meta(c)->time);
	}
	store_writer_close(w);
	source = source_open(path, &err);
	if (!source)
		fail_msg("%s", err.message);
	return answer_of(source, false);
}

static void test_recording(void **state)
{
	struct passes p = passes_of(3);
	struct cluster *wrong = spoil(p.pictures[2]);

	(void)state;
	assert_int_equal(verdict_of_recording(&p, 2, 2, PASSES, NULL), 4);
	assert_int_equal(verdict_of_recording(&p, 1, 2, PASSES, NULL), 0);
	assert_int_equal(verdict_of_recording(&p, 0, 3, PASSES, NULL), 0);
	assert_int_equal(verdict_of_recording(&p, 0, 2, 2, wrong), 1);
	/* Also in the pass before the last. */
	assert_int_equal(verdict_of_recording(&p, 0, 3, 2, wrong), 1);
	cluster_free(wrong);
	passes_free_all(&p);
}

/* ---- a live source -------------------------------------------------------------------------- */

struct sequence {
	struct source base;
	const struct cluster *pictures[PASSES];
	unsigned next, count;
};

static enum fetch_result sequence_fetch(struct source *base, const struct fetch_request *request,
					struct cluster **out, struct err *err)
{
	struct sequence *s = (struct sequence *)base;

	(void)request;
	(void)err;
	if (s->next == s->count)
		return FETCH_END;
	*out = copy_changed(s->pictures[s->next++], NULL, NULL);
	return FETCH_NEW;
}

static void sequence_close(struct source *base)
{
	mem_free(base);
}

static const struct source_ops sequence_ops = {
	.scheme = "sequence", .synopsis = "", .meaning = "", .fetch = sequence_fetch,
	.close = sequence_close, .live = true,
};

static int verdict_of_live(const struct cluster *first, const struct cluster *second)
{
	struct sequence *s = mem_zalloc(1, sizeof(*s));

	s->base.ops = &sequence_ops;
	(void)snprintf(s->base.name, sizeof(s->base.name), "sequence");
	s->pictures[0] = first;
	s->pictures[1] = second;
	s->count = second ? 2 : 1;
	return answer_of(&s->base, second != NULL);
}

static void test_wait(void **state)
{
	struct passes p = passes_of(3);
	struct cluster *wrong = spoil(p.pictures[2]);

	(void)state;
	clock_stop(0);
	clock_flow(1);
	assert_int_equal(verdict_of_live(p.pictures[1], NULL), 4);
	assert_int_equal(verdict_of_live(p.pictures[1], p.pictures[2]), 0);
	assert_int_equal(verdict_of_live(p.pictures[1], wrong), 1);
	/* A pass without a picture, and no further pictures. */
	assert_int_equal(verdict_of_live(p.pictures[1], p.pictures[3]), 4);
	assert_true(clock_ms() > 0);
	clock_flow(0);
	clock_go();
	cluster_free(wrong);
	passes_free_all(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_recording, scratch_open, scratch_close),
		cmocka_unit_test(test_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
