/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/helper/load.h"

#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#include "adapters/slurm/helper/compat.h"
#include "core/base/mem.h"

#define LANES 2
#define TRIES_MOST 2

/* ---- the calls ----------------------------------------------------------------------------- */

/* The result of a call: 0 new, SLURM_NO_CHANGE_IN_DATA unchanged, else an errno. */
static int load_outcome(int rc)
{
	if (rc == SLURM_SUCCESS)
		return 0;
	return rc == SLURM_NO_CHANGE_IN_DATA ? rc : compat_errno();
}

/* Replaces the held message with NEW_MESSAGE, if the call returned one. */
#define LOAD_CONDITIONAL(held, call, release)                                  \
	do {                                                                   \
		__typeof__(held) fresh = NULL;                                 \
		time_t since = (held) ? (held)->last_update : 0;               \
		int result;                                                    \
									       \
		errno = 0;                                                     \
		result = load_outcome(call);                                        \
		if (result == 0 && fresh) {                                    \
			if (held)                                              \
				release(held);                                 \
			(held) = fresh;                                        \
		}                                                              \
		return result;                                                 \
	} while (0)

static int load_conf(struct load *l)
{
	LOAD_CONDITIONAL(l->conf, slurm_load_ctl_conf(since, &fresh), compat_free_conf);
}

static int helper_load_jobs(struct load *l)
{
	LOAD_CONDITIONAL(l->jobs, slurm_load_jobs(since, &fresh, SHOW_ALL | SHOW_DETAIL),
			 slurm_free_job_info_msg);
}

static int load_nodes(struct load *l)
{
	LOAD_CONDITIONAL(l->nodes, slurm_load_node(since, &fresh, SHOW_ALL | SHOW_MIXED),
			 slurm_free_node_info_msg);
}

static int load_partitions(struct load *l)
{
	LOAD_CONDITIONAL(l->partitions, slurm_load_partitions(since, &fresh, SHOW_ALL),
			 slurm_free_partition_info_msg);
}

static int load_reservations(struct load *l)
{
	LOAD_CONDITIONAL(l->reservations, slurm_load_reservations(since, &fresh),
			 slurm_free_reservation_info_msg);
}

static int load_licenses(struct load *l)
{
	LOAD_CONDITIONAL(l->licenses, slurm_load_licenses(since, &fresh, SHOW_ALL),
			 slurm_free_license_info_msg);
}

/* Optional: does not count as a change, nor as a failure. */
static int load_statistics(struct load *l)
{
	l->last_backfill = compat_last_backfill();
	return SLURM_NO_CHANGE_IN_DATA;
}

static void list_assocs(struct load *l)
{
	struct xlist *list = l->assocs ? l->assocs->assoc_list : NULL;
	struct listIterator *i;
	slurmdb_assoc_rec_t *assoc;
	uint32_t room = list ? (uint32_t)slurm_list_count(list) : 0;

	mem_free(l->assoc_rows);
	l->assoc_rows = mem_alloc(room, sizeof(slurmdb_assoc_rec_t *));
	l->assoc_count = 0;
	if (room == 0)
		return;
	i = slurm_list_iterator_create(list);
	while (l->assoc_count < room && (assoc = slurm_list_next(i)))
		l->assoc_rows[l->assoc_count++] = assoc;
	slurm_list_iterator_destroy(i);
}

static int load_assocs(struct load *l)
{
	assoc_mgr_info_request_msg_t request = { .flags = l->wanted_assoc_flags };
	assoc_mgr_info_msg_t *fresh = NULL;

	errno = 0;
	if (slurm_load_assoc_mgr_info(&request, &fresh) != SLURM_SUCCESS)
		return compat_errno();
	if (l->assocs)
		slurm_free_assoc_mgr_info_msg(l->assocs);
	l->assocs = fresh;
	l->assoc_flags = request.flags;
	list_assocs(l);
	return 0;
}

static int load_shares(struct load *l)
{
	return shares_load(&l->shares);
}

static int load_prio(struct load *l)
{
	priority_factors_response_msg_t *fresh = NULL;

	errno = 0;
	if (compat_load_job_prio(&fresh) != SLURM_SUCCESS)
		return compat_errno();
	if (l->prio)
		slurm_free_priority_factors_response_msg(l->prio);
	l->prio = fresh;
	return 0;
}

/* The big ones first, so that they overlap. */
static const struct {
	enum load_item item;
	int (*load)(struct load *l);
} calls[LOAD_ITEMS] = {
	{ LOAD_ASSOCS, load_assocs },
	{ LOAD_SHARES, load_shares },
	{ LOAD_JOBS, helper_load_jobs },
	{ LOAD_PRIO, load_prio },
	{ LOAD_CONF, load_conf },
	{ LOAD_NODES, load_nodes },
	{ LOAD_PARTITIONS, load_partitions },
	{ LOAD_RESERVATIONS, load_reservations },
	{ LOAD_LICENSES, load_licenses },
	{ LOAD_STATISTICS, load_statistics },
};

/* ---- one after the other, or two at a time ------------------------------------------------- */

struct lanes {
	struct load *load;
	atomic_uint next;		/* of calls[] */
	atomic_uint changed;
	atomic_bool stop;		/* slurmctld is in trouble: make no more calls */
};

/* Refusals caused by access rights, and a reply that is "malformed" for an empty list. */
static bool about_access(enum load_item item, int error)
{
	return error == ESLURM_ACCESS_DENIED || error == ESLURM_USER_ID_MISSING ||
	       item == LOAD_ASSOCS;
}

static void *run_lane(void *argument)
{
	struct lanes *lanes = argument;
	struct load *l = lanes->load;
	unsigned i;

	while ((i = atomic_fetch_add(&lanes->next, 1)) < LOAD_ITEMS) {
		enum load_item item = calls[i].item;
		int error;

		if (!(l->wanted & 1u << item))
			continue;
		if (atomic_load(&lanes->stop)) {
			l->errors[item] = ECANCELED;
			continue;
		}
		error = calls[i].load(l);
		if (error == 0)
			atomic_fetch_or(&lanes->changed, 1u << item);
		else if (error != SLURM_NO_CHANGE_IN_DATA)
			l->errors[item] = error;
		if (l->errors[item] != 0 && !about_access(item, error))
			atomic_store(&lanes->stop, true);
	}
	return NULL;
}

void load_run(struct load *l)
{
	struct lanes lanes = { .load = l };
	pthread_t threads[LANES - 1];
	unsigned started = 0, more = l->at_once ? LANES - 1 : 0;

	memset(l->errors, 0, sizeof(l->errors));
	while (started < more && pthread_create(&threads[started], NULL, run_lane, &lanes) == 0)
		started++;
	run_lane(&lanes);
	while (started > 0)
		pthread_join(threads[--started], NULL);
	l->changed |= atomic_load(&lanes.changed);
}

bool load_ping(struct err *err)
{
	int first = 0, controllers = compat_controllers();

	for (int dest = 0; dest < controllers; dest++) {
		int error = slurm_ping(dest);

		if (error == SLURM_SUCCESS)
			return true;
		if (dest == 0)
			first = error > 0 ? error : compat_errno();
	}
	return err_set(err, ERR_SOURCE, "slurmctld does not answer: %s", slurm_strerror(first));
}

/* ---- rights -------------------------------------------------------------------------------- */

static bool is_operator(const char *name)
{
	assoc_mgr_info_request_msg_t request = { .flags = ASSOC_MGR_INFO_FLAG_USERS };
	assoc_mgr_info_msg_t *message = NULL;
	struct listIterator *i;
	slurmdb_user_rec_t *u;
	bool found = false;

	request.user_list = slurm_list_create(NULL);
	slurm_list_append(request.user_list, (char *)(uintptr_t)name);
	if (slurm_load_assoc_mgr_info(&request, &message) == SLURM_SUCCESS && message->user_list) {
		i = slurm_list_iterator_create(message->user_list);
		while ((u = slurm_list_next(i)))
			found = found || (u->name && strcmp(u->name, name) == 0 &&
					  u->admin_level >= SLURMDB_ADMIN_OPERATOR);
		slurm_list_iterator_destroy(i);
	}
	if (message)
		slurm_free_assoc_mgr_info_msg(message);
	slurm_list_destroy(request.user_list);
	return found;
}

void load_rights(struct load *l)
{
	struct passwd entry, *user = NULL;
	char buffer[4096];

	l->sees_all_jobs = !(l->conf->private_data & PRIVATE_DATA_JOBS) || geteuid() == 0 ||
			   geteuid() == l->conf->slurm_user_id;
	if (l->sees_all_jobs || !(l->wanted & 1u << LOAD_JOBS))
		return;
	if (getpwuid_r(geteuid(), &entry, buffer, sizeof(buffer), &user) == 0 && user)
		l->sees_all_jobs = is_operator(user->pw_name);
}

/* ---- consistency --------------------------------------------------------------------------- */

static uint64_t load_truncated(long double usage)
{
	return usage > 0 ? (uint64_t)usage : 0;
}

/*
 * Shares and associations are two messages. If usage was decayed or charged between them, their raw
 * usages differ. Both have the same order.
 */
static bool is_consistent(const struct load *l)
{
	for (uint32_t row = 0; row < l->assoc_count && row < l->shares.count; row++) {
		const struct share_row *share = &l->shares.rows[row];
		const slurmdb_assoc_rec_t *assoc = l->assoc_rows[row];

		if (share->id != assoc->id)
			return true;
		if (assoc->usage && share->usage != load_truncated(assoc->usage->usage_raw))
			return false;
	}
	return true;
}

void load_again(struct load *l, uint32_t items)
{
	uint32_t wanted = l->wanted;
	int errors[LOAD_ITEMS];

	memcpy(errors, l->errors, sizeof(errors));
	l->wanted = items;
	load_run(l);
	l->wanted = wanted | items;
	for (int item = 0; item < LOAD_ITEMS; item++) {
		if (!(items & 1u << item))
			l->errors[item] = errors[item];
	}
}

void load_make_consistent(struct load *l)
{
	const uint32_t both = 1u << LOAD_ASSOCS | 1u << LOAD_SHARES;

	for (int i = 0; i < TRIES_MOST; i++) {
		if ((l->wanted & both) != both || l->errors[LOAD_ASSOCS] != 0 ||
		    l->errors[LOAD_SHARES] != 0 || is_consistent(l))
			return;
		load_again(l, both);
	}
}

void load_free(struct load *l)
{
	if (l->conf)
		compat_free_conf(l->conf);
	if (l->assocs)
		slurm_free_assoc_mgr_info_msg(l->assocs);
	mem_free(l->assoc_rows);
	shares_free(&l->shares);
	if (l->jobs)
		slurm_free_job_info_msg(l->jobs);
	if (l->prio)
		slurm_free_priority_factors_response_msg(l->prio);
	if (l->nodes)
		slurm_free_node_info_msg(l->nodes);
	if (l->partitions)
		slurm_free_partition_info_msg(l->partitions);
	if (l->reservations)
		slurm_free_reservation_info_msg(l->reservations);
	if (l->licenses)
		slurm_free_license_info_msg(l->licenses);
	memset(l, 0, sizeof(*l));
}
