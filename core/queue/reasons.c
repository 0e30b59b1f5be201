/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/reasons.h"

#include <stdio.h>
#include <string.h>

#define LIMIT " limit"

/* Job reason codes of squeue(1), then the sentences of PBS and LSF. The first match counts. */
static const struct reason reasons[] = {
	{ "Priority", REASON_OPEN, "priority", "jobs with a higher priority are ahead of it" },
	{ "Resources", REASON_OPEN, "resources", "it is next and waits for enough free resources" },
	{ "Dependency", REASON_DEPENDENCY, "dependency", "it waits for another job" },
	{ "DependencyNeverSatisfied", REASON_STOP, "dependency never",
	  "it waits for another job that can no longer satisfy it" },
	{ "BeginTime", REASON_BEGIN, "time begin", "its begin time has not come" },
	{ "JobHeldUser", REASON_STOP, "held by user", "its owner holds it" },
	{ "JobHeldAdmin", REASON_STOP, "held by admin", "an administrator holds it" },
	{ "JobArrayTaskLimit", REASON_ARRAY, "array" LIMIT,
	  "its array runs its maximum number of tasks at once" },
	{ "ReqNodeNotAvail*", REASON_NODES, "resources node",
	  "a node it needs is not available (down, drained or reserved)" },
	{ "Nodes*required*for*job*", REASON_NODES, "resources node", NULL },
	{ "PartitionNodeLimit", REASON_RULE, "node" LIMIT,
	  "it asks for more nodes than its partition allows or has" },
	{ "PartitionTimeLimit", REASON_RULE, "MaxTime" LIMIT,
	  "its time limit is longer than its partition allows" },
	{ "PartitionDown", REASON_RULE, "partition down", "its partition starts no jobs" },
	{ "PartitionInactive", REASON_RULE, "partition off",
	  "its partition accepts and starts no jobs" },
	{ "PartitionConfig", REASON_UNPLAYED, "partition rules",
	  "its partition does not offer what it asks for" },
	{ "Reservation", REASON_STOP, "time reservation", "its reservation has not started" },
	{ "Licenses", REASON_LICENSES, "resources license", "not enough licenses are free" },
	{ "NodeDown", REASON_NODES, "resources node", "a node it needs is down" },
	{ "BadConstraints", REASON_RULE, "resources none", "no node can satisfy its request" },
	{ "Cleaning", REASON_UNPLAYED, "cleaning",
	  "it was requeued, and its last run is still being cleaned up" },
	{ "Prolog", REASON_UNPLAYED, "prolog", "the prolog is still running on its nodes" },
	{ "InvalidAccount", REASON_UNPLAYED, "account invalid",
	  "its account is not valid, or no longer valid" },
	{ "InvalidQOS", REASON_UNPLAYED, "QOS invalid",
	  "its QOS is not valid for it, or no longer valid" },
	{ "QOSNotAllowed", REASON_UNPLAYED, "QOS not allowed",
	  "its partition or association does not allow its QOS" },
	{ "AccountNotAllowed", REASON_UNPLAYED, "account refused",
	  "its partition does not allow its account" },
	{ "AssocGrp*", REASON_LIMIT, "group" LIMIT,
	  "its association, or an account above, has reached a group limit" },
	{ "AssocMax*", REASON_LIMIT, "assoc" LIMIT, "it exceeds a limit of its association" },
	{ "MaxJobsPerAccount", REASON_LIMIT, "account" LIMIT,
	  "its account runs as many jobs as allowed" },
	{ "Max*RunMinsPerAccount", REASON_UNPLAYED, "account" LIMIT,
	  "its account's running jobs have as many minutes to go as the QOS allows" },
	{ "Max*PerAccount", REASON_LIMIT, "account" LIMIT,
	  "its account's running jobs use as much as the QOS allows" },
	{ "Max*RunMinsPerUser", REASON_UNPLAYED, "user" LIMIT,
	  "its user's running jobs have as many minutes to go as the QOS allows" },
	{ "QOSGrp*", REASON_LIMIT, "QOS" LIMIT,
	  "all jobs of its QOS together have reached a limit" },
	{ "QOSMaxJobsPerUserLimit", REASON_LIMIT, "user" LIMIT,
	  "its user runs as many jobs as the QOS allows" },
	{ "QOSMax*PerUser*", REASON_LIMIT, "user" LIMIT,
	  "its user's running jobs use as much as the QOS allows" },
	{ "QOSMax*", REASON_LIMIT, "QOS" LIMIT, "it exceeds a limit of its QOS" },
	{ "QOSMin*", REASON_UNPLAYED, "QOS min" LIMIT, "it asks for less than its QOS requires" },
	{ "QOSUsageThreshold", REASON_UNPLAYED, "usage" LIMIT,
	  "the usage of its QOS or its share exceeds the threshold" },
	{ "QOSJobLimit", REASON_LIMIT, "QOS" LIMIT, "its QOS runs as many jobs as allowed" },
	{ "AssociationJobLimit", REASON_LIMIT, "assoc" LIMIT,
	  "its association runs as many jobs as allowed" },
	{ "MaxMemPerLimit", REASON_UNPLAYED, "memory" LIMIT,
	  "it asks for more memory than its partition allows a job" },
	{ "JobHoldMaxRequeue", REASON_STOP, "held, requeued",
	  "it was requeued as often as allowed, and is held" },
	{ "DeadLine", REASON_UNPLAYED, "time deadline", "it can no longer meet its deadline" },
	{ "SchedDefer", REASON_UNPLAYED, "deferred",
	  "it asks to start at once, but the scheduler starts no job at once" },
	{ "BurstBuffer*", REASON_UNPLAYED, "resources buffer", "its burst buffer is not ready" },
	{ "ReservationDeleted", REASON_STOP, "reservation gone",
	  "the reservation it asked for is gone" },
	{ "None", REASON_OPEN, "not considered", "the scheduler has not considered it yet" },
	{ "*queue has reached its job slot limit*", REASON_UNPLAYED, "queue" LIMIT, NULL },
	{ "*per-user job slot*", REASON_UNPLAYED, "user" LIMIT, NULL },
	{ "*user has *job slot*", REASON_UNPLAYED, "user" LIMIT, NULL },
	{ "*ob slot limit reached*", REASON_UNPLAYED, "resources slots", NULL },
	{ "*never satisfied*", REASON_UNPLAYED, "dependency never", NULL },
	{ "*dependency condition*", REASON_UNPLAYED, "dependency", NULL },
	{ "*specified start time*", REASON_UNPLAYED, "time begin", NULL },
	{ "*suspended by *while pending*", REASON_UNPLAYED, "held", NULL },
	{ "*waiting for scheduling*", REASON_UNPLAYED, "not considered", NULL },
	{ "*Insufficient amount of *resource*", REASON_UNPLAYED, "resources ", NULL },
	{ "*Not enough*", REASON_UNPLAYED, "resources", NULL },
	{ "*limit*", REASON_UNPLAYED, "limit ", NULL },
	{ "*Held*", REASON_UNPLAYED, "held", NULL },
	{ "Job has zero shares*", REASON_UNPLAYED, "no shares", NULL },
	{ "*ueue not started*", REASON_UNPLAYED, "queue stopped", NULL },
	{ "Job Array Began*", REASON_UNPLAYED, "array started",
	  "some tasks of its array have started, the others have not had their turn yet" },
	{ "Assoc*", REASON_LIMIT, NULL, NULL },
	{ "QOS*", REASON_LIMIT, NULL, NULL },
	{ "*", REASON_UNPLAYED, NULL, NULL },
};

/* "AssocGrp*", "QOSMax*PerUser*". */
static bool reasons_fits(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return reasons_fits(pattern + 1, text) ||
		       (*text != '\0' && reasons_fits(pattern, text + 1));
	return *pattern == *text && (*text == '\0' || reasons_fits(pattern + 1, text + 1));
}

const struct reason *reason_of(const char *word)
{
	const struct reason *r = reasons;

	while (!reasons_fits(r->pattern, word))
		r++;
	return r;
}

enum reason_played reason_played(const char *word)
{
	static const char *const others[] = { "Minutes", "RunMins", "GrpWall", "PerNode" };
	enum reason_played played = reason_of(word)->played;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (played == REASON_LIMIT && strstr(word, others[i]))
			return REASON_UNPLAYED;
	}
	return played;
}

void reason_word(const char *word, char *buf, size_t size)
{
	const char *brief = reason_of(word)->brief, *last = strrchr(word, ' ');

	if (!brief)
		snprintf(buf, size, "%s", word);
	else
		snprintf(buf, size, "%s%s", brief,
			 brief[strlen(brief) - 1] == ' ' && last ? last + 1 : "");
}

/* Short reason why an entry is pending; false if it is not pending. */
static bool reason_brief(const struct jobs *j, uint32_t entry, char *buf, size_t size)
{
	const char *word = cluster_text(j->index->cluster, F_JOB_REASON, j->index->job[entry]);

	if (j->index->kind[entry] >= JOB_RUNNING || !word || !*word)
		return false;
	reason_word(word, buf, size);
	return true;
}

void reason_get(const struct position *pos, struct value *out)
{
	if (reason_brief(pos->context, pos->row, out->buffer, sizeof(out->buffer)))
		value_set_text(out, out->buffer);
}

#define KIND_FILTER(expression) expression, "filter " expression

const struct reason_kind reason_kinds[REASON_KINDS] = {
	{ "priority", KIND_FILTER("wait^=priority") },
	{ "resources", KIND_FILTER("wait^=resources") },
	{ "limit", KIND_FILTER("wait~\"(^| )limit\"") },
	{ "dependency", KIND_FILTER("wait^=dependency") },
	{ "held", KIND_FILTER("wait^=held") },
	{ "time", KIND_FILTER("wait^=time") },
	{ "other", KIND_FILTER("!wait=unknown "
			       "!wait~\"^(priority|resources|dependency|held|time)|(^| )limit\"") },
};

bool reason_is(const char *brief, const char *word)
{
	return strncmp(strstr(brief, LIMIT) ? "limit" : brief, word, strlen(word)) == 0;
}

uint32_t reason_count(const struct jobs *j, uint32_t counts[REASON_KINDS])
{
	const struct job_index *x = j->index;
	uint32_t sum = 0, last = UINT32_MAX;
	char brief[256];
	int kind = 0;

	memset(counts, 0, REASON_KINDS * sizeof(*counts));
	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t word = cluster_text_id(x->cluster, F_JOB_REASON, x->job[e]);

		/* Entries of one job are consecutive and count once. */
		if ((e > 0 && x->job[e] == x->job[e - 1]) || x->kind[e] >= JOB_RUNNING)
			continue;
		/* Thousands share one reason. */
		if (word != last) {
			if (!reason_brief(j, e, brief, sizeof(brief)))
				brief[0] = '\0';
			kind = 0;
			while (kind < REASON_KINDS - 1 &&
			       !reason_is(brief, reason_kinds[kind].word))
				kind++;
			last = word;
		}
		counts[kind] += x->tasks[e];
		sum += x->tasks[e];
	}
	return sum;
}
