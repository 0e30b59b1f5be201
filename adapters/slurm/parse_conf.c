/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/parse_conf.h"

#include <string.h>

#include "adapters/file.h"
#include "core/base/mem.h"

/* Deep enough for every site; stops a file that includes itself. */
#define INCLUDE_DEPTH_MAX 8
#define INCLUDES_MAX 1000	/* counting each repetition */

/* ---- lines --------------------------------------------------------------------------------- */

/* One logical line, comments gone and continuations joined. */
struct conf_line {
	char *bytes;
	size_t length, capacity;
	uint32_t number;		/* of its first physical line */
};

static void line_append(struct conf_line *line, struct slice s)
{
	line->bytes = mem_grow(line->bytes, &line->capacity, line->length + s.length + 1, 1);
	if (s.length > 0)
		memcpy(line->bytes + line->length, s.at, s.length);
	line->length += s.length;
	line->bytes[line->length] = '\0';
}

static size_t backslashes_before(struct slice s, size_t at)
{
	size_t n = 0;

	while (n < at && s.at[at - 1 - n] == '\\')
		n++;
	return n;
}

static struct slice without_comment(struct slice s)
{
	for (size_t i = 0; i < s.length; i++) {
		if (s.at[i] == '#' && backslashes_before(s, i) % 2 == 0)
			return (struct slice){ s.at, i };
	}
	return s;
}

/* A backslash at the very end, not itself escaped, is taken off and continues the line. */
static bool take_continuation(struct slice *s)
{
	if (backslashes_before(*s, s->length) % 2 == 0)
		return false;
	s->length--;
	return true;
}

static bool slurm_conf_next_line(struct slice *rest, uint32_t *number, struct conf_line *line)
{
	struct slice physical;
	bool more;

	line->length = 0;
	line->number = *number + 1;
	do {
		if (!slice_line(rest, &physical))
			return line->number <= *number;
		(*number)++;
		physical = without_comment(physical);
		more = take_continuation(&physical);
		line_append(line, physical);
	} while (more);
	return true;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static bool slurm_conf_is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

static bool scan_fail(const struct slurm_conf_pair *pair, struct slice rest, struct err *err)
{
	err_set(err, ERR_INPUT, "\"%.*s\": expected Key=Value (values with blanks in double "
		"quotes)", SLICE_PRINT(rest));
	return err_at(err, pair->file, pair->line);
}

/* Takes Key=Value or Key = "quoted value" off REST. */
static bool next_pair(struct slice *rest, struct slurm_conf_pair *pair)
{
	struct slice s = *rest;
	size_t n = 0;

	while (n < s.length && slurm_conf_is_key_char(s.at[n]))
		n++;
	pair->key = (struct slice){ s.at, n };
	s = slice_trim(slice_from(s, n));
	/* Some lists know "+=" and "-="; which of them does not matter for any parameter here. */
	if (s.length > 1 && (s.at[0] == '+' || s.at[0] == '-') && s.at[1] == '=')
		s = slice_from(s, 1);
	if (n == 0 || s.length == 0 || s.at[0] != '=')
		return false;
	s = slice_trim(slice_from(s, 1));
	if (s.length > 0 && s.at[0] == '"') {
		struct slice quoted = slice_from(s, 1);
		const char *end = quoted.length ? memchr(quoted.at, '"', quoted.length) : NULL;

		if (!end)
			return false;
		pair->value = (struct slice){ quoted.at, (size_t)(end - quoted.at) };
		*rest = slice_trim(slice_from(quoted, pair->value.length + 1));
		return true;
	}
	*rest = s;
	return slice_word(rest, &pair->value);
}

static bool scan_line(const struct slurm_text *text, const struct conf_line *line,
		      slurm_conf_each *each, void *context, struct err *err)
{
	struct slurm_conf_pair pair = { .file = text->name, .line = line->number };
	struct slice rest = slice_trim((struct slice){ line->bytes, line->length });
	struct slice word, after = rest;

	if (slice_word(&after, &word) && slice_same(word, "Include")) {
		pair.head = pair.key = word;
		pair.value = slice_trim(after);
		return pair.value.length != 0 ? each(context, &pair, err)
					      : scan_fail(&pair, rest, err);
	}
	for (bool first = true; rest.length > 0; first = false) {
		struct slice before = rest;

		if (!next_pair(&rest, &pair))
			return scan_fail(&pair, before, err);
		rest = slice_trim(rest);
		if (first)
			pair.head = pair.key;
		if (!each(context, &pair, err))
			return false;
	}
	return true;
}

bool slurm_conf_scan(const struct slurm_text *text, slurm_conf_each *each, void *context,
		     struct err *err)
{
	struct slice rest = { text->text, text->length };
	struct conf_line line = { 0 };
	uint32_t number = 0;
	bool good = true;

	while (good && slurm_conf_next_line(&rest, &number, &line))
		good = line.length == 0 || scan_line(text, &line, each, context, err);
	mem_free(line.bytes);
	return good;
}

/* ---- files --------------------------------------------------------------------------------- */

struct slurm_conf_reading {
	slurm_conf_each *each;
	void *context;
	const char *top;		/* path of the first file */
	char cluster[128];
	int depth, includes;
	size_t bytes;			/* read so far */
	bool endless;			/* a limit stopped it */
};

static bool slurm_conf_read_file(struct slurm_conf_reading *reading, const char *path,
				 struct err *err);

/* The path of an include: %c is the cluster, a relative one starts where the first file is. */
static char *include_path(const struct slurm_conf_reading *reading, struct slice value)
{
	const char *slash = strrchr(reading->top, '/');
	struct conf_line path = { 0 };

	if (value.at[0] != '/' && slash)
		line_append(&path, (struct slice){ reading->top,
						   (size_t)(slash - reading->top) + 1 });
	while (value.length > 0) {
		bool cluster = slice_starts(value, "%c");

		line_append(&path, cluster ? slice_of(reading->cluster)
					   : (struct slice){ value.at, 1 });
		value = slice_from(value, cluster ? 2 : 1);
	}
	return path.bytes;
}

static bool read_include(struct slurm_conf_reading *reading, const struct slurm_conf_pair *pair,
			 struct err *err)
{
	char *path;
	bool good;

	reading->endless = reading->depth >= INCLUDE_DEPTH_MAX || reading->includes >= INCLUDES_MAX;
	if (reading->endless) {
		err_set(err, ERR_INPUT, "Include \"%.*s\": files include each other more than %d "
			"deep or %d times", SLICE_PRINT(pair->value), INCLUDE_DEPTH_MAX,
			INCLUDES_MAX);
		return err_at(err, pair->file, pair->line);
	}
	reading->includes++;
	path = include_path(reading, pair->value);
	reading->depth++;
	good = slurm_conf_read_file(reading, path, err);
	reading->depth--;
	mem_free(path);
	return good;
}

static bool slurm_conf_read_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct slurm_conf_reading *reading = context;

	if (slice_same(pair->head, "Include"))
		return read_include(reading, pair, err);
	if (slice_same(pair->head, "ClusterName") && slice_same(pair->key, "ClusterName") &&
	    pair->value.length < sizeof(reading->cluster)) {
		memcpy(reading->cluster, pair->value.at, pair->value.length);
		reading->cluster[pair->value.length] = '\0';
	}
	return reading->each(reading->context, pair, err);
}

static bool slurm_conf_read_file(struct slurm_conf_reading *reading, const char *path,
				 struct err *err)
{
	struct slurm_text text = { .name = path };
	char *bytes = file_read(path, CONF_BYTES_MAX, &text.length, err);
	bool good;

	if (!bytes)
		return false;
	text.text = bytes;
	reading->bytes += text.length;
	reading->endless = reading->bytes > CONF_BYTES_MAX;
	if (reading->endless)
		good = err_about(err, ERR_INPUT, path, "more than %zu MB with the files read "
				 "before it", CONF_BYTES_MAX >> 20);
	else
		good = slurm_conf_scan(&text, slurm_conf_read_pair, reading, err);
	mem_free(bytes);
	return good;
}

bool slurm_conf_read(const char *path, slurm_conf_each *each, void *context, struct err *err)
{
	struct slurm_conf_reading reading = { .each = each, .context = context, .top = path };

	return slurm_conf_read_file(&reading, path, err);
}

static bool slurm_conf_pass_over(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	(void)context;
	(void)pair;
	(void)err;
	return true;
}

bool slurm_conf_ends(const char *path, struct err *err)
{
	struct slurm_conf_reading reading = { .each = slurm_conf_pass_over, .top = path };
	struct err why = { .code = ERR_NONE };

	if (slurm_conf_read_file(&reading, path, &why) || !reading.endless)
		return true;
	return err_set(err, ERR_SOURCE, "%s", why.message);
}

/* ---- policy -------------------------------------------------------------------------------- */

bool slurm_conf_is_global(const struct slurm_conf_pair *pair)
{
	static const char *const heads[] = { "NodeName", "PartitionName", "NodeSet", "DownNodes",
					     "FrontendName" };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (slice_same(pair->head, heads[i]))
			return false;
	}
	return true;
}

bool slurm_conf_policy(struct policy *policy, struct slice key, struct slice value, bool *cut,
		       struct err *err)
{
	size_t i = policy_param_by_name(key.at, key.length);
	char *text;
	bool good;

	if (i == policy_params_count)
		return true;
	if (policy_params[i].type == POLICY_TEXT && value.length >= policy_params[i].size) {
		*cut = true;
		value.length = policy_params[i].size - 1;
		while (value.length > 0 && value.at[value.length] != ',')
			value.length--;
	}
	text = mem_strndup(value.at, value.length);
	good = policy_set_text(policy, i, text, err);
	mem_free(text);
	return good;
}
