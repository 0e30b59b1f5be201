/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/grouped.h"

#include <string.h>

#include "core/base/plural.h"

static struct class_choice choice_of(const struct session *s, const struct cluster *c,
				     enum grouped_apart apart)
{
	struct class_choice choice = class_choice_of(c);

	for (unsigned i = 0; s->options->rules && i < CLASS_RULES; i++) {
		if (strcmp(class_rules_names[i], s->options->rules) == 0)
			choice.rules = (enum class_rules)i;
	}
	choice.apart = choice.apart && apart == GROUPED_AS_SET;
	if (s->options->exclude)
		choice.exclude = s->options->exclude;
	return choice;
}

void grouped_base(struct session *s, enum grouped_apart apart, struct grouped *g)
{
	struct class_choice choice;

	if (!s->base_model)
		return;
	choice = choice_of(s, s->base, apart);
	g->base_jobs = jobs_new(s->base_model, NULL);
	g->base = classes_data_new(g->base_jobs, &choice, NULL, 0);
	classes_set_base(g->data, g->base);
}

static void tell_known(const struct classes_data *d)
{
	enum classes_known known = classes_known(d);

	if (known == CLASSES_AT_LEAST)
		remark("classes", "at least %u: groups separate classes, and the groups of jobs "
		       "are hidden from this user", (unsigned)d->classes->count);
	else if (known == CLASSES_VAGUE)
		remark("classes", "their number is unknown: groups separate classes, and the "
		       "group of %u %s is unknown", (unsigned)d->set->without_group,
		       plural(d->set->without_group, "job", "jobs"));
}

int grouped_new(struct session *s, enum grouped_apart apart, struct grouped *g)
{
	struct class_choice choice = choice_of(s, s->cluster, apart);
	char unknown[300];
	int status = session_model(s);

	if (status != 0)
		return status;
	g->jobs = session_jobs(s);
	session_tell_order(g->jobs);
	g->data = classes_data_new(g->jobs, &choice, unknown, sizeof(unknown));
	tell_known(g->data);
	if (s->options->format == REPORT_TABLE)
		classes_for_people(g->data);
	if (unknown[0])
		remark("--exclude", "no job asks for %s", unknown);
	return 0;
}

void grouped_free(struct grouped *g)
{
	classes_data_free(g->data);
	jobs_free(g->jobs);
	classes_data_free(g->base);
	jobs_free(g->base_jobs);
	*g = (struct grouped){ .jobs = NULL };
}
