/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted answers of a PostgreSQL server. The first line is its progress, "SAMPLE STAMP FIRST
 * LAST", where FIRST to LAST is a replaced range; each line after it is a table's name, a colon and
 * a row in the format of COPY. A copy is made of it, or it is refused with a reason; a copy is the
 * same when it is sent and fetched again.
 */
#include <stdint.h>

#include "adapters/file.h"
#include "tests/fuzz/fake_postgres.h"
#include "tests/support/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME "0123456789abcdef0123456789abcdef"
#define COPY_MOST (1 << 24)

static bool is_same(const struct raw_value *a, const struct raw_value *b)
{
	if (a->class != b->class)
		return false;
	switch (a->class) {
	case RAW_NULL:
		return true;
	case RAW_INTEGER:
		return a->integer == b->integer;
	case RAW_REAL:
		return memcmp(&a->real, &b->real, sizeof(a->real)) == 0;
	case RAW_TEXT:
	case RAW_BLOB:
		break;
	}
	return a->length == b->length &&
	       (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static bool there_and_back(void *context, const struct raw_table *t, const struct raw_value *values,
			   struct err *err)
{
	struct raw_value again[RAW_COLUMNS_MAX];
	struct bytes line = { NULL, 0, 0 };
	bool has[RAW_COLUMNS_MAX];

	(void)context;
	memset(has, true, sizeof(has));
	row_encode(&line, "a", t, values);
	/* Without the cluster at its start and the line's end. */
	line.data[line.length - 1] = '\0';
	if (!row_decode(line.data + 2, t, has, again, err))
		abort();
	for (size_t i = 0; i < t->count; i++) {
		if (!is_same(&values[i], &again[i]))
			abort();
	}
	bytes_free(&line);
	return true;
}

static void fetch(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct raw *copy = raw_open_copy(path, &err);
	const struct raw_table *tables;
	size_t count;

	if (!copy)
		return;
	fake.tables = raw_tables(copy, &fake.count);
	if (pull_all(NULL, "a", copy, &err)) {
		if (!pull_all(NULL, "a", copy, &err))
			abort();
		tables = raw_tables(copy, &count);
		for (size_t i = 0; i < count; i++)
			(void)raw_read(copy, &tables[i], 0, RAW_SAMPLE_MAX, there_and_back, NULL,
				       &err);
	} else if (err.code == ERR_NONE || !err.message[0]) {
		abort();
	}
	raw_close(copy);
}

static void tell(char *text)
{
	static char numbers[4][24], schema[24];
	char *line = strsep(&text, "\n"), *colon;

	memset(&fake, 0, sizeof(fake));
	for (size_t i = 0; i < 4; i++) {
		const char *word = line ? strsep(&line, " ") : NULL;

		snprintf(numbers[i], sizeof(numbers[i]), "%.20s", word && *word ? word : "0");
	}
	snprintf(schema, sizeof(schema), "%d", STORE_VERSION);
	fake = (struct fake_server){
		.replica = { NAME, NAME, schema, numbers[0], numbers[1] },
		.replaced = { numbers[2], numbers[3] }, .first = numbers[0],
	};
	while ((line = strsep(&text, "\n"))) {
		colon = strchr(line, ':');
		if (colon) {
			*colon = '\0';
			fake_line(line, -1, colon + 1);
		}
	}
}

static void leave(void)
{
	(void)scratch_close(NULL);
}

/* An empty copy, in a new file. Made once, since SQLite rereads the schema for each column. */
static const char *empty_copy(char path[SCRATCH_PATH_MAX])
{
	static char *bytes;
	static size_t length;
	FILE *f;

	if (!bytes && (scratch_open(NULL) != 0 || atexit(leave) != 0))
		abort();
	scratch_path("copy-wal", path);
	scratch_path("copy-shm", path);
	scratch_path("copy", path);
	if (!bytes) {
		raw_close(raw_open_copy(path, NULL));
		bytes = file_read(path, COPY_MOST, &length, NULL);
	}
	f = fopen(path, "w");
	if (!bytes || !f || fwrite(bytes, 1, length, f) != length || fclose(f) != 0)
		abort();
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[SCRATCH_PATH_MAX], *text = mem_strndup((const char *)data, size);

	tell(text);
	fetch(empty_copy(path));
	mem_free(text);
	return 0;
}
