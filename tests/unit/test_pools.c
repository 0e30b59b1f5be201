/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From LSF's files to allotted slots: the three examples of "Queue-based fair share", the vendor's
 * scenarios, host limits, use by others, job limits, exclusions; --pools files; explanations that
 * add up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "tests/support/data.h"
#include "tests/support/lsf.h"
#include "tui/base/pools_file.h"

/* ---- help ---------------------------------------------------------------------------------- */

#define HOSTS2 "Begin Host\nHOST_NAME MXJ\nhA 6\nhB 6\nEnd Host\n"

static void queue_text(char *buf, size_t size, const char *name, int priority, const char *more)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used,
		 "Begin Queue\nQUEUE_NAME=%s\nPRIORITY=%d\n%s\nEnd Queue\n", name, priority, more);
}

static void record_text(char *buf, size_t size, const char *name, int running, int pending)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used,
		 "%s{\"QUEUE_NAME\":\"%s\",\"RUN\":\"%d\",\"PEND\":\"%d\"}", used ? "," : "", name,
		 running, pending);
}

static struct cluster *site(const char *hosts, const char *queues, const char *records)
{
	const char *texts[LSF_KINDS] = { [LSF_HOSTS] = hosts, [LSF_QUEUES] = queues };
	char json[4000];

	snprintf(json, sizeof(json), "{\"COMMAND\":\"bqueues\",\"RECORDS\":[%s]}",
		 records ? records : "");
	if (records)
		texts[LSF_BQUEUES] = json;
	return lsf_cluster(texts);
}

/* Frees C. */
static struct pools *pools_of(struct cluster *c)
{
	struct err err = { 0 };
	struct pools *p = pools_new(c, NULL, false, NULL, &err);

	assert_non_null(p);
	return p;
}

static void pools_end(struct pools *p)
{
	struct cluster *c = (struct cluster *)(uintptr_t)p->cluster;

	pools_free(p);
	cluster_free(c);
}

static int pools_close(void **state)
{
	if (*state)
		pools_end(*state);
	return 0;
}

static uint32_t allotted(const struct pools *p, const char *name)
{
	uint32_t q = pools_find(p, false, name, NULL);

	assert_true(q != ROW_NONE && pools_slots(p, q));
	return pools_slots(p, q)->allotted;
}

static void is_cell(const struct pools *p, uint32_t row, const char *column, int64_t expected)
{
	struct view view = pools_view(p);
	struct value v = { 0 };

	for (size_t i = 0; i < view.column_count; i++) {
		if (strcmp(view.columns[i].name, column) == 0)
			column_get(&view.columns[i], p, row, &v);
	}
	assert_int_equal(v.kind, VALUE_INT);
	assert_int_equal(v.integer, expected);
}

static const char three_queues[] =
	"Begin Queue\nQUEUE_NAME=queue1\nPRIORITY=50\nSLOT_POOL=p\nSLOT_SHARE=50\nHOSTS=hA hB\n"
	"End Queue\n"
	"Begin Queue\nQUEUE_NAME=queue2\nPRIORITY=48\nSLOT_POOL=p\nSLOT_SHARE=30\nHOSTS=hB hA\n"
	"End Queue\n"
	"Begin Queue\nQUEUE_NAME=queue3\nPRIORITY=46\nSLOT_POOL=p\nSLOT_SHARE=20\nHOSTS=hA hB\n"
	"End Queue\n";

/* ---- the document's examples --------------------------------------------------------------- */

static void test_first_example(void **state)
{
	struct pools *p = *state = pools_of(site(HOSTS2, three_queues, NULL));

	assert_int_equal(p->pools[0].slots.size, 12);
	assert_int_equal(allotted(p, "queue1"), 6);
	assert_int_equal(allotted(p, "queue2"), 4);
	assert_int_equal(allotted(p, "queue3"), 2);
	is_cell(p, 2, "entitled", 3);
	is_cell(p, 2, "borrowed", 0);
}

/* queue4 is outside on the same hosts: the slots it uses are missing in the pool. */
static void test_second_example(void **state)
{
	static const uint32_t used[] = { 0, 5, 12 }, expected[][4] = {
		{ 12, 6, 4, 2 }, { 7, 4, 3, 0 }, { 0, 0, 0, 0 }
	};
	char queues[2000], records[1000];

	(void)state;
	strcpy(queues, three_queues);
	queue_text(queues, sizeof(queues), "queue4", 60, "HOSTS=hA hB");
	for (int i = 0; i < 3; i++) {
		struct pools *p;

		records[0] = '\0';
		record_text(records, sizeof(records), "queue1", 0, 100);
		record_text(records, sizeof(records), "queue2", 0, 100);
		record_text(records, sizeof(records), "queue3", 0, 100);
		record_text(records, sizeof(records), "queue4", (int)used[i], 0);
		p = pools_of(site(HOSTS2, queues, records));
		assert_int_equal(p->pools[0].slots.size, expected[i][0]);
		assert_int_equal(allotted(p, "queue1"), expected[i][1]);
		assert_int_equal(allotted(p, "queue2"), expected[i][2]);
		assert_int_equal(allotted(p, "queue3"), expected[i][3]);
		assert_null(pools_slots(p, pools_find(p, false, "queue4", NULL)));
		pools_end(p);
	}
}

static void test_third_example(void **state)
{
	char queues[4000] = "", name[16], more[80], text[1000];
	struct pools *p;

	for (int i = 8; i >= 1; i--) {
		bool outside = i == 4 || i == 5;

		snprintf(name, sizeof(name), "queue%d", i);
		snprintf(more, sizeof(more), outside ? "HOSTS=hA hB" :
			 "HOSTS=hA hB\nSLOT_POOL=%s\nSLOT_SHARE=33", i < 4 ? "p1" : "p2");
		queue_text(queues, sizeof(queues), name, 90 - i, more);
	}
	p = *state = pools_of(site(HOSTS2, queues, NULL));
	pools_dispatch_text(p, text, sizeof(text));
	assert_string_equal(text,
			    "queue1 [p1] -> queue2 [p1] -> queue3 [p1] -> queue4 -> queue5 -> "
			    "queue6 [p2] -> queue7 [p2] -> queue8 [p2]");
}

/* ---- the vendor's scenarios, as recorded numbers ------------------------------------------- */

struct scenario {
	char id[8], pool[64];
	unsigned slots;
	unsigned count;
	struct {
		char name[64];
		int priority;
		unsigned share, demand, expected;
	} queues[16];
};

static void check_scenario(const struct scenario *s)
{
	char hosts[200], queues[4000] = "", records[2000] = "", more[200];
	struct pools *p;

	snprintf(hosts, sizeof(hosts), "Begin Host\nHOST_NAME MXJ\nh1 %u\nEnd Host\n", s->slots);
	for (unsigned i = 0; i < s->count; i++) {
		snprintf(more, sizeof(more), "SLOT_POOL=%s\nSLOT_SHARE=%u\nHOSTS=h1", s->pool,
			 s->queues[i].share);
		queue_text(queues, sizeof(queues), s->queues[i].name, s->queues[i].priority, more);
		record_text(records, sizeof(records), s->queues[i].name, 0,
			    (int)s->queues[i].demand);
	}
	p = pools_of(site(hosts, queues, records));
	for (unsigned i = 0; i < s->count; i++) {
		if (allotted(p, s->queues[i].name) != s->queues[i].expected)
			fail_msg("%s %s: %u", s->id, s->queues[i].name,
				 (unsigned)allotted(p, s->queues[i].name));
	}
	pools_end(p);
}

/* Rows: case, pool, slots, queue, prio, share, demand, expected; a scenario is a case and pool. */
static void test_scenarios(void **state)
{
	char path[1200], line[500];
	struct scenario s = { .count = 0 };
	unsigned scenarios = 0;
	FILE *f;

	(void)state;
	f = fopen(data_path("lsf/slot_pools_worked.tsv", path, sizeof(path)), "r");
	if (!f)
		fail_msg("cannot read %s", path);
	while (fgets(line, sizeof(line), f)) {
		char id[8], pool[64], name[64], demand[32];
		unsigned slots, share, expected;
		int priority;

		if (line[0] == '#' ||
		    sscanf(line, "%7s %63s %u %63s %d %u %31s %u", id, pool, &slots, name,
			   &priority, &share, demand, &expected) != 8)
			continue;
		if (s.count > 0 && (strcmp(s.id, id) != 0 || strcmp(s.pool, pool) != 0)) {
			check_scenario(&s);
			scenarios++;
			s.count = 0;
		}
		snprintf(s.id, sizeof(s.id), "%s", id);
		snprintf(s.pool, sizeof(s.pool), "%s", pool);
		s.slots = slots;
		snprintf(s.queues[s.count].name, sizeof(name), "%s", name);
		s.queues[s.count].priority = priority;
		s.queues[s.count].share = share;
		s.queues[s.count].demand = strcmp(demand, "inf") == 0 ? 100000 :
					   (unsigned)strtoul(demand, NULL, 10);
		s.queues[s.count++].expected = expected;
	}
	fclose(f);
	check_scenario(&s);
	assert_int_equal(scenarios + 1, 6);
}

/* ---- hosts, limits ------------------------------------------------------------------------- */

static const char many_hosts[] =
	"Begin Host\nHOST_NAME MXJ\nh[01-10] 4\nbig 32\nfree ()\ndefault 2\nEnd Host\n"
	"Begin HostGroup\nGROUP_NAME GROUP_MEMBER\nodd (h01 h03 h05 h07 h09)\n"
	"few (odd ~h09 ~h07)\nstar (h0*)\nEnd HostGroup\n"
	"Begin HostPartition\nHPART_NAME = part\nHOSTS = big\nEnd HostPartition\n";

static uint32_t host_slots(const char *hosts)
{
	char queues[500] = "", more[200];
	struct pools *p;
	uint32_t slots;

	snprintf(more, sizeof(more), "SLOT_POOL=p\nSLOT_SHARE=50\n%s%s", hosts ? "HOSTS=" : "",
		 hosts ? hosts : "");
	queue_text(queues, sizeof(queues), "q", 1, more);
	p = pools_of(site(many_hosts, queues, NULL));
	slots = p->pools[0].slots.host_slots;
	pools_end(p);
	return slots;
}

static void test_hosts(void **state)
{
	(void)state;
	assert_int_equal(host_slots("h01 h02+3 h03!"), 12);
	assert_int_equal(host_slots("odd"), 20);
	assert_int_equal(host_slots("few"), 12);
	assert_int_equal(host_slots("star"), 36);
	assert_int_equal(host_slots("all ~big"), 42);
	assert_int_equal(host_slots("~odd ~big"), 22);
	assert_int_equal(host_slots("all"), 74);
	assert_int_equal(host_slots(NULL), 74);
	assert_int_equal(host_slots("odd h01 h[01-02]"), 24);
	assert_int_equal(host_slots("unseen free"), 4);
}

static void test_resources(void **state)
{
	static const char each[] = "Begin Limit\nNAME=l\nPER_HOST=hA hB\nSLOTS=5\nEnd Limit\n";
	static const char both[] = "Begin Limit\nHOSTS SLOTS\n(hA hB) 7\nEnd Limit\n"
				   "Begin Limit\nUSERS=bob\nHOSTS=hA\nSLOTS=1\nEnd Limit\n"
				   "Begin Limit\nQUEUES=q\nSLOTS=3\nEnd Limit\n";
	const char *texts[LSF_KINDS] = {
		[LSF_HOSTS] = HOSTS2,
		[LSF_RESOURCES] = each,
		[LSF_QUEUES] =
			"Begin Queue\nQUEUE_NAME=q\nSLOT_POOL=p\nSLOT_SHARE=50\nQJOB_LIMIT=9\n"
			"End Queue\n",
	};
	struct pools *p = *state = pools_of(lsf_cluster(texts));

	assert_int_equal(p->pools[0].slots.size, 10);
	assert_int_equal(allotted(p, "q"), 9);
	pools_end(p);
	texts[LSF_RESOURCES] = both;
	p = *state = pools_of(lsf_cluster(texts));
	assert_int_equal(p->pools[0].slots.size, 7);
	assert_int_equal(allotted(p, "q"), 3);
}

/* The smallest of four kinds of limits; UJOB_LIMIT needs the jobs. */
static void test_limits(void **state)
{
	static const struct {
		const char *limits;
		uint32_t expected;
		enum pools_limit by;
	} cases[] = {
		{ "QJOB_LIMIT=5", 5, POOLS_LIMIT_QUEUE }, { "HJOB_LIMIT=2", 4, POOLS_LIMIT_HOST },
		{ "PJOB_LIMIT=0.4", 4, POOLS_LIMIT_PROCESSOR },	/* 1.2 on each host */
		{ "UJOB_LIMIT=4", 6, POOLS_LIMIT_USER },
		{ "QJOB_LIMIT=7\nHJOB_LIMIT=3\nUJOB_LIMIT=9", 6, POOLS_LIMIT_HOST },
		{ "QJOB_LIMIT=abc", 11, POOLS_LIMIT_NONE },
		{ "PJOB_LIMIT=0.4", U32_UNKNOWN, POOLS_LIMIT_NONE },	/* CPUs unknown */
	};
	static const char jobs[] =
		"{\"COMMAND\":\"bjobs\",\"JOBS\":4,\"RECORDS\":["
		"{\"JOBID\":\"1\",\"STAT\":\"RUN\",\"USER\":\"ann\",\"QUEUE\":\"q\","
		"\"SLOTS\":\"8\"},"
		"{\"JOBID\":\"2[3]\",\"STAT\":\"PEND\",\"USER\":\"bob\",\"QUEUE\":\"q\","
		"\"NREQ_SLOT\":\"2\",\"SUBMIT_TIME\":\"Nov 20 10:00\",\"START_TIME\":\"\"},"
		"{\"JOBID\":3,\"STAT\":\"DONE\",\"USER\":\"bob\",\"QUEUE\":\"q\",\"SLOTS\":\"50\"},"
		"{\"JOBID\":\"4\",\"STAT\":\"PEND\",\"USER\":\"ann\",\"QUEUE\":\"q\"}]}";

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char queues[500] = "", more[200];
		const char *texts[LSF_KINDS] = {
			[LSF_HOSTS] = HOSTS2, [LSF_BJOBS] = jobs,
			[LSF_LSHOSTS_W] = cases[i].expected == U32_UNKNOWN ?
				"HOST_NAME type model cpuf ncpus\nhA L M 1.0 3\nhB L M 1.0 -\n" :
				"HOST_NAME type model cpuf ncpus\nhA L M 1.0 3\nhB L M 1.0 3\n" };
		struct pools *p;

		snprintf(more, sizeof(more), "SLOT_POOL=p\nSLOT_SHARE=50\n%s", cases[i].limits);
		queue_text(queues, sizeof(queues), "q", 1, more);
		texts[LSF_QUEUES] = queues;
		p = pools_of(lsf_cluster(texts));
		is_cell(p, 0, "used", 8);
		is_cell(p, 0, "pending", 3);
		assert_int_equal(p->queues[0].limited_by, cases[i].by);
		assert_int_equal(allotted(p, "q"), cases[i].expected);
		pools_end(p);
	}
}

/* Of the slots that bhosts shows in use, the pool's own do not count as foreign. */
static void test_foreign_use_by_hosts(void **state)
{
	const char *texts[LSF_KINDS] = {
		[LSF_BHOSTS] =
			"{\"COMMAND\":\"bhosts\",\"HOSTS\":2,\"RECORDS\":["
			"{\"HOST_NAME\":\"a\",\"MAX\":\"8\",\"NJOBS\":\"7\"},"
			"{\"HOST_NAME\":\"b\",\"MAX\":\"8\",\"NJOBS\":\"3\",\"RUN\":\"2\"}]}",
		[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME=q\nSLOT_POOL=p\nSLOT_SHARE=50\nHOSTS=a b\n"
			       "MAX_SLOTS_IN_POOL=9\nEnd Queue\n",
		[LSF_BQUEUES] =
			"{\"RECORDS\":[{\"QUEUE_NAME\":\"q\",\"RUN\":\"6\",\"PEND\":\"99\"},"
			"{\"QUEUE_NAME\":\"other\",\"PRIO\":\"7\",\"RUN\":\"1\",\"PEND\":\"0\"}]}",
	};
	struct pools *p = *state = pools_of(lsf_cluster(texts));

	assert_int_equal(p->pools[0].slots.host_slots, 16);
	assert_int_equal(p->pools[0].slots.foreign, 4);
	assert_int_equal(p->pools[0].slots.size, 9);
	assert_int_equal(p->queue_count, 2);
}

/* The dispatcher log reverses the order: queues that used less come first. */
static void test_log_orders(void **state)
{
	const char *texts[LSF_KINDS] = {
		[LSF_PARAMS] = "Begin Parameters\nHIST_HOURS = 2\nEnd Parameters\n",
		[LSF_HOSTS] = "Begin Host\nHOST_NAME MXJ\nhA 11\nhB 10\nEnd Host\n",
		[LSF_LOG] = "# queue1 # queue2 # queue3\n1/1 0:0:0 15 5 1\n1/1 0:1:0 15 5 1\n",
		[LSF_QUEUES] = three_queues,
	};
	struct pools *p = *state = pools_of(lsf_cluster(texts));

	assert_true(p->hist_hours == 2);
	assert_int_equal(allotted(p, "queue3"), 5);
	assert_int_equal(allotted(p, "queue2"), 7);
	assert_int_equal(allotted(p, "queue1"), 9);
	is_cell(p, 0, "allocation_order", 3);
}

/* ---- explanations -------------------------------------------------------------------------- */

/* Like snprintf(): returns the whole length, however small the buffer. */
static void test_dispatch_text(void **state)
{
	static const char whole[] = "queue1 [p] -> queue2 [p] -> queue3 [p]";
	struct pools *p = *state = pools_of(site(HOSTS2, three_queues, NULL));
	char text[sizeof(whole)];

	assert_int_equal(pools_dispatch_text(p, NULL, 0), sizeof(whole) - 1);
	for (size_t size = 1; size <= sizeof(whole); size++) {
		assert_int_equal(pools_dispatch_text(p, text, size), sizeof(whole) - 1);
		assert_int_equal(strlen(text), size - 1);
		assert_memory_equal(text, whole, size - 1);
	}
}

static void test_explanations_add_up(void **state)
{
	char records[1000] = "";
	struct pools *p;

	record_text(records, sizeof(records), "queue1", 2, 1);
	record_text(records, sizeof(records), "queue2", 0, 50);
	record_text(records, sizeof(records), "queue3", 1, 50);
	p = *state = pools_of(site(HOSTS2, three_queues, records));
	for (uint32_t q = 0; q < p->queue_count; q++) {
		double sum = 0, total = -1;
		struct explain e;

		explain_init(&e);
		pools_explain_queue(p, q, &e);
		for (size_t i = 0; i < e.count; i++) {
			if (strncmp(e.steps[i].name, "round ", 6) == 0)
				sum += e.steps[i].value;
			if (strcmp(e.steps[i].name, "allotted") == 0)
				total = e.steps[i].value;
		}
		assert_true(sum == total && total == pools_slots(p, q)->allotted);
		explain_free(&e);
	}
	is_cell(p, 0, "borrowed", -3);
	assert_true(p->queues[1].borrowed > 0);
	assert_int_equal(pools_find(p, false, "queue9", NULL), ROW_NONE);
}

/* ---- pools files --------------------------------------------------------------------------- */

static void test_pools_file(void **state)
{
	static const char text[] =
		"# two partitions in a pool\nset hist-hours 3\npool main max-slots=20 strict=yes\n"
		"queue \"batch\" pool=main share=70 priority=10 limit=9\n"
		"queue gpu pool=main share=30\n"
		"queue debug priority=99\n";
	struct pools_config config;
	struct builder *b = builder_new();
	struct err err = { 0 };
	static const char *const names[] = { "batch", "gpu", "debug", "rest" };
	struct cluster *c;
	struct pools *p;

	(void)state;
	assert_true(pools_file_parse("f", text, strlen(text), &config, &err));
	assert_int_equal(config.queue_count, 3);
	assert_int_equal(config.queues[1].line, 5);
	for (int i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_PARTITION);

		builder_str(b, F_PARTITION_NAME, row, names[i]);
		builder_u32(b, F_PARTITION_CPUS, row, 64);
		builder_u32(b, F_PARTITION_NODES, row, 2);
	}
	c = builder_seal(b, &err);
	p = pools_new(c, &config, false, NULL, &err);
	assert_non_null(p);
	assert_int_equal(p->pools[0].slots.size, 20);
	assert_int_equal(p->queue_count, 4);
	assert_int_equal(p->queues[0].limit, 9);
	assert_int_equal(p->dispatch[0], 2);
	pools_free(p);
	snprintf(config.queues[1].name, sizeof(config.queues[1].name), "gpus");
	assert_null(pools_new(c, &config, false, NULL, &err));
	assert_string_equal(err.message, "f:5: gpus: no such partition (did you mean gpu?)");
	pools_config_free(&config);
	cluster_free(c);
}

static void test_bad_pools_files(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "pools x\n", "f:1: pools: no such command" },
		{ "\npool\n", "f:2: pool: expected" },
		{ "pool a\npool a\n", "f:2: pool a: already defined" },
		{ "pool a max-slots=x\n", "f:1: max-slots=x: expected a whole number" },
		{ "pool a strict=maybe\n", "f:1: strict=maybe: expected yes or no" },
		{ "queue q pool=a share=1\n", "f:1: pool=a: no such pool" },
		{ "pool a\nqueue q pool=a\n", "f:2: queue q: pool without share" },
		{ "pool a\nqueue q share=3\n", "f:2: queue q: share without pool" },
		{ "pool a\nqueue q pool=a share=0\n", "f:2: share=0: expected" },
		{ "pool a\nqueue q pool=a share=101\n", "f:2: share=101: expected" },
		{ "queue q\nqueue q\n", "f:2: queue q: already defined in line 1" },
		{ "set hist-hours -1\n", "f:1: hist-hours -1: expected" },
		{ "set colour red\n", "f:1: set colour: expected" },
		{ "pool 'a\n", "f:1: a ' is not closed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pools_config config;
		struct err err = { 0 };

		if (pools_file_parse("f", bad[i].text, strlen(bad[i].text), &config, &err))
			fail_msg("taken: %s", bad[i].text);
		if (strncmp(err.message, bad[i].message, strlen(bad[i].message)) != 0)
			fail_msg("%s: %s", bad[i].text, err.message);
		pools_config_free(&config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_first_example, pools_close),
		cmocka_unit_test(test_second_example),
		cmocka_unit_test_teardown(test_third_example, pools_close),
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test_teardown(test_resources, pools_close),
		cmocka_unit_test(test_limits),
		cmocka_unit_test_teardown(test_foreign_use_by_hosts, pools_close),
		cmocka_unit_test_teardown(test_log_orders, pools_close),
		cmocka_unit_test_teardown(test_dispatch_text, pools_close),
		cmocka_unit_test_teardown(test_explanations_add_up, pools_close),
		cmocka_unit_test(test_pools_file),
		cmocka_unit_test(test_bad_pools_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
