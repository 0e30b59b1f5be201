/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/views.h"

#include <stdio.h>

#include "tui/rows/look.h"
#include "tui/rows/overview.h"

/* ---- accounts ------------------------------------------------------------------------------ */

static struct list_data accounts_data(const struct app *a, struct picture *p)
{
	struct list_data data = {
		.view = accounts_view(p->model),
		.keys = p->assoc_keys,
		.ids = cluster_col_u32(p->cluster, F_ASSOC_ID),
	};

	(void)a;
	if (data.view.rows > 0) {
		data.parent = cluster_parent(p->cluster);
		data.span = cluster_span(p->cluster);
		data.depth = cluster_depth(p->cluster);
		data.cluster = p->cluster;
	}
	return data;
}

static const char *account_name(const struct picture *p, uint32_t row)
{
	return cluster_name(p->cluster, cluster_is_user(p->cluster, row) ? F_ASSOC_USER :
			    F_ASSOC_ACCOUNT, row);
}

static void look_at_accounts(struct sheet *sheet, const struct picture *p,
			     const struct list_data *data)
{
	look_accounts(sheet, p->cluster, p->model->algo->id);
	/* The worst is at the top. */
	if (p->model->algo->id != FS_LSF)
		look_order(sheet, sheet->ratio->name, sheet_over_is_large(sheet));
	if (sheet->list.now.keys || data->view.rows == 0)
		return;
	/* This picture adds a line that the page size does not include yet. */
	if (p->unshared.count > 0 && sheet->list.page > UNSHARED_ROWS)
		list_resize(&sheet->list, sheet->list.page - 1);
	look_by_need(sheet, data);
}

/* ---- jobs and classes ---------------------------------------------------------------------- */

static struct list_data jobs_data(const struct app *a, struct picture *p)
{
	struct class_choice choice = picture_choice(p->cluster, &a->class_pick);
	struct list_data data;
	struct queue *q;

	picture_make_queue(p);
	q = p->queue;
	q->jobs->terms_as = a->terms_as;
	if (!q->jobs->class_of)
		classes_tell_chosen(q->jobs, &choice);
	data = (struct list_data){ .view = jobs_view(q->jobs), .keys = q->job_keys,
				   .group_keys = q->group_keys, .groups = q->groups };
	if (q->groups > 0)
		data.group = q->group;
	data.sorted = q->jobs->order->order;
	data.sorted_count = q->jobs->order->count;
	data.sorted_by = column_find(queue_columns, queue_columns_count, "rank", 4);
	data.view.columns = queue_columns;
	data.view.column_count = queue_columns_count;
	return data;
}

static const char *views_job_name(const struct picture *p, uint32_t row)
{
	return p->queue->job_names[row];
}

static void look_at_jobs(struct sheet *sheet, const struct picture *p, const struct list_data *data)
{
	(void)data;
	look_jobs(sheet, p->queue);
	look_order(sheet, "rank", false);
}

/*
 * Groups them only if they were not yet: the rows on the screen are those of this grouping. Another
 * choice comes with another picture.
 */
static struct list_data classes_data(const struct app *a, struct picture *p)
{
	struct class_choice choice = picture_choice(p->cluster, &a->class_pick);

	picture_make_queue(p);
	if (!p->queue->classes)
		queue_free(queue_group(p->queue, &choice));
	p->queue->jobs->terms_as = a->terms_as;
	/* A class is what its jobs share, so it keeps its identity while they come and go. */
	return (struct list_data){ .view = classes_view(p->queue->classes),
				   .keys = classes_keys(p->queue->classes) };
}

static const char *views_class_name(const struct picture *p, uint32_t row)
{
	return p->queue->class_names[row];
}

static void look_at_classes(struct sheet *sheet, const struct picture *p,
			    const struct list_data *data)
{
	(void)p;
	(void)data;
	look_order(sheet, "waiting", true);
}

/* ---- pools --------------------------------------------------------------------------------- */

static struct list_data pools_data(const struct app *a, struct picture *p)
{
	app_make_pools(a, p);
	return (struct list_data){ .view = pools_view(p->pools), .keys = p->pool_keys };
}

static const char *pool_name(const struct picture *p, uint32_t row)
{
	return p->pool_names[row];
}

static const char *pools_problem(const struct picture *p)
{
	return p->pools_problem;
}

/* ---- policy -------------------------------------------------------------------------------- */

static struct list_data policy_data(const struct app *a, struct picture *p)
{
	(void)a;
	return (struct list_data){ .view = policy_view(&p->policy), .keys = p->policy_keys };
}

static const char *parameter_name(const struct picture *p, uint32_t row)
{
	return p->policy_names[row];
}

/* ---- clusters ------------------------------------------------------------------------------ */

static struct list_data clusters_data(const struct app *a, struct picture *p)
{
	(void)p;
	return overview_data(a);
}

/* ---- the table ----------------------------------------------------------------------------- */

const struct view_ops view_ops[VIEW_COUNT] = {
	[VIEW_ACCOUNTS] = {
		accounts_data, account_name, look_at_accounts,
		"This cluster has no associations: no account tree, no fair share.", NULL, NULL,
		"alice, or R>1.2 pending>0; Tab completes",
	},
	[VIEW_JOBS] = {
		jobs_data, views_job_name, look_at_jobs,
		"The queue is empty: no job is pending or running.",
		NULL, "reason", "alice, or state=PENDING age>1h; Tab completes",
	},
	[VIEW_POOLS] = {
		pools_data, pool_name, NULL,
		"This cluster has no queue pools. fairtop --pools FILE tries some.",
		pools_problem, NULL, "short, or pending>0 borrowed<0; Tab completes",
	},
	[VIEW_CLASSES] = {
		classes_data, views_class_name, look_at_classes,
		"No pending jobs: no classes.", NULL, "key",
		"alice, or waiting>10 reason=Priority; Tab completes",
	},
	[VIEW_POLICY] = {
		policy_data, parameter_name, NULL,
		"This cluster has no associations: no account tree, no fair share.", NULL,
		"meaning", "weight, or unit=points; Tab completes",
	},
	[VIEW_CLUSTERS] = {
		clusters_data, NULL, NULL, "No clusters.", NULL, "note",
		"alpha, or waiting>100 health=old; Tab completes",
	},
};

const char *app_row_name(const struct app *a, uint32_t row)
{
	if (a->overview)
		return a->overview->titles[row];
	return a->picture ? view_ops[a->view].name(a->picture, row) : "";
}

void app_row_path(const struct app *a, uint32_t row, char *buf, size_t size)
{
	if (a->view == VIEW_ACCOUNTS)
		cluster_path(a->picture->cluster, row, buf, size);
	else
		snprintf(buf, size, "%s", app_row_name(a, row));
}
