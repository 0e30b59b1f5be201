/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap of those who answer once: memory that is fetched ahead lies where the next blocks come
 * to lie, and nothing in use changes by it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/heap.h"

#define MIB ((size_t)1 << 20)
#define WARM (8 * MIB)
#define PAGE_LEAST 4096

static const atomic_bool never;

/* Pages of a block, which nobody touched yet, that the kernel has given already. */
static size_t pages_there(const unsigned char *block, size_t bytes)
{
	static unsigned char state[4 * WARM / PAGE_LEAST];	/* a block would lie in the way */
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *first = (unsigned char *)(((uintptr_t)block + page - 1) / page * page);
	size_t count = (bytes - page) / page, there = 0;

	assert_true(count <= sizeof(state));
	assert_int_equal(mincore(first, count * page, state), 0);
	for (size_t i = 0; i < count; i++)
		there += state[i] & 1;
	return there;
}

static size_t pages(size_t bytes)
{
	return bytes / (size_t)sysconf(_SC_PAGESIZE);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* A kernel before 5.14 does not know the wish; a sanitizer has a heap of its own. */
static bool can_warm(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool known = at != MAP_FAILED && madvise(at, page, 23 /* MADV_POPULATE_WRITE */) == 0;

	munmap(at, page);
	return known && !SANITIZED;
}

static void test_next_block_is_there(void **state)
{
	unsigned char *block;
	size_t there;

	(void)state;
	if (!can_warm())
		skip();
	block = malloc(WARM / 2);
	there = pages_there(block, WARM / 2);
	free(block);
	assert_true(there < pages(WARM / 2) / 4);
	heap_warm(WARM, &never);
	block = malloc(WARM / 2);
	there = pages_there(block, WARM / 2);
	free(block);
	assert_true(there > pages(WARM / 2) / 2);
}

static void test_stops_when_it_is_enough(void **state)
{
	static const atomic_bool enough = true;
	unsigned char *block;

	(void)state;
	if (!can_warm())
		skip();
	heap_warm(4 * WARM, &enough);
	block = malloc(4 * WARM);
	assert_true(pages_there(block + 2 * WARM, 2 * WARM) < pages(2 * WARM) / 4);
	free(block);
}

static void test_changes_nothing(void **state)
{
	enum { BLOCKS = 64, SIZE = 100000 };
	unsigned char *blocks[BLOCKS];

	(void)state;
	for (int i = 0; i < BLOCKS; i++) {
		blocks[i] = malloc(SIZE);
		assert_non_null(blocks[i]);
		memset(blocks[i], i + 1, SIZE);
	}
	for (int i = 0; i < BLOCKS; i += 2)	/* so that there are gaps */
		free(blocks[i]);
	heap_warm(0, &never);
	heap_warm(1, &never);
	heap_warm(SIZE, &never);
	heap_warm(WARM, &never);
	for (int i = 1; i < BLOCKS; i += 2) {
		for (int k = 0; k < SIZE; k++)
			assert_int_equal(blocks[i][k], i + 1);
		free(blocks[i]);
	}
}

static int prepare(void **state)
{
	(void)state;
	/* Where huge pages come unasked, the head of a block brings two megabytes of it along. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	heap_prepare(16 * MIB, 64 * MIB);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next_block_is_there),
		cmocka_unit_test(test_stops_when_it_is_enough),
		cmocka_unit_test(test_changes_nothing),
	};

	return cmocka_run_group_tests(tests, prepare, NULL);
}
