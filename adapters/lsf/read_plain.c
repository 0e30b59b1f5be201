/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain outputs: tables under a header line (bhosts, bqueues, bugroup -w), parameters (bparams -l),
 * the version (lsid), queues with their shares (bqueues -r, or -l), and host partitions with theirs
 * (bhpart -r).
 *
 * Columns are found by the words of the header, so versions with more columns can be read; a row
 * with fewer words than the header is half a row and an error. Without -w names are cut where the
 * next column begins; two equal names are then an error.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/lsf/site.h"
#include "core/base/mem.h"

#define WORDS_MAX 32

struct plain_table {
	struct slice head[WORDS_MAX], row[WORDS_MAX];
	size_t columns;
};

static size_t plain_split(struct slice line, struct slice *words)
{
	size_t n = slice_cells(line, SLICE_BLANKS, words, WORDS_MAX);

	return n < WORDS_MAX ? n : WORDS_MAX;
}

static struct slice plain_cell(const struct plain_table *t, const char *name)
{
	size_t column = slice_column(t->head, t->columns, name);

	return column < t->columns ? t->row[column] : (struct slice){ "", 0 };
}

static uint32_t cell_u32(const struct plain_table *t, const char *name)
{
	uint32_t x;

	return slice_u32(plain_cell(t, name), &x) && x < U32_UNKNOWN ? x : U32_UNKNOWN;
}

static double cell_f64(const struct plain_table *t, const char *name)
{
	double x;

	return slice_f64(plain_cell(t, name), &x) ? x : F64_UNKNOWN;
}

static bool plain_fail(uint32_t line, const char *expected, struct slice found, struct err *err)
{
	return err_set_line(err, ERR_INPUT, line, "\"%.*s\": expected %s", SLICE_PRINT(found),
			    expected);
}

/* A factor is printed as "1.000000" when 1 was set; removes the zeros if it is a number. */
static struct slice plain_shortest(struct slice value)
{
	struct slice fraction = value, whole;
	uint32_t digits;

	if (!slice_piece(&fraction, '.', &whole) || !slice_u32(whole, &digits) ||
	    !slice_u32(fraction, &digits))
		return value;
	while (value.at[value.length - 1] == '0')
		value.length--;
	value.length -= value.at[value.length - 1] == '.';
	return value;
}

/* The next non-blank line. */
static bool plain_next_line(struct slice *rest, struct slice *line, uint32_t *number)
{
	while (slice_line(rest, line)) {
		++*number;
		if (slice_trim(*line).length > 0)
			return true;
	}
	return false;
}

static bool plain_is_header(const struct plain_table *t, const char *first, const char *second)
{
	return t->columns > 2 && slice_is(t->head[0], first) && slice_is(t->head[1], second);
}

/*
 * Reads a table whose first columns are FIRST and SECOND; calls TAKE for each row. The header may
 * occur again in joined outputs.
 */
static bool plain_read_table(struct lsf_site *s, const char *first, const char *second,
			     const char *command,
			     bool (*take)(struct lsf_site *s, const struct plain_table *t,
					  uint32_t number, struct err *err), struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line = rest;
	struct plain_table t = { .columns = 0 };
	char expected[80];
	uint32_t number = 0;

	snprintf(expected, sizeof(expected), "the header %s %s ... of %s", first, second, command);
	while (plain_next_line(&rest, &line, &number)) {
		bool again = slice_starts(line, first);

		if (t.columns == 0 || again) {
			t.columns = plain_split(line, t.head);
			if (!plain_is_header(&t, first, second))
				return plain_fail(number, expected, line, err);
			continue;
		}
		if (plain_split(line, t.row) < t.columns)
			return plain_fail(number, "a value for each column of the header", line,
					  err);
		if (!take(s, &t, number, err))
			return false;
	}
	return t.columns > 0 || plain_fail(1, expected, line, err);
}

/* Error for two rows with a name that reaches the next column: it may be cut. */
static bool check_cut(const struct plain_table *t, bool again,
		      uint32_t number, struct err *err)
{
	return !again || t->row[0].length + 1 < (size_t)(t->head[1].at - t->head[0].at) ||
	       plain_fail(number, "each name once (-w prints them in full)", t->row[0], err);
}

/* ---- bhosts ---------------------------------------------------------------------------------- */

static bool plain_take_host(struct lsf_site *s, const struct plain_table *t, uint32_t number,
			    struct err *err)
{
	struct slice name = plain_cell(t, "HOST_NAME");
	/* The table of hosts may move when one is added. */
	uint32_t row = lsf_site_host(s, name.at, name.length), max = cell_u32(t, "MAX");
	struct lsf_host *h = &s->hosts[row];

	if (!check_cut(t, h->state != NULL, number, err))
		return false;
	if (max != U32_UNKNOWN)
		h->slots = max;
	h->used = cell_u32(t, "NJOBS");
	if (h->used != U32_UNKNOWN && cell_u32(t, "RSV") <= h->used)
		h->started = h->used - cell_u32(t, "RSV");
	h->user = cell_u32(t, "JL/U");
	lsf_set_text(&h->state, plain_cell(t, "STATUS"));
	return true;
}

bool lsf_read_bhosts_plain(struct lsf_site *s, struct err *err)
{
	return plain_read_table(s, "HOST_NAME", "STATUS", "bhosts -w", plain_take_host, err);
}

/* Hosts that take no jobs are not LSF's batch hosts, and are skipped. */
bool lsf_read_lshosts(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line;
	struct plain_table t = { .columns = 0 };
	uint32_t number = 0;

	(void)err;
	while (plain_next_line(&rest, &line, &number)) {
		struct slice name;
		uint32_t row;

		if (t.columns == 0) {
			t.columns = plain_split(line, t.head);
			continue;
		}
		(void)plain_split(line, t.row);
		name = plain_cell(&t, "HOST_NAME");
		row = lsf_site_find_host(s, name.at, name.length);
		if (row != ROW_NONE)
			s->hosts[row].cpus = cell_u32(&t, "ncpus");
	}
	return true;
}

/* ---- groups, version, parameters ------------------------------------------------------------ */

bool lsf_read_bugroup(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line, name;
	uint32_t number = 0;

	if (!plain_next_line(&rest, &line, &number) || !slice_starts(line, "GROUP_NAME"))
		return plain_fail(1, "the header GROUP_NAME USERS of bugroup -w", line, err);
	while (slice_line(&rest, &line)) {
		struct lsf_user_group *g;

		if (!slice_word(&line, &name))
			continue;
		g = lsf_site_user_group(s, name);
		if (!g->members)
			g->members = mem_strndup(line.at, line.length);
	}
	return true;
}

/* "large        hostb hostc "; a group in it ends in "/". */
bool lsf_read_bmgroup(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line, name;
	uint32_t number = 0;

	/* "No host groups defined": from standard error; or an empty output. */
	if (!plain_next_line(&rest, &line, &number) || slice_starts(line, "No "))
		return true;
	if (!slice_starts(line, "GROUP_NAME"))
		return plain_fail(1, "the header GROUP_NAME HOSTS of bmgroup", line, err);
	while (slice_line(&rest, &line)) {
		if (slice_word(&line, &name))
			lsf_site_host_group(s, name, line, false);
	}
	for (size_t i = 0; i < s->group_count; i++)
		lsf_site_mention(s, slice_of(s->groups[i].members));
	return true;
}

bool lsf_read_busers(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line;
	struct plain_table t = { .columns = 0 };
	uint32_t number = 0;

	(void)err;
	while (plain_next_line(&rest, &line, &number)) {
		if (t.columns == 0)
			t.columns = plain_split(line, t.head);
		else if (plain_split(line, t.row) >= t.columns)
			lsf_site_limit_user(s, plain_cell(&t, "USER/GROUP"), cell_u32(&t, "MAX"),
					    cell_f64(&t, "JL/P"));
	}
	return true;
}

bool lsf_read_lsid(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line;

	(void)err;
	while (slice_line(&rest, &line)) {
		line = slice_trim(line);
		if (slice_take(&line, "My cluster name is ")) {
			lsf_set_text(&s->cluster, slice_trim(line));
		} else if (!s->version && line.length > 0) {
			const char *comma = memchr(line.at, ',', line.length);

			if (comma)
				line.length = (size_t)(comma - line.at);
			lsf_set_text(&s->version, line);
		}
	}
	return true;
}

static void put_shown(struct lsf_site *s, struct slice name, struct slice value)
{
	size_t i = policy_param_by_name(name.at, name.length);
	bool number = i < policy_params_count && policy_params[i].size == POLICY_REAL_MAX;

	lsf_put_param(s, name, number ? plain_shortest(value) : value);
}

bool lsf_read_bparams(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line, name, value;

	(void)err;
	/* The commands print some values wrong: the file takes precedence if it was read. */
	if (s->texts->kind[LSF_PARAMS].text)
		return true;
	while (slice_line(&rest, &line)) {
		if (!slice_piece(&line, '=', &name) || !slice_word(&line, &value))
			continue;
		/* volclava prints RUN_JOB_FACTOR there. */
		if (!slice_is(slice_trim(name), "HIST_HOURS") || !lsf_site_is_volclava(s))
			put_shown(s, slice_trim(name), value);
	}
	return true;
}

/* ---- bqueues -r ------------------------------------------------------------------------------ */

enum lsf_plain_part { IN_NOTHING, IN_NUMBERS, IN_SHARES };

struct plain_reading {
	struct lsf_site *s;
	struct lsf_queue *q;
	struct plain_table t;
	enum lsf_plain_part part;
	char *above;		/* path of the table being read */
	struct slice before;	/* the previous line */
	uint32_t line;
	bool numbers, hosts, interval;	/* of this queue, already read */
};

/* Reads limits, as in lsb.queues. */
static void take_limits(struct plain_reading *r)
{
	static const struct { const char *column, *name; } limits[] = {
		{ "PRIO", "PRIORITY" }, { "MAX", "QJOB_LIMIT" }, { "JL/U", "UJOB_LIMIT" },
		{ "JL/P", "PJOB_LIMIT" }, { "JL/H", "HJOB_LIMIT" },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct slice value = plain_cell(&r->t, limits[i].column);

		if (value.length > 0 && !slice_is(value, "-"))
			lsf_add_param(r->q, limits[i].name, plain_shortest(value), 0);
	}
}

static void plain_take_numbers(struct lsf_queue *q, const struct plain_table *t)
{
	uint32_t all = cell_u32(t, "NJOBS"), reserved = cell_u32(t, "RSV");

	lsf_set_text(&q->state, plain_cell(t, "STATUS"));
	if (!slice_i64(plain_cell(t, "PRIO"), &q->priority))
		q->priority = I64_UNKNOWN;
	q->max = cell_u32(t, "MAX");
	q->user = cell_u32(t, "JL/U");
	q->host = cell_u32(t, "JL/H");
	q->processor = cell_f64(t, "JL/P");
	q->pending = cell_u32(t, "PEND");
	/* Suspended jobs keep their slots; reserved slots are in use. */
	q->running = all != U32_UNKNOWN && q->pending <= all ? all - q->pending :
							       cell_u32(t, "RUN");
	if (q->running != U32_UNKNOWN && reserved <= q->running)
		q->started = q->running - reserved;
}

static struct lsf_share *plain_add_share(struct plain_reading *r)
{
	struct lsf_site *s = r->s;
	struct slice name = plain_cell(&r->t, "USER/GROUP");

	if (name.length > 1 && name.at[name.length - 1] == '/')
		name.length--;
	MEM_GROW(s->shares, s->share_capacity, s->share_count + 1);
	s->shares[s->share_count] = (struct lsf_share){
		.above = mem_strdup(r->above), .name = mem_strndup(name.at, name.length),
		.shares = cell_u32(&r->t, "SHARES"), .started = cell_u32(&r->t, "STARTED"),
		.reserved = cell_u32(&r->t, "RESERVED"), .priority = cell_f64(&r->t, "PRIORITY"),
		.cpu_time = cell_f64(&r->t, "CPU_TIME"), .run_time = cell_f64(&r->t, "RUN_TIME"),
		.adjust = cell_f64(&r->t, "ADJUST") };
	return &s->shares[s->share_count++];
}

/* "phys/theory/": a group, which has a row in the table above it. */
static void begin_shares(struct plain_reading *r, struct slice path)
{
	struct lsf_site *s = r->s;
	size_t length;

	lsf_set_text(&r->above, slice_trim(path));
	length = strlen(r->above);
	for (size_t i = 0; i < s->share_count; i++) {
		struct lsf_share *share = &s->shares[i];
		size_t above = strlen(share->above), name = strlen(share->name);

		share->heads |= above + name + 1 == length &&
				memcmp(r->above, share->above, above) == 0 &&
				memcmp(r->above + above, share->name, name) == 0;
	}
	r->part = IN_SHARES;
	r->t.columns = 0;
}

static bool end_queue(const struct plain_reading *r, struct err *err)
{
	/* volclava omits the line for the default value (mbd.queue.c). */
	if (r->q && r->q->line == 0 && !r->interval && lsf_site_is_volclava(r->s))
		lsf_add_param(r->q, "JOB_ACCEPT_INTERVAL", slice_of("1"), 0);
	if (!r->q || (r->numbers && r->hosts))
		return true;
	return err_set_line(err, ERR_INPUT, r->line, "the queue \"%.100s\" ends before its %s "
			    "(expected the whole output of bqueues -r or -l)", r->q->name,
			    r->numbers ? "HOSTS line" : "numbers");
}

static bool begin_queue(struct plain_reading *r, struct slice name, struct err *err)
{
	struct slice first = name;

	if (!end_queue(r, err))
		return false;
	/* A description may follow. */
	slice_word(&name, &first);
	r->q = lsf_site_queue(r->s, first);
	r->q->whole = true;
	r->part = IN_NOTHING;
	r->numbers = r->hosts = r->interval = false;
	return true;
}

/* Converts "[theory,30][exper,20]" to the form of lsb.queues. */
static void take_user_shares(struct plain_reading *r, struct slice value)
{
	char *text = mem_format("USER_SHARES[%.*s]", (int)value.length, value.at);

	lsf_add_param(r->q, "FAIRSHARE", slice_of(text), 0);
	mem_free(text);
}

/* The names of lines here and in lsb.queues; the spelling of the second is volclava's. */
static const struct { const char *printed, *name; } queue_lines[] = {
	{ "HOSTS", "HOSTS" }, { "ROUN_ROBIN_SCHEDULING", "ROUND_ROBIN_POLICY" },
	{ "ROUND_ROBIN_SCHEDULING", "ROUND_ROBIN_POLICY" },
	{ "FAIRSHARE_QUEUES", "FAIRSHARE_QUEUES" }, { "RES_REQ", "RES_REQ" },
	{ "DISPATCH_ORDER", "DISPATCH_ORDER" },
};

/* "NAME: value" of a queue, unless lsb.queues has it. */
static void plain_take_value(struct plain_reading *r, struct slice name, struct slice value)
{
	static const char *const factors[] = { "RUN_TIME_FACTOR", "RUN_JOB_FACTOR", "HIST_HOURS",
					       "CPU_TIME_FACTOR", "FAIRSHARE_ADJUSTMENT_FACTOR",
					       "COMMITTED_RUN_TIME_FACTOR",
					       "GPU_RUN_TIME_FACTOR", "FWD_JOB_FACTOR" };
	bool file = r->q->line != 0;

	r->hosts |= slice_is(name, "HOSTS");
	if (file)
		return;
	for (size_t i = 0; i < sizeof(queue_lines) / sizeof(queue_lines[0]); i++) {
		if (slice_is(name, queue_lines[i].printed))
			lsf_add_param(r->q, queue_lines[i].name, value, 0);
	}
	if (slice_is(name, "USER_SHARES"))
		take_user_shares(r, value);
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		/* volclava prints RUN_TIME_FACTOR's value for CPU_TIME_FACTOR. */
		bool wrong = i == 3 && lsf_site_is_volclava(r->s);

		if (slice_is(name, factors[i]) && wrong)
			lsf_add_unreported(r->q, factors[i]);
		else if (slice_is(name, factors[i]))
			lsf_add_param(r->q, factors[i], plain_shortest(value), 0);
	}
}

/*
 * "Interval for a host to accept two jobs is 20 seconds": JOB_ACCEPT_INTERVAL, which is a number of
 * sessions.
 */
static void take_interval(struct plain_reading *r, struct slice line)
{
	static const char name[] = "JOB_ACCEPT_INTERVAL", sleep[] = "MBD_SLEEP_TIME";
	const struct policy *p = builder_policy(r->s->b);
	size_t i = policy_param(sleep);
	struct slice word;
	uint32_t seconds;
	double between;
	char text[40];

	if (r->q->line != 0 || !slice_take(&line, "Interval for a host to accept two jobs is ") ||
	    !slice_word(&line, &word) || !slice_u32(word, &seconds))
		return;
	r->interval = true;
	if (seconds == 0) {
		lsf_add_param(r->q, name, slice_of("0"), 0);
	} else if (policy_is_known(p, i) && policy_real(p, i, &between) && between > 0) {
		snprintf(text, sizeof(text), "%.15g", seconds / between);
		lsf_add_param(r->q, name, slice_of(text), 0);
	} else {
		lsf_add_unreported(r->q, name);
	}
}

/* "loadSched - 0.7 ..." below the names of the load indices. */
static void take_thresholds(struct plain_reading *r, struct slice values)
{
	struct slice names = r->before, name, value;

	if (r->q->line != 0 || !slice_word(&values, &value) || !slice_is(value, "loadSched"))
		return;
	while (slice_word(&names, &name) && slice_word(&values, &value)) {
		char *text = mem_strndup(name.at, name.length);

		if (!slice_is(value, "-"))
			lsf_add_param(r->q, text, value, 0);
		mem_free(text);
	}
}

static bool take_table_line(struct plain_reading *r, struct slice line, struct err *err)
{
	if (r->t.columns == 0) {
		r->t.columns = plain_split(line, r->t.head);
		return true;
	}
	if (plain_split(line, r->t.row) < r->t.columns)
		return plain_fail(r->line, "a value for each column of the header", line, err);
	if (r->part == IN_SHARES) {
		if (plain_cell(&r->t, "USER/GROUP").length == 0 ||
		    plain_cell(&r->t, "SHARES").length == 0 ||
		    plain_cell(&r->t, "PRIORITY").length == 0)
			return plain_fail(r->line, "columns USER/GROUP SHARES PRIORITY", line, err);
		plain_add_share(r);
		return true;
	}
	if (plain_cell(&r->t, "PRIO").length == 0 || plain_cell(&r->t, "NJOBS").length == 0)
		return plain_fail(r->line, "columns PRIO ... NJOBS PEND RUN", line, err);
	if (r->q->line == 0)
		take_limits(r);
	plain_take_numbers(r->q, &r->t);
	r->numbers = true;
	r->part = IN_NOTHING;
	return true;
}

static bool plain_take_line(struct plain_reading *r, struct slice line, struct err *err)
{
	struct slice whole = slice_trim(line), name = whole, title;

	if (slice_take(&line, "QUEUE:"))
		return begin_queue(r, slice_trim(line), err);
	if (whole.length == 0) {
		if (r->part == IN_SHARES)
			r->part = IN_NOTHING;
		return true;
	}
	if (!r->q)
		return plain_fail(r->line, "QUEUE: and a name (the output of bqueues -r or -l)",
				  line, err);
	if (slice_take(&line, "SHARE_INFO_FOR:")) {
		begin_shares(r, line);
		return true;
	}
	if (slice_is(whole, "PARAMETERS/STATISTICS")) {
		r->part = IN_NUMBERS;
		r->t.columns = 0;
		return true;
	}
	/* "USERS:  all": in IBM's manual there is no blank line before it. */
	if (r->part == IN_SHARES && line.at[0] != ' ' && slice_word(&name, &title) &&
	    title.at[title.length - 1] == ':')
		r->part = IN_NOTHING;
	if (r->part != IN_NOTHING)
		return take_table_line(r, line, err);
	take_interval(r, line);
	take_thresholds(r, whole);
	if (line.at[0] != ' ' && slice_piece(&whole, ':', &name))
		plain_take_value(r, slice_trim(name), slice_trim(whole));
	return true;
}

bool lsf_read_bqueues_plain(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line;
	struct plain_reading r = { .s = s };
	bool good = true;

	while (good && slice_line(&rest, &line)) {
		r.line++;
		good = plain_take_line(&r, line, err);
		r.before = line;
	}
	if (good && !r.q)
		good = plain_fail(1, "QUEUE: and a name (the output of bqueues -r or -l)", rest,
				  err);
	good = good && end_queue(&r, err);
	mem_free(r.above);
	return good;
}

/* ---- bqueues, one table ---------------------------------------------------------------------- */

static bool plain_take_queue(struct lsf_site *s, const struct plain_table *t, uint32_t number,
			     struct err *err)
{
	struct lsf_queue *q = lsf_site_queue(s, t->row[0]);

	if (!check_cut(t, q->state != NULL, number, err))
		return false;
	plain_take_numbers(q, t);
	return true;
}

bool lsf_read_bqueues_table(struct lsf_site *s, struct err *err)
{
	return plain_read_table(s, "QUEUE_NAME", "PRIO", "bqueues", plain_take_queue, err);
}

/* ---- bhpart -r ------------------------------------------------------------------------------- */

bool lsf_read_bhpart(struct lsf_site *s, struct err *err)
{
	static const char hosts[] = "HOSTS:";
	struct slice rest = { s->text->text, s->text->length }, line, name = { "", 0 };
	struct plain_reading r = { .s = s };
	bool good = true, queue = false;

	while (good && plain_next_line(&rest, &line, &r.line)) {
		if (slice_take(&line, "HOST_PARTITION_NAME:")) {
			name = slice_trim(line);
			r.part = IN_NOTHING;
			queue = false;
			for (size_t i = 0; i < s->queue_count; i++)
				queue |= slice_is(name, s->queues[i].name);
			if (queue)
				builder_note(s->b, "bhpart", "%.*s is also a queue: the shares of "
					     "the host partition are left out", SLICE_PRINT(name));
		} else if (!s->texts->kind[LSF_HOSTS].text && slice_take(&line, hosts)) {
			lsf_site_host_group(s, name, line, true);
			lsf_site_mention(s, line);
		} else if (!queue && slice_take(&line, "SHARE_INFO_FOR:")) {
			begin_shares(&r, line);
		} else if (r.part == IN_SHARES && !slice_starts(line, hosts)) {
			good = take_table_line(&r, line, err);
		}
	}
	mem_free(r.above);
	return good;
}
