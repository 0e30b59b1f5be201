/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shortest: the fewest decimal digits that read back to the same double.
 *
 * Among texts of equal length it is the one closest to the double. The fast path is Grisu3 (Florian
 * Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with Integers", PLDI 2010),
 * which detects when it may be wrong (one double in 200); then the C library's correctly rounded
 * digits are tried one by one.
 */
#ifndef FAIRTOP_CORE_BASE_SHORTEST_H
#define FAIRTOP_CORE_BASE_SHORTEST_H

#define SHORTEST_DIGITS_MAX 17

/*
 * Writes the digits of X, which is finite and greater than zero, without leading or trailing zeros
 * and not NUL-ended; returns their number. X = 0.DIGITS * 10^POINT.
 */
int shortest_digits(double x, char digits[SHORTEST_DIGITS_MAX], int *point);

#endif
