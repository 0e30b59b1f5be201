/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: compares numbers that must agree, and prints where they differ.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_COMPARE_H
#define FAIRTOP_TESTS_SUPPORT_COMPARE_H

#include <stdbool.h>

/*
 * |a - b| relative to the larger one; 0 if both are unknown or equal, infinity if only one is
 * unknown.
 */
double compare_relative(double a, double b);

/*
 * True if the relative difference is at most TOLERANCE; otherwise prints the place WHERE and WHAT
 * differs.
 */
bool compare_close(double is, double should, double tolerance, const char *where, const char *what);

#endif
