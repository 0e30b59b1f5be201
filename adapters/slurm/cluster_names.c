/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cluster of outputs. Commands run with -M print a section for each cluster, sacctmgr a
 * column, a configuration its own name.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/text_table.h"
#include "core/base/format.h"
#include "core/base/mem.h"

#define HEAD_BYTES 16384	/* searched for a header */
#define NAMES_MAX 64		/* names of clusters, counted per text */

static const char section[] = "CLUSTER: ";	/* squeue, sshare, sprio, sinfo with -M */

struct naming {
	const struct slurm_texts *texts;
	size_t count;
	struct names_named {
		enum slurm_kind kind;
		char name[128];
	} list[NAMES_MAX];
};

/* ---- names --------------------------------------------------------------------------------- */

static bool names_is_named(const struct naming *n, enum slurm_kind kind, struct slice name)
{
	for (size_t i = 0; i < n->count; i++) {
		if (n->list[i].kind == kind && slice_same(name, n->list[i].name))
			return true;
	}
	return false;
}

static void names_add_name(struct naming *n, enum slurm_kind kind, struct slice name)
{
	struct names_named *new = &n->list[n->count];

	if (slice_absent(name) || name.length >= sizeof(new->name) || n->count == NAMES_MAX ||
	    names_is_named(n, kind, name))
		return;
	new->kind = kind;
	memcpy(new->name, name.at, name.length);
	new->name[name.length] = '\0';
	n->count++;
}

/* The word behind PREFIX, quoted or not: "CLUSTER: lab", "Cluster - 'lab':Fairshare=1". */
static struct slice word_behind(struct slice line, const char *prefix)
{
	size_t n = 0;

	if (!slice_take(&line, prefix))
		return (struct slice){ "", 0 };
	(void)slice_take(&line, "'");
	while (n < line.length && !strchr(" ':", line.at[n]))
		n++;
	return (struct slice){ line.at, n };
}

static void add_lines(struct naming *n, enum slurm_kind kind, const char *prefix)
{
	const struct slurm_text *text = &n->texts->kind[kind];
	struct slice rest = { text->text, text->length }, line;

	while (slice_line(&rest, &line))
		names_add_name(n, kind, word_behind(line, prefix));
}

static void names_add_column(struct naming *n, enum slurm_kind kind)
{
	struct slurm_text text = n->texts->kind[kind];
	const char *end = text.text + text.length;
	struct text_table t;
	enum table_row row;

	if (text.length > HEAD_BYTES)
		text.length = HEAD_BYTES;
	if (!table_open(&t, &text, "Cluster", false, NULL))
		return;
	t.rest.length = (size_t)(end - t.rest.at);
	while ((row = table_next(&t, NULL)) != TABLE_END) {
		if (row == TABLE_ROW && !table_is_cut(&t, t.key))
			names_add_name(n, kind, table_cell(&t, t.key));
	}
}

/* "cluster": "lab"; in a federation each job has its own, and the text names none. */
static void add_json(struct naming *n, enum slurm_kind kind)
{
	static const char key[] = "\"cluster\"";
	const struct slurm_text *text = &n->texts->kind[kind];
	struct slice rest = { text->text, text->length }, name, first = { "", 0 };
	const char *at;

	while ((at = memmem(rest.at, rest.length, key, sizeof(key) - 1))) {
		rest = slice_from(rest, (size_t)(at - rest.at) + sizeof(key) - 1);
		rest = slice_from(rest, strspn(rest.at, " :"));
		if (!slice_starts(rest, "\"") || !slice_piece(&rest, '"', &name) ||
		    !slice_piece(&rest, '"', &name) || name.length == 0)
			continue;
		if (first.length > 0 && !slice_equal(first, name))
			return;
		first = name;
	}
	names_add_name(n, kind, first);
}

static bool names_take_cluster(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct naming *n = context;

	(void)err;
	if (slice_same(pair->head, "ClusterName") || slice_same(pair->key, "ClusterName"))
		names_add_name(n, SLURM_CONF, pair->value);
	return true;
}

static void add_config(struct naming *n)
{
	const struct slurm_text *text = &n->texts->kind[SLURM_CONFIG];
	struct slice rest = { text->text, text->length }, line, key;

	while (slice_line(&rest, &line)) {
		if (slice_piece(&line, '=', &key) && slice_is(slice_trim(key), "ClusterName"))
			names_add_name(n, SLURM_CONFIG, slice_trim(line));
	}
}

static void add_names(struct naming *n, enum slurm_kind kind)
{
	switch (kind) {
	case SLURM_CONF:
		slurm_conf_scan(&n->texts->kind[kind], names_take_cluster, n, NULL);
		return;
	case SLURM_CONFIG:
		add_config(n);
		return;
	case SLURM_ASSOC_MGR:
		add_lines(n, kind, "ClusterName=");
		return;
	case SLURM_DUMP:
		add_lines(n, kind, "Cluster - ");
		return;
	case SLURM_SQUEUE_JSON:
	case SLURM_SSHARE_JSON:
		add_json(n, kind);
		break;
	case SLURM_CLUSTER:
	case SLURM_USER:
	case SLURM_ASSOC:
	case SLURM_SSHARE:
	case SLURM_SQUEUE:
	case SLURM_SQUEUE_LONG:
	case SLURM_SPRIO:
	case SLURM_SPRIO_NORM:
	case SLURM_WEIGHTS:
		names_add_column(n, kind);
		break;
	default:
		return;
	}
	add_lines(n, kind, section);
}

void slurm_config_cluster(const struct slurm_texts *texts, enum slurm_kind kind, char *name,
			  size_t size)
{
	struct naming n = { .texts = texts };

	add_names(&n, kind);
	(void)snprintf(name, size, "%s", n.count > 0 ? n.list[n.count - 1].name : "");
}

/* ---- choosing ------------------------------------------------------------------------------ */

/* Do the rows belong to the named clusters? False for a configuration and a list of clusters. */
static bool has_rows(enum slurm_kind kind)
{
	return kind != SLURM_CONF && kind != SLURM_CONFIG && kind != SLURM_CLUSTER;
}

/* The only name in texts of KIND, NULL if there are several or none. */
static const char *only_name(const struct naming *n, enum slurm_kind kind)
{
	const char *name = NULL;

	for (size_t i = 0; i < n->count; i++) {
		if (n->list[i].kind != kind)
			continue;
		if (name)
			return NULL;
		name = n->list[i].name;
	}
	return name;
}

/* Is NAME in all texts with rows that name a cluster (is_somewhere(): in one of them)? */
static bool is_everywhere(const struct naming *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++) {
		if (has_rows(n->list[i].kind) &&
		    !names_is_named(n, n->list[i].kind, slice_of(name)))
			return false;
	}
	return true;
}

static bool has_any_rows(const struct naming *n)
{
	for (size_t i = 0; i < n->count; i++) {
		if (has_rows(n->list[i].kind))
			return true;
	}
	return false;
}

static bool is_somewhere(const struct naming *n, const char *name)
{
	for (size_t i = 0; i < n->count; i++) {
		if (has_rows(n->list[i].kind) && strcasecmp(n->list[i].name, name) == 0)
			return true;
	}
	return false;
}

/*
 * The only name that all texts with rows have in common: shares and jobs of it are shown, and a
 * configuration is used if it is of that cluster. Among several: the configured one, or the only
 * one in sacctmgr's output. NULL: undecided.
 */
static const char *names_choose(const struct naming *n)
{
	const char *named[] = { only_name(n, SLURM_CONFIG), only_name(n, SLURM_CONF),
				only_name(n, SLURM_CLUSTER) };
	const char *common = NULL;
	bool several = false;

	for (size_t i = 0; i < n->count; i++) {
		const char *name = n->list[i].name;

		if (!has_rows(n->list[i].kind) || !is_everywhere(n, name) ||
		    (common && strcasecmp(common, name) == 0))
			continue;
		several = several || common;
		common = name;
	}
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (named[i] && (!has_any_rows(n) || is_somewhere(n, named[i])))
			return named[i];
	}
	return several ? NULL : common;
}

/* "a (sshare.txt), b (sshare.txt)" */
static void names_list_names(const struct naming *n, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < n->count; i++)
		format_append(text, size, "%s%s (%s)", i > 0 ? ", " : "", n->list[i].name,
			      n->texts->kind[n->list[i].kind].name);
}

/* Blanks out the sections of other clusters, if TEXT has any. */
static void keep_section(struct slurm_text *text, const char *cluster)
{
	struct slice rest = { text->text, text->length }, line;
	bool ours = !memmem(text->text, text->length, section, sizeof(section) - 1);

	while (slice_line(&rest, &line)) {
		bool head = slice_starts(line, section);

		if (head)
			ours = slice_same(word_behind(line, section), cluster);
		if (!ours || head)
			memset((char *)(uintptr_t)line.at, ' ', line.length);
	}
}

/* A text that names CLUSTER, preferably one with rows. */
static const char *who_names(const struct naming *n, const char *cluster)
{
	const char *who = NULL;

	for (size_t i = 0; i < n->count; i++) {
		if (strcasecmp(n->list[i].name, cluster) == 0 &&
		    (!who || has_rows(n->list[i].kind)))
			who = n->texts->kind[n->list[i].kind].name;
	}
	return who;
}

/* Removes what belongs to other clusters. */
static void keep_cluster(struct slurm_texts *texts, const struct naming *n, const char *cluster,
			 struct builder *b)
{
	const char *who = who_names(n, cluster);

	for (size_t i = 0; i < n->count; i++) {
		struct slurm_text *text = &texts->kind[n->list[i].kind];

		if (!text->text || names_is_named(n, n->list[i].kind, slice_of(cluster)))
			continue;
		builder_note(b, has_rows(n->list[i].kind) ? "cluster" : "policy", "%s is not read: "
			     "it is from cluster %s, %s is from %s", text->name,
			     n->list[i].name, who, cluster);
		mem_free((char *)(uintptr_t)text->text);
		text->text = NULL;
	}
	for (int kind = 0; kind < SLURM_KINDS; kind++) {
		if (texts->kind[kind].text)
			keep_section(&texts->kind[kind], cluster);
	}
}

bool slurm_keep_cluster(struct slurm_texts *texts, char *cluster, size_t size, struct builder *b,
			struct err *err)
{
	struct naming n = { .texts = texts };
	char names[300];
	const char *name;

	for (enum slurm_kind kind = 0; kind < SLURM_KINDS; kind++) {
		if (texts->kind[kind].text)
			add_names(&n, kind);
	}
	names_list_names(&n, names, sizeof(names));
	if (cluster[0] && n.count > 0 && !who_names(&n, cluster))
		return err_set(err, ERR_INPUT, "cluster=%s: no output names it (expected one of "
			       "%s)", cluster, names);
	name = cluster[0] ? cluster : names_choose(&n);
	if (!name && has_any_rows(&n))
		return err_set(err, ERR_INPUT, "outputs of several clusters: %s (expected one, or "
			       "slurm:DIR,cluster=NAME, to select one)", names);
	if (!name)
		return true;
	if (name != cluster)
		(void)snprintf(cluster, size, "%s", name);
	keep_cluster(texts, &n, cluster, b);
	return true;
}
