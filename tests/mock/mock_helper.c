/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A helper that speaks frames and, if asked to, misbehaves in one of the ways in which real
 * ones do.
 *
 *	mock_helper HOW [ONCE [ARGUMENT]]
 *
 * With ONCE, a file name ("-": none), it misbehaves only if it could create that file, so that it
 * works when started again. It creates the file ARGUMENT when it hangs or has sent an unrequested
 * frame, so that a test can wait for that. Its cluster has a root, two accounts and three users;
 * usage grows with each answer.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/frame.h"
#include "core/base/bytes.h"
#include "core/cluster/codec.h"

static unsigned answers;

/* ---- a small cluster ----------------------------------------------------------------------- */

static void add(struct builder *b, uint32_t id, uint32_t parent, const char *account,
		const char *user, uint32_t shares, double usage)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, id);
	if (parent)
		builder_u32(b, F_ASSOC_PARENT, row, parent);
	builder_str(b, F_ASSOC_ACCOUNT, row, account);
	builder_str(b, F_ASSOC_USER, row, user);
	builder_u32(b, F_ASSOC_SHARES, row, shares);
	if (user)
		builder_f64(b, F_ASSOC_USAGE, row, usage);
}

static struct cluster *make_cluster(void)
{
	struct cluster_meta meta = {
		.kind = "slurm", .name = "mock", .version = "22.05.8", .zone = "UTC",
		.time = 1700000000 + answers, .last_decay = I64_UNKNOWN, .boot = I64_UNKNOWN,
		.last_reset = I64_UNKNOWN,
	};
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	add(b, 1, 0, "root", NULL, 1, 0);
	add(b, 2, 1, "physics", NULL, 60, 0);
	add(b, 3, 2, "physics", "alice", 1, 100.0 + answers);
	add(b, 4, 2, "physics", "bob", 2, 50);
	add(b, 5, 1, "biology", NULL, 40, 0);
	add(b, 6, 5, "biology", "carol", 1, 25);
	return builder_seal(b, NULL);
}

/* ---- speaking ------------------------------------------------------------------------------ */

static void say(enum frame_type type, const void *payload, size_t length)
{
	struct err err;

	if (!frame_write(STDOUT_FILENO, type, payload, length, &err))
		exit(3);
}

static void say_text(enum frame_type type, const char *text)
{
	say(type, text, strlen(text));
}

static void say_error(enum frame_type type, uint32_t code, const char *text)
{
	char payload[300];

	frame_put_u32((unsigned char *)payload, code);
	snprintf(payload + 4, sizeof(payload) - 4, "%s", text);
	say(type, payload, 4 + strlen(text));
}

static void say_raw(const void *bytes, size_t length)
{
	if (write(STDOUT_FILENO, bytes, length) != (ssize_t)length)
		exit(3);
}

/* Reads a request; returns its needs. */
static uint32_t hear_request(void)
{
	struct frame f;
	struct err err;
	uint32_t needs;

	if (!frame_read(STDIN_FILENO, &f, &err))
		exit(0);
	needs = f.length >= 4 ? frame_get_u32(f.payload) : 0;
	frame_free(&f);
	return needs;
}

static void say_needs(uint32_t needs)
{
	char text[40];

	snprintf(text, sizeof(text), "needs 0x%x", (unsigned)needs);
	say_text(FRAME_HEALTH, text);
}

static void say_cluster(void)
{
	struct bytes b = { 0 };
	struct sink sink = bytes_sink(&b);
	struct cluster *c = make_cluster();

	codec_write(c, sink, NULL);
	say(FRAME_CLUSTER, b.data, b.length);
	cluster_free(c);
	bytes_free(&b);
	answers++;
}

static void say_hello(void)
{
	say_text(FRAME_HELLO, "fairtop 0.0 mock mock");
}

/* ---- misbehaving --------------------------------------------------------------------------- */

static void complain(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		exit(3);
}

static void make_file(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	if (fd >= 0)
		close(fd);
}

static void hang(void)
{
	for (;;)
		pause();
}

static void flood(unsigned lines)
{
	char line[100];

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	for (unsigned i = 0; i < lines; i++) {
		if (write(STDERR_FILENO, line, sizeof(line)) < 0)
			exit(3);
	}
}

static void serve(const char *how, const char *argument)
{
	for (;;) {
		uint32_t needs = hear_request();

		if (strcmp(how, "flood") == 0)
			flood(100000);	/* 10 MB */
		if (strcmp(how, "noisy") == 0)
			complain("mock: error: something\nmock: error: munge is not running\n\n");
		if (strcmp(how, "health") == 0)
			say_text(FRAME_HEALTH, "helper, a little tired");
		if (strcmp(how, "needs") == 0)
			say_needs(needs);
		if (strcmp(how, "same") == 0 && answers > 0)
			say(FRAME_SAME, NULL, 0);
		else
			say_cluster();
		if (strcmp(how, "chatty") == 0)
			say_cluster(), make_file(argument);
		if (strcmp(how, "dies-idle") == 0)
			exit(0);
	}
}

static void half_frame(bool then_hang)
{
	unsigned char header[FRAME_HEADER] = FRAME_MAGIC "\3";

	frame_put_u32(header + 8, 1000);
	hear_request();
	say_raw(header, sizeof(header));
	say_raw("half of it", 10);
	if (then_hang)
		hang();
	exit(0);
}

static void bad_header(const char *magic, uint32_t length)
{
	unsigned char header[FRAME_HEADER] = { 0 };

	memcpy(header, magic, 4);
	header[4] = FRAME_CLUSTER;
	frame_put_u32(header + 8, length);
	hear_request();
	say_raw(header, sizeof(header));
	say_raw("body", 4);
	hang();
}

static void before_hello(const char *how)
{
	if (strcmp(how, "mute") == 0)
		hang();
	if (strcmp(how, "missing-library") == 0) {
		complain("mock: error while loading shared libraries: libslurm.so.99\n");
		exit(127);
	}
	if (strcmp(how, "exits-at-once") == 0) {
		complain("mock: fatal: cannot even start\n");
		exit(1);
	}
	if (strcmp(how, "banner") == 0) {
		say_raw("Welcome to login1, have a nice day!\n", 36);
		hang();
	}
	if (strcmp(how, "version") == 0)
		bad_header("FTF1", 4);
	if (strcmp(how, "impolite") == 0) {
		hear_request();
		say_cluster();
		hang();
	}
}

static void after_hello(const char *how, const char *argument)
{
	if (strcmp(how, "hang") == 0)
		hear_request(), make_file(argument), hang();
	if (strcmp(how, "deaf") == 0)
		hang();
	if (strcmp(how, "stubborn") == 0) {
		signal(SIGTERM, SIG_IGN);
		hang();
	}
	if (strcmp(how, "fatal") == 0) {
		hear_request();
		complain("mock: error: noise\nmock: fatal: Unable to process configuration file\n");
		exit(1);
	}
	if (strcmp(how, "killed") == 0)
		hear_request(), raise(SIGKILL);
	if (strcmp(how, "half") == 0 || strcmp(how, "half-hang") == 0)
		half_frame(how[4] != '\0');
	if (strcmp(how, "garbage") == 0)
		bad_header("\1\2\3\4", 4);
	if (strcmp(how, "huge") == 0)
		bad_header(FRAME_MAGIC, FRAME_MAX + 1);
	if (strcmp(how, "big-promise") == 0)
		bad_header(FRAME_MAGIC, FRAME_MAX);
	if (strcmp(how, "closes") == 0)
		hear_request(), close(STDOUT_FILENO), hang();
	if (strcmp(how, "bad-codec") == 0) {
		hear_request();
		say_text(FRAME_CLUSTER, "this is not a cluster");
		hang();
	}
	if (strcmp(how, "flood-forever") == 0) {
		hear_request();
		for (;;)
			flood(1000);
	}
	if (strcmp(how, "drip") == 0) {
		hear_request();
		for (;;)
			say_text(FRAME_HEALTH, "soon");
	}
	if (strcmp(how, "error") == 0) {
		hear_request();
		say_error(FRAME_ERROR, 3, "slurmctld does not answer");
	}
	if (strcmp(how, "refuse") == 0) {
		hear_request();
		say_error(FRAME_REFUSED, 3, "built for another version");
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "well", *argument = argc > 3 ? argv[3] : "";
	bool misbehave = true;

	if (argc > 2 && strcmp(argv[2], "-") != 0) {
		int fd = open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0600);

		misbehave = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	if (misbehave)
		before_hello(how);
	say_hello();
	if (misbehave)
		after_hello(how, argument);
	serve(misbehave ? how : "well", argument);
	return 0;
}
