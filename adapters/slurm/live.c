/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live Slurm by its own commands, for when the helper program cannot be used.
 *
 * A fetch runs the commands that the request needs, one after the other: each is a call to
 * slurmctld, which also has to serve its cluster. sacctmgr asks slurmdbd, and runs in parallel.
 */
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "adapters/commands_run.h"
#include "adapters/file.h"
#include "adapters/live_source.h"
#include "adapters/slurm/conf.h"
#include "adapters/slurm/last_pass.h"
#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/slurm_text.h"
#include "adapters/slice.h"
#include "core/base/mem.h"

/*
 * 100,000 associations are 200 to 500 MB of JSON, and sshare needs some GB to produce it: for such
 * a large site the table is better. This limit is about 15,000 associations, or 10,000 jobs.
 */
#define JSON_BYTES_MAX ((size_t)64 << 20)
#define DEADLINE_MS 60000
#define ARGUMENTS_MAX 8

/*
 * Terms and factors in one call: the factors have more digits. Releases before 24.05, where a job
 * has only one QOS, skip %n, the QOS, with a complaint.
 */
#define SPRIO_FORMAT "%i|%r|%n|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T|%a|%b|%f|%j|%p|%q"

/*
 * The configuration comes first: it shows whether sshare can work at all, and whether slurmctld
 * answers. JSON (of sshare since 23.11) has all digits and numbers; the table after it is requested
 * if there is none: an older release, one without the plugin, or too much output.
 */
static const struct live_command_info {
	enum slurm_kind kind;
	uint32_t needs;
	const char *argv[ARGUMENTS_MAX];
} command_table[] = {
	{ SLURM_CONFIG, NEED_ALL, { "scontrol", "show", "config", NULL } },
	{ SLURM_SSHARE_JSON, NEED_SHARES, { "sshare", "-a", "-m", "--json", NULL } },
	{ SLURM_SSHARE, NEED_SHARES, { "sshare", "-a", "-l", "-m", "-P", NULL } },
	{ SLURM_ASSOC_MGR, NEED_LIMITS,
	  { "scontrol", "show", "assoc_mgr", "flags=users,assoc,qos", NULL } },
	{ SLURM_QOS, NEED_QOS, { "sacctmgr", "-P", "show", "qos", NULL } },
	{ SLURM_PARTITION, NEED_PARTITIONS | NEED_JOBS,
	  { "scontrol", "-a", "show", "partition", NULL } },
	/* A job size is relative to the nodes. */
	{ SLURM_NODE, NEED_HOSTS | NEED_PRIO, { "scontrol", "show", "node", NULL } },
	/* When backfill last ran: for start estimates, which also need nodes. */
	{ SLURM_SDIAG, NEED_HOSTS, { "sdiag", NULL } },
	{ SLURM_RESERVATION, NEED_RESERVATIONS, { "scontrol", "show", "reservation", NULL } },
	{ SLURM_LICENSE, NEED_LICENSES, { "scontrol", "show", "license", NULL } },
	/* Since 23.11 its JSON, too, omits finished jobs, which usage was just charged for. */
	{ SLURM_SQUEUE_JSON, NEED_JOBS, { "squeue", "-a", "-t", "all", "--json", NULL } },
	{ SLURM_JOB, NEED_JOBS, { "scontrol", "-a", "-d", "show", "job", NULL } },
	{ SLURM_SPRIO, NEED_PRIO, { "sprio", "-o", SPRIO_FORMAT, NULL } },
	{ SLURM_JOB_CPUS, 0, { "scontrol", "-a", "-d", "show", "job", NULL } },	/* ask_cpus() */
};
#define COMMANDS (sizeof(command_table) / sizeof(command_table[0]))

/*
 * Prefixes of variables that would change the form of the output, or leave jobs out; the first one
 * is unwanted if another slurm.conf is.
 */
static const char *const unwanted[] = { "SLURM_CONF=", "SLURM_TIME_FORMAT=", "SLURM_CLUSTERS=",
					"SLURM_JSON=", "SLURM_YAML=", "SPRIO_", "SQUEUE_", NULL };

struct commands_source {
	struct live_source live;
	char *conf;			/* slurm.conf to use, NULL: the default one */
	char *setting;			/* SLURM_CONF=CONF, or NULL */
	const char **environment;	/* for the children */
	int64_t pass;			/* the last one found by the age terms; 0: unknown */
	int64_t period;			/* between two passes, s */
	bool ageless;			/* age has no weight, so the pass cannot be found */
	bool refused[COMMANDS];		/* JSON that fails while its table works */
	struct pass_watch watch;
	char names[4096];		/* of this user, for getpwuid_r() */
};

static bool live_is_json(enum slurm_kind kind)
{
	return kind == SLURM_SSHARE_JSON || kind == SLURM_SQUEUE_JSON;
}

/* Did the command fail? JSON missing because its plugin is missing does not count. */
static bool live_failed(const struct remote_command *c, enum slurm_kind kind)
{
	return c->status != 0 || !c->output || (live_is_json(kind) && c->output[0] != '{') ||
	       (kind == SLURM_SDIAG && !strstr(c->output, "sdiag output at "));
}

/* Is it the table for a JSON that is requested first? */
static bool stands_back(const struct commands_source *s, size_t i)
{
	return i > 0 && live_is_json(command_table[i - 1].kind) && !s->refused[i - 1];
}

static size_t live_choose(struct commands_source *s, uint32_t needs, struct remote_command *run,
			  const struct live_command_info **infos)
{
	size_t count = 0;

	for (size_t i = 0; i < COMMANDS; i++) {
		if (!(command_table[i].needs & needs) || s->refused[i] || stands_back(s, i))
			continue;
		infos[count] = &command_table[i];
		run[count].argv = command_table[i].argv;
		run[count].environment = s->environment;
		run[count].max = live_is_json(command_table[i].kind) ? JSON_BYTES_MAX : 0;
		/* slurmdbd may be down for hours; without it only QOS are missing, with a note */
		run[count].optional = command_table[i].kind == SLURM_QOS;
		run[count].queued = command_table[i].kind != SLURM_QOS;
		count++;
	}
	return count;
}

/* Requests the tables for failed JSON, if slurmctld answered at all. */
static void ask_again(struct commands_source *s, struct remote_command *run,
		      const struct live_command_info **infos, size_t count, int64_t end_ms)
{
	for (size_t i = 1; i < count && !live_failed(&run[0], SLURM_CONFIG); i++) {
		const struct live_command_info *json = infos[i], *text = json + 1;

		if (!live_is_json(json->kind) || !live_failed(&run[i], json->kind))
			continue;
		/* JSON that takes too long is not requested again. */
		s->refused[json - command_table] = clock_left(end_ms) == 0;
		if (clock_left(end_ms) == 0)
			continue;
		mem_free(run[i].output);
		run[i].argv = text->argv;
		run[i].max = 0;
		infos[i] = text;
		command_run(&run[i], 1, OUTPUT_BYTES_MAX, clock_left(end_ms), s->live.cancel_fd);
		s->refused[json - command_table] = !live_failed(&run[i], text->kind);
	}
}

/*
 * Up to 23.11 (v0.0.40) JSON lists cores of sockets that do not add up to the CPUs on a node. Start
 * estimates need those CPUs: if a job runs, scontrol is run, too.
 */
static size_t ask_cpus(struct commands_source *s, uint32_t needs, struct remote_command *run,
		       const struct live_command_info **infos, size_t count, int64_t end_ms)
{
	static const char sign[] = "\"allocated_nodes\"";
	size_t from = 0, last = COMMANDS - 1;

	while (from < count && infos[from]->kind != SLURM_SQUEUE_JSON)
		from++;
	if (!(needs & NEED_HOSTS) || from == count || live_failed(&run[from], SLURM_SQUEUE_JSON) ||
	    !memmem(run[from].output, run[from].length, sign, sizeof(sign) - 1))
		return count;
	infos[count] = &command_table[last];
	run[count].argv = command_table[last].argv;
	run[count].environment = s->environment;
	command_run(&run[count], 1, OUTPUT_BYTES_MAX, clock_left(end_ms), s->live.cancel_fd);
	return count + 1;
}

/* Does the first line of TEXT that begins with KEY contain WORD? */
static bool live_has(const struct slurm_text *text, const char *key, const char *word)
{
	struct slice rest = slice_of(text->text ? text->text : ""), line;

	while (slice_line(&rest, &line)) {
		if (slice_starts(line, key))
			return memmem(line.at, line.length, word, strlen(word));
	}
	return false;
}

/* Is WORD missing in the configuration's line KEY? False without such a line. */
static bool live_is_without(const struct slurm_text *config, const char *key, const char *word)
{
	return live_has(config, key, "") && !live_has(config, key, word);
}

/*
 * Without an accounting database sshare must fail, and without factors sprio: the rest is worth
 * showing. Any other failure of sshare is temporary.
 */
static bool without_accounting(const struct slurm_text *config)
{
	return live_is_without(config, "AccountingStorageType ", "slurmdbd");
}

static bool without_factors(const struct slurm_text *config)
{
	return live_is_without(config, "PriorityType ", "multifactor");
}

/* "SlurmUser = slurm(64030)" */
static bool is_slurm_user(const struct slurm_text *config)
{
	char uid[32];

	snprintf(uid, sizeof(uid), "(%lu)", (unsigned long)geteuid());
	return live_has(config, "SlurmUser ", uid);
}

/*
 * May this user see all jobs (hidden_jobs.h)? Uses the admin level that slurmctld reports for the
 * user; not reported is none.
 */
static enum slurm_text_reader find_reader(struct commands_source *s,
					  const struct slurm_text *config, int64_t end_ms,
					  const char **name)
{
	struct passwd entry, *user = NULL;
	char users[300], key[300];
	const char *argv[] = { "scontrol", "show", "assoc_mgr", users, "flags=users", NULL };
	struct remote_command run = { .argv = argv, .optional = true,
			       .environment = s->environment };
	struct slurm_text reported;
	bool operator;

	if (!live_has(config, "PrivateData ", "jobs"))
		return SLURM_ANYBODY;
	if (geteuid() == 0 || is_slurm_user(config))
		return SLURM_OPERATOR;
	if (getpwuid_r(geteuid(), &entry, s->names, sizeof(s->names), &user) != 0 || !user)
		return SLURM_USER_HIMSELF;
	*name = user->pw_name;
	snprintf(users, sizeof(users), "users=%.250s", user->pw_name);
	snprintf(key, sizeof(key), "UserName=%.250s(", user->pw_name);
	command_run(&run, 1, OUTPUT_BYTES_MAX, clock_left(end_ms), s->live.cancel_fd);
	reported = (struct slurm_text){ "scontrol", run.output, run.length };
	operator = run.status == 0 && (live_has(&reported, key, "AdminLevel=Operator") ||
				       live_has(&reported, key, "AdminLevel=Administrator"));
	mem_free(run.output);
	return operator ? SLURM_OPERATOR : SLURM_USER_HIMSELF;
}

/* Puts the outputs into texts; a failure is a note, or an error if nothing is left to show. */
static bool live_gather(const struct remote_command *run,
			const struct live_command_info *const *infos, size_t count,
			struct slurm_texts *texts, struct builder *b, struct err *err)
{
	char failed[200] = "";		/* the last command that failed, and why */
	size_t good = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = infos[i]->argv[0];

		if (!live_failed(&run[i], infos[i]->kind)) {
			texts->kind[infos[i]->kind] =
				(struct slurm_text){ name, run[i].output, run[i].length };
			good++;
			continue;
		}
		/* Only the interval of backfill is then unknown. */
		if (infos[i]->kind == SLURM_SDIAG)
			continue;
		if (infos[i]->kind == SLURM_SPRIO && without_factors(&texts->kind[SLURM_CONFIG]))
			continue;
		/* If the configuration failed, too, its error says why. */
		if ((infos[i]->kind == SLURM_SSHARE || infos[i]->kind == SLURM_SSHARE_JSON) &&
		    !without_accounting(&texts->kind[SLURM_CONFIG]))
			return failed[0] ? err_set(err, ERR_SOURCE, "%s", failed) :
			       err_set(err, ERR_SOURCE, "sshare: %s",
				       run[i].complaint[0] ? run[i].complaint : "failed");
		snprintf(failed, sizeof(failed), "%.40s: %.140s", name, run[i].complaint);
		builder_note(b, infos[i]->needs == NEED_JOBS ? "jobs" : name, "%s failed: %s", name,
			     run[i].complaint[0] ? run[i].complaint : "no reason given");
	}
	return good != 0 || err_set(err, ERR_SOURCE, "%s", failed);
}

/* Once per pass adds what is needed to find the last pass, if the caller needs no priorities. */
static uint32_t with_pass(const struct commands_source *s, uint32_t needs, int64_t now)
{
	bool due = !s->ageless && now - s->pass >= s->period;

	return needs & NEED_PASS && needs & NEED_JOBS && due ? needs | NEED_PRIO : needs;
}

static void remember_pass(struct commands_source *s, const struct cluster *c)
{
	int64_t pass = cluster_meta(c)->last_decay;

	s->pass = pass != I64_UNKNOWN ? pass : 0;
	s->period = cluster_policy(c)->calc_period;
	s->ageless = cluster_policy(c)->weight[PRIO_AGE] == 0 ||
		     !policy_is_multifactor(cluster_policy(c));
}

static enum fetch_result commands_fetch(struct source *base, const struct fetch_request *request,
					struct cluster **out, struct err *err)
{
	struct commands_source *s = (struct commands_source *)base;
	struct slurm_texts texts = { .time = clock_time(), .from = "Slurm's commands",
				     .watch = &s->watch, .writable = true };
	struct slurm_text *slurm_conf = &texts.kind[SLURM_CONF];
	struct remote_command run[COMMANDS] = { { 0 } };
	const struct live_command_info *infos[COMMANDS];
	char path[4096];
	int64_t end_ms = clock_ms() +
			 (request->deadline_ms < 0 ? DEADLINE_MS : request->deadline_ms);
	size_t count = live_choose(s, with_pass(s, request->needs, texts.time), run, infos);
	struct builder *b = builder_new();
	enum fetch_result result;
	bool good;

	/* PriorityFlags may have words that no command prints. */
	if (slurm_conf_find(s->conf, path, sizeof(path), NULL)) {
		slurm_conf->name = path;
		slurm_conf->text = file_read(path, CONF_BYTES_MAX, &slurm_conf->length, NULL);
	}
	/* It is valid until the next pass, which may begin during the fetch. */
	if (texts.time - s->pass < 2 * s->period)
		texts.last_pass = s->pass;
	command_run(run, count, OUTPUT_BYTES_MAX, clock_left(end_ms), s->live.cancel_fd);
	ask_again(s, run, infos, count, end_ms);
	count = ask_cpus(s, request->needs, run, infos, count, end_ms);
	good = live_gather(run, infos, count, &texts, b, err);
	if (good && request->needs & NEED_JOBS)
		texts.reader = find_reader(s, &texts.kind[SLURM_CONFIG], end_ms, &texts.user);
	result = live_source_end(&s->live, b, good && slurm_text_build(&texts, b, err), out, err);
	if (*out)
		remember_pass(s, *out);
	for (size_t i = 0; i < count; i++)
		mem_free(run[i].output);
	mem_free((char *)(uintptr_t)slurm_conf->text);
	snprintf(base->health, sizeof(base->health), "commands (%s)",
		 s->refused[1] ? "6 decimals" : "JSON");
	return result;
}

static void commands_close(struct source *base)
{
	struct commands_source *s = (struct commands_source *)base;

	mem_free(s->environment);
	mem_free(s->setting);
	pass_watch_free(&s->watch);
	mem_free(s->conf);
	live_source_free(base);
}

static const struct source_ops commands_ops = {
	.scheme = "slurm",
	.synopsis = "slurm[:FILE]",
	.meaning = "a live Slurm through its commands",
	.fetch = commands_fetch,
	.cancel = live_source_cancel,
	.close = commands_close,
	.live = true,
};

struct source *slurm_commands_open(const char *conf, struct err *err)
{
	struct commands_source *s = live_source_new(sizeof(*s), &commands_ops, err);

	if (!s)
		return NULL;
	s->conf = conf ? mem_strdup(conf) : NULL;
	s->setting = conf ? mem_format("SLURM_CONF=%s", conf) : NULL;
	/* SLURM_JSON is used by 25.05 and later. */
	s->environment = child_environment_new(
		conf ? unwanted : &unwanted[1],		/* without CONF, SLURM_CONF names it */
		(const char *const[]){ "SLURM_JSON=compact", s->setting, NULL });
	return &s->live.base;
}
