/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_vnodes: the vnodes of a PBS: what each has, whose it is, and in which order they are tried.
 *
 * node_sort_key orders them: sort_priority, last_used_time, or what a vnode has of a resource
 * (total), has given out (assigned) or has left (unused); ties are in the server's order. Source:
 * parse_config(), multi_node_sort(), find_node_amount() of OpenPBS's scheduler.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_VNODES_H
#define FAIRTOP_CORE_QUEUE_PBS_VNODES_H

#include "core/cluster/idmap.h"
#include "core/queue/pbs_request.h"

struct pbs_vnodes {
	const struct cluster *c;
	uint32_t n, columns;		/* columns: those of the TRES */
	uint32_t *host;			/* per vnode: the first one of its host in the table */
	uint32_t *queue;		/* text of the queue that it belongs to alone; 0 */
	uint32_t *like;			/* the first one in the table that has just the same */
	double *has;			/* vnodes times columns; HUGE_VAL endless */
	bool *open, *opens;		/* jobs may begin; may, once those that run have ended */
	bool *stale;			/* or another scheduler's: of no host, no sum */
	bool many;			/* some host has several vnodes */
	bool queued;			/* some vnode is a queue's */
	uint32_t *order;		/* as they are tried */
	/* Stale ones are of no host in: */
	uint32_t *first, *next;		/* of a host (index as in HOST), in that order; ROW_NONE */
	uint32_t *hosts, host_count;	/* numbers as in HOST, as they are tried */
	struct pbs_node_key *keys;
	uint32_t key_count;
	bool key_known;			/* else they are in the server's order */
	bool moves;			/* the order changes as jobs begin: unused, assigned */
	struct idmap by_name;
};

/* C must outlive it. */
void pbs_vnodes_open(struct pbs_vnodes *v, const struct cluster *c);
void pbs_vnodes_free(struct pbs_vnodes *v);

/* ORDER anew; LEFT: vnodes times STRIDE, what each has left of each column. */
void pbs_vnodes_sort(struct pbs_vnodes *v, const double *left, uint32_t stride);

/*
 * HOSTS alone anew, by sums over their vnodes: HAS and LEFT, hosts as in HOST times COLUMNS. Ties
 * are in the order of their first vnodes. Source: multi_nodepart_sort().
 */
void pbs_hosts_sort(struct pbs_vnodes *v, const double *has, const double *left);

/* The vnode of that name; v->n if there is none. */
uint32_t pbs_vnode_named(const struct pbs_vnodes *v, const char *name, size_t length);

/* What vnode NODE has of NAME if that is no amount: "red" of "color"; NULL. */
const char *pbs_vnode_word(const struct cluster *c, uint32_t node, const char *name, size_t length);

/* Does resource_unset_infinite name it? */
bool pbs_item_endless(const struct pbs_vnodes *v, const struct pbs_item *item);

/* Is the word that ITEM asks for one of VNODE's? */
bool pbs_vnode_matches(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_item *item);

/* Does R have it for itself, if it is placed there? And all of its host? */
bool pbs_vnode_excl(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r);
bool pbs_vnode_exclhost(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r);

#endif
