/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Metrics: the output is Prometheus' text format, read back here by a small parser; hostile names
 * survive unchanged; jobs are counted as shown; unknown values are left out; and the names follow
 * OpenMetrics' rules.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/metrics.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/queue/forecast.h"
#include "tests/support/assoc.h"
#include "tests/support/data.h"
#include "tests/support/hostile.h"
#include "tests/support/sketch.h"

/* ---- a parser of the format ----------------------------------------------------------------- */

#define LABELS 8

struct sample {
	char *name, *labels[LABELS], *values[LABELS];
	size_t count;
	double x;
};

struct parsed {
	struct sample samples[20000];
	size_t count;
};

static char *take(const char *from, size_t length)
{
	char *copy = mem_zalloc(length + 1, 1);

	memcpy(copy, from, length);
	return copy;
}

static size_t name_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyz_");
}

/* Returns a label's value, from its first quote; moves S past its last. */
static char *take_value(const char **s)
{
	char *out = mem_zalloc(strlen(*s) + 1, 1);
	const char *at = *s;
	size_t n = 0;

	assert_int_equal(*at++, '"');
	for (; *at != '"'; at++) {
		assert_true(*at && *at != '\n');
		if (*at == '\\') {
			at++;
			assert_non_null(strchr("\\\"n", *at));
			out[n++] = '\n';
			if (*at != 'n')
				out[n - 1] = *at;
		} else {
			out[n++] = *at;
		}
	}
	*s = at + 1;
	return out;
}

static const char *take_sample(const char *s, struct sample *out)
{
	size_t length = name_length(s);
	char *end;

	out->name = take(s, length);
	s += length;
	for (char before = '{'; *s == before; before = ',') {
		assert_in_range(out->count, 0, LABELS - 1);
		length = name_length(++s);
		assert_int_not_equal(length, 0);
		out->labels[out->count] = take(s, length);
		s += length;
		assert_int_equal(*s++, '=');
		out->values[out->count++] = take_value(&s);
	}
	if (out->count > 0)
		assert_int_equal(*s++, '}');
	assert_int_equal(*s++, ' ');
	out->x = strtod(s, &end);
	assert_true(end > s && *end == '\n');
	return end + 1;
}

static bool same_series(const struct sample *a, const struct sample *b)
{
	bool same = a->count == b->count && strcmp(a->name, b->name) == 0;

	for (size_t i = 0; same && i < a->count; i++)
		same = strcmp(a->labels[i], b->labels[i]) == 0 &&
		       strcmp(a->values[i], b->values[i]) == 0;
	return same;
}

static bool ends_in(const char *s, const char *end)
{
	return strlen(s) > strlen(end) && strcmp(s + strlen(s) - strlen(end), end) == 0;
}

/* Checks that HELP and TYPE precede each metric, once, and its samples follow without repeats. */
static struct parsed *parse(const char *s)
{
	struct parsed *p = mem_zalloc(1, sizeof(*p));
	char *name = NULL, expected[200];
	bool histogram = false;

	while (*s) {
		if (*s == '#') {
			assert_memory_equal(s, "# HELP ", 7);
			mem_free(name);
			name = take(s + 7, name_length(s + 7));
			for (size_t i = 0; i < p->count; i++)
				assert_string_not_equal(p->samples[i].name, name);
			s = strchr(s, '\n') + 1;
			histogram = ends_in(name, "_wait_seconds") &&
				    !strstr(name, "_oldest_");
			snprintf(expected, sizeof(expected), "# TYPE %s %s\n", name,
				 histogram ? "histogram" : "gauge");
			assert_memory_equal(s, expected, strlen(expected));
			s += strlen(expected);
			assert_int_not_equal(*s, '#');
		}
		assert_in_range(p->count, 0, 19999);
		s = take_sample(s, &p->samples[p->count]);
		if (histogram)
			assert_memory_equal(p->samples[p->count].name, name, strlen(name));
		else
			assert_string_equal(p->samples[p->count].name, name);
		for (size_t i = 0; i < p->count; i++)
			assert_false(same_series(&p->samples[i], &p->samples[p->count]));
		p->count++;
	}
	mem_free(name);
	return p;
}

static void parsed_free(struct parsed *p)
{
	for (size_t i = 0; i < p->count; i++) {
		mem_free(p->samples[i].name);
		for (size_t k = 0; k < p->samples[i].count; k++) {
			mem_free(p->samples[i].labels[k]);
			mem_free(p->samples[i].values[k]);
		}
	}
	mem_free(p);
}

static const char *label_of(const struct sample *s, const char *label)
{
	for (size_t i = 0; i < s->count; i++) {
		if (strcmp(s->labels[i], label) == 0)
			return s->values[i];
	}
	return NULL;
}

/* Returns NAME's value where LABEL is VALUE, with REASON unless NULL; NaN if there is none. */
static double value_of(const struct parsed *p, const char *name, const char *label,
		       const char *value, const char *reason)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct sample *s = &p->samples[i];
		const char *have = label_of(s, label), *why = label_of(s, "reason");

		if (strcmp(s->name, name) == 0 && have && strcmp(have, value) == 0 &&
		    (!reason || (why && strcmp(why, reason) == 0)))
			return s->x;
	}
	return F64_UNKNOWN;
}

static size_t count_of(const struct parsed *p, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		n += strcmp(p->samples[i].name, name) == 0;
	return n;
}

/* Returns the parsed metrics of C. */
static struct parsed *written(const struct cluster *c)
{
	struct err err = { .code = ERR_NONE };
	struct model *m = model_new(c, NULL, &err);
	uint32_t n = cluster_rows(c, TABLE_ASSOC), *rows = mem_zalloc(n + 1, sizeof(*rows));
	struct metrics metrics = { .source = "orion.snapshot", .health = "good", .model = m,
				   .rows = rows, .row_count = n, .seconds = 0.25,
				   .cpu_seconds = F64_UNKNOWN };
	struct bytes text = { 0 };
	struct parsed *p;
	uint64_t series;

	assert_non_null(m);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = i;
	series = metrics_write(&metrics, 1, &text);
	p = parse(text.data);
	assert_int_equal(series, p->count);
	assert_string_equal(p->samples[p->count - 1].name, "fairtop_answer_series");
	assert_true(p->samples[p->count - 1].x == (double)series);
	bytes_free(&text);
	mem_free(rows);
	model_free(m);
	return p;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static bool is_utf8(const char *s)
{
	uint32_t code = 0;

	for (size_t left = strlen(s), n; left > 0 && code != UINT32_MAX; s += n, left -= n)
		n = utf8_decode(s, left, &code);
	return code != UINT32_MAX;
}

static void test_strangers(void **state)
{
	static const char *const more[] = { "quo\"te", "back\\slash", "\\n", "new\nline", "\n",
					    "\"} 1\nfairtop_x 2", "a=b,c={d}", "m\xc3\xbcnchen" };
	size_t ours = sizeof(more) / sizeof(more[0]), n = hostile_count() + ours;
	size_t broken = 0, count = 0;
	struct builder *b = builder_new();
	struct cluster *c;
	struct parsed *p;

	(void)state;
	/* One hostile name is "root". */
	assoc_add(b, 1, 0, "top", NULL, 1, 1);
	for (size_t i = 0; i < n; i++) {
		char *name = i < ours ? take(more[i], strlen(more[i])) : hostile_name(i - ours);

		if (name[0])
			assoc_add(b, (uint32_t)i + 2, 1, name, NULL, 1, 1);
		count += name[0] != '\0';
		mem_free(name);
	}
	c = builder_seal(b, NULL);
	assert_non_null(c);
	p = written(c);
	assert_int_equal(count_of(p, "fairtop_account_shares"), count + 1);
	for (size_t i = 0; i < n; i++) {
		char *name = i < ours ? take(more[i], strlen(more[i])) : hostile_name(i - ours);
		double found = value_of(p, "fairtop_account_shares", "account", name, NULL);

		assert_true(is_utf8(name) && name[0] ? found == 1 : isnan(found));
		broken += !is_utf8(name);
		mem_free(name);
	}
	assert_true(broken > 0);
	assert_true(value_of(p, "fairtop_account_shares", "account", "%FF%FE", NULL) == 1);
	for (size_t i = 0; i < p->count; i++) {
		for (size_t k = 0; k < p->samples[i].count; k++)
			assert_true(is_utf8(p->samples[i].values[k]));
	}
	parsed_free(p);
	cluster_free(c);
}

/*
 * physics has 1 running job of 4 CPUs, 1 pending for 500 s, one held for long, and an array of 3
 * tasks pending in two partitions for 100 s; one job of math has unknown CPUs.
 */
static const char queue[] =
	"physics 40\n"
	"\t+alice 1 5000\n"
	"math 20\n"
	"\t+bob 1 -\n"
	"*partition name=day\n*partition name=night\n*qos name=normal\n"
	"*job id=1 user=alice account=physics state=RUNNING cpus=4 partition=day qos=normal\n"
	"*job id=2 user=alice account=physics state=PENDING cpus=8 partition=day qos=normal "
	"reason=Priority eligible=1794181900 submit=1794180000 priority=10\n"
	"*job id=3 user=alice account=physics state=PENDING cpus=1 partition=day qos=normal "
	"reason=JobHeldAdmin submit=1794100000 priority=0\n"
	"*job id=4 user=alice account=physics state=PENDING cpus=2 partition=day,night qos=normal "
	"reason=Resources submit=1794182300 tasks=0-2 priority=10\n"
	"*job id=5 user=alice account=physics state=COMPLETED cpus=64 partition=day qos=normal\n"
	"*job id=6 user=bob account=math state=PENDING partition=night qos=normal "
	"reason=Priority submit=1794182390 priority=10\n";

static void test_queue(void **state)
{
	struct cluster *c = sketch_cluster(queue, FS_DEPTH_OBLIVIOUS);
	struct parsed *p = written(c);
#define OF(name, path) value_of(p, "fairtop_" name, "path", path, NULL)
#define IN(place, name, reason) value_of(p, "fairtop_" place "_pending_jobs", place, name, reason)

	(void)state;
	assert_true(OF("account_running_jobs", "/physics") == 1);
	assert_true(OF("user_running_cpus", "/physics:alice") == 4);
	assert_true(OF("account_pending_jobs", "/physics") == 5);
	assert_true(OF("account_pending_cpus", "/physics") == 8 + 1 + 3 * 2);
	assert_true(OF("account_pending_jobs", "/") == 6);
	assert_true(OF("account_running_jobs", "/math") == 0);
	assert_true(OF("account_oldest_wait_seconds", "/physics") == 500);
	assert_true(OF("user_oldest_wait_seconds", "/math:bob") == 10);
	assert_true(isnan(OF("account_pending_cpus", "/math")));
	assert_true(isnan(OF("account_pending_cpus", "/")));
	assert_true(IN("partition", "day", "Priority") == 1);
	assert_true(IN("partition", "day", "JobHeldAdmin") == 1);
	assert_true(IN("partition", "day", "Resources") == 3);
	assert_true(IN("partition", "night", "Resources") == 3);
	assert_true(IN("partition", "night", "Priority") == 1);
	assert_true(IN("qos", "normal", "Resources") == 3);
	assert_true(IN("qos", "normal", "Priority") == 2);
	assert_int_equal(count_of(p, "fairtop_partition_pending_jobs"), 5);
	/* Usage of bob is unknown, and so are values derived from it; none of them is 0. */
	assert_true(OF("user_usage_tres_seconds", "/physics:alice") == 5000);
	assert_true(isnan(OF("user_usage_tres_seconds", "/math:bob")));
	assert_true(isnan(OF("account_norm_usage", "/math")));
	assert_true(OF("account_shares", "/math") == 20);
	assert_int_equal(count_of(p, "fairtop_answer_cpu_seconds"), 0);
	assert_int_equal(count_of(p, "fairtop_verify_differs"), 0);
	assert_int_equal(count_of(p, "fairtop_lint_problems"), 0);
	parsed_free(p);
	cluster_free(c);
}

/* Without jobs there is no count of them; infinite values for usage without shares; limits. */
static void test_edges(void **state)
{
	struct cluster *c = sketch_cluster("a 0\n\t+x 1 100\nb 9\n\t+y parent 50\n"
					   "*assoc grp_jobs=4 used.jobs=3\n", FS_DEPTH_OBLIVIOUS);
	struct parsed *p = written(c);

	(void)state;
	assert_int_equal(count_of(p, "fairtop_account_pending_jobs"), 0);
	assert_int_equal(count_of(p, "fairtop_account_oldest_wait_seconds"), 0);
	assert_int_equal(count_of(p, "fairtop_partition_pending_jobs"), 0);
	assert_true(OF("account_shares", "/a") == 0);
	assert_true(OF("account_effective_ratio", "/a") == (double)INFINITY);
	assert_true(isnan(OF("user_shares", "/b:y")));
	assert_int_equal(count_of(p, "fairtop_user_limit_used_ratio"), 1);
	assert_true(value_of(p, "fairtop_user_limit_used_ratio", "limit", "GrpJobs", NULL) == 0.75);
	parsed_free(p);
	cluster_free(c);
}

static void test_no_answer(void **state)
{
	struct metrics m = { .source = "slurm", .seconds = 30, .cpu_seconds = 0.5 };
	struct bytes text = { 0 };
	uint64_t series = metrics_write(&m, 1, &text);
	struct parsed *p = parse(text.data);

	(void)state;
	assert_int_equal(series, 5);
	assert_int_equal(p->count, 5);
	assert_true(value_of(p, "fairtop_source_up", "source", "slurm", NULL) == 0);
	assert_null(label_of(&p->samples[0], "cluster"));
	assert_int_equal(count_of(p, "fairtop_answer_duration_seconds"), 1);
	parsed_free(p);
	bytes_free(&text);
}

/* Suffixes that OpenMetrics reserves for other types; characters not allowed in HELP. */
static void test_table(void **state)
{
	static const char *const kept[] = { "_total", "_count", "_sum", "_bucket", "_created" };

	(void)state;
	for (size_t i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		assert_int_equal(name_length(m->name), strlen(m->name));
		assert_true(metric_help(m)[0]);
		assert_null(strpbrk(metric_help(m), "\\\n"));
		for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			assert_false(ends_in(m->name, kept[k]));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(metric_table[k].name, m->name);
	}
}

/*
 * Four pictures: one job runs from the start; one starts after 200 s pending, and another, of an
 * array, after 5000 s; one is cancelled; one was never seen pending; in the last picture the first
 * starts again.
 */
static void test_waits(void **state)
{
#define JOB(id, state) "*job partition=day id=" id " state=" state
#define FIRST "start=1794182000 eligible=1794181000 qos=q\n"
#define SECOND "eligible=1794182300 qos=q start="
	static const char *const pictures[] = {
		JOB("1", "RUNNING ") FIRST JOB("2", "PENDING ") SECOND "1794182900\n",
		"~300\n" JOB("1", "RUNNING ") FIRST JOB("2", "RUNNING ") SECOND "1794182500\n"
		JOB("3", "CANCELLED ") "qos=q start=1794182600 submit=1794182000\n"
		JOB("4", "COMPLETED ") "task=7 start=1794182600 submit=1794177600\n",
		"~600\n" JOB("1", "PENDING ") "qos=q\n" JOB("2", "RUNNING ") SECOND "1794182500\n",
		"~900\n" JOB("1", "RUNNING ") "qos=q start=1794183200 eligible=1794183140\n",
	};
	static const uint64_t day[WAITS_BOUNDS] = { 1, 1, 0, 0, 1 };
	struct waits *w = waits_new();
	struct metrics m = { .source = "s", .waits = w };
	const struct wait_counts *counts;
	struct bytes text = { 0 };
	struct err err = { .code = ERR_NONE };
	struct parsed *p;
	size_t count;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		char sketch[2000];
		struct cluster *c;

		snprintf(sketch, sizeof(sketch), "a 1\n*partition name=day\n*partition name=night\n"
			 "*qos name=q\n%s", pictures[i]);
		c = sketch_cluster(sketch, FS_DEPTH_OBLIVIOUS);
		waits_see(w, c);
		counts = waits_counts(w, &count);
		assert_int_equal(count, 3);
		assert_true(i > 0 || counts[0].sum == 0);
		if (i == 3) {
			m.model = model_new(c, NULL, &err);
			(void)metrics_write(&m, 1, &text);
			model_free((struct model *)(uintptr_t)m.model);
		}
		cluster_free(c);
	}
	assert_string_equal(counts[0].name, "day");
	assert_memory_equal(counts[0].counts, day, sizeof(day));
	assert_true(counts[0].sum == 60 + 200 + 5000);
	assert_true(counts[1].sum == 0 && !counts[1].qos);
	assert_true(counts[2].qos && counts[2].sum == 260);
	p = parse(text.data);
#define LE(le) value_of(p, "fairtop_partition_wait_seconds_bucket", "le", le, NULL)
	assert_true(LE("60") == 1 && LE("300") == 2 && LE("3600") == 2 && LE("14400") == 3);
	assert_true(LE("+Inf") == 3);
	assert_true(value_of(p, "fairtop_partition_wait_seconds_count", "partition", "day", NULL) ==
		    3);
	assert_true(value_of(p, "fairtop_qos_wait_seconds_sum", "qos", "q", NULL) == 260);
	parsed_free(p);
	bytes_free(&text);
	waits_free(w);
}

static struct cluster *demo(void)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct cluster *c = NULL;
	struct source *source;
	char path[4096];

	source = source_open(data_path("demo.snapshot", path, sizeof(path)), &err);
	assert_non_null(source);
	assert_int_equal(source_fetch(source, &request, &c, &err), FETCH_NEW);
	source_close(source);
	return c;
}

/* forecast() has F pass 0.5 at the same time, to within a pass or 1 %. */
static void test_recovery(void **state)
{
	struct cluster *c = demo();
	struct forecast_question q = { .entry = ROW_NONE, .reach = 0.5 };
	struct err err = { .code = ERR_NONE };
	struct model *m = model_new(c, NULL, &err);
	double *seconds = forecast_recovery(m, NULL);
	uint32_t later = 0, never = 0;

	(void)state;
	assert_non_null(seconds);
	for (q.assoc = 1; q.assoc < cluster_rows(c, TABLE_ASSOC); q.assoc += 7) {
		double x = seconds[q.assoc];
		struct forecast f;

		if (!f64_known(x) || x == 0) {
			assert_true(!f64_known(x) || m->fs->effective_ratio[q.assoc] <= 1);
			continue;
		}
		assert_true(forecast(m, NULL, &q, &f, &err));
		never += isinf(x);
		later += !isinf(x);
		assert_true(isinf(x) == (f.reached == I64_UNKNOWN));
		if (!isinf(x))
			assert_true(fabs((double)(f.reached - cluster_meta(c)->time) - x) <
				    300 + x / 100);
		forecast_free(&f);
	}
	assert_true(later > 3);
	assert_true(never + later > 5);
	mem_free(seconds);
	model_free(m);
	cluster_free(c);
}

/* An account has the rank of its first user; without users it has none. */
static void test_rank(void **state)
{
	struct cluster *c = sketch_cluster("a 1\n\t+x 1 9\n\t+y 1 4\nb 1\n\t+z 1 1\nnone 1\n",
					   FS_FAIR_TREE);
	struct parsed *p = written(c);

	(void)state;
	assert_true(value_of(p, "fairtop_user_rank", "path", "/b:z", NULL) == 1);
	assert_true(value_of(p, "fairtop_user_rank", "path", "/a:y", NULL) == 2);
	assert_true(value_of(p, "fairtop_user_rank", "path", "/a:x", NULL) == 3);
	assert_true(value_of(p, "fairtop_account_rank", "path", "/", NULL) == 1);
	assert_true(value_of(p, "fairtop_account_rank", "path", "/b", NULL) == 1);
	assert_true(value_of(p, "fairtop_account_rank", "path", "/a", NULL) == 2);
	assert_true(isnan(value_of(p, "fairtop_account_rank", "path", "/none", NULL)));
	parsed_free(p);
	cluster_free(c);
}

/* Each metric appears once, whatever the number of sources, one of which does not answer. */
static void test_several(void **state)
{
	struct cluster *a = sketch_cluster("a 1\n\t+x 1 5\n", FS_DEPTH_OBLIVIOUS);
	struct cluster *b = demo();
	struct err err = { .code = ERR_NONE };
	struct model *ma = model_new(a, NULL, &err), *mb = model_new(b, NULL, &err);
	const uint32_t rows[] = { 0, 1 };
	struct metrics all[] = {
		{ .source = "one", .model = ma, .rows = rows, .row_count = 2, .seconds = 1 },
		{ .source = "two", .seconds = 2 },
		{ .source = "three", .model = mb, .rows = rows, .row_count = 2, .seconds = 3 },
	};
	struct bytes text = { 0 };
	uint64_t series = metrics_write(all, 3, &text);
	struct parsed *p = parse(text.data);

	(void)state;
	assert_int_equal(series, p->count);
	assert_int_equal(count_of(p, "fairtop_source_up"), 3);
	assert_int_equal(count_of(p, "fairtop_account_shares"), 4);
	assert_int_equal(count_of(p, "fairtop_build_info"), 3);
	assert_true(value_of(p, "fairtop_source_up", "source", "two", NULL) == 0);
	assert_true(value_of(p, "fairtop_answer_duration_seconds", "source", "three", NULL) == 3);
	assert_true(f64_known(value_of(p, "fairtop_account_shares", "cluster", "orion", NULL)));
	assert_true(f64_known(value_of(p, "fairtop_account_shares", "cluster", "demo", NULL)));
	for (size_t i = p->count - 3; i < p->count; i++)
		series -= (uint64_t)p->samples[i].x;
	assert_int_equal(series, 0);
	parsed_free(p);
	bytes_free(&text);
	model_free(ma);
	model_free(mb);
	cluster_free(a);
	cluster_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strangers), cmocka_unit_test(test_queue),
		cmocka_unit_test(test_edges), cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_table), cmocka_unit_test(test_waits),
		cmocka_unit_test(test_recovery), cmocka_unit_test(test_rank),
		cmocka_unit_test(test_several),
	};

	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
