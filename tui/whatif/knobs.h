/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knobs: the weights of the factors as sliders: the six, and one per TRES type with a weight.
 */
#ifndef FAIRTOP_TUI_WHATIF_KNOBS_H
#define FAIRTOP_TUI_WHATIF_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

struct app;

#define KNOBS_MAX 24

struct knob {
	char target[80];	/* "weight.age", "weight.tres"; the same text as long as it stays */
	char label[40];		/* "age", "cpu" */
	int tres;		/* place in PriorityWeightTRES, -1: one of the six */
	double base, now;
};

struct knobs {
	struct knob at[KNOBS_MAX];
	size_t count;		/* 0: this scheduler has none, or nothing is known yet */
	double sum, base_sum;	/* of the points */
	double step;		/* of a slider with one key: about a hundredth of the sum */
};

/* Is it a Slurm, whose weights and commands these are? */
bool knobs_are_slurms(const struct app *a);

/* As the base has them, and as the set on the screen makes them. */
void knobs_of(const struct app *a, struct knobs *k);

/* The edit that gives knob I the points NOW. */
void knob_edit(const struct knobs *k, size_t i, double now, char *buf, size_t size);

#endif
