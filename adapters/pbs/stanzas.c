/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form that PBS prints for people: qstat -f, -Qf and -Bf, pbsnodes -a, qmgr's list and print.
 *
 * It is converted to what the parsers read: for jobs, queues, the server and nodes the JSON of -F
 * json, with every value a text; for schedulers the output of qmgr -c 'list sched'. So there is one
 * parser for both forms. A stanza is a head ("Job Id: 1.pbs", "Queue: workq", the name of a node)
 * and attributes ("    Resource_List.ncpus = 4"); a long value continues in lines that begin with a
 * tab, cut anywhere. An attribute of several values may have a line for each. qmgr print has
 * commands: "create queue workq", "set queue workq max_run += [u:ann=2]".
 */
#include <stdio.h>
#include <string.h>

#include "adapters/pasted.h"
#include "adapters/pbs/pbs_text.h"
#include "adapters/slice.h"
#include "core/base/bytes.h"
#include "core/base/jsonw.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"

#define TAB_BLANKS 8		/* blanks that a terminal shows for a tab */
#define FOLDED_MIN 50		/* fewest bytes of name and value that PBS folds */

static const struct stanza_form {
	enum pbs_text_kind kind;
	const char *key;		/* of the JSON; NULL: text */
	const char *shown, *listed;	/* heads of qstat and of qmgr list; NULL */
	const char *object;		/* of qmgr print */
} forms[] = {
	{ PBS_JOBS, "Jobs", "Job Id: ", NULL, NULL },
	{ PBS_QUEUE, "Queue", "Queue: ", "Queue ", "queue" },
	{ PBS_SERVER, "Server", "Server: ", "Server ", "server" },
	{ PBS_SCHED, NULL, NULL, "Sched ", "sched" },
	{ PBS_NODES, "nodes", NULL, NULL, NULL },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))
#define NODES (FORMS - 1)

struct stanzas {
	struct pbs_texts *texts;
	struct bytes out[FORMS];
	struct jsonw json[FORMS];
	bool begun[FORMS];
	size_t form;			/* of the open stanza; FORMS: none */
	struct bytes head, attribute, value;	/* its name; the attribute being read */
	struct bytes group;		/* "Resource_List" while its members are written */
	bool after_value;		/* the line before may continue in this one */
	bool printed;			/* qmgr print, by its first comment; else typed commands */
	size_t indent;			/* blanks before the head, and so before all its lines */
	struct idmap names;		/* the stanzas seen, by a hash of form and name */
	char said[200];			/* what is doubtful, else a message of standard error */
};

static void stanzas_put_bytes(struct bytes *b, struct slice s)
{
	b->length = 0;
	bytes_append(b, s.at, s.length);
}

static struct slice slice_of_bytes(const struct bytes *b)
{
	return (struct slice){ b->data ? b->data : "", b->length };
}

static void keep_word(char *to, size_t size, struct slice s)
{
	if (!to[0])
		(void)snprintf(to, size, "%.*s", SLICE_PRINT(s));
}

/* ---- writing ------------------------------------------------------------------------------- */

static void end_group(struct stanzas *s)
{
	if (s->group.length > 0)
		jsonw_object_end(&s->json[s->form]);
	s->group.length = 0;
}

/* "Resource_List.ncpus" is the member ncpus of an object. */
static void write_json(struct stanzas *s, struct slice name, struct slice value)
{
	struct jsonw *j = &s->json[s->form];
	const char *dot = memchr(name.at, '.', name.length);
	struct slice group = { name.at, dot ? (size_t)(dot - name.at) : 0 };

	if (!slice_equal(group, slice_of_bytes(&s->group))) {
		end_group(s);
		if (group.length > 0) {
			jsonw_key_n(j, group.at, group.length);
			jsonw_object_begin(j);
			stanzas_put_bytes(&s->group, group);
		}
	}
	if (group.length > 0)
		name = slice_from(name, group.length + 1);
	jsonw_key_n(j, name.at, name.length);
	jsonw_string_n(j, value.at, value.length);
}

/* Names that only Torque has. */
static bool is_of_torque(struct slice name)
{
	return word_listed("submit_args,fault_tolerant,np,node_check_rate,mom_job_sync",
			   name.at, name.length);
}

/* Without the blanks that pad a line; the blank behind "Begun:0 " is PBS's own. */
static struct slice stanzas_unpadded(struct slice value)
{
	struct slice trimmed = slice_trim(value);
	bool words = memchr(trimmed.at, ' ', trimmed.length) != NULL;

	return words && value.length == trimmed.length + 1 ? value : trimmed;
}

static void end_attribute(struct stanzas *s)
{
	struct slice name = slice_of_bytes(&s->attribute);
	struct slice value = stanzas_unpadded(slice_of_bytes(&s->value));
	struct bytes *out;

	if (name.length == 0)
		return;
	if (is_of_torque(name))
		(void)snprintf(s->said, sizeof(s->said), "from Torque, not PBS: its scheduler is "
			       "different, so jobs have no order, and cores of nodes=N:ppn=M and "
			       "np are not read");
	if (slice_is(name, "pbs_version"))
		keep_word(s->texts->version, sizeof(s->texts->version), value);
	if (forms[s->form].kind == PBS_JOBS && slice_is(name, "server"))
		keep_word(s->texts->server, sizeof(s->texts->server), value);
	if (forms[s->form].key) {
		write_json(s, name, value);
	} else {
		out = &s->out[s->form];
		bytes_append(out, "    ", 4);
		bytes_append(out, name.at, name.length);
		bytes_append(out, " = ", 3);
		bytes_append(out, value.at, value.length);
		bytes_append(out, "\n", 1);
	}
	s->attribute.length = 0;
}

static void end_stanza(struct stanzas *s)
{
	if (s->form == FORMS)
		return;
	end_attribute(s);
	end_group(s);
	if (forms[s->form].key)
		jsonw_object_end(&s->json[s->form]);
	s->form = FORMS;
	s->after_value = false;
}

/* If a text holds an output twice, the first stanza of each name counts. */
static bool stanzas_is_met(struct stanzas *s, size_t form, struct slice name)
{
	uint64_t hash = text_hash(name.at, name.length, form);
	bool met = idmap_has(&s->names, hash);

	idmap_put(&s->names, hash, 0);
	if (met)
		(void)snprintf(s->said, sizeof(s->said), "%.*s appears more than once: the first "
			       "counts", SLICE_PRINT(name));
	return met;
}

static void begin_stanza(struct stanzas *s, size_t form, struct slice name)
{
	struct jsonw *j = &s->json[form];
	struct bytes *out = &s->out[form];

	end_stanza(s);
	if (stanzas_is_met(s, form, name))
		return;
	s->form = form;
	stanzas_put_bytes(&s->head, name);
	if (forms[form].kind == PBS_SERVER)
		keep_word(s->texts->server, sizeof(s->texts->server), name);
	if (!forms[form].key) {
		bytes_append(out, forms[form].listed, strlen(forms[form].listed));
		bytes_append(out, name.at, name.length);
		bytes_append(out, "\n", 1);
		s->begun[form] = true;
		return;
	}
	if (!s->begun[form]) {
		jsonw_init(j, bytes_sink(out), NULL);
		jsonw_object_begin(j);
		jsonw_key(j, forms[form].key);
		jsonw_object_begin(j);
		s->begun[form] = true;
	}
	jsonw_key_n(j, name.at, name.length);
	jsonw_object_begin(j);
}

/* A further line of the same attribute is a further value. */
static void stanzas_put_attribute(struct stanzas *s, struct slice name, struct slice value)
{
	if (slice_equal(name, slice_of_bytes(&s->attribute))) {
		bytes_append(&s->value, ",", 1);
		bytes_append(&s->value, value.at, value.length);
	} else {
		end_attribute(s);
		stanzas_put_bytes(&s->attribute, name);
		stanzas_put_bytes(&s->value, value);
	}
}

/* ---- lines --------------------------------------------------------------------------------- */

/* "  name = value", "name =" and, as qmgr print has it, "name += value". */
static bool split_attribute(struct slice line, struct slice *name, struct slice *value)
{
	struct slice rest = line, word;

	if (!slice_word(&rest, name) || !slice_word(&rest, &word) ||
	    !(slice_is(word, "=") || slice_is(word, "+=")))
		return false;
	/* The value begins after one blank; it may contain blanks. */
	rest = slice_from(line, (size_t)(word.at + word.length - line.at));
	*value = slice_from(rest, rest.length > 0 && rest.at[0] == ' ');
	return true;
}

static bool next_is_attribute(struct slice rest, struct slice *name)
{
	struct slice line, value;

	return slice_line(&rest, &line) && split_attribute(line, name, &value);
}

/* A node's head is only its name, and its first attribute is one of these. */
static bool is_node(struct slice line, struct slice rest)
{
	struct slice word, name;

	return slice_word(&line, &word) && slice_trim(line).length == 0 &&
	       next_is_attribute(rest, &name) &&
	       word_listed("Mom,ntype,state,Host", name.at, name.length);
}

/* Is LINE the word HEAD followed by one word, NAME? */
static bool is_head(struct slice line, const char *head, struct slice *name)
{
	line = slice_trim(line);
	return head && slice_take(&line, head) && slice_word(&line, name) &&
	       slice_trim(line).length == 0;
}

/* The form of the stanza that begins here, FORMS if none. qmgr list may print plain words. */
static size_t head_of(struct slice line, struct slice rest, struct slice *name)
{
	struct slice first;

	for (size_t i = 0; i < NODES; i++) {
		if (is_head(line, forms[i].shown, name) ||
		    (is_head(line, forms[i].listed, name) && next_is_attribute(rest, &first)))
			return i;
	}
	*name = slice_trim(line);
	return is_node(line, rest) ? NODES : FORMS;
}

static struct slice stanzas_unquoted(struct slice s)
{
	s = slice_trim(s);
	return s.length > 1 && s.at[0] == '"' && s.at[s.length - 1] == '"' ?
	       (struct slice){ s.at + 1, s.length - 2 } : s;
}

/* Opens the stanza of OBJECT and NAME in qmgr print; "set server" and "set sched" have no name. */
static void open_object(struct stanzas *s, size_t form, struct slice name)
{
	struct slice same = name.length == 0 ? slice_of_bytes(&s->head) : name;

	if (s->form != form || !slice_equal(same, slice_of_bytes(&s->head)))
		begin_stanza(s, form, name);
}

/* Takes a command of qmgr print; also true for objects that are ignored. */
static bool take_command(struct stanzas *s, struct slice line)
{
	struct slice rest = line, verb, object, name, value;
	size_t form = 0;

	s->printed |= slice_starts(line, "#") || slice_starts(line, "create ");
	if (!s->printed || !slice_word(&rest, &verb) || !slice_word(&rest, &object) ||
	    !(slice_is(verb, "create") || slice_is(verb, "set")))
		return false;
	while (form < FORMS && !(forms[form].object && slice_is(object, forms[form].object)))
		form++;
	if (form == FORMS) {
		end_stanza(s);
		return slice_is(object, "resource") || slice_is(object, "node") ||
		       slice_is(object, "hook");
	}
	if (slice_is(verb, "create")) {
		begin_stanza(s, form, slice_trim(rest));
		return true;
	}
	if (split_attribute(rest, &name, &value)) {
		open_object(s, form, (struct slice){ "", 0 });
	} else {
		struct slice own;

		if (!slice_word(&rest, &own) || !split_attribute(rest, &name, &value))
			return true;
		open_object(s, form, own);
	}
	if (s->form < FORMS)
		stanzas_put_attribute(s, name, stanzas_unquoted(value));
	return true;
}

/* Does a value continue: behind a tab, or the blanks that a terminal prints for one? */
static bool stanzas_goes_on(const struct stanzas *s, struct slice *line)
{
	size_t n = 0;

	if (!s->after_value)
		return false;
	while (n < TAB_BLANKS && n < line->length && line->at[n] == ' ')
		n++;
	if (n < TAB_BLANKS && !(line->length > 0 && line->at[0] == '\t'))
		return false;
	*line = slice_from(*line, n == TAB_BLANKS ? n : 1);
	return true;
}

/* Without the blanks that a code block has before every line. */
static struct slice without_indent(const struct stanzas *s, struct slice line)
{
	size_t n = 0;

	while (n < s->indent && n < line.length && line.at[n] == ' ')
		n++;
	return slice_from(line, n);
}

/* PBS does not print LINE: it may be part of a long value, and half a value is useless. */
static void doubt_value(struct stanzas *s, struct slice line)
{
	if (s->attribute.length + s->value.length < FOLDED_MIN || pasted_is_prompt(line))
		return;
	(void)snprintf(s->said, sizeof(s->said), "%.*s may continue in a line that lost its tab: "
		       "unknown", SLICE_PRINT(slice_of_bytes(&s->attribute)));
	s->attribute.length = 0;
}

static void stanzas_take_line(struct stanzas *s, struct slice line, struct slice rest)
{
	struct slice whole = line, name, value;
	bool after = s->after_value;
	size_t form;

	if (slice_trim(line).length == 0)
		return;
	line = without_indent(s, line);
	if (stanzas_goes_on(s, &line)) {
		bytes_append(&s->value, line.at, line.length);
		return;
	}
	s->after_value = false;
	form = head_of(line, rest, &name);
	if (form < FORMS) {
		begin_stanza(s, form, name);
		s->indent = strspn(whole.at, " ");
	} else if (take_command(s, line)) {
		return;
	} else if (s->form < FORMS && !pasted_is_prompt(line) &&
		   split_attribute(line, &name, &value)) {
		stanzas_put_attribute(s, name, value);
		s->after_value = true;
	} else if (pasted_is_remark(line)) {
		keep_word(s->said, sizeof(s->said), line);
	} else if (after) {
		doubt_value(s, line);
	}
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Adds the text written for FORM to the texts; the first text of a kind is kept. */
static bool file_form(struct stanzas *s, size_t form, const char *name)
{
	struct pbs_text *t = &s->texts->kind[forms[form].kind];

	if (!s->begun[form])
		return false;
	if (forms[form].key) {
		jsonw_object_end(&s->json[form]);
		jsonw_object_end(&s->json[form]);
		(void)jsonw_end(&s->json[form]);
	}
	if (t->text)
		return true;
	*t = (struct pbs_text){ .name = name, .text = s->out[form].data,
				.length = s->out[form].length };
	(void)snprintf(s->texts->said[forms[form].kind], sizeof(s->said), "%s", s->said);
	s->out[form] = (struct bytes){ NULL, 0, 0 };
	return true;
}

bool pbs_stanzas_take(struct pbs_texts *texts, const char *name, const char *text, size_t length,
		      char *said, size_t size)
{
	struct stanzas *s = mem_zalloc(1, sizeof(*s));
	struct slice rest = { text, length }, line;
	bool any = false;

	s->texts = texts;
	s->form = FORMS;
	while (slice_line(&rest, &line))
		stanzas_take_line(s, line, rest);
	end_stanza(s);
	for (size_t i = 0; i < FORMS; i++) {
		any |= file_form(s, i, name);
		bytes_free(&s->out[i]);
	}
	(void)snprintf(said, size, "%s", s->said);
	idmap_free(&s->names);
	bytes_free(&s->head);
	bytes_free(&s->attribute);
	bytes_free(&s->value);
	bytes_free(&s->group);
	mem_free(s);
	return any;
}
