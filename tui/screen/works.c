/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/worker.h"

const struct work *const works[WORKS] = { &maker_work, &starter_work, &foreseer_work, &whyer_work };
