/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pbs:DIR and pbs:FILE: saved outputs of PBS's commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/pasted.h"
#include "adapters/pbs/pbs.h"
#include "adapters/pbs/pbs_text.h"
#include "adapters/slice.h"
#include "core/base/mem.h"
#include "core/base/unknown.h"

#define WORDS_BYTES_MAX ((size_t)1 << 20)
#define HEAD_BYTES 1000		/* an output is recognised within so many bytes */

#define JOBS "jobs; as a manager also euser, egroup, schedselect and the time zone"
#define TREE "the fair-share tree"

const struct saved_file pbs_dir_files[] = {
	{ "qstat_ft.json", PBS_JOBS, "qstat -f -t -F json", JOBS },
	{ "qstat_ft_json.json", PBS_JOBS, "qstat -f -t -F json", JOBS },
	{ "qstat_f.json", PBS_JOBS, "qstat -f -F json", "the same except running subjobs" },
	{ "qstat_f_json.json", PBS_JOBS, "qstat -f -F json", "the same except running subjobs" },
	{ "qstat_ft.txt", PBS_JOBS, "qstat -f -t", "the same, as plain text" },
	{ "qstat_f.txt", PBS_JOBS, "qstat -f", "the same except running subjobs" },
	{ "qstat_fw.txt", PBS_JOBS, "qstat -f -w", "the same except running subjobs" },
	{ "qstat_Bf.json", PBS_SERVER, "qstat -B -f -F json", "the server and its limits" },
	{ "qstat_Bf_json.json", PBS_SERVER, "qstat -B -f -F json", "the server and its limits" },
	{ "qstat_Bf.txt", PBS_SERVER, "qstat -B -f", "the same" },
	{ "qstat_Qf.json", PBS_QUEUE, "qstat -Q -f -F json", "queues and their limits" },
	{ "qstat_Qf_json.json", PBS_QUEUE, "qstat -Q -f -F json", "queues and their limits" },
	{ "qstat_Qf.txt", PBS_QUEUE, "qstat -Q -f", "the same" },
	{ "qmgr_print_server.txt", PBS_SERVER, "qmgr -c 'print server'",
	  "settings of the server" },
	{ "qmgr_print_server.txt", PBS_QUEUE, "qmgr -c 'print server'", "settings of the queues" },
	{ "qmgr_list_server.txt", PBS_SERVER, "qmgr -c 'list server'", "the server" },
	{ "qmgr_list_queue.txt", PBS_QUEUE, "qmgr -c 'list queue'", "queues" },
	{ "pbsnodes_av.json", PBS_NODES, "pbsnodes -av -F json", "virtual nodes" },
	{ "pbsnodes_av_json.json", PBS_NODES, "pbsnodes -av -F json", "virtual nodes" },
	{ "pbsnodes_a_json.json", PBS_NODES, "pbsnodes -a -F json", "nodes" },
	{ "pbsnodes_av.txt", PBS_NODES, "pbsnodes -av", "virtual nodes" },
	{ "pbsnodes_a.txt", PBS_NODES, "pbsnodes -a", "nodes" },
	{ "qmgr_list_sched.txt", PBS_SCHED, "qmgr -c 'list sched'", "schedulers, formula" },
	{ "list_sched.txt", PBS_SCHED, "qmgr -c 'list sched'", "schedulers, formula" },
	{ "qmgr_print_sched.txt", PBS_SCHED, "qmgr -c 'print sched'", "the same" },
	{ "sched_config", PBS_CONFIG, "", "from sched_priv: fair-share settings, resources" },
	{ "holidays", PBS_HOLIDAYS, "", "from sched_priv: which of its settings apply now" },
	{ "resource_group", PBS_GROUP, "", "from sched_priv: " TREE " and its shares" },
	{ "usage", PBS_USAGE, "", "from sched_priv: usage with all digits, last decay" },
	{ "usage.bin", PBS_USAGE, "", "the same" },
	{ "pbsfs.txt", PBS_FS, "pbsfs", TREE " with whole numbers; verify compares with it" },
	{ "pbs_rstat_F.txt", PBS_RESV, "pbs_rstat -F", "reservations: vnodes and times" },
	{ "sched_log", PBS_LOG, "", "from sched_logs: values of job_sort_formula, reasons" },
	{ "cycle1.sched_log", PBS_LOG, "", "the same" },
	{ .name = NULL },
};

/* ---- what a file is -------------------------------------------------------------------------- */

static bool saved_holds(const char *name, const char *part)
{
	return strstr(name, part) != NULL;
}

/* The top-level member of the head decides; without one the name, else it is jobs. */
static enum pbs_text_kind saved_json_kind(const char *name, const char *head)
{
	static const struct {
		const char *key, *part;
		enum pbs_text_kind kind;
	} kinds[] = {
		{ "\"Jobs\":", "", PBS_JOBS }, { "\"Queue\":", "Qf", PBS_QUEUE },
		{ "\"Server\":", "Bf", PBS_SERVER }, { "\"nodes\":", "pbsnodes", PBS_NODES },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strstr(head, kinds[i].key))
			return kinds[i].kind;
	}
	if (!strstr(head, "\"pbs_version\":"))
		return PBS_KINDS;
	for (size_t i = 1; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (saved_holds(name, kinds[i].part))
			return kinds[i].kind;
	}
	return PBS_JOBS;
}

static bool saved_is_usage(const char *text, size_t length)
{
	return length >= 8 && memcmp(text, "PBS_MAG!", 8) == 0;
}

/* Start of the JSON object in TEXT; NULL: no line begins with a brace. */
static const char *json_of(const char *text, size_t length)
{
	struct slice rest = { text, length }, line;

	while (slice_line(&rest, &line)) {
		if (slice_starts(line, "{"))
			return line.at;
	}
	return NULL;
}

/*
 * The kind of a text that is not a list of stanzas, by its content; PBS_KINDS if unknown. NAME
 * identifies resource_group.
 */
static enum pbs_text_kind pbs_kind_of(const char *name, const char *text, size_t length)
{
	char head[HEAD_BYTES + 1];
	const char *json = json_of(text, length);
	size_t n;

	if (saved_is_usage(text, length))
		return PBS_USAGE;
	if (saved_holds(name, "resource_group"))
		return PBS_GROUP;
	if (saved_holds(name, "sched_config"))
		return PBS_CONFIG;
	n = json ? length - (size_t)(json - text) : length;
	n = n < HEAD_BYTES ? n : HEAD_BYTES;
	memcpy(head, json ? json : text, n);
	head[n] = '\0';
	if (json)
		return saved_json_kind(name, head);
	if (strncmp(head, "Resv ID: ", 9) == 0)
		return PBS_RESV;
	return strncmp(head, "Fairshare usage units", 21) == 0 ? PBS_FS : PBS_KINDS;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* The state while files are read. */
struct saved {
	struct pbs_texts texts;
	char sched[PBS_SCHED_MAX];	/* the requested one; "" */
	char *complaints[PBS_KINDS];
};

/* The last line of PATH.err, the command's message; NULL if there is none. */
static char *read_complaint(const char *path)
{
	char name[4096];
	size_t length, from;
	char *text, *line;

	if (snprintf(name, sizeof(name), "%s.err", path) >= (int)sizeof(name) ||
	    !file_is_regular(name))
		return NULL;
	text = file_read(name, WORDS_BYTES_MAX, &length, NULL);
	if (!text)
		return NULL;
	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
	/* pbsfs ends its messages with a line ": Success". */
	while (length > 10 && strcmp(text + length - 10, "\n: Success") == 0)
		text[length -= 10] = '\0';
	for (from = length; from > 0 && text[from - 1] != '\n';)
		from--;
	line = length > 0 ? mem_strdup(text + from) : NULL;
	mem_free(text);
	return line;
}

/* Detects the short tables, which lack most values, by their headers. */
static const char *short_table(const char *text)
{
	static const struct { const char *head, *what; } tables[] = {
		{ "Job id ", "the table of qstat (expected qstat -f -t, or with -F json)" },
		{ "Job ID ", "the table of qstat -a (expected qstat -f -t, or with -F json)" },
		{ "Queue  ", "the table of qstat -Q (expected qstat -Q -f)" },
		{ "Server  ", "the table of qstat -B (expected qstat -B -f)" },
		{ "vnode  ", "the table of pbsnodes -aS (expected pbsnodes -av)" },
	};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !found; i++) {
		const char *at = strstr(text, tables[i].head);

		if (at && (at == text || at[-1] == '\n'))
			found = tables[i].what;
	}
	return found;
}

/* Sets ERR: why PATH with TEXT cannot be read; SAID is from standard error. */
static bool saved_refuse(const char *path, const char *text, const char *said, struct err *err)
{
	char *complaint = *text ? NULL : read_complaint(path);
	const char *why = complaint ? complaint : short_table(text);
	bool down;

	if (!why && *said)
		why = said;
	down = why && strstr(why, "cannot connect");
	if (!why)
		why = *text ? "not a known output of PBS (expected qstat -f, -Q -f, -B -f or "
			      "pbsnodes -av, with -F json or without, qmgr -c 'list sched' or "
			      "'print server', pbsfs, or a file of sched_priv)" :
			      "empty (expected a saved output of PBS's commands)";
	err_about(err, down ? ERR_SOURCE : ERR_INPUT, path, "%s", why);
	mem_free(complaint);
	return false;
}

/* Adds the command's message on standard error to the text added as NAME. */
static void add_complaint(struct saved *s, const char *path, const char *name)
{
	for (int k = 0; k < PBS_KINDS; k++) {
		struct pbs_text *t = &s->texts.kind[k];

		if (t->text && t->name == name && !s->complaints[k])
			t->complaint = s->complaints[k] = read_complaint(path);
	}
}

/*
 * Adds TEXT of PATH to the texts; frees it if it is not kept. Its content decides the kind; else
 * its name does: KIND (PBS_KINDS: none).
 */
static bool take_text(struct saved *s, const char *path, const char *name, enum pbs_text_kind kind,
		      char *text, size_t length, struct err *err)
{
	char said[200] = "";
	enum pbs_text_kind own;

	if (kind != PBS_USAGE && !saved_is_usage(text, length))
		pasted_clean(text, &length);
	own = pbs_kind_of(name, text, length);
	if (own == PBS_KINDS &&
	    pbs_stanzas_take(&s->texts, name, text, length, said, sizeof(said))) {
		mem_free(text);
		return true;
	}
	if (own == PBS_KINDS && (length == 0 || !pbs_is_json(kind)))
		own = kind;
	if (own == PBS_KINDS) {
		(void)saved_refuse(path, text, said, err);
		mem_free(text);
		return false;
	}
	if (pbs_is_json(own))
		pasted_json(text, length, said, sizeof(said));
	if (s->texts.kind[own].text) {
		mem_free(text);
		return true;
	}
	s->texts.kind[own] = (struct pbs_text){ .name = name, .text = text, .length = length };
	(void)snprintf(s->texts.said[own], sizeof(said), "%s", said);
	return true;
}

/* Reads PATH; its content decides its kind, else it is KIND. */
static bool saved_read_one(struct saved *s, const char *path, const char *name,
			   enum pbs_text_kind kind, struct err *err)
{
	struct stat st;
	size_t length;
	char *text = file_read(path, FILE_BYTES_MAX, &length, err);

	if (!text || !take_text(s, path, name, kind, text, length, err))
		return false;
	add_complaint(s, path, name);
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > s->texts.time)
		s->texts.time = (int64_t)st.st_mtime;
	return true;
}

/* The path of FILE in DIR, if it exists. */
static bool find_file(const struct saved *s, const char *dir, const struct saved_file *file,
		      char *path, size_t size)
{
	const char *below = s->texts.sched && pbs_is_priv(file->kind) ? "/sched_priv_" : "";

	return snprintf(path, size, "%s%s%s/%s", dir, below, *below ? s->texts.sched : "",
			file->name) < (int)size && file_is_regular(path);
}

static bool read_directory(struct saved *s, const char *dir, struct err *err)
{
	for (const struct saved_file *file = pbs_dir_files; file->name; file++) {
		char path[4096];

		if (s->texts.kind[file->kind].text || !find_file(s, dir, file, path, sizeof(path)))
			continue;
		if (!saved_read_one(s, path, file->name, file->kind, err))
			return false;
	}
	return true;
}

bool pbs_sched_take(const char *name, char sched[PBS_SCHED_MAX])
{
	bool is_default = strcmp(name, "default") == 0;

	/* The name is used for a directory, too. */
	return !strchr(name, '/') && *name &&
	       snprintf(sched, PBS_SCHED_MAX, "%s", is_default ? "" : name) < PBS_SCHED_MAX;
}

static void saved_split_path(const char *spec, char path[4096], char name[PBS_SCHED_MAX])
{
	file_split_option(spec, ",sched=", path, 4096, name, PBS_SCHED_MAX);
}

bool pbs_is_saved(const char *spec)
{
	char path[4096], name[PBS_SCHED_MAX];
	struct stat st;

	saved_split_path(spec, path, name);
	return stat(path, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
}

static bool saved_read_outputs(const char *spec, struct builder *b, struct err *err)
{
	struct saved s = { .texts.time = I64_UNKNOWN };
	char path[4096], name[PBS_SCHED_MAX];
	struct stat st;
	bool single, good;

	saved_split_path(spec, path, name);
	if (strcmp(path, spec) != 0 && !pbs_sched_take(name, s.sched))
		return err_set(err, ERR_INPUT, "sched=%s: expected the name of a scheduler", name);
	s.texts.sched = s.sched[0] ? s.sched : NULL;
	single = stat(path, &st) < 0 || !S_ISDIR(st.st_mode);
	good = single ? saved_read_one(&s, path, path + file_directory(path), PBS_KINDS, err) :
			read_directory(&s, path, err);
	if (good && !pbs_text_build(&s.texts, b, err))
		good = single ? err_join(err, path, file_directory(path), "") :
				err_join(err, path, strlen(path), "/");
	good = good && pbs_text_check_sched(&s.texts, b, err);
	for (int i = 0; i < PBS_KINDS; i++) {
		mem_free(s.texts.kind[i].text);
		mem_free(s.complaints[i]);
	}
	return good;
}

static bool any_file(const char *dir)
{
	char path[4096];

	for (const struct saved_file *file = pbs_dir_files; file->name; file++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir, file->name) < (int)sizeof(path) &&
		    file_is_regular(path))
			return true;
	}
	return false;
}

struct source *pbs_saved_open(const char *spec, struct err *err)
{
	char path[4096], name[PBS_SCHED_MAX];
	struct stat st;

	saved_split_path(spec, path, name);
	if (stat(path, &st) < 0) {
		err_about(err, ERR_INPUT, path, "%s", strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st.st_mode) && !any_file(path)) {
		err_about(err, ERR_INPUT, path,
			  "no saved output of PBS's commands (expected files like qstat_f.json, "
			  "qstat_Qf.json, qstat_Bf.json, pbsfs.txt, resource_group; "
			  "fairtop-source(5) lists all)");
		return NULL;
	}
	return read_once_open("pbs", spec, "saved outputs", saved_read_outputs);
}
