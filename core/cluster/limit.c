/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/limit.h"

#include <string.h>

#include "core/base/word.h"

bool limit_is(enum field field)
{
	enum table table = field_info[field].table;
	const char *rest = strchr(field_info[field].meaning, ' ');

	return (table == TABLE_ASSOC || table == TABLE_QOS) && rest &&
	       (strcmp(rest, " limit") == 0 || strcmp(rest, " limits") == 0);
}

void limit_name(enum field limit, char name[LIMIT_NAME_MAX])
{
	const char *meaning = field_info[limit].meaning;
	size_t length = strcspn(meaning, " ");

	memcpy(name, meaning, length);
	name[length] = '\0';
}

/* Lower case, as short as the shortest command's form. Names that are no limits may be cut. */
static void limit_shorten(const char *name, size_t length, char out[LIMIT_NAME_MAX])
{
	static const char *const ends[][2] = {
		{ "perjob", "" }, { "pj", "" }, { "duration", "" }, { "peruser", "pu" },
		{ "peraccount", "pa" }, { "submitjobs", "submit" },
	};
	size_t used = 0;

	for (; used < length && used + 1 < LIMIT_NAME_MAX; used++)
		out[used] = word_lower(name[used]);
	out[used] = '\0';
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t end = strlen(ends[i][0]);

		if (used < end || strcmp(out + used - end, ends[i][0]) != 0)
			continue;
		memcpy(out + used - end, ends[i][1], strlen(ends[i][1]) + 1);
		used = strlen(out);
	}
}

enum field limit_named(enum table table, const char *name, size_t length)
{
	char wanted[LIMIT_NAME_MAX] = "", have[LIMIT_NAME_MAX];

	limit_shorten(name, length, wanted);
	for (enum field f = table_first_field(table); f < table_first_field(table + 1); f++) {
		const char *meaning = field_info[f].meaning;

		/* A quick test: most names differ in these two letters. */
		if (wanted[0] != word_lower(meaning[0]) || wanted[3] != word_lower(meaning[3]) ||
		    !limit_is(f))
			continue;
		limit_shorten(meaning, strcspn(meaning, " "), have);
		if (strcmp(have, wanted) == 0)
			return f;
	}
	return F_COUNT;
}

enum field limit_used(enum field limit)
{
	static const enum field pairs[][2] = {
		{ F_ASSOC_GRP_JOBS, F_ASSOC_USED_JOBS },
		{ F_ASSOC_GRP_SUBMIT, F_ASSOC_USED_SUBMIT },
		{ F_ASSOC_GRP_ACCRUE, F_ASSOC_USED_ACCRUE },
		{ F_ASSOC_MAX_JOBS, F_ASSOC_USED_JOBS },
		{ F_ASSOC_MAX_SUBMIT, F_ASSOC_USED_SUBMIT },
		{ F_ASSOC_GRP_WALL, F_ASSOC_USED_WALL },
		{ F_ASSOC_GRP_TRES, F_ASSOC_USED_TRES },
		{ F_ASSOC_GRP_TRES_MINS, F_ASSOC_USED_TRES_SECS },
		{ F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_USED_TRES_RUN_SECS },
		{ F_QOS_GRP_JOBS, F_QOS_USED_JOBS },
		{ F_QOS_GRP_ACCRUE, F_QOS_USED_ACCRUE },
		{ F_QOS_GRP_WALL, F_QOS_USED_WALL },
		{ F_QOS_GRP_TRES, F_QOS_USED_TRES },
		{ F_QOS_GRP_TRES_MINS, F_QOS_USED_TRES_SECS },
		{ F_QOS_GRP_TRES_RUN_MINS, F_QOS_USED_TRES_RUN_SECS },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i][0] == limit)
			return pairs[i][1];
	}
	return F_COUNT;
}
