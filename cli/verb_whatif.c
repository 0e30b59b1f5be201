/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif: what edits change, and the commands that make them. */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/whatif/export.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"
#include "core/whatif/whatif_run.h"
#include "core/whatif/changes_list.h"
#include "tui/base/zone.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* "jobs_moved 0 -> 12; jain 0.9 -> 0.8; ..., 3 accounts or users change rank" */
static void whatif_effect_text(const struct changes_list *d, char *buf, size_t size)
{
	unsigned ranks = 0;

	(void)snprintf(buf, size, "expected effect:");
	for (uint32_t i = 0; i < d->count; i++) {
		const struct change *r = &d->rows[i];

		if (r->summary && !past_equal(r->was, r->is) && r->is.kind != VALUE_UNKNOWN)
			format_append(buf, size, " %s %.6g -> %.6g;", r->column,
				      past_number(r->was), past_number(r->is));
		ranks += !r->summary && strcmp(r->column, "rank") == 0 &&
			 text_get(d->texts, r->object)[0] == '/';
	}
	format_append(buf, size, "%s %u accounts or users change rank",
		      buf[strlen(buf) - 1] == ':' ? " no job moves," : "", ranks);
}

static int whatif_export(struct session *s, const struct changes_list *d)
{
	char effect[400];
	struct export_options options = { s->options->inverse, &zone_local, effect };
	struct err err = { .code = ERR_NONE };
	bool (*write)(const struct whatif *, const struct cluster *, const struct cluster *,
		      const struct export_options *, struct sink, struct err *) = export_slurm;

	if (policy_scheduler_of(cluster_meta(s->base)->kind) == POLICY_OF_LSF &&
	    strcmp(s->options->export_as, "lsf") != 0) {
		err_set(&err, ERR_INPUT, "--export %s: the cluster runs LSF (expected lsf)",
			s->options->export_as);
		return complain(&err);
	}
	if (strcmp(s->options->export_as, "pbs") == 0)
		write = export_pbs;
	else if (strcmp(s->options->export_as, "lsf") == 0)
		write = export_lsf;
	whatif_effect_text(d, effect, sizeof(effect));
	if (options.inverse)
		effect[0] = '\0';
	if (!write(s->whatif, s->base, s->cluster, &options, output_sink(&s->output), &err) ||
	    !output_finish(&s->output, &err))
		return complain(&err);
	return 0;
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* One set of edits, computed; NULL: not requested. */
struct computed {
	struct whatif *whatif;		/* of --beside; the first one belongs to the session */
	struct whatif_run *run;		/* likewise */
	struct jobs *jobs;		/* of the session's model */
	struct pools *pools;
	struct classes_data *classes;
	struct whatif_side side;
};

struct comparison {
	struct session *session;
	enum whatif_what what;
	const struct model *base_model;
	struct jobs *base_jobs;
	struct pools *base_pools;
	struct classes_data *base_classes;
	struct computed sets[WHATIF_SETS];
	size_t count;
};

static void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct computed *set = &c->sets[i];

		classes_data_free(set->classes);
		pools_free(set->pools);
		jobs_free(set->jobs);
		whatif_run_free(set->run);
		whatif_free(set->whatif);
	}
	classes_data_free(c->base_classes);
	pools_free(c->base_pools);
	jobs_free(c->base_jobs);
}

/* Computes pools or classes of one side, if requested. */
static bool groups_of(const struct comparison *c, const struct model *model,
		      const struct jobs *jobs, struct pools **pools, struct classes_data **classes,
		      struct err *err)
{
	struct class_choice choice = class_choice_of(model->cluster);

	if (c->what == WHATIF_POOLS)
		*pools = pools_new(model->cluster, NULL, false, &c->session->pool_past, err);
	if (c->what == WHATIF_CLASSES && jobs)
		*classes = classes_data_new(jobs, &choice, NULL, 0);
	return c->what != WHATIF_POOLS || *pools;
}

static bool add_side(struct comparison *c, struct computed *set, const char *name,
		     const struct model *model, const struct jobs *jobs, struct err *err)
{
	bool ok = groups_of(c, model, jobs, &set->pools, &set->classes, err);

	set->side = (struct whatif_side){ name, c->base_model, model, c->base_jobs, jobs,
					  c->base_pools, set->pools, c->base_classes,
					  set->classes };
	return ok;
}

static int compute_beside(struct comparison *c, struct computed *set)
{
	struct err err = { .code = ERR_NONE };

	zone_enter(cluster_meta(c->base_model->cluster)->zone);
	set->run = whatif_run_new(set->whatif, c->base_model, c->base_jobs, &err);
	zone_leave();
	if (set->run && whatif_check(set->whatif, &err) &&
	    add_side(c, set, set->whatif->name, set->run->model, set->run->jobs, &err))
		return 0;
	return complain_about(set->whatif->name, &err);
}

/* All sets start from the same base: raw usage if one of them needs it. */
static int compute_models(struct comparison *c, struct options *own)
{
	struct session *s = c->session;
	const struct cluster *base = s->base ? s->base : s->cluster;
	int status;

	for (size_t i = 0; i < c->count; i++) {
		if (whatif_needs_usage(c->sets[i].whatif, base) && own->model.base < 0)
			own->model.base = FS_BASE_USAGE;
	}
	s->options = own;
	status = session_model(s);
	c->base_model = s->base_model ? s->base_model : s->model;
	return status;
}

static int whatif_compute(struct comparison *c)
{
	struct session *s = c->session;
	size_t beside = c->count;
	struct err err = { .code = ERR_NONE };
	bool first = s->whatif || beside == 0;
	const char *name = s->whatif && s->whatif->name[0] ? s->whatif->name : "edits";
	int status = 0;

	if (cluster_rows(s->cluster, TABLE_JOB) > 0)
		c->base_jobs = jobs_new(c->base_model, NULL);
	if (!groups_of(c, c->base_model, c->base_jobs, &c->base_pools, &c->base_classes, &err))
		return complain_about(s->source->name, &err);
	if (first) {
		struct computed *set = &c->sets[c->count++];

		if (c->base_jobs)
			set->jobs = session_jobs(s);
		if (!add_side(c, set, name, s->model, set->jobs, &err))
			status = complain_about(s->source->name, &err);
	}
	for (size_t i = 0; status == 0 && i < beside; i++)
		status = compute_beside(c, &c->sets[i]);
	return status;
}

static const char awaits_text[] =
	"takes effect over time, not at once: add --set advance=14d, and --beside a file with "
	"only that; fairtop forecast draws the curve";

/* True, with a remark, if W (of file NAME or NULL) works only over time, so its rows are zeros. */
static bool verb_whatif_awaits(const struct whatif *w, const char *name)
{
	const struct whatif_entry *e = w ? whatif_awaits(w) : NULL;

	if (e)
		remark(name ? name : e->edit.target->name, "%s", awaits_text);
	return e != NULL;
}

/* The first set is that of --set and --what-if, if given. */
static struct changes_list *whatif_compare(const struct comparison *c, const struct options *o)
{
	struct changes_list *d = changes_list_new();
	bool changed = o->changed || (o->format == REPORT_TABLE && !o->all);
	size_t beside = o->beside_count;

	if (c->count > beside && !verb_whatif_awaits(c->session->whatif, NULL))
		changes_list_add(d, &c->sets[beside].side, c->what, changed);
	for (size_t i = 0; i < beside; i++)
		if (!verb_whatif_awaits(c->sets[i].whatif, c->sets[i].whatif->name))
			changes_list_add(d, &c->sets[i].side, c->what, changed);
	return d;
}

static enum whatif_what what_of(const struct options *o)
{
	static const char *const names[] = { [WHATIF_ACCOUNTS] = "accounts",
					     [WHATIF_JOBS] = "jobs", [WHATIF_POOLS] = "pools",
					     [WHATIF_CLASSES] = "classes" };

	for (size_t i = 0; o->view && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], o->view) == 0)
			return (enum whatif_what)i;
	}
	return WHATIF_ACCOUNTS;
}

static int whatif_answer(struct session *s, struct selection *selection)
{
	const struct options *o = s->options;
	struct options *own = mem_alloc(1, sizeof(*own));
	struct comparison c = { .session = s, .what = what_of(o) };
	struct report_extra extra = { "notes", NULL };
	struct changes_list *d;
	struct view view;
	int status = 0;

	*own = *o;
	for (size_t i = 0; status == 0 && i < o->beside_count; i++)
		status = edits_load_beside(o->beside[i], &c.sets[c.count++].whatif);
	if (status == 0)
		status = compute_models(&c, own);
	if (status == 0)
		status = whatif_compute(&c);
	if (status == 0) {
		d = whatif_compare(&c, own);
		view = whatif_view(d);
		extra.text = d->count == 0 && o->edit_count > 0 ? awaits_text : NULL;
		if (o->format == REPORT_TABLE && !o->export_as && d->count > 0 &&
		    c.base_model->tree->n > 0)
			output_text(&s->output, "jain, gini: how evenly R is spread over users; "
				    "jain 1, gini 0: all equal\n\n");
		if (o->export_as)
			status = whatif_export(s, d);
		else if (o->format != REPORT_TABLE || !extra.text)
			status = session_answer(s, &view, selection, &extra, extra.text ? 1 : 0);
		changes_list_free(d);
	}
	comparison_free(&c);
	s->options = o;
	mem_free(own);
	return status;
}

int verb_whatif(const struct options *o)
{
	struct view shape = verb_shape(VERB_WHATIF);
	enum whatif_what what = what_of(o);
	uint32_t known = what == WHATIF_JOBS || what == WHATIF_CLASSES ? NEED_KNOWN_JOBS : 0;
	struct err err = { .code = ERR_NONE };

	if (o->beside_count == 0)
		shape.column_count--;
	if (o->edit_count == 0 && (o->export_as || o->inverse)) {
		err_set(&err, ERR_INPUT, "--export: no edit given (expected --set or --what-if)");
		return complain(&err);
	}
	if (o->edit_count == 0 && o->beside_count == 0 && o->format == REPORT_TABLE) {
		err_set(&err, ERR_INPUT,
			"whatif: no edit given, so nothing would change (expected --set, "
			"--what-if or --beside; fairtop help edits)");
		return complain(&err);
	}
	if (o->beside_count > 0 && o->export_as) {
		err_set(&err, ERR_INPUT,
			"--export: only one set can be exported (expected no --beside)");
		return complain(&err);
	}
	return session_run(o, &shape, known | (NEED_ALL & ~(uint32_t)NEED_LICENSES), whatif_answer);
}
