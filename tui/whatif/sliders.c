/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/sliders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"
#include "tui/rows/state.h"
#include "tui/whatif/whatif_sets.h"

#define WEIGHT_MOST 4294967293.0

static double sliders_weight(const struct policy *p, unsigned i)
{
	return p->weight[i] == U32_UNKNOWN ? 0 : (double)p->weight[i];
}

/* The next "name=number" of a list like CPU=10,Mem=5; NULL at its end. */
static const char *next_tres(const char *at, char *name, size_t size, double *value)
{
	size_t length = strcspn(at, "=,");
	char *end;

	if (*at == '\0')
		return NULL;
	snprintf(name, size, "%.*s", (int)length, at);
	at += length;
	*value = 0;
	if (*at == '=') {
		*value = strtod(at + 1, &end);
		at = end + strcspn(end, ",");
	}
	return *at == ',' ? at + 1 : at;
}

static double tres_weight(const char *list, const char *wanted)
{
	char name[40];
	double value;

	while ((list = next_tres(list, name, sizeof(name), &value))) {
		if (strcasecmp(name, wanted) == 0)
			return value;
	}
	return 0;
}

/* Steps of 1, 2 or 5 times a power of ten. */
static double round_step(double x)
{
	double power;

	if (!(x > 1))
		return 1;
	power = pow(10, floor(log10(x)));
	return x / power >= 5 ? 5 * power : x / power >= 2 ? 2 * power : power;
}

static void sliders_add_tres(struct sliders *k, const struct policy *base, const struct policy *now)
{
	const char *at = now->weight_tres;
	char name[40];
	double value;
	int place = 0;

	while (k->count < SLIDERS_MAX && (at = next_tres(at, name, sizeof(name), &value))) {
		struct slider *slider = &k->at[k->count++];

		snprintf(slider->target, sizeof(slider->target), "weight.tres %s", name);
		snprintf(slider->label, sizeof(slider->label), "%s", name);
		slider->tres = place++;
		slider->now = value;
		slider->base = tres_weight(base->weight_tres, name);
	}
}

bool sliders_are_slurms(const struct app *a)
{
	const struct picture *picture = whatif_base(a);
	const char *kind = picture ? cluster_meta(picture->cluster)->kind : "";

	return picture && policy_scheduler_of(kind) == POLICY_OF_SLURM && strcmp(kind, "lsf") != 0;
}

void sliders_of(const struct app *a, struct sliders *k)
{
	const struct picture *picture = whatif_base(a);
	const struct policy *base, *now;
	struct policy *edited = NULL;

	memset(k, 0, sizeof(*k));
	if (!sliders_are_slurms(a))
		return;
	now = base = cluster_policy(picture->cluster);
	if (whatif_count(a) > 0) {
		/* The picture may be the base, or that of an earlier edit. */
		edited = mem_alloc(1, sizeof(*edited));
		whatif_policy(a->whatif->sets[a->whatif->set], base, edited);
		now = edited;
	}
	for (unsigned i = 0; i < PRIO_FACTORS; i++) {
		struct slider *slider = &k->at[k->count++];

		snprintf(slider->target, sizeof(slider->target), "%s", factor_info[i].edit);
		snprintf(slider->label, sizeof(slider->label), "%s", factor_info[i].name);
		slider->tres = -1;
		slider->base = sliders_weight(base, i);
		slider->now = sliders_weight(now, i);
	}
	sliders_add_tres(k, base, now);
	for (size_t i = 0; i < k->count; i++) {
		k->sum += k->at[i].now;
		k->base_sum += k->at[i].base;
	}
	k->step = round_step((k->base_sum > 0 ? k->base_sum : 10000) / 100);
	mem_free(edited);
}

void slider_edit(const struct sliders *k, size_t i, double now, char *buf, size_t size)
{

	now = now < 0 ? 0 : now > WEIGHT_MOST ? WEIGHT_MOST : now;
	if (k->at[i].tres < 0) {
		snprintf(buf, size, "%s = %.0f", k->at[i].target, now);
		return;
	}
	snprintf(buf, size, "weight.tres = ");
	for (size_t t = 0; t < k->count; t++) {
		if (k->at[t].tres >= 0)
			format_append(buf, size, "%s%s=%.10g", k->at[t].tres > 0 ? "," : "",
				      k->at[t].label, t == i ? now : k->at[t].now);
	}
}
