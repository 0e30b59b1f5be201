/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/store/anonymize.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"

/* ---- SipHash-2-4 --------------------------------------------------------------------------- */

static uint64_t anon_load64(const unsigned char *p, size_t length)
{
	uint64_t x = 0;

	for (size_t i = 0; i < length; i++)
		x |= (uint64_t)p[i] << 8 * i;
	return x;
}

static uint64_t anon_rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = anon_rotate(v[1], 13) ^ v[0];
	v[0] = anon_rotate(v[0], 32);
	v[2] += v[3];
	v[3] = anon_rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = anon_rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = anon_rotate(v[1], 17) ^ v[2];
	v[2] = anon_rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
}

uint64_t siphash(const unsigned char key[ANONYMIZE_KEY], const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	uint64_t k0 = anon_load64(key, 8), k1 = anon_load64(key + 8, 8);
	uint64_t v[4] = { k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
			  k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573) };
	size_t left = length;

	for (; left >= 8; left -= 8, p += 8)
		sip_word(v, anon_load64(p, 8));
	sip_word(v, anon_load64(p, left) | (uint64_t)length << 56);
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* "user-k3f9x2ab01"; KIND is one word. */
static void anon_pseudonym(const unsigned char key[ANONYMIZE_KEY], const char *kind,
			   const char *name, size_t length, char *buf, size_t size)
{
	static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
	uint64_t hash = siphash(key, name, length);
	char text[11];

	for (int i = 0; i < 10; i++)
		text[i] = digits[hash >> (59 - 5 * i) & 31];
	text[10] = '\0';
	snprintf(buf, size, "%s-%s", kind, text);
}

/* ---- treatment of each field --------------------------------------------------------------- */

enum action {
	KEEP, USER, ACCOUNT, JOB, RESERVATION,
	OWNER,		/* user@host */
	LIMITS,		/* max_run=[u:name=5] */
	NAMED,		/* name=5 */
	PARAMETER,	/* 12:FAIRSHARE=USER_SHARES[[name, 5]] */
	REASON,		/* the scheduler's word, or in PBS a comment that somebody wrote */
	DROP
};

static const struct {
	enum field field;
	enum action action;
} actions[] = {
	{ F_ASSOC_ACCOUNT, ACCOUNT }, { F_ASSOC_USER, USER }, { F_ASSOC_UID, DROP },
	{ F_ASSOC_CRESGROUP, DROP },
	{ F_USER_NAME, USER }, { F_USER_UID, DROP }, { F_USER_DEFAULT_ACCOUNT, ACCOUNT },
	{ F_USER_LIMITS, NAMED },
	{ F_JOB_NAME, JOB }, { F_JOB_USER, USER }, { F_JOB_UID, DROP },
	{ F_JOB_ACCOUNT, ACCOUNT }, { F_JOB_REASON, REASON }, { F_JOB_REASON_TEXT, DROP },
	{ F_JOB_RESERVATION, RESERVATION }, { F_JOB_OWNER, OWNER }, { F_JOB_EGROUP, DROP },
	{ F_JOB_PROJECT, ACCOUNT }, { F_JOB_ENTITY, USER },
	{ F_RESERVATION_NAME, RESERVATION }, { F_RESERVATION_USERS, USER },
	{ F_RESERVATION_ACCOUNTS, ACCOUNT },
	{ F_HOST_REASON, DROP },
	{ F_QUEUE_LIMITS, LIMITS }, { F_SERVER_LIMITS, LIMITS },
	{ F_QUEUE_PARAMETERS, PARAMETER }, { F_QUEUE_FILE, DROP },
	{ F_SCHED_PRIV, DROP }, { F_SCHED_LOG, DROP },
};

static enum action action_of(enum field field)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (actions[i].field == field)
			return actions[i].action;
	}
	return KEEP;
}

struct anonymizing {
	const struct cluster *c;
	struct builder *b;
	const unsigned char *key;
	char *text;		/* the last replacement */
	size_t capacity;
};

static void anon_append(struct anonymizing *a, const char *bytes, size_t length)
{
	size_t used = strlen(a->text);

	a->text = mem_grow(a->text, &a->capacity, used + length + 1, 1);
	memcpy(a->text + used, bytes, length);
	a->text[used + length] = '\0';
}

/* Names that show what something is, not who. */
static bool anon_is_plain(const char *name, size_t length)
{
	return length == 0 ||
	       word_listed("root,PBS_GENERIC,PBS_ALL,default,others", name, length);
}

static void anon_append_name(struct anonymizing *a, const char *kind, const char *name,
			     size_t length)
{
	char other[PSEUDONYM_MAX * 2];

	if (anon_is_plain(name, length)) {
		anon_append(a, name, length);
		return;
	}
	anon_pseudonym(a->key, kind, name, length, other, sizeof(other));
	anon_append(a, other, strlen(other));
}

/* Replaces the names between u:, g: or p: and '='. */
static void append_limits(struct anonymizing *a, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, ":");

		anon_append(a, text, length + (text[length] ? 1 : 0));
		text += length + (text[length] ? 1 : 0);
		length = strcspn(text, "=],");
		if (length > 0)
			anon_append_name(a, "name", text, length);
		text += length;
	}
}

static bool has_name(const struct cluster *c, enum field field, const char *text, size_t length)
{
	uint32_t n = cluster_rows(c, field_info[field].table);

	for (uint32_t i = 0; i < n; i++) {
		const char *name = cluster_text(c, field, i);

		if (name && strlen(name) == length && memcmp(name, text, length) == 0)
			return true;
	}
	return false;
}

/* LSF's tree begins with the queues, whose names stay. */
static void append_account(struct anonymizing *a, const char *name, size_t length)
{
	if (policy_scheduler_of(cluster_meta(a->c)->kind) == POLICY_OF_LSF &&
	    has_name(a->c, F_QUEUE_NAME, name, length))
		anon_append(a, name, length);
	else
		anon_append_name(a, "account", name, length);
}

/* Replaces the names in a list of shares by those of the tree. */
static void append_shares(struct anonymizing *a, const char *text)
{
	static const char between[] = "[], \t@";

	while (*text) {
		size_t length = strspn(text, between);

		anon_append(a, text, length);
		text += length;
		length = strcspn(text, between);
		if (has_name(a->c, F_ASSOC_USER, text, length))
			anon_append_name(a, "user", text, length);
		else if (strspn(text, "0123456789.") >= length)
			anon_append(a, text, length);
		else
			append_account(a, text, length);
		text += length;
	}
}

/* Keeps shares, and values without letters; any other value may name people. */
static void append_parameter(struct anonymizing *a, const char *text)
{
	static const char shares[] = ":FAIRSHARE=USER_SHARES";
	static const char *const plain[] = { ":QUEUE_NAME=", ":HOSTS=", ":FAIRSHARE_QUEUES=",
		":SLOT_POOL=", ":DISPATCH_ORDER=", ":PREEMPTION=", ":BACKFILL=",
		":USE_PRIORITY_IN_POOL=", ":ROUND_ROBIN_POLICY=", ":SLOT_RESERVE=" };
	const char *name = text + strcspn(text, ":"), *value = name + strcspn(name, "=");
	bool keep = value[strspn(value, "=0123456789.,/ -")] == '\0';

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		keep = keep || strncmp(name, plain[i], strlen(plain[i])) == 0;
	if (keep) {
		anon_append(a, text, strlen(text));
	} else if (strncmp(name, shares, strlen(shares)) == 0) {
		anon_append(a, text, (size_t)(name - text) + strlen(shares));
		append_shares(a, name + strlen(shares));
	} else {
		anon_append(a, text, (size_t)(value - text));
		anon_append(a, "=(left out)", *value ? strlen("=(left out)") : 0);
	}
}

static void begin_text(struct anonymizing *a)
{
	a->text = mem_grow(a->text, &a->capacity, 1, 1);
	a->text[0] = '\0';
}

static const char *anon_replaced(struct anonymizing *a, enum action action, const char *text)
{
	size_t length = strlen(text), sign = text[0] == '-';

	begin_text(a);
	switch (action) {
	case USER:
		anon_append(a, text, sign);	/* in a list "-name" means all but this one */
		anon_append_name(a, "user", text + sign, length - sign);
		break;
	case ACCOUNT:
		anon_append(a, text, sign);
		append_account(a, text + sign, length - sign);
		break;
	case JOB:
		anon_append_name(a, "job", text, length);
		break;
	case RESERVATION:
		anon_append_name(a, "resv", text, length);
		break;
	case OWNER:
		length = strcspn(text, "@");
		anon_append_name(a, "user", text, length);
		anon_append(a, text + length, strlen(text + length));
		break;
	case LIMITS:
		append_limits(a, text);
		break;
	case NAMED:
		length = strcspn(text, "=");
		anon_append_name(a, "name", text, length);
		anon_append(a, text + length, strlen(text + length));
		break;
	case PARAMETER:
		append_parameter(a, text);
		break;
	case KEEP:
	case REASON:
	case DROP:
		anon_append(a, text, length);
		break;
	}
	return a->text;
}

/* ---- copying ------------------------------------------------------------------------------- */

static void copy_list(struct anonymizing *a, enum field field, uint32_t row, enum action action)
{
	struct text_list list = cluster_list(a->c, field, row);
	char **texts = mem_alloc((size_t)list.count + 1, sizeof(*texts));

	for (uint32_t i = 0; i < list.count; i++)
		texts[i] = mem_strdup(anon_replaced(a, action,
						    cluster_string(a->c, list.texts[i])));
	builder_list(a->b, field, row, (const char *const *)texts, list.count);
	mem_free_texts(texts, list.count);
}

/* Did PBS's scheduler write the comment that the reason was taken from? */
static bool anon_is_comment(const struct cluster *c, uint32_t job, const char *reason)
{
	const char *text = cluster_text(c, F_JOB_REASON_TEXT, job);

	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS && text &&
	       strstr(text, reason) && strncmp(text, "Not Running: ", 13) != 0 &&
	       strncmp(text, "Can Never Run: ", 15) != 0;
}

static void anon_copy_cell(struct anonymizing *a, enum field field, uint32_t row,
			   enum action action)
{
	const struct cluster *c = a->c;
	struct tres_list tres;
	const char *text;

	/* Numbers are written even if unknown: that they have a column tells blank from absent. */
	if (field_info[field].type >= FIELD_BOOL && !cluster_is_known(c, field, row))
		return;
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		builder_u32(a->b, field, row, cluster_u32(c, field, row));
		break;
	case FIELD_I64:
		builder_i64(a->b, field, row, cluster_i64(c, field, row));
		break;
	case FIELD_F64:
		builder_f64(a->b, field, row, cluster_f64(c, field, row));
		break;
	case FIELD_BOOL:
		builder_bool(a->b, field, row, cluster_bool(c, field, row) != 0);
		break;
	case FIELD_TEXT:
		text = cluster_text(c, field, row);
		if (action == REASON && anon_is_comment(c, row, text))
			text = "(left out)";
		builder_str(a->b, field, row, anon_replaced(a, action, text));
		break;
	case FIELD_LIST:
		copy_list(a, field, row, action);
		break;
	case FIELD_TRES:
		tres = cluster_tres(c, field, row);
		builder_tres(a->b, field, row, tres.items, tres.count);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

static void anon_copy_table(struct anonymizing *a, enum table table)
{
	uint32_t n = cluster_rows(a->c, table);

	for (uint32_t row = 0; row < n; row++)
		builder_add(a->b, table);
	for (unsigned f = 0; f < F_COUNT; f++) {
		enum action action = action_of((enum field)f);

		if (field_info[f].table != table || action == DROP ||
		    !cluster_col(a->c, (enum field)f))
			continue;
		for (uint32_t row = 0; row < n; row++)
			anon_copy_cell(a, (enum field)f, row, action);
	}
}

/* Keeps only the words of FORMAT: its arguments may contain names, also from other clusters. */
static void append_words(struct anonymizing *a, const char *format)
{
	while (*format) {
		size_t n = strcspn(format, "%");

		anon_append(a, format, n);
		format += n;
		if (*format == '%') {
			format += 1 + strspn(format + 1, "-+ #.*0123456789hlzjt");
			anon_append(a, *format == '%' ? "%" : "...", *format == '%' ? 1 : 3);
			format++;
		}
	}
}

/* Subjects that are fairtop's own words; others are names of queues, accounts and files. */
static const char *plain_subject(const char *subject)
{
	static const char *const plain[] = {
		"PriorityFlags", "accounts", "associations", "cycle", "decay pass", "fair share",
		"instants", "jobs", "nodes", "parameters", "policy", "precision", "priority",
		"queues", "reservations", "schedulers", "server", "shares", "snapshot", "times",
		"usage", "users", NULL
	};

	return word_in(plain, subject) ? subject : "source";
}

static void copy_notes(struct anonymizing *a)
{
	for (uint32_t i = 0; i < cluster_notes(a->c); i++) {
		struct note note = cluster_note(a->c, i);

		begin_text(a);
		append_words(a, note.format);
		builder_note(a->b, plain_subject(note.subject), "%s",
			     strcmp(a->text, "...") == 0 ? "(left out)" : a->text);
	}
}

struct cluster *anonymize(const struct cluster *c, const unsigned char key[ANONYMIZE_KEY],
			  struct err *err)
{
	struct anonymizing a = { .c = c, .b = builder_new(), .key = key };

	builder_meta(a.b, cluster_meta(c));
	*builder_policy(a.b) = *cluster_policy(c);
	builder_keep_usage(a.b);
	builder_hidden(a.b, cluster_hidden(c));
	anon_copy_table(&a, TABLE_TRES);
	for (int t = 0; t < TABLE_COUNT; t++) {
		if (t != TABLE_TRES)
			anon_copy_table(&a, (enum table)t);
	}
	copy_notes(&a);
	mem_free(a.text);
	return builder_seal(a.b, err);
}
