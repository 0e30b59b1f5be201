/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from numbers to texts: uid to user name, QOS number to its name. */
#include <pwd.h>
#include <string.h>

#include "adapters/slurm/helper/fill.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

struct names {
	struct idmap handles;		/* of the texts; TEXT_NONE: none */
	struct text *texts;
};

struct names *names_new(void)
{
	struct names *map = mem_zalloc(1, sizeof(*map));

	map->texts = text_new();
	return map;
}

void names_free(struct names *map)
{
	if (!map)
		return;
	idmap_free(&map->handles);
	text_free(map->texts);
	mem_free(map);
}

void names_put(struct names *map, uint32_t id, const char *text)
{
	idmap_put(&map->handles, id,
		  text ? text_intern(map->texts, text, strlen(text)) : TEXT_NONE);
}

bool names_get(const struct names *map, uint32_t id, const char **text)
{
	*text = text_get(map->texts, idmap_get(&map->handles, id, TEXT_NONE));
	return idmap_has(&map->handles, id);
}

const char *user_name(struct names *users, uint32_t uid)
{
	struct passwd entry, *found = NULL;
	char buffer[16384];
	const char *name;

	if (uid == NO_VAL)
		return NULL;
	if (!names_get(users, uid, &name)) {
		if (getpwuid_r(uid, &entry, buffer, sizeof(buffer), &found) != 0)
			found = NULL;
		names_put(users, uid, found ? found->pw_name : NULL);
		names_get(users, uid, &name);
	}
	return name;
}
