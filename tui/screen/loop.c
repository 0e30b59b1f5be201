/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop waits for: a key, a signal, a new picture, or the time at which something on the screen
 * gets older. Each wake handles everything that is ready and draws once. If nothing changes with
 * time, the wait has no timeout, so an idle screen uses no CPU.
 */
#include "tui/screen/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/mem.h"
#include "tui/panes/pane_alarms.h"
#include "tui/rows/overview.h"
#include "tui/screen/remember.h"
#include "tui/screen/settings.h"
#include "tui/acts/table_save.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define PICTURE_MS 25		/* that a frame waits for its picture */

struct loop {
	struct app *app;		/* of AT; receives the keys */
	struct showing *at;		/* BASE, or the cluster opened from it */
	struct showing *base, opened;
	const struct loop_fleet *fleet;	/* of BASE; NULL: not an overview */
	struct term *term;
	struct canvas *canvas;
	struct theme theme;		/* the app's settings that the terminal has */
	bool mouse;
	int signals;
	bool quit, draw;
	bool more;			/* the app has work left */
	int status;
	struct err *err;		/* why the loop ended by itself */
};

static void handled_signals(sigset_t *set)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT };

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

/* Never runs: the signal is blocked and read from loop_signals(). */
static void loop_reads_signal(int number)
{
	(void)number;
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
	/*
	 * curses ignores SIGTSTP while it draws if the action is the default when it starts. That
	 * would discard a Ctrl-Z which waits to be read.
	 */
	signal(SIGTSTP, loop_reads_signal);
	return fd;
}

void loop_source_state(const struct collector_status *status, const char *name,
		       const struct source_ops *ops, struct source_state *state)
{
	static const enum source_health health[] = {
		[COLLECTOR_LOADING] = SOURCE_LOADING, [COLLECTOR_GOOD] = SOURCE_GOOD,
		[COLLECTOR_STALE] = SOURCE_STALE, [COLLECTOR_ENDED] = SOURCE_ENDED,
	};

	memset(state, 0, sizeof(*state));
	state->health = health[status->state];
	state->live = ops->live;
	state->every_ms = ops->every_ms;
	state->busy = status->busy;
	state->last_good_ms = status->last_good_ms;
	state->next_ms = status->next_ms > 0 ? status->next_ms : 0;
	snprintf(state->name, sizeof(state->name), "%s", name);
	snprintf(state->detail, sizeof(state->detail), "%s", status->health);
	snprintf(state->problem, sizeof(state->problem), "%s", status->problem);
}

bool showing_begin(struct showing *s, struct app *app, struct source *source, struct err *err)
{
	struct picture_order order = app_order(app);
	struct collector_maker making;

	*s = (struct showing){ .app = app, .ops = source->ops, .maker = maker_new(&order) };
	snprintf(s->name, sizeof(s->name), "%s", source->name);
	making = maker_for_collector(s->maker);
	s->collector = collector_new_making(source, app_needs(app), app_every_ms(app), &making,
					    err);
	for (int i = 0; s->collector && i < WORKS; i++) {
		s->workers[i] = worker_new(works[i], err);
		if (!s->workers[i])
			showing_end(s);
	}
	return s->collector != NULL;
}

void showing_end(struct showing *s)
{
	for (int i = 0; i < WORKS; i++)
		worker_free(s->workers[i]);
	collector_free(s->collector);
	*s = (struct showing){ .app = NULL };
}

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned count;			/* threads that end a cluster */
} leaving = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };

static void *end_left(void *argument)
{
	struct showing *s = argument;

	showing_end(s);
	mem_free(s);
	pthread_mutex_lock(&leaving.lock);
	leaving.count--;
	pthread_cond_broadcast(&leaving.changed);
	pthread_mutex_unlock(&leaving.lock);
	return NULL;
}

void showing_leave(struct showing *s)
{
	struct showing *own = mem_alloc(1, sizeof(*own));
	pthread_t thread;

	*own = *s;
	*s = (struct showing){ .app = NULL };
	pthread_mutex_lock(&leaving.lock);
	leaving.count++;
	pthread_mutex_unlock(&leaving.lock);
	if (pthread_create(&thread, NULL, end_left, own) == 0)
		pthread_detach(thread);
	else
		(void)end_left(own);
}

void showings_wait(void)
{
	pthread_mutex_lock(&leaving.lock);
	while (leaving.count > 0)
		pthread_cond_wait(&leaving.changed, &leaving.lock);
	pthread_mutex_unlock(&leaving.lock);
}

/* ---- errands ------------------------------------------------------------------------------- */

static void loop_remember(struct app *a, bool keep)
{
	struct err err = { .code = ERR_NONE };
	char name[sizeof(a->workspace)];

	snprintf(name, sizeof(name), "%s", a->workspace);
	if (keep ? !workspace_keep(a, name, &err) : !workspace_recall(a, name, &err))
		app_say(a, ROLE_ERROR, "%s", err.message);
	else
		app_say(a, ROLE_MESSAGE, "workspace %s%s", name, keep ? " is saved" : "");
}

static void do_errand(struct app *a)
{
	struct err err = { .code = ERR_NONE };
	bool made, done;

	switch (a->errand) {
	case ERRAND_SETTINGS:
		done = settings_save(a, app_write_path(a), &made, &err);
		app_written(a, done, made, err.message);
		break;
	case ERRAND_KEEP:
	case ERRAND_RECALL:
		loop_remember(a, a->errand == ERRAND_KEEP);
		break;
	case ERRAND_RESET:
		if (!remember_nothing(a, &err))
			app_say(a, ROLE_ERROR, "%s", err.message);
		break;
	case ERRAND_TABLE:
		table_save(a);
		break;
	case ERRAND_EDITS:
		whatif_files(a);
		break;
	case ERRAND_NONE:
		break;
	}
}

/* ---- overview to cluster, and back ----------------------------------------------------------- */

static void send_size(struct loop *l);
static void handle_collector(struct loop *l);

/* Shows the other app; the terminal follows with the event. */
static void turn_to(struct loop *l, struct showing *s)
{
	l->at = s;
	l->app = s->app;
	l->more = false;
	l->canvas->ascii = app_ascii(l->app);
	term_repaint(l->term);
	send_size(l);
}

static void open_row(struct loop *l)
{
	uint32_t row = l->app->overview->open;
	struct err err = { .code = ERR_NONE };
	struct source *source = clusters_open(l->fleet->clusters, row, &err);
	struct app *app = source ? l->fleet->open(l->fleet->context, row, &err) : NULL;

	if (!app) {
		source_close(source);
		app_say(l->app, ROLE_ERROR, "%s", err.message);
	} else if (!showing_begin(&l->opened, app, source, &err)) {
		l->fleet->close(l->fleet->context, app);
		app_say(l->app, ROLE_ERROR, "%s", err.message);
	} else {
		turn_to(l, &l->opened);
		handle_collector(l);
	}
}

static void close_row(struct loop *l)
{
	struct app *app = l->opened.app;

	showing_leave(&l->opened);
	turn_to(l, l->base);
	l->fleet->close(l->fleet->context, app);
}

/* ---- what the app asks for ------------------------------------------------------------------- */

/* Gives the app's settings to the terminal and the readers. */
static void loop_follow(struct loop *l)
{
	const struct app *a = l->app;
	struct collector *c = l->at->collector;

	if (memcmp(app_theme(a), &l->theme, sizeof(l->theme)) != 0) {
		l->theme = *app_theme(a);
		term_set_theme(l->term, &l->theme);
	}
	if (app_mouse(a) != l->mouse) {
		l->mouse = app_mouse(a);
		term_set_mouse(l->term, l->mouse);
	}
	if (!c) {
		clusters_freeze(l->fleet->clusters, app_frozen(a));
		return;
	}
	collector_freeze(c, app_frozen(a));
	collector_needs(c, app_needs(a));
	collector_every(c, app_every_ms(a));
}

static void apply_to_terminal(struct loop *l, uint32_t effects)
{
	if (effects & APP_QUIT) {
		l->quit = true;
		l->status = app_exit_status(l->app);
	}
	if (effects & APP_COPY)
		term_copy(l->term, app_copied(l->app));
	if (effects & APP_RING)
		term_ring(l->term, alarms_ring(l->app), alarms_news(l->app));
	if (effects & APP_REDRAW)
		term_repaint(l->term);
	l->more = (effects & APP_MORE) != 0;
	l->draw = true;
}

static void apply_to_readers(struct loop *l, uint32_t effects)
{
	const struct showing *s = l->at;

	if (effects & APP_REFRESH)
		collector_refresh(s->collector);
	if (effects & APP_SEEK)
		collector_seek(s->collector, app_seek_time(l->app));
	if (effects & APP_SURVEY) {
		size_t count;
		uint32_t needs;
		const int64_t *times = app_survey(l->app, &count, &needs);
		collector_survey(s->collector, times, count, needs);
	}
	for (int i = 0; i < WORKS; i++) {
		void *order = works[i]->order(l->app);

		if (order)
			worker_order(s->workers[i], order);
	}
}

static void loop_apply(struct loop *l, uint32_t effects)
{
	do_errand(l->app);
	loop_follow(l);
	apply_to_terminal(l, effects);
	if (l->at->collector)
		apply_to_readers(l, effects);
	else if (effects & APP_REFRESH)
		clusters_refresh(l->fleet->clusters);
	if (effects & APP_OPEN)
		open_row(l);
	if (effects & APP_BACK)
		close_row(l);
}

static void loop_send(struct loop *l, struct event *event)
{
	struct picture_order order;
	uint32_t effects;

	event->ms = clock_ms();
	event->now = clock_time();
	effects = app_event(l->app, event);
	order = app_order(l->app);
	if (l->at->maker)
		maker_order(l->at->maker, &order);	/* before the source is read again */
	loop_apply(l, effects);
}

static void send_size(struct loop *l)
{
	struct event event = { .type = EVENT_RESIZE };

	term_size(l->term, &event.x, &event.y);
	canvas_resize(l->canvas, event.x, event.y);
	loop_send(l, &event);
}

/* ---- signals ------------------------------------------------------------------------------- */

/* Stops as the user's shell expects: with the default action, and the terminal restored. */
static void loop_suspend(struct loop *l)
{
	sigset_t set;

	term_suspend(l->term);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);	/* the process stops here */
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGTSTP, loop_reads_signal);
}

static void loop_resume(struct loop *l)
{
	term_resume(l->term);
	send_size(l);
}

static void handle_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGWINCH:
			term_resize(l->term);
			send_size(l);
			break;
		case SIGTSTP:
			loop_suspend(l);
			loop_resume(l);
			break;
		case SIGCONT:
			loop_resume(l);
			break;
		default:
			l->quit = true;
			l->status = 128 + (int)info.ssi_signo;
			break;
		}
	}
}

/* ---- source -------------------------------------------------------------------------------- */

/* A saved file stays broken, and there is nothing on the screen to keep. */
static void loop_give_up(struct loop *l, const struct collector_status *status)
{
	if (l->at != l->base) {
		close_row(l);
		app_say(l->app, ROLE_ERROR, "%s", status->problem);
		return;
	}
	*l->err = (struct err){ .code = status->code, .line = status->line };
	snprintf(l->err->message, sizeof(l->err->message), "%s", status->problem);
	l->status = (int)status->code;
	l->quit = true;
}

static void handle_collector(struct loop *l)
{
	struct collector_status status;
	struct source_state state;
	struct timeline past;
	struct event event = { .type = EVENT_SOURCE, .source = &state };
	struct picture *picture = collector_take(l->at->collector, &status);

	/* A picture must be on the time line before it is shown. */
	if (collector_past(l->at->collector, &past)) {
		struct event line = { .type = EVENT_PAST, .past = &past };
		loop_send(l, &line);
	}
	if (!l->at->ops->live && status.state == COLLECTOR_LOADING && status.code == ERR_INPUT) {
		picture_free(picture);
		loop_give_up(l, &status);
		return;
	}
	loop_source_state(&status, l->at->name, l->at->ops, &state);
	loop_send(l, &event);
	if (picture) {
		event = (struct event){ .type = EVENT_PICTURE, .picture = picture };
		loop_send(l, &event);
	}
	event = (struct event){ .type = EVENT_LOOK };
	if (collector_looked(l->at->collector, &event.time, &event.cluster))
		loop_send(l, &event);
}

static void handle_worker(struct loop *l, int i)
{
	struct event event = { .type = EVENT_ANSWER, .work = works[i],
			       .answer = worker_take(l->at->workers[i]) };

	if (event.answer)
		loop_send(l, &event);
}

/*
 * A what-if of most clusters is made so soon that its picture can be in the frame that answers the
 * key.
 */
static void loop_await_picture(struct loop *l)
{
	struct worker *maker = l->at->workers[WORK_PICTURES];
	struct pollfd fd = { .fd = worker_fd(maker), .events = POLLIN };

	if (maker && whatif_waits(l->app) && poll(&fd, 1, PICTURE_MS) > 0)
		handle_worker(l, WORK_PICTURES);
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void handle_keys(struct loop *l)
{
	struct event event = { .type = EVENT_KEY };

	while (!l->quit && term_read(l->term, &event)) {
		loop_send(l, &event);
		loop_await_picture(l);	/* the next key may be about it */
		memset(&event, 0, sizeof(event));
	}
	if (term_gone(l->term)) {
		l->quit = true;
		l->status = 128 + SIGHUP;
	}
}

static int loop_timeout(const struct loop *l)
{
	int64_t next = app_next_ms(l->app), left;

	if (l->more)
		return 0;
	if (next < 0)
		return -1;
	left = next - clock_ms();
	return left < 0 ? 0 : left > 3600000 ? 3600000 : (int)left;
}

/* Handles news of the overview's sources, whatever is on the screen. */
static void handle_fleet(struct loop *l)
{
	struct event event = { .type = EVENT_FLEET };
	struct fleet_news news;
	uint32_t effects;

	clusters_drain(l->fleet->clusters);
	while (clusters_next(l->fleet->clusters, &news)) {
		event.news = &news;
		event.ms = clock_ms();
		event.now = clock_time();
		effects = app_event(l->base->app, &event);
		if (l->at == l->base)
			loop_apply(l, effects);
	}
}

enum { FD_KEYS, FD_SIGNALS, FD_COLLECTOR, FD_FLEET, FD_WORKERS, FDS = FD_WORKERS + WORKS };

/* Waits for an event; 0: timeout, -1: error. */
static int loop_wait_for(struct loop *l, struct pollfd fds[FDS])
{
	const bool one = l->at->collector != NULL;

	fds[FD_KEYS].fd = STDIN_FILENO;
	fds[FD_SIGNALS].fd = l->signals;
	fds[FD_COLLECTOR].fd = one ? collector_fd(l->at->collector) : -1;
	fds[FD_FLEET].fd = l->fleet ? clusters_fd(l->fleet->clusters) : -1;
	for (int i = 0; i < WORKS; i++)
		fds[FD_WORKERS + i].fd = one ? worker_fd(l->at->workers[i]) : -1;
	for (int i = 0; i < FDS; i++)
		fds[i].events = POLLIN;
	return poll(fds, FDS, loop_timeout(l));
}

/* One wait, and the handling of its events. */
static bool loop_turn(struct loop *l)
{
	struct pollfd fds[FDS];
	int ready = loop_wait_for(l, fds);

	if (ready < 0 && errno != EINTR)
		return false;
	if (ready <= 0) {
		struct event event = { .type = EVENT_TIME };
		loop_send(l, &event);
		return true;
	}
	if (fds[FD_SIGNALS].revents != 0)
		handle_signals(l);
	if (fds[FD_COLLECTOR].revents != 0 && !l->quit && l->at->collector)
		handle_collector(l);
	for (int i = 0; i < WORKS; i++) {
		if (fds[FD_WORKERS + i].revents != 0 && !l->quit && l->at->workers[i])
			handle_worker(l, i);
	}
	if (fds[FD_FLEET].revents != 0 && !l->quit && l->fleet)
		handle_fleet(l);
	if (fds[FD_KEYS].revents != 0)
		handle_keys(l);
	return true;
}

int loop_run(struct showing *s, const struct loop_fleet *fleet, struct term *term, int signals,
	     struct err *err)
{
	struct loop l = { .app = s->app, .at = s, .base = s, .fleet = fleet, .term = term,
			  .signals = signals, .err = err, .theme = *app_theme(s->app),
			  .mouse = app_mouse(s->app) };
	bool goes_on = true;

	l.canvas = canvas_new(1, 1, app_ascii(s->app));
	send_size(&l);
	if (s->collector)
		handle_collector(&l);
	while (!l.quit && goes_on) {
		if (l.draw) {
			loop_await_picture(&l);
			app_draw(l.app, l.canvas);
			term_draw(l.term, l.canvas);
			l.draw = false;
		}
		goes_on = loop_turn(&l);
	}
	if (l.at != l.base)
		close_row(&l);
	canvas_free(l.canvas);
	return l.status;
}
