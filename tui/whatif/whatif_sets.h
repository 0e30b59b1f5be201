/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_sets: a what-if on the screen.
 *
 * Every picture that the source gives is the base; while edits are in force, the views show a
 * second picture that lies over it and knows what it is compared with. Each refresh is a new base:
 * the edits are applied to it again, and what can no longer be applied says so. Up to four sets of
 * edits stand side by side; one of them is on the screen.
 */
#ifndef FAIRTOP_TUI_WHATIF_WHATIF_SETS_H
#define FAIRTOP_TUI_WHATIF_WHATIF_SETS_H

#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif_run.h"
#include "tui/rows/state.h"

/* What a set comes to, for the table of the panel. */
struct whatif_sum {
	bool known;
	uint32_t moved, heads;
	double gain, loss;		/* places; 0: nobody */
	char gain_job[24], loss_job[24], head[40];
	struct evenness is;
};

/* Where lines of the panel were last drawn, for the mouse. */
struct whatif_place {
	int x, y, width;
	uint32_t first;			/* line of the panel at y */
};

enum whatif_wish { WHATIF_NOTHING, WHATIF_SAVE, WHATIF_LOAD, WHATIF_EXPORT };

struct whatif_sets {
	struct whatif *sets[WHATIF_SETS];	/* NULL: not used yet */
	char *saved[WHATIF_SETS];		/* owned: as its file has it; NULL: no file */
	struct whatif_sum sums[WHATIF_SETS];
	/* What each set does to the rows, while others are shown beside the one on the screen. */
	struct changes_places *places[WHATIF_SETS];
	bool beside;
	bool put_what_if;		/* the column of the policy view came with the edits */
	struct evenness was;			/* of the base */
	uint32_t set;				/* the one on the screen */
	bool flipped;				/* the base is on the screen, the edits wait */
	char sliding[80];			/* the weight that is being moved */
	uint32_t slid;				/* edits there were after it was last moved */
	struct whatif_place knobs_at, edits_at;
	/* How rows stood before they were sorted by who moves. */
	const struct column *order[VIEW_COUNT];
	bool descending[VIEW_COUNT], flat[VIEW_COUNT], moved[VIEW_COUNT];
	/* The column that compares and sorted until the base came on the screen; NULL: none. */
	const struct column *away[VIEW_COUNT];
	bool away_descending[VIEW_COUNT];
	/* What the outside is to do with a file (APP_FILE). */
	enum whatif_wish wish;
	char path[1024];
	char export_as[8];			/* slurm pbs lsf */
	bool inverse;
};

extern const struct feature whatif_feature;

/* The set on the screen; made when it is asked for first. */
struct whatif *whatif_edits(struct app *a);
const struct whatif *whatif_edits_get(const struct app *a);	/* NULL: none yet */
uint32_t whatif_count(const struct app *a);			/* edits in force in it */
uint32_t whatif_void(const struct app *a);	/* those of them that could not be made just now */

/*
 * Edits that leaving would lose: those of all sets that are not as they were last saved to a file
 * or loaded from one. whatif_saved(): the set on the screen is so now.
 */
uint32_t whatif_unsaved(const struct app *a);
void whatif_saved(struct app *a);

/* The picture on the screen beside its base; NULL: it is the base. */
const struct changes_pair *whatif_changes(const struct app *a);

/* The picture as the source gave it, whatever is on the screen; NULL without one. */
struct picture *whatif_base(const struct app *a);

/*
 * The picture to show for BASE: BASE itself, or one over it that owns it; NULL and ERR if BASE
 * cannot be computed (ANEW) as the edits need it, BASE and ERR if they cannot be applied. What BASE
 * was computed with before is FORMER's, to be freed when no list shows it any longer.
 */
struct whatif_former {
	struct model *model;
	struct queue *queue;
};
struct picture *whatif_make(struct app *a, struct picture *base, bool anew,
			    struct whatif_former *former, struct err *err);
void whatif_former_free(struct whatif_former *f);

/* The base is another one: nothing that was summed up is true any longer. */
void whatif_forget(struct whatif_sets *t);

/*
 * Before the lists of classes and of pools get their data: which class is which, and the pools of
 * the base. ANEW: the user groups otherwise now.
 */
void whatif_base_classes(struct app *a, bool anew);
void whatif_base_pools(struct app *a);

/* Columns that compare, put beside what they compare, or taken away (whatif_columns.c). */
void whatif_fit_columns(struct app *a);
/* By its name, among those that are shown; NULL. */
const struct column *whatif_find_column(const struct sheet *sheet, const char *name);

/* Text of a cell of such a column, with its sign. */
void whatif_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		 size_t size);

/* The commands of the set on the screen, as t->export_as and t->inverse say; READY: as usual. */
bool whatif_export_ready(struct app *a, struct err *err);
bool whatif_export_text(struct app *a, struct sink out, struct err *err);
/* Does what t->wish asks for; the app is told what came of it (whatif_files.c). */
void whatif_files(struct app *a);

/* What Tab offers in the prompt for edits (whatif_complete.c): for TEXT the rest of the line. */
struct whatif_offer {
	void (*offer)(void *context, const char *text);
	void *context;
};
void whatif_complete(const struct app *a, const char *text, struct whatif_offer to);
const char *whatif_meaning(const char *text);	/* of what an edit sets; NULL: not known yet */

#endif
