/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What-if on the screen: edits typed, adjusted, set in place, undone, flipped; sets side by side;
 * their fate when the source gives a new picture; and their files. Undoing everything restores the
 * very same frame.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "tests/support/stage.h"
#include "tui/panes/start_times.h"
#include "tui/screen/worker.h"
#include "core/lint/lint.h"
#include "tui/panes/pane_whatif.h"
#include "tui/screen/settings.h"
#include "tests/support/scratch.h"

#define TREE(physics) \
	"physics " physics "\n\t+alice 3 900000\n\t+bob 1 1000\nbiology 20\n\t+carol 1 50000\n"
#define TEXT TREE("40") SKETCH_QUEUE

/* An idle node, and the settings needed to place a job on it. */
#define IDLE \
	"=SelectType select/cons_tres\n" \
	"*host name=n1 state=IDLE cpus=4 cpus_used=0 memory=1000 partitions=batch\n" \
	"*job id=43 user=carol account=biology assoc=6 partition=batch qos=normal name=d cpus=1 " \
	"priority=9 time_limit=600 tres=cpu=1,mem=1,node=1 " SKETCH_PENDING("1794150000") "\n"

static struct stage *open_stage(void)
{
	struct stage *s = stage(TEXT);

	stage_keys(s, ":fold-depth 9<Enter>");
	return s;
}

static void edit(struct stage *s, const char *text)
{
	char keys[256];

	snprintf(keys, sizeof(keys), "a%s<Enter>", text);
	stage_keys(s, keys);
}

static char *frame(struct stage *s)
{
	return mem_strdup(stage_seen(s));
}

/* Returns F of PATH in the picture on the screen. */
static double fairshare(struct stage *s, const char *path)
{
	const struct picture *p = s->app->picture;
	uint32_t row = cluster_by_path(p->cluster, path);

	assert_int_not_equal(row, ROW_NONE);
	return p->model->fs->fairshare[row];
}

/* Returns F of PATH in a cluster that has the value from the beginning. */
static double built(const char *text, const char *path)
{
	struct stage *s = stage(text);
	double f;

	stage_keys(s, ":set base usage<Enter>");
	f = fairshare(s, path);
	stage_leave(s);
	return f;
}

/* ---- edits --------------------------------------------------------------------------------- */

static void test_edit(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/physics = 5");
	stage_sees(s, "WHAT-IF 1 edit");
	stage_sees(s, "F was");
	stage_sees(s, "Moves");
	assert_true(fairshare(s, "/physics:bob") ==
		    built(TREE("5") SKETCH_QUEUE, "/physics:bob"));
	edit(s, "weight.age = 5");
	stage_sees(s, "WHAT-IF 2 edits");
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_AGE], 5);
	assert_int_equal(cluster_policy(whatif_base(s->app)->cluster)->weight[PRIO_AGE], 1000);
}

static void test_undo_is_the_base(void **state)
{
	struct stage *s = *state = open_stage();
	char *before = frame(s);

	edit(s, "shares:/physics = 5");
	edit(s, "usage:/physics:alice = 0");
	edit(s, "add:/biology:zoe = 3");
	stage_sees(s, "zoe");
	stage_keys(s, "___");
	stage_sees_not(s, "WHAT-IF");
	stage_keys(s, "_");
	stage_sees(s, "no edit to undo");
	stage_keys(s, "gj");
	stage_keys(s, "g");
	assert_string_equal(stage_seen(s), before);
	stage_keys(s, "<C-r><C-r><C-r>");
	stage_sees(s, "zoe");
	stage_sees(s, "WHAT-IF 3 edits");
	mem_free(before);
}

static void test_flip(void **state)
{
	struct stage *s = *state = open_stage();
	double base = built(TEXT, "/physics:bob"), what_if;

	stage_keys(s, "b");
	stage_sees(s, "no active edit");
	edit(s, "shares:/physics = 5");
	what_if = fairshare(s, "/physics:bob");
	stage_keys(s, "b");
	stage_sees(s, "BASE, WHAT-IF 1 edit OFF");
	stage_sees_not(s, "F was");
	assert_true(fairshare(s, "/physics:bob") == base);
	stage_keys(s, "b");
	assert_true(fairshare(s, "/physics:bob") == what_if);
	assert_true(what_if != base);
}

static void test_refused(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/phisics = 5");
	stage_sees(s, "phisics");
	stage_sees(s, "what if shares:/phisics = 5");	/* and can be corrected */
	stage_keys(s, "<Esc>");
	stage_sees_not(s, "WHAT-IF");
	edit(s, "weight.agee = 5");
	stage_sees(s, "weight.age");			/* names similar targets */
	stage_keys(s, "<Esc>");
	edit(s, "job:40.nice = 99999999999");
	stage_sees(s, "what if job:40.nice");
	stage_keys(s, "<Esc>");
	edit(s, "weight.age = 70%%");
	stage_keys(s, "<Esc>");
	assert_int_equal(whatif_count(s->app), 0);
	edit(s, "weight.age = 70%");
	edit(s, "weight.qos = 40%");
	stage_sees(s, "add up to 110");
	stage_keys(s, "<Esc>");
	assert_int_equal(whatif_count(s->app), 1);
}

static void test_completion(void **state)
{
	struct stage *s = *state = open_stage();

	stage_keys(s, "aweight.f<Tab>");
	stage_sees(s, "what if weight.fairshare =");
	stage_keys(s, "<Esc>ash<Tab>");
	stage_sees(s, "what if shares:");
	stage_keys(s, "/bio<Tab>");
	stage_sees(s, "what if shares:/biology =");
	stage_keys(s, "pa<Tab>");
	stage_sees(s, "what if shares:/biology = parent");
	stage_keys(s, "<Esc>ajob:4<Tab>");
	stage_sees(s, "what if job:40.nice =");
	stage_keys(s, "<Esc>aqos:<Tab>");
	stage_sees(s, "what if qos:normal.priority =");
	stage_keys(s, "<Esc>aPriorityMaxA<Tab>");
	stage_sees(s, "what if PriorityMaxAge =");
	stage_keys(s, "<Esc>areset_period = W<Tab>");
	stage_sees(s, "what if reset_period = WEEKLY");
	stage_keys(s, "<Esc>aPriorityType = priority/b<Tab>");
	stage_sees(s, "what if PriorityType = priority/basic");
	stage_keys(s, "<Esc>aalgorithm = D<Tab>");
	stage_sees_not(s, "DEPTH_OBLIVIOUS");
}

/* ---- the panel ----------------------------------------------------------------------------- */

static void test_sliders(void **state)
{
	struct stage *s = *state = open_stage();
	const struct whatif *w;

	stage_keys(s, "w");
	stage_sees(s, "What-if A");
	stage_sees(s, "fairshare");
	stage_keys(s, "lll");
	w = whatif_edits_get(s->app);
	assert_int_equal(w->count, 1);		/* repeated keys on one value are one edit */
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_AGE], 1300);
	stage_keys(s, "LHh");
	assert_int_equal(w->count, 1);
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_AGE], 1200);
	stage_keys(s, "jjl");
	assert_int_equal(w->count, 2);
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_FAIRSHARE], 10100);
	stage_keys(s, "_l");		/* after an undo it is a new edit */
	assert_int_equal(w->count, 2);
	stage_keys(s, "HHHHHHHHHHHHHHHHHHHHHHHHHH");
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_FAIRSHARE], 0);
	stage_keys(s, "w");
	stage_sees_not(s, "What-if A");
	stage_sees(s, "WHAT-IF 2 edits");
}

/* A value set again for the same target is one edit, in the panel and in the header. */
static void test_change_again(void **state)
{
	struct stage *s = *state = open_stage();

	/* Erasing keys leave the target: only the value can change. */
	stage_keys(s, "ji<C-w><C-u><Backspace><Home><Left><Delete><Up>5<Enter>");
	stage_sees(s, "WHAT-IF 1 edit");
	stage_sees(s, "_ undo  Ctrl-R redo  M movers  b base  W write");
	stage_keys(s, "W");
	stage_sees(s, ":export fairtop-");
	stage_keys(s, "<Esc>");
	stage_keys(s, "w<Tab>i<Backspace>7<Enter>");
	stage_sees_not(s, "2 edits");
	stage_sees(s, "[x] shares:/physics = 7");
	stage_sees_not(s, "[x] shares:/physics = 5");
	stage_keys(s, "_");
	stage_sees(s, "[x] shares:/physics = 5");
	stage_keys(s, "<C-r>");
	stage_sees_not(s, "shares:/physics = 5");
	/* The panel's lines are the listed edits. */
	edit(s, "shares:/biology = 3");
	stage_keys(s, "<Tab>G<Space>");
	stage_sees(s, "[ ] shares:/biology = 3");
	stage_keys(s, "k<Space>");
	stage_sees(s, "[ ] shares:/physics = 7");
}

static void test_lines(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/physics = 5");
	stage_keys(s, "wG");
	stage_sees(s, "[x] shares:/physics = 5");
	stage_keys(s, "<Space>");
	stage_sees(s, "[ ] shares:/physics = 5");
	assert_int_equal(whatif_count(s->app), 0);
	assert_null(whatif_changes(s->app));
	stage_keys(s, "<Space>");
	assert_non_null(whatif_changes(s->app));
	stage_keys(s, "<Enter>");
	stage_sees(s, "what if shares:/physics = 5");
	stage_keys(s, "<Right>0<Enter>");	/* a cursor key keeps the value ... */
	stage_sees(s, "[x] shares:/physics = 50");
	stage_keys(s, "<Enter>70<Enter>");	/* ... and a letter replaces it */
	stage_sees(s, "[x] shares:/physics = 70");
	stage_keys(s, "<Enter><Backspace>8<Left>1<Enter>");
	stage_sees(s, "[x] shares:/physics = 18");
	stage_keys(s, "<Enter><Up><Down><Enter>");
	stage_sees(s, "[x] shares:/physics = 18");
	stage_keys(s, "g<Enter>");
	stage_sees(s, "what if weight.age = 1000");
	stage_keys(s, "<Esc><Tab>j");
	stage_cursor_on(s, "physics");
}

/* Clicks DX cells right of the first place where TEXT is seen. */
static void click(struct stage *s, const char *text, int dx)
{
	char keys[64], line[4096];

	for (int y = 0; y < s->canvas->height; y++) {
		const struct cell *row = s->canvas->cells + (size_t)y * (size_t)s->canvas->width;

		line[0] = '\0';
		for (int x = 0; x < s->canvas->width; x++)
			strcat(line, row[x].text[0] != '\0' && row[x].text[1] == '\0' ?
				     row[x].text : "?");
		if (!strstr(line, text))
			continue;
		snprintf(keys, sizeof(keys), "<Click:%d,%d>",
			 (int)(strstr(line, text) - line) + dx + 1, y + 1);
		stage_keys(s, keys);
		return;
	}
	fail_msg("'%s' is not to be seen", text);
}

static void test_mouse(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "weight.age = 70%");
	stage_keys(s, "w");
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_AGE], 7700);
	click(s, "fairshare ", 10);		/* the left end of the slider */
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_FAIRSHARE], 0);
	click(s, "weight.age", 2);
	stage_keys(s, "<Space>");
	stage_sees(s, "[ ] weight.age = 70%");
}

static void test_in_place(void **state)
{
	struct stage *s = *state = open_stage();

	stage_keys(s, "ji");
	stage_sees(s, "what if shares:/physics = 40");
	stage_keys(s, "<Backspace><Backspace>5<Enter>");
	assert_true(fairshare(s, "/physics:bob") == built(TREE("5") SKETCH_QUEUE, "/physics:bob"));
	stage_keys(s, ":sort -usage<Enter>i");
	stage_sees(s, "what if usage:/");
	stage_keys(s, "<Esc>:column S<Enter>i");	/* the cursor's column counts */
	stage_sees(s, "what if shares:/physics = 5");
	stage_keys(s, "<Esc>:column usage<Enter>i");
	stage_sees(s, "what if usage:/physics = ");
	stage_keys(s, "<Esc>:column F<Enter>");
	stage_keys(s, "<Esc>2:sort id<Enter>gi");
	stage_sees(s, "what if job:40.nice =");
	stage_keys(s, "<Esc>:sort partition<Enter>i");
	stage_sees(s, "what if job:40.partition = batch");
	stage_keys(s, "<Esc>5i");
	stage_sees(s, "what if PriorityType = ");
	stage_keys(s, "<Esc>/MAX_TRES<Enter>i");
	stage_sees(s, "what if flags = ");
	stage_sees(s, "MAX_TRES");
	stage_keys(s, "<Enter>");
	assert_true((cluster_policy(s->app->picture->cluster)->flags & PF_MAX_TRES) != 0);
}

/* On a column of changes, i edits the column it compares. */
static void test_in_place_compared(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/physics = 5");
	edit(s, "usage:/physics:bob = 77");
	edit(s, "weight.age = 2000");
	stage_keys(s, ":columns shares,usage,fairshare,rank<Enter>/bob<Enter>");
	stage_keys(s, ":column usage_change<Enter>i");
	stage_sees(s, "what if usage:/physics:bob = 77");
	stage_keys(s, "<Esc>5/WeightAge<Enter>i");
	stage_sees(s, "what if PriorityWeightAge = 2000");	/* not the base's value */
}

/* One key flips base and what-if in every view; columns of changes go and return. */
static void test_flip_everywhere(void **state)
{
	static const char *const tells[VIEW_COUNT] = {
		[VIEW_ACCOUNTS] = "F was", [VIEW_JOBS] = "Prio diff", [VIEW_POOLS] = NULL,
		[VIEW_CLASSES] = "First was", [VIEW_POLICY] = "Difference",
	};
	struct stage *s = *state = open_stage();

	edit(s, "weight.age = 2000");
	for (int view = 0; view < VIEW_COUNT; view++) {
		char key[2] = { (char)('1' + view), '\0' };

		if (!tells[view])
			continue;	/* there are no pools */
		stage_keys(s, key);
		stage_sees(s, tells[view]);
		stage_keys(s, "M");
		stage_sees(s, "is on top");
		stage_keys(s, "b");
		stage_sees_not(s, tells[view]);
		stage_sees(s, "BASE, WHAT-IF 1 edit OFF");
		stage_keys(s, "b");
		stage_sees(s, tells[view]);
	}
}

/* Checks the sums in the header against the two pictures. */
static void test_summary(void **state)
{
	struct stage *s = *state = open_stage();
	const struct changes_pair *v;
	uint32_t moved = 0, heads = 0;
	double most = 0, least = 0, sum = 0, squares = 0, n = 0;
	char text[80];

	edit(s, "job:42.nice = 20000");
	edit(s, "usage:/physics = 0");
	v = whatif_changes(s->app);
	for (uint32_t e = 0; e < v->jobs->index->n; e++) {
		uint32_t was = v->base_jobs->order->rank[e], is = v->jobs->order->rank[e];
		double places = (double)was - (double)is;

		moved += was != is;
		most = places > most ? places : most;
		least = places < least ? places : least;
		heads += was == 1 && is != 1;		/* all are pending in one partition */
	}
	for (uint32_t i = 1; i < v->model->fs->n; i++) {
		double r = v->model->fs->effective_ratio[i];

		if (!cluster_is_user(v->model->cluster, i))
			continue;
		sum += r;
		squares += r * r;
		n++;
	}
	assert_true(moved > 0 && heads == 1 && least < 0);
	snprintf(text, sizeof(text), "%u jobs move  4", moved);
	stage_sees(s, text);
	snprintf(text, sizeof(text), "+%.0f", most);
	stage_sees(s, text);
	snprintf(text, sizeof(text), "%.0f", least);
	stage_sees(s, text);
	stage_sees(s, "new next 1");
	snprintf(text, sizeof(text), "→ %.3f", sum * sum / (n * squares));
	stage_sees(s, text);
}

/* What another set does to each row is shown beside, while requested and a what-if is shown. */
static void test_beside(void **state)
{
	struct stage *s = *state = open_stage();

	stage_keys(s, "2");
	edit(s, "job:42.nice = 20000");
	stage_keys(s, "B");
	stage_sees(s, "no other set has edits yet");
	stage_keys(s, ":next-set B<Enter>");
	edit(s, "job:40.nice = 20000");
	stage_sees(s, "Set A");
	stage_sees_not(s, "Set B");
	stage_keys(s, ":next-set A<Enter>");
	stage_sees(s, "Set B");
	stage_sees_not(s, "Set A");
	stage_keys(s, "1");
	stage_sees(s, "Set B");
	stage_keys(s, "b");
	stage_sees_not(s, "Set B");
	stage_keys(s, "bB");
	stage_sees_not(s, "Set B");
	stage_sees(s, "the other sets are not shown");
}

/* A filter can use columns of changes while they are shown. */
static void test_filter(void **state)
{
	struct stage *s = *state = open_stage();

	stage_keys(s, "2");
	edit(s, "job:42.nice = 20000");
	stage_keys(s, "frank_change<lt>0<Enter>");
	stage_cursor_on(s, "42");
	stage_sees(s, "1/1");
}

/* After KEYS the view is sorted by COLUMN ("": the source's order) and FLAT or not. */
static void assert_sorted(struct stage *s, const char *keys, const char *column, bool flat)
{
	const struct sheet *sheet;

	stage_keys(s, keys);
	sheet = &s->app->sheets[s->app->view];
	assert_string_equal(sheet->list.order.count > 0 ? sheet->picked->name : "", column);
	assert_int_equal(sheet->list.flat, flat);
}

static void test_movers(void **state)
{
	struct stage *s = *state = open_stage();
	uint32_t top;

	stage_keys(s, "2M");
	stage_sees(s, "no what-if is shown");
	edit(s, "job:42.nice = 20000");
	stage_keys(s, "M");
	stage_sees(s, "the largest gain");
	stage_cursor_on(s, "+1");
	stage_keys(s, "M");
	stage_cursor_on(s, "-2");
	stage_keys(s, "M");
	stage_sees(s, "sorted as before");
	/* In the base nothing moves: it has its own order, and the what-if later its former one. */
	assert_sorted(s, "1", "", false);
	assert_sorted(s, "M", "rank_change", true);
	top = s->app->sheets[VIEW_ACCOUNTS].list.cursor;
	assert_sorted(s, "b", "", true);
	assert_sorted(s, "b", "rank_change", true);
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, top);
	assert_sorted(s, "2", "rank", false);
	assert_sorted(s, "MM", "rank_change", false);
	assert_sorted(s, "b", "rank", false);
	assert_sorted(s, "b", "rank_change", false);
	assert_sorted(s, "b:sort user<Enter>b", "user", false);
	assert_sorted(s, ":sort rank<Enter>M", "rank_change", false);
	stage_keys(s, "_");
	assert_sorted(s, "2", "rank", false);
	assert_sorted(s, "1", "", false);
	stage_keys(s, "2");
	stage_keys(s, "G");
	stage_sees_not(s, "Moves");
	/* The same if the last edit is undone while the base is shown. */
	stage_keys(s, "1");
	edit(s, "job:42.nice = 20000");
	assert_sorted(s, "Mb", "", true);
	assert_sorted(s, "_", "", false);
	stage_keys(s, "<C-r>");
	stage_sees(s, "WHAT-IF 1 edit");
	assert_sorted(s, "M", "rank_change", true);
	assert_sorted(s, "T", "rank_change", false);	/* a shape the user chose stays */
	assert_sorted(s, "bT", "", true);
	assert_sorted(s, "_", "", true);
}

static void test_ascii(void **state)
{
	struct stage *s = *state = open_stage();
	const char *text;

	stage_keys(s, ":set ascii on<Enter>2w");
	edit(s, "job:42.nice = 20000");
	text = stage_seen(s);
	for (size_t i = 0; text[i] != '\0'; i++)
		assert_true((unsigned char)text[i] < 0x80);
	stage_sees(s, "+1");
	stage_keys(s, "w<Resize:80x24>");
	stage_sees(s, ">-20000.0");
	stage_keys(s, "%%");			/* all change: no cell counts as edited */
	stage_sees_not(s, ">-");
	stage_keys(s, "2:filter id>0<Enter>%");
	stage_sees(s, ">-20000.0");
}

static void test_sets(void **state)
{
	struct stage *s = *state = open_stage();

	stage_resize(s, 120, 40);
	stage_keys(s, "w");
	edit(s, "shares:/physics = 5");
	stage_keys(s, ":next-set B calmer<Enter>");
	stage_sees_not(s, "WHAT-IF");
	edit(s, "weight.age = 0");
	edit(s, "weight.fairshare = 1");
	stage_sees(s, "WHAT-IF 2 edits");
	stage_sees(s, "B calmer");
	assert_true(s->app->whatif->sums[0].known);
	assert_true(s->app->whatif->sums[1].known);
	stage_keys(s, "AAA");
	stage_sees(s, "WHAT-IF 1 edit");
	assert_true(s->app->whatif->sums[1].known);
	stage_keys(s, ":next-set E<Enter>");
	stage_sees(s, "expected A, B, C or D");
}

/* A suggestion of several edits enters the what-if as a whole. */
static void test_lint_several(void **state)
{
	struct stage *s = *state = stage(TEXT "=PriorityWeightAge 4000000000\n"
					 "=PriorityWeightFairshare 4000000000\n");
	const struct policy *p;

	stage_keys(s, "dg");
	stage_sees(s, "PriorityWeight*");
	stage_keys(s, "<Enter>");
	p = cluster_policy(s->app->picture->cluster);
	assert_int_equal(p->weight[PRIO_AGE], 2000000000);
	assert_int_equal(p->weight[PRIO_FAIRSHARE], 2000000000);
	for (size_t i = 0; i < s->app->lint->count; i++)
		assert_string_not_equal(s->app->lint->items[i].code, "S4");
}

/* A suggestion of lint enters the what-if, and its finding leaves the list. */
static void test_lint(void **state)
{
	struct stage *s = *state = stage(TEXT "=PriorityWeightQOS 50\n");

	stage_keys(s, "d");
	stage_sees(s, "Policy problems");
	stage_sees(s, "PriorityWeightQOS");
	while (!strstr(s->app->lint->items[s->app->pane.pick].object, "PriorityWeightQOS")) {
		uint32_t before = s->app->pane.pick;

		stage_keys(s, "j");
		assert_int_not_equal(s->app->pane.pick, before);
	}
	stage_sees(s, "Enter: weight.qos = 1000");
	stage_keys(s, "<Enter>");
	stage_sees(s, "weight.qos = 1000 is in the what-if");
	assert_int_equal(cluster_policy(s->app->picture->cluster)->weight[PRIO_QOS], 1000);
	for (size_t i = 0; i < s->app->lint->count; i++)
		assert_false(strcmp(s->app->lint->items[i].code, "S1") == 0 &&
			     strstr(s->app->lint->items[i].object, "QOS"));
	stage_show(s, TEXT);
	stage_keys(s, "d");
	stage_sees_not(s, "Policy problems");
	stage_sees(s, "WHAT-IF 1 edit");
}

/* Saved settings do not contain columns of changes. */
static void test_settings(void **state)
{
	struct stage *s = *state = open_stage();
	char text[8192] = "";
	struct err err = { 0 };

	stage_keys(s, ":columns shares,fairshare,rank<Enter>");
	edit(s, "shares:/physics = 5");
	stage_keys(s, ":sort -fairshare_change<Enter>");
	stage_cursor_on(s, "root");
	assert_true(s->app->sheets[VIEW_ACCOUNTS].picked &&
		    strcmp(s->app->sheets[VIEW_ACCOUNTS].picked->name, "fairshare_change") == 0);
	assert_true(settings_write(s->app, (struct sink){ stage_append, text }, &err));
	assert_non_null(strstr(text, "columns shares,fairshare,rank\n"));
	assert_null(strstr(text, "_change"));
	assert_null(strstr(text, "flat"));
}

/* A forecast is computed again for each picture, or says from when it is and why. */
static void test_forecast_follows(void **state)
{
	static const char waits[] = "state=PENDING", runs[] = "state=RUNNING";
	struct stage *s = *state = open_stage();
	char text[] = "~300\n" TEXT, *job, *at;
	uint32_t pictures;

	stage_resize(s, 120, 40);
	stage_keys(s, "j:forecast -<Enter>");
	pictures = s->app->forecasts->pictures;
	stage_show(s, text);
	assert_true(s->app->forecasts->pictures > pictures);
	stage_sees_not(s, "as of");
	stage_keys(s, "q2j:forecast<Enter>");
	stage_sees(s, "job 41");
	stage_sees(s, "place ");
	job = strstr(text, "*job id=41");
	at = job ? strstr(job, waits) : NULL;
	assert_non_null(at);
	memcpy(at, runs, sizeof(runs) - 1);
	stage_show(s, text);
	stage_sees(s, "it is no longer pending");
	stage_sees(s, "as of 2026-11-09 00:05");
	/* Back in the queue, it has a forecast again. */
	memcpy(at, waits, sizeof(waits) - 1);
	stage_show(s, text);
	stage_sees_not(s, "as of");
	job[9] = '8';
	stage_show(s, text);
	stage_sees(s, "it no longer exists");
}

/* A start now, on idle nodes, has a time and no axis of one cell. */
static void test_start_now(void **state)
{
	struct stage *s = *state = stage(TEXT IDLE);
	struct start_order *order;

	stage_resize(s, 120, 40);
	stage_keys(s, "2");
	order = start_times_order(s->app);
	assert_non_null(order);
	start_times_take(s->app, starter_work.answer(order));
	stage_keys(s, "/43<Enter>");
	stage_sees(s, " if jobs run to their limits");
	stage_sees_not(s, "\u2524");
}

/* When F reaches a goal by itself, and which edit reaches it at once. */
static void test_forecast(void **state)
{
	struct stage *s = *state = open_stage();
	struct seek *seek = &s->app->forecasts->seek;

	stage_resize(s, 120, 40);
	stage_keys(s, "j:forecast 0.36 20000<Enter>");
	stage_sees(s, "Forecast");
	stage_sees(s, "/physics");
	stage_sees(s, "reaches 0.36 in");
	stage_keys(s, "q:forecast -<Enter>");
	stage_sees(s, "F is 0.");		/* without a goal: the future value */
	stage_sees(s, " is 0.");
	assert_true(s->app->forecasts->forecast.count > 2);
	stage_keys(s, "qj:forecast 0.6 much<Enter>");
	stage_sees(s, "burn 'much': not a number");
	stage_keys(s, ":forecast 7<Enter>");
	stage_sees(s, "forecast 7: not a fair-share factor");
	stage_keys(s, ":seek 9<Enter>");
	stage_sees(s, "seek 9: not a fair-share factor");
	stage_keys(s, "k:seek 0.5<Enter>");
	stage_sees(s, "Edits for the goal");
	assert_true(seek->reached && seek->count > 0);
	stage_sees(s, "Enter add to what-if");
	stage_keys(s, "<Enter>");
	stage_sees(s, "is in the what-if");
	assert_true(fairshare(s, "/physics") >= 0.5 - 1e-9);
	stage_keys(s, "qU");
	stage_sees(s, "no row is marked");
	/* No result, no offer. */
	stage_keys(s, "g:seek 0.5<Enter>");
	stage_sees(s, "reached already");
	stage_sees_not(s, "Enter into");
	stage_keys(s, "<Enter>");
	stage_sees(s, "no edit to apply");
	stage_keys(s, "q2G:seek 1<Enter>");
	stage_sees(s, "job ");
	stage_keys(s, "q:seek 1.5<Enter>");
	stage_sees(s, "seek 1.5: not a rank");
	stage_keys(s, "ggO");
	stage_sees(s, "no other job is ahead of it");
	stage_keys(s, "q5O");
	stage_sees(s, "no account or job under the cursor");
}

/* ---- new pictures -------------------------------------------------------------------------- */

/* Live data continues under the edits; missing objects are marked, and count once they return. */
static void test_refresh(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/physics = 5");
	edit(s, "shares:/biology = 7");
	stage_keys(s, "w");
	stage_show(s, "physics 40\n\t+alice 3 100\n\t+bob 1 9000\n" SKETCH_QUEUE);
	stage_sees(s, "WHAT-IF 2 edits");
	stage_sees(s, "[x] shares:/physics = 5");
	stage_sees(s, "[!] shares:/biology = 7");
	assert_true(fairshare(s, "/physics:bob") ==
		    built("physics 5\n\t+alice 3 100\n\t+bob 1 9000\n" SKETCH_QUEUE,
			  "/physics:bob"));
	stage_show(s, TEXT);
	stage_sees(s, "[x] shares:/biology = 7");
	stage_keys(s, "2");
	stage_show(s, TEXT);
	stage_keys(s, "345");
	stage_show(s, TEXT);
	stage_keys(s, "1b");
	stage_show(s, TEXT);
	stage_sees(s, "BASE, WHAT-IF 2 edits OFF");
}

/* Another algorithm, set or edited, while a what-if is shown. */
static void test_reload(void **state)
{
	struct stage *s = *state = open_stage();

	edit(s, "shares:/physics = 5");
	stage_keys(s, ":set algorithm fair-tree<Enter>");
	assert_int_equal(s->app->picture->model->algo->id, FS_FAIR_TREE);
	assert_int_equal(whatif_base(s->app)->model->algo->id, FS_FAIR_TREE);
	stage_sees(s, "WHAT-IF 1 edit");
	stage_keys(s, ":set algorithm auto<Enter>aalgorithm = classic<Enter>");
	assert_int_equal(s->app->picture->model->algo->id, FS_CLASSIC);
	stage_keys(s, "__");
	assert_null(whatif_changes(s->app));
}

/* ---- files --------------------------------------------------------------------------------- */

static void command(struct stage *s, const char *verb, const char *name, const char *more)
{
	char keys[256];

	snprintf(keys, sizeof(keys), ":%s %s/%s%s<Enter>", verb, scratch_directory(), name, more);
	s->effects = 0;
	stage_keys(s, keys);
	if (s->app->errand == ERRAND_EDITS)
		whatif_files(s->app);
	stage_make(s);
}

static void read_back(const char *name, char *buf, size_t size)
{
	char path[SCRATCH_PATH_MAX];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	fclose(f);
}

/* Which jobs move is not known while others may be hidden. */
static void test_hidden(void **state)
{
	struct cluster *c = sketch_cluster(TEXT, FS_DEPTH_OBLIVIOUS);
	struct builder *b = cluster_copy(c);
	struct event event = { .type = EVENT_CLUSTER };
	struct stage *s = stage_empty(NULL);
	char text[4096];

	(void)state;
	cluster_free(c);
	builder_hidden(b, HIDDEN_JOBS);
	event.cluster = builder_seal(b, NULL);
	stage_source(s, SOURCE_GOOD, "");
	app_event(s->app, &event);
	assert_true(whatif_add_and_tell(s->app, "shares:/physics = 5", NULL));
	stage_make(s);
	assert_string_equal(s->app->message, "unknown which jobs move");
	command(s, "export", "hidden", "");
	read_back("hidden", text, sizeof(text));
	assert_non_null(strstr(text, "effect: unknown which jobs move; evenness"));
	stage_leave(s);
}

static void test_files(void **state)
{
	struct stage *s = open_stage();
	char text[4096], path[SCRATCH_PATH_MAX];

	(void)state;
	command(s, "save-edits", "set", "");
	stage_sees(s, "no edits");
	edit(s, "shares:/physics = 5");
	command(s, "save-edits", "set", "");
	command(s, "load-edits", "set", "");
	assert_non_null(strstr(s->app->message, "1 edit from "));
	edit(s, "weight.age = 70%");
	command(s, "save-edits", "set", "");
	command(s, "save-edits", "set", "");	/* it may overwrite its own file */
	read_back("set", text, sizeof(text));
	assert_non_null(strstr(text, "shares:/physics = 5\nweight.age = 70%\n"));
	command(s, "export", "commands", "");
	assert_string_equal(s->app->whatif->export_as, "slurm");
	read_back("commands", text, sizeof(text));
	assert_non_null(strstr(text, "sacctmgr -i modify account where name=physics"));
	assert_non_null(strstr(text, "expected effect"));
	command(s, "export", "back", " inverse");
	read_back("back", text, sizeof(text));
	assert_non_null(strstr(text, "fairshare=40"));
	command(s, "export", "set", "");	/* but not other files */
	assert_true(s->app->message_role == ROLE_ERROR);
	command(s, "save-edits", "commands", "");
	assert_true(s->app->message_role == ROLE_ERROR);
	stage_keys(s, "__");
	assert_int_equal(whatif_count(s->app), 0);
	command(s, "load-edits", "set", "");
	assert_int_equal(whatif_count(s->app), 2);
	assert_true(fairshare(s, "/physics:bob") == built(TREE("5") SKETCH_QUEUE, "/physics:bob"));
	command(s, "load-edits", "back", "");
	assert_true(s->app->message_role == ROLE_ERROR);
	assert_int_equal(whatif_count(s->app), 2);
	command(s, "load-edits", "missing", "");
	assert_true(s->app->message_role == ROLE_ERROR);
	scratch_path("set", path);
	scratch_path("commands", path);
	scratch_path("back", path);
	assert_int_equal(rmdir(scratch_directory()), 0);	/* nothing else is left */
	stage_leave(s);
}

/* The first q names what would be lost, the second quits; saved edits need no confirmation. */
static void test_leaving(void **state)
{
	struct stage *s = open_stage();
	char keys[SCRATCH_PATH_MAX + 30], path[SCRATCH_PATH_MAX];

	(void)state;
	snprintf(keys, sizeof(keys), ":save-edits %s<Enter>", scratch_path("set", path));
	edit(s, "shares:/physics = 60");
	stage_keys(s, "q");
	assert_false(s->effects & APP_QUIT);
	stage_sees(s, "1 edit is not saved (:save-edits FILE); q again quits");
	stage_keys(s, "jq");			/* another key in between: confirms again */
	assert_false(s->effects & APP_QUIT);
	stage_keys(s, "q");
	assert_true(s->effects & APP_QUIT);
	s->effects = 0;
	stage_keys(s, "j");
	edit(s, "shares:/biology = 30");
	stage_keys(s, "Q");
	assert_false(s->effects & APP_QUIT);
	stage_sees(s, "2 edits are not saved (:save-edits FILE); Q again quits");
	stage_keys(s, keys);
	whatif_files(s->app);
	stage_keys(s, "Q");
	assert_true(s->effects & APP_QUIT);
	s->effects = 0;
	edit(s, "weight.age = 7");		/* no longer equal to the file */
	stage_keys(s, "q");
	assert_false(s->effects & APP_QUIT);
	stage_sees(s, "3 edits are not saved");
	stage_keys(s, "___q");
	assert_true(s->effects & APP_QUIT);
	stage_leave(s);
}

/* The help names every key of the panel with its present binding. */
static void test_help_of_panel(void **state)
{
	struct stage *s = *state = open_stage();

	stage_resize(s, 120, 200);
	stage_keys(s, ":bind Z movers<Enter>:unbind M<Enter>?");
	stage_sees(s, "In the what-if panel");
	for (size_t i = 0; whatif_pane.keys[i].command; i++) {
		char titles[40], line[80];

		pane_key_titles(s->app, &whatif_pane.keys[i], s->app->ascii, titles,
				sizeof(titles));
		assert_true(titles[0] != '\0');
		stage_sees(s, titles);
		snprintf(line, sizeof(line), "%s", whatif_pane.keys[i].help);
		stage_sees(s, line);
	}
	stage_sees(s, "Z             movers");
}

/* Names with special characters: in targets, in the panel, in an export. */
static void test_hostile(void **state)
{
	struct stage *s = *state =
		stage("a=b;`touch%20x`#% 4\n\t+o'brien 3 900\n\t+x 1 1\nq 2\n\t+y 1 3\n");

	stage_keys(s, ":fold-depth 9<Enter>ww<Tab>ji");
	stage_keys(s, "<Backspace>9<Enter>w");
	assert_int_equal(whatif_count(s->app), 1);
	stage_sees(s, "WHAT-IF 1 edit");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		stage_test(test_change_again), stage_test(test_edit),
		stage_test(test_undo_is_the_base),
		stage_test(test_flip),	   stage_test(test_refused),
		stage_test(test_completion), stage_test(test_sliders),
		stage_test(test_lines),	   stage_test(test_mouse),
		stage_test(test_in_place),   stage_test(test_movers),
		stage_test(test_in_place_compared), stage_test(test_flip_everywhere),
		stage_test(test_summary), stage_test(test_beside),
		stage_test(test_filter),
		stage_test(test_ascii),	   stage_test(test_sets),
		stage_test(test_refresh),	   stage_test(test_reload),
		cmocka_unit_test_setup_teardown(test_files, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(test_hidden, scratch_open, scratch_close),
		stage_test(test_hostile),
		stage_test(test_lint),	   stage_test(test_lint_several),
		stage_test(test_forecast),   stage_test(test_forecast_follows),
		stage_test(test_help_of_panel), stage_test(test_start_now),
		stage_test(test_settings),
		cmocka_unit_test_setup_teardown(test_leaving, scratch_open, scratch_close),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
