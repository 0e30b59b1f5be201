/* SPDX-License-Identifier: GPL-2.0-or-later */
/* living: the demo and its pictures, for tests; the test fails if they cannot be made. */
#ifndef FAIRTOP_TESTS_SUPPORT_LIVING_H
#define FAIRTOP_TESTS_SUPPORT_LIVING_H

#include "adapters/demo/demo.h"

struct demo_options living_options(const char *text);	/* TEXT as after "demo:" */
struct demo *living_new(const char *text);
struct cluster *living_picture(const struct demo *d);
struct cluster *living_first(const char *text);		/* its first picture */

#endif
