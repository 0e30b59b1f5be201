/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The start of a job in words, and what its owner could change: the start given with an edit is
 * that of `fairtop starts --set EDIT`.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/sim/sim_site.h"
#include "core/sim/starts.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif_apply.h"
#include "core/why/why_help.h"
#include "tests/support/lab.h"
#include "tests/support/living.h"

#define NOW INT64_C(1000000000)
#define ME 200			/* the job in question */

/* ---- a little cluster ---------------------------------------------------------------------- */

struct asks {
	uint32_t cpus, nodes, priority;
	int64_t limit;
	const char *node, *reason, *dependency;
	int64_t eligible;
	const char *user, *partition;
};

/* Partition "all" is n1 and n2, "spare" n3, of four CPUs each. */
static void add_nodes(struct builder *b, int64_t max_time)
{
	static const char *const partitions[] = { "all", "spare" };

	for (uint32_t i = 0; i < 2; i++) {
		uint32_t row = builder_add(b, TABLE_PARTITION);

		builder_str(b, F_PARTITION_NAME, row, partitions[i]);
		builder_u32(b, F_PARTITION_NODES, row, 2 - i);
		builder_u32(b, F_PARTITION_CPUS, row, 8 - 4 * i);
		builder_i64(b, F_PARTITION_MAX_TIME, row, max_time);
	}
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t row = builder_add(b, TABLE_HOST);
		char name[8];

		snprintf(name, sizeof(name), "n%u", i + 1);
		builder_str(b, F_HOST_NAME, row, name);
		builder_u32(b, F_HOST_CPUS, row, 4);
		builder_list(b, F_HOST_PARTITIONS, row, &partitions[i / 2], 1);
	}
}

static void add_tree(struct builder *b)
{
	static const char *const users[] = { NULL, NULL, "me", "other", "third" };

	for (uint32_t i = 0; i < 5; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i == 1 ? 1 : 2);
		builder_str(b, F_ASSOC_ACCOUNT, row, i == 0 ? "root" : "lab");
		builder_str(b, F_ASSOC_USER, row, users[i]);
		builder_u32(b, F_ASSOC_SHARES, row, 1);
		if (i > 1)
			builder_f64(b, F_ASSOC_USAGE, row, i == 2 ? 1e4 : 1);
	}
}

static void add_job(struct builder *b, uint32_t id, const struct asks *a)
{
	const struct tres_item item = { builder_tres_row(b, "cpu", 3), a->cpus };
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_USER, row, a->user ? a->user : "other");
	builder_str(b, F_JOB_ACCOUNT, row, "lab");
	builder_str(b, F_JOB_PARTITION, row, a->partition ? a->partition : "all");
	builder_str(b, F_JOB_STATE, row, a->node ? "RUNNING" : "PENDING");
	builder_str(b, F_JOB_REASON, row, a->reason);
	builder_str(b, F_JOB_DEPENDENCY, row, a->dependency);
	builder_u32(b, F_JOB_CPUS, row, a->cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, a->nodes);
	builder_tres(b, a->node ? F_JOB_TRES_ALLOC : F_JOB_TRES, row, &item, 1);
	builder_i64(b, F_JOB_TIME_LIMIT, row, a->limit);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 100);
	builder_i64(b, F_JOB_ELIGIBLE, row, a->eligible > 0 ? a->eligible : NOW - 100);
	builder_f64(b, F_JOB_BILLING, row, a->cpus);
	builder_i64(b, F_JOB_NICE, row, 0);
	builder_i64(b, F_JOB_SITE, row, 0);
	builder_u32(b, F_JOB_PRIORITY, row, a->priority);
	if (!a->node)
		return;
	builder_str(b, F_JOB_NODE_LIST, row, a->node);
	builder_i64(b, F_JOB_START, row, NOW);
}

struct scene {
	const char *kind;		/* NULL: "slurm" */
	int64_t max_time;		/* 0: none */
	int64_t expected;		/* by the scheduler; 0: no estimate */
	struct asks jobs[6];		/* the first is ME, the others have the next ids */
};

static struct cluster *paint(const struct scene *s)
{
	struct cluster_meta meta = { .kind = s->kind ? s->kind : "slurm", .name = "little",
				     .version = "22.05.8", .zone = "UTC", .time = NOW, .boot = NOW,
				     .last_decay = NOW, .last_reset = NOW };
	struct builder *b = builder_new();
	struct policy *p = builder_policy(b);

	builder_meta(b, &meta);
	strcpy(p->type, "priority/multifactor");
	strcpy(p->scheduler_type, "sched/backfill");
	strcpy(p->scheduler_parameters, "bf_resolution=1");
	p->weight[PRIO_FAIRSHARE] = 1000;
	p->calc_period = 300;
	p->half_life = 604800;
	p->kill_wait = 30;
	add_tree(b);
	add_nodes(b, s->max_time > 0 ? s->max_time : I64_INFINITE);
	for (uint32_t i = 0; s->jobs[i].cpus > 0; i++)
		add_job(b, ME + i, &s->jobs[i]);
	if (s->expected > 0)
		builder_i64(b, F_JOB_START, 0, s->expected);
	return lab_sealed(b);
}

/* ---- an answer ----------------------------------------------------------------------------- */

struct answer {
	struct cluster *c;
	struct model *m;
	struct jobs *jobs;
	struct why *why;
};

static struct answer start_of(struct cluster *c, uint32_t entry, const char *why_not)
{
	const struct model_options o = MODEL_OPTIONS_DEFAULT;
	struct err err = { .code = ERR_NONE };
	struct answer a = { .c = c, .m = model_new(c, &o, &err) };
	struct starts s;

	if (!a.m)
		fail_msg("%s", err.message);
	a.jobs = jobs_new(a.m, NULL);
	a.why = why_new(a.jobs, entry, NULL);
	if (why_not) {
		why_put_start(a.why, NULL, why_not);
	} else {
		const struct starts_options only = {
			.only = a.why->state == WHY_WAITS ? &a.why->job : NULL };

		if (!starts_make(&s, c, &only, &err))
			fail_msg("%s", err.message);
		why_put_start(a.why, &s, NULL);
		starts_free(&s);
	}
	return a;
}

static struct answer answer_about(struct cluster *c, uint32_t entry, const char *why_not)
{
	struct answer a = start_of(c, entry, why_not);
	struct why_helping *h = why_help_begin(a.why, NULL, NULL);

	while (why_help_step(h))
		;
	why_help_end(h);
	return a;
}

static void answer_free(struct answer *a)
{
	why_free(a->why);
	jobs_free(a->jobs);
	model_free(a->m);
	cluster_free(a->c);
}

static const struct why_fact *fact_of(const struct why_line *line, const char *key)
{
	for (uint32_t i = 0; i < line->fact_count; i++) {
		if (strcmp(line->facts[i].key, key) == 0)
			return &line->facts[i];
	}
	fail_msg("%s: no fact %s", line->text, key);
	return NULL;
}

static void is_word(const struct why_line *line, const char *key, const char *word)
{
	const char *text = fact_of(line, key)->text;

	if (word ? !text || strcmp(text, word) != 0 : text != NULL)
		fail_msg("%s: %s is \"%s\", not \"%s\"", line->text, key, text ? text : "-",
			 word ? word : "-");
}

/* Returns the line that WHAT helps, or NULL. */
static const struct why_line *help_of(const struct why *w, const char *what)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->lines[i].part == WHY_HELPS &&
		    strcmp(fact_of(&w->lines[i], "what")->text, what) == 0)
			return &w->lines[i];
	}
	return NULL;
}

static const struct why_line *first_help(const struct answer *a)
{
	const struct why_line *line = why_line_of(a->why, WHY_HELPS);

	assert_non_null(line);
	return line;
}

/* ---- what helps ---------------------------------------------------------------------------- */

/* A job that is short enough passes the large one, which waits for n2; a longer one does not. */
static void shorter(void **state)
{
	static const struct scene s = { .jobs = {
		{ 1, 1, 10, 7200, NULL, "Priority", .user = "me" },
		{ 3, 1, 9, 600, "n1", .user = NULL }, { 4, 1, 9, 3540, "n2", .user = NULL },
		{ 8, 2, 500, 600, NULL, "Resources", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = help_of(a.why, "time_limit");

	(void)state;
	assert_true(a.why->start > NOW + 3540);
	assert_non_null(line);
	is_word(line, "value", "30 min");
	is_word(line, "was", "2 h");
	is_word(line, "edit", "job:200.time_limit = 00:30:00");
	is_word(line, "command", "scontrol update JobId=200 TimeLimit=00:30:00");
	assert_true(fact_of(line, "start")->number <= (double)NOW + 60);
	assert_non_null(strstr(line->text, "30 min instead of 2 h"));
	assert_non_null(strstr(line->text, "(if it ends within that time)"));
	assert_null(strstr(line->text, "scontrol"));
	/* "nothing helps" is not said beside something that does */
	assert_null(help_of(a.why, "time"));
	answer_free(&a);
}

/* Suggests a partition where the user has another job; other users' jobs do not count. */
static void partition(void **state)
{
	struct scene s = { .jobs = {
		{ 1, 1, 10, 600, NULL, "Resources", .user = "me" },
		{ 4, 1, 9, 3600, "n1", .user = NULL }, { 4, 1, 9, 3600, "n2", .user = NULL },
		{ 1, 1, 9, 3600, "n3", .user = "me", .partition = "spare" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = first_help(&a);

	(void)state;
	is_word(line, "what", "partition");
	is_word(line, "value", "spare");
	is_word(line, "edit", "job:200.partition = all,spare");
	is_word(line, "command", "scontrol update JobId=200 Partition=all,spare");
	answer_free(&a);
	s.jobs[3] = (struct asks){ .cpus = 0 };
	a = answer_about(paint(&s), 0, NULL);
	assert_null(help_of(a.why, "partition"));
	answer_free(&a);
}

/* The owner can release an own hold, but not an administrator's. */
static void held(void **state)
{
	struct scene s = { .jobs = { { 1, 1, 0, 600, NULL, "JobHeldUser", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = first_help(&a);

	(void)state;
	assert_int_equal(a.why->start, I64_UNKNOWN);
	is_word(line, "what", "hold");
	is_word(line, "command", "scontrol release 200");
	assert_true(isinf(fact_of(line, "gain")->number));
	assert_true(fact_of(line, "start")->number <= (double)NOW + 60);
	answer_free(&a);
	s.jobs[0].reason = "JobHeldAdmin";
	a = answer_about(paint(&s), 0, NULL);
	assert_null(why_line_of(a.why, WHY_HELPS));
	answer_free(&a);
}

/* The reason depends on data not read or not simulated: the start is unknown. */
static void unplayed(void **state)
{
	static const char *const words[] = {
		"AssocGrpCPURunMinutesLimit", "AssocGrpCpuLimit", "QOSGrpNodeLimit",
		"QOSMaxWallDurationPerJobLimit", "QOSUsageThreshold", "MaxMemPerLimit",
		"Licenses", "BurstBufferStageIn", "Prolog", "Cleaning", "JobHoldMaxRequeue",
		"JobHeldAdmin", "DeadLine", "InvalidQOS", "PartitionConfig", "PartitionDown",
		"PartitionTimeLimit", "BadConstraints", "Dependency", "JobArrayTaskLimit",
		"Reservation", "NodeDown", "ReqNodeNotAvail, UnavailableNodes:n2",
	};
	struct scene s = { .jobs = { { 1, 1, 7, 7200, NULL, "None", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);

	(void)state;
	assert_true(a.why->start <= NOW + 60);
	answer_free(&a);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const struct why_line *line;

		s.jobs[0].reason = words[i];
		a = answer_about(paint(&s), 0, NULL);
		line = why_line_of(a.why, WHY_START);
		if (a.why->start != I64_UNKNOWN)
			fail_msg("%s: %s", words[i], line->text);
		assert_true(isnan(fact_of(line, "latest")->number));
		assert_non_null(strstr(line->text, words[i]));
		assert_null(why_line_of(a.why, WHY_HELPS));
		answer_free(&a);
	}
}

/* The same if it waits for a missing job, or for minutes after one, even if it also needs nodes. */
static void unplayed_dependency(void **state)
{
	static const char *const depends[] = { "afterok:77(unfulfilled)",
					       "afterok:77:201?afterany:201", "after:201+30" };
	struct scene s = { .jobs = {
		{ 4, 1, 7, 7200, NULL, "Dependency", .user = "me" },
		{ 4, 1, 9, 3600, "n1", .user = NULL }, { 4, 1, 9, 3600, "n2", .user = NULL } } };

	(void)state;
	for (size_t i = 0; i < sizeof(depends) / sizeof(depends[0]); i++) {
		struct answer a;

		s.jobs[0].dependency = depends[i];
		a = answer_about(paint(&s), 0, NULL);
		assert_int_equal(a.why->start, I64_UNKNOWN);
		assert_null(why_line_of(a.why, WHY_HELPS));
		answer_free(&a);
	}
}

/* Suggests the user's account without usage, unless that forbids the job's QOS. */
static void account(void **state)
{
	static const struct scene s = { .jobs = {
		{ 4, 1, 7, 3600, NULL, "Priority", .user = "me" },
		{ 4, 1, 9, 3600, "n1", .user = NULL }, { 4, 1, 9, 36000, "n2", .user = NULL },
		{ 4, 1, 8, 3600, NULL, "Resources", .user = NULL } } };
	static const char *const qos[] = { "normal", "long" };

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		struct cluster *bare = paint(&s);
		struct builder *b = cluster_copy(bare);
		struct answer a;
		uint32_t row;

		for (uint32_t id = 6; id < 8; id++) {
			row = builder_add(b, TABLE_ASSOC);
			builder_u32(b, F_ASSOC_ID, row, id);
			builder_u32(b, F_ASSOC_PARENT, row, id == 6 ? 1 : 6);
			builder_str(b, F_ASSOC_ACCOUNT, row, "rich");
			builder_str(b, F_ASSOC_USER, row, id == 6 ? NULL : "me");
			builder_u32(b, F_ASSOC_SHARES, row, 1);
			builder_f64(b, F_ASSOC_USAGE, row, 0);
		}
		builder_list(b, F_ASSOC_QOS, row, &qos[i], 1);
		builder_str(b, F_JOB_QOS, 0, "normal");
		cluster_free(bare);
		a = answer_about(builder_seal(b, NULL), 0, NULL);
		assert_int_equal(!help_of(a.why, "account"), i == 1);
		answer_free(&a);
	}
}

/* The owner's hold can be released, but the start after that is unknown. */
static void held_and_unplayed(void **state)
{
	static const struct scene s = { .jobs = { { 1, 1, 0, 600, NULL, "JobHeldUser",
						    "afterok:77(unfulfilled)", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = first_help(&a);

	(void)state;
	is_word(line, "command", "scontrol release 200");
	assert_true(isnan(fact_of(line, "start")->number));
	answer_free(&a);
}

/* If all nodes are busy until later, "not available" for a node it needs adds nothing. */
static void played(void **state)
{
	static const struct scene s = { .jobs = {
		{ 1, 1, 7, 7200, NULL, "ReqNodeNotAvail", .user = "me" },
		{ 4, 1, 9, 3600, "n1", .user = NULL }, { 4, 1, 9, 3600, "n2", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);

	(void)state;
	assert_true(a.why->start > NOW + 3000);
	answer_free(&a);
}

static void begin_and_dependency(void **state)
{
	static const struct scene later = { .jobs = {
		{ 1, 1, 7, 600, NULL, "BeginTime", NULL, NOW + 9000, .user = "me" } } };
	static const struct scene after = { .jobs = {
		{ 1, 1, 7, 600, NULL, "Dependency", "afterany:201(unfulfilled)", .user = "me" },
		{ 1, 1, 9, 7200, "n1", .user = NULL } } };
	struct answer a = answer_about(paint(&later), 0, NULL);
	const struct why_line *line = first_help(&a);

	(void)state;
	is_word(line, "what", "begin");
	is_word(line, "command", "scontrol update JobId=200 StartTime=now");
	answer_free(&a);
	a = answer_about(paint(&after), 0, NULL);
	line = first_help(&a);
	is_word(line, "what", "dependency");
	is_word(line, "command", "scontrol update JobId=200 Dependency=");
	assert_non_null(strstr(line->text, "(only if it does not need the result)"));
	answer_free(&a);
}

/* A rule forbids it: suggests the maximum that the rule allows. */
static void forbidden(void **state)
{
	static const struct scene s = { .max_time = 6000, .jobs = {
		{ 1, 1, 7, 7200, NULL, "PartitionTimeLimit", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = first_help(&a);

	(void)state;
	assert_true(a.why->never);
	assert_non_null(strstr(why_line_of(a.why, WHY_START)->text,
			       site_obstacles[SITE_TOO_LONG].text));
	is_word(line, "what", "time_limit");
	is_word(line, "command", "scontrol update JobId=200 TimeLimit=01:40:00");
	assert_true(isinf(fact_of(line, "gain")->number));
	answer_free(&a);
}

static void smaller(void **state)
{
	static const struct scene s = { .jobs = {
		{ 4, 2, 7, 600, NULL, "Resources", .user = "me" },
		{ 4, 1, 9, 7200, "n1", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *nodes = help_of(a.why, "nodes"), *split = help_of(a.why, "split");

	(void)state;
	assert_non_null(nodes);
	is_word(nodes, "command", "scontrol update JobId=200 NumNodes=1");
	assert_non_null(split);
	is_word(split, "edit", "job:200.cpus = 2; job:200.nodes = 1");
	is_word(split, "command", NULL);
	answer_free(&a);
}

/* Nodes are full: no change by the owner frees them. */
static void time_alone(void **state)
{
	struct scene s = { .jobs = {
		{ 4, 1, 7, 600, NULL, "Resources", .user = "me" },
		{ 4, 1, 9, 7200, "n1", .user = NULL }, { 4, 1, 9, 7200, "n2", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);

	(void)state;
	is_word(first_help(&a), "what", "time");
	assert_string_equal(first_help(&a)->text, "none of the changes tried helps");
	answer_free(&a);
	/* A job that waits for priority gets a date. */
	s.jobs[0].reason = "Priority";
	a = answer_about(paint(&s), 0, NULL);
	is_word(first_help(&a), "what", "time");
	assert_non_null(strstr(first_help(&a)->text, "its fair-share factor reaches 0.5 about 1"));
	assert_true(fact_of(first_help(&a), "reached")->number > (double)NOW);
	answer_free(&a);
}

/* A job that starts at once needs no help; one that is not simulated gets no claims. */
static void no_lines(void **state)
{
	static const struct scene free = { .jobs = {
		{ 1, 1, 7, 600, NULL, "None", .user = NULL } } };
	static const struct scene features = { .jobs = {
		{ 8, 3, 7, 600, NULL, "None", .partition = "nowhere" } } };
	struct answer a = answer_about(paint(&free), 0, NULL);

	(void)state;
	assert_null(why_line_of(a.why, WHY_HELPS));
	answer_free(&a);
	a = answer_about(paint(&features), 0, NULL);
	assert_int_equal(a.why->start, I64_UNKNOWN);
	assert_null(why_line_of(a.why, WHY_HELPS));
	assert_false(a.why->never);
	answer_free(&a);
}

/* ---- the start that is given --------------------------------------------------------------- */

static void add_edits(struct whatif *w, const char *text)
{
	struct err err = { .code = ERR_NONE };
	char one[400];

	for (const char *at = text; at; at = strstr(at, "; ") ? strstr(at, "; ") + 2 : NULL) {
		const char *end = strstr(at, "; ");

		snprintf(one, sizeof(one), "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
		if (!whatif_add(w, one, &err))
			fail_msg("%s", err.message);
	}
}

/* Returns the first start of the job as fairtop starts --set EDIT gives it. */
static int64_t start_with(const struct answer *a, const char *edit)
{
	const struct model_options o = { -1, (int)a->m->fs->base, (int)a->m->fs->order };
	struct err err = { .code = ERR_NONE };
	struct whatif *w = whatif_new();
	struct cluster *c;
	struct changes_pair *changes;
	struct model *m;
	struct jobs *jobs;
	struct starts s;
	int64_t *points, start = I64_INFINITE;

	add_edits(w, edit);
	c = whatif_apply(w, a->c);
	assert_true(whatif_check(w, &err));
	m = model_new(c, &o, &err);
	jobs = jobs_new(m, NULL);
	if (jobs_has_reported(jobs))
		jobs_forget_reported(jobs, a->jobs);
	changes = changes_pair_new(a->m, m, a->jobs, jobs, NULL);
	points = starts_points(a->jobs, jobs, changes->entry);
	assert_true(starts_make(&s, c, &(const struct starts_options){ .points = points }, &err));
	for (size_t i = 0; i < s.count; i++) {
		if (s.rows[i].job == a->why->job && s.rows[i].start != I64_UNKNOWN &&
		    s.rows[i].start < start)
			start = s.rows[i].start;
	}
	starts_free(&s);
	mem_free(points);
	changes_pair_free(changes);
	jobs_free(jobs);
	model_free(m);
	cluster_free(c);
	whatif_free(w);
	return start;
}

/* Returns how many lines of A were compared; starts equal those of a full simulation. */
static uint32_t check_starts(const struct answer *a)
{
	double last = INFINITY;
	uint32_t count = 0;

	for (size_t i = 0; i < a->why->count; i++) {
		const struct why_line *line = &a->why->lines[i];
		double start, gain;

		if (line->part != WHY_HELPS || strcmp(fact_of(line, "what")->text, "time") == 0)
			continue;
		start = fact_of(line, "start")->number;
		gain = fact_of(line, "gain")->number;
		if ((double)start_with(a, fact_of(line, "edit")->text) != start)
			fail_msg("%s: not with %s", line->text, fact_of(line, "edit")->text);
		assert_true(gain >= 60 && gain <= last);
		assert_true(isinf(gain) || (double)a->why->start - start == gain);
		last = gain;
		count++;
	}
	assert_true(count <= 3);
	return count;
}

static void as_starts_says(void **state)
{
	struct cluster *c = living_first("7,jobs=160");
	uint32_t asked = 0, lines = 0, rows = cluster_rows(c, TABLE_JOB);

	(void)state;
	for (uint32_t e = rows / 3; e < rows && asked < 8; e += 3) {
		struct answer a;

		if (job_kind_of(c, e) >= JOB_RUNNING)
			continue;
		a = answer_about(cluster_share(c), e, NULL);
		lines += check_starts(&a);
		answer_free(&a);
		asked++;
	}
	assert_int_equal(asked, 8);
	assert_true(lines > 5);
	cluster_free(c);
}

/* ---- the line about the start -------------------------------------------------------------- */

static void start_lines(void **state)
{
	static const struct scene s = { .expected = NOW + 9000, .jobs = {
		{ 4, 1, 7, 600, NULL, "Resources", .user = "me" },
		{ 4, 1, 9, 3600, "n1", .user = NULL }, { 4, 1, 9, 7200, "n2", .user = NULL },
		{ 4, 1, 6, 600, NULL, "Priority", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, NULL);
	const struct why_line *line = why_line_of(a.why, WHY_START);

	(void)state;
	assert_true(a.why->start >= NOW + 3600 && a.why->start < NOW + 3700);
	assert_non_null(strstr(line->text, "about 10000036"));
	assert_non_null(strstr(line->text, "if all jobs run to their limits and nothing else is "
					   "submitted, on n1; job 201 is the last to end on its "
					   "nodes, about 10000036"));
	assert_non_null(strstr(line->text, "; the scheduler expects 1000009000"));
	is_word(line, "nodes", "n1");
	is_word(line, "after", "201");
	is_word(line, "why", NULL);
	assert_true(fact_of(line, "latest")->number == (double)a.why->start);
	assert_true(isnan(fact_of(line, "p10")->number));
	answer_free(&a);
	a = answer_about(paint(&s), 1, NULL);
	line = why_line_of(a.why, WHY_BEHIND);
	assert_non_null(strstr(line->text, "job 200 (me) waits for its nodes, starts about"));
	is_word(line, "job", "200");
	assert_true(fact_of(line, "count")->number == 1);
	answer_free(&a);
}

/* If jobs ahead were left out, no immediate start is promised. */
static void start_beside_left_out(void **state)
{
	static const struct scene s = { .jobs = {
		{ 1, 1, 7, 600, NULL, "None", .user = "me" },
		{ 8, 2, U32_UNKNOWN, 600, NULL, "Priority", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);

	(void)state;
	assert_non_null(strstr(why_line_of(a.why, WHY_START)->text,
			       "as far as simulated, when the scheduler next tries it"));
	assert_non_null(strstr(why_line_of(a.why, WHY_UNKNOWN)->text, "1 job in its partition"));
	answer_free(&a);
}

/* Nor if the scheduler has just found no free resources for it. */
static void start_without_room(void **state)
{
	static const struct scene s = { .jobs = {
		{ 1, 1, 7, 600, NULL, "Resources", .user = NULL } } };
	struct answer a = answer_about(paint(&s), 0, NULL);

	(void)state;
	assert_non_null(strstr(why_line_of(a.why, WHY_START)->text, "as far as simulated, when"));
	answer_free(&a);
}

/* A draining partition starts its pending jobs, one that is down starts none. */
static void start_in_state(void **state)
{
	static const struct scene s = { .jobs = { { 1, 1, 7, 600, NULL, "None", .user = NULL } } };
	static const char *const states[] = { "UP", "DRAIN", "DOWN", "INACTIVE" };

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct cluster *bare = paint(&s);
		struct builder *b = cluster_copy(bare);
		struct answer a;

		builder_str(b, F_PARTITION_STATE, 0, states[i]);
		cluster_free(bare);
		a = answer_about(builder_seal(b, NULL), 0, NULL);
		assert_int_equal(a.why->start == I64_UNKNOWN, i > 1);
		answer_free(&a);
	}
}

/* Not simulated: the scheduler's estimate if it is in the future, else why there is none. */
static void not_simulated(void **state)
{
	struct scene s = { .kind = "pbs", .expected = NOW + 500, .jobs = {
		{ 4, 1, 7, 600, NULL, "x", .user = "me" } } };
	struct answer a = answer_about(paint(&s), 0, "that is PBS");

	(void)state;
	assert_string_equal(why_line_of(a.why, WHY_START)->text,
			    "the scheduler expects 1000000500; not simulated: that is PBS");
	assert_int_equal(a.why->start, I64_UNKNOWN);
	assert_null(why_line_of(a.why, WHY_HELPS));
	answer_free(&a);
	s.expected = NOW - 500;
	a = answer_about(paint(&s), 0, "that is PBS");
	assert_string_equal(why_line_of(a.why, WHY_START)->text, "unknown: that is PBS");
	answer_free(&a);
}

/* PBS is not simulated: only the owner's release of an own hold is known to help. */
static void held_by_pbs(void **state)
{
	static const struct scene s = { .kind = "pbs", .jobs = {
		{ 4, 1, 0, 600, NULL, "x", .user = "me" } } };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct cluster *bare = paint(&s), *c;
		struct builder *b = cluster_copy(bare);
		const struct why_line *line;
		struct answer a;

		builder_str(b, F_JOB_HOLD_TYPES, 0, i == 0 ? "u" : "us");
		builder_str(b, F_JOB_JOB_ID, 0, "200.head");
		c = builder_seal(b, NULL);
		a = answer_about(c, 0, "that is PBS");
		line = why_line_of(a.why, WHY_HELPS);
		assert_true((line != NULL) == (i == 0));
		if (line) {
			is_word(line, "command", "qrls -h u 200.head");
			assert_true(isnan(fact_of(line, "gain")->number));
			assert_non_null(strstr(line->text, "the start is then unknown"));
		}
		answer_free(&a);
		cluster_free(bare);
	}
}

struct patience {
	unsigned asked, most;
};

static bool is_patient(void *context)
{
	struct patience *p = context;

	return p->asked++ < p->most;
}

/* Returns the number of steps. */
static unsigned help_patiently(struct answer *a, struct patience *p)
{
	struct why_helping *h = why_help_begin(a->why, is_patient, p);
	unsigned steps = 1;

	while (why_help_step(h))
		steps++;
	why_help_end(h);
	return steps;
}

/* Stopped at any point, even within a try: no lines, and the callback is not called again. */
static void given_up(void **state)
{
	static const struct scene s = { .jobs = {
		{ 1, 1, 10, 7200, NULL, "Priority", .user = "me" },
		{ 3, 1, 9, 600, "n1", .user = NULL }, { 4, 1, 9, 3540, "n2", .user = NULL },
		{ 8, 2, 500, 600, NULL, "Resources", .user = NULL } } };
	struct patience all = { 0, UINT32_MAX };
	struct answer a = start_of(paint(&s), 0, NULL);
	unsigned steps = help_patiently(&a, &all);

	(void)state;
	assert_true(all.asked > 2 * steps);
	assert_non_null(why_line_of(a.why, WHY_HELPS));
	answer_free(&a);
	for (unsigned most = 0; most < all.asked; most++) {
		struct patience p = { 0, most };

		a = start_of(paint(&s), 0, NULL);
		assert_true(help_patiently(&a, &p) <= steps);
		assert_int_equal(p.asked, most + 1);
		assert_null(why_line_of(a.why, WHY_HELPS));
		answer_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shorter),	  cmocka_unit_test(partition),
		cmocka_unit_test(held),		  cmocka_unit_test(begin_and_dependency),
		cmocka_unit_test(forbidden),	  cmocka_unit_test(smaller),
		cmocka_unit_test(time_alone),	  cmocka_unit_test(no_lines),
		cmocka_unit_test(as_starts_says), cmocka_unit_test(start_lines),
		cmocka_unit_test(unplayed),	  cmocka_unit_test(played),
		cmocka_unit_test(start_in_state),
		cmocka_unit_test(start_without_room),
		cmocka_unit_test(account),
		cmocka_unit_test(held_and_unplayed),
		cmocka_unit_test(unplayed_dependency),
		cmocka_unit_test(start_beside_left_out),
		cmocka_unit_test(not_simulated),  cmocka_unit_test(held_by_pbs),
		cmocka_unit_test(given_up),
	};

	return cmocka_run_group_tests_name("why_help", tests, NULL, NULL);
}
