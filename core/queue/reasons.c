/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/reasons.h"

#include <stdio.h>
#include <string.h>

#define LIMIT "limit of "

/*
 * Job reason codes of squeue(1), then the sentences of PBS and LSF. The first that fits counts.
 */
static const struct reason reasons[] = {
	{ "Priority", "priority", "jobs with a higher priority stand before it" },
	{ "Resources", "resources",
	  "it is next, and waits until enough of what it asks for is free" },
	{ "Dependency", "dependency", "it waits for another job" },
	{ "DependencyNeverSatisfied", "dependency never",
	  "it waits for another job that can no longer fulfil it" },
	{ "BeginTime", "time begin", "its begin time has not come" },
	{ "JobHeldUser", "held by user", "its owner holds it" },
	{ "JobHeldAdmin", "held by admin", "an administrator holds it" },
	{ "JobArrayTaskLimit", LIMIT "array",
	  "as many tasks of the array run as it allows itself at once" },
	{ "ReqNodeNotAvail*", "resources node",
	  "a node it needs is not available (down, drained or reserved)" },
	{ "PartitionNodeLimit", LIMIT "nodes",
	  "it asks for more nodes than its partition allows or has" },
	{ "PartitionTimeLimit", LIMIT "time",
	  "its time limit is longer than its partition allows" },
	{ "PartitionDown", "partition down", "its partition starts no jobs" },
	{ "PartitionInactive", "partition off", "its partition takes and starts no jobs" },
	{ "PartitionConfig", "partition lacks",
	  "what it asks for is not what its partition offers" },
	{ "Reservation", "time reservation", "its reservation has not begun" },
	{ "Licenses", "resources license", "not enough licenses are free" },
	{ "NodeDown", "resources node", "a node it needs is down" },
	{ "BadConstraints", "resources none", "no node can fulfil what it asks for" },
	{ "Cleaning", "cleaning", "it was requeued, and its last run is still being cleaned up" },
	{ "Prolog", "prolog", "the prolog of its nodes still runs" },
	{ "InvalidAccount", "account invalid", "its account is not, or no longer, valid" },
	{ "InvalidQOS", "QOS invalid", "its QOS is not, or no longer, valid for it" },
	{ "QOSNotAllowed", "QOS not allowed",
	  "its partition or association does not allow its QOS" },
	{ "AccountNotAllowed", "account refused", "its partition does not allow its account" },
	{ "AssocGrp*", LIMIT "group",
	  "its association, or an account above, has reached a limit of the group" },
	{ "AssocMax*", LIMIT "assoc", "it is beyond a limit of its association" },
	{ "MaxJobsPerAccount", LIMIT "account", "its account runs as many jobs as it may" },
	{ "Max*RunMinsPerAccount", LIMIT "account",
	  "what its account has running has as many minutes to go as the QOS allows" },
	{ "Max*PerAccount", LIMIT "account", "its account has as much running as the QOS allows" },
	{ "Max*RunMinsPerUser", LIMIT "user",
	  "what its user has running has as many minutes to go as the QOS allows" },
	{ "QOSGrp*", LIMIT "QOS", "all jobs of its QOS together have reached a limit" },
	{ "QOSMaxJobsPerUserLimit", LIMIT "user", "its user runs as many jobs as the QOS allows" },
	{ "QOSMax*PerUser*", LIMIT "user", "its user has as much running as the QOS allows" },
	{ "QOSMax*", LIMIT "QOS", "it is beyond a limit of its QOS" },
	{ "QOSMin*", LIMIT "QOS min", "it asks for less than its QOS wants" },
	{ "QOSUsageThreshold", LIMIT "usage",
	  "the usage of its QOS or its share is beyond the threshold" },
	{ "QOSJobLimit", LIMIT "QOS", "its QOS runs as many jobs as it may" },
	{ "AssociationJobLimit", LIMIT "assoc", "its association runs as many jobs as it may" },
	{ "MaxMemPerLimit", LIMIT "memory",
	  "it asks for more memory than its partition gives to a job" },
	{ "JobHoldMaxRequeue", "held, requeued",
	  "it was requeued as often as allowed, and is held" },
	{ "DeadLine", "time deadline", "it cannot end before its deadline any more" },
	{ "SchedDefer", "deferred",
	  "it wants to start at once, and the scheduler starts none at once" },
	{ "BurstBuffer*", "resources buffer", "its burst buffer is not ready" },
	{ "ReservationDeleted", "reservation gone", "the reservation it asked for is gone" },
	{ "None", "not looked at", "the scheduler has not looked at it yet" },
	{ "*queue has reached its job slot limit*", LIMIT "queue", NULL },
	{ "*per-user job slot*", LIMIT "user", NULL },
	{ "*user has *job slot*", LIMIT "user", NULL },
	{ "*ob slot limit reached*", "resources slots", NULL },
	{ "*never satisfied*", "dependency never", NULL },
	{ "*ependency condition*", "dependency", NULL },
	{ "*specified start time*", "time begin", NULL },
	{ "*suspended by *while pending*", "held", NULL },
	{ "*waiting for scheduling*", "not looked at", NULL },
	{ "*Insufficient amount of *resource*", "resources ", NULL },
	{ "*Not enough*", "resources", NULL },
	{ "*limit*", LIMIT, NULL },
	{ "*Held*", "held", NULL },
	{ "Job has zero shares*", "no shares", NULL },
	{ "*ueue not started*", "queue stopped", NULL },
	{ "Job Array Began*", "array goes on",
	  "tasks of its array have begun, the others had no turn yet" },
	{ "*", NULL, NULL },
};

/* "AssocGrp*", "QOSMax*PerUser*". */
static bool fits(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return fits(pattern + 1, text) || (*text != '\0' && fits(pattern, text + 1));
	return *pattern == *text && (*text == '\0' || fits(pattern + 1, text + 1));
}

const struct reason *reason_of(const char *word)
{
	const struct reason *r = reasons;

	while (!fits(r->pattern, word))
		r++;
	return r;
}

enum reason_played reason_played(const char *word)
{
	static const struct {
		const char *pattern;
		enum reason_played played;
	} all[] = {
		{ "Priority", REASON_OPEN }, { "Resources", REASON_OPEN }, { "None", REASON_OPEN },
		{ "ReqNodeNotAvail*", REASON_NODES }, { "NodeDown", REASON_NODES },
		{ "PartitionConfig", REASON_UNPLAYED }, { "Partition*", REASON_RULE },
		{ "BadConstraints", REASON_RULE },
		{ "JobHeld*", REASON_STOP }, { "JobHoldMaxRequeue", REASON_STOP },
		{ "Reservation*", REASON_STOP }, { "DependencyNeverSatisfied", REASON_STOP },
		{ "BeginTime", REASON_BEGIN }, { "Dependency", REASON_DEPENDENCY },
		{ "Licenses", REASON_LICENSES }, { "JobArrayTaskLimit", REASON_ARRAY },
		/* Limits, but those on minutes of all jobs, on each node, and least ones. */
		{ "*Minutes*", REASON_UNPLAYED }, { "*RunMins*", REASON_UNPLAYED },
		{ "*GrpWall*", REASON_UNPLAYED }, { "*PerNode*", REASON_UNPLAYED },
		{ "QOSMin*", REASON_UNPLAYED }, { "QOSUsageThreshold", REASON_UNPLAYED },
		{ "QOSNotAllowed", REASON_UNPLAYED },
		{ "Assoc*", REASON_LIMIT }, { "QOS*", REASON_LIMIT },
		{ "Max*PerAccount", REASON_LIMIT },
		{ "*", REASON_UNPLAYED },
	};
	size_t i = 0;

	while (!fits(all[i].pattern, word))
		i++;
	return all[i].played;
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

bool reason_brief(const struct jobs *j, uint32_t entry, char *buf, size_t size)
{
	const char *word = cluster_text(j->index->cluster, F_JOB_REASON, j->index->job[entry]);

	if (j->index->kind[entry] >= JOB_RUNNING || !word || !*word)
		return false;
	reason_word(word, buf, size);
	return true;
}

void reason_get(const struct spot *spot, struct value *out)
{
	out->kind = VALUE_UNKNOWN;
	if (!reason_brief(spot->context, spot->row, out->buffer, sizeof(out->buffer)))
		return;
	out->kind = VALUE_TEXT;
	out->text = out->buffer;
}

#define KIND_FILTER(expression) expression, "filter " expression

const struct reason_kind reason_kinds[REASON_KINDS] = {
	{ "priority", KIND_FILTER("wait^=priority") },
	{ "resources", KIND_FILTER("wait^=resources") },
	{ "limit", KIND_FILTER("wait^=limit") },
	{ "dependency", KIND_FILTER("wait^=dependency") },
	{ "held", KIND_FILTER("wait^=held") },
	{ "time", KIND_FILTER("wait^=time") },
	{ "other", KIND_FILTER("!wait=unknown "
			       "!wait~\"^(priority|resources|limit|dependency|held|time)\"") },
};

static bool begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
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

		/* The entries of one job follow each other, and wait once. */
		if ((e > 0 && x->job[e] == x->job[e - 1]) || x->kind[e] >= JOB_RUNNING)
			continue;
		/* Thousands wait for the same. */
		if (word != last) {
			if (!reason_brief(j, e, brief, sizeof(brief)))
				brief[0] = '\0';
			kind = 0;
			while (kind < REASON_KINDS - 1 && !begins(brief, reason_kinds[kind].word))
				kind++;
			last = word;
		}
		counts[kind] += x->tasks[e];
		sum += x->tasks[e];
	}
	return sum;
}
