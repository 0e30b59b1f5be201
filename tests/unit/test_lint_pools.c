/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every check of the pools' lint: a clean configuration, and one that breaks each rule, with code,
 * object and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/lint/lint_pools.h"
#include "tests/support/lsf.h"

#define HOST2 "Begin Host\nHOST_NAME MXJ\nhA 6\nhB 6\nEnd Host\n"
#define QUEUE(name, more) "Begin Queue\nQUEUE_NAME=" name "\n" more "End Queue\n"
#define IN(pool, share) "SLOT_POOL=" pool "\nSLOT_SHARE=" share "\nHOSTS=hA hB\n"

/* Expects CODE once, for OBJECT in LINE, with PART in its message; "": expects no finding. */
static void check(const char *hosts, const char *queues, const char *code, const char *object,
		  uint32_t line, const char *part)
{
	const char *texts[LSF_KINDS] = { [LSF_HOSTS] = hosts, [LSF_QUEUES] = queues };
	struct cluster *c = lsf_cluster(texts);
	struct lint l;
	unsigned found = 0;

	lint_init(&l);
	lint_pools(c, &l);
	for (size_t i = 0; i < l.count; i++) {
		const struct lint_item *item = &l.items[i];

		assert_true(item->source[0] && item->suggestion[0] && item->message[0]);
		/* 1 is the lowest PRIORITY. */
		assert_null(strstr(item->suggestion, "PRIORITY below 1,"));
		assert_int_equal(item->severity, item->code[0] == 'E' ? LINT_ERROR : LINT_WARNING);
		if (!code[0])
			fail_msg("%s %s: %s", item->code, item->object, item->message);
		if (strcmp(item->code, code) != 0)
			continue;
		found++;
		assert_string_equal(item->object, object);
		assert_string_equal(item->file, "lsb.queues");
		assert_int_equal(item->line, line);
		if (!strstr(item->message, part))
			fail_msg("%s: %s", item->code, item->message);
	}
	if (code[0])
		assert_int_equal(found, 1);
	lint_free(&l);
	cluster_free(c);
}

static void test_clean(void **state)
{
	(void)state;
	check(HOST2,
	      QUEUE("a", "PRIORITY=9\n" IN("p", "60")) QUEUE("b", "PRIORITY=9\n" IN("p", "40"))
		      QUEUE("out", "PRIORITY=3\nHOSTS=hA\n")
			      QUEUE("away", "PRIORITY=99\nHOSTS=hC\n"),
	      "", "", 0, "");
	check(HOST2, "", "", "", 0, "");
}

static void test_parameters(void **state)
{
	static const char *const shares[] = { "0", "101", "-5", "50%", "12.5", "half" };
	static const char *const pools[] = {
		"bad name", "p:1",
		"a123456789b123456789c123456789d123456789e123456789f1234567890",
	};
	char queues[600];

	(void)state;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		snprintf(queues, sizeof(queues), "Begin Queue\nQUEUE_NAME=a\nSLOT_POOL=p\n"
			 "SLOT_SHARE=%s\nHOSTS=hA hB\nEnd Queue\n", shares[i]);
		check(HOST2, queues, "E1", "queue:a", 4, "is not an integer from 1 to 100");
	}
	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
		snprintf(queues, sizeof(queues), "Begin Queue\nQUEUE_NAME=a\nSLOT_POOL=%s\n"
			 "SLOT_SHARE=100\nHOSTS=hA hB\nEnd Queue\n", pools[i]);
		check(HOST2, queues, "E2", "queue:a", 3,
		      i < 2 ? "characters other" : "longer than 60");
	}
	check(HOST2, QUEUE("a", "SLOT_POOL=p\n"), "E3", "queue:a", 3,
	      "SLOT_POOL without SLOT_SHARE");
	check(HOST2, QUEUE("a", "SLOT_POOL=r\nPRIORITY=3\n" IN("p", "100")), "E8", "queue:a", 5,
	      "SLOT_POOL is already set in line 3");
	check(HOST2, QUEUE("a", IN("p", "100") "slot_share=100\n"), "E8", "queue:a", 6,
	      "SLOT_SHARE is already set in line 4");
	check(HOST2, QUEUE("a", "SLOT_SHARE=3\n"), "E3", "queue:a", 3,
	      "SLOT_SHARE without SLOT_POOL");
}

static void test_hosts(void **state)
{
	(void)state;
	check(HOST2, QUEUE("a", IN("p", "50")) QUEUE("b", "SLOT_POOL=p\nSLOT_SHARE=50\nHOSTS=hA\n"),
	      "E4", "queue:b", 11, "queue a");
	/* Another spelling of the same set. */
	check(HOST2,
	      QUEUE("a", IN("p", "50")) QUEUE("b", "SLOT_POOL=p\nSLOT_SHARE=50\nHOSTS=all\n"), "",
	      "", 0, "");
	check("Begin Host\nHOST_NAME MXJ\nhA 6\nhB ()\nEnd Host\n", QUEUE("a", IN("p", "100")),
	      "E5", "pool:p", 5, "1 of its hosts has no slot limit: hB");
	check("Begin Host\nHOST_NAME MXJ\nhA 6\nhB !\nEnd Host\n", QUEUE("a", IN("p", "100")),
	      "", "", 0, "");
	check(HOST2 "Begin HostPartition\nHPART_NAME=hp\nHOSTS=hB\nEnd HostPartition\n",
	      QUEUE("a", IN("p", "100")), "W5", "pool:p", 5, "hB");
}

static void test_policies(void **state)
{
	(void)state;
	check(HOST2, QUEUE("a", IN("p", "100") "PREEMPTION=PREEMPTIVE[x]\n"), "E6", "queue:a", 6,
	      "neither preempt");
	check(HOST2,
	      QUEUE("a", IN("p", "100"))
		      QUEUE("x", "PRIORITY=0\nPREEMPTION=PREEMPTIVE[aa a+2 b]\nHOSTS=hC\n"),
	      "E6", "queue:a", 10, "queue x names it");
	check(HOST2, QUEUE("a", IN("p", "100"))
	      QUEUE("x", "PRIORITY=0\nPREEMPTION=PREEMPTIVE[aa]\nHOSTS=hC\n"), "", "", 0, "");
	check(HOST2, QUEUE("a", IN("p", "100")) QUEUE("m", "FAIRSHARE_QUEUES=b a\nHOSTS=hC\n"),
	      "E7", "queue:a", 9, "a member of");
	check(HOST2, QUEUE("a", IN("p", "100") "FAIRSHARE_QUEUES=x\n"), "E7", "queue:a", 6,
	      "the master of");
	check(HOST2, QUEUE("a", IN("p", "100") "SLOT_RESERVE=MAX_RESERVE_TIME[5]\n"), "W1",
	      "queue:a", 6, "SLOT_RESERVE");
	check(HOST2, QUEUE("a", "BACKFILL=Y\nSLOT_RESERVE=MAX_RESERVE_TIME[5]\n"), "W2", "queue:a",
	      3, "cannot backfill");
	check(HOST2, QUEUE("a", "BACKFILL=N\nSLOT_RESERVE=MAX_RESERVE_TIME[5]\n"), "", "", 0, "");
}

static void test_pool(void **state)
{
	char queues[4000] = "";

	(void)state;
	check(HOST2, QUEUE("a", IN("p", "60")) QUEUE("b", IN("p", "60")), "W3", "pool:p", 4,
	      "120, more");
	check(HOST2, QUEUE("a", IN("p", "30")) QUEUE("b", IN("p", "60")), "W3", "pool:p", 4,
	      "90, less");
	check(HOST2, QUEUE("a", IN("p", "50"))
	      QUEUE("b", IN("p", "50") "MAX_SLOTS_IN_POOL=3\n"), "W4", "queue:b", 12,
	      "first queue");
	check(HOST2, QUEUE("a", "USE_PRIORITY_IN_POOL=Y\n"), "W4", "queue:a", 3, "no effect in");
	check(HOST2, QUEUE("a", IN("p", "100") "MAX_SLOTS_IN_POOL=13\n"), "W7", "pool:p", 6,
	      "no effect: the hosts have 12");
	check(HOST2, QUEUE("a", IN("p", "100") "MAX_SLOTS_IN_POOL=12\n"), "", "", 0, "");
	check(HOST2, QUEUE("a", IN("p", "100"))
	      QUEUE("b", "SLOT_POOL=q\nSLOT_SHARE=100\nHOSTS=hB\n"), "W8", "pool:q", 9, "pool p");
	check(HOST2, QUEUE("a", "PRIORITY=5\n" IN("p", "100")) QUEUE("o", "PRIORITY=5\nHOSTS=hB\n"),
	      "W6", "queue:o", 10, "any pool queue");
	check(HOST2, QUEUE("a", "PRIORITY=1\n" IN("p", "100")) QUEUE("o", "PRIORITY=5\nHOSTS=hB\n"),
	      "W6", "queue:o", 10, "any pool queue");
	/* Ten queues of ten percent: seven of them use up 21 slots. */
	for (int i = 0; i < 8; i++) {
		size_t used = strlen(queues);

		snprintf(queues + used, sizeof(queues) - used, "Begin Queue\nQUEUE_NAME=q%d\n"
			 "PRIORITY=%d\nSLOT_POOL=p\nSLOT_SHARE=10\nEnd Queue\n", i, 50 - i);
	}
	check("Begin Host\nHOST_NAME MXJ\nhA 21\nEnd Host\n", queues, "W9", "queue:q7", 47,
	      "round up to 3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
