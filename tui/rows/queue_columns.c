/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of the jobs view on the screen: the job's identity, then the columns of the command
 * line by name, then one per term of the priority.
 */
#include "tui/rows/queue.h"
#include "core/queue/reasons.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* "/physics/hep/": rows of a branch of the tree, and no others, begin with its path. */
static void get_within(const struct position *pos, struct value *out)
{
	const struct jobs *j = pos->context;
	const struct cluster *c = j->model->cluster;
	uint32_t assoc = j->index->assoc[pos->row];
	char room[VALUE_ROOM];

	out->kind = VALUE_UNKNOWN;
	if (assoc != ROW_NONE && cluster_is_user(c, assoc))
		assoc = cluster_parent(c)[assoc];
	if (assoc == ROW_NONE)
		return;
	/* It is never shown, only compared with text that fits into a line. */
	snprintf(out->buffer, sizeof(out->buffer), "%s/",
		 assoc == 0 ? "" : cluster_path_get(c, assoc, room));
	out->kind = VALUE_TEXT;
	out->text = out->buffer;
}

static void queue_columns_get_start(const struct position *pos, struct value *out)
{
	const struct jobs *j = pos->context;
	const struct jobs_start *start;
	int64_t time;

	if (!j->starts || j->index->kind[pos->row] >= JOB_RUNNING)
		return;
	start = &j->starts[j->index->job[pos->row]];
	memcpy(&time, (const char *)start + pos->column->which, sizeof(time));
	value_set_int(out, time);
	if (pos->column->which == offsetof(struct jobs_start, start))
		out->why = start->brief;
}

/* The column's term; all TRES types as one, since they differ by cluster. */
static void get_term(const struct position *pos, struct value *out)
{
	const struct jobs *j = pos->context;
	uint32_t first = (uint32_t)pos->column->which;
	uint32_t end = first == PRIO_TRES ? j->map_count : first + 1;
	double sum = 0;

	for (uint32_t i = first; i < end; i++) {
		enum value_origin origin;

		sum += jobs_term(j, i, pos->row, &origin);
		if (origin == VALUE_REPORTED)
			out->origin = VALUE_REPORTED;
	}
	value_set_real(out, jobs_has_terms(j, pos->row) ? sum : F64_UNKNOWN);
}

#define ALL ((UINT32_C(1) << FS_ALGORITHMS) - 1)
#define JOB (NEED_JOBS | NEED_PARTITIONS | NEED_QOS | NEED_POLICY)
#define PRIO (JOB | NEED_SHARES | NEED_LIMITS | NEED_PRIO | NEED_HOSTS)

/*
 * The parts of a priority, each with its column. Each sign differs: colour alone must not
 * distinguish them.
 *
 * PART(ID, name, brief name, sign, sign in ASCII, title, title with changes, keep, legend)
 */
#define PARTS(PART) \
	PART(AGE, "age", "age", "░", "a", "Age", "Age", 104, \
	     "age term: how long it has been pending") \
	PART(ASSOC, "assoc", "assoc", "▚", "c", "Assoc", "Assoc", 84, "association term") \
	PART(FAIRSHARE, "fairshare", "fs", "█", "f", "Fairshare", "FS", 108, \
	     "fair-share term: F of its association") \
	PART(JOBSIZE, "jobsize", "size", "▞", "j", "JobSize", "Size", 88, "job size term") \
	PART(PARTITION, "partition", "part", "▓", "p", "Part", "Part", 92, "partition term") \
	PART(QOS, "qos", "qos", "▒", "q", "QOS+", "QOS", 96, "QOS term") \
	PART(TRES, "tres", "tres", "▙", "t", "TRES+", "TRES", 82, \
	     "TRES terms, all types together") \
	PART(SITE, "site", "site", "▖", "s", "Site", "Site", 60, "site factor") \
	PART(NICE, "nice", "nice", "▘", "n", "Nice", "Nice", 62, \
	     "nice value as it enters the sum: positive nice lowers it")

#define PART_INFO(id, key, brief, sign_of, ascii, ...) \
	[PART_##id] = { key, brief, ROLE_TERM_##id, { sign_of, ascii } },

const struct queue_part_info queue_parts[PART_COUNT] = { PARTS(PART_INFO) };

#define PART_ONE(...) + 1

_Static_assert(0 PARTS(PART_ONE) == PART_COUNT, "each factor has its part");

#define BY_HAND(part) ((part) == PART_SITE || (part) == PART_NICE)

#define TERM_COLUMN(id, key, brief, sign_of, ascii, heading, changed, order, text) \
	{ .name = "term_" key, .title = heading, .format = COLUMN_RATIO, .unit = UNIT_POINTS, \
	  .width = 9, .decimals = 1, .keep = order, .needs = PRIO, .only = ALL, \
	  .reportable = true, .get = get_term, .which = PRIO_##id, .legend = text, \
	  .changes = { .shape = { changed, 9, 4, 9, (order) - 1 }, .edit = BY_HAND(PART_##id), \
		       .legend = "the term with the what-if minus the term without it" } },

#define START_COLUMN(key, member, title_of, text) \
	{ .name = key, .title = title_of, .format = COLUMN_TIME, .unit = UNIT_TIME, .width = 19, \
	  .keep = 71, .needs = NEED_ALL, .get = queue_columns_get_start, \
	  .which = offsetof(struct jobs_start, member), .legend = text, \
	  .changes = { .name = key "_change", .shape = { title_of, 19, 69, 14, 70 }, \
		       .legend = "how much later it starts with the what-if; negative: earlier" } }

const struct column queue_columns[] = {
	{ .name = "id", .title = "JobID", .width = 12, .keep = 255, .needs = JOB, .only = ALL,
	  .rises = true,
	  .get = jobs_get_id, .legend = "job ID; [n]: n pending tasks of an array",
	  .changes.none = true },
	{ .name = "rank", .title = "Rank", .width = 6, .keep = 190, .needs = PRIO, .only = ALL,
	  .rises = true, .get = jobs_get_rank, .legend = "queue rank: 1 is considered first",
	  .changes = { .shape = { NULL, 6, 106, 6, 240 }, .places = true, .news = true,
		       .heading = "Moves" } },
	{ .name = "user", .title = "User", .width = 9, .keep = 180, .left = true, .needs = JOB,
	  .only = ALL, .get = jobs_get_text, .which = F_JOB_USER,
	  .legend = "user who submitted it" },
	{ .name = "account", .title = "Account", .width = 11, .keep = 150, .left = true,
	  .needs = JOB, .only = ALL, .get = jobs_get_text, .which = F_JOB_ACCOUNT,
	  .legend = "account charged for the job", .changes.edit = true },
	{ .name = "within", .title = "Within", .width = 16, .keep = 13, .left = true,
	  .path = true, .needs = JOB | NEED_SHARES, .get = get_within,
	  .legend = "parent accounts: within^=/physics/ filters a branch" },
	{ .name = "partition", .title = "Partition", .width = 9, .keep = 140, .left = true,
	  .needs = JOB, .only = JOBS_OF_SLURM, .get = jobs_get_partition,
	  .legend = "partition this row competes in", .changes.edit = true },
	{ .name = "queue", .title = "Queue", .width = 9, .keep = 140, .left = true,
	  .needs = JOB, .only = ALL & ~JOBS_OF_SLURM, .get = jobs_get_queue,
	  .legend = "its PBS or LSF queue" },
	{ .name = "qos", .title = "QOS", .width = 8, .keep = 70, .left = true, .needs = JOB,
	  .only = JOBS_OF_SLURM, .get = jobs_get_qos, .legend = "quality of service",
	  .changes.edit = true },
	{ .name = "state", .title = "State", .width = 7, .keep = 162, .left = true, .needs = JOB,
	  .only = ALL, .get = jobs_get_text, .which = F_JOB_STATE,
	  .legend = "state, as the scheduler names it", .changes.news = true },
	{ .name = "wait", .title = "Waits for", .width = 15, .keep = 165, .left = true,
	  .needs = JOB, .only = ALL, .get = reason_get, .legend = "what it waits for, in short" },
	{ .name = "reason", .title = "Reason", .width = 12, .keep = 130, .left = true, .needs = JOB,
	  .get = jobs_get_text, .which = F_JOB_REASON,
	  .legend = "why it is pending, as the scheduler names it" },
	{ .name = "priority", .title = "Priority", .width = 10, .keep = 200, .needs = PRIO,
	  .only = ALL, .reportable = true, .get = jobs_get_priority,
	  .legend = "sum of the terms; largest is considered first; 0: held",
	  .changes.shape = { "Prio", 10, 161, 10, 195 } },
	{ .name = "terms", .title = "Terms", .width = 16, .keep = 128, .needs = PRIO, .only = ALL,
	  .drawn = DRAWN_TERMS, .get = jobs_get_priority,
	  .legend = "parts of the priority, signs as above; full: the largest",
	  .changes.none = true },
	PARTS(TERM_COLUMN)
	{ .name = "cpus", .title = "CPUs", .width = 6, .keep = 110, .needs = JOB, .only = ALL,
	  .get = jobs_get_count, .which = F_JOB_CPUS, .legend = "CPUs allocated, or requested",
	  .changes = { .none = true, .edit = true } },
	{ .name = "nodes", .title = "Nodes", .width = 5, .keep = 75, .needs = JOB, .only = ALL,
	  .get = jobs_get_nodes, .legend = "nodes allocated, or minimum requested",
	  .changes = { .none = true, .edit = true } },
	{ .name = "time_limit", .title = "TimeLimit", .format = COLUMN_DURATION, .width = 10,
	  .unit = UNIT_SECONDS, .keep = 80, .needs = JOB, .only = ALL, .get = jobs_get_time_limit,
	  .legend = "time limit", .changes.edit = true },
	{ .name = "age", .title = "Waited", .format = COLUMN_DURATION, .unit = UNIT_SECONDS,
	  .width = 10, .keep = 100, .needs = JOB, .only = ALL, .get = jobs_get_age,
	  .legend = "age accrued at the scheduler's last pass" },
	{ .name = "name", .title = "Name", .width = 12, .keep = 65, .left = true, .needs = JOB,
	  .only = ALL, .get = jobs_get_text, .which = F_JOB_NAME, .legend = "job name" },
	{ .name = "partition_rank", .title = "PRank", .width = 6, .keep = 20, .needs = PRIO,
	  .rises = true,
	  .get = jobs_get_partition_rank, .legend = "rank in the queue of its partition",
	  .changes = { .shape = { NULL, 6, 19, 6, 18 }, .places = true, .heading = "PMoves",
		       .legend = "ranks gained in its partition's queue; negative: lost" } },
	{ .name = "ahead", .title = "Ahead", .width = 7, .keep = 25, .needs = PRIO, .rises = true,
	  .get = jobs_get_ahead, .legend = "jobs ahead of it, counting every array task",
	  .changes.shape = { NULL, 7, 17, 7, 16 } },
	{ .name = "class", .title = "Class", .width = 5, .keep = 15, .needs = PRIO, .rises = true,
	  .get = jobs_get_class, .legend = "its PBS equivalence class, see classes",
	  .changes.none = true },
	{ .name = "submit", .title = "Submit", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 7, .needs = JOB, .get = jobs_get_time, .which = F_JOB_SUBMIT,
	  .legend = "when it was submitted", .changes.edit = true },
	{ .name = "start_estimate", .title = "Start", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 72, .needs = JOB, .get = jobs_get_start_estimate,
	  .legend = "start estimate of the scheduler" },
	START_COLUMN("start", start, "By limits", "simulated: no new jobs, all run to "
		     "limits; or why not"),
	START_COLUMN("start_p10", p10, "P10", "10 % probability that it starts earlier, from "
		     "past jobs"),
	START_COLUMN("start_p90", p90, "P90", "10 % probability that it starts later"),
	{ .name = "reservation", .title = "Reservation", .width = 12, .keep = 8, .left = true,
	  .needs = JOB, .get = jobs_get_text, .which = F_JOB_RESERVATION,
	  .legend = "reservation requested", .changes.edit = true },
	{ .name = "tres", .title = "TRES", .width = 24, .keep = 5, .left = true, .needs = JOB,
	  .get = jobs_get_tres, .legend = "TRES allocated, or requested; memory in MiB" },
	{ .name = "billing", .title = "Billing", .format = COLUMN_RATIO, .width = 9, .decimals = 2,
	  .keep = 12, .needs = JOB, .get = jobs_get_billing, .legend = "billable TRES",
	  .changes.none = true },
};
const size_t queue_columns_count = sizeof(queue_columns) / sizeof(queue_columns[0]);
