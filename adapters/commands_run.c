/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/commands_run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "core/base/mem.h"

#define OPTIONAL_MS 5000
/* After so many failures at the head of the queue the server is taken to be down. */
#define FAILURES_MAX 2
#define LOOK_MS 250		/* longest time between two checks for ended processes ... */
#define LINGER_MS 1000		/* ... whose pipes are held by another one, for at most this time */

/* The state of a command. */
struct commands_run {
	struct remote_command *command;
	struct child child;
	struct child_tail tail;
	size_t capacity;
	int64_t gone_ms;		/* when its end was noticed; 0 not */
	bool started, ended;
};

static void command_complain(struct commands_run *run, const char *what)
{
	snprintf(run->command->complaint, sizeof(run->command->complaint), "%.*s",
		 (int)sizeof(run->command->complaint) - 1, what);
}

static void command_give_up(struct commands_run *run, const char *why)
{
	command_complain(run, why);
	mem_free(run->command->output);
	run->command->output = NULL;
	run->command->length = 0;
	run->ended = true;
	child_end(&run->child, 100);
}

static void command_start(struct commands_run *run)
{
	struct remote_command *c = run->command;
	struct err err;

	run->started = true;
	if (child_start(&run->child, c->argv, c->environment, false, &err))
		return;
	command_complain(run, err.message);
	run->ended = true;
}

/*
 * Starts the commands that are due: a queued one waits until the queued ones above it have ended.
 * If the queue begins with FAILURES_MAX failures, the rest fails for the reason of the last.
 */
static void start_due(struct commands_run *runs, size_t count)
{
	const struct commands_run *above = NULL;
	size_t failures = 0, successes = 0;

	for (size_t i = 0; i < count; i++) {
		struct commands_run *run = &runs[i];

		if (!run->command->queued) {
			if (!run->started)
				command_start(run);
			continue;
		}
		if (above && !above->ended)
			continue;
		if (!run->started && !run->ended) {
			if (successes == 0 && failures >= FAILURES_MAX)
				command_give_up(run, above->command->complaint);
			else
				command_start(run);
		}
		above = run;
		successes += run->ended && run->command->status == 0;
		failures += run->ended && run->command->status != 0;
	}
}

/* MAX limits the output of all commands together. */
static void command_read_output(struct commands_run *run, const struct commands_run *runs,
				size_t count, size_t max)
{
	struct remote_command *c = run->command;
	size_t others = 0;

	for (size_t i = 0; i < count; i++)
		others += runs[i].command == c ? 0 : runs[i].command->length;

	for (int round = 0; run->child.out >= 0 && round < 16; round++) {
		ssize_t n;

		c->output = mem_grow(c->output, &run->capacity, c->length + 16384, 1);
		n = read(run->child.out, c->output + c->length, run->capacity - c->length - 1);
		if (n > 0)
			c->length += (size_t)n;
		else if (n == 0)
			child_close(&run->child.out);
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			child_close(&run->child.out);
		if (c->length + others > max || (c->max != 0 && c->length > c->max)) {
			command_give_up(run, "its output is too long");
			return;
		}
	}
}

/* Both pipes are closed: reaps the process. */
static void command_finish(struct commands_run *run, int64_t end_ms)
{
	struct remote_command *c = run->command;
	int left = clock_left(end_ms), status = 0;

	if (!child_reap(&run->child, left < 0 ? 60000 : left, &status)) {
		command_give_up(run, "does not terminate");
		return;
	}
	run->ended = true;
	if (WIFEXITED(status))
		c->status = WEXITSTATUS(status);
	command_complain(run, child_tail_get(&run->tail));
	if (c->status != 0 && !c->complaint[0])
		child_status_text(status, c->complaint, sizeof(c->complaint));
	if (c->output)
		c->output[c->length] = '\0';
}

/* One round of waiting; false when no command runs, and none is left to start. */
static bool wait_some(struct commands_run *runs, struct pollfd *p, size_t count, int cancel_fd,
		      int64_t end_ms)
{
	size_t running = 0;
	int left;

	start_due(runs, count);
	for (size_t i = 0; i < count; i++) {
		p[2 * i] = (struct pollfd){ runs[i].child.out, POLLIN, 0 };
		p[2 * i + 1] = (struct pollfd){ runs[i].child.err, POLLIN, 0 };
		running += !runs[i].ended;
	}
	p[2 * count] = (struct pollfd){ cancel_fd, POLLIN, 0 };
	if (running == 0)
		return false;
	left = clock_left(end_ms);
	poll(p, (nfds_t)(2 * count + 1), left < 0 || left > LOOK_MS ? LOOK_MS : left);
	return true;
}

/* A process that it left behind may hold its pipes for ever. */
static void look_after(struct commands_run *run)
{
	if (!child_has_ended(&run->child))
		return;
	if (run->gone_ms == 0)
		run->gone_ms = clock_ms();
	if (clock_ms() - run->gone_ms < LINGER_MS)
		return;
	child_close(&run->child.out);
	child_close(&run->child.err);
}

static bool give_up_all(struct commands_run *runs, size_t count, const char *why)
{
	for (size_t i = 0; i < count; i++) {
		if (!runs[i].ended)
			command_give_up(&runs[i], why);
	}
	return false;
}

/* When the last required command has ended, the others get a short time, not the whole. */
static int64_t command_shorten(const struct commands_run *runs, size_t count, int64_t end_ms)
{
	int64_t soon_ms = clock_ms() + OPTIONAL_MS;

	for (size_t i = 0; i < count; i++) {
		if (!runs[i].ended && !runs[i].command->optional)
			return end_ms;
	}
	return end_ms < 0 || soon_ms < end_ms ? soon_ms : end_ms;
}

bool command_run(struct remote_command *commands, size_t count, size_t max, int64_t deadline_ms,
		 int cancel_fd)
{
	int64_t end_ms = deadline_ms < 0 ? -1 : clock_ms() + deadline_ms;
	struct commands_run *runs = mem_zalloc(count, sizeof(*runs));
	struct pollfd *p = mem_zalloc(2 * count + 1, sizeof(*p));
	bool ok = true, shortened = false;

	for (size_t i = 0; i < count; i++) {
		runs[i].command = &commands[i];
		runs[i].child = (struct child)CHILD_NONE;
		commands[i].output = NULL;
		commands[i].length = 0;
		commands[i].status = -1;
		commands[i].complaint[0] = '\0';
	}
	while (wait_some(runs, p, count, cancel_fd, end_ms)) {
		if (p[2 * count].revents) {
			give_up_all(runs, count, "cancelled");
			break;
		}
		for (size_t i = 0; i < count; i++) {
			if (runs[i].ended || !runs[i].started)
				continue;
			if (p[2 * i + 1].revents)
				child_drain(&runs[i].child.err, &runs[i].tail);
			if (p[2 * i].revents)
				command_read_output(&runs[i], runs, count, max);
			if (!runs[i].ended)
				look_after(&runs[i]);
			if (!runs[i].ended && runs[i].child.out < 0 && runs[i].child.err < 0)
				command_finish(&runs[i], end_ms);
		}
		if (!shortened) {
			int64_t until_ms = command_shorten(runs, count, end_ms);

			shortened = until_ms != end_ms;
			end_ms = until_ms;
		}
		if (clock_left(end_ms) == 0) {
			give_up_all(runs, count, "no answer in time");
			break;
		}
	}
	for (size_t i = 0; i < count; i++)
		ok = ok && commands[i].status == 0;
	mem_free(runs);
	mem_free(p);
	return ok;
}
