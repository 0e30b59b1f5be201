/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs:DIR and pbs:FILE: saved outputs of PBS's commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/pbs/pbs_text.h"
#include "adapters/read_once.h"
#include "core/base/mem.h"
#include "core/base/unknown.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)
#define WORDS_BYTES_MAX ((size_t)1 << 20)
#define HEAD_BYTES 1000		/* within which an output shows what it is */

#define JOBS "jobs; as a manager also euser, egroup, schedselect and the zone of the times"
#define TREE "the fair-share tree"

const struct pbs_dir_file pbs_dir_files[] = {
	{ "qstat_ft.json", PBS_JOBS, "qstat -f -t -F json", JOBS },
	{ "qstat_ft_json.json", PBS_JOBS, "qstat -f -t -F json", JOBS },
	{ "qstat_f.json", PBS_JOBS, "qstat -f -F json", "the same but for running subjobs" },
	{ "qstat_f_json.json", PBS_JOBS, "qstat -f -F json", "the same but for running subjobs" },
	{ "qstat_Bf.json", PBS_SERVER, "qstat -B -f -F json", "the server and its limits" },
	{ "qstat_Bf_json.json", PBS_SERVER, "qstat -B -f -F json", "the server and its limits" },
	{ "qstat_Qf.json", PBS_QUEUE, "qstat -Q -f -F json", "queues and their limits" },
	{ "qstat_Qf_json.json", PBS_QUEUE, "qstat -Q -f -F json", "queues and their limits" },
	{ "pbsnodes_av.json", PBS_NODES, "pbsnodes -av -F json", "virtual nodes" },
	{ "pbsnodes_av_json.json", PBS_NODES, "pbsnodes -av -F json", "virtual nodes" },
	{ "pbsnodes_a_json.json", PBS_NODES, "pbsnodes -a -F json", "nodes" },
	{ "qmgr_list_sched.txt", PBS_SCHED, "qmgr -c 'list sched'", "schedulers, formula" },
	{ "list_sched.txt", PBS_SCHED, "qmgr -c 'list sched'", "schedulers, formula" },
	{ "sched_config", PBS_CONFIG, "", "from sched_priv: fair-share settings, resources" },
	{ "holidays", PBS_HOLIDAYS, "", "from sched_priv: which of its settings hold now" },
	{ "resource_group", PBS_GROUP, "", "from sched_priv: " TREE " and its shares" },
	{ "usage", PBS_USAGE, "", "from sched_priv: usage with all digits, last decay" },
	{ "usage.bin", PBS_USAGE, "", "the same" },
	{ "pbsfs.txt", PBS_FS, "pbsfs", TREE " with whole numbers; what verify compares with" },
	{ "pbs_rstat_F.txt", PBS_RESV, "pbs_rstat -F", "reservations: which vnodes, and when" },
	{ "sched_log", PBS_LOG, "", "from sched_logs: values of job_sort_formula, for verify" },
	{ "cycle1.sched_log", PBS_LOG, "", "the same" },
};
const size_t pbs_dir_files_count = sizeof(pbs_dir_files) / sizeof(pbs_dir_files[0]);

/* ---- what a file is -------------------------------------------------------------------------- */

static bool holds(const char *name, const char *part)
{
	return strstr(name, part) != NULL;
}

/* The top-level member stands at the head; without one it is what the name says, else jobs. */
static enum pbs_kind json_kind(const char *name, const char *head)
{
	static const struct {
		const char *key, *part;
		enum pbs_kind kind;
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
		if (holds(name, kinds[i].part))
			return kinds[i].kind;
	}
	return PBS_JOBS;
}

/* What a text is, told by its content; PBS_KINDS if by none. NAME tells resource_group apart. */
static enum pbs_kind pbs_kind_of(const char *name, const char *text, size_t length)
{
	char head[HEAD_BYTES + 1];
	size_t n = length < HEAD_BYTES ? length : HEAD_BYTES, blank;

	memcpy(head, text, n);
	head[n] = '\0';
	blank = strspn(head, " \t\r\n");
	if (n >= 8 && memcmp(head, "PBS_MAG!", 8) == 0)
		return PBS_USAGE;
	if (head[blank] == '{')
		return json_kind(name, head);
	if (strncmp(head + blank, "Sched ", 6) == 0)
		return PBS_SCHED;
	if (strncmp(head + blank, "Resv ID: ", 9) == 0)
		return PBS_RESV;
	if (strncmp(head, "Fairshare usage units", 21) == 0)
		return PBS_FS;
	if (holds(name, "resource_group"))
		return PBS_GROUP;
	return holds(name, "sched_config") ? PBS_CONFIG : PBS_KINDS;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* While it is read. */
struct saved {
	struct pbs_texts texts;
	char *complaints[PBS_KINDS];
};

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The last line of PATH.err, what the command said; NULL if there is none. */
static char *read_complaint(const char *path)
{
	char name[4096];
	size_t length, from;
	char *text, *line;

	if (snprintf(name, sizeof(name), "%s.err", path) >= (int)sizeof(name) || !is_file(name))
		return NULL;
	text = file_read(name, WORDS_BYTES_MAX, &length, NULL);
	if (!text)
		return NULL;
	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
	/* pbsfs ends what it says with a line ": Success". */
	while (length > 10 && strcmp(text + length - 10, "\n: Success") == 0)
		text[length -= 10] = '\0';
	for (from = length; from > 0 && text[from - 1] != '\n';)
		from--;
	line = length > 0 ? mem_strdup(text + from) : NULL;
	mem_free(text);
	return line;
}

/* Reads PATH; its kind is KIND, or is told by its content for PBS_KINDS. */
static bool read_one(struct saved *s, const char *path, const char *name, enum pbs_kind kind,
		     struct err *err)
{
	struct stat st;
	struct pbs_text *t;
	size_t length;
	char *text = file_read(path, FILE_BYTES_MAX, &length, err);

	if (!text)
		return false;
	if (kind == PBS_KINDS)
		kind = pbs_kind_of(name, text, length);
	if (kind == PBS_KINDS) {
		char *complaint = length == 0 ? read_complaint(path) : NULL;
		bool down = complaint && strstr(complaint, "cannot connect");
		const char *why = complaint ? complaint :
			length == 0 ? "empty (expected a saved output of PBS's commands)" :
			"no output of PBS that is understood (expected qstat -f, -Q, -B or "
			"pbsnodes with -F json, qmgr -c 'list sched', pbsfs, or a file of "
			"sched_priv)";

		err_set(err, down ? ERR_SOURCE : ERR_INPUT, "%.300s: %.200s", path, why);
		mem_free(complaint);
		mem_free(text);
		return false;
	}
	t = &s->texts.kind[kind];
	s->complaints[kind] = read_complaint(path);
	*t = (struct pbs_text){ name, text, length, s->complaints[kind], false };
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > s->texts.time)
		s->texts.time = (int64_t)st.st_mtime;
	return true;
}

static bool read_directory(struct saved *s, const char *dir, struct err *err)
{
	for (size_t i = 0; i < pbs_dir_files_count; i++) {
		const struct pbs_dir_file *file = &pbs_dir_files[i];
		char path[4096];

		if (s->texts.kind[file->kind].text ||
		    snprintf(path, sizeof(path), "%s/%s", dir, file->name) >=
			    (int)sizeof(path) ||
		    !is_file(path))
			continue;
		if (!read_one(s, path, file->name, file->kind, err))
			return false;
	}
	return true;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool read_outputs(const char *path, struct builder *b, struct err *err)
{
	struct saved s = { .texts.time = I64_UNKNOWN };
	struct stat st;
	bool single = stat(path, &st) < 0 || !S_ISDIR(st.st_mode);
	bool good = single ? read_one(&s, path, base_name(path), PBS_KINDS, err) :
			     read_directory(&s, path, err);

	if (good && !pbs_text_build(&s.texts, b, err)) {
		if (!single)
			err_prefix(err, "%.300s", path);
		good = false;
	}
	for (int i = 0; i < PBS_KINDS; i++) {
		mem_free(s.texts.kind[i].text);
		mem_free(s.complaints[i]);
	}
	return good;
}

static bool any_file(const char *dir)
{
	char path[4096];

	for (size_t i = 0; i < pbs_dir_files_count; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir, pbs_dir_files[i].name) <
			    (int)sizeof(path) && is_file(path))
			return true;
	}
	return false;
}

struct source *pbs_saved_open(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		err_set(err, ERR_INPUT, "%.300s: %s", path, strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st.st_mode) && !any_file(path)) {
		err_set(err, ERR_INPUT,
			"%.300s: no saved output of PBS's commands (expected files like "
			"qstat_f.json, qstat_Qf.json, qstat_Bf.json, pbsfs.txt, resource_group; "
			"fairtop-source(5) lists all)",
			path);
		return NULL;
	}
	return read_once_open("pbs", path, "saved outputs", read_outputs);
}
