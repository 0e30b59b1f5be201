/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths and stable keys. The grammar is the contract's: accounts joined by /, a user after :, a
 * partition after @; / : @ % = and control characters as %XX.
 */
#include "core/cluster/cluster_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/word.h"
#include "core/cluster/job_tasks.h"

/* Limit on the total bytes of long paths; a tree beyond it is not genuine. */
#define LONG_PATHS_MOST ((size_t)512 << 20)

static bool needs_escape(unsigned char c)
{
	return c < 0x20 || c == 0x7f || c == '/' || c == ':' || c == '@' || c == '%' || c == '=';
}

/*
 * Paths are written backwards, since an association knows its parent. Writes NAME before END;
 * returns its beginning. PLAIN: a special character that is not escaped; 0: none.
 */
static char *name_before(char *end, const char *name, char plain)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = strlen(name); i-- > 0;) {
		unsigned char c = (unsigned char)name[i];

		if (needs_escape(c) && name[i] != plain) {
			*--end = hex[c & 15];
			*--end = hex[c >> 4];
			*--end = '%';
		} else {
			*--end = name[i];
		}
	}
	return end;
}

static size_t name_length(const char *name, char plain)
{
	size_t length = 0;

	for (; *name; name++)
		length += needs_escape((unsigned char)*name) && *name != plain ? 3 : 1;
	return length;
}

/* PBS writes an entity as "dl:quinn", group and user, like pbsfs. */
static char plain_in_user(const struct cluster *c)
{
	return strcmp(cluster_meta(c)->kind, "pbs") == 0 ? ':' : 0;
}

/* The last part of ASSOC's path: "/hep", ":alice@gpu". */
static char *part_before(char *end, const struct cluster *c, uint32_t assoc, char plain)
{
	const char *partition = cluster_name(c, F_ASSOC_PARTITION, assoc);
	bool user = cluster_is_user(c, assoc);

	if (user && *partition) {
		end = name_before(end, partition, 0);
		*--end = '@';
	}
	end = user ? name_before(end, cluster_name(c, F_ASSOC_USER, assoc), plain) :
		     name_before(end, cluster_name(c, F_ASSOC_ACCOUNT, assoc), 0);
	*--end = user ? ':' : '/';
	return end;
}

static size_t part_length(const struct cluster *c, uint32_t assoc, char plain)
{
	const char *partition = cluster_name(c, F_ASSOC_PARTITION, assoc);

	if (!cluster_is_user(c, assoc))
		return 1 + name_length(cluster_name(c, F_ASSOC_ACCOUNT, assoc), 0);
	return 1 + name_length(cluster_name(c, F_ASSOC_USER, assoc), plain) +
	       (*partition ? 1 + name_length(partition, 0) : 0);
}

/* The root is written only if no account follows: "/", "/:alice". */
static bool shows_root(const struct cluster *c, uint32_t assoc)
{
	return assoc == 0 || (c->parent[assoc] == 0 && cluster_is_user(c, assoc));
}

/* Writes the path before END, where it fits, and returns where it begins. */
static char *path_before(char *end, const struct cluster *c, uint32_t assoc)
{
	char plain = plain_in_user(c);
	bool root = shows_root(c, assoc);

	*end = '\0';
	for (; assoc != 0; assoc = c->parent[assoc])
		end = part_before(end, c, assoc, plain);
	if (root)
		*--end = '/';
	return end;
}

bool cluster_keep_paths(struct cluster *c, struct err *err)
{
	uint32_t n = c->rows[TABLE_ASSOC];
	size_t *lengths = mem_alloc(n, sizeof(*lengths)), total = 0;
	char *text, **paths, plain = plain_in_user(c);

	lengths[0] = 1;
	for (uint32_t i = 1; i < n; i++) {
		lengths[i] = part_length(c, i, plain) +
			     (c->parent[i] != 0 ? lengths[c->parent[i]] : shows_root(c, i));
		total += lengths[i] < VALUE_ROOM ? 0 : lengths[i] + 1;
	}
	if (total != 0 && total <= LONG_PATHS_MOST) {
		c->blocks = mem_alloc(2, sizeof(*c->blocks));
		c->block_count = c->block_capacity = 2;
		c->blocks[0] = paths = mem_zalloc(n, sizeof(*paths));
		c->blocks[1] = text = mem_alloc(total, 1);
		for (uint32_t i = 1; i < n; i++) {
			if (lengths[i] < VALUE_ROOM)
				continue;
			paths[i] = path_before(text + lengths[i], c, i);
			text += lengths[i] + 1;
		}
		c->long_paths = paths;
		c->bytes += total + n * sizeof(*paths);
	}
	mem_free(lengths);
	return total <= LONG_PATHS_MOST ||
	       err_set(err, ERR_INPUT, "association paths are too long: %zu bytes in those above "
		       "%d (expected at most %zu)", total, VALUE_ROOM - 1,
		       LONG_PATHS_MOST);
}

const char *cluster_path_get(const struct cluster *c, uint32_t assoc, char room[VALUE_ROOM])
{
	if (c->long_paths && c->long_paths[assoc])
		return c->long_paths[assoc];
	return path_before(room + VALUE_ROOM - 1, c, assoc);
}

size_t cluster_path(const struct cluster *c, uint32_t assoc, char *buf, size_t size)
{
	char room[VALUE_ROOM];
	const char *path = cluster_path_get(c, assoc, room), *tail;
	size_t length = strlen(path);

	if (length < size) {
		memcpy(buf, path, length + 1);
	} else if (size > 0) {
		/* The beginning of a path would name another association. */
		tail = path + length - (size > 4 ? size - 4 : 0);
		while (((unsigned char)*tail & 0xc0) == 0x80)	/* inside of a character */
			tail++;
		(void)snprintf(buf, size, "...%s", tail);
	}
	return length;
}

/* Compares NAME with the escaped text [path, end). */
static bool path_same_name(const char *name, const char *path, const char *end)
{
	for (; path < end; name++) {
		int c = (unsigned char)*path++;

		if (c == '%' && end - path >= 2 && word_hex_digit(path[0]) >= 0 &&
		    word_hex_digit(path[1]) >= 0) {
			c = word_hex_digit(path[0]) * 16 + word_hex_digit(path[1]);
			path += 2;
		}
		if ((unsigned char)*name != c || c == 0)
			return false;
	}
	return *name == '\0';
}

static uint32_t child_account(const struct cluster *c, uint32_t parent, const char *path,
			      const char *end)
{
	for (uint32_t i = parent + 1; i < parent + c->span[parent]; i += c->span[i]) {
		if (!cluster_is_user(c, i) &&
		    path_same_name(cluster_name(c, F_ASSOC_ACCOUNT, i), path, end))
			return i;
	}
	return ROW_NONE;
}

static uint32_t child_user(const struct cluster *c, uint32_t parent, const char *path,
			   const char *end)
{
	const char *at = memchr(path, '@', (size_t)(end - path));
	const char *user_end = at ? at : end;

	for (uint32_t i = parent + 1; i < parent + c->span[parent]; i += c->span[i]) {
		if (cluster_is_user(c, i) &&
		    path_same_name(cluster_name(c, F_ASSOC_USER, i), path, user_end) &&
		    path_same_name(cluster_name(c, F_ASSOC_PARTITION, i), at ? at + 1 : end,
				   end))
			return i;
	}
	return ROW_NONE;
}

uint32_t cluster_by_path(const struct cluster *c, const char *path)
{
	uint32_t row = 0;

	if (path[0] != '/' || c->rows[TABLE_ASSOC] == 0)
		return ROW_NONE;
	path++;
	while (*path && *path != ':') {
		const char *end = path + strcspn(path, "/:");

		row = child_account(c, row, path, end);
		if (row == ROW_NONE)
			return ROW_NONE;
		path = *end == '/' ? end + 1 : end;
	}
	return *path == ':' ? child_user(c, row, path + 1, path + strlen(path)) : row;
}

uint64_t cluster_key(const struct cluster *c, enum table table, uint32_t row)
{
	uint64_t key = (uint64_t)table + 1;

	if (table == TABLE_ASSOC) {
		for (uint32_t i = row; i != ROW_NONE; i = c->parent[i]) {
			const char *user = cluster_name(c, F_ASSOC_USER, i);
			const char *account = cluster_name(c, F_ASSOC_ACCOUNT, i);
			const char *partition = cluster_name(c, F_ASSOC_PARTITION, i);

			key = text_hash(partition, strlen(partition), key);
			key = text_hash(user, strlen(user), key);
			key = text_hash(account, strlen(account), key);
		}
		return key;
	}
	if (table == TABLE_JOB || table == TABLE_PRIO) {
		enum field id = table == TABLE_JOB ? F_JOB_ID : F_PRIO_JOB;
		enum field where = table == TABLE_JOB ? F_JOB_TASKS : F_PRIO_PARTITION;
		const char *s = cluster_text(c, where, row);
		uint32_t n = cluster_u32(c, id, row);

		/*
		 * An array keeps its identity while its tasks start: only a PRIO row has a
		 * partition and a QOS.
		 */
		key = text_hash((const char *)&n, sizeof(n), key);
		if (table == TABLE_JOB && cluster_text(c, F_JOB_JOB_ID, row)) {
			/* Subjobs of PBS have the number of their array. */
			s = cluster_text(c, F_JOB_JOB_ID, row);
			return text_hash(s, strlen(s), key);
		}
		if (table == TABLE_PRIO) {
			const char *qos = cluster_text(c, F_PRIO_QOS, row);

			key = s ? text_hash(s, strlen(s), key) : key;
			key = qos ? text_hash(qos, strlen(qos), key) : key;
		}
		return key;
	}
	enum field name = field_by_name(table, "name", 4);
	const char *s = name < F_COUNT ? cluster_text(c, name, row) : NULL;

	return text_hash(s ? s : "", s ? strlen(s) : 0, key);
}
