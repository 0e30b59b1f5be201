/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/mem.h"
#include "tui/cells/keys.h"

#define ESC_DELAY_MS 25
#define ANSWER_SECONDS 2
#define ANSWER_MS 100		/* ... and for the end of a program that has just begun */
#define PAIRS_MAX 1024
#define RUN_MAX 4096

/* DEC private mode 2026: output between its marks is shown at once. */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
#define SYNC_ASK "\033[?2026$p"
/* Terminal input defined as curses keys: answers, and both ends of a paste. */
enum { KEY_SYNC_NONE = KEY_MAX + 1, KEY_SYNC, KEY_PASTE, KEY_PASTE_END };

struct look {
	attr_t attrs;
	int pair;
};

struct term {
	SCREEN *screen;
	FILE *out;
	int width, height;
	bool gone, suspended;
	int screen_fd, frame_fd;	/* the terminal, and a frame's buffer file; -1: none */
	int64_t asked;			/* about mode 2026; 0: answered */
	bool synchronised;		/* ... that it has the mode */
	bool pasting;			/* input is being pasted */
	enum color_depth depth;
	bool repaint;
	int cursor_shown;
	struct look looks[ROLE_COUNT][GROUND_COUNT];
	struct {
		int fg, bg;
	} pairs[PAIRS_MAX];
	int pair_count;			/* pairs 1 .. pair_count - 1 are taken */
};

/* Restores the terminal without curses, for term_rescue(). */
static struct {
	char bytes[256];
	size_t length;
	struct termios modes;
	int fd;
	volatile bool open;
} rescue;

/* ---- opening and closing ------------------------------------------------------------------- */

bool term_parse_color(const char *text, enum color_depth *limit, struct err *err)
{
	const char *no_color = getenv("NO_COLOR");

	if (!text || strcmp(text, "auto") == 0)
		*limit = no_color && no_color[0] != '\0' ? DEPTH_MONO : DEPTH_DIRECT;
	else if (strcmp(text, "direct") == 0)
		*limit = DEPTH_DIRECT;
	else if (strcmp(text, "256") == 0)
		*limit = DEPTH_256;
	else if (strcmp(text, "16") == 0)
		*limit = DEPTH_16;
	else if (strcmp(text, "never") == 0)
		*limit = DEPTH_MONO;
	else
		return err_set(err, ERR_INPUT,
			       "--color '%s': expected auto, direct, 256, 16 or never", text);
	return true;
}

static enum color_depth find_depth(enum color_depth limit)
{
	enum color_depth depth = DEPTH_MONO;

	if (limit == DEPTH_MONO || !has_colors() || start_color() == ERR)
		return DEPTH_MONO;
	use_default_colors();
	if (COLORS >= COLOR_RGB)
		depth = DEPTH_DIRECT;
	else if (COLORS >= 256)
		depth = DEPTH_256;
	else if (COLORS >= 16)
		depth = DEPTH_16;
	else if (COLORS >= 8)
		depth = DEPTH_8;
	return depth < limit ? depth : limit;
}

/* Makes Ctrl-S a normal key instead of stopping the terminal's output. */
static void free_flow_keys(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) != 0 || (modes.c_iflag & IXON) == 0)
		return;
	modes.c_iflag &= ~(tcflag_t)IXON;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	def_prog_mode();
}

/* Makes the terminal mark pastes (DECSET 2004); terminals without it ignore this. */
static void tell_pastes(struct term *t, bool on)
{
	fputs(on ? "\033[?2004h" : "\033[?2004l", t->out);
	fflush(t->out);
	t->pasting = false;
}

static void set_modes(struct term *t)
{
	tell_pastes(t, true);
	cbreak();
	noecho();
	nonl();
	free_flow_keys();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	t->cursor_shown = -1;
}

/*
 * Terminals send the cursor keys in two ways, not always the requested one (a multiplexer in
 * between, a terminal reset by another program). Defines both.
 */
static void define_cursor_keys(void)
{
	static const struct {
		const char *bytes;
		int code;
	} keys[] = {
		{ "\033[A", KEY_UP },	  { "\033OA", KEY_UP },	   { "\033[B", KEY_DOWN },
		{ "\033OB", KEY_DOWN },	  { "\033[C", KEY_RIGHT }, { "\033OC", KEY_RIGHT },
		{ "\033[D", KEY_LEFT },	  { "\033OD", KEY_LEFT },  { "\033[H", KEY_HOME },
		{ "\033OH", KEY_HOME },	  { "\033[1~", KEY_HOME }, { "\033[F", KEY_END },
		{ "\033OF", KEY_END },	  { "\033[4~", KEY_END },  { "\033[5~", KEY_PPAGE },
		{ "\033[1;2D", KEY_SLEFT }, { "\033[1;2C", KEY_SRIGHT },
		{ "\033[6~", KEY_NPAGE }, { "\033[3~", KEY_DC },   { "\033[Z", KEY_BTAB },
		{ "\033[200~", KEY_PASTE }, { "\033[201~", KEY_PASTE_END },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (key_defined(keys[i].bytes) == 0)
			define_key(keys[i].bytes, keys[i].code);
	}
}

/*
 * Asks whether the terminal has the mode, without waiting: the answer comes as a key, one of those
 * that ECMA-48 and DECRPM allow. The Linux console, which does not know the query, has few colours.
 */
static void ask_sync(struct term *t)
{
	static const struct {
		const char *bytes;
		int code;
	} answers[] = {
		{ "\033[?2026;0$y", KEY_SYNC_NONE }, { "\033[?2026;1$y", KEY_SYNC },
		{ "\033[?2026;2$y", KEY_SYNC }, { "\033[?2026;3$y", KEY_SYNC },
		{ "\033[?2026;4$y", KEY_SYNC_NONE },
	};

	if (COLORS < 256)
		return;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		define_key(answers[i].bytes, answers[i].code);
	fputs(SYNC_ASK, t->out);
	fflush(t->out);
	t->asked = clock_time();
}

/* These capabilities have no padding for printers, so the strings can be written directly. */
static void prepare_rescue(const struct termios *modes, int fd)
{
	/* Mouse and bracketed paste off; attributes, cursor, keypad, the shell's screen. */
	static const char *const names[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
	size_t size = sizeof(rescue.bytes), used;

	used = (size_t)snprintf(rescue.bytes, size, SYNC_END "\033[?1000l\033[?1002l\033[?1006l"
				"\033[?2004l");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = tigetstr(names[i]);

		if (text && text != (const char *)-1 && used + strlen(text) < size)
			used += (size_t)snprintf(rescue.bytes + used, size - used, "%s", text);
	}
	rescue.length = used;
	rescue.modes = *modes;
	rescue.fd = fd >= 0 ? fd : STDOUT_FILENO;
	rescue.open = true;
}

void term_rescue(void)
{
	ssize_t written;

	if (!rescue.open)
		return;
	rescue.open = false;
	written = write(rescue.fd, rescue.bytes, rescue.length);
	(void)written;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &rescue.modes);
}

/* NULL and ERR_INPUT: the terminal is unknown, or cannot address its screen. */
static SCREEN *open_screen(struct err *err)
{
	SCREEN *screen = newterm(NULL, stdout, stdin);
	const char *name = getenv("TERM");

	if (!screen) {
		err_set(err, ERR_INPUT, "TERM '%s': unknown terminal (expected a name "
			"like xterm-256color)", name ? name : "");
	} else if (!tigetstr("cup")) {
		endwin();
		delscreen(screen);
		screen = NULL;
		err_set(err, ERR_INPUT, "TERM '%s': this terminal cannot move its cursor "
			"(fairtop accounts prints a table, --render WxH one frame)",
			name ? name : "");
	}
	return screen;
}

struct term *term_open(enum color_depth depth_limit, struct err *err)
{
	struct term *t;
	struct termios modes;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_INPUT, "the screen needs a terminal on standard input and output "
			"(fairtop accounts prints a table, --render WxH one frame)");
		return NULL;
	}
	t = mem_zalloc(1, sizeof(*t));
	t->out = stdout;
	(void)tcgetattr(STDIN_FILENO, &modes);
	set_escdelay(ESC_DELAY_MS);
	t->screen = open_screen(err);
	if (!t->screen) {
		mem_free(t);
		return NULL;
	}
	set_modes(t);
	t->screen_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	t->frame_fd = memfd_create("fairtop-frame", MFD_CLOEXEC);
	prepare_rescue(&modes, t->screen_fd);
	define_cursor_keys();
	t->depth = find_depth(depth_limit);
	t->pair_count = 1;
	t->repaint = true;
	term_resize(t);
	ask_sync(t);
	return t;
}

/* Reads a late answer, which the shell would show or read otherwise. */
static void await_answer(struct term *t)
{
	struct event event;

	if (t->asked == 0 || clock_time() - t->asked > ANSWER_SECONDS || isendwin())
		return;
	timeout(ANSWER_MS);
	while (t->asked != 0 && term_read(t, &event))
		;
	(void)tcflush(STDIN_FILENO, TCIFLUSH);
}

void term_close(struct term *t)
{
	if (!t)
		return;
	rescue.open = false;
	term_set_mouse(t, false);
	tell_pastes(t, false);
	await_answer(t);
	if (!isendwin())
		endwin();
	delscreen(t->screen);
	fflush(t->out);
	if (t->screen_fd >= 0)
		close(t->screen_fd);
	if (t->frame_fd >= 0)
		close(t->frame_fd);
	mem_free(t);
}

void term_suspend(struct term *t)
{
	t->suspended = true;
	tell_pastes(t, false);
	endwin();
	fflush(t->out);
}

void term_resume(struct term *t)
{
	t->suspended = false;
	reset_prog_mode();
	set_modes(t);
	clearok(curscr, TRUE);
	term_resize(t);
	term_repaint(t);
}

/* ---- size ---------------------------------------------------------------------------------- */

void term_size(const struct term *t, int *width, int *height)
{
	*width = t->width;
	*height = t->height;
}

void term_resize(struct term *t)
{
	struct winsize size;

	/* If curses cannot allocate all lines, it writes beyond those it has. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0 &&
	    resizeterm(size.ws_row, size.ws_col) == ERR) {
		mem_exhausted();
		abort();
	}
	t->width = COLS;
	t->height = LINES;
	term_repaint(t);
}

/* ---- looks --------------------------------------------------------------------------------- */

/* Number of the pair; 0, the terminal's own colours, if no pairs are left. */
static int term_take_pair(struct term *t, int fg, int bg)
{
	int limit = COLOR_PAIRS < PAIRS_MAX ? COLOR_PAIRS : PAIRS_MAX;

	if (t->depth == DEPTH_MONO || (fg < 0 && bg < 0))
		return 0;
	for (int i = 1; i < t->pair_count; i++) {
		if (t->pairs[i].fg == fg && t->pairs[i].bg == bg)
			return i;
	}
	if (t->pair_count >= limit || init_extended_pair(t->pair_count, fg, bg) == ERR)
		return 0;
	t->pairs[t->pair_count].fg = fg;
	t->pairs[t->pair_count].bg = bg;
	return t->pair_count++;
}

static int color_number(int32_t color)
{
	return color < 0 ? -1 : (int)(color & (COLOR_RGB - 1));
}

static attr_t curses_attrs(uint16_t attrs)
{
	return (attrs & STYLE_BOLD ? A_BOLD : 0) | (attrs & STYLE_DIM ? A_DIM : 0) |
	       (attrs & STYLE_ITALIC ? A_ITALIC : 0) | (attrs & STYLE_UNDERLINE ? A_UNDERLINE : 0) |
	       (attrs & STYLE_REVERSE ? A_REVERSE : 0);
}

void term_set_theme(struct term *t, const struct theme *theme)
{
	struct theme reduced = *theme;

	theme_reduce(&reduced, t->depth);
	t->pair_count = 1;
	for (int role = 0; role < ROLE_COUNT; role++) {
		for (int ground = 0; ground < GROUND_COUNT; ground++) {
			struct style s =
				theme_style(&reduced, (enum role)role, (enum ground)ground);
			t->looks[role][ground].attrs = curses_attrs(s.attrs);
			t->looks[role][ground].pair =
				term_take_pair(t, color_number(s.fg), color_number(s.bg));
		}
	}
	/* curses clears with the screen's ground; this pair is the first, 1, or none */
	bkgdset(' ' | COLOR_PAIR(t->looks[ROLE_TEXT][GROUND_NONE].pair));
	term_repaint(t);
}

/* ---- drawing ------------------------------------------------------------------------------- */

void term_repaint(struct term *t)
{
	t->repaint = true;
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	return a->role == b->role && a->ground == b->ground;
}

static void write_run(struct term *t, int y, int x, const struct cell *look, const char *text,
		      size_t length)
{
	const struct look *l = &t->looks[look->role][look->ground];
	int pair = l->pair;

	if (length == 0)
		return;
	attr_set(l->attrs, (short)pair, &pair);
	mvaddnstr(y, x, text, (int)length);
}

/* Writes a row in runs of equal looks. */
static void write_cells(struct term *t, const struct canvas *c, int y)
{
	const struct cell *row = c->cells + (size_t)y * (size_t)c->width;
	char run[RUN_MAX];
	size_t length = 0;
	int start = 0;

	for (int x = 0; x < c->width; x++) {
		size_t bytes = strlen(row[x].text);
		if (length + bytes >= sizeof(run) ||
		    (x > start && row[x].width > 0 && !same_look(&row[x], &row[start]))) {
			write_run(t, y, start, &row[start], run, length);
			start = x;
			length = 0;
		}
		memcpy(run + length, row[x].text, bytes);
		length += bytes;
	}
	write_run(t, y, start, &row[start], run, length);
}

static void term_place_cursor(struct term *t, const struct canvas *c)
{
	int shown = c->cursor_x >= 0;

	if (shown != t->cursor_shown)
		curs_set(shown);
	t->cursor_shown = shown;
	if (shown)
		move(c->cursor_y, c->cursor_x);
}

/* Writes the collected frame, between the marks if the terminal has mode 2026. */
static void write_frame(struct term *t, size_t length)
{
	const size_t before = strlen(SYNC_BEGIN), after = strlen(SYNC_END);
	char *frame = mem_alloc(before + length + after, 1), *from = frame + before;
	ssize_t n = pread(t->frame_fd, from, length, 0);
	size_t left = n > 0 ? (size_t)n : 0;

	if (t->synchronised) {
		memcpy(from + left, SYNC_END, after);
		memcpy(frame, SYNC_BEGIN, before);
		left += before + after;
		from = frame;
	}
	while (left > 0 && ((n = write(t->screen_fd, from, left)) > 0 || errno == EINTR)) {
		from += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	mem_free(frame);
}

/*
 * One write per frame: curses writes whenever its buffer is full, so a file replaces the terminal
 * meanwhile.
 */
static void refresh_at_once(struct term *t)
{
	off_t length;

	if (t->screen_fd < 0 || t->frame_fd < 0 || ftruncate(t->frame_fd, 0) != 0 ||
	    lseek(t->frame_fd, 0, SEEK_SET) != 0 || dup2(t->frame_fd, STDOUT_FILENO) < 0) {
		refresh();
		return;
	}
	refresh();
	length = lseek(t->frame_fd, 0, SEEK_CUR);
	(void)dup2(t->screen_fd, STDOUT_FILENO);
	if (length > 0)
		write_frame(t, (size_t)length);
}

void term_draw(struct term *t, const struct canvas *c)
{
	if (t->suspended)
		return;
	if (t->repaint)
		erase();
	t->repaint = false;
	/* curses sends only what differs from what is on the screen. */
	for (int y = 0; y < c->height && y < LINES; y++)
		write_cells(t, c, y);
	term_place_cursor(t, c);
	refresh_at_once(t);
}

/* ---- mouse and clipboard ------------------------------------------------------------------- */

void term_set_mouse(struct term *t, bool on)
{
	(void)t;
	mouseinterval(0);
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
}

/* Terminals decide whether programs may write the clipboard; those without it ignore this. */
void term_copy(struct term *t, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t length = strlen(text);

	fputs("\033]52;c;", t->out);
	for (size_t i = 0; i < length; i += 3) {
		unsigned b[3] = { 0, 0, 0 };
		for (size_t j = 0; j < 3 && i + j < length; j++)
			b[j] = (unsigned char)text[i + j];
		putc(digits[b[0] >> 2], t->out);
		putc(digits[(b[0] << 4 & 0x30) | b[1] >> 4], t->out);
		putc(i + 1 < length ? digits[(b[1] << 2 & 0x3c) | b[2] >> 6] : '=', t->out);
		putc(i + 2 < length ? digits[b[2] & 0x3f] : '=', t->out);
	}
	putc('\a', t->out);
	fflush(t->out);
}

const char *term_library(void)
{
	return curses_version();
}

void term_ring(struct term *t, const char *how, const char *text)
{
	if (strcmp(how, "osc9") == 0)
		fprintf(t->out, "\033]9;fairtop: %s", text);
	else if (strcmp(how, "osc777") == 0)
		fprintf(t->out, "\033]777;notify;fairtop;%s", text);
	putc('\a', t->out);
	fflush(t->out);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static uint32_t special_key(wint_t code)
{
	static const struct {
		wint_t code;
		uint32_t key;
	} map[] = {
		{ KEY_UP, KEYS_UP }, { KEY_DOWN, KEYS_DOWN }, { KEY_LEFT, KEYS_LEFT },
		{ KEY_RIGHT, KEYS_RIGHT }, { KEY_PPAGE, KEYS_PGUP }, { KEY_NPAGE, KEYS_PGDN },
		{ KEY_HOME, KEYS_HOME }, { KEY_END, KEYS_END }, { KEY_IC, KEYS_INSERT },
		{ KEY_DC, KEYS_DELETE }, { KEY_BTAB, KEYS_BACKTAB }, { KEY_ENTER, KEYS_ENTER },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
		{ KEY_SLEFT, KEYS_SHIFT_LEFT }, { KEY_SRIGHT, KEYS_SHIFT_RIGHT },
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++) {
		if (map[i].code == code)
			return map[i].key;
	}
	if (code >= (wint_t)KEY_F(1) && code <= (wint_t)KEY_F(12))
		return KEYS_F1 + (uint32_t)(code - (wint_t)KEY_F(1));
	return KEYS_NONE;
}

static bool read_mouse(struct event *event)
{
	MEVENT mouse;

	if (getmouse(&mouse) != OK)
		return false;
	event->x = mouse.x;
	event->y = mouse.y;
	if (mouse.bstate & BUTTON1_PRESSED) {
		event->type = EVENT_CLICK;
		return true;
	}
	if (mouse.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
		event->type = EVENT_WHEEL;
		event->at = mouse.y;
		event->y = mouse.bstate & BUTTON4_PRESSED ? -1 : 1;
		return true;
	}
	return false;
}

/*
 * After an Esc: reads the rest of a key that terminfo does not know, like "[1;3A" (ECMA-48, control
 * sequences: parameters and a last letter), which would be run as commands otherwise. Puts back
 * anything else.
 */
static bool skip_unknown_key(void)
{
	wint_t read[32];
	size_t n = 0;
	bool key = false;		/* the last one is a key code of curses */

	while (n < sizeof(read) / sizeof(read[0])) {
		int kind = get_wch(&read[n]);

		if (kind == ERR)
			break;
		n++;
		key = kind == KEY_CODE_YES;
		if (key || (n == 1 && read[0] != '['))
			break;
		if (n > 2 && read[n - 1] >= 0x40 && read[n - 1] <= 0x7e)
			return true;
		if (n > 1 && (read[n - 1] < 0x20 || read[n - 1] > 0x3f))
			break;
	}
	while (n-- > 0) {
		if (key)
			ungetch((int)read[n]);
		else
			unget_wch((wchar_t)read[n]);
		key = false;
	}
	return false;
}

bool term_read(struct term *t, struct event *event)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	wint_t code;
	int kind;

	for (;;) {
		errno = 0;
		kind = get_wch(&code);
		if (kind == ERR) {
			/* Readable but without data: the other end is gone. */
			t->gone = poll(&in, 1, 0) == 1 && (in.revents & (POLLHUP | POLLERR)) != 0;
			return false;
		}
		event->type = t->pasting ? EVENT_PASTE : EVENT_KEY;
		if (kind != KEY_CODE_YES) {
			if (code == 27 && skip_unknown_key())
				continue;
			/* Terminals paste no Esc: it is a key, and the paste's end was lost. */
			if (code == 27 && t->pasting) {
				t->pasting = false;
				event->type = EVENT_KEY;
			}
			event->key = code == '\n' || code == '\r' ? KEYS_ENTER : (uint32_t)code;
			return true;
		}
		if (code == KEY_SYNC || code == KEY_SYNC_NONE) {
			t->asked = 0;
			t->synchronised = code == KEY_SYNC;
			continue;
		}
		if (code == KEY_PASTE || code == KEY_PASTE_END) {
			t->pasting = code == KEY_PASTE;
			continue;
		}
		if (code == KEY_MOUSE) {
			if (read_mouse(event))
				return true;
			continue;
		}
		event->key = special_key(code);
		if (event->key != KEYS_NONE)
			return true;
	}
}

bool term_gone(const struct term *t)
{
	return t->gone;
}
