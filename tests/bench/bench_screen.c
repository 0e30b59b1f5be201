/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen: a full frame, a refresh in which 5 % of the cells change, one in which nothing does,
 * a key press at 50,000 accounts and at 100,000 jobs, each key at 100,000 of both, and the time
 * from start to the first frame.
 *
 * The terminal is a pseudo-terminal whose other end is read by a thread, as by a fast terminal. The
 * time to the first frame is compared with that of starting this program itself, which is linked
 * with the same libraries, and ending at once.
 */
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/screen/maker.h"
#include "tui/screen/worker.h"
#include "tui/screen/screen.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/cells/keys.h"
#include "tui/cells/term.h"
#include "tests/bench/bench.h"

#define WIDTH 200
#define HEIGHT 60
#define ACCOUNTS "demo:1,accounts=50000,users=50000"
#define JOBS "demo:1,jobs=130000"	/* pending tasks of an array are one row */
#define LARGE "demo:1,accounts=10000,users=90000,jobs=130000"
#define ROWS_TRIED 12
#define SLICES_TRIED 40			/* of a computation, before Esc ends it */
#define FRAMES 200
#define PRESSES 2000
#define STARTS 31

static int master;
static _Atomic unsigned long received;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of this thread: the cost of a key without that of other programs. */
static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double q)
{
	qsort(values, count, sizeof(*values), ascending);
	return values[(size_t)(q * (double)(count - 1))];
}

/* ---- a terminal ---------------------------------------------------------------------------- */

static void *drain(void *context)
{
	char bytes[65536];
	ssize_t n;

	(void)context;
	while ((n = read(master, bytes, sizeof(bytes))) > 0)
		atomic_fetch_add(&received, (unsigned long)n);
	return NULL;
}

static void enter_pty(void)
{
	struct winsize size = { .ws_col = WIDTH, .ws_row = HEIGHT };
	pthread_t thread;
	int slave;

	bench_report = fdopen(dup(STDOUT_FILENO), "w");
	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (!bench_report || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		exit(77);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	ioctl(master, TIOCSWINSZ, &size);
	dup2(slave, STDIN_FILENO);
	dup2(slave, STDOUT_FILENO);
	pthread_create(&thread, NULL, drain, NULL);
	pthread_detach(thread);
}

/* Returns the number of bytes received, once no more arrive. */
static unsigned long bytes_so_far(void)
{
	unsigned long last;

	do {
		last = atomic_load(&received);
		usleep(2000);	/* clock: what a terminal takes has no end to wait for */
	} while (atomic_load(&received) != last);
	return last;
}

/* ---- frames -------------------------------------------------------------------------------- */

struct stage {
	struct app *app;
	struct canvas *canvas;
	struct term *term;
	struct worker *maker;
	int64_t ms;
};

/* What the maker's thread does is not counted; showing its picture is. */
static void send(struct stage *s, struct event *event)
{
	struct event made = { .type = EVENT_ANSWER, .work = &maker_work };
	struct pollfd fd = { .fd = worker_fd(s->maker), .events = POLLIN };
	void *order;

	event->ms = s->ms;
	event->now = s->ms / 1000;
	app_event(s->app, event);
	order = maker_work.order(s->app);
	if (!order)
		return;
	worker_order(s->maker, order);
	poll(&fd, 1, -1);
	made.answer = worker_take(s->maker);
	send(s, &made);
}

/*
 * A refresh, in the parts of its two threads: one makes the picture; the other, which reads the
 * keys, shows it. Only the second part can delay a key.
 */
static void refresh(struct stage *s, const char *what, bool tells)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct picture_order order = app_order(s->app);
	struct event event = { .type = EVENT_PICTURE };
	struct source *source = source_open(what, NULL);
	struct cluster *cluster;
	double start, made, shown;

	if (!source || source_fetch(source, &request, &cluster, NULL) != FETCH_NEW)
		exit(77);
	start = cpu_s();
	event.picture = picture_new(cluster, &order);
	made = cpu_s();
	send(s, &event);
	app_draw(s->app, s->canvas);
	shown = cpu_s();
	source_close(source);
	if (!tells)
		return;
	bench_judge((shown - made) * 1e3, "ms", 16, "a refresh of %u associations and %u jobs, the "
		    "part that a key may wait for (made in its thread in %.1f ms)",
		    cluster_rows(cluster, TABLE_ASSOC), cluster_rows(cluster, TABLE_JOB),
		    (made - start) * 1e3);
}

static void open_stage(struct stage *s, const char *what)
{
	struct event event = { .type = EVENT_RESIZE, .x = WIDTH, .y = HEIGHT };
	struct screen_options o;
	struct err err = { 0 };

	screen_options_init(&o);
	s->maker = worker_new(&maker_work, &err);
	if (!s->maker)
		exit(77);
	s->app = app_new(NULL);
	app_options(s->app, &o, NULL);
	s->canvas = canvas_new(WIDTH, HEIGHT, false);
	s->term = term_open(DEPTH_256, &err);
	if (!s->term) {
		fprintf(bench_report, "skipped: %s\n", err.message);
		exit(77);
	}
	term_set_theme(s->term, app_theme(s->app));
	send(s, &event);
	refresh(s, what, false);
	refresh(s, what, true);
}

static void close_stage(struct stage *s)
{
	term_close(s->term);
	worker_free(s->maker);
	app_free(s->app);
	canvas_free(s->canvas);
}

static void press(struct stage *s, uint32_t key)
{
	struct event event = { .type = EVENT_KEY, .key = key };

	s->ms += 10;
	send(s, &event);
	app_draw(s->app, s->canvas);
	term_draw(s->term, s->canvas);
}

static void bench_frames(struct stage *s)
{
	double times[FRAMES];
	unsigned long bytes;

	for (size_t i = 0; i < FRAMES; i++) {
		double start = now_s();
		term_repaint(s->term);
		app_draw(s->app, s->canvas);
		term_draw(s->term, s->canvas);
		times[i] = (now_s() - start) * 1e3;
	}
	bench_judge(quantile(times, FRAMES, 0.5), "ms", 2, "a full frame of 200x60");
	bytes = bytes_so_far();
	for (size_t i = 0; i < FRAMES; i++) {
		double start = now_s();
		app_draw(s->app, s->canvas);
		term_draw(s->term, s->canvas);
		times[i] = (now_s() - start) * 1e3;
	}
	bench_judge(quantile(times, FRAMES, 0.5), "ms", 2, "the same frame again");
	bench_judge((double)(bytes_so_far() - bytes), "bytes", 0, "sent for it");
}

/* Changes 5 % of the cells to other digits, in runs of five, as numbers change. */
static void disturb(struct canvas *c, unsigned turn)
{
	for (int y = 3; y < c->height - 2; y++) {
		for (int x = 40; x + 5 <= c->width; x += 100) {
			for (int i = 0; i < 5; i++) {
				struct cell *cell = c->cells + (size_t)y * (size_t)c->width + x + i;
				cell->text[0] = (char)('0' + (turn + (unsigned)(x + i + y)) % 10);
				cell->text[1] = '\0';
			}
		}
	}
}

static void bench_changes(struct stage *s)
{
	double times[FRAMES];
	unsigned long bytes = bytes_so_far();

	for (size_t i = 0; i < FRAMES; i++) {
		app_draw(s->app, s->canvas);
		disturb(s->canvas, (unsigned)i);
		double start = now_s();
		term_draw(s->term, s->canvas);
		times[i] = (now_s() - start) * 1e3;
	}
	bytes = (bytes_so_far() - bytes) / FRAMES;
	bench_judge(quantile(times, FRAMES, 0.5), "ms", 2, "5 %% of the cells change");
	bench_judge((double)bytes, "bytes", 3072, "sent for them");
}

static double took[PRESSES];	/* by press_all(), ms of CPU */

static void press_all(struct stage *s, const uint32_t *keys, size_t count)
{
	for (size_t i = 0; i < PRESSES; i++) {
		double start = cpu_s();

		press(s, keys[i % count]);
		took[i] = (cpu_s() - start) * 1e3;
	}
}

static void judge_keys(double quantile_of, const char *what)
{
	bench_judge(quantile(took, PRESSES, quantile_of), "ms", 16, "%s", what);
}

/* Typical keys, including folds and searches; the 99th percentile counts. */
static void bench_keys(struct stage *s)
{
	static const uint32_t keys[] = {
		'j', 'j', 'j', KEYS_PGDN,  'l',	       'j', 'k', 'h', KEYS_END, KEYS_HOME,
		'J', '*', 'j', KEYS_PGDN,  KEYS_PGDN,  ' ', 'G', 'k', 'p',	'n',
		'+', '-', '-', KEYS_ENTER, 'j',	       'j', 'q', '5', '1',	'L',
		'H', '/', 'u', '1',	   KEYS_ENTER, 'n', 'N', 'o', 'o',
	};

	press_all(s, keys, sizeof(keys) / sizeof(keys[0]));
	judge_keys(0.5, "a key press at 50,000 accounts, median");
	judge_keys(0.99, "a key press at 50,000 accounts, 99th percentile");
}

/* Command palette: types and deletes a word; each letter searches all names again. */
static void bench_palette(struct stage *s, const char *what)
{
	static const uint32_t keys[] = {
		'p' & 0x1f, 'u', 's', '1', '2', KEYS_BACKSPACE, 'z', 'q', KEYS_BACKSPACE,
		KEYS_BACKSPACE, KEYS_BACKSPACE, 'e', 'r', KEYS_DOWN, KEYS_ESC,
	};
	char text[80];

	press_all(s, keys, sizeof(keys) / sizeof(keys[0]));
	snprintf(text, sizeof(text), "a key in the palette at %s, 99th percentile", what);
	judge_keys(0.99, text);
}

/* The inspector follows the cursor to another row with each key. */
static void bench_inspector(struct stage *s)
{
	static const uint32_t keys[] = { 'j', 'j', KEYS_PGDN, 'k', KEYS_END, 'k', KEYS_HOME, 'j' };

	press_all(s, keys, sizeof(keys) / sizeof(keys[0]));
	judge_keys(0.99, "key to frame at 50,000 accounts, inspector on, 99th percentile");
}

/*
 * The same in the queue: moves, searches what exists and what does not, sorts both ways by numbers
 * and by texts, filters by a column and by any text, opens details.
 */
static void bench_jobs(struct stage *s)
{
	static const uint32_t keys[] = {
		'j', 'j', KEYS_PGDN, KEYS_PGDN, 'j', 'G', 'k', 'g', KEYS_ENTER, 'j', 'j', KEYS_PGDN,
		KEYS_ENTER, '/', 'a', 'l', KEYS_ENTER, 'n', 'n', 'N', '>', 'j', 'I', KEYS_PGDN, '<',
		'%', '%', '%', 'f', 'c', 'p', 'u', 's', '>', '8', KEYS_ENTER, 'j', KEYS_PGDN, 'I',
		'f', KEYS_BACKSPACE, KEYS_BACKSPACE, KEYS_BACKSPACE, KEYS_BACKSPACE, KEYS_BACKSPACE,
		KEYS_BACKSPACE, KEYS_ENTER, 'I', 'j', ' ', 'j', 'C', 'q', 'U', 'F', 'j', 'F',
		'L', 'H', '/', 'z', 'q', KEYS_ENTER, 'n', 'f', 'n', 'o', 'z', KEYS_ENTER, 'f',
		KEYS_BACKSPACE, KEYS_BACKSPACE, KEYS_BACKSPACE, KEYS_ENTER, KEYS_HOME, '>', 'j',
		'>', KEYS_PGDN, '>', 'I', '>', '>', '<', '<', '<', '<', 'I', '<', '*', 'j', '+',
	};
	double start = cpu_s();

	press(s, '2');
	bench_judge((cpu_s() - start) * 1e3, "ms", 50, "opening the queue of %u jobs",
		    s->app->sheets[VIEW_JOBS].list.now.view.rows);
	press_all(s, keys, sizeof(keys) / sizeof(keys[0]));
	judge_keys(0.5, "a key press at 100,000 jobs, median");
	judge_keys(0.99, "a key press at 100,000 jobs, 99th percentile");
	bench_judge(took[PRESSES - 1], "ms", 50, "a key press at 100,000 jobs, the slowest");
}

/*
 * Times each key that does more than move, on several rows of the view, including the first opening
 * of a view; the worst counts. If the work is done in slices, a key waits for one slice.
 */
static void press_worst(struct stage *s, uint32_t key, double *worst)
{
	struct event slice = { .type = EVENT_TIME };
	double start = cpu_s(), ms;
	int slices = 0;

	press(s, key);
	do {
		ms = (cpu_s() - start) * 1e3;
		*worst = ms > *worst ? ms : *worst;
		start = cpu_s();
		send(s, &slice);
		app_draw(s->app, s->canvas);
		term_draw(s->term, s->canvas);
	} while ((s->app->effects & APP_MORE) != 0 && ++slices < SLICES_TRIED);
}

/* Presses VIEW's key, moves down some rows, presses KEYS, of which the last is timed, then Esc. */
static void try_keys(struct stage *s, char view, const char *keys)
{
	double worst = 0;
	char what[80];

	for (uint32_t row = 0; row < ROWS_TRIED; row++) {
		press(s, (uint32_t)view);
		press(s, KEYS_HOME);
		for (uint32_t k = 0; k < 3 * row; k++)
			press(s, 'j');
		for (const char *key = keys; *key != '\0'; key++) {
			if (key[1] == '\0')
				press_worst(s, (uint32_t)*key, &worst);
			else
				press(s, (uint32_t)*key);
		}
		press(s, KEYS_ESC);
		press(s, KEYS_ESC);
	}
	snprintf(what, sizeof(what), "%c, then %.*s%s", view, (int)strcspn(keys, "\r"), keys,
		 strchr(keys, '\r') ? " Enter" : "");
	bench_judge(worst, "ms", 50, "%s", what);
}

static void bench_each_key(struct stage *s)
{
	static const struct { char view; const char *keys; } single[] = {
		{ '1', "2345136dDOwCMeiVTX`\r" }, { '2', "2456dDOwCMe%TcvE\r" },
		{ '4', "46eEXC" }, { '5', "5e6Db" },
	};
	static const char *const lines[] = {
		"1R0.9\r", "2R1\r", "2:what-if\r", "2:edit weight.fairshare = 70%\r",
		"1:edit usage = 0\r", "2:movers\r",
	};

	fprintf(bench_report, "each key at 100,000 associations x 100,000 jobs, CPU time, "
		"the worst of %d\n", ROWS_TRIED);
	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++) {
		for (const char *key = single[i].keys; *key != '\0'; key++) {
			const char keys[2] = { *key, '\0' };

			try_keys(s, single[i].view, keys);
		}
	}
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		try_keys(s, lines[i][0], lines[i] + 1);
}

/* ---- starting ------------------------------------------------------------------------------ */

static double run_once(char *const *argv, int in)
{
	double start = now_s();
	posix_spawn_file_actions_t actions;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", in, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) != 0)
		exit(77);
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, &status, 0);
	return now_s() - start;
}

static void bench_start(char *self)
{
	const char *build = getenv("FAIRTOP_BUILD");
	char program[4096];
	char *empty[] = { self, (char *)"--empty", NULL };
	char *first[] = { program, (char *)"demo:1", (char *)"--render", (char *)"120x40", NULL };
	double empty_times[STARTS], first_times[STARTS], ratio;

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	for (size_t i = 0; i < STARTS; i++) {
		empty_times[i] = run_once(empty, O_RDONLY);
		first_times[i] = run_once(first, O_RDONLY);
	}
	ratio = quantile(first_times, STARTS, 0.5) / quantile(empty_times, STARTS, 0.5);
	bench_judge(ratio, "times", 6,
		    "start to the first frame of the demo %.2f ms, an empty program %.2f ms",
		    quantile(first_times, STARTS, 0.5) * 1e3,
		    quantile(empty_times, STARTS, 0.5) * 1e3);
}

int main(int argc, char **argv)
{
	struct stage stage = { .ms = 1000 };

	if (argc > 1 && strcmp(argv[1], "--empty") == 0)
		return 0;
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TERM", "xterm-256color", 1);
	enter_pty();
	open_stage(&stage, ACCOUNTS);
	press(&stage, '*');	/* unfold all, so that every line is full */
	bench_frames(&stage);
	bench_changes(&stage);
	bench_inspector(&stage);
	bench_palette(&stage, "50,000 accounts");
	bench_keys(&stage);
	close_stage(&stage);
	open_stage(&stage, JOBS);
	bench_jobs(&stage);
	bench_palette(&stage, "100,000 jobs");
	close_stage(&stage);
	open_stage(&stage, LARGE);
	bench_each_key(&stage);
	close_stage(&stage);
	bench_start(argv[0]);
	return 0;
}
