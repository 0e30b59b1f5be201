/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's fair share and order of jobs on generated configurations, against a plain reference written
 * from the documented rules alone: dynamic priorities by their formula (and volclava's two slips,
 * and the group that it passes over), the walk down from the queue, round robin, merged plain
 * queues, limits of queues, users and groups. A failure prints the seed and the texts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/queue/jobs.h"
#include "core/share/lsf_share.h"
#include "tests/support/dice.h"
#include "tests/support/lsf.h"

#define QUEUES 5
#define USERS 9
#define JOBS 40
#define NODES 12
#define TEXT 20000
#define NO_LIMIT 1000000
#define NOBODY (-1)

/*
 * Users 0 and 1 are in g0, with shares there; 2 and 3 in g1, without shares inside; 4 and g3 (users
 * 5, 6) in g2; 7 has its own row and is in g1, too; 8 is in no group.
 */
enum top { TOP_G0, TOP_G1, TOP_G2, TOP_U7, TOP_OTHERS, TOPS };

struct node {
	char path[40];		/* below the queue, "g2/g3" */
	int parent;		/* NOBODY: a child of the queue */
	int shares, started, run;
	double cpu, priority;
	bool inner, closed;	/* closed: skipped for the rest of the session */
};

struct queue {
	int priority, most, user_most;
	bool fair, round;
	double own[3];		/* CPU, RUN_TIME, RUN_JOB; NaN: not set */
	struct node nodes[NODES];
	int node_count;
};

struct job {
	int queue, user;
	char state;		/* 'P'ending, 'H'eld, 'R'unning, 'S'uspended */
};

struct site {
	bool volclava;
	double general[3];
	struct queue queues[QUEUES];
	struct job jobs[JOBS];
	int job_count;
	int user_most[USERS], group_most, each_most;	/* MAX_JOBS of users, of g0, of g1@ */
};

/* ---- the generated site ---------------------------------------------------------------------- */

static int add_node(struct queue *q, uint64_t *dice, const char *path, int parent, bool inner)
{
	struct node *n = &q->nodes[q->node_count];

	*n = (struct node){ .parent = parent, .inner = inner,
			    .shares = 1 + (int)dice_below(dice, 40) };
	snprintf(n->path, sizeof(n->path), "%s", path);
	if (!inner && dice_below(dice, 3) > 0) {
		n->started = (int)dice_below(dice, 4);
		n->run = (int)dice_below(dice, 9000);
		n->cpu = dice_below(dice, 20000) / 10.0;
	}
	for (int i = parent; i != NOBODY; i = q->nodes[i].parent) {
		q->nodes[i].started += n->started;
		q->nodes[i].run += n->run;
		q->nodes[i].cpu += n->cpu;
	}
	return q->node_count++;
}

static void roll_tree(struct queue *q, uint64_t *dice)
{
	bool has[TOPS];
	int g2;

	for (int i = 0; i < TOPS; i++)
		has[i] = dice_below(dice, 3) > 0;
	has[TOP_U7] |= !has[TOP_G0] && !has[TOP_G2];
	if (has[TOP_G0]) {
		int g0 = add_node(q, dice, "g0", NOBODY, true);

		add_node(q, dice, "g0/u0", g0, false);
		add_node(q, dice, "g0/u1", g0, false);
	}
	if (has[TOP_G1])
		add_node(q, dice, "g1", NOBODY, false);
	if (has[TOP_G2]) {
		int g3;

		g2 = add_node(q, dice, "g2", NOBODY, true);
		add_node(q, dice, "g2/u4", g2, false);
		g3 = add_node(q, dice, "g2/g3", g2, true);
		add_node(q, dice, "g2/g3/u5", g3, false);
		add_node(q, dice, "g2/g3/u6", g3, false);
	}
	if (has[TOP_U7])
		add_node(q, dice, "u7", NOBODY, false);
	if (has[TOP_OTHERS])
		add_node(q, dice, "others", NOBODY, false);
}

static int roll_limit(uint64_t *dice, uint32_t one_in, uint32_t most)
{
	return dice_below(dice, one_in) == 0 ? 1 + (int)dice_below(dice, most) : NO_LIMIT;
}

static void roll_queue(struct site *s, int k, uint64_t *dice)
{
	static const double factors[] = { 0, 0.25, 0.7, 3, 11, 40 };
	struct queue *q = &s->queues[k];

	*q = (struct queue){ .priority = 10 * (1 + (int)dice_below(dice, 4)) };
	q->most = roll_limit(dice, 4, 8);
	q->user_most = roll_limit(dice, 4, 3);
	q->fair = dice_below(dice, 2) == 0;
	q->round = !q->fair && dice_below(dice, 3) == 0;
	for (int i = 0; i < 3; i++)
		q->own[i] = dice_below(dice, 3) > 0 ? NAN : factors[dice_below(dice, 6)];
	/* IBM LSF prints no priority without a load. */
	if (!s->volclava && q->own[2] <= 0)
		q->own[2] = 1.5;
	if (q->fair)
		roll_tree(q, dice);
}

static void roll_site(struct site *s, uint64_t seed)
{
	uint64_t dice = dice_stream(seed, 16);

	memset(s, 0, sizeof(*s));
	s->volclava = dice_below(&dice, 2) == 0;
	for (int i = 0; i < 3; i++)
		s->general[i] = dice_below(&dice, 2) ? NAN : 0.5 + dice_below(&dice, 100) / 8.0;
	for (int k = 0; k < QUEUES; k++)
		roll_queue(s, k, &dice);
	for (int u = 0; u < USERS; u++)
		s->user_most[u] = roll_limit(&dice, 6, 5);
	s->group_most = roll_limit(&dice, 3, 6);
	s->each_most = roll_limit(&dice, 3, 4);
	s->job_count = (int)dice_below(&dice, JOBS + 1);
	for (int i = 0; i < s->job_count; i++)
		s->jobs[i] = (struct job){ (int)dice_below(&dice, QUEUES),
					   (int)dice_below(&dice, USERS),
					   "PPPPPPPPHRRS"[dice_below(&dice, 12)] };
}

/* ---- the site as LSF prints it --------------------------------------------------------------- */

static void put(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + used, TEXT - used, format, ap);
	va_end(ap);
	assert_true(strlen(text) + 1 < TEXT);
}

static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *const factor_names[] = { "CPU_TIME_FACTOR", "RUN_TIME_FACTOR",
					    "RUN_JOB_FACTOR" };

static void write_params(const struct site *s, char *text)
{
	put(text, "Begin Parameters\nHIST_HOURS = 2\n");
	for (int i = 0; i < 3; i++) {
		if (!isnan(s->general[i]))
			put(text, "%s = %.4f\n", factor_names[i], s->general[i]);
	}
	put(text, "End Parameters\n");
}

static void write_queues(const struct site *s, char *text)
{
	for (int k = 0; k < QUEUES; k++) {
		const struct queue *q = &s->queues[k];

		put(text, "Begin Queue\nQUEUE_NAME = q%d\nPRIORITY = %d\n", k, q->priority);
		if (q->most < NO_LIMIT)
			put(text, "QJOB_LIMIT = %d\n", q->most);
		if (q->user_most < NO_LIMIT)
			put(text, "UJOB_LIMIT = %d\n", q->user_most);
		if (q->round)
			put(text, "ROUND_ROBIN_POLICY = Y\n");
		if (q->fair)
			put(text, "FAIRSHARE = USER_SHARES[");
		for (int i = 0; i < q->node_count; i++) {
			if (q->nodes[i].parent == NOBODY)
				put(text, "[%s, %d] ", q->nodes[i].path, q->nodes[i].shares);
		}
		put(text, q->fair ? "]\n" : "");
		for (int i = 0; i < 3 && q->fair; i++) {
			if (!isnan(q->own[i]))
				put(text, "%s = %.4f\n", factor_names[i], q->own[i]);
		}
		put(text, "End Queue\n");
	}
}

static void write_users(const struct site *s, char *text)
{
	put(text, "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
		  "g0 (u0 u1) ([u0, 1] [u1, 1])\ng1 (u2 u3 u7) ()\ng3 (u5 u6) ([u5, 1] [u6, 1])\n"
		  "g2 (u4 g3) ([u4, 1] [g3, 1])\nEnd UserGroup\n"
		  "Begin User\nUSER_NAME MAX_JOBS\n");
	for (int u = 0; u < USERS; u++) {
		if (s->user_most[u] < NO_LIMIT)
			put(text, "u%d %d\n", u, s->user_most[u]);
	}
	if (s->group_most < NO_LIMIT)
		put(text, "g0 %d\n", s->group_most);
	if (s->each_most < NO_LIMIT)
		put(text, "g1@ %d\n", s->each_most);
	put(text, "End User\n");
}

static void write_table(const struct queue *q, int k, int parent, char *text)
{
	put(text, "SHARE_INFO_FOR: q%d/%s%s\n"
		  "USER/GROUP SHARES PRIORITY STARTED CPU_TIME RUN_TIME\n", k,
	    parent == NOBODY ? "" : q->nodes[parent].path, parent == NOBODY ? "" : "/");
	for (int i = 0; i < q->node_count; i++) {
		const struct node *n = &q->nodes[i];

		if (n->parent == parent)
			put(text, " %s %d %.3f %d %.1f %d\n", last_of(n->path), n->shares,
			    n->priority, n->started, n->cpu, n->run);
	}
	put(text, "\n");
	for (int i = 0; i < q->node_count; i++) {
		if (q->nodes[i].parent == parent && q->nodes[i].inner)
			write_table(q, k, i, text);
	}
}

static void write_shares(const struct site *s, char *text)
{
	for (int k = 0; k < QUEUES; k++) {
		const struct queue *q = &s->queues[k];

		put(text, "QUEUE: q%d\n\nPARAMETERS/STATISTICS\nPRIO NICE STATUS MAX JL/U JL/P "
			  "JL/H NJOBS PEND RUN SSUSP USUSP RSV\n %d 0 Open:Active", k,
		    q->priority);
		put(text, q->most < NO_LIMIT ? " %d" : " -", q->most);
		put(text, q->user_most < NO_LIMIT ? " %d" : " -", q->user_most);
		put(text, " - - 0 0 0 0 0 0\n\n");
		if (q->fair)
			write_table(q, k, NOBODY, text);
		put(text, "USERS: all\nHOSTS: all\n\n");
	}
}

static void write_jobs(const struct site *s, char *text)
{
	static const char *const words[] = { ['P'] = "PEND", ['H'] = "PSUSP", ['R'] = "RUN",
					     ['S'] = "USUSP" };

	put(text, "JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n");
	for (int i = 0; i < s->job_count; i++) {
		const struct job *j = &s->jobs[i];

		put(text, "%d u%d %s q%d h %s n Nov 22 11:%02d\n", 100 + i, j->user,
		    words[(int)j->state], j->queue,
		    j->state == 'P' || j->state == 'H' ? "-" : "h", i);
	}
}

/* ---- the reference --------------------------------------------------------------------------- */

static double factor_of(const struct site *s, const struct queue *q, int which)
{
	static const double defaults[] = { 0.7, 0.7, 3.0 };

	if (which == 2 && s->volclava && !isnan(q->own[2]))
		return isnan(q->own[1]) ? -1 : q->own[1];
	if (!isnan(q->own[which]))
		return q->own[which];
	return isnan(s->general[which]) ? defaults[which] : s->general[which];
}

static double dynamic_priority(const struct site *s, const struct queue *q, const struct node *n)
{
	double load = n->cpu / 3600 * factor_of(s, q, 0) + n->run / 3600.0 * factor_of(s, q, 1) +
		      (n->started + 1) * factor_of(s, q, 2);

	if (s->volclava && load < 0.01)
		load = 0.01;
	return n->shares / load;
}

static void set_priorities(struct site *s)
{
	for (int k = 0; k < QUEUES; k++) {
		for (int i = 0; i < s->queues[k].node_count; i++)
			s->queues[k].nodes[i].priority = dynamic_priority(s, &s->queues[k],
									  &s->queues[k].nodes[i]);
	}
}

static int node_called(const struct queue *q, const char *path)
{
	for (int i = 0; i < q->node_count; i++) {
		if (strcmp(q->nodes[i].path, path) == 0)
			return i;
	}
	return NOBODY;
}

/* Returns whether NODE may be charged for a job of USER. */
static bool pays(const struct queue *q, int node, int user)
{
	static const char *const paths[USERS] = { "g0/u0", "g0/u1", "g1", "g1", "g2/u4",
						  "g2/g3/u5", "g2/g3/u6", "u7", "nobody" };
	int own = node_called(q, paths[user]), more = user == 7 ? node_called(q, "g1") : NOBODY;

	return own == NOBODY && more == NOBODY ? node == node_called(q, "others") :
						 node == own || node == more;
}

struct session {
	struct site *s;
	int in_queue[QUEUES], of_user[QUEUES][USERS], users[USERS], running[USERS];
	bool done[JOBS];
	int order[JOBS], count;
};

static bool start(struct session *x, int i)
{
	const struct site *s = x->s;
	int u = s->jobs[i].user, k = s->jobs[i].queue;

	if (s->jobs[i].state == 'H')
		return false;
	if (x->in_queue[k] >= s->queues[k].most || x->of_user[k][u] >= s->queues[k].user_most ||
	    x->users[u] >= s->user_most[u] ||
	    (u <= 1 && x->users[0] + x->users[1] >= s->group_most) ||
	    ((u == 2 || u == 3 || u == 7) && x->users[u] >= s->each_most))
		return false;
	x->in_queue[k]++;
	x->of_user[k][u]++;
	x->users[u]++;
	x->running[u]++;
	return true;
}

/* Held jobs are elected, too, but not started. */
static bool waits(const struct session *x, int k, int i)
{
	return x->s->jobs[i].queue == k && !x->done[i] &&
	       (x->s->jobs[i].state == 'P' || x->s->jobs[i].state == 'H');
}

/* Returns the job elected by the walk down from NODE of queue K, and its LEAF; or NOBODY. */
static int elected(const struct session *x, int k, int node, int *leaf)
{
	const struct queue *q = &x->s->queues[k];
	int best = NOBODY, job = NOBODY, at;

	if (node != NOBODY && !q->nodes[node].inner) {
		*leaf = node;
		for (int i = 0; i < x->s->job_count && !q->nodes[node].closed; i++) {
			if (waits(x, k, i) && pays(q, node, x->s->jobs[i].user))
				return i;
		}
		return NOBODY;
	}
	for (int i = 0; i < q->node_count; i++) {
		int own = q->nodes[i].parent == node ? elected(x, k, i, &at) : NOBODY;

		if (own == NOBODY ||
		    (best != NOBODY && (q->nodes[i].priority < q->nodes[best].priority ||
					(q->nodes[i].priority <= q->nodes[best].priority &&
					 own > job))))
			continue;
		best = i;
		job = own;
		*leaf = at;
	}
	return job;
}

/* mbd.fairshare.c, rmJobFromFSJobSet(): a user's last job closes the user's group. */
static void close_group(const struct session *x, int k, int user, struct node *n)
{
	bool left = false;

	for (int i = 0; i < x->s->job_count; i++)
		left |= waits(x, k, i) && x->s->jobs[i].user == user;
	n->closed = x->s->volclava && !left && last_of(n->path)[0] != 'u';
}

static void take(struct session *x, int i)
{
	x->done[i] = true;
	if (x->s->jobs[i].state == 'P')
		x->order[x->count++] = 100 + i;
}

static void serve_fair(struct session *x, int k)
{
	struct queue *q = &x->s->queues[k];
	int node, i;

	while ((i = elected(x, k, NOBODY, &node)) != NOBODY) {
		take(x, i);
		close_group(x, k, x->s->jobs[i].user, &q->nodes[node]);
		if (!start(x, i))
			continue;
		for (; node != NOBODY; node = q->nodes[node].parent) {
			q->nodes[node].started++;
			q->nodes[node].priority = dynamic_priority(x->s, q, &q->nodes[node]);
		}
	}
	for (i = 0; i < x->s->job_count; i++) {
		if (waits(x, k, i)) {
			take(x, i);
			start(x, i);
		}
	}
}

/* Plain queues of one priority: in list order, then round robin. */
static void serve_plain(struct session *x, int priority)
{
	const struct site *s = x->s;
	int best;

	for (int i = 0; i < s->job_count; i++) {
		const struct queue *q = &s->queues[s->jobs[i].queue];

		if (s->jobs[i].state == 'P' && q->priority == priority && !q->fair && !q->round) {
			take(x, i);
			start(x, i);
		}
	}
	do {
		best = NOBODY;
		for (int i = 0; i < s->job_count; i++) {
			const struct queue *q = &s->queues[s->jobs[i].queue];

			if (s->jobs[i].state == 'P' && q->priority == priority && q->round &&
			    !x->done[i] &&
			    (best == NOBODY || x->running[s->jobs[i].user] <
						       x->running[s->jobs[best].user]))
				best = i;
		}
		if (best != NOBODY) {
			take(x, best);
			start(x, best);
		}
	} while (best != NOBODY);
}

static void refer(struct site *s, struct session *x)
{
	*x = (struct session){ .s = s };
	for (int i = 0; i < s->job_count; i++) {
		const struct job *j = &s->jobs[i];

		if (j->state != 'R' && j->state != 'S')
			continue;
		x->in_queue[j->queue]++;
		x->of_user[j->queue][j->user]++;
		x->users[j->user]++;
		x->running[j->user] += j->state == 'R';
	}
	for (int priority = 40; priority > 0; priority -= 10) {
		bool plain = false;

		for (int k = 0; k < QUEUES; k++) {
			if (s->queues[k].priority != priority)
				continue;
			if (s->queues[k].fair)
				serve_fair(x, k);
			else if (!plain)
				serve_plain(x, priority);
			plain |= !s->queues[k].fair;
		}
	}
}

/* ---- both ------------------------------------------------------------------------------------ */

static void check_priorities(const struct site *s, const struct model *m, uint64_t seed)
{
	char path[100];

	for (int k = 0; k < QUEUES; k++) {
		for (int i = 0; i < s->queues[k].node_count; i++) {
			const struct node *n = &s->queues[k].nodes[i];
			bool user = !n->inner && last_of(n->path)[0] == 'u';
			uint32_t row;
			double is;

			snprintf(path, sizeof(path), "/q%d/%s", k, n->path);
			if (user)
				*strrchr(path, '/') = ':';
			row = cluster_find_assoc(m->cluster, path, NULL);
			if (row == ROW_NONE)
				fail_msg("seed %u: no %s", (unsigned)seed, path);
			is = m->fs->own[LSF_OWN_PRIORITY][row];
			if (!(fabs(is - n->priority) <= 1e-9 * n->priority))
				fail_msg("seed %u: %s is %.17g, not %.17g", (unsigned)seed, path,
					 is, n->priority);
		}
	}
}

static void check_order(const struct session *x, const struct jobs *j, uint64_t seed,
			char texts[][TEXT])
{
	const struct cluster *c = j->model->cluster;
	bool same = (int)j->order->count == x->count;

	for (int i = 0; same && i < x->count; i++)
		same = (int)cluster_u32(c, F_JOB_ID, j->index->job[j->order->order[i]]) ==
		       x->order[i];
	if (same)
		return;
	for (int i = 0; i < 5; i++)
		print_message("%s\n", texts[i]);
	for (int i = 0; i < x->count; i++)
		print_message("%d/%d ", i < (int)j->order->count ?
			      (int)cluster_u32(c, F_JOB_ID,
					       j->index->job[j->order->order[i]]) : 0,
			      x->order[i]);
	fail_msg("seed %u: the order (ours/wanted) is another one", (unsigned)seed);
}

/* Returns true if the order depends on the rounding of printed CPU times. */
static bool check_seed(uint64_t seed)
{
	static char own[5][TEXT];
	static struct site site;
	const char *texts[LSF_KINDS] = { [LSF_PARAMS] = own[0], [LSF_QUEUES] = own[1],
					 [LSF_USERS] = own[2], [LSF_BQUEUES_R] = own[3],
					 [LSF_BJOBS_W] = own[4] };
	struct session x;
	struct cluster *c;
	struct model *m;
	struct jobs *j;
	bool tied;

	for (int i = 0; i < 5; i++)
		own[i][0] = '\0';
	roll_site(&site, seed);
	set_priorities(&site);
	texts[LSF_LSID] = site.volclava ? "volclava project 2.2, Nov 22 2026\n" :
					  "IBM Spectrum LSF Standard 10.1.0.9, Jan 1 2026\n";
	write_params(&site, own[0]);
	write_queues(&site, own[1]);
	write_users(&site, own[2]);
	write_shares(&site, own[3]);
	write_jobs(&site, own[4]);
	c = lsf_cluster(texts);
	m = model_new(c, NULL, NULL);
	j = jobs_new(m, NULL);
	if (m->algo->id == FS_LSF)
		check_priorities(&site, m, seed);
	refer(&site, &x);
	check_order(&x, j, seed, own);
	tied = j->order->problem[0] != '\0';
	if (tied)
		assert_non_null(strstr(j->order->problem, "equal in CPU_TIME as printed"));
	jobs_free(j);
	model_free(m);
	cluster_free(c);
	return tied;
}

static void test_generated(void **state)
{
	unsigned tied = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 4000; seed++)
		tied += check_seed(seed);
	print_message("%u of 4000 name equal siblings\n", tied);
	assert_in_range(tied, 1, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_generated) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
