/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/foreseer.h"
#include "tui/screen/maker.h"
#include "tui/screen/starter.h"
#include "tui/screen/whyer.h"

const struct work *const works[WORKS] = { &maker_work, &starter_work, &foreseer_work,
					      &whyer_work };
