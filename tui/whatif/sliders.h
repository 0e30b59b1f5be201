/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sliders: the weights of the factors as sliders: six, and one per TRES type with a weight. */
#ifndef FAIRTOP_TUI_WHATIF_SLIDERS_H
#define FAIRTOP_TUI_WHATIF_SLIDERS_H

#include <stdbool.h>
#include <stddef.h>

struct app;

#define SLIDERS_MAX 24

struct slider {
	char target[80];	/* "weight.age", "weight.tres"; the same text while it stays */
	char label[40];		/* "age", "cpu" */
	int tres;		/* index in PriorityWeightTRES, -1: not a TRES */
	double base, now;
};

struct sliders {
	struct slider at[SLIDERS_MAX];
	size_t count;		/* 0: none for this scheduler, or unknown */
	double sum, base_sum;	/* of the points */
	double step;		/* step of a slider per key: about a hundredth of the sum */
};

/* Whether the cluster is Slurm, which these weights and commands need. */
bool sliders_are_slurms(const struct app *a);

/* Sets the weights as in the base, and as in the set on the screen. */
void sliders_of(const struct app *a, struct sliders *k);

/* Writes the edit that sets slider I to NOW points. */
void slider_edit(const struct sliders *k, size_t i, double now, char *buf, size_t size);

#endif
