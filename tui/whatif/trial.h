/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial: a what-if on the screen.
 *
 * Every picture that the source gives is the base; while edits are in force, the views show a
 * second picture that lies over it and knows what it is compared with. Each refresh is a new base:
 * the edits are applied to it again, and what can no longer be applied says so. Up to four sets of
 * edits stand side by side; one of them is on the screen.
 */
#ifndef FAIRTOP_TUI_WHATIF_TRIAL_H
#define FAIRTOP_TUI_WHATIF_TRIAL_H

#include "core/lint/lint.h"
#include "core/whatif/versus.h"
#include "core/whatif/whatif_run.h"
#include "tui/cells/command.h"
#include "tui/rows/sheet.h"

struct app;
struct picture;

/* What a set comes to, for the table of the panel. */
struct trial_sum {
	bool known;
	uint32_t moved, heads;
	double gain, loss;		/* places; 0: nobody */
	char gain_job[24], loss_job[24], head[40];
	struct evenness is;
};

/* Where lines of the panel were last drawn, for the mouse. */
struct trial_place {
	int x, y, width;
	uint32_t first;			/* line of the panel at y */
};

enum trial_wish { TRIAL_NOTHING, TRIAL_SAVE, TRIAL_LOAD, TRIAL_EXPORT };

struct trial {
	struct whatif *sets[WHATIF_SETS];	/* NULL: not used yet */
	char *saved[WHATIF_SETS];		/* owned: as its file has it; NULL: no file */
	struct trial_sum sums[WHATIF_SETS];
	/* What each set does to the rows, while others are shown beside the one on the screen. */
	struct versus_places *places[WHATIF_SETS];
	bool beside;
	bool put_what_if;		/* the column of the policy view came with the edits */
	struct evenness was;			/* of the base */
	uint32_t set;				/* the one on the screen */
	bool flipped;				/* the base is on the screen, the edits wait */
	char sliding[80];			/* the weight that is being moved */
	uint32_t slid;				/* edits there were after it was last moved */
	struct trial_place knobs_at, edits_at;
	/* How rows stood before they were sorted by who moves. */
	const struct column *order[VIEW_COUNT];
	bool descending[VIEW_COUNT], flat[VIEW_COUNT], moved[VIEW_COUNT];
	/* The column that compares and sorted until the base came on the screen; NULL: none. */
	const struct column *away[VIEW_COUNT];
	bool away_descending[VIEW_COUNT];
	struct lint lint;			/* of the picture, while its pane is open */
	/* What the outside is to do with a file (APP_FILE). */
	enum trial_wish wish;
	char path[1024];
	char export_as[8];			/* slurm pbs lsf */
	bool inverse;
};

void trial_free(struct trial *t);

/* The set on the screen; made when it is asked for first. */
struct whatif *trial_edits(struct app *a);
const struct whatif *trial_edits_get(const struct app *a);	/* NULL: none yet */
uint32_t trial_count(const struct app *a);			/* edits in force in it */
uint32_t trial_void(const struct app *a);	/* those of them that could not be made just now */

/*
 * Edits that leaving would lose: those of all sets that are not as they were last saved to a file
 * or loaded from one. trial_saved(): the set on the screen is so now.
 */
uint32_t trial_unsaved(const struct app *a);
void trial_saved(struct app *a);

/* What the picture on the screen is compared with; NULL: it is the base. */
const struct versus *trial_versus(const struct app *a);

/* The picture as the source gave it, whatever is on the screen; NULL without one. */
struct picture *trial_base(const struct app *a);

/*
 * The picture to show for BASE, which the app's views do not show yet: BASE itself, or one over it
 * that owns it.
 */
struct picture *trial_dress(struct app *a, struct picture *base);

/* After the edits, the set, or (ANEW) algorithm and start of the model have changed. */
bool trial_show(struct app *a, bool anew, struct err *err);

/*
 * Appends an edit and shows what it does. ERR_INPUT if it is none, or names what is not there: then
 * nothing has changed.
 */
bool trial_add(struct app *a, const char *text, struct err *err);

/*
 * Before the lists of classes and of pools get their data: which class is which, and the pools of
 * the base. ANEW: the user groups otherwise now.
 */
void trial_compare_classes(struct app *a, bool anew);
void trial_compare_pools(struct app *a);

/* After the lists have got their data: what else the views need to compare. */
void trial_compare(struct app *a);

/* Columns that compare, put beside what they compare, or taken away (trial_columns.c). */
void trial_fit_columns(struct app *a);
bool trial_is_column(const struct column *column);
/* By its name, among those that are shown; NULL. */
const struct column *trial_find_column(const struct sheet *sheet, const char *name);
/* The name of what it compares, else its own. */
const char *trial_column_of(const struct column *column);
bool trial_is_difference(const struct column *column);
bool trial_is_moves(const struct column *column);
/* The column that tells who gains most; of the policy the difference. */
const struct column *trial_gain_column(enum view_id view);

/* Text of a cell of such a column, with its sign. */
void trial_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		size_t size);

/* The value of a cell in the base; false if there is nothing to compare with. */
bool trial_base_value(const struct app *a, const struct column *column, uint32_t row,
		      struct value *v);

/* Lines of the panel that can be picked, and what they are (pane_whatif.c). */
uint32_t trial_lines(const struct app *a);
bool trial_legend(const struct app *a, char *buf, size_t size);	/* false: nothing is picked */

/* What commands do while the panel has the focus: for the line of hints and the help. */
struct trial_key {
	const char *command, *second;	/* SECOND: the other direction, or NULL */
	const char *hint, *help;
};
extern const struct trial_key trial_keys[];
extern const size_t trial_keys_count;

/* The keys of both commands as they are bound now, "" if there is none. */
void trial_key_titles(const struct app *a, const struct trial_key *key, bool ascii, char *buf,
		      size_t size);

/* What keys and the mouse do to the picked line (act_whatif.c). */
void trial_slide(struct app *a, int steps);
void trial_toggle_line(struct app *a);
void trial_edit_line(struct app *a);
void trial_click(struct app *a, int x, int y);

/* Does what t->wish asks for; the app is told what came of it (trial_files.c). */
void trial_files(struct app *a);

/* What Tab offers in the prompt for edits (trial_complete.c): for TEXT the rest of the line. */
struct trial_offer {
	void (*offer)(void *context, const char *text);
	void *context;
};
void trial_complete(const struct app *a, const char *text, struct trial_offer to);
const char *trial_meaning(const char *text);	/* of what an edit sets; NULL: not known yet */

#endif
