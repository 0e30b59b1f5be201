/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/musl/jansson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kind is the first byte of the value: { [ " t f n, and 0 for a number. */
struct json {
	char kind;
	char *key, *text;		/* of a number its digits */
	struct json *first, *next;
	size_t size;
};

static struct json *read_value(char **at);

static void wrong(const char *at)
{
	fprintf(stderr, "malformed JSON at %.40s\n", at);
	exit(1);
}

static char *skip(char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Ends the string that begins behind the quote AT, without its escapes; *at is then behind it. */
static char *read_text(char **at)
{
	char *text = *at + 1, *to = text, *from = text;

	for (; *from && *from != '"'; from++) {
		if (*from == '\\' && !strchr("\\\"/", *++from))
			wrong(from);
		*to++ = *from;
	}
	if (!*from)
		wrong(*at);
	*to = '\0';
	*at = from + 1;
	return text;
}

/* What stands between the brackets, in order. */
static void read_members(struct json *v, char **at)
{
	struct json **end = &v->first;
	char close = v->kind == '{' ? '}' : ']', *key = NULL;

	*at = skip(*at + 1);
	while (**at != close) {
		if (v->kind == '{') {
			if (**at != '"')
				wrong(*at);
			key = read_text(at);
			*at = skip(*at);
			if (*(*at)++ != ':')
				wrong(*at - 1);
		}
		*end = read_value(at);
		(*end)->key = key;
		end = &(*end)->next;
		v->size++;
		*at = skip(*at);
		if (**at == ',')
			*at = skip(*at + 1);
		else if (**at != close)
			wrong(*at);
	}
	++*at;
}

static struct json *read_value(char **at)
{
	struct json *v = calloc(1, sizeof(*v));

	*at = skip(*at);
	if (!v || !**at)
		wrong(*at);
	if (strchr("{[\"tfn", **at))
		v->kind = **at;
	if (v->kind == '{' || v->kind == '[') {
		read_members(v, at);
	} else if (v->kind == '"') {
		v->text = read_text(at);
	} else {
		v->text = *at;
		*at += strcspn(*at, ",]} \t\r\n");
	}
	return v;
}

json_t *json_loads(const char *text, size_t flags, json_error_t *error)
{
	char *at = strdup(text);
	struct json *v = read_value(&at);

	(void)flags;
	(void)error;
	if (*skip(at))
		wrong(at);
	return v;
}

json_t *json_load_file(const char *path, size_t flags, json_error_t *error)
{
	static char text[1 << 22];
	FILE *f = fopen(path, "r");
	size_t length;

	if (!f) {
		if (error)
			*error = (json_error_t){ 0, "cannot be read" };
		return NULL;
	}
	length = fread(text, 1, sizeof(text), f);
	(void)fclose(f);
	if (length == sizeof(text))
		wrong("its first 4 MiB");
	text[length] = '\0';
	return json_loads(text, flags, error);
}

/* The program ends soon: nothing is given back. */
void json_decref(json_t *document)
{
	(void)document;
}

json_t *json_first(const json_t *object)
{
	return object && object->kind == '{' ? object->first : NULL;
}

json_t *json_next(const json_t *member)
{
	return member->next;
}

const char *json_key(const json_t *member)
{
	return member->key;
}

json_t *json_object_get(const json_t *v, const char *key)
{
	json_t *member = json_first(v);

	while (member && strcmp(member->key, key) != 0)
		member = member->next;
	return member;
}

json_t *json_array_get(const json_t *v, size_t at)
{
	json_t *member = v && v->kind == '[' ? v->first : NULL;

	while (member && at-- > 0)
		member = member->next;
	return member;
}

size_t json_array_size(const json_t *v)
{
	return v && v->kind == '[' ? v->size : 0;
}

size_t json_object_size(const json_t *v)
{
	return v && v->kind == '{' ? v->size : 0;
}

const char *json_string_value(const json_t *v)
{
	return json_is_string(v) ? v->text : NULL;
}

double json_number_value(const json_t *v)
{
	return json_is_number(v) ? strtod(v->text, NULL) : 0;
}

/* Of a real 0, as jansson has it. */
long long json_integer_value(const json_t *v)
{
	size_t digits = json_is_number(v) ? strspn(v->text, "-0123456789") : 0;

	return digits && !strchr(".eE", v->text[digits]) ? strtoll(v->text, NULL, 10) : 0;
}

bool json_is_true(const json_t *v)
{
	return v && v->kind == 't';
}

bool json_is_false(const json_t *v)
{
	return v && v->kind == 'f';
}

bool json_is_string(const json_t *v)
{
	return v && v->kind == '"';
}

bool json_is_number(const json_t *v)
{
	return v && v->kind == 0;
}
