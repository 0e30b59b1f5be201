/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: what is on the screen: the views with their rows, the box beside them, typed text and
 * messages. Time, what-if, panes and commands are built on it.
 *
 * A feature that needs more keeps it to itself, behind one of the pointers below, and gives the app
 * (screen/app.c) a struct feature.
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

#define EVERY_DEFAULT_MS 30000	/* default between two refreshes */

/* How long changes stay marked after a refresh. */
#define MARKS_MS 4000

enum source_health { SOURCE_LOADING, SOURCE_GOOD, SOURCE_STALE, SOURCE_ENDED };

/* What is known about the source, apart from its clusters. */
struct source_state {
	enum source_health health;
	bool live;			/* can be read again */
	int64_t every_ms;		/* requested interval; 0: the default */
	bool busy;			/* is being read now */
	int64_t last_good_ms;		/* monotonic; -1 never */
	int64_t next_ms;		/* of the next read; 0: unknown */
	char name[256];			/* as the user wrote it */
	char detail[200];		/* how it is read: "helper", "commands (6 decimals)" */
	char problem[ERR_MESSAGE_MAX];	/* the problem, "": none */
};

/*
 * What an event asks of the outside. Settings (theme, mouse, needs, interval, frozen) and orders of
 * work are not among them: the outside looks at those after each event.
 */
enum app_effect {
	APP_QUIT	= 1 << 0,
	APP_REFRESH	= 1 << 1,	/* read the source now */
	APP_SEEK	= 1 << 2,	/* app_seek_time() changed: read it now */
	APP_SURVEY	= 1 << 3,	/* app_survey() changed */
	APP_MORE	= 1 << 4,	/* work is left: send EVENT_TIME soon */
	APP_REDRAW	= 1 << 5,	/* paint the whole terminal again */
	APP_COPY	= 1 << 6,	/* app_copied() goes to the clipboard */
	APP_RING	= 1 << 7,	/* alarms have begun: notify the user */
	APP_OPEN	= 1 << 8,	/* open a cluster of the overview ... */
	APP_BACK	= 1 << 9	/* ... or return to the overview */
};

/* What an event asks of the outside with files, as the app has no access to them. */
enum app_errand {
	ERRAND_NONE,
	ERRAND_SETTINGS,		/* write app_write_path() (settings.h) */
	ERRAND_KEEP,			/* write app.workspace (remember.h) ... */
	ERRAND_RECALL,			/* ... or read it */
	ERRAND_RESET,			/* delete the remembered layout (remember.h) */
	ERRAND_TABLE,			/* save app.copied to a new file (table_save.h) */
	ERRAND_EDITS			/* save, load or export edits (whatif_sets.h) */
};

/* What a key does in a focused box; for the hint line, and with HELP for the help. */
struct pane_key {
	const char *command, *second;	/* SECOND: the other direction, or NULL */
	const char *word, *help;
};

enum pane_place {
	PANE_OVER,		/* a box over the view */
	PANE_BESIDE,		/* beside the view, below it, or over it, wherever it fits */
	PANE_ALWAYS_BESIDE	/* beside the view or below it, visible together with the rows */
};

/*
 * A kind of box: a text, a list, or one that draws itself. Absent features are NULL. Its functions
 * are called while it is open, those for keys while it has the focus.
 */
struct pane_ops {
	const char *title;
	void (*titled)(const struct app *a, char *buf, size_t size);	/* instead of TITLE */
	enum pane_place place;
	int width, lines;		/* PANE_OVER: its size; LINES: besides the list's */
	int (*height)(const struct app *a);	/* PANE_ALWAYS_BESIDE: lines that it needs */
	/* A text. */
	void (*doc)(const struct app *a, struct doc *d);
	/*
	 * A list: the number of lines; drawing one into AT; drawing lines above it (returns how
	 * many), and the FOOT_LINES lines below it. INSTEAD: replaces it by a text, if true.
	 */
	uint32_t (*count)(const struct app *a);
	void (*line)(const struct app *a, struct canvas *c, uint32_t i, struct area at);
	int (*head)(const struct app *a, struct canvas *c, struct area inside);
	void (*foot)(const struct app *a, struct canvas *c, struct area at);
	int foot_lines;
	bool (*instead)(const struct app *a, struct doc *d);
	/* Draws itself into the box AREA. */
	void (*draw)(struct app *a, struct canvas *c, struct area area);
	/* Enter, Space, left and right, the same with large steps, a click. */
	void (*enter)(struct app *a);
	void (*mark)(struct app *a);
	void (*turn)(struct app *a, int by);
	void (*jump)(struct app *a, int by);
	void (*click)(struct app *a, int x, int y);
	bool boxes;			/* its lines begin with a check box */
	const char *again;		/* command for a click on the picked line */
	/* Search, if it is not a text. */
	bool (*find)(struct app *a, const char *text, int direction, bool from_here);
	/* The picked column, and a line about it. */
	const struct column *(*column)(const struct app *a);
	bool (*legend)(const struct app *a, char *buf, size_t size);
	const struct pane_key *keys;	/* the most important first; ends with an empty command */
	bool tells_close;		/* one of them closes the box */
	bool over_time;			/* draws rows over time: other keys go to the rows */
	bool (*has_room)(const struct app *a);	/* for app.idle: whether it is shown */
};

/* Means no box. */
extern const struct pane_ops pane_none;

/* A box beside or above the view. */
struct pane {
	const struct pane_ops *ops;	/* pane_none: no box */
	uint32_t scroll;	/* first line shown */
	uint32_t lines;		/* as last drawn */
	uint32_t page;
	uint32_t pick;		/* picked line of a list */
	int list_y;		/* row where line `scroll` was drawn; 0: no list */
	bool focus;		/* movement keys go to it */
	bool covers;		/* focused because the window is small; undone when it grows */
	bool large;		/* fills the whole screen */
	char find[PROMPT_MAX];	/* searched text; "": none */
	uint32_t found;		/* line of the last match */
};

#define PANES_UNDER 4

struct cluster_line {
	char name[64], source[256];
};

/* The layout at a time: the lines of each part of a view, the open view, the theme. */
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
	int64_t every_ms;		/* 0: the source's default */
	bool ascii, mouse, mine, follow, frozen;
	bool keeps;			/* on a terminal: remembered state is read and written */
	bool forgets;			/* "set remember no": the layout is not kept */
	struct keymap keymap;
	struct pools_config pools_config;	/* only with pools_by_file */
	bool pools_by_file, grouped;
	enum plot_style chart_style;
	uint32_t inspect_off;		/* unwanted parts of the inspector, a bit each */
	/* The data. */
	int64_t ms, now;		/* of the last event */
	int width, height;
	struct source_state source;
	struct picture *picture, *before;
	struct history history;
	uint32_t pictures;		/* number of pictures shown */
	struct pool_past pool_past;
	int64_t marks_until;		/* monotonic; changes are marked until then */
	char model_problem[ERR_MESSAGE_MAX];
	/* The views. */
	enum view_id view, last_view;	/* LAST_VIEW: the same until there was another */
	bool opened[VIEW_COUNT];	/* it is kept up to date once opened */
	enum jobs_terms terms_as;
	struct class_pick class_pick;
	char regrouped[POLICY_TEXT_MAX];	/* to be said of the new classes; "": nothing */
	uint32_t classes_before;		/* number of classes then */
	struct sheet sheets[VIEW_COUNT];
	char filter_text[VIEW_COUNT][SCRIPT_LINE];
	uint64_t follow_key;
	enum view_id follow_view;
	struct pane pane;
	struct pane under[PANES_UNDER];	/* boxes hidden by boxes over the view, lowest first */
	uint32_t under_count;
	const struct pane_ops *idle;	/* follows the cursor while no box is open */
	struct prompt prompt;
	bool palette;			/* the command prompt lists all commands */
	uint32_t palette_pick;		/* index in the matches */
	char search[PROMPT_MAX];
	/* The state before typing a search or a filter. */
	uint64_t typing_key;		/* row under the cursor */
	uint32_t typing_top;		/* first item of the window */
	char typing_filter[SCRIPT_LINE];
	bool typing_pane;		/* the search is in the open pane ... */
	uint32_t typing_scroll, typing_pick;	/* ... which had these lines shown and picked */
	enum lessons { LESSONS_NONE, LESSONS_HINTS, LESSONS_TOUR } lessons;
	uint32_t learned;		/* a bit for each lesson (lessons.c) */
	int64_t lessons_until;		/* monotonic; 0: not begun */
	bool nested;			/* opened from an overview, to which Esc returns */
	bool leave_asked;		/* the user was warned of unsaved edits */
	uint32_t last_key;
	bool line_ended;		/* in pasted text: blank before the next */
	uint64_t compare_keys[2];
	/* The lines "cluster NAME SOURCE" of the configuration. */
	struct cluster_line *clusters;	/* owned */
	size_t cluster_count, cluster_capacity;
	/* The message at the bottom until the next key. */
	char message[ERR_MESSAGE_MAX];
	enum role message_role;
	struct bytes copied;		/* for APP_COPY and ERRAND_TABLE; owned */
	char copied_what[40];		/* "16 rows", "the explanation" */
	struct bytes later;		/* lines to run once there are rows; owned */
	struct palette *found;		/* matches of the palette (palette.c) */
	char write_path[1024];
	char save_path[1024];		/* for ERRAND_TABLE */
	struct theme usual_theme;	/* the configured one */
	struct layout_mark kept, made;	/* without and with the command line's options */
	char workspace[64];		/* for ERRAND_KEEP and ERRAND_RECALL */
	uint32_t effects;		/* collected while an event is handled */
	enum app_errand errand;		/* of this event */
	uint16_t exit_status;
	/* State of the features. */
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
	struct overview *overview;	/* set on the screen of many clusters; else NULL */
	struct backtests *backtests;
	bool watched;			/* there are rules, which may need any data */
	struct lint *lint;
	uint32_t lint_seen;		/* value of a->pictures that LINT is for */
};

/* What the app calls of a feature with its own state; each may be NULL. */
struct feature {
	void (*init)(struct app *a);
	void (*free)(struct app *a);
	void (*after_event)(struct app *a);	/* after each event */
	/* Times at which it needs the source (app_survey()); COUNT 0: none. */
	const int64_t *(*survey)(const struct app *a, size_t *count, uint32_t *needs);
	/* Offers one of them; false: not requested. True: CLUSTER (or NULL) is taken over. */
	bool (*look)(struct app *a, int64_t time, struct cluster *cluster);
	int64_t (*next_ms)(const struct app *a);	/* next time it acts by itself; -1: never */
};

/*
 * Shows a message; an error if ROLE is ROLE_ERROR. It may contain names: it is made safe when
 * drawn.
 */
void app_say(struct app *a, enum role role, const char *format, ...) ERR_PRINTF(3, 4);

struct sheet *app_sheet(struct app *a);		/* of the open view */
const struct sheet *app_sheet_get(const struct app *a);

/* The interval between reads of the source. */
int64_t app_every_ms(const struct app *a);

bool app_marks_shown(const struct app *a);

/* Sorts by a column as the user picks it; NULL: the source's order. */
void app_sort_by(struct app *a, const struct column *column);
void app_sort_and_tell(struct app *a, const struct column *column);
/*
 * After the user ordered the rows: if AT_TOP, the cursor stays at the top; otherwise it has stayed
 * on its row.
 */
bool app_looks_at_top(const struct app *a);
void app_sorted(struct app *a, bool at_top);

/* How pictures of the source are to be made; may change with every event. */
struct picture_order app_order(const struct app *a);
/* Makes a picture of CLUSTER, which is taken over, with the user's model options; NULL for NULL. */
struct picture *app_picture(const struct app *a, struct cluster *cluster);
/* Makes the source's pools, or those of the user's file. */
void app_make_pools(const struct app *a, struct picture *p);

void pane_close(struct app *a);		/* shows what was under it */
void pane_close_all(struct app *a);
bool pane_is_open(const struct app *a);
/* Whether it is open, or under the open box. The second closes it and those above it. */
bool pane_holds(const struct app *a, const struct pane_ops *ops);
void pane_drop(struct app *a, const struct pane_ops *ops);

#endif
