/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two lines at the top: which cluster, by which policy, how old, how busy; and whatever makes
 * this screen differ from "everything, now".
 *
 * Times are coarse on purpose: a screen that counts seconds is restless, and wakes the machine for
 * nothing.
 */
#include "tui/screen/draw.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/share/decay_policy.h"
#include "tui/base/coarse.h"
#include "tui/base/zone.h"
#include "tui/panes/backtests.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_alarms.h"
#include "tui/panes/pane_source.h"
#include "tui/panes/pane_whatif.h"
#include "tui/screen/hints.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"

#define DAY 86400
#define ASKED_SHOWN 76		/* narrower: only the box of ! says when it is read again */
#define BACKTEST_NAMED 12	/* columns of its name, and of its first three letters */
#define BACKTEST_SHORT 7
#define VIEWS_NAMED 50		/* those of the other views, and of three letters each */
#define VIEWS_SHORT 35
#define VIEWS_AND_AGE 80	/* narrower: view names give way to the source's name */
#define NODES_NAMED 100
#define WEIGHTS_TITLED 64	/* narrower: no title, only the weights */
#define SUMS_LEAST 30		/* cells for the sums, which have priority over the algorithm */

/* ---- times --------------------------------------------------------------------------------- */

/* A parameter's duration without its zeros: "7 d", "36 h", "90 s". */
static void header_duration(int64_t seconds, char *buf, size_t size)
{
	if (seconds > 0 && seconds % DAY == 0)
		snprintf(buf, size, "%lld d", (long long)(seconds / DAY));
	else if (seconds > 0 && seconds % 3600 == 0)
		snprintf(buf, size, "%lld h", (long long)(seconds / 3600));
	else if (seconds > 0 && seconds % 60 == 0)
		snprintf(buf, size, "%lld min", (long long)(seconds / 60));
	else
		snprintf(buf, size, "%lld s", (long long)seconds);
}

/* Seconds until the next decay pass; I64_UNKNOWN if unknown or there is none. */
static int64_t until_pass(const struct app *a)
{
	const struct cluster_meta *meta = cluster_meta(a->picture->cluster);
	int64_t arrived_ms = whatif_base(a)->arrived_ms, since;
	int64_t period = decay_period(a->picture->cluster);
	double rate = whatif_base(a)->rate;

	if (meta->last_decay == I64_UNKNOWN || period == I64_UNKNOWN ||
	    a->source.health == SOURCE_ENDED || travel_past(a))
		return I64_UNKNOWN;
	/* The cluster's clock may differ from the local one. */
	since = a->now - meta->last_decay;
	if (arrived_ms >= 0)
		since = meta->time - meta->last_decay +
			(int64_t)(rate * (double)((a->ms - arrived_ms) / 1000));
	if (since < 0)
		return I64_UNKNOWN;
	return (int64_t)((double)(period - since % period) / rate);
}

/* A demo has its own clock, so its times have no age. */
static bool has_age(const struct app *a)
{
	return a->travel->recorded && a->picture &&
	       strcmp(cluster_meta(a->picture->cluster)->kind, "demo") != 0;
}

/* For a file that is still written, the age is that of the last picture. */
static int64_t header_age(const struct app *a)
{
	int64_t first, last;

	if (has_age(a) && timeline_range(&a->travel->line, &first, &last))
		return a->now > last ? a->now - last : 0;
	return a->source.last_good_ms < 0 ? I64_UNKNOWN : (a->ms - a->source.last_good_ms) / 1000;
}

/* Whether the data is late or wrong; then the time of the next request is shown. */
static bool header_overdue(const struct app *a)
{
	return a->source.live && a->source.health != SOURCE_ENDED &&
	       (a->source.problem[0] != '\0' ||
		(header_age(a) != I64_UNKNOWN && header_age(a) >= 10 &&
		 header_age(a) * 1000 > app_every_ms(a)));
}

int64_t header_next_ms(const struct app *a)
{
	int64_t next = -1, left, changes;
	char ignored[32];

	if (!a->picture)
		return -1;
	if (a->source.health != SOURCE_ENDED && header_age(a) != I64_UNKNOWN) {
		changes = coarse(header_age(a), "", ignored, sizeof(ignored));
		next = has_age(a) ? a->ms + changes * 1000 :
		       a->source.last_good_ms + (header_age(a) + changes) * 1000;
	}
	left = header_overdue(a) || a->pane.ops == &source_pane ? source_until_asked(a) :
								  I64_UNKNOWN;
	for (int i = 0; i < 2; i++) {
		if (left != I64_UNKNOWN) {
			changes = coarse_left(left, ignored, sizeof(ignored));
			if (next < 0 || a->ms + changes * 1000 < next)
				next = a->ms + changes * 1000;
		}
		left = until_pass(a);
	}
	return next;
}

/* ---- pieces -------------------------------------------------------------------------------- */

/* Pieces are added from the left while they fit; each ends with two blanks. */
struct header_line {
	struct canvas *c;
	int x, y, end;
};

static void header_piece(struct header_line *l, enum role label_role, const char *label,
			 enum role role, const char *value)
{
	int width = canvas_text_width(l->c, label) + canvas_text_width(l->c, value);

	if (label[0] != '\0' && value[0] != '\0')
		width++;
	if (l->x + width > l->end || width == 0)
		return;
	l->x += canvas_put(l->c, l->x, l->y, width, label_role, label);
	if (label[0] != '\0' && value[0] != '\0')
		l->x++;
	l->x += canvas_name(l->c, l->x, l->y, l->end - l->x, role, value) + 2;
}

/* The same for an essential piece: it is cut if it does not fit. */
static void cut_piece(struct header_line *l, const char *label, enum role role, const char *value)
{
	int space = l->end - l->x, used = canvas_text_width(l->c, label);

	if (used + 1 + canvas_text_width(l->c, value) <= space || space < used + 10) {
		header_piece(l, ROLE_ACCENT, label, role, value);
		return;
	}
	if (used > 0)
		l->x += canvas_put(l->c, l->x, l->y, space, ROLE_ACCENT, label) + 1;
	l->x += canvas_name(l->c, l->x, l->y, l->end - l->x, role, value) + 2;
}

/* Words of PriorityFlags that change the numbers, except the one for the algorithm. */
static void flag_words(const struct app *a, char *buf, size_t size)
{
	const struct policy *p = cluster_policy(a->picture->cluster);

	buf[0] = '\0';
	for (size_t i = 0; i < policy_flags_count; i++) {
		uint32_t bit = policy_flags[i].bit;
		if ((p->flags & bit) == 0 || bit == PF_DEPTH_OBLIVIOUS || bit == PF_NO_FAIR_TREE)
			continue;
		format_append(buf, size, "%s%s", buf[0] != '\0' ? "," : "", policy_flags[i].name);
	}
}

static enum role health_role(const struct app *a)
{
	if (a->source.health == SOURCE_STALE)
		return ROLE_ERROR;
	return a->source.health == SOURCE_LOADING ? ROLE_WARN : ROLE_GOOD;
}

/*
 * "now", "stale 20 min, next request in 30 s", "no answer", or the date of a picture that will not
 * change. For the past only problems: its time is in a badge.
 */
static void source_when(const struct app *a, char *buf, size_t size)
{
	struct column time = { .format = COLUMN_TIME };
	struct value v = { .kind = VALUE_INT };
	char when[64];

	buf[0] = '\0';
	switch (a->source.health) {
	case SOURCE_LOADING:
		snprintf(buf, size, "%s", a->source.problem[0] != '\0' ? "no answer" : "asking");
		break;
	case SOURCE_ENDED:
		if (!a->picture)
			break;
		v.integer = cluster_meta(a->picture->cluster)->time;
		format_cell(&time, &v, &zone_local, buf, size);
		break;
	case SOURCE_GOOD:
	case SOURCE_STALE:
		if (a->source.health == SOURCE_GOOD && travel_past(a))
			break;
		coarse(header_age(a), "now", when, sizeof(when));
		snprintf(buf, size, "%s%s", a->source.health == SOURCE_STALE ? "stale " : "", when);
		break;
	}
}

/* The back-test is listed with the views if there is a past to use. */
static bool has_backtest(const struct app *a)
{
	return a->travel->recorded || a->pane.ops == &backtest_pane;
}

/* Columns of all views; names are cut if they do not fit, the back-test's first. */
enum views_cut { CUT_NONE, CUT_BACKTEST, CUT_ALL, CUT_MORE };

static int views_space(const struct app *a, enum views_cut cut)
{
	return (cut < CUT_ALL ? VIEWS_NAMED : VIEWS_SHORT) +
	       (!has_backtest(a) ? 0 : cut == CUT_NONE ? BACKTEST_NAMED : BACKTEST_SHORT);
}

static enum views_cut views_cut(const struct app *a, int space)
{
	enum views_cut cut = CUT_NONE;

	while (cut < CUT_MORE && space < views_space(a, cut))
		cut++;
	return cut;
}

/*
 * Draws the source's name and age, right-aligned; a long name must not hide the policy. Returns
 * where it begins; NAMED: whether the name is shown.
 */
static int draw_source(const struct app *a, struct canvas *c, bool *named)
{
	char when[80], asked[64] = "", name[4 * sizeof(a->source.name)];
	int space = !a->picture ? c->width / 2 : c->width / 5, x, width;
	enum views_cut beside;

	source_when(a, when, sizeof(when));
	if (header_overdue(a) && c->width >= ASKED_SHOWN)
		source_asked(a, asked, sizeof(asked));
	if (asked[0] != '\0')
		format_append(when, sizeof(when), ", %.40s", asked);
	x = c->width - 1 - canvas_text_width(c, when);
	canvas_put(c, x, 0, c->width, health_role(a), when);
	visible_copy(name, sizeof(name), a->source.name, strlen(a->source.name));
	width = canvas_text_width(c, name);
	if (width > space)
		width = space;
	/* Words for the views are more important than the source's name, which its box (!) has. */
	beside = views_cut(a, x - width - 5);
	if (a->picture && (beside == CUT_MORE ||
	    (c->width >= VIEWS_AND_AGE && beside > views_cut(a, x - 3)))) {
		*named = false;
		return x - 2;
	}
	*named = true;
	x -= width + 2;
	canvas_name_end(c, x, 0, width, health_role(a), a->source.name);
	return x - 2;
}

static bool header_is_lsf(const struct cluster *c)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
}

/* How usage decays: stepwise by a factor (PBS), or continuously (Slurm). */
static void header_draw_decay(const struct cluster *c, struct header_line *l)
{
	const struct policy *policy = cluster_policy(c);
	char every[64], text[128];

	if (policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS) {
		if (policy_hides(policy, "fairshare_decay_time")) {
			header_piece(l, ROLE_LABEL, "decay", ROLE_DIM, "-");
			return;
		}
		header_duration(policy->fairshare_decay_time, every, sizeof(every));
		snprintf(text, sizeof(text), "%s every %s", policy->fairshare_decay_factor, every);
		header_piece(l, ROLE_LABEL, "decay", ROLE_VALUE, text);
		return;
	}
	if (policy_hides(policy, "PriorityDecayHalfLife")) {
		header_piece(l, ROLE_LABEL, "half-life", ROLE_DIM, "-");
		return;
	}
	header_duration(policy->half_life, text, sizeof(text));
	header_piece(l, ROLE_LABEL, "half-life", ROLE_VALUE, policy->half_life > 0 ? text : "none");
}

/* A view, in brackets if it is OPEN; a click on its name acts like its key. */
static void draw_view(const struct app *a, struct header_line *l, const char *command, int letters,
		      bool open)
{
	char key[32], name[16], text[64];

	keymap_titles(&a->keymap, a->view, command, l->c->ascii, 1, key, sizeof(key));
	snprintf(name, sizeof(name), "%.*s", letters, command);
	name[0] = (char)toupper((unsigned char)name[0]);
	snprintf(text, sizeof(text), "%s%s%s%s%s", open ? "[" : " ", key, key[0] != '\0' ? " " : "",
		 name, open ? "]" : " ");
	hints_add(a->hints, l->x - 1, l->y, (int)strlen(text), command);
	canvas_put(l->c, l->x - 1, l->y, l->end - l->x, open ? ROLE_ACCENT : ROLE_HINT, text);
	if (!open)
		canvas_role(l->c, l->x, l->y, (int)strlen(key), ROLE_KEY);
	l->x += canvas_text_width(l->c, text);
}

static void draw_views(const struct app *a, struct header_line *l)
{
	bool tests = a->pane.ops == &backtest_pane;
	enum views_cut cut = views_cut(a, l->end - l->x);
	int letters = cut < CUT_ALL ? 15 : cut == CUT_ALL ? 3 : 2;

	for (int view = 0; view < VIEW_CLUSTERS; view++)
		draw_view(a, l, view_names[view], letters, view == (int)a->view && !tests);
	if (has_backtest(a))
		draw_view(a, l, "backtest", cut == CUT_BACKTEST ? 3 : letters, tests);
	l->x++;
}

/* Pools and user fair share are properties of LSF's queues. */
static const char *algorithm_title(const struct picture *p)
{
	if (!header_is_lsf(p->cluster))
		return p->model->algo->title;
	return cluster_rows(p->cluster, TABLE_ASSOC) > 0 ? "fair share of queues" :
							   "queue-based fair share";
}

/*
 * NAMED: the line already has the source's name, so a cluster of the same name is not repeated.
 * False if the algorithm, and so anything after it, does not fit.
 */
static bool draw_rules(const struct app *a, struct header_line *l, bool named)
{
	const struct picture *p = a->picture;
	const struct policy *policy = cluster_policy(p->cluster);
	const char *name = cluster_meta(p->cluster)->name;
	static const char hist[] = "HIST_HOURS";
	int64_t left = until_pass(a);
	char text[256];
	int from;

	if (!named || strcmp(name, a->source.name) != 0)
		header_piece(l, ROLE_LABEL, "", ROLE_ACCENT, name[0] != '\0' ? name : "cluster");
	from = l->x;
	header_piece(l, ROLE_LABEL, "", ROLE_VALUE, algorithm_title(p));
	if (l->x == from)
		return false;
	/* It has no passes. */
	if (header_is_lsf(p->cluster)) {
		policy_value_text(policy, policy_param(hist), text, sizeof(text));
		header_piece(l, ROLE_LABEL, hist, ROLE_VALUE, text);
		header_piece(l, ROLE_LABEL, "", ROLE_LABEL, cluster_meta(p->cluster)->version);
		return true;
	}
	header_draw_decay(p->cluster, l);
	if (left != I64_UNKNOWN) {
		coarse(left, "now", text, sizeof(text));
		header_piece(l, ROLE_LABEL, "next pass", ROLE_VALUE, text);
	} else if (a->source.health != SOURCE_ENDED && !travel_past(a)) {
		header_piece(l, ROLE_LABEL, "next pass", ROLE_DIM, "-");
	}
	if (policy->damping != 1) {
		snprintf(text, sizeof(text), "%u", policy->damping);
		header_piece(l, ROLE_LABEL, "damping", ROLE_VALUE, text);
	}
	flag_words(a, text, sizeof(text));
	header_piece(l, ROLE_LABEL, "", ROLE_LABEL, text);
	return true;
}

/* ---- second line --------------------------------------------------------------------------- */

static double header_known(uint32_t number)
{
	return number == U32_UNKNOWN ? F64_UNKNOWN : number;
}

static void header_used_of(struct header_line *l, const char *label, double used, double total)
{
	char text[80], one[32], all[32];

	format_grouped(used, one, sizeof(one));
	format_grouped(total, all, sizeof(all));
	if (f64_known(total))
		snprintf(text, sizeof(text), "%s/%s", one, all);
	else
		snprintf(text, sizeof(text), "-");
	header_piece(l, ROLE_LABEL, label, f64_known(total) ? ROLE_VALUE : ROLE_DIM, text);
}

static void header_counted(struct header_line *l, const char *label, uint32_t number)
{
	char text[32];

	format_grouped(header_known(number), text, sizeof(text));
	header_piece(l, ROLE_LABEL, label, number == U32_UNKNOWN ? ROLE_DIM : ROLE_VALUE, text);
}

static void header_badge(struct header_line *l, const char *text)
{
	char safe[64], padded[80];

	visible_copy(safe, sizeof(safe), text, strlen(text));
	snprintf(padded, sizeof(padded), " %s ", safe);
	int width = canvas_text_width(l->c, padded);
	if (l->end - width < l->x)
		return;
	l->end -= width;
	canvas_put(l->c, l->end, l->y, width, ROLE_BADGE, padded);
	l->end--;
}

/* That this is not the present, and which time it is. */
static void past_badges(const struct app *a, struct header_line *l)
{
	char when[32], text[48];

	if (!a->picture || !travel_past(a))
		return;
	travel_name(travel_time(a), false, when, sizeof(when));
	snprintf(text, sizeof(text), "%s %s", a->travel->simulated && !whatif_waits(a) ?
		 "SIMULATED" : "PAST", when);
	header_badge(l, text);
	if (a->travel->speed == 0)
		return;
	travel_spell(a->travel->speed, when, sizeof(when));
	snprintf(text, sizeof(text), "PLAY %s/s", when);
	header_badge(l, text);
}

/* The number of edits, and of those not applied, for instance because an object is gone. */
static void what_if_badge(const struct app *a, struct header_line *l)
{
	uint32_t edits = whatif_count(a), void_edits = whatif_void(a);
	char text[80], not_made[40] = "";

	if (edits == 0)
		return;
	if (void_edits > 0)
		snprintf(not_made, sizeof(not_made), ", %u NOT MADE", void_edits);
	snprintf(text, sizeof(text), a->whatif->flipped ? "BASE, WHAT-IF %u %s%s OFF%s" :
		 "WHAT-IF %u %s%s%s", edits, edits == 1 ? "edit" : "edits", not_made,
		 whatif_waits(a) ? ", COMPUTING" : "");
	header_badge(l, text);
}

/* The source's box shows the number of printed digits: they are not missing data. */
static bool partly_unknown(const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_notes(c); i++) {
		if (strcmp(cluster_note(c, i).subject, "precision") != 0)
			return true;
	}
	return false;
}

/* Whether fair share has no effect here. Views that say so themselves need no badge. */
static bool is_basic(const struct app *a)
{
	return a->view == VIEW_ACCOUNTS && a->picture &&
	       policy_scheduler_of(cluster_meta(a->picture->cluster)->kind) == POLICY_OF_SLURM &&
	       !policy_is_multifactor(cluster_policy(a->picture->cluster));
}

/* The options that the shown picture was made with. */
static void model_badges(const struct app *a, struct header_line *l)
{
	const struct model_options *o = a->picture ? &whatif_base(a)->options : NULL;

	if (o && o->base >= 0)
		header_badge(l, o->base == FS_BASE_USAGE ? "FROM RAW USAGE" :
							   "FROM REPORTED USAGE");
	if (o && o->algorithm >= 0 &&
	    o->algorithm != (int)fs_algorithm_of_cluster(a->picture->cluster))
		header_badge(l, "OTHER ALGORITHM");
}

/* Adds from the right what makes this screen differ from "everything, now". */
static void header_badges(const struct app *a, struct header_line *l)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct queue *q = a->picture ? a->picture->queue : NULL;
	char text[80];

	past_badges(a, l);
	if (alarms_on(a) > 0) {
		snprintf(text, sizeof(text), "%zu ALARM%s", alarms_on(a),
			 alarms_on(a) == 1 ? "" : "S");
		header_badge(l, text);
		hints_add(a->hints, l->end + 1, l->y, canvas_text_width(l->c, text) + 2, "alarms");
	}
	what_if_badge(a, l);
	if (a->frozen)
		header_badge(l, "FROZEN");
	if (a->picture && cluster_hides_jobs(a->picture->cluster))
		header_badge(l, "OTHER USERS' JOBS HIDDEN: !");
	else if (a->picture && partly_unknown(a->picture->cluster))
		header_badge(l, "PARTLY UNKNOWN: !");
	if (is_basic(a))
		header_badge(l, "PRIORITY/BASIC: NOTHING COUNTS");
	model_badges(a, l);
	if (a->mine && (a->view == VIEW_ACCOUNTS || a->view == VIEW_JOBS))
		header_badge(l, "MINE");
	if (a->filter_text[a->view][0] != '\0') {
		snprintf(text, sizeof(text), "%s %.40s",
			 filter_held(sheet->list.filter, NULL) ? "FILTER" : "FILTER GAVE UP ON",
			 a->filter_text[a->view]);
		header_badge(l, text);
	}
	if (a->class_pick.chosen && a->view == VIEW_CLASSES && q && q->choice.apart)
		header_badge(l, "CLASSES OFF");
	if (a->class_pick.chosen && a->view == VIEW_CLASSES && q && q->exclude && q->exclude[0]) {
		snprintf(text, sizeof(text), "WITHOUT %.40s", q->exclude);
		header_badge(l, text);
	}
	if (sheet->list.flat)
		header_badge(l, "FLAT");
	if (a->follow && a->view == a->follow_view)
		header_badge(l, "FOLLOW");
}

/* Ends the line with a sign for further pieces that do not fit. */
static void put_more(struct header_line *l)
{
	int x = l->x < l->end ? l->x : l->end - 1;

	if (x >= l->x - 1)
		canvas_put(l->c, x, l->y, 1, ROLE_DIM, l->c->ascii ? ">" : "…");
	l->end = l->x - 2;	/* nothing fits after it */
}

/* The reasons of pending jobs, most frequent first; a click filters by one, or shows all again. */
static void draw_waits(const struct app *a, struct header_line *l)
{
	const struct queue *q = a->picture->queue;
	uint32_t left[REASON_KINDS];
	char text[64];

	if (!cluster_knows_jobs(a->picture->cluster, NULL)) {
		header_piece(l, ROLE_LABEL, "pending", ROLE_VALUE, "unknown");
		return;
	}
	snprintf(text, sizeof(text), "%s",
		 cluster_hides_jobs(a->picture->cluster) ? "at least " : "");
	format_grouped(q->waiting, text + strlen(text), sizeof(text) - strlen(text) - 1);
	format_append(text, sizeof(text), "%s", q->waiting > 0 ? ":" : "");
	header_piece(l, ROLE_LABEL, "pending", ROLE_VALUE, text);
	l->x -= q->waiting > 0;
	memcpy(left, q->waits, sizeof(left));
	for (;;) {
		int most = 0, from = l->x;
		const struct reason_kind *kind;

		for (int i = 1; i < REASON_KINDS - 1; i++)
			most = left[i] > left[most] ? i : most;
		if (left[most] == 0)
			most = REASON_KINDS - 1;	/* the last one is for all others */
		if (left[most] == 0)
			break;
		kind = &reason_kinds[most];
		bool on = a->view == VIEW_JOBS &&
			  strcmp(a->filter_text[VIEW_JOBS], kind->filter) == 0;
		format_grouped(left[most], text, sizeof(text));
		header_piece(l, on ? ROLE_ACCENT : ROLE_LABEL, kind->word, ROLE_VALUE, text);
		if (l->x == from) {
			put_more(l);
			break;
		}
		if (a->view == VIEW_JOBS)
			hints_add(a->hints, from, l->y, l->x - from - 2, on ? "filter \"\"" :
				  kind->command);
		left[most] = 0;
	}
}

static void header_draw_sums(const struct app *a, struct header_line *l)
{
	const struct summary *s = &a->picture->summary;

	bool lsf = header_is_lsf(a->picture->cluster);

	if (l->c->width >= NODES_NAMED)
		header_used_of(l, lsf ? "hosts" : "nodes", header_known(s->nodes_used),
			       header_known(s->nodes));
	header_used_of(l, lsf ? "slots" : "CPUs", s->cpus_used, s->cpus);
	if (cluster_knows_jobs(a->picture->cluster, NULL))
		header_counted(l, "running", s->running);
	if (a->picture->queue)
		draw_waits(a, l);
	else
		header_counted(l, "pending", s->pending);
	header_counted(l, "accounts", s->accounts);
	header_counted(l, "users", s->users);
}

/*
 * The sign of a term in the bars of the jobs, as a legend before a piece of SPACE cells. False if
 * both do not fit.
 */
static bool part_sign(const struct app *a, struct header_line *l, enum queue_part part, int space)
{
	const struct queue_part_info *info = &queue_parts[part];

	if (a->view != VIEW_JOBS)
		return true;
	if (l->x + 2 + space > l->end)
		return false;
	l->x += canvas_put(l->c, l->x, l->y, 2, info->role, info->sign[l->c->ascii]) + 1;
	return true;
}

/* The savings in a scheduling cycle. */
static void draw_saving(const struct app *a, struct header_line *l)
{
	static const char *const labels[] = { [CLASSES_ALL] = "classes",
					      [CLASSES_AT_LEAST] = "classes, at least",
					      [CLASSES_VAGUE] = "classes, perhaps" };
	struct queue *q = a->picture->queue;
	const struct cycle_saving *saving;
	char text[48];
	uint32_t own;

	if (!q || !q->classes)
		return;
	saving = queue_saving(q);
	own = classes_own(q->classes);
	header_counted(l, labels[classes_known(q->classes)], own);
	if (own < q->classes->classes->count)
		header_counted(l, "of other schedulers", q->classes->classes->count - own);
	header_piece(l, ROLE_LABEL, "rules", ROLE_VALUE, class_rules_names[q->choice.rules]);
	if (cluster_hides_jobs(a->picture->cluster)) {
		header_piece(l, ROLE_LABEL, "no cycle:", ROLE_WARN, "other users' jobs are hidden");
		return;
	}
	if (saving->unknown) {
		header_piece(l, ROLE_LABEL, "no cycle:", ROLE_WARN, saving->unknown);
		return;
	}
	snprintf(text, sizeof(text), "%u of %u jobs",
		 q->choice.apart ? saving->without : saving->with, saving->jobs);
	header_piece(l, ROLE_LABEL, "considered", ROLE_VALUE, text);
	header_counted(l, "saved", q->choice.apart ? 0 : saving->without - saving->with);
	if (q->choice.rules == CLASS_OPENPBS)
		header_piece(l, ROLE_LABEL, "logged \"Considering\":", ROLE_VALUE,
			     "all; by the document, those considered");
	if (q->jobs->order->problem[0] != '\0')
		cut_piece(l, "", ROLE_WARN, q->jobs->order->problem);
}

/* 10,000; in narrow lines 10k, if that is exact. */
static void weight_text(double weight, bool brief, char *buf, size_t size)
{
	if (!brief || !f64_known(weight) || fmod(weight, 1e3) != 0 || weight == 0)
		format_grouped(weight, buf, size);
	else if (fmod(weight, 1e6) != 0)
		snprintf(buf, size, "%.0fk", weight / 1e3);
	else
		snprintf(buf, size, "%.0fM", weight / 1e6);
}

/* The weights of the factors, in the order of sprio -w. */
static void draw_weights(const struct app *a, struct header_line *l)
{
	const struct policy *p = cluster_policy(a->picture->cluster);
	bool reported = policy_tells_weights(p), jobs = a->view == VIEW_JOBS;
	bool brief = jobs && l->c->width < 100;
	double weights[PRIO_FACTORS];
	char text[32];
	int from = l->x;

	prio_weights(p, weights);
	/* as they are set, although they have no effect */
	if (!jobs && !policy_has_accounting(p)) {
		weights[PRIO_AGE] = p->weight[PRIO_AGE];
		weights[PRIO_FAIRSHARE] = p->weight[PRIO_FAIRSHARE];
	}
	for (int part = 0; part < PART_TRES; part++) {
		const struct queue_part_info *info = &queue_parts[part];

		if (jobs && (weights[part] == 0 || !reported))
			continue;
		weight_text(weights[part], brief, text, sizeof(text));
		if (!part_sign(a, l, (enum queue_part)part,
			       (int)(strlen(brief ? info->brief : info->name) + 1 +
				     strlen(text)))) {
			put_more(l);
			return;
		}
		header_piece(l, ROLE_LABEL, brief ? info->brief : info->name,
			     f64_known(weights[part]) ? ROLE_VALUE : ROLE_DIM, text);
	}
	if (jobs && p->weight_tres[0] == '\0') {
		if (l->x == from)
			header_piece(l, ROLE_LABEL, l->c->width < WEIGHTS_TITLED ? "weights" : "",
				     reported ? ROLE_VALUE : ROLE_DIM,
				     reported ? "all 0" : "unknown");
		return;
	}
	if (!part_sign(a, l, PART_TRES, (int)strlen(p->weight_tres) + 5)) {
		put_more(l);
		return;
	}
	header_piece(l, ROLE_LABEL, "tres", ROLE_VALUE,
		     p->weight_tres[0] != '\0' ? p->weight_tres : "-");
}

/* First, which rules of PBS's order are not modelled. */
static void draw_pbs_order(const struct app *a, struct header_line *l, const struct policy *p)
{
	const struct queue *q = a->picture->queue;

	if (q && q->jobs->order->problem[0] != '\0')
		cut_piece(l, "", ROLE_WARN, q->jobs->order->problem);
	if (p->round_robin)
		header_piece(l, ROLE_LABEL, "", ROLE_VALUE, "one job of each queue in turn");
	else if (p->by_queue)
		header_piece(l, ROLE_LABEL, "", ROLE_VALUE, "queue by queue");
	if (p->job_sort_formula[0] != '\0')
		cut_piece(l, "job_sort_formula", ROLE_VALUE, p->job_sort_formula);
	else
		header_piece(l, ROLE_ACCENT, "no job_sort_formula:", ROLE_VALUE,
			     p->fair_share		 ? "fair share decides" :
			     p->job_sort_key[0] != '\0' ? "job_sort_key decides" :
						   "order of arrival decides");
	if (p->job_sort_key[0] != '\0')
		header_piece(l, ROLE_ACCENT, "job_sort_key", ROLE_VALUE, p->job_sort_key);
}

static void draw_lsf_order(const struct app *a, struct header_line *l)
{
	const struct queue *q = a->picture->queue;

	if (q && q->jobs->order->problem[0] != '\0')
		cut_piece(l, "", ROLE_WARN, q->jobs->order->problem);
	header_piece(l, ROLE_LABEL, "", ROLE_VALUE,
		     "queue PRIORITY, dynamic priority of share accounts, submission");
}

/* Above the jobs: what determines their order, if weights alone would mislead. */
static void draw_ranking(const struct app *a, struct header_line *l)
{
	const struct policy *p = cluster_policy(a->picture->cluster);

	if (a->view == VIEW_JOBS)
		draw_waits(a, l);
	if (policy_scheduler_of(cluster_meta(a->picture->cluster)->kind) == POLICY_OF_SLURM) {
		if (!policy_is_multifactor(p)) {
			header_piece(l, ROLE_LABEL, "", ROLE_WARN,
				     "priority/basic: first in, first out; no factor counts");
			return;
		}
		if (!policy_has_accounting(p))
			header_piece(l, ROLE_LABEL, "", ROLE_WARN,
				     "no accounting database: age and fair-share terms are 0");
	} else if (header_is_lsf(a->picture->cluster)) {
		draw_lsf_order(a, l);
		return;
	} else {
		draw_pbs_order(a, l, p);
		return;
	}
	if (a->view != VIEW_JOBS || l->c->width >= WEIGHTS_TITLED)
		header_piece(l, ROLE_ACCENT, "weights", ROLE_LABEL, "");
	draw_weights(a, l);
}

/* The size of each pool, its reason, and the slots that nobody can use. */
static void draw_pools(const struct app *a, struct header_line *l)
{
	const struct pools *p = a->picture->pools;

	for (uint32_t k = 0; p && k < p->pool_count; k++) {
		const struct slots_pool *s = &p->pools[k].slots;
		char others[40] = "", most[40] = "", idle[40] = "", text[200];

		if (s->foreign > 0)
			snprintf(others, sizeof(others), " - %u of others", (unsigned)s->foreign);
		if (s->max_slots != SLOTS_NO_LIMIT)
			snprintf(most, sizeof(most), ", at most %u", (unsigned)s->max_slots);
		if (s->idle == U32_UNKNOWN)
			snprintf(idle, sizeof(idle), "; slots its queues can use: unknown");
		else if (s->idle > 0)
			snprintf(idle, sizeof(idle), "; %u idle", (unsigned)s->idle);
		snprintf(text, sizeof(text), "%u slots = %u%s%s%s", (unsigned)s->size,
			 (unsigned)s->host_slots, others, most, idle);
		header_piece(l, ROLE_LABEL, p->pools[k].name, s->idle > 0 ? ROLE_WARN : ROLE_VALUE,
			     text);
	}
}

/* Uses an arrow, not ">", which would mean "greater than". */
static void header_changed(struct header_line *l, const char *label, double was, double is)
{
	char text[64];

	if (!f64_known(was) || !f64_known(is))
		return;
	snprintf(text, sizeof(text), "%.3f %s %.3f", was, l->c->ascii ? "->" : "→", is);
	header_piece(l, ROLE_LABEL, label, ROLE_VALUE, text);
}

/* A summary of the what-if; its panel has the details. */
static void draw_what_if(const struct app *a, struct header_line *l)
{
	const struct whatif_sum *s = &a->whatif->sums[a->whatif->set];
	bool wide = l->c->width >= 100;
	char text[96];

	if (!s->known)
		return;
	format_grouped(header_known(s->moved), text, sizeof(text));
	header_piece(l, ROLE_VALUE, text, ROLE_LABEL, s->moved == 1 ? "job moves" : "jobs move");
	if (s->gain > 0) {
		snprintf(text, sizeof(text), "+%.0f", s->gain);
		header_piece(l, ROLE_LABEL, wide ? s->gain_job : "", ROLE_UP, text);
	}
	if (s->loss > 0) {
		snprintf(text, sizeof(text), "-%.0f", s->loss);
		header_piece(l, ROLE_LABEL, wide ? s->loss_job : "", ROLE_DOWN, text);
	}
	if (l->c->width >= 120 && s->heads > 0 && s->heads != U32_UNKNOWN && s->head[0] != '\0') {
		snprintf(text, sizeof(text), "%s", s->head);
		if (s->heads > 1)
			format_append(text, sizeof(text), " and %u more", s->heads - 1);
		header_piece(l, ROLE_LABEL, "next job changes in", ROLE_VALUE, text);
	} else {
		header_counted(l, "new next", s->heads);
	}
	header_changed(l, wide ? "Jain (1: even)" : "even (Jain)", a->whatif->was.jain, s->is.jain);
	header_changed(l, "Gini (0: even)", a->whatif->was.gini, s->is.gini);
}

void draw_header(const struct app *a, struct canvas *c)
{
	struct header_line first = { c, 1, 0, 0 }, second = { c, 1, 1, c->width - 1 };
	bool named;

	if (a->overview) {
		draw_overview(a, c);
		return;
	}
	canvas_fill(c, 0, 0, c->width, 2, travel_past(a) ? GROUND_PAST : GROUND_BAR);
	first.end = draw_source(a, c, &named);
	header_badges(a, &second);
	if (a->picture) {
		const char *algorithm = algorithm_title(a->picture);

		draw_views(a, &first);
		if (!draw_rules(a, &first, named) && a->view == VIEW_ACCOUNTS &&
		    second.x + canvas_text_width(c, algorithm) + 2 + SUMS_LEAST <= second.end)
			header_piece(&second, ROLE_LABEL, "", ROLE_VALUE, algorithm);
		if (whatif_changes(a) && a->pane.ops != &whatif_pane) {
			draw_what_if(a, &second);
		} else if (a->view == VIEW_POLICY || a->view == VIEW_JOBS) {
			draw_ranking(a, &second);
		} else if (a->view == VIEW_POOLS && a->picture->pools &&
			   a->picture->pools->pool_count > 0) {
			draw_pools(a, &second);
		} else if (a->view == VIEW_CLASSES) {
			draw_saving(a, &second);
		} else {
			header_draw_sums(a, &second);
		}
	} else {
		header_piece(&first, ROLE_LABEL, "", ROLE_ACCENT, "fairtop");
	}
}
