/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a job is pending, on the screen: data read is shown at once, simulated data later, for the
 * job under the cursor only; below the rows, in the box, and as text for a mail.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tui/panes/pane_why.h"
#include "tui/screen/worker.h"

/* An idle node, and two jobs held by their owners. */
#define CLUSTER(name) WEIGHED(name, "")
#define WEIGHED(name, weights) \
	"physics 40\n" \
	"\t+" name " 1 50000\n" \
	"=SelectType select/cons_tres\n" \
	"*partition name=batch job_factor=1 tier=1 nodes=1 cpus=4 state=UP" weights "\n" \
	"*host name=n1 state=IDLE cpus=4 cpus_used=0 memory=1000 partitions=batch\n" \
	JOB(43, name) " reason=JobHeldUser priority=0 state=PENDING\n" \
	JOB(44, name) " reason=JobHeldUser priority=0 state=PENDING\n"
#define JOB(id, name) \
	"*job id=" #id " user=" name " account=physics assoc=3 partition=batch cpus=1 " \
	"time_limit=600 tres=cpu=1,mem=1,node=1 submit=1794150000 eligible=1794150000"
#define TEXT CLUSTER("alice")

static struct stage *open_jobs(const char *text)
{
	struct stage *s = stage(text);

	stage_resize(s, 120, 40);
	stage_keys(s, "2");
	return s;
}

/* Takes WORK's order, answers it, and gives the answer to the screen. */
static void answer(struct stage *s, const struct work *work)
{
	void *order = work->order(s->app);

	assert_non_null(order);
	work->take(s->app, work->answer(order));
	stage_resize(s, 120, 40);
}

/* A job's charge is computed only from weights that were read. */
static void test_billing(void **state)
{
	struct stage *s = *state = open_jobs(TEXT);

	stage_keys(s, "e");
	stage_sees(s, "weights       unknown");
	stage_sees_not(s, " billable: ");
	stage_sees_not(s, "MAX_TRES");
	stage_leave(s);
	s = *state = open_jobs(WEIGHED("alice", " billing_weights=cpu=2"));
	stage_keys(s, "e");
	stage_sees(s, "weights       cpu=2");
	stage_sees(s, "sum           2 billable: 7.20k");
	stage_leave(s);
	/* An unlisted QOS may have any UsageFactor. */
	s = *state = open_jobs(WEIGHED("alice", " billing_weights=cpu=2")
			       JOB(45, "alice") " qos=lost priority=1 state=PENDING\n");
	stage_keys(s, ":show job:45<Enter>e");
	stage_sees(s, "UsageFactor   unknown");
	stage_sees(s, "sum           2 billable: the charge is unknown");
}

/* Read at once; the start comes with all others', suggestions once the box is open. */
static void test_comes_by_and_by(void **state)
{
	struct stage *s = *state = open_jobs(TEXT);

	stage_keys(s, "/43<Enter>");
	stage_sees(s, "job 43 of alice (/physics) is pending in batch, submitted 8 Nov 15:00");
	stage_sees(s, "reason   held by its owner");
	stage_sees(s, "start   not simulated yet");
	stage_sees_not(s, "helps");
	assert_null(whyer_work.order(s->app));
	stage_keys(s, "<Enter>");
	stage_sees(s, " Why ");
	stage_sees(s, "start    not simulated yet");
	stage_sees(s, "helps    not tried yet");
	answer(s, &whyer_work);
	stage_sees(s, "start    unknown: held");
	stage_sees(s, "helps    released by its owner: it starts at once");
	stage_sees(s, "scontrol release 43");
	stage_sees_not(s, " yet");
	/* It is computed once, and again for the next picture. */
	assert_null(whyer_work.order(s->app));
	stage_show(s, TEXT "~300\n");
	stage_sees(s, "helps    not tried yet");
	answer(s, &whyer_work);
	stage_sees(s, "scontrol release 43");
}

/* It needs all data of a source, whatever columns are shown. */
static void test_needs(void **state)
{
	struct stage *s = *state = stage(TEXT);

	assert_int_not_equal(app_needs(s->app) & NEED_ALL, NEED_ALL);
	stage_keys(s, "2");
	assert_int_equal(app_needs(s->app) & NEED_ALL, NEED_ALL);
}

/* Its command answers about the job under the cursor only. */
static void test_command(void **state)
{
	struct stage *s = *state = open_jobs(TEXT);

	stage_keys(s, ":why 44<Enter>");
	stage_sees(s, "why: expected no argument (show job:ID goes to a job)");
	stage_keys(s, ":why<Enter>");
	stage_sees(s, " Why ");
	stage_keys(s, ":why<Enter>");
	stage_sees_not(s, " Why ");
	stage_keys(s, "1:why<Enter>");
	stage_sees(s, "why: expected the jobs view");
}

/* An answer that arrives after the cursor moved does not apply to the new job. */
static void test_of_another_job(void **state)
{
	struct stage *s = *state = open_jobs(TEXT);
	void *order;

	stage_keys(s, "/43<Enter><Enter>");
	order = whyer_work.order(s->app);
	stage_keys(s, "/44<Enter>");
	whyer_work.take(s->app, whyer_work.answer(order));
	stage_resize(s, 120, 40);
	stage_sees(s, "job 44 of alice");
	stage_sees(s, "helps    not tried yet");
	stage_sees_not(s, "release 43");
	answer(s, &whyer_work);
	stage_sees(s, "scontrol release 44");
}

/* No suggestions for a running job, nor with edits. */
static void test_not_tried(void **state)
{
	struct stage *s = *state = open_jobs(TEXT JOB(45, "alice") " state=RUNNING\n");

	stage_keys(s, "/45<Enter><Enter>");
	stage_sees(s, "job 45 of alice (/physics) is running in batch");
	stage_sees_not(s, "helps");
	assert_null(whyer_work.order(s->app));
	stage_keys(s, "/43<Enter>");
	why_order_free(whyer_work.order(s->app));
	stage_keys(s, "ajob:44.hold = no<Enter>");
	stage_sees(s, "job 43 of alice");
	stage_sees(s, "helps    not tried with edits");
	assert_null(whyer_work.order(s->app));
}

/* An unknown start is not called the same with edits. */
static void test_beside_edits(void **state)
{
	struct stage *s = *state = open_jobs(TEXT JOB(46, "alice") " state=PENDING priority=9 "
					     "reason=Priority\n");

	stage_keys(s, "/46<Enter><Enter>ajob:46.nice = 5<Enter>");
	answer(s, &starter_work);
	stage_sees(s, "what-if  at the same time");
	stage_keys(s, "ajob:46.dependency = afterok:999<Enter>");
	answer(s, &starter_work);
	stage_sees(s, "unknown: what it waits for (afterok:999)");
	stage_sees_not(s, "at the same time");
}

/* The first answer has only its own start, if not all starts are simulated. */
static void test_start_alone(void **state)
{
	struct stage *s = *state = open_jobs(TEXT JOB(46, "alice") " state=PENDING priority=9\n");
	struct why_order *order;
	struct why_answer *a;

	stage_keys(s, "/46<Enter><Enter>");
	order = whyer_work.order(s->app);
	assert_int_equal(order->pictures, s->app->pictures);
	a = whyer_work.answer(order);
	assert_true(a->done);
	assert_int_equal(a->why->start, SKETCH_TIME);
	whyer_work.take(s->app, a);
	answer(s, &starter_work);
	stage_sees(s, "when the scheduler next tries it");
}

/* As the command line prints it; hostile names do no harm. */
static void test_copied(void **state)
{
	struct stage *s = *state = open_jobs(CLUSTER("al%1b[31mice"));

	stage_keys(s, "/43<Enter><Enter>");
	answer(s, &whyer_work);
	s->effects = 0;
	stage_keys(s, "y");
	assert_true(s->effects & APP_COPY);
	assert_string_equal(app_copied(s->app),
			    "job 43 of al<1B>[31mice (/physics) is pending in batch, submitted 8 "
			    "Nov 15:00 (9\nh ago)\n"
			    "Reason   held by its owner\n"
			    "Place    none in batch: it is held\n"
			    "Start    unknown: held\n"
			    "Helps    released by its owner: it starts at once\n"
			    "           scontrol release 43\n");
	/* The copied text says that it was computed with edits. */
	stage_keys(s, "ajob:44.hold = no<Enter>y_");
	assert_non_null(strstr(app_copied(s->app), "Start    not simulated yet\n"
			       "Helps    not tried with edits\n"
			       "What-if  computed with edits, not for the cluster as it is\n"));
	/* Outside the box y copies as before. */
	stage_keys(s, "qy");
	assert_string_equal(app_copied(s->app), "43");
	stage_keys(s, ":copy answer<Enter>");
	assert_ptr_equal(strstr(app_copied(s->app), "job 43 of"), app_copied(s->app));
	stage_keys(s, "1:copy answer<Enter>");
	stage_sees(s, "copy answer: only jobs have one");
}

/* In the thread: the start first, then suggestions; a newer order cancels the older one. */
static void test_thread(void **state)
{
	struct worker *w = worker_new(&whyer_work, NULL);
	struct stage *s = *state = open_jobs(TEXT);
	struct why_answer *a;
	bool done = false;

	assert_non_null(w);
	stage_keys(s, "/43<Enter><Enter>");
	worker_order(w, whyer_work.order(s->app));
	stage_keys(s, "/44<Enter>");
	worker_order(w, whyer_work.order(s->app));
	while (!done) {
		struct pollfd fd = { .fd = worker_fd(w), .events = POLLIN };

		assert_int_equal(poll(&fd, 1, 60000), 1);
		a = worker_take(w);
		done = a && a->done && strcmp(a->why->name, "44") == 0;
		assert_true(!a || a->done || !why_line_of(a->why, WHY_HELPS));
		assert_true(!done || why_line_of(a->why, WHY_HELPS));
		why_answer_free(a);
	}
	worker_free(w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		stage_test(test_comes_by_and_by), stage_test(test_needs),
		stage_test(test_billing),
		stage_test(test_of_another_job), stage_test(test_command),
		stage_test(test_not_tried), stage_test(test_beside_edits),
		stage_test(test_start_alone),
		stage_test(test_copied), stage_test(test_thread),
	};

	(void)setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("why_screen", tests, NULL, NULL);
}
