/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/policy.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/timestr.h"
#include "core/base/unknown.h"
#include "core/base/word.h"

/* Plain numbers of slurm.conf that are seconds, while the others are Slurm time strings. */
static bool policy_plain_seconds(size_t i)
{
	return strcmp(policy_params[i].name, "MessageTimeout") == 0 ||
	       strcmp(policy_params[i].name, "MinJobAge") == 0 ||
	       strcmp(policy_params[i].name, "KillWait") == 0 ||
	       strcmp(policy_params[i].name, "CompleteWait") == 0;
}

static void *policy_member(struct policy *p, size_t i)
{
	return (char *)p + policy_params[i].offset;
}

static const void *policy_member_const(const struct policy *p, size_t i)
{
	return (const char *)p + policy_params[i].offset;
}

static void policy_know(struct policy *p, size_t i)
{
	p->known[i / 64] |= UINT64_C(1) << i % 64;
	p->unreported[i / 64] &= ~(UINT64_C(1) << i % 64);
}

const char *const policy_scheduler_names[] = {
	[POLICY_OF_SLURM] = "Slurm", [POLICY_OF_PBS] = "PBS", [POLICY_OF_LSF] = "LSF",
};

#define COMMA ,
const char *const policy_schedules[] = { POLICY_SCHEDULES_BY(COMMA), NULL };
#undef COMMA

int policy_schedule_by_name(const char *name)
{
	for (int i = 0; policy_schedules[i]; i++) {
		if (strcmp(name, policy_schedules[i]) == 0)
			return i;
	}
	return -1;
}

enum policy_scheduler policy_scheduler_of(const char *kind)
{
	if (strcmp(kind, "lsf") == 0)
		return POLICY_OF_LSF;
	return strcmp(kind, "pbs") == 0 ? POLICY_OF_PBS : POLICY_OF_SLURM;
}

size_t policy_param_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < policy_params_count; i++) {
		if (word_equal_n(name, length, policy_params[i].name))
			return i;
	}
	return policy_params_count;
}

size_t policy_param(const char *name)
{
	return policy_param_by_name(name, strlen(name));
}

static void policy_note_unknown_flag(struct policy *p, const char *word, size_t length)
{
	size_t used = strlen(p->unknown_flags);

	if (used + length + 2 > sizeof(p->unknown_flags))
		return;
	if (used != 0)
		p->unknown_flags[used++] = ',';
	memcpy(p->unknown_flags + used, word, length);
	p->unknown_flags[used + length] = '\0';
}

/*
 * Slurm searches the whole text for each word, case ignored; fairtop compares whole words and keeps
 * unknown ones. FAIR_TREE (the default of old versions) is known and means nothing.
 */
static void policy_set_flags(struct policy *p, const char *text)
{
	p->flags = 0;
	p->unknown_flags[0] = '\0';
	while (*text) {
		size_t length = strcspn(text, ", ");
		size_t i = 0;

		while (i < policy_flags_count && !word_equal_n(text, length, policy_flags[i].name))
			i++;
		if (i < policy_flags_count)
			p->flags |= policy_flags[i].bit;
		else if (length != 0 && !word_equal_n(text, length, "FAIR_TREE") &&
			 !word_equal_n(text, length, "(null)"))
			policy_note_unknown_flag(p, text, length);
		text += length;
		text += strspn(text, ", ");
	}
}

/* Slurm also takes octal and hexadecimal numbers, a "k" and two words (s_p_handle_uint32()). */
static bool policy_parse_u32(size_t i, const char *text, uint32_t *value, struct err *err)
{
	bool slurm = policy_params[i].scheduler == POLICY_OF_SLURM;
	char *end;
	unsigned long long n = strtoull(text, &end, slurm ? 0 : 10);

	if (slurm && (word_equal(text, "UNLIMITED") || word_equal(text, "INFINITE"))) {
		*value = UINT32_MAX;
		return true;
	}
	if (slurm && end != text && n <= UINT32_MAX && word_equal(end, "k")) {
		n *= 1024;
		end++;
	}
	if (end == text || *end != '\0' || text[0] == '-' || n > UINT32_MAX)
		return err_set(err, ERR_INPUT, "%s=%s: not a number (expected 0 to 4294967295)",
			       policy_params[i].name, text);
	*value = (uint32_t)n;
	return true;
}

/* PBS writes [[hours:]minutes:]seconds, and hours may be any number. */
static bool policy_parse_clock(size_t i, const char *text, int64_t *value, struct err *err)
{
	int64_t seconds = 0;
	const char *at = text;
	unsigned parts = 0;

	do {
		char *end;
		unsigned long long n = strtoull(at, &end, 10);

		if (*at < '0' || *at > '9' || n > INT32_MAX || ++parts > 3)
			break;
		seconds = seconds * 60 + (int64_t)n;
		at = *end == ':' ? end + 1 : end;
		if (*end == '\0') {
			*value = seconds;
			return true;
		}
	} while (at[-1] == ':');
	return err_set(err, ERR_INPUT, "%s=%s: not a time (expected hh:mm:ss)",
		       policy_params[i].name, text);
}

static bool policy_parse_seconds(size_t i, const char *text, int64_t *value, struct err *err)
{
	uint32_t n;

	if (policy_params[i].scheduler == POLICY_OF_PBS)
		return policy_parse_clock(i, text, value, err);
	if (policy_plain_seconds(i)) {
		if (!policy_parse_u32(i, text, &n, err))
			return false;
		*value = n;
		return true;
	}
	if (!timestr_parse(text, value, err))
		return err_prefix(err, "%s", policy_params[i].name);
	return true;
}

static bool policy_parse_bool(size_t i, const char *text, bool *value, struct err *err)
{
	bool yes = word_among("YES TRUE UP 1 Y", " ", text);

	if (!yes && !word_among("NO FALSE DOWN 0 N", " ", text))
		return err_set(err, ERR_INPUT, "%s=%s: expected %s", policy_params[i].name, text,
			       policy_params[i].scheduler == POLICY_OF_PBS ? "True or False" :
			       "YES or NO");
	*value = yes;
	return true;
}

bool policy_set_text(struct policy *p, size_t i, const char *text, struct err *err)
{
	const struct policy_param *param = &policy_params[i];
	void *member = policy_member(p, i);

	assert(i < policy_params_count);
	switch (param->type) {
	case POLICY_U32:
		if (!policy_parse_u32(i, text, member, err))
			return false;
		break;
	case POLICY_SECONDS:
		if (!policy_parse_seconds(i, text, member, err))
			return false;
		break;
	case POLICY_BOOL:
		if (!policy_parse_bool(i, text, member, err))
			return false;
		break;
	case POLICY_FLAGS:
		policy_set_flags(p, text);
		break;
	case POLICY_TEXT:
		if (strcmp(text, "(null)") == 0)
			text = "";
		if (strlen(text) >= param->size)
			return err_set(err, ERR_INPUT, "%s: longer than %zu characters",
				       param->name, param->size - 1);
		memcpy(member, text, strlen(text) + 1);
		break;
	}
	policy_know(p, i);
	return true;
}

void policy_set_number(struct policy *p, size_t i, uint64_t value)
{
	void *member = policy_member(p, i);

	assert(i < policy_params_count && policy_params[i].type != POLICY_TEXT);
	switch (policy_params[i].type) {
	case POLICY_U32:
	case POLICY_FLAGS:
		*(uint32_t *)member = (uint32_t)value;
		break;
	case POLICY_SECONDS:
		*(int64_t *)member = (int64_t)value;
		break;
	case POLICY_BOOL:
		*(bool *)member = value != 0;
		break;
	case POLICY_TEXT:
		break;
	}
	policy_know(p, i);
}

uint64_t policy_number(const struct policy *p, size_t i)
{
	const void *member = policy_member_const(p, i);

	assert(i < policy_params_count);
	switch (policy_params[i].type) {
	case POLICY_U32:
	case POLICY_FLAGS:
		return *(const uint32_t *)member;
	case POLICY_SECONDS:
		return (uint64_t) * (const int64_t *)member;
	case POLICY_BOOL:
		return *(const bool *)member;
	case POLICY_TEXT:
		break;
	}
	return 0;
}

bool policy_is_real(size_t i)
{
	if (policy_params[i].scheduler == POLICY_OF_LSF)
		return policy_params[i].type == POLICY_TEXT &&
		       policy_params[i].size == POLICY_REAL_MAX;
	return policy_params[i].offset == offsetof(struct policy, fairshare_decay_factor) ||
	       policy_params[i].offset == offsetof(struct policy, job_sort_formula_threshold);
}

bool policy_real(const struct policy *p, size_t i, double *value)
{
	const char *text = policy_member_const(p, i);
	char *end;

	if (!policy_is_real(i) || !*text || text[strspn(text, "+-.0123456789eE")] != '\0')
		return false;
	*value = strtod(text, &end);
	return *end == '\0' && isfinite(*value);
}

/* Appends WORD to the list in BUF after a comma; USED and the result are untruncated lengths. */
static size_t policy_append_word(char *buf, size_t size, size_t used, const char *word)
{
	size_t at = used < size ? used : size;

	return used + (size_t)snprintf(at < size ? buf + at : NULL, size - at, "%s%s",
				       used > 0 ? "," : "", word);
}

static size_t policy_flags_text(const struct policy *p, char *buf, size_t size)
{
	size_t used = 0;

	if (size > 0)
		buf[0] = '\0';
	for (size_t f = 0; f < policy_flags_count; f++) {
		if (p->flags & policy_flags[f].bit)
			used = policy_append_word(buf, size, used, policy_flags[f].name);
	}
	if (p->unknown_flags[0])
		used = policy_append_word(buf, size, used, p->unknown_flags);
	return used;
}

size_t policy_value_text(const struct policy *p, size_t i, char *buf, size_t size)
{
	uint64_t n = policy_number(p, i);

	if (policy_is_unreported(p, i))
		return (size_t)snprintf(buf, size, "%s", POLICY_UNREPORTED);
	switch (policy_params[i].type) {
	case POLICY_SECONDS:
		if (policy_params[i].scheduler == POLICY_OF_PBS)
			return (size_t)snprintf(buf, size, "%02llu:%02llu:%02llu",
						(unsigned long long)n / 3600,
						(unsigned long long)n / 60 % 60,
						(unsigned long long)n % 60);
		if (!policy_plain_seconds(i))
			return timestr_format((int64_t)n, buf, size);
		return (size_t)snprintf(buf, size, "%llu", (unsigned long long)n);
	case POLICY_U32:
		return (size_t)snprintf(buf, size, "%llu", (unsigned long long)n);
	case POLICY_BOOL:
		if (policy_params[i].scheduler == POLICY_OF_PBS)
			return (size_t)snprintf(buf, size, "%s", n ? "True" : "False");
		if (policy_params[i].scheduler == POLICY_OF_LSF)
			return (size_t)snprintf(buf, size, "%s", n ? "Y" : "N");
		return (size_t)snprintf(buf, size, "%s", n ? "YES" : "NO");
	case POLICY_FLAGS:
		return policy_flags_text(p, buf, size);
	case POLICY_TEXT:
		break;
	}
	return (size_t)snprintf(buf, size, "%s", (const char *)policy_member_const(p, i));
}

void policy_init(struct policy *p)
{
	struct err err;

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < policy_params_count; i++) {
		bool ok = policy_set_text(p, i, policy_params[i].default_value, &err);

		assert(ok);
		(void)ok;
	}
	memset(p->known, 0, sizeof(p->known));
	memset(p->unreported, 0, sizeof(p->unreported));
}

bool policy_is_known(const struct policy *p, size_t i)
{
	return (p->known[i / 64] >> i % 64 & 1) != 0;
}

bool policy_knows(const struct policy *p, const char *name)
{
	return policy_is_known(p, policy_param(name));
}

bool policy_is_unreported(const struct policy *p, size_t i)
{
	return (p->unreported[i / 64] >> i % 64 & 1) != 0;
}

bool policy_unreported(const struct policy *p, const char *name)
{
	return policy_is_unreported(p, policy_param(name));
}

bool policy_is_stated(const struct policy *p, size_t i)
{
	return policy_is_known(p, i) || policy_is_unreported(p, i);
}

void policy_forget(struct policy *p, size_t i)
{
	uint64_t bit = UINT64_C(1) << i % 64;

	/* All but LSF's keep the default, which is not a fact: policy_is_hidden(). */
	if (policy_params[i].offset == offsetof(struct policy, type))
		memcpy(p->type, POLICY_TYPE_UNKNOWN, sizeof(POLICY_TYPE_UNKNOWN));
	else if (policy_params[i].scheduler == POLICY_OF_LSF &&
		 policy_params[i].type == POLICY_TEXT)
		memset(policy_member(p, i), 0, policy_params[i].size);
	else if (policy_params[i].scheduler == POLICY_OF_LSF)
		policy_set_number(p, i, 0);
	p->known[i / 64] &= ~bit;
	p->unreported[i / 64] |= bit;
}

bool policy_restore(struct policy *p, size_t i, const char *text, struct err *err)
{
	if (strcmp(text, POLICY_UNREPORTED) != 0)
		return policy_set_text(p, i, text, err);
	policy_forget(p, i);
	return true;
}

const char *policy_qmgr_object(size_t i)
{
	static const struct {
		const char *name, *object;
	} reported[] = {
		{ "job_sort_formula", "sched" }, { "job_sort_formula_threshold", "sched" },
		{ "sched_cycle_length", "sched" }, { "throughput_mode", "sched" },
		{ "preempt_queue_prio", "sched" }, { "preempt_prio", "sched" },
		{ "preempt_order", "sched" }, { "preempt_sort", "sched" },
		{ "equiv_class_enable", "sched" }, { "equiv_class_exclude", "sched" },
		{ "backfill_depth", "server" }, { "eligible_time_enable", "server" },
		{ "query_other_jobs", "server" }, { "scheduler_iteration", "server" },
	};

	for (size_t k = 0; k < sizeof(reported) / sizeof(reported[0]); k++) {
		if (strcmp(reported[k].name, policy_params[i].name) == 0)
			return reported[k].object;
	}
	return NULL;
}

bool policy_is_hidden(const struct policy *p, size_t i)
{
	if (policy_params[i].scheduler != POLICY_OF_LSF && policy_is_unreported(p, i))
		return true;
	if (policy_params[i].scheduler == POLICY_OF_SLURM)
		return !policy_is_known(p, i) && !policy_tells_weights(p);
	/* Once sched_config was read, "resources" is known, with or without a line there. */
	return policy_params[i].scheduler == POLICY_OF_PBS && !policy_is_known(p, i) &&
	       !policy_knows(p, "resources") && !policy_qmgr_object(i);
}

bool policy_hides(const struct policy *p, const char *name)
{
	return policy_is_hidden(p, policy_param(name));
}

bool policy_is_multifactor(const struct policy *p)
{
	return strcmp(p->type, "priority/basic") != 0;
}

bool policy_tells_weights(const struct policy *p)
{
	return strcmp(p->type, POLICY_TYPE_UNKNOWN) != 0;
}

bool policy_keeps_limits(const struct policy *p)
{
	static const char *const words[] = { "limits", "safe", "all" };

	if (!policy_knows(p, "AccountingStorageEnforce"))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(p->storage_enforce, words[i]))
			return true;
	}
	return false;
}

bool policy_has_accounting(const struct policy *p)
{
	return !policy_knows(p, "AccountingStorageType") ||
	       strcmp(p->storage_type, "accounting_storage/slurmdbd") == 0;
}
