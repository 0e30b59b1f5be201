/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * played: a stage with a back-test that nobody computed. Its figures are made up, so that a golden
 * frame of them proves where they stand and not what the engine says.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_PLAYED_H
#define FAIRTOP_TESTS_SUPPORT_PLAYED_H

#include "tests/support/stage.h"

struct stage *played_stage(void);

#endif
