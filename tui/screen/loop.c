/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One wait, many reasons to wake: a key, a signal, a new picture, or that something on the screen
 * grew older. Each wake handles all that is there and draws once. Idle costs nothing: without
 * anything that changes with time the wait has no end.
 */
#include "tui/screen/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "tui/panes/pane_alarms.h"
#include "tui/screen/remember.h"
#include "tui/screen/settings.h"
#include "tui/acts/table_save.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

struct loop {
	struct app *app;
	struct term *term;
	struct collector *collector;
	struct maker *maker;
	struct starter *starter;
	struct canvas *canvas;
	int signals;
	const char *name;
	const struct source_ops *ops;
	bool quit, draw;
	bool more;			/* the app has work left */
	int status;
	struct err *err;		/* why it ended by itself */
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void handled_signals(sigset_t *set)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaddset(set, signals[i]);
}

int loop_signals(struct err *err)
{
	sigset_t set;
	int fd;

	handled_signals(&set);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
	    (fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)) < 0) {
		err_set(err, ERR_SOURCE, "signals: %s", strerror(errno));
		return -1;
	}
	return fd;
}

void loop_source_state(const struct collector_status *status, const char *name,
		       const struct source_ops *ops, struct source_state *state)
{
	static const enum source_health health[] = {
		[COLLECTOR_LOADING] = SOURCE_LOADING, [COLLECTOR_GOOD] = SOURCE_GOOD,
		[COLLECTOR_STALE] = SOURCE_STALE, [COLLECTOR_ENDED] = SOURCE_ENDED,
	};

	memset(state, 0, sizeof *state);
	state->health = health[status->state];
	state->live = ops->live;
	state->every_ms = ops->every_ms;
	state->busy = status->busy;
	state->last_good_ms = status->last_good_ms;
	state->next_ms = status->next_ms > 0 ? status->next_ms : 0;
	snprintf(state->name, sizeof state->name, "%s", name);
	snprintf(state->detail, sizeof state->detail, "%s", status->health);
	snprintf(state->problem, sizeof state->problem, "%s", status->problem);
}

/* ---- effects ------------------------------------------------------------------------------- */

static void remember(struct loop *l, bool keep)
{
	struct err err = { .code = ERR_NONE };
	char name[sizeof l->app->workspace];

	snprintf(name, sizeof name, "%s", l->app->workspace);
	if (keep ? !workspace_keep(l->app, name, &err) : !workspace_recall(l->app, name, &err))
		app_say(l->app, ROLE_ERROR, "%s", err.message);
	else
		app_say(l->app, ROLE_MESSAGE, "workspace %s%s", name, keep ? " is kept" : "");
	collector_needs(l->collector, app_needs(l->app));
}


static void apply(struct loop *l, uint32_t effects)
{
	if (effects & APP_QUIT) {
		l->quit = true;
		l->status = app_exit_status(l->app);
	}
	if (effects & APP_THEME)
		term_set_theme(l->term, app_theme(l->app));
	if (effects & APP_MOUSE)
		term_set_mouse(l->term, app_mouse(l->app));
	if (effects & APP_COPY)
		term_copy(l->term, app_copied(l->app));
	if (effects & APP_RING)
		term_ring(l->term, alarms_ring(l->app), alarms_news(l->app));
	if (effects & APP_WRITE) {
		struct err err = { .code = ERR_NONE };
		bool made, done = settings_save(l->app, app_write_path(l->app), &made, &err);
		app_written(l->app, done, made, err.message);
	}
	if (effects & (APP_KEEP | APP_RECALL))
		remember(l, (effects & APP_KEEP) != 0);
	if (effects & APP_SAVE)
		table_save(l->app);
	if (effects & APP_FILE) {
		whatif_files(l->app);
		collector_needs(l->collector, app_needs(l->app));
	}
	if (effects & APP_REDRAW)
		term_repaint(l->term);
	if (effects & APP_FREEZE)
		collector_freeze(l->collector, app_frozen(l->app));
	if (effects & APP_NEEDS)
		collector_needs(l->collector, app_needs(l->app));
	if (effects & APP_EVERY)
		collector_every(l->collector, app_every_ms(l->app));
	if (effects & APP_REFRESH)
		collector_refresh(l->collector);
	if (effects & APP_SEEK)
		collector_seek(l->collector, app_seek_time(l->app));
	if (effects & APP_SURVEY) {
		size_t count;
		uint32_t needs;
		const int64_t *times = app_survey(l->app, &count, &needs);
		collector_survey(l->collector, times, count, needs);
	}
	if (effects & APP_STARTS)
		starter_order(l->starter, start_times_order(l->app));
	l->more = (effects & APP_MORE) != 0;
	if (effects & APP_DRAW)
		l->draw = true;
}

static void send(struct loop *l, struct event *event)
{
	struct picture_order order;
	uint32_t effects;

	event->ms = now_ms();
	event->now = (int64_t)time(NULL);
	effects = app_event(l->app, event);
	order = app_order(l->app);
	maker_order(l->maker, &order);	/* before the source is asked anew */
	apply(l, effects);
}

static void send_size(struct loop *l)
{
	struct event event = { .type = EVENT_RESIZE };

	term_size(l->term, &event.x, &event.y);
	canvas_resize(l->canvas, event.x, event.y);
	send(l, &event);
}

static void draw(struct loop *l)
{
	app_draw(l->app, l->canvas);
	term_draw(l->term, l->canvas);
	l->draw = false;
}

/* ---- signals ------------------------------------------------------------------------------- */

/* Stops as the user's shell expects it: with the default action, and the terminal as it was. */
static void suspend(struct loop *l)
{
	sigset_t set;

	term_suspend(l->term);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);	/* here we stop */
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void resume(struct loop *l)
{
	term_resume(l->term);
	send_size(l);
}

static void handle_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		switch (info.ssi_signo) {
		case SIGWINCH:
			term_resize(l->term);
			send_size(l);
			break;
		case SIGTSTP:
			suspend(l);
			resume(l);
			break;
		case SIGCONT:
			resume(l);
			break;
		default:
			l->quit = true;
			l->status = 128 + (int)info.ssi_signo;
			break;
		}
	}
}

/* ---- source -------------------------------------------------------------------------------- */

/* What is kept in a file stays broken, and nothing has been shown that could stay. */
static void give_up(struct loop *l, const struct collector_status *status)
{
	*l->err = (struct err){ .code = status->code, .line = status->line };
	snprintf(l->err->message, sizeof l->err->message, "%s", status->problem);
	l->status = (int)status->code;
	l->quit = true;
}

static void handle_collector(struct loop *l)
{
	struct collector_status status;
	struct source_state state;
	struct timeline past;
	struct event event = { .type = EVENT_SOURCE, .source = &state };
	struct picture *picture = collector_take(l->collector);

	/* A picture is on the time line before it is shown. */
	if (collector_past(l->collector, &past)) {
		struct event line = { .type = EVENT_PAST, .past = &past };
		send(l, &line);
	}
	collector_status(l->collector, &status);
	if (!l->ops->live && status.state == COLLECTOR_LOADING && status.code == ERR_INPUT) {
		give_up(l, &status);
		return;
	}
	loop_source_state(&status, l->name, l->ops, &state);
	send(l, &event);
	if (picture != NULL) {
		event = (struct event){ .type = EVENT_PICTURE, .picture = picture };
		send(l, &event);
	}
	event = (struct event){ .type = EVENT_LOOK };
	if (collector_looked(l->collector, &event.time, &event.cluster))
		send(l, &event);
}

static void handle_starter(struct loop *l)
{
	struct event event = { .type = EVENT_STARTS, .starts = starter_take(l->starter) };

	if (event.starts != NULL)
		send(l, &event);
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void handle_keys(struct loop *l)
{
	struct event event = { .type = EVENT_KEY };

	while (!l->quit && term_read(l->term, &event)) {
		send(l, &event);
		memset(&event, 0, sizeof event);
	}
	if (term_gone(l->term)) {
		l->quit = true;
		l->status = 128 + SIGHUP;
	}
}

static int timeout(const struct loop *l)
{
	int64_t next = app_next_ms(l->app), left;

	if (l->more)
		return 0;
	if (next < 0)
		return -1;
	left = next - now_ms();
	return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

int loop_run(struct app *app, struct term *term, struct collector *collector, struct maker *maker,
	     struct starter *starter, int signals, const char *name, const struct source_ops *ops,
	     struct err *err)
{
	struct loop l = { .app = app, .term = term, .collector = collector, .maker = maker,
			  .starter = starter, .signals = signals, .name = name, .ops = ops,
			  .err = err };
	struct pollfd fds[4] = {
		{ .fd = STDIN_FILENO, .events = POLLIN }, { .fd = signals, .events = POLLIN },
		{ .fd = collector_fd(collector), .events = POLLIN },
		{ .fd = starter_fd(starter), .events = POLLIN },
	};

	l.canvas = canvas_new(1, 1, app_ascii(app));
	send_size(&l);
	handle_collector(&l);
	while (!l.quit) {
		if (l.draw)
			draw(&l);
		int ready = poll(fds, 4, timeout(&l));
		if (ready < 0 && errno != EINTR)
			break;
		if (ready <= 0) {
			struct event event = { .type = EVENT_TIME };
			send(&l, &event);
			continue;
		}
		if (fds[1].revents != 0)
			handle_signals(&l);
		if (fds[2].revents != 0 && !l.quit)
			handle_collector(&l);
		if (fds[3].revents != 0 && !l.quit)
			handle_starter(&l);
		if (fds[0].revents != 0)
			handle_keys(&l);
	}
	canvas_free(l.canvas);
	return l.status;
}
