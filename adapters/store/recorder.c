/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records until stopped: the collector asks the source, each answer is a sample, an outage is a
 * gap. A write error ends it, with everything before it safe.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/collector.h"
#include "adapters/store/anonymize.h"
#include "adapters/store/place.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"

#define MISSED 3		/* intervals without a sample that make a gap */
#define OTHER 4			/* an interval that differs by 1/OTHER is reported */
#define NEVER_MS INT32_MAX	/* a source that steps is asked after its sample is written */

struct recorder {
	const struct record_options *o;
	struct store_writer *writer;
	struct collector *collector;
	int signals;		/* signalfd */
	bool live, steps;	/* of the source */
	int64_t own;		/* when the source's own clock begins; 0: it uses the real time */
	unsigned char key[ANONYMIZE_KEY];
	uint64_t count;
	int64_t last;		/* time of the last sample, I64_UNKNOWN */
	int64_t good_ms, took_ms;	/* of the collector's status when last checked */
	int64_t kept;		/* seconds between answers, as last reported */
	char problem[ERR_MESSAGE_MAX];	/* the last one reported */
};

/* ---- pseudonyms ---------------------------------------------------------------------------- */

static bool key_file(const char *name, unsigned char *key, struct err *err)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);	/* a FIFO must not block */
	bool ok;

	if (fd >= 0) {
		ok = read(fd, key, ANONYMIZE_KEY) == ANONYMIZE_KEY;
		close(fd);
		return ok || err_about(err, ERR_INPUT, name, "not a key (expected %d bytes)",
				       ANONYMIZE_KEY);
	}
	if (errno != ENOENT)
		return err_about(err, ERR_INPUT, name, "%s", strerror(errno));
	if (getrandom(key, ANONYMIZE_KEY, 0) != ANONYMIZE_KEY)
		return err_set(err, ERR_INPUT, "no random numbers for a key");
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ok = fd >= 0 && write(fd, key, ANONYMIZE_KEY) == ANONYMIZE_KEY && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok || err_about(err, ERR_INPUT, name, "%s", strerror(errno));
}

/* The key is beside the recording, not in it: who only gets the recording cannot test names. */
static bool recorder_read_key(struct recorder *r, bool fresh, struct err *err)
{
	char *name = mem_format("%s.key", r->o->path);
	bool ok = fresh || access(name, F_OK) == 0 ||
		  err_set(err, ERR_INPUT, "its key %.300s is missing (pseudonyms would change)",
			  name);

	ok = ok && key_file(name, r->key, err) && store_set(r->writer, "anonymized", "yes", err);
	mem_free(name);
	return ok;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Between the last sample and one at TAKEN: writes a gap for an outage or a changed clock. */
static bool write_gap(struct recorder *r, int64_t taken, struct err *err)
{
	int64_t step;

	if (r->last == I64_UNKNOWN)
		return true;
	step = taken - r->last;
	if (step < 0 && r->live)
		snprintf(r->problem, sizeof(r->problem), "the clock went back by %" PRId64 " s",
			 -step);
	else if (step > STORE_JUMP && r->live && !r->problem[0])
		snprintf(r->problem, sizeof(r->problem), "the clock went ahead by %" PRId64 " s",
			 step);
	return !r->problem[0] || step == 0 || (step < 0 && !r->live) ||
	       store_write_gap(r->writer, step < 0 ? taken : r->last, step < 0 ? r->last : taken,
			       r->problem, err);
}

static bool recorder_write_sample(struct recorder *r, struct cluster *c, struct err *err)
{
	int64_t clock = clock_time(), taken = cluster_meta(c)->time;

	if (r->o->anonymize) {
		struct cluster *plain = c;

		c = anonymize(plain, r->key, err);
		cluster_free(plain);
		if (!c)
			return false;
	}
	if (taken == I64_UNKNOWN)
		taken = clock;
	if (!store_write(r->writer, c, clock, err))
		return false;
	if (!write_gap(r, taken, err))
		return false;
	r->problem[0] = '\0';
	r->last = taken;
	r->count++;
	if (r->o->heard)
		r->o->heard(r->count);
	return store_thin(r->writer, &r->o->keep, clock, err);
}

/* An outage is in the file from its beginning. */
static bool note_problem(struct recorder *r, const struct collector_status *s, struct err *err)
{
	if (!s->problem[0] || strcmp(s->problem, r->problem) == 0)
		return true;
	snprintf(r->problem, sizeof(r->problem), "%s", s->problem);
	r->o->say("source", s->problem);
	return r->last == I64_UNKNOWN ||
	       store_write_gap(r->writer, r->last, I64_UNKNOWN, r->problem, err);
}

/*
 * A slow answer, and the pause after it, make the interval longer than requested: reports that, and
 * records what is missing as a gap.
 */
static bool note_interval(struct recorder *r, const struct collector_status *s, struct err *err)
{
	int64_t kept = (s->last_good_ms - r->good_ms + 500) / 1000, every = r->o->every_ms / 1000;
	int64_t took = ((s->took_ms > r->took_ms ? s->took_ms : r->took_ms) + 500) / 1000;
	char text[32], why[40] = "answers come late", words[120];

	if (r->good_ms < 0 || r->problem[0] || s->problem[0] || s->last_good_ms == r->good_ms)
		return true;
	kept = kept > every ? kept : every;
	if ((kept > r->kept ? kept - r->kept : r->kept - kept) * OTHER <= r->kept)
		return true;
	if (took > 0)
		snprintf(why, sizeof(why), "an answer took %" PRId64 " s", took);
	if (kept == every)
		snprintf(words, sizeof(words), "a sample every %" PRId64 " s again", every);
	else
		snprintf(words, sizeof(words), "%s: a sample every %" PRId64 " s now, instead of %"
			 PRId64 " s", why, kept, every);
	r->o->say("source", words);
	if (kept > MISSED * r->kept)
		snprintf(r->problem, sizeof(r->problem), "%s", why);
	r->kept = kept;
	snprintf(text, sizeof(text), "%" PRId64, kept);
	return store_set(r->writer, "kept", kept > every ? text : NULL, err);
}

/* Takes all answers of the collector. False at the end: ERR is set if that is an error. */
static bool recorder_look(struct recorder *r, struct err *err)
{
	struct collector_status s;
	struct cluster *c = collector_take(r->collector, &s);

	if (!note_interval(r, &s, err)) {
		cluster_free(c);
		return false;
	}
	if (c && !recorder_write_sample(r, c, err))
		return false;
	if (!c && s.last_good_ms >= 0 && s.last_good_ms != r->good_ms && !s.problem[0] &&
	    !store_write_same(r->writer, clock_time(), err))
		return false;
	r->good_ms = s.last_good_ms;
	r->took_ms = s.took_ms;
	if (!note_problem(r, &s, err))
		return false;
	if (!r->live && s.problem[0])
		return err_set(err, ERR_INPUT, "%s", s.problem);
	if (c && r->steps)
		collector_refresh(r->collector);
	return !(r->o->count > 0 && r->count >= r->o->count) && s.state != COLLECTOR_ENDED;
}

/* 128 + the signal received, else 0. An operation aborted by the signal is not an error. */
static int recorder_signalled(struct recorder *r, struct err *err)
{
	struct signalfd_siginfo info;

	if (r->signals < 0 || read(r->signals, &info, sizeof(info)) <= 0)
		return 0;
	*err = (struct err){ .code = ERR_NONE };
	return 128 + (int)info.ssi_signo;
}

static int recorder_run(struct recorder *r, struct err *err)
{
	struct pollfd fds[2] = { { .fd = r->signals, .events = POLLIN },
				 { .fd = collector_fd(r->collector), .events = POLLIN } };
	int signal;

	while (recorder_look(r, err)) {
		if (clock_poll(fds, 2, -1) < 0)
			return err_set(err, ERR_INPUT, "poll: %s", strerror(errno)), ERR_INPUT;
		signal = recorder_signalled(r, err);
		if (signal)
			return signal;
	}
	return err->code;
}

/* ---- beginning ----------------------------------------------------------------------------- */

/* Continuing a recording after a while: the time in between is a gap. */
static bool recorder_resume(struct recorder *r, int64_t now, struct err *err)
{
	struct store_reader *reader = store_reader_open(r->o->path, err);
	struct store_sample first, last;
	bool has = reader && store_range(reader, &first, &last, NULL);

	store_reader_close(reader);
	if (!reader)
		return false;
	r->last = has ? last.time : I64_UNKNOWN;
	if (has && r->own != 0 && r->own <= last.time)
		return err_set(err, ERR_INPUT, "the source's own time restarts, before what is "
			       "already recorded (expected a new file)");
	if (has && now - last.seen > MISSED * r->o->every_ms / 1000)
		snprintf(r->problem, sizeof(r->problem), "the recorder was not running");
	return !r->o->anonymize || recorder_read_key(r, !has, err);
}

static bool recorder_begin(struct recorder *r, struct err *err)
{
	char every[32];
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Exceeding the file size limit must be a reported error, not a silent end. */
	signal(SIGXFSZ, SIG_IGN);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->writer = store_writer_open_until(r->o->path, r->signals, err);
	if (!r->writer)
		return false;
	r->kept = r->o->every_ms / 1000;
	snprintf(every, sizeof(every), "%" PRId64, r->kept);
	return recorder_resume(r, clock_time(), err) && store_set(r->writer, "every", every, err) &&
	       store_set(r->writer, "kept", NULL, err);
}

int record_run(struct source *source, const struct record_options *o, struct err *err)
{
	struct recorder r = { .o = o, .signals = -1, .live = source->ops->live,
			      .steps = source->steps, .own = source->ops->clock,
			      .last = I64_UNKNOWN, .good_ms = -1 };
	int status;

	if (recorder_begin(&r, err))
		r.collector = collector_new(source, NEED_ALL, r.steps ? NEVER_MS : o->every_ms,
					    err);
	else
		source_close(source);
	status = r.collector ? recorder_run(&r, err) : (int)err->code;
	if (err->code != ERR_NONE) {
		int signal = recorder_signalled(&r, err);

		status = signal ? signal : status;
	}
	collector_free(r.collector);
	store_writer_close(r.writer);
	if (r.signals >= 0)
		close(r.signals);
	return status;
}
