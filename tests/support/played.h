/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * played: a stage with a back-test whose figures are made up, so that a golden frame proves where
 * they are shown and does not depend on the engine.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_PLAYED_H
#define FAIRTOP_TESTS_SUPPORT_PLAYED_H

#include "tests/support/stage.h"

struct stage *played_stage(void);

#endif
