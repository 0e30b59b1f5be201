/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/replay/wish.h"

#include "core/base/mem.h"
#include "core/replay/replay_private.h"

struct wish *wish_of(struct replay *r, struct replay_job *j)
{
	if (j->wish == 0) {
		MEM_GROW(r->wishes, r->wish_capacity, r->wish_count + 1);
		r->wishes[r->wish_count++] = (struct wish)WISH_NONE;
		j->wish = (uint32_t)r->wish_count;
	}
	return &r->wishes[j->wish - 1];
}

const struct wish *wish_get(const struct replay *r, const struct replay_job *j)
{
	static const struct wish none = WISH_NONE;

	return j->wish == 0 ? &none : &r->wishes[j->wish - 1];
}
