/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maker: makes pictures in other threads, so that a key never waits for the engine.
 *
 * The source's pictures are made in the collector's thread. The screen gives an order, by which the
 * thread makes all pictures from the next cluster on. They share only one atomic slot, which has
 * the newest order until the thread takes it.
 *
 * What the screen asks for by itself (a what-if, other classes, a cluster of the past) is made by a
 * worker (whatif/making.h).
 */
#ifndef FAIRTOP_TUI_SCREEN_MAKER_H
#define FAIRTOP_TUI_SCREEN_MAKER_H

#include "adapters/collector.h"
#include "tui/screen/app.h"

struct maker;

struct maker *maker_new(const struct picture_order *order);

/* For the screen. Cheap if nothing has changed. */
void maker_order(struct maker *m, const struct picture_order *order);

/*
 * For collector_new_making(), which then owns the maker. The collector returns struct picture *,
 * for EVENT_PICTURE.
 */
struct collector_maker maker_for_collector(struct maker *m);

#endif
