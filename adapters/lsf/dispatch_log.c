/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/lsf/dispatch_log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "adapters/slice.h"
#include "core/base/mem.h"
#include "core/pools/slots.h"
#include "core/base/unknown.h"

#define QUEUES_MAX 10000

void dispatch_log_free(struct dispatch_log *log)
{
	mem_free_texts(log->queues, log->queue_count);
	for (size_t i = 0; i < log->count; i++)
		mem_free(log->lines[i].slots);
	mem_free(log->lines);
	*log = (struct dispatch_log){ 0 };
}

static bool dispatch_fail(struct err *err, uint32_t line, struct slice text, const char *expected)
{
	return err_set_line(err, ERR_INPUT, line, "%.*s: expected %s", SLICE_PRINT(text), expected);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool take_names(struct dispatch_log *log, struct slice line, uint32_t number,
		       struct err *err)
{
	struct slice rest = line, piece;

	/* Only one #: a remark. */
	if (!memchr(line.at + 1, '#', line.length - 1))
		return true;
	if (log->queue_count > 0)
		return dispatch_fail(err, number, line, "one line of queue names");
	while (slice_piece(&rest, '#', &piece)) {
		piece = slice_trim(piece);
		if (piece.length == 0)
			continue;
		if (log->queue_count == QUEUES_MAX)
			return dispatch_fail(err, number, line, "fewer queues");
		log->queues = mem_realloc(log->queues, log->queue_count + 1, sizeof(*log->queues));
		log->queues[log->queue_count++] = mem_strndup(piece.at, piece.length);
	}
	return true;
}

/* "19:4:50" by ':', "15/3" by '/': each number is at most its own limit. */
static bool dispatch_take_numbers(struct slice word, char delimiter, const uint32_t *most,
				  int *out[], size_t count)
{
	struct slice piece;
	uint32_t x;

	for (size_t i = 0; i < count; i++) {
		if (!slice_piece(&word, delimiter, &piece) || piece.length > 2 ||
		    !slice_u32(piece, &x) || x > most[i])
			return false;
		*out[i] = (int)x;
	}
	return word.length == 0;
}

static bool dispatch_take_line(struct dispatch_log *log, struct slice line, uint32_t number,
			       struct err *err)
{
	static const uint32_t most_date[] = { 31, 12 }, most_time[] = { 23, 59, 60 };
	struct dispatch_line new = { 0 };
	int *date[] = { &new.day, &new.month }, *time[] = { &new.hour, &new.minute, &new.second };
	struct slice rest = line, word;

	if (log->queue_count == 0)
		return dispatch_fail(err, number, line, "a line \"# queue # queue ...\" before it");
	if (!slice_word(&rest, &word) || !dispatch_take_numbers(word, '/', most_date, date, 2) ||
	    !slice_word(&rest, &word) || !dispatch_take_numbers(word, ':', most_time, time, 3))
		return dispatch_fail(err, number, line, "day/month hour:minute:second");
	new.slots = mem_alloc(log->queue_count, sizeof(*new.slots));
	for (uint32_t i = 0; i < log->queue_count; i++) {
		if (slice_word(&rest, &word) && slice_u32(word, &new.slots[i]) &&
		    new.slots[i] < UINT32_C(1000000000))
			continue;
		mem_free(new.slots);
		return dispatch_fail(err, number, line, "one number of slots per queue");
	}
	if (slice_trim(rest).length > 0) {
		mem_free(new.slots);
		return dispatch_fail(err, number, line, "as many numbers as there are queues");
	}
	MEM_GROW(log->lines, log->capacity, log->count + 1);
	log->lines[log->count++] = new;
	return true;
}

bool dispatch_log_read(const char *text, size_t length, struct dispatch_log *log, struct err *err)
{
	struct slice rest = { text, length }, line;
	uint32_t number = 0;
	bool good = true;

	*log = (struct dispatch_log){ 0 };
	while (good && slice_line(&rest, &line)) {
		number++;
		line = slice_trim(line);
		if (line.length == 0)
			continue;
		good = line.at[0] == '#' ? take_names(log, line, number, err)
					 : dispatch_take_line(log, line, number, err);
	}
	if (!good)
		dispatch_log_free(log);
	return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool dispatch_put(struct sink out, const char *text, struct err *err)
{
	return out.write(out.context, text, strlen(text), err);
}

static bool check_name(const char *name, struct err *err)
{
	struct slice whole = slice_of(name);

	if (whole.length > 0 && slice_trim(whole).length == whole.length && !strpbrk(name, "#\r\n"))
		return true;
	return err_set(err, ERR_INPUT, "queue '%.100s': not possible in a dispatcher log (expected "
		       "a name without # or blanks around it)", name);
}

bool dispatch_log_begin(const char *const *queues, uint32_t count, struct sink out, struct err *err)
{
	if (!dispatch_put(out, "# clients managed by LSF\n", err))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!check_name(queues[i], err) || !dispatch_put(out, i ? " # " : "# ", err) ||
		    !dispatch_put(out, queues[i], err))
			return false;
	}
	return dispatch_put(out, count == 1 ? " #\n" : "\n", err);
}

bool dispatch_log_line(const struct dispatch_line *line, uint32_t count, struct sink out,
		       struct err *err)
{
	char number[80];

	snprintf(number, sizeof(number), "%d/%d %d:%d:%d", line->day, line->month, line->hour,
		 line->minute, line->second);
	if (!dispatch_put(out, number, err))
		return false;
	for (uint32_t q = 0; q < count; q++) {
		snprintf(number, sizeof(number), " %u", (unsigned)line->slots[q]);
		if (!dispatch_put(out, number, err))
			return false;
	}
	return dispatch_put(out, "\n", err);
}

/* ---- accumulating -------------------------------------------------------------------------- */

static int64_t second_of(const struct dispatch_line *l)
{
	static const int before[] = { 0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };

	return ((before[l->month] + l->day) * INT64_C(24) + l->hour) * 3600 + l->minute * 60 +
	       l->second;
}

double dispatch_log_accumulated(const struct dispatch_log *log, uint32_t queue, double hist_hours)
{
	double sum = 0;

	for (size_t i = 0; i < log->count; i++) {
		int64_t step = 60;

		if (i + 1 < log->count)
			step = second_of(&log->lines[i + 1]) - second_of(&log->lines[i]);
		if (step < 0 || step > 3600)
			step = 60;
		sum = slots_accumulate(sum, log->lines[i].slots[queue], (double)step / 3600,
				       hist_hours);
	}
	return sum;
}

/* ---- times --------------------------------------------------------------------------------- */

int64_t dispatch_line_time(const struct dispatch_line *line, int64_t latest)
{
	time_t end = (time_t)latest;
	struct tm now;

	if (latest == I64_UNKNOWN || !localtime_r(&end, &now))
		return I64_UNKNOWN;
	for (int year = now.tm_year; year >= now.tm_year - 1; year--) {
		struct tm tm = {
			.tm_year = year, .tm_mon = line->month - 1, .tm_mday = line->day,
			.tm_hour = line->hour, .tm_min = line->minute, .tm_sec = line->second,
			.tm_isdst = -1,
		};
		time_t t = mktime(&tm);

		if (t != (time_t)-1 && (int64_t)t <= latest + 86400)
			return (int64_t)t;
	}
	return I64_UNKNOWN;
}

struct dispatch_line dispatch_line_at(int64_t time)
{
	time_t t = (time_t)time;
	struct tm tm = { .tm_mday = 1 };

	localtime_r(&t, &tm);
	return (struct dispatch_line){
		.day = tm.tm_mday, .month = tm.tm_mon + 1, .hour = tm.tm_hour,
		.minute = tm.tm_min, .second = tm.tm_sec,
	};
}
