/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Export: the exact commands of each kind of edit and of its inverse; order; names that a shell or
 * sacctmgr would split; comments that no name can end early.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/bytes.h"
#include "core/whatif/export.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "tests/support/assoc.h"
#include "tests/support/edits.h"
#include "tests/support/hostile.h"
#include "tests/support/scratch.h"

static uint32_t add(struct builder *b, uint32_t id, uint32_t parent, const char *account,
		    const char *user, uint32_t shares)
{
	uint32_t row = assoc_add(b, id, parent, account, user, shares, 0);

	builder_u32(b, F_ASSOC_PRIORITY, row, 3);
	return row;
}

static void add_job(struct builder *b)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, 17);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_USER, row, "x");
	builder_str(b, F_JOB_QOS, row, "normal");
	builder_u32(b, F_JOB_ASSOC, row, 3);
	builder_i64(b, F_JOB_NICE, row, 5);
	builder_i64(b, F_JOB_SUBMIT, row, 1000);
	builder_i64(b, F_JOB_TIME_LIMIT, row, 3600);
	builder_i64(b, F_JOB_ELIGIBLE, row, 9000);
	builder_str(b, F_JOB_DEPENDENCY, row, "afterok:7(unfulfilled),afterany:8(failed)");
	builder_str(b, F_JOB_FEATURES, row, "fast");
	builder_str(b, F_JOB_RESERVATION, row, "course");
	/* A running job cannot change its account. */
	row = builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, row, 18);
	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_u32(b, F_JOB_ASSOC, row, 3);
}

static struct cluster *site(const char *account)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	uint32_t row;

	meta.kind = "slurm";
	meta.name = "lab";
	meta.time = 2000;
	builder_meta(b, &meta);
	builder_policy(b)->weight[PRIO_AGE] = 1000;
	add(b, 1, 0, "root", NULL, 1);
	add(b, 2, 1, account, NULL, 30);
	builder_bool(b, F_ASSOC_DEFAULT, add(b, 3, 2, account, "x", 1), true);
	add(b, 4, 1, "bio", NULL, SHARES_PARENT);
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, "gpu");
	builder_u32(b, F_PARTITION_JOB_FACTOR, row, 20);
	row = builder_add(b, TABLE_QOS);
	builder_str(b, F_QOS_NAME, row, "normal");
	builder_f64(b, F_QOS_USAGE_FACTOR, row, 0.5);
	add_job(b);
	return builder_seal(b, NULL);
}

/* Returns the export of the edits in FILE over BASE. */
static struct bytes *export(const struct cluster *base, const char *file, bool inverse)
{
	struct bytes *out = mem_zalloc(1, sizeof(*out));
	struct export_options options = { inverse, NULL, "" };
	struct whatif *w = whatif_new();
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	if (!whatif_load(w, file, &err))
		fail_msg("%s", err.message);
	c = edits_apply(w, base);
	assert_true(export_slurm(w, base, c, &options, bytes_sink(out), NULL));
	cluster_free(c);
	whatif_free(w);
	return out;
}

/* Keeps only lines that do not begin with #, joined by newlines. */
static void commands_of(const char *text, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (*text != '#')
			used += (size_t)snprintf(buf + used, size - used, "%s%.*s",
						 used ? "\n" : "", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void check(const char *file, bool inverse, const char *expected)
{
	struct cluster *base = site("physics");
	struct bytes *out = export(base, file, inverse);
	char commands[8000];

	commands_of(out->data, commands, sizeof(commands));
	assert_string_equal(commands, expected);
	bytes_free(out);
	mem_free(out);
	cluster_free(base);
}

static void both(const char *edit, const char *forward, const char *inverse)
{
	check(edit, false, forward);
	check(edit, true, inverse);
}

/* Subaccounts are removed before their account: 24.11 leaves them behind. Users go with theirs. */
static void check_removal(void)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "lab", .version = "24.11.5",
				     .zone = "", .time = 2000, .boot = I64_UNKNOWN,
				     .last_decay = I64_UNKNOWN, .last_reset = I64_UNKNOWN };
	struct cluster *c;
	struct bytes *out;
	const char *at;

	builder_meta(b, &meta);
	add(b, 1, 0, "root", NULL, 1);
	add(b, 2, 1, "physics", NULL, 1);
	add(b, 3, 2, "hep", NULL, 1);
	add(b, 4, 3, "hep", "x", 1);
	add(b, 5, 3, "atlas", NULL, 1);
	add(b, 6, 2, "astro", NULL, 1);
	c = builder_seal(b, NULL);
	out = export(c, "remove:/physics = yes", false);
	at = strstr(out->data, "sacctmgr");
	assert_non_null(at);
	assert_string_equal(at, "sacctmgr -i delete account where name=astro cluster=lab\n"
				"sacctmgr -i delete account where name=atlas cluster=lab\n"
				"sacctmgr -i delete account where name=hep cluster=lab\n"
				"sacctmgr -i delete account where name=physics cluster=lab\n");
	bytes_free(out);
	mem_free(out);
	cluster_free(c);
}

static void test_kinds(void **state)
{
	(void)state;
	both("shares:/physics = 40",
	     "sacctmgr -i modify account where name=physics cluster=lab set fairshare=40",
	     "sacctmgr -i modify account where name=physics cluster=lab set fairshare=30");
	both("shares:/physics:x = parent",
	     "sacctmgr -i modify user where name=x cluster=lab account=physics set "
	     "fairshare=parent",
	     "sacctmgr -i modify user where name=x cluster=lab account=physics set fairshare=1");
	both("shares:/bio = 4",
	     "sacctmgr -i modify account where name=bio cluster=lab set fairshare=4",
	     "sacctmgr -i modify account where name=bio cluster=lab set fairshare=parent");
	both("priority:/physics:x = 9",
	     "sacctmgr -i modify user where name=x cluster=lab account=physics set priority=9",
	     "sacctmgr -i modify user where name=x cluster=lab account=physics set priority=3");
	both("parent:/physics = /bio",
	     "sacctmgr -i modify account where name=physics cluster=lab set parent=bio",
	     "sacctmgr -i modify account where name=physics cluster=lab set parent=root");
	both("parent:/physics:x = /bio",
	     "sacctmgr -i add user name=x cluster=lab account=bio fairshare=1\n"
	     "sacctmgr -i modify user where name=x cluster=lab set defaultaccount=bio\n"
	     "scontrol update JobId=17 Account=bio\n"
	     "sacctmgr -i delete user where name=x cluster=lab account=physics",
	     "sacctmgr -i add user name=x cluster=lab account=physics fairshare=1\n"
	     "sacctmgr -i modify user where name=x cluster=lab set defaultaccount=physics\n"
	     "scontrol update JobId=17 Account=physics\n"
	     "sacctmgr -i delete user where name=x cluster=lab account=bio");
	both("add:/bio/new = 7",
	     "sacctmgr -i add account name=new cluster=lab parent=bio fairshare=7",
	     "sacctmgr -i delete account where name=new cluster=lab");
	both("add:/bio:x = 7", "sacctmgr -i add user name=x cluster=lab account=bio fairshare=7",
	     "sacctmgr -i delete user where name=x cluster=lab account=bio");
	both("remove:/physics:x = yes",
	     "sacctmgr -i delete user where name=x cluster=lab account=physics", "");
	check_removal();
	both("usage:/physics = 0",
	     "sacctmgr -i modify account where name=physics cluster=lab set RawUsage=0", "");
	both("usage:/physics = +5", "", "");
	both("qos:normal.usage_factor = 2",
	     "sacctmgr -i modify qos where name=normal set UsageFactor=2",
	     "sacctmgr -i modify qos where name=normal set UsageFactor=0.5");
	both("partition:gpu.job_factor = 3",
	     "scontrol update PartitionName=gpu PriorityJobFactor=3",
	     "scontrol update PartitionName=gpu PriorityJobFactor=20");
	both("job:17.nice = 100", "scontrol update JobId=17 Nice=100",
	     "scontrol update JobId=17 Nice=5");
	both("job:17.time_limit = 2h", "scontrol update JobId=17 TimeLimit=02:00:00",
	     "scontrol update JobId=17 TimeLimit=01:00:00");
	both("job:17.hold = yes", "scontrol hold 17", "scontrol release 17");
	/* slurmctld's remarks on a dependency are not exported. */
	both("job:17.dependency = none", "scontrol update JobId=17 Dependency=",
	     "scontrol update JobId=17 Dependency=afterok:7,afterany:8");
	both("job:17.dependency = afterok:9", "scontrol update JobId=17 Dependency=afterok:9",
	     "scontrol update JobId=17 Dependency=afterok:7,afterany:8");
	both("job:17.dependency = afterok:9?afterok:8",
	     "scontrol update JobId=17 'Dependency=afterok:9?afterok:8'",
	     "scontrol update JobId=17 Dependency=afterok:7,afterany:8");
	both("job:17.reservation =", "scontrol update JobId=17 ReservationName=",
	     "scontrol update JobId=17 ReservationName=course");
	both("job:17.begin = now", "scontrol update JobId=17 StartTime=now",
	     "scontrol update JobId=17 StartTime=uts9000");
	both("job:17.begin = +1h", "scontrol update JobId=17 StartTime=uts5600",
	     "scontrol update JobId=17 StartTime=uts9000");
	/* Setting a priority clears the nice value; the inverse restores it, too. */
	both("job:17.priority = 900", "scontrol update JobId=17 Priority=900",
	     "scontrol release 17\nscontrol update JobId=17 Nice=5");
	both("job:17.submit = -6h", "", "");
	both("weight.age = 5", "scontrol reconfigure", "scontrol reconfigure");
	both("advance = 6h", "", "");
}

static void test_order(void **state)
{
	(void)state;
	static const char file[] = "job:17.nice = 1\npartition:gpu.tier = 3\nshares:/bio = 1\n"
				   "shares:/bio = 2\njob:17.priority = 7\nweight.age = 4\n";

	check(file, false,
	      "scontrol reconfigure\n"
	      "sacctmgr -i modify account where name=bio cluster=lab set fairshare=2\n"
	      "scontrol update PartitionName=gpu PriorityTier=3\n"
	      "scontrol update JobId=17 Priority=7\nscontrol update JobId=17 Nice=1");
}

/* Values that sacctmgr changes as a side effect are set again. */
static void test_partition_associations(void **state)
{
	(void)state;
	struct cluster *base = site("physics");
	struct bytes *out = export(base, "add:/physics:x@gpu = 6\nshares:/physics:x = 2",
				       false);
	char commands[4000];

	commands_of(out->data, commands, sizeof(commands));
	assert_string_equal(commands,
			    "sacctmgr -i add user name=x cluster=lab account=physics partition=gpu "
			    "fairshare=6\n"
			    "sacctmgr -i modify user where name=x cluster=lab account=physics "
			    "set fairshare=2\n"
			    "sacctmgr -i modify user where name=x cluster=lab account=physics "
			    "partition=gpu set fairshare=6");
	bytes_free(out);
	mem_free(out);
	cluster_free(base);
}

static void test_comments(void **state)
{
	(void)state;
	struct cluster *base = site("physics");
	struct bytes *out = export(base, "weight.age = 5\nflags = NO_FAIR_TREE", false);

	assert_non_null(strstr(out->data, "\n#   PriorityWeightAge=5\n"));
	assert_non_null(strstr(out->data, "\n#   PriorityFlags=NO_FAIR_TREE\n"));
	assert_non_null(strstr(out->data, "restart slurmctld"));
	bytes_free(out);
	mem_free(out);
	out = export(base, "job:17.submit = -6h\nusage:/physics=5", false);
	assert_non_null(strstr(out->data, "submit times cannot be set"));
	assert_non_null(strstr(out->data, "can only set usage to 0"));
	bytes_free(out);
	mem_free(out);
	cluster_free(base);
}

typedef bool export_function(const struct whatif *, const struct cluster *, const struct cluster *,
			     const struct export_options *, struct sink, struct err *);

static bool documented;			/* the site has equiv_class_enable */

/* Builds a queue in a pool, or an entity of resource_group. */
static struct cluster *other_site(const char *kind)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	uint32_t row;

	meta.kind = kind;
	builder_meta(b, &meta);
	if (documented)
		policy_set_number(builder_policy(b), policy_param("equiv_class_enable"), 1);

	add(b, 1, 0, "root", NULL, 1);
	builder_i64(b, F_ASSOC_CRESGROUP, add(b, 2, 1, "physics", NULL, 30), 10);
	builder_i64(b, F_ASSOC_CRESGROUP, add(b, 3, 2, "physics", "x", 5), 11);
	add(b, 4, 1, "unknown", NULL, 10);
	row = builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, row, 17);
	builder_str(b, F_JOB_JOB_ID, row, "17.head");
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_HOLD_TYPES, row, "n");
	builder_i64(b, F_JOB_JOB_PRIORITY, row, -5);
	row = builder_add(b, TABLE_POOL);
	builder_str(b, F_POOL_NAME, row, "P.1");
	builder_u32(b, F_POOL_MAX_SLOTS, row, 100);
	row = builder_add(b, TABLE_QUEUE);
	builder_str(b, F_QUEUE_NAME, row, "long.q");
	builder_str(b, F_QUEUE_POOL, row, "P.1");
	builder_f64(b, F_QUEUE_SHARE, row, 20);
	builder_i64(b, F_QUEUE_PRIORITY, row, 40);
	return builder_seal(b, NULL);
}

static void other(export_function *function, const char *edit, bool inverse, const char *expected)
{
	struct cluster *base = other_site(function == export_pbs ? "pbs" : "lsf"), *c;
	struct bytes *out = mem_zalloc(1, sizeof(*out));
	struct export_options options = { inverse, NULL, "" };
	struct whatif *w = edits_list(edit, NULL);

	c = edits_apply(w, base);
	assert_true(function(w, base, c, &options, bytes_sink(out), NULL));
	if (!strstr(out->data, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", edit, out->data, expected);
	cluster_free(c);
	cluster_free(base);
	whatif_free(w);
	bytes_free(out);
	mem_free(out);
}

#define RECONFIG \
	"# as LSF administrator: badmin refuses others, who do not own the files\n" \
	"badmin reconfig\n"

static void test_other_schedulers(void **state)
{
	(void)state;
	other(export_lsf, "pool:P.1.long.q.share = 50", false,
	      "QUEUE_NAME = long.q:\n#   SLOT_SHARE = 50\n" RECONFIG);
	other(export_lsf, "pool:P.1.long.q.share = 50", true, "SLOT_SHARE = 20\n");
	other(export_lsf, "pool:P.1.max_slots = 50", true, "MAX_SLOTS_IN_POOL = 100\n");
	other(export_lsf, "shares:/physics = 5", false, "not exported: ");
	other(export_pbs, "queue:long.q.priority = 7", false,
	      "\nqmgr -c 'set queue long.q Priority = \"7\"'\n");
	other(export_pbs, "queue:long.q.priority = 7", true, "Priority = \"40\"'\n");
	/* OpenPBS has no such attribute; the PBS of the document does. */
	other(export_pbs, "classes.exclude = walltime", false,
	      "not exported: OpenPBS has no such attribute");
	documented = true;
	other(export_pbs, "classes.exclude = walltime", false,
	      "\nqmgr -c 'set sched equiv_class_exclude = \"walltime\"'\n");
	documented = false;
	other(export_pbs, "fair_share = True", false,
	      "\nput sched_config fair_share 'fair_share: True'\n");
	other(export_pbs, "shares:/physics = 9", false,
	      "\nput resource_group physics 'physics 10 root 9'\n");
	other(export_pbs, "shares:/physics:x = 9", false, "'x 11 physics 9'\n");
	other(export_pbs, "shares:/physics:x = 9", true, "'x 11 physics 5'\n");
	other(export_pbs, "add:/physics:y = 2", false, "\nput resource_group y 'y 12 physics 2'\n");
	other(export_pbs, "add:/physics:y = 2", true, "\nput resource_group y ''\n");
	other(export_pbs, "parent:/physics:x = /", false,
	      "\nput resource_group x ''\nput resource_group x 'x 11 root 5'\n");
	other(export_pbs, "remove:/physics = yes", false,
	      "\nput resource_group physics ''\nput resource_group x ''\n");
	other(export_pbs, "remove:/physics = yes", true,
	      "\nput resource_group physics 'physics 10 root 30'\n"
	      "put resource_group x 'x 11 physics 5'\n");
	other(export_pbs, "remove:/physics:x = yes", false, "\nput resource_group x ''\n");
	other(export_pbs, "job:17.job_priority = 9", false, "\nqalter -p 9 17.head\n");
	other(export_pbs, "job:17.job_priority = 9", true, "\nqalter -p -5 17.head\n");
	other(export_pbs, "job:17.hold = yes", false, "\nqhold -h u 17.head\n");
	other(export_pbs, "job:17.hold = yes", true, "\nqrls -h u 17.head\n");
	other(export_pbs, "fairshare_decay_time = 2d", false,
	      "'fairshare_decay_time: 48:00:00'\n");
	other(export_pbs, "usage:/physics:x = 12", false, "\npbsfs -s x 12\n");
	/* As the real qmgr takes it; the server attribute of that name is deprecated. */
	other(export_pbs, "job_sort_formula = ncpus", false,
	      "\nqmgr -c 'set sched job_sort_formula = \"ncpus\"'\n");
	other(export_pbs, "job_sort_formula = ncpus", true,
	      "\nqmgr -c 'unset sched job_sort_formula'\n");
}

/* Every line is a comment or one of the expected commands, however the account is named. */
static void test_hostile(void **state)
{
	(void)state;
	static const char *const more[] = { "a b", "a;reboot", "a'b", "a\"b", "a,b", "a=b", "$(id)",
					    "`id`", "a[1-3]", "-x", "a\nreboot", "a\\b", "a|b&c",
					    "~", "*", "#x" };
	size_t count = sizeof(more) / sizeof(more[0]);

	for (size_t i = 0; i < count + hostile_count(); i++) {
		char *name = i < count ? mem_strdup(more[i]) : hostile_name(i - count);
		struct cluster *base = name[0] ? site(name) : NULL;
		char *edit, path[60000];
		size_t length;
		struct bytes *out;

		if (!base || cluster_path(base, 1, path, sizeof(path)) > 8000 ||
		    strpbrk(path, "=#\n")) {
			cluster_free(base);
			mem_free(name);
			continue;
		}
		length = strlen(path) + 40;
		edit = mem_alloc(length, 1);
		snprintf(edit, length, "shares:%s = 3", path);
		if (path[strlen(path) - 1] != ' ') {
			out = export(base, edit, false);
			for (const char *line = out->data; *line; line = strchr(line, '\n') + 1) {
				const char *name_at = line + 33;

				if (*line == '#')
					continue;
				assert_memory_equal(line, "sacctmgr -i modify account where ", 33);
				name_at += *name_at == '"' ? strlen("\"$(printf '") :
					   *name_at == '\'';
				assert_memory_equal(name_at, "name=", 5);
				assert_true(visible_is_plain(line, strcspn(line, "\n")));
			}
			bytes_free(out);
	mem_free(out);
		}
		mem_free(edit);
		mem_free(name);
		cluster_free(base);
	}
}

static void quoted(const char *text, const char *expected)
{
	char buf[100];

	assert_int_equal(export_quote(text, buf, sizeof(buf)), strlen(expected));
	assert_string_equal(buf, expected);
}

/* A shell reads every word back unchanged, and the text is printable. */
static void test_quote_in_a_shell(void **state)
{
	static const char *const names[] = { "\xc2\x9b", "\xe2\x80\xae\x65vil",
					     "a\xe2\x80\x8b'b\\",
					     "\xef\xbb\xbf$(reboot)`id`",
					     "\xff\xfe",
					     "-%s\x1b[201~\n%%\\n!" };
	char word[200], command[600], back[200];
	size_t length;
	FILE *shell;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)export_quote(names[i], word, sizeof(word));
		assert_true(visible_is_plain(word, strlen(word)));
		(void)snprintf(command, sizeof(command), "sh << 'END'\nprintf %%s %s\nEND\n",
			       word);
		shell = popen(command, "r");
		assert_non_null(shell);
		length = fread(back, 1, sizeof(back) - 1, shell);
		back[length] = '\0';
		pclose(shell);
		assert_string_equal(back, names[i]);
	}
}

static void test_quote(void **state)
{
	(void)state;
	quoted("name=abc", "name=abc");
	quoted("", "''");
	quoted("a b", "'a b'");
	quoted("a'b", "'a'\\''b'");
	quoted("$x", "'$x'");
	quoted("#", "'#'");
	/* A C1 control, a right-to-left override, a zero-width space, a byte that is not UTF-8. */
	quoted("a\xc2\x9b" "1mb", "\"$(printf 'a\\302\\2331mb')\"");
	quoted("x\xe2\x80\xae'\\\xe2\x80\x8b\xc3\xa9",
	       "\"$(printf 'x\\342\\200\\256\\047\\134\\342\\200\\213\xc3\xa9')\"");
	quoted("-\xff\n-%", "\"$(printf '\\055\\377\\012-\\045')\"");
	assert_false(export_name_is_safe("a,b"));
	assert_false(export_name_is_safe(""));
	assert_false(export_name_is_safe("a\x1b[0m"));
	assert_true(export_name_is_safe("a b;c"));
	assert_true(export_name_is_safe("\xc3\xa9t\xc3\xa9"));
}

/* ---- run by a shell -------------------------------------------------------------------------- */

/* Each stub records its name and arguments, NUL-ended; a name that is executed creates "ran". */
static const char stub[] = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" >> \"$calls\"\n";
static char directory[SCRATCH_PATH_MAX], calls[SCRATCH_PATH_MAX];

static void write_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static size_t read_file(const char *path, char *buf, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(buf, 1, size - 1, file) : 0;

	buf[length] = '\0';
	if (file)
		fclose(file);
	return length;
}

static const char *in_directory(const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", directory, name);
	return path;
}

static void begin_shell(void)
{
	static const char *const commands[] = { "pbsfs", "qmgr", "qalter", "qhold", "qrls",
						"badmin", "reboot" };
	char path[SCRATCH_PATH_MAX * 2];

	assert_int_equal(mkdir(scratch_path("it's $(here)", directory), 0700), 0);
	scratch_path("calls", calls);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		write_file(in_directory(commands[i], path, sizeof(path)), stub, 0755);
	snprintf(path, sizeof(path), "%s:%s", directory, getenv("PATH"));
	setenv("PATH", path, 1);
	setenv("calls", calls, 1);
}

/* Returns a cluster where all names are NAME; PBS's files for edits are in DIRECTORY. */
static struct cluster *one_name(const char *kind, const char *name)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	char id[600];
	uint32_t row;

	meta.kind = kind;
	meta.name = name;
	builder_meta(b, &meta);
	add(b, 1, 0, "root", NULL, 1);
	builder_i64(b, F_ASSOC_CRESGROUP, add(b, 2, 1, "physics", NULL, 30), 10);
	builder_i64(b, F_ASSOC_CRESGROUP, add(b, 3, 2, name, NULL, 5), 11);
	builder_i64(b, F_ASSOC_CRESGROUP, add(b, 4, 2, "physics", name, 5), 12);
	row = builder_add(b, TABLE_JOB);
	snprintf(id, sizeof(id), "17.%s", name);
	builder_u32(b, F_JOB_ID, row, 17);
	builder_str(b, F_JOB_JOB_ID, row, id);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_HOLD_TYPES, row, name);
	row = builder_add(b, TABLE_QUEUE);
	builder_str(b, F_QUEUE_NAME, row, name);
	builder_i64(b, F_QUEUE_PRIORITY, row, 40);
	row = builder_add(b, TABLE_SCHED);
	builder_str(b, F_SCHED_NAME, row, "default");
	builder_str(b, F_SCHED_PRIV, row, directory);
	return builder_seal(b, NULL);
}

/* Exports EDIT and runs it in a shell; returns false if EDIT cannot be exported. */
static bool run_export(export_function *function, const struct cluster *base, const char *edit,
		       bool inverse)
{
	struct export_options options = { inverse, NULL, "" };
	struct whatif *w = whatif_new();
	struct err err = { .code = ERR_NONE };
	struct bytes out = { 0 };
	char path[SCRATCH_PATH_MAX * 2], command[SCRATCH_PATH_MAX * 3];
	bool ok = whatif_add(w, edit, NULL);
	struct cluster *c = whatif_apply(w, base);

	ok = ok && whatif_check(w, &err);
	unlink(calls);
	write_file(in_directory("resource_group", path, sizeof(path)), "a 1 root 1\n", 0600);
	write_file(in_directory("sched.lock", path, sizeof(path)), "1\n", 0600);
	if (ok) {
		assert_true(function(w, base, c, &options, bytes_sink(&out), NULL));
		bytes_append(&out, "", 1);
		write_file(scratch_path("script", path), out.data, 0600);
		assert_int_equal(strncmp(out.data, "#!/bin/sh\n", 10), 0);
		snprintf(command, sizeof(command), "cd '%s' && sh script > said 2>&1",
			 scratch_directory());
		assert_int_equal(system(command), 0);
	}
	assert_int_not_equal(access(scratch_path("ran", path), F_OK), 0);
	assert_int_not_equal(access(in_directory("ran", path, sizeof(path)), F_OK), 0);
	bytes_free(&out);
	cluster_free(c);
	whatif_free(w);
	return ok;
}

/* Returns whether COMMAND was called with WORD last. The script can call nothing but stubs. */
static bool was_called(const char *command, const char *word)
{
	static char all[20000];
	size_t length = read_file(calls, all, sizeof(all)), at = 0, last = 0;
	bool is = length > 0 && strcmp(all, command) == 0;

	while (at < length) {
		last = at;
		at += strlen(all + at) + 1;
	}
	return is && strcmp(all + last, word) == 0;
}

static bool is_line(const char *line)
{
	char path[SCRATCH_PATH_MAX * 2], text[5000];
	size_t length = strlen(line);
	const char *at;

	(void)read_file(in_directory("resource_group", path, sizeof(path)), text, sizeof(text));
	for (at = strstr(text, line); at; at = strstr(at + 1, line)) {
		if (at > text && at[-1] == '\n' && at[length] == '\n')
			return true;
	}
	return false;
}

static const char *const payloads[] = {
	"$(touch${IFS}ran)", "`touch${IFS}ran`", "';touch${IFS}ran;'", "\";touch${IFS}ran;\"",
	"a;touch\tran", "\xc2\x9b');touch${IFS}ran;$('", "\xc2\x9b\\047;touch${IFS}ran;\\047",
	"$'\\';touch${IFS}ran;'", "a\ntouch ran\n", "a\r\xe2\x80\xae|touch${IFS}ran", "%s%n\x7f%d",
	"\\055\xff\\c", "-I\x7f", "-s", "~", "*", "&touch${IFS}ran&", "!!", "a\033[2J", "\xff\x9b",
	"a b", "x@other", "${IFS}", "#ran", "a\\", "END",
};

/* Returns how many of the four kinds of command received NAME, each time unchanged. */
static size_t run_name(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-.";
	struct cluster *base = one_name("pbs", name);
	char edit[2000], path[1000], line[1000];
	bool line_holds = !strpbrk(name, " \t\n#");
	size_t given = 0;

	cluster_path(base, 2, path, sizeof(path));
	snprintf(edit, sizeof(edit), "shares:%s = 9", path);
	snprintf(line, sizeof(line), "%s 11 physics 9", name);
	if (run_export(export_pbs, base, edit, false) && line_holds) {
		assert_true(is_line(line));
		given++;
	}
	cluster_path(base, 3, path, sizeof(path));
	snprintf(edit, sizeof(edit), "usage:%s = 12", path);
	if (run_export(export_pbs, base, edit, false) && export_name_is_safe(name)) {
		assert_true(was_called("pbsfs", "12"));
		given++;
	}
	snprintf(line, sizeof(line), "17.%s", name);
	for (unsigned i = 0; i < 2; i++) {
		const char *of_job = i ? "job:17.hold = yes" : "job:17.job_priority = 9";

		if (run_export(export_pbs, base, of_job, false) &&
		    name[strlen(name) - 1] != '\n') {
			assert_true(was_called(i ? "qhold" : "qalter", line));
			given++;
		}
	}
	snprintf(edit, sizeof(edit), "queue:%s.priority = 7", name);
	(void)run_export(export_pbs, base, edit, false);
	/* qmgr would split all other names. */
	if (access(calls, F_OK) == 0)
		assert_true(name[0] != '-' && strspn(name, plain) == strlen(name));
	cluster_free(base);
	base = one_name("lsf", name);
	cluster_path(base, 2, path, sizeof(path));
	snprintf(edit, sizeof(edit), "shares:%s = 9", path);
	if (run_export(export_lsf, base, edit, false))
		assert_true(was_called("badmin", "reconfig"));
	cluster_free(base);
	return given;
}

static void test_in_a_shell(void **state)
{
	size_t given = 0, count = sizeof(payloads) / sizeof(payloads[0]);

	(void)state;
	begin_shell();
	for (size_t i = 0; i < count; i++)
		given += run_name(payloads[i]);
	for (size_t i = 0; i < hostile_count(); i++) {
		char *name = hostile_name(i);

		if (name[0] && strlen(name) < 200 && strcmp(name, "root") != 0)
			given += run_name(name);
		mem_free(name);
	}
	assert_true(given > 3 * count);
}

/* The inverse uses the name itself, not its spelling in a path. */
static void test_added_by_path(void **state)
{
	(void)state;
	other(export_pbs, "add:/physics:y%7Fz = 2", true,
	      "\nput resource_group \"$(printf 'y\\177z')\" ''\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),	 cmocka_unit_test(test_order),
		cmocka_unit_test(test_partition_associations),
		cmocka_unit_test(test_other_schedulers),
		cmocka_unit_test(test_comments), cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_quote_in_a_shell),
		cmocka_unit_test_setup_teardown(test_in_a_shell, scratch_open, scratch_close),
		cmocka_unit_test(test_added_by_path),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
