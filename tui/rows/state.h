/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the screen, shared by app.c (events), act_*.c (commands), and the files that draw
 * it.
 */
#ifndef FAIRTOP_TUI_ROWS_STATE_H
#define FAIRTOP_TUI_ROWS_STATE_H

#include "core/pools/pools.h"
#include "tui/screen/app.h"
#include "tui/panes/chart.h"
#include "tui/panes/difference.h"
#include "tui/screen/hints.h"
#include "core/share/history.h"
#include "tui/cells/keymap.h"
#include "tui/rows/list.h"
#include "tui/panes/outlook.h"
#include "core/pools/pool_past.h"
#include "tui/cells/prompt.h"
#include "tui/rows/queue.h"
#include "tui/screen/screen.h"
#include "tui/rows/sheet.h"
#include "tui/time/travel.h"
#include "tui/whatif/trial.h"

#define SCREEN_MIN_WIDTH 60
#define SCREEN_MIN_HEIGHT 16

/* How long changes stay marked after a refresh. */
#define MARKS_MS 4000

/* What the header says about the cluster as a whole. U32_UNKNOWN, NaN: cannot be told. */
struct summary {
	uint32_t nodes, nodes_used;
	double cpus, cpus_used;
	uint32_t running, pending;
	uint32_t accounts, users;
};

/* One refresh: the cluster, what the engine made of it, and what the views need besides. */
struct picture {
	struct cluster *cluster;
	struct model *model;		/* NULL: it cannot be made, see problem */
	struct model_options options;	/* what it was made with */
	char problem[ERR_MESSAGE_MAX];
	struct queue *queue;		/* NULL until a view of jobs or classes is open */
	struct pools *pools;		/* the same; NULL, too, if there was a problem */
	bool pools_made;
	char pools_problem[ERR_MESSAGE_MAX];
	uint64_t *pool_keys;
	char (*pool_names)[80];		/* pool/queue */
	uint64_t *assoc_keys, *policy_keys;
	struct policy_view policy;
	struct summary summary;
	int64_t arrived_ms;		/* monotonic, when the source gave it; -1: long ago */
	double rate;			/* seconds of the cluster in one of ours; 1 if not faster */
	struct evenness evenness;	/* of the model, once it is the base of a what-if */
	bool evenness_known;
	int start;			/* model_options.base that the model was made with */
	/* Of a what-if: what it lies over, what computed it, and both compared; else NULL. */
	struct picture *base;		/* owned, as the others are */
	struct whatif_run *run;		/* whose cluster, model and jobs these are */
	struct versus *versus;
	bool shares_keys;		/* assoc_keys are the base's */
};

void picture_free(struct picture *p);		/* NULL is fine */

/*
 * Takes over CLUSTER. Touches nothing but the cluster and what it makes of it, so that any thread
 * may call it. Without a model the picture has its cluster and its problem, and nothing else.
 */
struct picture *picture_new(struct cluster *cluster, const struct picture_order *order);

/* The same in this thread, as the user wants models now; NULL if there is none. */
struct picture *picture_now(const struct app *a, struct cluster *cluster);

/* The picture of a what-if, which owns both from then on. Pools and classes are made when asked. */
struct picture *picture_over(struct picture *base, struct whatif_run *run);

/*
 * The parts that not every view needs, with their names and identities; made once. Classes: as the
 * source groups them. Pools: as the source has them, or as the user's file makes them.
 */
struct app;
void picture_make_queue(struct picture *p, bool classes);
void picture_make_pools(const struct app *a, struct picture *p);

enum pane_kind {
	PANE_NONE, PANE_DETAIL, PANE_HELP, PANE_COMPARE, PANE_COLUMNS, PANE_SOURCE, PANE_TOUR,
	PANE_EXCLUDE, PANE_WHATIF, PANE_CHART, PANE_DIFFERENCE, PANE_LINT,
	PANE_FORECAST, PANE_SEEK
};

/* Text in a box beside or above the view. */
struct pane {
	enum pane_kind kind;
	uint32_t scroll;	/* first line shown */
	uint32_t lines;		/* as last drawn */
	uint32_t page;
	uint32_t pick;		/* selected line of a pane to choose from */
	int list_y;		/* where its line `scroll` was last drawn; 0: there is no list */
	bool focus;		/* movement keys go here */
	bool covers;		/* a small window gave it the focus; a larger one takes it back */
	bool steps;		/* PANE_DETAIL: only the derivation */
	bool sorts;		/* PANE_COLUMNS: Enter sorts by the picked one */
	bool large;		/* it has the whole screen */
	char find[PROMPT_MAX];	/* searched in its text; "" nothing yet */
	uint32_t found;		/* line where it was found last */
};

struct app {
	/* Settings. */
	struct model_options model_options;
	struct theme theme;
	char dir[512];			/* the user's configuration directory, "" none */
	char me[128];
	int64_t every_ms;
	bool ascii, mouse, mine, follow, frozen;
	struct keymap keymap;
	struct pools_config pools_config;	/* only with pools_by_file */
	bool pools_by_file, grouped;
	/* The world. */
	int64_t ms, now;		/* of the last event */
	int width, height;
	struct source_state source;
	struct picture *picture, *before;
	struct history history;
	struct travel travel;
	struct trial trial;
	struct outlook outlook;
	struct chart chart;
	struct difference difference;
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
	bool leave_asked;		/* was told that edits are not saved */
	uint32_t last_key;
	uint64_t compare_keys[2];
	struct hints hints;
	/* What is said at the bottom until the next key. */
	char message[ERR_MESSAGE_MAX];
	enum role message_role;
	char copied[SCRIPT_LINE];
	char write_path[1024];
	char save_path[1024];		/* of APP_SAVE */
	uint32_t effects;		/* collected while an event is handled */
	uint16_t exit_status;
};

/*
 * Tells the user; an error when ROLE is ROLE_ERROR. The text may hold names: it is made harmless
 * when drawn.
 */
void app_sort_by(struct app *a, const struct column *column);	/* by hand; NULL: as it came */
void app_say(struct app *a, enum role role, const char *format, ...) ERR_PRINTF(3, 4);

struct sheet *app_sheet(struct app *a);		/* of the open view */
const struct sheet *app_sheet_get(const struct app *a);

/* How the classes view groups, and grouping anew after that was changed (act_classes.c). */
struct class_choice app_class_choice(const struct app *a);
void app_group_classes(struct app *a);

void app_open_view(struct app *a, enum view_id view);
bool app_marks_shown(const struct app *a);
/* NAME in double quotes as filters want it, quotes and backslashes inside escaped. */
void app_quote(char *buf, size_t size, const char *name);
bool app_set_filter(struct app *a, enum view_id view, const char *text, struct err *err);
/* While it is typed: of the open view, if any row matches; false if none does. */
bool app_try_filter(struct app *a, const char *text);
void app_show_picture(struct app *a, struct picture *picture);	/* takes it over */
void app_keep_history(struct app *a, const struct picture *picture);
/* Another picture of the same data; the former one is the caller's. */
void app_swap_picture(struct app *a, struct picture *picture);
bool app_reload_model(struct app *a, struct err *err);	/* after algorithm or base changed */
bool app_run(struct app *a, const char *line,
	     struct err *err); /* one line of the command language */

/* What a view shows until its user chooses (look.c): before anything is known, and as it is now. */
void look_plain(struct sheet *sheet, enum view_id view);
void look_usual(struct app *a);		/* the open view */
void look_accounts(struct sheet *sheet, const struct cluster *c, enum fs_algorithm algorithm);
void look_jobs(struct sheet *sheet, const struct queue *q);
void look_order(struct sheet *sheet, const char *name, bool descending);
/* as deep as PAGE rows show */
uint32_t look_fold_depth(const struct cluster *c, uint32_t page);

/* Input (input.c). */
void app_key(struct app *a, uint32_t key);
void app_click(struct app *a, int x, int y);
void app_wheel(struct app *a, int x, int y, int lines);

/* Prompts (typing.c). */
void app_run_and_tell(struct app *a, const char *line);	/* what is wrong is said at the bottom */
void app_begin_typing(struct app *a);	/* a search or a filter: Esc brings this back */
void app_type(struct app *a, uint32_t key);
void app_type_edit(struct app *a, const char *text);	/* opens with an edit, its value offered */
const char *app_example(const struct app *a);	/* of what can be typed now; NULL: none */

/*
 * Searching by name (search.c): the next row from ROW on in DIRECTION, ROW_NONE if there is none.
 */
uint32_t search_row(const struct app *a, const char *text, uint32_t row, int direction,
		    bool inclusive);
/* Was the end of the rows passed between both? */
bool search_wrapped(const struct list *l, uint32_t from, uint32_t found, int direction);
/* How many rows match, and the how manieth ROW is; false: there are too many rows to tell. */
bool search_count(const struct app *a, const char *text, uint32_t row, uint32_t *index,
		  uint32_t *count);
const char *app_row_name(const struct app *a,
			 uint32_t row); /* of the open view, as the source has it */

/* Tab in a prompt (complete.c). */
void complete(struct app *a);

/* Panes (pane.c). */
void pane_open(struct app *a, enum pane_kind kind);
void pane_close(struct app *a);
bool pane_modal(const struct app *a);		/* it lies above the view and takes the keys */
void pane_move(struct app *a, int64_t lines);
void pane_toggle_column(struct app *a);
void pane_toggle_class(struct app *a);		/* act_classes.c */
bool class_to_jobs(struct app *a, uint32_t row, struct err *err);
struct area {
	int x, y, width, height;
};
struct area app_view_area(const struct app *a);	/* what is left for titles and rows */
struct area app_pane_area(const struct app *a);

/*
 * Lays out the columns of the open view. Drawing does; keys and clicks that come before the next
 * frame do, too, where they need to know what stands beside what.
 */
void app_lay_out(struct app *a);

/* Drawing, one file each. */
void draw_header(const struct app *a, struct canvas *c);
void draw_sheet(struct app *a, struct canvas *c, struct area area);
void draw_pool_foot(const struct app *a, struct canvas *c, struct area area);
bool pool_foot_charts(const struct app *a);	/* does it show the charts? */
void draw_bottom(struct app *a, struct canvas *c);
void draw_pane(struct app *a, struct canvas *c);
bool draw_state(const struct app *a, struct canvas *c,
		struct area area); /* loading, empty, error */

/* The header's clock texts and when they change next (header.c). */
int64_t header_next_ms(const struct app *a);

#endif
