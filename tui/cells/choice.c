/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/choice.h"

uint32_t choice_move(uint32_t pick, int64_t by, uint32_t count)
{
	int64_t target = (int64_t)pick + by, last = (int64_t)count - 1;

	return (uint32_t)(target > last ? (last > 0 ? last : 0) : target < 0 ? 0 : target);
}

uint32_t choice_first(uint32_t first, uint32_t pick, int space)
{
	uint32_t lines = space > 0 ? (uint32_t)space : 1;

	if (pick < first)
		return pick;
	return pick >= first + lines ? pick - lines + 1 : first;
}

void choice_draw(const struct choice *choice, struct canvas *c, struct area at)
{
	struct area line = { at.x, at.y, at.width, 1 };

	for (uint32_t i = choice->first; i < choice->count && line.y < at.y + at.height; i++) {
		choice->line(choice->context, c, i, line);
		if (i == choice->pick)
			canvas_ground(c, line.x, line.y, line.width, GROUND_PICK);
		line.y++;
	}
}

uint32_t choice_at(uint32_t first, uint32_t count, struct area at, int x, int y)
{
	uint32_t line = first + (uint32_t)(y - at.y);

	if (x < at.x || x >= at.x + at.width || y < at.y || y >= at.y + at.height)
		return CHOICE_NONE;
	return line < count ? line : CHOICE_NONE;
}
