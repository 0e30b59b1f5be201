/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what is on the screen: the views with their rows, the box beside them, what is typed and
 * what is said. It is the ground on which time, what-if, panes and commands stand.
 *
 * A feature that needs more than that keeps it for itself, behind one of the pointers below, and
 * hands the roof (screen/app.c) a struct feature.
 */
#ifndef FAIRTOP_TUI_ROWS_STATE_H
#define FAIRTOP_TUI_ROWS_STATE_H

#include "core/base/bytes.h"
#include "core/cluster/timeline.h"
#include "core/pools/pool_past.h"
#include "core/share/history.h"
#include "tui/cells/keymap.h"
#include "tui/cells/plot.h"
#include "tui/cells/prompt.h"
#include "tui/cells/theme.h"
#include "tui/rows/picture.h"
#include "tui/rows/sheet.h"

struct app;

#define SCREEN_MIN_WIDTH 24
#define SCREEN_MIN_HEIGHT 8

#define EVERY_DEFAULT_MS 30000	/* between two refreshes */

/* How long changes stay marked after a refresh. */
#define MARKS_MS 4000

enum source_health { SOURCE_LOADING, SOURCE_GOOD, SOURCE_STALE, SOURCE_ENDED };

/* What is known about the source, apart from its clusters. */
struct source_state {
	enum source_health health;
	bool live;			/* can be asked again */
	int64_t every_ms;		/* how often it wants to be asked; 0: as usual */
	bool busy;			/* is being asked right now */
	int64_t last_good_ms;		/* monotonic; -1 never */
	int64_t next_ms;		/* when it is asked again; 0 nobody says */
	char name[256];			/* as the user wrote it */
	char detail[200];		/* how it is read: "helper", "commands (6 decimals)" */
	char problem[ERR_MESSAGE_MAX];	/* what is wrong, "" if nothing */
};

enum app_effect {
	APP_DRAW	= 1 << 0,	/* something on the screen may have changed */
	APP_QUIT	= 1 << 1,
	APP_REFRESH	= 1 << 2,	/* ask the source now */
	APP_FREEZE	= 1 << 3,	/* app_frozen() changed */
	APP_THEME	= 1 << 4,	/* app_theme() changed */
	APP_MOUSE	= 1 << 5,	/* app_mouse() changed */
	APP_COPY	= 1 << 6,	/* app_copied() is meant for the clipboard */
	APP_NEEDS	= 1 << 7,	/* app_needs() changed */
	APP_EVERY	= 1 << 8,	/* app_every_ms() changed */
	APP_REDRAW	= 1 << 9,	/* the terminal is to be painted anew */
	APP_WRITE	= 1 << 10,	/* app_write_path() is to be written (settings.h) */
	APP_SEEK	= 1 << 11,	/* app_seek_time() changed: ask for it now */
	APP_SURVEY	= 1 << 12,	/* app_survey() changed */
	APP_MORE	= 1 << 13,	/* work is left: send EVENT_TIME soon */
	APP_FILE	= 1 << 14,	/* edits to be saved, loaded or exported (whatif_sets.h) */
	APP_SAVE	= 1 << 15,	/* app.copied is for a new file (table_save.h) */
	APP_KEEP	= 1 << 16,	/* app.workspace is to be written (remember.h) ... */
	APP_RECALL	= 1 << 17,	/* ... or read */
	APP_FORESEE	= 1 << 22,	/* a forecast is to be made (foresight.h) */
	APP_STARTS	= 1 << 19,	/* starts of jobs are to be simulated (start_times.h) */
	APP_RING	= 1 << 18,	/* alarms have begun: the user wants to be told */
	APP_WHY		= 1 << 23,	/* what would help a job is to be tried (pane_why.h) */
	APP_RESET	= 1 << 24,	/* the remembered layout is to be forgotten (remember.h) */
	APP_OPEN	= 1 << 20,	/* a cluster of the overview is to be opened ... */
	APP_BACK	= 1 << 21	/* ... or left for it */
};

/* What a key does while a box has the keys; for the line of hints, and with HELP for the help. */
struct pane_key {
	const char *command, *second;	/* SECOND: the other direction, or NULL */
	const char *word, *help;
};

enum pane_place {
	PANE_OVER,		/* a box over the view */
	PANE_BESIDE,		/* beside the view, below it, or over it: as there is room */
	PANE_ALWAYS_BESIDE	/* beside the view or below it, to be seen together with the rows */
};

/*
 * A kind of box: a text, a list to choose from, or what draws itself. What it has not is NULL. Its
 * functions are called while it is open, those for keys while it has them.
 */
struct pane_ops {
	const char *title;
	void (*titled)(const struct app *a, char *buf, size_t size);	/* instead of TITLE */
	enum pane_place place;
	int width, lines;		/* PANE_OVER: its size; LINES besides those of the list */
	int (*height)(const struct app *a);	/* PANE_ALWAYS_BESIDE: lines that it wants */
	/* A text. */
	void (*doc)(const struct app *a, struct doc *d);
	/*
	 * A list: how many lines, one of them into AT; lines above it (returns how many), and the
	 * FOOT_LINES lines below it. INSTEAD: a text in its place, if that is true.
	 */
	uint32_t (*count)(const struct app *a);
	void (*line)(const struct app *a, struct canvas *c, uint32_t i, struct area at);
	int (*head)(const struct app *a, struct canvas *c, struct area inside);
	void (*foot)(const struct app *a, struct canvas *c, struct area at);
	int foot_lines;
	bool (*instead)(const struct app *a, struct doc *d);
	/* What draws itself, into the box AREA. */
	void (*draw)(struct app *a, struct canvas *c, struct area area);
	/* Enter, Space, left and right, the same by much, a click. */
	void (*enter)(struct app *a);
	void (*mark)(struct app *a);
	void (*turn)(struct app *a, int by);
	void (*jump)(struct app *a, int by);
	void (*click)(struct app *a, int x, int y);
	bool boxes;			/* its lines begin with a box to click */
	const char *again;		/* the command of a click on the picked line */
	/* Searching, where it is no text. */
	bool (*find)(struct app *a, const char *text, int direction, bool from_here);
	/* What is picked: a column, and a line about it. */
	const struct column *(*column)(const struct app *a);
	bool (*legend)(const struct app *a, char *buf, size_t size);
	const struct pane_key *keys;	/* those of the most worth first; the last has no command */
	bool tells_close;		/* one of them closes it */
	bool over_time;			/* draws rows over time: other keys go to the rows */
	bool (*has_room)(const struct app *a);	/* of app.idle: is it shown? */
};

/* Of no box. */
extern const struct pane_ops pane_none;

/* A box beside or above the view. */
struct pane {
	const struct pane_ops *ops;	/* pane_none: there is none */
	uint32_t scroll;	/* first line shown */
	uint32_t lines;		/* as last drawn */
	uint32_t page;
	uint32_t pick;		/* selected line of a pane to choose from */
	int list_y;		/* where its line `scroll` was last drawn; 0: there is no list */
	bool focus;		/* movement keys go here */
	bool covers;		/* a small window gave it the focus; a larger one takes it back */
	bool large;		/* it has the whole screen */
	char find[PROMPT_MAX];	/* searched in its text; "" nothing yet */
	uint32_t found;		/* line where it was found last */
};

#define PANES_UNDER 4

struct cluster_line {
	char name[64], source[256];
};

/* What the layout was at a time: the lines of each part of a view, the open one, the theme. */
enum look_part { LOOK_COLUMNS, LOOK_ORDER, LOOK_FILTER, LOOK_PARTS };
struct layout_mark {
	struct bytes looks[VIEW_COUNT * LOOK_PARTS];
	enum view_id view;
	char theme[THEME_NAME];
};

struct app {
	/* Settings. */
	struct model_options model_options;
	struct theme theme;
	char dir[512];			/* the user's configuration directory, "" none */
	char me[128];
	int64_t every_ms;		/* 0: as the source is worth */
	bool ascii, mouse, mine, follow, frozen;
	bool keeps;			/* on a terminal: what is remembered is read and written */
	bool forgets;			/* "set remember no": the layout is not kept */
	struct keymap keymap;
	struct pools_config pools_config;	/* only with pools_by_file */
	bool pools_by_file, grouped;
	enum plot_style chart_style;
	uint32_t inspect_off;		/* parts of the inspector that are not wanted, a bit each */
	/* The world. */
	int64_t ms, now;		/* of the last event */
	int width, height;
	struct source_state source;
	struct picture *picture, *before;
	struct history history;
	uint32_t pictures;		/* how many were shown */
	struct pool_past pool_past;
	int64_t marks_until;		/* monotonic; changes are marked until then */
	char model_problem[ERR_MESSAGE_MAX];
	/* The views. */
	enum view_id view, last_view;	/* the same until there was another one */
	bool opened[VIEW_COUNT];	/* was looked at: is kept up to date from then on */
	enum jobs_terms terms_as;
	bool classes_chosen;		/* the two below are the user's, not the source's */
	bool classes_off;		/* as if equiv_class_enable were False */
	char exclude[POLICY_TEXT_MAX];	/* as if equiv_class_exclude were that */
	struct sheet sheets[VIEW_COUNT];
	char filter_text[VIEW_COUNT][SCRIPT_LINE];
	uint64_t follow_key;
	enum view_id follow_view;
	struct pane pane;
	struct pane under[PANES_UNDER];	/* what boxes over the view hide, the lowest first */
	uint32_t under_count;
	const struct pane_ops *idle;	/* what follows the cursor while no box is open */
	struct prompt prompt;
	bool palette;			/* the command prompt lists all commands */
	uint32_t palette_pick;		/* which of those that fit */
	char search[PROMPT_MAX];
	/* What was there when a search or a filter was begun to be typed. */
	uint64_t typing_key;		/* row under the cursor */
	uint32_t typing_top;		/* first item of the window */
	char typing_filter[SCRIPT_LINE];
	bool typing_pane;		/* the search is in the open pane ... */
	uint32_t typing_scroll, typing_pick;	/* ... which showed and had picked these lines */
	enum lessons { LESSONS_NONE, LESSONS_HINTS, LESSONS_TOUR } lessons;
	uint32_t learned;		/* a bit for each lesson (lessons.c) */
	int64_t lessons_until;		/* monotonic; 0: not begun */
	bool nested;			/* opened from an overview, to which Esc returns */
	bool leave_asked;		/* was told that edits are not saved */
	uint32_t last_key;
	bool line_ended;		/* of what is pasted: a blank before more of it */
	uint64_t compare_keys[2];
	/* The lines "cluster NAME SOURCE" of the configuration. */
	struct cluster_line *clusters;	/* owned */
	size_t cluster_count, cluster_capacity;
	/* What is said at the bottom until the next key. */
	char message[ERR_MESSAGE_MAX];
	enum role message_role;
	struct bytes copied;		/* of APP_COPY and APP_SAVE; owned */
	char copied_what[40];		/* "16 rows", "the explanation" */
	struct bytes later;		/* lines to be run when there are rows; owned */
	struct palette *found;		/* what fits the palette (palette.c) */
	char write_path[1024];
	char save_path[1024];		/* of APP_SAVE */
	struct theme usual_theme;	/* the configured one */
	struct layout_mark kept, made;	/* before the options of the command line, and by them */
	char workspace[64];		/* of APP_KEEP and APP_RECALL */
	uint32_t effects;		/* collected while an event is handled */
	uint16_t exit_status;
	/* What the features keep for themselves. */
	struct travel *travel;
	struct whatif_sets *whatif;
	struct forecasts *forecasts;
	struct foresights *foresights;
	struct chart *chart;
	struct pool_watch *pool_watch;
	struct inspect *inspect;
	struct start_times *start_times;
	struct start_past *start_past;
	struct why_box *why;
	struct difference *difference;
	struct hints *hints;
	struct alarms *alarms;
	struct overview *overview;	/* this is the screen of many clusters; else NULL */
	struct backtests *backtests;
	bool watched;			/* they have rules, which may look at anything */
	struct lint *lint;
	uint32_t lint_seen;		/* a->pictures that it is of */
};

/* What the roof asks of a feature with a state of its own; each may be NULL. */
struct feature {
	void (*init)(struct app *a);
	void (*free)(struct app *a);
	void (*settle)(struct app *a);		/* after each event */
	/* Times that it wants to see of the source (app_survey()); COUNT 0: none. */
	const int64_t *(*survey)(const struct app *a, size_t *count, uint32_t *needs);
	/* One of them; false: it is not its own. True: CLUSTER (or NULL) is taken over. */
	bool (*look)(struct app *a, int64_t time, struct cluster *cluster);
	int64_t (*next_ms)(const struct app *a);	/* when it goes on by itself; -1: never */
};

/*
 * Tells the user; an error when ROLE is ROLE_ERROR. The text may hold names: it is made harmless
 * when drawn.
 */
void app_say(struct app *a, enum role role, const char *format, ...) ERR_PRINTF(3, 4);

struct sheet *app_sheet(struct app *a);		/* of the open view */
const struct sheet *app_sheet_get(const struct app *a);

/* How often the source is asked. */
int64_t app_every_ms(const struct app *a);

bool app_marks_shown(const struct app *a);

/* Sorts by a column as the user picks it; NULL: as it came. */
void app_sort_by(struct app *a, const struct column *column);
void app_sort_and_tell(struct app *a, const struct column *column);
/*
 * After the rows were ordered by hand: whoever looked AT_TOP sees who is there now, from elsewhere
 * the cursor has stayed on its row.
 */
bool app_looks_at_top(const struct app *a);
void app_sorted(struct app *a, bool at_top);

/* How the classes view groups. */
struct class_choice app_class_choice(const struct app *a);

/* Of CLUSTER, which is taken over, as the user wants models now; NULL if there is none. */
struct picture *app_picture(const struct app *a, struct cluster *cluster);
/* Pools as the source has them, or as the user's file makes them. */
void app_make_pools(const struct app *a, struct picture *p);

void pane_close(struct app *a);		/* what lay under it is there again */
void pane_close_all(struct app *a);
bool pane_is_open(const struct app *a);
/* Is it open, or under the box that is? And closes it, with those above it. */
bool pane_holds(const struct app *a, const struct pane_ops *ops);
void pane_drop(struct app *a, const struct pane_ops *ops);

#endif
