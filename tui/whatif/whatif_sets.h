/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_sets: a what-if on the screen.
 *
 * Every picture from the source is a base; while edits are active, the views show a second picture
 * over it, which knows its base and is made in another thread (making.h). Each refresh is a new
 * base: the edits are applied again, and those that no longer can be are marked. Up to four sets of
 * edits are compared side by side; one of them is on the screen.
 */
#ifndef FAIRTOP_TUI_WHATIF_WHATIF_SETS_H
#define FAIRTOP_TUI_WHATIF_WHATIF_SETS_H

#include "core/whatif/changes_pair.h"
#include "tui/rows/state.h"

/* The result of a set, for the table of the panel. */
struct whatif_sum {
	bool known;
	uint32_t moved, heads;
	double gain, loss;		/* ranks; 0: nobody */
	char gain_job[24], loss_job[24], head[40];
	struct evenness is;
};

/* Where lines of the panel were last drawn, for mouse clicks. */
struct whatif_place {
	int x, y, width;
	uint32_t first;			/* line of the panel at y */
};

enum whatif_wish { WHATIF_NOTHING, WHATIF_SAVE, WHATIF_LOAD, WHATIF_EXPORT };

struct whatif_sets {
	struct whatif *sets[WHATIF_SETS];	/* NULL: unused */
	char *saved[WHATIF_SETS];		/* owned: content of its file; NULL: no file */
	struct whatif_sum sums[WHATIF_SETS];
	/* Each set's changes to the rows, while other sets are beside the one on the screen. */
	struct changes_places *places[WHATIF_SETS];
	bool beside;
	bool put_what_if;		/* the policy view's column was added for the edits */
	struct evenness was;			/* of the base */
	uint32_t set;				/* the one on the screen */
	bool flipped;	/* the base is shown temporarily instead of the edits */
	/* Pictures that are being made (making.h). */
	struct picture *coming;		/* the source's, to be shown once it is made; NULL */
	bool wanted;			/* another one is to be ordered */
	bool tells;			/* its effect is to be said */
	uint32_t ordered, answered;	/* the last order, and the one whose answer is shown */
	char sliding[80];			/* the weight being moved */
	uint32_t slid;				/* number of edits after it was last moved */
	struct whatif_place sliders_at, edits_at;
	/* The order of rows before they were sorted by who moves. */
	const struct column *order[VIEW_COUNT];
	bool descending[VIEW_COUNT], flat[VIEW_COUNT], moved[VIEW_COUNT];
	/* The comparing column that sorted until the base was shown; NULL: none. */
	const struct column *away[VIEW_COUNT];
	bool away_descending[VIEW_COUNT];
	/* What the outside must do with a file (ERRAND_EDITS). */
	enum whatif_wish wish;
	char path[1024];
	char export_as[8];			/* slurm pbs lsf */
	bool inverse;
};

extern const struct feature whatif_feature;

/* The set on the screen; made on the first call. */
struct whatif *whatif_edits(struct app *a);
const struct whatif *whatif_edits_get(const struct app *a);	/* NULL: none yet */
uint32_t whatif_count(const struct app *a);			/* its active edits */
uint32_t whatif_void(const struct app *a);	/* those that could not be applied now */

/*
 * whatif_unsaved(): number of edits that would be lost on quitting: those of all sets that differ
 * from their last saved or loaded file. whatif_saved(): the set on the screen is saved now.
 */
uint32_t whatif_unsaved(const struct app *a);
void whatif_saved(struct app *a);

/*
 * "12 jobs move; the next job changes in 2 partitions": the sum of the set on the screen. False if
 * it is not known yet.
 */
#define WHATIF_SUM_MAX 160
bool whatif_sum_text(const struct app *a, char text[WHATIF_SUM_MAX]);

/* The picture on the screen and its base; NULL: it is the base. */
const struct changes_pair *whatif_changes(const struct app *a);

/* The picture from the source, whatever is on the screen; NULL: none. */
struct picture *whatif_base(const struct app *a);

/* Whether the picture that the edits ask for is not there yet: the former one is shown. */
bool whatif_waits(const struct app *a);

/* The base has changed: all sums are invalid. */
void whatif_forget(struct whatif_sets *t);

/*
 * Before the lists of classes and of pools get their data: matches classes, and makes the pools of
 * the base.
 */
void whatif_base_classes(struct app *a);
void whatif_base_pools(struct app *a);

/* Adds the comparing columns beside those they compare, or removes them (whatif_columns.c). */
void whatif_fit_columns(struct app *a);
/* Finds one by name among those shown; NULL. */
const struct column *whatif_find_column(const struct sheet *sheet, const char *name);

/* The text of a cell of such a column, with its sign. */
void whatif_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		 size_t size);

/* The commands of the set on the screen, by t->export_as and t->inverse; READY sets defaults. */
bool whatif_export_ready(struct app *a, struct err *err);
bool whatif_export_text(struct app *a, struct sink out, struct err *err);
/* Does what t->wish asks for, and informs the app (whatif_files.c). */
void whatif_files(struct app *a);

/* What Tab offers in the prompt for edits (whatif_complete.c): the rest of the line for TEXT. */
struct whatif_offer {
	void (*offer)(void *context, const char *text);
	void *context;
};
void whatif_complete(const struct app *a, const char *text, struct whatif_offer to);
const char *whatif_meaning(const char *text);	/* of the target; NULL: incomplete */

#endif
