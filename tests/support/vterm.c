/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/vterm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

#define LIMIT_MS 60000
#define TAIL_MAX 65536
#define MARK "\033]fairtop\a"		/* written by the tests, not the program */

struct vt {
	int master, slave;		/* the slave stays open: its modes outlive the program */
	pid_t leader, pid;		/* the session's leader, and the program, its child */
	int report;			/* pipe: statuses that the leader got from waitpid() */
	bool ended;
	int status;
	int width, height;
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor, mouse;
	char last[5];			/* bytes */
	bool drawing;			/* between the marks of a frame (mode 2026) */
	size_t frames;			/* complete ones */
	char command[512], ring[512];	/* text of an OSC; the last alert */
	size_t command_length;
	bool in_command;
	size_t marks;
	struct termios before;
	char *text;			/* of vt_screen() */
	char tail[TAIL_MAX];		/* bytes since the alternate screen was left */
	size_t tail_length;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);	/* clock: the cap of a wait */
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void give_up(struct vt *vt, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));
static void give_up(struct vt *vt, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "vterm: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; the screen:\n%s\n", vt_screen(vt));
	vt_free(vt);
	exit(1);
}

/* ---- the terminal -------------------------------------------------------------------------- */

static int set_property(VTermProp property, VTermValue *value, void *context)
{
	struct vt *vt = context;

	if (property == VTERM_PROP_ALTSCREEN)
		vt->alternate = value->boolean != 0;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		vt->cursor = value->boolean != 0;
	return 1;
}

/* libvterm reads only the first of several modes set at once, and the mouse's is not the first. */
static void watch_modes(struct vt *vt, char byte)
{
	memmove(vt->last, vt->last + 1, sizeof(vt->last) - 1);
	vt->last[sizeof(vt->last) - 1] = byte;
	if (memcmp(vt->last, "1000h", 5) == 0 || memcmp(vt->last, "1000l", 5) == 0)
		vt->mouse = byte == 'h';
	if (memcmp(vt->last, "2026h", 5) == 0) {
		vt->drawing = true;
	} else if (memcmp(vt->last, "2026l", 5) == 0) {
		vt->frames += vt->drawing;
		vt->drawing = false;
	}
}

/* An alert is a bell, or a notification: OSC 9 or 777, ended by a bell. */
static void watch_ring(struct vt *vt, char byte)
{
	if (byte == ']' && vt->last[sizeof(vt->last) - 2] == '\033') {
		vt->in_command = true;
		vt->command_length = 0;
	} else if (byte == '\a' && !vt->in_command) {
		snprintf(vt->ring, sizeof(vt->ring), "bell");
	} else if (byte == '\a') {
		vt->in_command = false;
		vt->command[vt->command_length] = '\0';
		vt->marks += strcmp(vt->command, "fairtop") == 0;
		if (strncmp(vt->command, "9;", 2) == 0 || strncmp(vt->command, "777;", 4) == 0)
			memcpy(vt->ring, vt->command, sizeof(vt->ring));
	} else if (vt->in_command && vt->command_length + 1 < sizeof(vt->command)) {
		vt->command[vt->command_length++] = byte;
	}
}

static const VTermScreenCallbacks callbacks = { .settermprop = set_property };

static void feed(struct vt *vt, const char *bytes, size_t length)
{
	/* A byte at a time around the end of the alternate screen, to know what came after it. */
	for (size_t i = 0; i < length; i++) {
		bool before = vt->alternate;
		vterm_input_write(vt->vterm, bytes + i, 1);
		watch_modes(vt, bytes[i]);
		watch_ring(vt, bytes[i]);
		if (before && !vt->alternate)
			vt->tail_length = 0;
		else if (!vt->alternate && vt->tail_length + 1 < sizeof(vt->tail))
			vt->tail[vt->tail_length++] = bytes[i];
	}
	vt->tail[vt->tail_length] = '\0';
}

/*
 * Sends the terminal's answers (cursor position, ...) to the program. libvterm says that it has no
 * mode 2026; this terminal does, to tell a complete frame from the first half of one.
 */
static void answer(struct vt *vt)
{
	char bytes[257];
	size_t n = vterm_output_read(vt->vterm, bytes, sizeof(bytes) - 1);
	char *mode;

	bytes[n] = '\0';
	mode = strstr(bytes, "?2026;0$y");
	if (mode)
		mode[6] = '2';
	vt_type(vt, bytes);
}

/* Reads what arrives within MS; false if nothing does. */
static bool pump(struct vt *vt, int ms)
{
	struct pollfd fd = { .fd = vt->master, .events = POLLIN };
	char bytes[65536];
	ssize_t n;

	if (poll(&fd, 1, ms) <= 0)
		return false;
	n = read(vt->master, bytes, sizeof(bytes));
	if (n <= 0)
		return false;
	feed(vt, bytes, (size_t)n);
	answer(vt);
	return true;
}

/* ---- the program --------------------------------------------------------------------------- */

static void set_environment(const char *const *environment)
{
	static const char *const keep[] = { "PATH",	    "FAIRTOP_BUILD", "FAIRTOP_LIBEXEC",
					    "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS",
					    "HOME",	    "LD_PRELOAD",    "TEST_AHEAD" };
	char *kept[sizeof(keep) / sizeof(keep[0])];

	for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
		const char *value = getenv(keep[i]);
		kept[i] = value ? mem_strdup(value) : NULL;
	}
	clearenv();
	for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
		if (kept[i])
			setenv(keep[i], kept[i], 1);
	}
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("XDG_STATE_HOME", "/dev/null/none", 1);	/* no saved layout */
	for (; *environment; environment++) {
		const char *sign = strchr(*environment, '=');
		if (!sign) {
			unsetenv(*environment);
			continue;
		}
		char *name = mem_strndup(*environment, (size_t)(sign - *environment));
		setenv(name, sign + 1, 1);
	}
}

static void become(const struct vt *vt, const char *const *argv, const char *const *environment)
{
	sigset_t none;

	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	tcsetpgrp(vt->slave, getpid());
	signal(SIGTTOU, SIG_DFL);
	dup2(vt->slave, 0);
	dup2(vt->slave, 1);
	dup2(vt->slave, 2);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	set_environment(environment);
	execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void report(int fd, int number)
{
	ssize_t ignored = write(fd, &number, sizeof(number));

	(void)ignored;
}

/*
 * A shell reduced to its job control: without one in the same session the kernel would not let the
 * program be stopped by its terminal.
 */
static void lead(const struct vt *vt, int out, const char *const *argv,
		 const char *const *environment)
{
	int status;
	pid_t pid;

	setsid();
	ioctl(vt->slave, TIOCSCTTY, 0);
	pid = fork();
	if (pid == 0)
		become(vt, argv, environment);
	report(out, (int)pid);
	signal(SIGHUP, SIG_IGN);
	while (waitpid(pid, &status, WUNTRACED) == pid) {
		report(out, status);
		if (!WIFSTOPPED(status))
			break;
	}
	_exit(0);
}

static void open_pty(struct vt *vt)
{
	struct winsize size = { .ws_col = (unsigned short)vt->width,
				.ws_row = (unsigned short)vt->height };

	vt->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (vt->master < 0 || grantpt(vt->master) != 0 || unlockpt(vt->master) != 0 ||
	    (vt->slave = open(ptsname(vt->master), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
		fprintf(stderr, "vterm: no pseudo-terminal: %s\n", strerror(errno));
		exit(77);
	}
	ioctl(vt->master, TIOCSWINSZ, &size);
	tcgetattr(vt->slave, &vt->before);
}

static void start_leader(struct vt *vt, const char *const *argv, const char *const *environment)
{
	int fds[2], pid = 0;

	if (pipe(fds) != 0)
		exit(77);
	vt->report = fds[0];
	vt->leader = fork();
	if (vt->leader == 0) {
		close(fds[0]);
		fcntl(fds[1], F_SETFD, FD_CLOEXEC);
		lead(vt, fds[1], argv, environment);
	}
	close(fds[1]);
	if (read(vt->report, &pid, sizeof(pid)) != (ssize_t)sizeof(pid))
		exit(77);
	vt->pid = pid;
	fcntl(vt->report, F_SETFL, O_NONBLOCK);
}

struct vt *vt_start(const char *const *argv, const char *const *environment, int width, int height)
{
	struct vt *vt = mem_zalloc(1, sizeof(*vt));

	vt->width = width;
	vt->height = height;
	vt->cursor = true;
	open_pty(vt);
	vt->vterm = vterm_new(height, width);
	vterm_set_utf8(vt->vterm, 1);
	vt->screen = vterm_obtain_screen(vt->vterm);
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_set_callbacks(vt->screen, &callbacks, vt);
	vterm_screen_reset(vt->screen, 1);
	start_leader(vt, argv, environment);
	return vt;
}

void vt_free(struct vt *vt)
{
	if (!vt->ended) {
		kill(vt->pid, SIGCONT);
		kill(vt->pid, SIGKILL);
	}
	waitpid(vt->leader, NULL, 0);
	close(vt->report);
	vterm_free(vt->vterm);
	close(vt->master);
	close(vt->slave);
	mem_free(vt->text);
	mem_free(vt);
}

pid_t vt_pid(const struct vt *vt)
{
	return vt->pid;
}

void vt_type(struct vt *vt, const char *bytes)
{
	size_t length = strlen(bytes);

	while (length > 0) {
		struct pollfd fd = { .fd = vt->master, .events = POLLIN | POLLOUT };
		ssize_t n;

		/* Read the program's output: while it blocks in writing, it does not read keys. */
		if (poll(&fd, 1, LIMIT_MS) > 0 && !(fd.revents & POLLOUT)) {
			pump(vt, 0);
			continue;
		}
		n = write(vt->master, bytes, length);
		if (n < 0)
			give_up(vt, "typing: %s", strerror(errno));
		bytes += n;
		length -= (size_t)n;
	}
}

void vt_resize(struct vt *vt, int width, int height)
{
	struct winsize size = { .ws_col = (unsigned short)width, .ws_row = (unsigned short)height };

	vt->width = width;
	vt->height = height;
	vterm_set_size(vt->vterm, height, width);
	ioctl(vt->master, TIOCSWINSZ, &size);
}

void vt_signal(struct vt *vt, int signal)
{
	kill(vt->pid, signal);
}

/* ---- looking ------------------------------------------------------------------------------- */

static size_t unpainted(struct vt *vt)
{
	size_t found = 0;

	for (int i = 0; i < vt->width * vt->height; i++) {
		VTermPos at = { .row = i / vt->width, .col = i % vt->width };
		VTermScreenCell cell;

		vterm_screen_get_cell(vt->screen, at, &cell);
		found += VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
	}
	return found;
}

const char *vt_screen(struct vt *vt)
{
	size_t capacity = (size_t)vt->width * (size_t)vt->height * 24 + 1, used = 0;

	mem_free(vt->text);
	vt->text = mem_alloc(capacity, 1);
	for (int y = 0; y < vt->height; y++) {
		size_t end = used;
		for (int x = 0; x < vt->width; x++) {
			VTermScreenCell cell;
			VTermPos at = { .row = y, .col = x };
			vterm_screen_get_cell(vt->screen, at, &cell);
			if (cell.chars[0] == (uint32_t)-1)
				continue;	/* the right half of a wide character */
			if (cell.chars[0] == 0) {
				vt->text[used++] = ' ';
				continue;
			}
			for (int i = 0; i < 4 && cell.chars[i] != 0; i++)
				used += utf8_encode(cell.chars[i], vt->text + used);
			end = used;
		}
		used = end;
		vt->text[used++] = '\n';
	}
	vt->text[used] = '\0';
	return vt->text;
}

bool vt_has_text(struct vt *vt, const char *text)
{
	return strstr(vt_screen(vt), text) != NULL;
}

static void wait_for(struct vt *vt, const char *text, bool wanted)
{
	int64_t end = now_ms() + LIMIT_MS;

	/* The first frame may come before the program knows that the terminal has mode 2026. */
	while (pump(vt, 0))
		;
	while (vt->drawing || vt_has_text(vt, text) != wanted) {
		if (now_ms() > end)
			give_up(vt, "waited for %s'%s'", wanted ? "" : "no more ", text);
		pump(vt, 200);
	}
}

void vt_wait_text(struct vt *vt, const char *text)
{
	wait_for(vt, text, true);
}

void vt_wait_no_text(struct vt *vt, const char *text)
{
	wait_for(vt, text, false);
}

const char *vt_ring(const struct vt *vt)
{
	return vt->ring;
}

void vt_wait(struct vt *vt, bool (*is)(const struct vt *vt), bool wanted)
{
	int64_t end = now_ms() + LIMIT_MS;

	while (vt->drawing || is(vt) != wanted) {
		if (now_ms() > end)
			give_up(vt, "waited for another mode of the terminal");
		pump(vt, 200);
	}
}

void vt_wait_unpainted(struct vt *vt, size_t least, size_t most)
{
	int64_t end = now_ms() + LIMIT_MS;
	size_t n;

	while (n = unpainted(vt), vt->drawing || n < least || n > most) {
		if (now_ms() > end)
			give_up(vt, "%zu cells are not painted, wanted %zu to %zu", n, least, most);
		pump(vt, 200);
	}
}

/* (Polling the slave makes the kernel flush what it still buffers.) */
void vt_wait_read(struct vt *vt)
{
	struct pollfd fd = { .fd = vt->slave, .events = POLLIN };
	int64_t end = now_ms() + LIMIT_MS;

	while (poll(&fd, 1, 0) > 0) {
		if (now_ms() > end)
			give_up(vt, "it does not read what is typed");
		pump(vt, 5);
	}
}

/* ---- ending -------------------------------------------------------------------------------- */

/* Prints the kernel's status of a program that does not do what it should. */
static void tell_program(const struct vt *vt)
{
	char path[40], line[200];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)vt->pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "State:", 6) == 0 || strstr(line, "Pnd:") ||
		    strncmp(line, "SigBlk:", 7) == 0)
			fprintf(stderr, "vterm: %s", line);
	}
	if (f)
		fclose(f);
	fprintf(stderr, "vterm: program %d, in the foreground %d\n", (int)vt->pid,
		(int)tcgetpgrp(vt->master));
}

/* Reads all that the program has written, up to a mark that is written behind it. */
static void read_rest(struct vt *vt)
{
	int64_t end = now_ms() + LIMIT_MS;
	size_t marks = vt->marks;

	if (write(vt->slave, MARK, sizeof(MARK) - 1) != (ssize_t)(sizeof(MARK) - 1))
		give_up(vt, "the terminal takes no mark: %s", strerror(errno));
	while (vt->marks == marks) {
		if (now_ms() > end)
			give_up(vt, "waited for all that it has written");
		pump(vt, 200);
	}
	if (!vt->alternate)
		vt->tail[vt->tail_length -= sizeof(MARK) - 1] = '\0';
	vt->drawing = false;		/* it may have been killed in a frame */
}

/* The next status of the program (of waitpid()) that the leader reports. */
static int wait_report(struct vt *vt, const char *what)
{
	int64_t end = now_ms() + LIMIT_MS;
	int status;

	while (read(vt->report, &status, sizeof(status)) != (ssize_t)sizeof(status)) {
		pump(vt, 20);
		if (now_ms() > end) {
			tell_program(vt);
			give_up(vt, "it does not %s", what);
		}
	}
	read_rest(vt);
	return status;
}

int vt_wait_exit(struct vt *vt)
{
	int status;

	if (!vt->ended) {
		status = wait_report(vt, "end");
		vt->ended = true;
		vt->status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
	}
	return vt->status;
}

void vt_wait_stopped(struct vt *vt)
{
	int status = wait_report(vt, "stop");

	if (!WIFSTOPPED(status)) {
		vt->ended = true;
		give_up(vt, "it ended and did not stop");
	}
}

bool vt_alternate(const struct vt *vt)
{
	return vt->alternate;
}

bool vt_cursor_visible(const struct vt *vt)
{
	return vt->cursor;
}

size_t vt_frames(const struct vt *vt)
{
	return vt->frames;
}

bool vt_mouse(const struct vt *vt)
{
	return vt->mouse;
}

bool vt_modes_restored(struct vt *vt)
{
	struct termios now;

	memset(&now, 0, sizeof(now));
	tcgetattr(vt->slave, &now);
	return now.c_iflag == vt->before.c_iflag && now.c_oflag == vt->before.c_oflag &&
	       now.c_cflag == vt->before.c_cflag && now.c_lflag == vt->before.c_lflag &&
	       memcmp(now.c_cc, vt->before.c_cc, sizeof(now.c_cc)) == 0;
}

const char *vt_since_alternate(const struct vt *vt)
{
	return vt->tail;
}
