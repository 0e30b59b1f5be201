/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognises saved texts by their content: people give files any name, and keep several outputs,
 * with the prompts between them, in one file.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/lsf/lsf_text.h"
#include "adapters/pasted.h"
#include "core/base/mem.h"

#define JSON_HEAD 4096		/* COMMAND is within so many bytes */

/* Beginnings of the first line of an output; NULL: any second word. */
static const struct {
	const char *first, *second;
	enum lsf_kind kind;
} heads[] = {
	{ "QUEUE_NAME", "PRIO", LSF_BQUEUES_W }, { "QUEUE:", NULL, LSF_BQUEUES_R },
	{ "HOST_NAME", "STATUS", LSF_BHOSTS_W }, { "HOST_NAME", "type", LSF_LSHOSTS_W },
	{ "HOST_PARTITION_NAME:", NULL, LSF_BHPART }, { "JOBID", "USER", LSF_BJOBS_W },
	{ "GROUP_NAME", "USERS", LSF_BUGROUP_W }, { "GROUP_NAME", "HOSTS", LSF_BMGROUP },
	{ "USER/GROUP", "JL/P", LSF_BUSERS }, { "System", "default", LSF_BPARAMS_L },
	{ "IBM", "Spectrum", LSF_LSID }, { "IBM", "Platform", LSF_LSID },
	{ "Platform", "LSF", LSF_LSID }, { "volclava", "project", LSF_LSID },
	{ "openlava", "project", LSF_LSID }, { "My", "cluster", LSF_LSID },
};

/* LSF's own files, which usually keep their names: for renamed ones. */
static const struct {
	const char *section;
	enum lsf_kind kind;
} sections[] = {
	{ "Queue", LSF_QUEUES }, { "Host", LSF_HOSTS }, { "HostGroup", LSF_HOSTS },
	{ "HostPartition", LSF_HOSTS }, { "Limit", LSF_RESOURCES }, { "User", LSF_USERS },
	{ "UserGroup", LSF_USERS }, { "Parameters", LSF_PARAMS },
};

/* Messages of LSF's commands on standard error that do not begin with their names. */
static const char *const complaints[] = {
	"batch system daemon", "LSF daemon", "LSF is down", "Please wait", "Failed in an LSF",
	"Cannot connect to LSF", "Connection refused", "Request from a non-LSF",
	"User permission denied",
};

static bool is_none(struct slice line)
{
	return slice_starts(line, "No ") && memmem(line.at, line.length, " job found", 10);
}

/* The kind of output whose first line it is; LSF_KINDS if none. */
static enum lsf_kind kind_of_line(struct slice line)
{
	struct slice rest = line, first, second;

	/* bparams begins with a blank line, and in bjobs -l all output of jobs is indented. */
	if (!slice_word(&rest, &first) || first.at != line.at)
		return LSF_KINDS;
	slice_word(&rest, &second);
	if (is_none(line))
		return LSF_BJOBS_W;
	/* "Job <7> is not found" is not a first line. */
	if (slice_is(first, "Job"))
		return memmem(second.at, second.length, ">,", 2) ? LSF_BJOBS_L : LSF_KINDS;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (slice_is(first, heads[i].first) &&
		    (!heads[i].second || slice_is(second, heads[i].second)))
			return heads[i].kind;
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (slice_same(first, "Begin") && slice_same(second, sections[i].section))
			return sections[i].kind;
	}
	return LSF_KINDS;
}

static bool is_complaint(struct slice line)
{
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		if (slice_starts(line, complaints[i]))
			return true;
	}
	return pasted_is_remark(line);
}

/* Blanks out prompts and messages of standard error; the last message goes to T. */
static void drop_noise(struct lsf_text *t, char *text, size_t length)
{
	struct slice rest = { text, length }, line;

	while (slice_line(&rest, &line)) {
		bool says = line.length > 0 && line.at[0] != ' ' && is_complaint(line);

		if (says)
			snprintf(t->said, sizeof(t->said), "%.*s", SLICE_PRINT(line));
		if (says || pasted_is_prompt(line))
			memset(text + (line.at - text), ' ', line.length);
	}
}

/* Takes PART, after LINES lines, as an output of KIND. */
static bool outputs_take_part(struct lsf_texts *texts, const char *name, enum lsf_kind kind,
			      struct slice part, size_t lines)
{
	struct lsf_text *t = &texts->kind[kind];

	if (t->text && t->length > 0)
		return false;
	mem_free(t->text);
	*t = (struct lsf_text){ .name = name };
	if (is_none(part))
		part.length = lines = 0;
	t->length = lines + part.length;
	t->text = mem_alloc(t->length + 1, 1);
	memset(t->text, '\n', lines);
	memcpy(t->text + lines, part.at, part.length);
	t->text[t->length] = '\0';
	/* A message of a job's command is not LSF's. */
	if (kind != LSF_BJOBS_L)
		drop_noise(t, t->text + lines, part.length);
	return true;
}

static enum lsf_kind outputs_json_kind(const char *text, size_t length, enum lsf_kind kind)
{
	static const struct {
		const char *word;
		enum lsf_kind kind;
	} commands[] = {
		{ "\"bqueues\"", LSF_BQUEUES }, { "\"bhosts\"", LSF_BHOSTS },
		{ "\"bjobs\"", LSF_BJOBS },
	};
	size_t head = length < JSON_HEAD ? length : JSON_HEAD;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (memmem(text, head, commands[i].word, strlen(commands[i].word)))
			return commands[i].kind;
	}
	return kind;
}

/* Takes TEXT as a whole, as one of KIND. */
static bool outputs_take_whole(struct lsf_texts *texts, const char *name, enum lsf_kind kind,
			       char *text, size_t length, const char *said)
{
	struct lsf_text *t = kind < LSF_KINDS ? &texts->kind[kind] : NULL;

	if (!t || t->text) {
		mem_free(text);
		return false;
	}
	*t = (struct lsf_text){ .name = name, .text = text, .length = length };
	snprintf(t->said, sizeof(t->said), "%s", said);
	return true;
}

bool lsf_texts_take(struct lsf_texts *texts, const char *name, enum lsf_kind kind, char *text,
		    size_t length)
{
	struct slice rest, line, part = { NULL, 0 };
	enum lsf_kind now = LSF_KINDS, next;
	size_t lines = 0, before = 0;
	bool taken = false, whole;
	char said[sizeof(texts->kind[0].said)] = "";

	pasted_clean(text, &length);
	for (rest = (struct slice){ text, length }; slice_line(&rest, &line); lines++) {
		if (now == LSF_KINDS && slice_starts(slice_trim(line), "{")) {
			pasted_json(text, length, said, sizeof(said));
			kind = outputs_json_kind(line.at, (size_t)(text + length - line.at), kind);
			return outputs_take_whole(texts, name, kind, text, length, said);
		}
		next = kind_of_line(line);
		if (next == LSF_KINDS || next == now)
			continue;
		part.length = (size_t)(line.at - part.at);
		if (now != LSF_KINDS)
			taken |= outputs_take_part(texts, name, now, part, before);
		/* lsid begins with the version, in varying words. */
		whole = now == LSF_KINDS && next == LSF_LSID && kind == LSF_LSID;
		now = next;
		part.at = whole ? text : line.at;
		before = whole ? 0 : lines;
	}
	if (now == LSF_KINDS)
		return outputs_take_whole(texts, name, kind, text, length, said);
	part.length = (size_t)(text + length - part.at);
	taken |= outputs_take_part(texts, name, now, part, before);
	mem_free(text);
	return taken;
}
