/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/keymap.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

static void bind_defaults(struct keymap *m, const struct command *command)
{
	uint32_t key;

	/* Not script_split(): a key may be a quote or a #. */
	for (const char *at = command->keys; *at != '\0'; at += strspn(at, " ")) {
		size_t used = key_parse(at, strlen(at), &key, NULL);
		if (used == 0)
			return;
		keymap_bind(m, command->context == VIEW_ANY ? VIEW_ALL : command->context, key,
			    command->name, NULL);
		at += used;
	}
}

void keymap_init(struct keymap *m, const struct command *commands)
{
	*m = (struct keymap){ .commands = commands };
	for (const struct command *c = commands; c->name; c++)
		bind_defaults(m, c);
}

void keymap_free(struct keymap *m)
{
	mem_free(m->bindings);
	memset(m, 0, sizeof(*m));
}

static struct binding *keymap_find(const struct keymap *m, enum view_id context, uint32_t key)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->bindings[i].context == context && m->bindings[i].key == key)
			return &m->bindings[i];
	}
	return NULL;
}

bool keymap_bind(struct keymap *m, enum view_id context, uint32_t key, const char *line,
		 struct err *err)
{
	struct binding *b = keymap_find(m, context, key);

	if (strlen(line) >= BINDING_LINE)
		return err_set(err, ERR_INPUT, "a binding is longer than %d bytes",
			       BINDING_LINE - 1);
	if (!b) {
		if (m->count == m->capacity)
			MEM_GROW(m->bindings, m->capacity, m->count + 1);
		b = &m->bindings[m->count++];
		b->context = context;
		b->key = key;
	}
	memcpy(b->line, line, strlen(line) + 1);
	return true;
}

const char *keymap_line(const struct keymap *m, enum view_id context, uint32_t key)
{
	const struct binding *b = keymap_find(m, context, key);

	if (!b && context != VIEW_ALL)
		b = keymap_find(m, VIEW_ALL, key);
	return b && b->line[0] != '\0' ? b->line : NULL;
}

void keymap_titles(const struct keymap *m, enum view_id context, const char *name, bool ascii,
		   size_t max, char *buf, size_t size)
{
	char title[KEY_NAME_MAX];
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < m->count && max > 0; i++) {
		const struct binding *b = &m->bindings[i];
		if (strcmp(b->line, name) != 0 ||
		    (b->context != context && b->context != VIEW_ALL) ||
		    keymap_line(m, context, b->key) != b->line)
			continue;
		key_title(b->key, ascii, title);
		if (used + strlen(title) + 2 > size)
			return;
		used += (size_t)snprintf(buf + used, size - used, "%s%s", used > 0 ? " " : "",
					 title);
		max--;
	}
}
