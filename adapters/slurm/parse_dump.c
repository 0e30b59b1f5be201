/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacctmgr dump CLUSTER: the tree as text that sacctmgr can load again.
 *
 *	QOS - 'high':Priority=1000:UsageFactor=2.000000		since 25.05
 *	Cluster - 'lab':Fairshare=1
 *	Parent - 'root'
 *	Account - 'physics':Description='...':Fairshare=100:Priority=10
 *	User - 'alice':Partition='high':DefaultAccount='physics':Fairshare=5
 * Accounts and users belong to the Parent line before them. Options end at a colon outside
 * quotes; an option that is missing has its default, so Fairshare without one is 1.
 */
#include <string.h>

#include "adapters/slurm/text_assoc.h"
#include "core/cluster/limit.h"

static const struct field_key dump_keys[] = {
	{ "Fairshare", F_ASSOC_SHARES },
	{ "Share", F_ASSOC_SHARES },
	{ "Priority", F_ASSOC_PRIORITY },
	{ "DefaultQOS", F_ASSOC_DEFAULT_QOS },
};
#define DUMP_KEYS (sizeof(dump_keys) / sizeof(dump_keys[0]))

static const struct field_key qos_keys[] = {
	{ "Priority", F_QOS_PRIORITY },
	{ "UsageFactor", F_QOS_USAGE_FACTOR },
	{ "Preempt", F_QOS_PREEMPT },
};
#define QOS_KEYS (sizeof(qos_keys) / sizeof(qos_keys[0]))

struct dump {
	struct slurm_reader *r;
	struct slice parent;
	bool ours;			/* records below the last Cluster line are of our cluster */
};

static struct slice dump_unquote(struct slice s)
{
	s = slice_trim(s);
	if (s.length >= 2 && (s.at[0] == '\'' || s.at[0] == '"') && s.at[s.length - 1] == s.at[0])
		return (struct slice){ s.at + 1, s.length - 2 };
	return s;
}

/* Takes the next option off REST: up to a colon outside quotes. */
static bool next_option(struct slice *rest, struct slice *option)
{
	char quote = '\0';
	size_t n = 0;

	if (rest->length == 0)
		return false;
	for (; n < rest->length; n++) {
		char c = rest->at[n];

		if (quote) {
			if (c == quote)
				quote = '\0';
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == ':') {
			break;
		}
	}
	*option = (struct slice){ rest->at, n };
	*rest = slice_from(*rest, n + 1);
	return true;
}

/* Is it complete, "KEY=VALUE:KEY='VALUE'"? A pager or terminal may cut long lines. */
static bool options_whole(struct slice options)
{
	struct slice option, key;

	while (next_option(&options, &option)) {
		if (slice_trim(option).length == 0)
			continue;
		if (!memchr(option.at, '=', option.length))
			return false;
		slice_piece(&option, '=', &key);
		option = slice_trim(option);
		if (option.length > 0 && (option.at[0] == '\'' || option.at[0] == '"') &&
		    dump_unquote(option).length == option.length)
			return false;
	}
	return true;
}

static struct slice option_value(struct slice options, const char *key)
{
	struct slice option, name;

	while (next_option(&options, &option)) {
		if (slice_piece(&option, '=', &name) && slice_same(slice_trim(name), key))
			return dump_unquote(option);
	}
	return (struct slice){ "", 0 };
}

static bool dump_read_keys(struct dump *d, const struct field_key *keys, size_t count,
			   enum table table, struct slice options, uint32_t row)
{
	char name[LIMIT_NAME_MAX];

	for (size_t i = 0; i < count; i++) {
		struct slice value = option_value(options, keys[i].key);

		if (!reader_put(d->r, keys[i].field, row, value, keys[i].key))
			return false;
	}
	for (enum field f = table_first_field(table); f < table_first_field(table + 1); f++) {
		if (!limit_is(f))
			continue;
		limit_name(f, name);
		if (!reader_put(d->r, f, row, option_value(options, name), name))
			return false;
	}
	return true;
}

static bool dump_read_qos(struct dump *d, struct slice name, struct slice options)
{
	struct builder *b = d->r->b;
	uint32_t row = reader_named_row(d->r, &d->r->qos, TABLE_QOS, F_QOS_NAME, name, true);

	if (!dump_read_keys(d, qos_keys, QOS_KEYS, TABLE_QOS, options, row))
		return false;
	if (builder_get_u32(b, F_QOS_PRIORITY, row) == U32_UNKNOWN)
		builder_u32(b, F_QOS_PRIORITY, row, 0);
	if (option_value(options, "UsageFactor").length == 0)
		builder_f64(b, F_QOS_USAGE_FACTOR, row, 1.0);
	return true;
}

static bool read_options(struct dump *d, struct slice options, uint32_t row)
{
	if (!dump_read_keys(d, dump_keys, DUMP_KEYS, TABLE_ASSOC, options, row))
		return false;
	if (builder_get_u32(d->r->b, F_ASSOC_SHARES, row) == U32_UNKNOWN)
		builder_u32(d->r->b, F_ASSOC_SHARES, row, 1);
	return true;
}

static bool read_account(struct dump *d, struct slice account, struct slice options)
{
	struct assoc_name name = ASSOC_NAME_INIT;
	uint32_t row;

	name.account = account;
	name.partition_known = true;
	name.parent = d->parent;
	if (!assocs_meet(d->r, &name, &row))
		return false;
	return row == ROW_NONE || read_options(d, options, row);
}

static bool read_user(struct dump *d, struct slice user, struct slice options)
{
	struct slurm_reader *r = d->r;
	struct assoc_name name = ASSOC_NAME_INIT;
	uint32_t row;

	row = reader_named_row(r, &r->users, TABLE_USER, F_USER_NAME, user, true);
	if (!reader_put(r, F_USER_DEFAULT_ACCOUNT, row, option_value(options, "DefaultAccount"),
			"DefaultAccount") ||
	    !reader_put(r, F_USER_ADMIN, row, option_value(options, "AdminLevel"), "AdminLevel"))
		return false;
	name.account = d->parent;
	name.user = user;
	name.partition = option_value(options, "Partition");
	name.partition_known = true;
	if (!assocs_meet(r, &name, &row))
		return false;
	return row == ROW_NONE || read_options(d, options, row);
}

static bool dump_read_cluster(struct dump *d, struct slice cluster, struct slice options)
{
	struct slurm_reader *r = d->r;

	d->ours = !reader_is_foreign(r, cluster);
	d->parent = (struct slice){ "", 0 };
	if (!d->ours)
		return true;
	return read_account(d, slice_of("root"), options);
}

static bool dump_read_line(struct dump *d, struct slice line)
{
	struct slurm_reader *r = d->r;
	struct slice kind, dash, name;

	line = slice_trim(line);
	if (line.length == 0 || line.at[0] == '#')
		return true;
	if (!slice_word(&line, &kind) || !slice_word(&line, &dash) || !slice_is(dash, "-") ||
	    !next_option(&line, &name))
		return reader_fail(r, "expected \"Cluster - 'name'\", \"QOS - 'name':options\", "
				   "\"Parent - 'name'\", \"Account - 'name':options\" or "
				   "\"User - 'name':options\"");
	if (!options_whole(line))
		return reader_fail(r, "the line is cut (expected KEY=VALUE between colons, as in "
				   "sacctmgr dump CLUSTER file=FILE)");
	name = dump_unquote(name);
	if (slice_same(kind, "Cluster"))
		return dump_read_cluster(d, name, line);
	if (slice_same(kind, "QOS"))
		return dump_read_qos(d, name, line);
	if (!d->ours)
		return true;
	if (slice_same(kind, "Parent")) {
		d->parent = name;
		return true;
	}
	if (d->parent.length == 0 || name.length == 0)
		return reader_fail(r, "expected a Parent line and a name before this");
	if (slice_same(kind, "Account") || slice_same(kind, "Project"))
		return read_account(d, name, line);
	if (slice_same(kind, "User"))
		return read_user(d, name, line);
	return reader_fail(r, "\"%.*s\": expected QOS, Cluster, Parent, Account or User",
			   SLICE_PRINT(kind));
}

bool slurm_read_dump(struct slurm_reader *r)
{
	struct dump d = { .r = r, .ours = true };
	struct slice rest = { r->text->text, r->text->length }, line;

	assocs_begin(r->assocs);
	r->line = 0;
	while (slice_line(&rest, &line)) {
		r->line++;
		if (!dump_read_line(&d, line))
			return false;
	}
	return true;
}
