/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maker: makes pictures in the collector's thread, so that a key never waits for the engine.
 *
 * The screen says how (the order), the thread makes them from the next cluster on. The two share
 * nothing but one atomic slot, in which the newest order lies until the thread takes it.
 */
#ifndef FAIRTOP_TUI_SCREEN_MAKER_H
#define FAIRTOP_TUI_SCREEN_MAKER_H

#include "adapters/collector.h"
#include "tui/screen/app.h"

struct maker;

struct maker *maker_new(const struct picture_order *order);

/* The screen's side. Cheap when nothing has changed. */
void maker_order(struct maker *m, const struct picture_order *order);

/*
 * For collector_new_making(), which owns the maker from then on. What the collector gives are
 * struct picture *, for EVENT_PICTURE.
 */
struct collector_maker maker_for_collector(struct maker *m);

#endif
