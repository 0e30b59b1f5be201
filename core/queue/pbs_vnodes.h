/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_vnodes: the vnodes of a PBS: resources, queue, and the order in which they are tried.
 *
 * node_sort_key orders them: sort_priority, last_used_time, or the total, assigned or unused amount
 * of a resource; ties are in the server's order. Source: parse_config(), multi_node_sort(),
 * find_node_amount() of OpenPBS's scheduler.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_VNODES_H
#define FAIRTOP_CORE_QUEUE_PBS_VNODES_H

#include "core/cluster/idmap.h"
#include "core/queue/pbs_request.h"

struct pbs_vnodes {
	const struct cluster *c;
	uint32_t n, columns;		/* columns: those of the TRES */
	uint32_t *host;			/* per vnode: the first one of its host in the table */
	uint32_t *queue;		/* text of the queue it is dedicated to; 0 */
	uint32_t *like;			/* the first one in the table with the same resources */
	double *has;			/* vnodes times columns; HUGE_VAL: unlimited */
	bool *open, *opens;		/* jobs may begin now; may after running ones have ended */
	bool *stale;			/* or another scheduler's: in no host, no sum */
	bool many;			/* some host has several vnodes */
	bool queued;			/* some vnode is dedicated to a queue */
	uint32_t *order;		/* the order in which they are tried */
	/* Without stale ones: */
	uint32_t *first, *next;		/* of a host (index as in HOST), in that order; ROW_NONE */
	uint32_t *hosts, host_count;	/* numbers as in HOST, in the order they are tried */
	struct pbs_node_key *keys;
	uint32_t key_count;
	bool key_known;			/* false: they are in the server's order */
	bool moves;			/* the order changes when jobs begin: unused, assigned */
	struct idmap by_name;
};

/* C must outlive it. */
void pbs_vnodes_open(struct pbs_vnodes *v, const struct cluster *c);
void pbs_vnodes_free(struct pbs_vnodes *v);

/* Sorts ORDER again; LEFT: vnodes times STRIDE, what each has left of each column. */
void pbs_vnodes_sort(struct pbs_vnodes *v, const double *left, uint32_t stride);

/*
 * Sorts only HOSTS again, by sums over their vnodes: HAS and LEFT, hosts as in HOST times COLUMNS.
 * Ties keep the order of their first vnodes. Source: multi_nodepart_sort().
 */
void pbs_hosts_sort(struct pbs_vnodes *v, const double *has, const double *left);

/* The vnode of that name; v->n if there is none. */
uint32_t pbs_vnode_named(const struct pbs_vnodes *v, const char *name, size_t length);

/* The non-numeric value of NAME on vnode NODE: "red" of "color"; NULL. */
const char *pbs_vnode_word(const struct cluster *c, uint32_t node, const char *name, size_t length);

/* Does resource_unset_infinite list it? */
bool pbs_item_endless(const struct pbs_vnodes *v, const struct pbs_item *item);

/* Is the word that ITEM requests one of VNODE's? */
bool pbs_vnode_matches(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_item *item);

/* Would R have it exclusively, if placed there? And its whole host? */
bool pbs_vnode_excl(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r);
bool pbs_vnode_exclhost(const struct pbs_vnodes *v, uint32_t vnode, const struct pbs_request *r);

#endif
