/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data of the cluster as a whole: sdiag for the instant, slurm.conf and scontrol show config for
 * the policy.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/pasted.h"
#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/text_reader.h"
#include "core/base/format.h"
#include "core/base/plural.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* The year 9999: a later time is invalid. */
#define LAST_TIME 253402300799

#define SOME_NO_NORMAL \
	(PF_NO_NORMAL_ASSOC | PF_NO_NORMAL_PART | PF_NO_NORMAL_QOS | PF_NO_NORMAL_TRES)

/* ---- sdiag --------------------------------------------------------------------------------- */

/*
 * Reads "\tLast cycle when: Mon Nov 23 15:44:15 2026 (1795448655)" of the backfill scheduler, N/A
 * before its first cycle; the number exists since 16.05.
 */
static void read_last_backfill(struct slurm_reader *r)
{
	static const char mark[] = "\tLast cycle when: ";
	const char *at = strstr(r->text->text, mark);
	size_t length = at ? strcspn(at, "\n(") : 0;
	long long epoch;
	char *close;

	if (!at || at[length] != '(')
		return;
	epoch = strtoll(at + length + 1, &close, 10);
	if (*close == ')' && epoch > 0 && epoch <= LAST_TIME)
		r->last_backfill = epoch;
}

/* "Jobs pending:   145", counting tasks of arrays; updated every half minute. */
static uint32_t slurm_config_read_count(const struct slurm_reader *r, const char *mark)
{
	const char *at = strstr(r->text->text, mark);
	unsigned long count;
	char *end;

	if (!at)
		return U32_UNKNOWN;
	at += strlen(mark);
	count = strtoul(at, &end, 10);
	return end == at || count >= U32_INFINITE ? U32_UNKNOWN : (uint32_t)count;
}

/*
 * "sdiag output at Fri Nov 20 04:04:27 2026 (1795147467)": the same instant in local time and in
 * Unix time (since 16.05), so it shows the difference between our time zone and theirs.
 */
bool slurm_read_sdiag(struct slurm_reader *r)
{
	static const char mark[] = "sdiag output at ";
	const char *at = strstr(r->text->text, mark);
	struct tm tm = { .tm_isdst = -1 };
	const char *end;
	char *close;
	long long epoch;
	int64_t shift;

	if (!at)
		return reader_fail(r, "expected \"%s\" and a time", mark);
	read_last_backfill(r);
	r->jobs_pending = slurm_config_read_count(r, "\nJobs pending:");
	r->jobs_running = slurm_config_read_count(r, "\nJobs running:");
	end = strptime(at + sizeof(mark) - 1, "%a %b %d %H:%M:%S %Y", &tm);
	if (!end || strncmp(end, " (", 2) != 0)
		return true;
	epoch = strtoll(end + 2, &close, 10);
	if (close == end + 2 || *close != ')' || epoch < 0 || epoch > LAST_TIME)
		return true;
	tm.tm_isdst = -1;
	shift = epoch - (int64_t)mktime(&tm);
	r->time = epoch;
	/* Time zones differ by quarters of an hour, and by 26 hours at most. */
	if (shift != 0 && shift % 900 == 0 && llabs(shift) <= 26 * 3600) {
		r->shift = shift;
		builder_note(r->b, "times", "printed in another time zone: moved by %+.2f h",
			     (double)shift / 3600.0);
	}
	return true;
}

/* ---- values -------------------------------------------------------------------------------- */

/* "10 sec", "0 min", "0 percent": the number counts. */
static struct slice without_unit(struct slice s)
{
	static const char *const units[] = { " sec", " min", " usec", " percent" };

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		size_t length = strlen(units[i]);

		if (s.length > length && memcmp(s.at + s.length - length, units[i], length) == 0)
			s.length -= length;
	}
	return s;
}

static void slurm_config_copy_text(char *to, size_t size, struct slice s)
{
	size_t length = s.length < size ? s.length : size - 1;

	memcpy(to, s.at, length);
	to[length] = '\0';
}

/* Reads what scontrol prints beside the parameters. */
static bool slurm_config_read_state(struct slurm_reader *r, struct slice key, struct slice value)
{
	int64_t time;

	if (slice_is(key, "ClusterName"))
		slurm_config_copy_text(r->cluster, sizeof(r->cluster),
				       slice_absent(value) ? slice_of("") : value);
	else if (slice_is(key, "SLURM_VERSION"))
		slurm_config_copy_text(r->version, sizeof(r->version), value);
	else if (slice_is(key, "BOOT_TIME") && slice_time(value, &time))
		r->boot = time + r->shift;
	else
		return false;
	return true;
}

/* Adds the TRES that the scheduler tracks, in its own order. */
static void add_tres_names(struct slurm_reader *r, struct slice list)
{
	struct slice name;

	while (!slice_absent(list) && slice_piece(&list, ',', &name)) {
		if (name.length != 0)
			reader_tres_row(r, name);
	}
}

static bool read_config_line(struct slurm_reader *r, struct slice line)
{
	struct slice key, value = line;

	if (!memchr(line.at, '=', line.length) || !slice_piece(&value, '=', &key))
		return true;
	key = slice_trim(key);
	value = without_unit(slice_trim(value));
	if (slurm_config_read_state(r, key, value))
		return true;
	if (slice_is(key, "AccountingStorageTRES"))
		add_tres_names(r, value);
	if (slice_is(key, "PrivateData") && slice_is(value, "none"))
		value.length = 0;
	return reader_put_policy(r, key, value);
}

/* ---- slurm.conf ---------------------------------------------------------------------------- */

static bool read_conf_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct slurm_reader *r = context;

	(void)err;
	r->line = pair->line;
	if (slice_same(pair->head, "Include")) {
		builder_note(r->b, "policy", "%s:%u: Include %.*s was not read", r->text->name,
			     (unsigned)r->line, SLICE_PRINT(pair->value));
		r->include_is_missing = true;
		return true;
	}
	if (!slurm_conf_is_global(pair))
		return true;
	if (slice_same(pair->key, "ClusterName"))
		slurm_config_copy_text(r->cluster, sizeof(r->cluster), pair->value);
	return reader_put_policy(r, pair->key, pair->value);
}

/* If the configuration in effect is there, too, an error in the file is not fatal. */
bool slurm_read_conf(struct slurm_reader *r)
{
	struct err *outer = r->err, err;
	bool good;

	r->err = &err;
	good = slurm_conf_scan(r->text, read_conf_pair, r, &err);
	r->err = outer;
	if (good)
		return true;
	if (r->texts->kind[SLURM_CONFIG].text) {
		builder_note(r->b, "policy", "%s", err.message);
		return true;
	}
	*r->err = err;
	return false;
}

/* ---- scontrol show config ------------------------------------------------------------------ */

/*
 * Keeps what slurmctld does not print from slurm.conf: words of PriorityFlags that it does not
 * know. It prints NO_NORMAL_ALL if any of the four is set; slurm.conf shows which.
 */
static void keep_flags(struct slurm_reader *r, const struct policy *before)
{
	struct policy *policy = builder_policy(r->b);
	uint32_t some = before->flags & SOME_NO_NORMAL;

	if (!policy->unknown_flags[0])
		memcpy(policy->unknown_flags, before->unknown_flags, sizeof(policy->unknown_flags));
	if (!(policy->flags & PF_NO_NORMAL_ALL) || before->flags & PF_NO_NORMAL_ALL)
		return;
	if (some != 0)
		policy->flags = (policy->flags & ~(uint32_t)PF_NO_NORMAL_ALL) | some;
	else
		builder_note(r->b, "PriorityFlags",
			     "scontrol prints NO_NORMAL_ALL for any of NO_NORMAL_ASSOC, _PART, "
			     "_QOS and _TRES; only slurm.conf shows which");
}

/* Is LINE a parameter that we know? */
static bool is_parameter(struct slice line)
{
	struct slice key, value = line;

	if (!memchr(line.at, '=', line.length) || !slice_piece(&value, '=', &key))
		return false;
	key = slice_trim(key);
	return policy_param_by_name(key.at, key.length) != policy_params_count;
}

bool slurm_read_config(struct slurm_reader *r)
{
	static const char head[] = "Configuration data as of ";
	const struct policy before = *builder_policy(r->b);
	const bool headed = strstr(r->text->text, head) != NULL;
	struct slice rest = { r->text->text, r->text->length }, line;
	bool any = false;
	int64_t time;

	while (slice_line(&rest, &line)) {
		r->line++;
		/* Anything may precede the head; after a prompt comes another command's output. */
		if (pasted_is_prompt(line) && any)
			break;
		if (headed && !any && !slice_starts(line, head))
			continue;
		any = any || is_parameter(line);
		if (slice_take(&line, head)) {
			any = true;
			if (r->time == I64_UNKNOWN && slice_time(line, &time))
				r->time = time + r->shift;
		} else if (!read_config_line(r, line)) {
			return false;
		}
	}
	if (!any && !r->cluster[0])
		return reader_none(r, "parameters (\"Key = Value\")");
	keep_flags(r, &before);
	return true;
}

/* ---- excerpts ------------------------------------------------------------------------------ */

/* Parameters that slurmctld has since 19.05: in older releases the default applies. */
static bool is_newer(const struct slurm_reader *r, const char *name)
{
	return r->version[0] && strcmp(r->version, "19.05") < 0 &&
	       (strcmp(name, "PriorityWeightAssoc") == 0 || slice_starts(slice_of(name),
									"PrioritySiteFactor"));
}

/* Parameters in neither a whole slurm.conf nor scontrol's output become unknown. */
static void forget_missing(struct slurm_reader *r, const char *excerpt)
{
	struct policy *policy = builder_policy(r->b);
	char names[200] = "";
	unsigned count = 0;

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler != POLICY_OF_SLURM ||
		    policy_is_known(policy, i) || is_newer(r, policy_params[i].name))
			continue;
		if (count++ < 3)
			format_append(names, sizeof(names), "%s%s", count > 1 ? ", " : "",
				      policy_params[i].name);
		policy_forget(policy, i);
	}
	if (count != 0)
		builder_note(r->b, "policy", "%s is an excerpt: %u %s not in it and unknown (%s%s)",
			     excerpt, count, plural(count, "parameter is", "parameters are"),
			     names, count > 3 ? ", ..." : "");
}

/*
 * scontrol prints every parameter that affects priorities, even defaults, except with
 * priority/basic: a missing one was cut out. In a slurm.conf a missing one has the default, unless
 * it may be in an included file that was not read.
 */
void slurm_forget_missing(struct slurm_reader *r)
{
	const char *config = r->texts->kind[SLURM_CONFIG].text ?
			     r->texts->kind[SLURM_CONFIG].name : NULL;
	const char *conf = r->texts->kind[SLURM_CONF].text && !r->foreign_conf ?
			   r->texts->kind[SLURM_CONF].name : NULL;

	if ((conf && !r->include_is_missing) || !policy_is_multifactor(builder_policy(r->b)))
		return;
	if (config || conf || r->weights)
		forget_missing(r, config ? config : conf ? conf : r->weights);
}
