/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table from numbers to texts: uid to user name, QOS number to its name.
 */
#include <pwd.h>
#include <string.h>

#include "adapters/slurm/helper/fill.h"
#include "core/base/mem.h"

struct slot {
	bool used;
	uint32_t id;
	char *text;		/* owned, NULL: there is none */
};

struct names {
	struct slot *slots;
	size_t size, used;	/* size is a power of two */
};

struct names *names_new(void)
{
	struct names *map = mem_zalloc(1, sizeof(*map));

	map->size = 64;
	map->slots = mem_zalloc(map->size, sizeof(*map->slots));
	return map;
}

void names_free(struct names *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->size; i++)
		mem_free(map->slots[i].text);
	mem_free(map->slots);
	mem_free(map);
}

static struct slot *find(const struct names *map, uint32_t id)
{
	size_t i = id * UINT32_C(2654435761) & (map->size - 1);

	while (map->slots[i].used && map->slots[i].id != id)
		i = (i + 1) & (map->size - 1);
	return &map->slots[i];
}

static void grow(struct names *map)
{
	struct slot *old = map->slots;
	size_t size = map->size;

	map->size *= 2;
	map->slots = mem_zalloc(map->size, sizeof(*map->slots));
	for (size_t i = 0; i < size; i++) {
		if (old[i].used)
			*find(map, old[i].id) = old[i];
	}
	mem_free(old);
}

void names_put(struct names *map, uint32_t id, const char *text)
{
	struct slot *slot = find(map, id);

	if (slot->used && slot->text && text && strcmp(slot->text, text) == 0)
		return;
	if (!slot->used && ++map->used * 2 > map->size) {
		grow(map);
		slot = find(map, id);
	}
	mem_free(slot->text);
	*slot = (struct slot){ true, id, text ? mem_strdup(text) : NULL };
}

bool names_get(const struct names *map, uint32_t id, const char **text)
{
	const struct slot *slot = find(map, id);

	*text = slot->used ? slot->text : NULL;
	return slot->used;
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
