/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live Slurm by its slurmrestd, for sites where nothing else may access slurmctld.
 *
 * A fetch requests what is needed, one answer after the other. The API version is the newest that
 * the server supports, found once; each release supports three or four of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/clock.h"
#include "adapters/file.h"
#include "adapters/live_source.h"
#include "adapters/slurm/conf.h"
#include "adapters/slurm/http.h"
#include "adapters/slurm/last_pass.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/json_pull.h"
#include "core/base/mem.h"

#define ANSWERS_BYTES_MAX ((size_t)1 << 30)	/* of one fetch; a share takes 7 kB */
#define DEADLINE_MS 60000

/* v0.0.N; shares since 23.11. Newer ones than those tested are read by the same names. */
#define API_OLDEST 36
#define API_SHARES 40
#define API_NEWEST 60

/* The first one shows whether the server answers at all, and has the time. */
static const struct endpoint {
	enum slurm_kind kind;
	uint32_t needs;
	unsigned since, until;		/* the API versions that have it */
	const char *service, *name;	/* "/slurm/v0.0.40/shares" */
	bool optional;			/* slurmdbd may be away for hours; some may be refused */
} endpoints[] = {
	{ SLURM_REST_DIAG, NEED_ALL, 0, ~0u, "slurm", "diag", false },
	{ SLURM_SSHARE_JSON, NEED_SHARES, API_SHARES, ~0u, "slurm", "shares", false },
	{ SLURM_REST_ASSOC, NEED_SHARES, 0, API_SHARES - 1, "slurmdb", "associations",
	  false },
	{ SLURM_REST_QOS, NEED_QOS, API_SHARES, ~0u, "slurmdb", "qos", true },
	{ SLURM_REST_PARTITION, NEED_PARTITIONS | NEED_JOBS, 0, ~0u, "slurm", "partitions",
	  true },
	{ SLURM_REST_NODE, NEED_HOSTS | NEED_PRIO, 0, ~0u, "slurm", "nodes", true },
	{ SLURM_REST_RESERVATION, NEED_RESERVATIONS, API_SHARES, ~0u,
	  "slurm", "reservations", true },
	{ SLURM_REST_LICENSE, NEED_LICENSES, API_SHARES, ~0u, "slurm", "licenses", true },
	/* Without flags each job is listed with all its cores. */
	{ SLURM_SQUEUE_JSON, NEED_JOBS, API_SHARES, ~0u, "slurm", "jobs?flags=ALL", false },
	/* Jobs have the cluster's name, which is needed for the associations. */
	{ SLURM_SQUEUE_JSON, NEED_JOBS | NEED_SHARES, 0, API_SHARES - 1, "slurm", "jobs",
	  false },
};
#define ENDPOINTS (sizeof(endpoints) / sizeof(endpoints[0]))

struct rest_source {
	struct live_source live;
	struct http *http;
	bool token;			/* there is one */
	unsigned api;			/* 0: unknown yet */
	struct pass_watch watch;
};

/* The state of a fetch. */
struct asking {
	struct rest_source *s;
	int64_t end_ms;
	size_t left;			/* bytes that may still come */
	char *answers[ENDPOINTS];	/* owned */
};

/* ---- one question -------------------------------------------------------------------------- */

/* The first "error" or "description" in a failed answer; "" if it has another form. */
static void find_complaint(char *text, size_t length, char *buf, size_t size)
{
	struct pull p;
	struct pull_value key, v;

	buf[0] = '\0';
	pull_init(&p, text, length);
	if (pull_value(&p, &v) != PULL_OBJECT)
		return;
	while (pull_member(&p, &key)) {
		bool errors = strcmp(key.string, "errors") == 0;

		if (pull_value(&p, &v) != PULL_ARRAY || !errors || !pull_element(&p) ||
		    pull_value(&p, &v) != PULL_OBJECT) {
			pull_skip(&p, v.kind);
			continue;
		}
		while (pull_member(&p, &key)) {
			bool error = strcmp(key.string, "error") == 0;

			if (pull_value(&p, &v) == PULL_STRING &&
			    (error || strcmp(key.string, "description") == 0))
				snprintf(buf, size, ": %.*s", (int)size - 3, v.string);
			if (error && v.kind == PULL_STRING)
				return;
			pull_skip(&p, v.kind);
		}
		return;
	}
}

static bool rest_explain(const struct asking *a, const char *path, struct http_answer *answer,
			 struct err *err)
{
	const char *token = getenv("SLURM_JWT");
	char complaint[160];

	find_complaint(answer->text, answer->length, complaint, sizeof(complaint));
	if (a->s->token && token && strstr(complaint, token))
		complaint[0] = '\0';
	if (answer->status == 401 || answer->status == 403 || answer->status == 511)
		return err_set(err, ERR_SOURCE, a->s->token ?
			       "the token in SLURM_JWT is refused (HTTP %ld%s)" :
			       "it requires a token, and SLURM_JWT has none (HTTP %ld%s)",
			       answer->status, complaint);
	if (answer->status >= 300 && answer->status < 400)
		return err_set(err, ERR_SOURCE, "%s is redirected (HTTP %ld); redirects are not "
			       "followed: name the server that answers", path, answer->status);
	/* Some releases answer this to a token that slurmctld does not accept. */
	return err_set(err, ERR_SOURCE, "%s: HTTP %ld%s%s", path, answer->status, complaint,
		       answer->status == 500 && a->s->token ?
		       "; or the token in SLURM_JWT is refused" : "");
}

/* Gets the I-th endpoint in API version API; *STATUS 404: it does not exist. */
static bool rest_ask(struct asking *a, size_t i, unsigned api, long *status, struct slurm_text *out,
		     struct err *err)
{
	struct http_answer answer;
	char path[64];
	bool good;

	snprintf(path, sizeof(path), "/%s/v0.0.%u/%s", endpoints[i].service, api,
		 endpoints[i].name);
	good = http_get(a->s->http, path, a->left, a->end_ms, a->s->live.cancel_fd, &answer, err);
	*status = answer.status;
	if (!good)
		return false;
	a->left -= answer.length;
	good = answer.status == 200 || rest_explain(a, path, &answer, err);
	if (good && answer.text[0] != '{')
		good = err_set(err, ERR_SOURCE, "%s: answer is not JSON (not slurmrestd?)", path);
	if (!good) {
		mem_free(answer.text);
		return false;
	}
	a->answers[i] = answer.text;
	*out = (struct slurm_text){ endpoints[i].name, answer.text, answer.length };
	return true;
}

/* Gets the first endpoint, and finds the API version if it is unknown. */
static bool ask_first(struct asking *a, struct slurm_text *out, struct err *err)
{
	struct rest_source *s = a->s;
	unsigned api = s->api ? s->api : API_NEWEST;
	long status;

	for (; api >= API_OLDEST; api--) {
		if (rest_ask(a, 0, api, &status, out, err)) {
			s->api = api;
			return true;
		}
		if (status != 404)
			return false;
	}
	s->api = 0;
	return err_set(err, ERR_SOURCE, "it supports none of the versions v0.0.%d to v0.0.%d of "
		       "slurmrestd's API (20.11 and later do)", API_OLDEST, API_NEWEST);
}

/* ---- a fetch ------------------------------------------------------------------------------- */

static bool rest_gather(struct asking *a, uint32_t needs, struct slurm_texts *texts,
			struct builder *b, struct err *err)
{
	struct rest_source *s = a->s;
	struct err why;
	long status;

	if (!ask_first(a, &texts->kind[SLURM_REST_DIAG], err))
		return false;
	for (size_t i = 1; i < ENDPOINTS; i++) {
		const struct endpoint *e = &endpoints[i];

		if (!(e->needs & needs) || s->api < e->since || s->api > e->until ||
		    rest_ask(a, i, s->api, &status, &texts->kind[e->kind], &why))
			continue;
		if (!e->optional)
			return err_set(err, why.code, "%s", why.message);
		builder_note(b, "slurmrestd", "%s", why.message);
	}
	if (needs & NEED_SHARES && s->api < API_SHARES)
		builder_note(b, "shares", "slurmrestd v0.0.%u reports none, Slurm 23.11 and later "
			     "do: usage and F are unknown", s->api);
	if (needs & NEED_PRIO)
		builder_note(b, "priority", "slurmrestd reports no priority terms");
	return true;
}

static enum fetch_result rest_fetch(struct source *base, const struct fetch_request *request,
				    struct cluster **out, struct err *err)
{
	struct rest_source *s = (struct rest_source *)base;
	struct slurm_texts texts = { .time = clock_time(), .from = "slurmrestd",
				     .watch = &s->watch };
	struct slurm_text *conf = &texts.kind[SLURM_CONF];
	struct asking a = { .s = s, .left = ANSWERS_BYTES_MAX };
	struct builder *b = builder_new();
	struct err why = { .code = ERR_NONE };
	enum fetch_result result;
	char path[4096];

	a.end_ms = clock_ms() + (request->deadline_ms < 0 ? DEADLINE_MS : request->deadline_ms);
	if (slurm_conf_find(NULL, path, sizeof(path), NULL)) {
		conf->name = path;
		conf->text = file_read(path, CONF_BYTES_MAX, &conf->length, NULL);
	}
	result = live_source_end(&s->live, b, rest_gather(&a, request->needs, &texts, b, &why) &&
				 slurm_text_build(&texts, b, &why), out, &why);
	for (size_t i = 0; i < ENDPOINTS; i++)
		mem_free(a.answers[i]);
	mem_free((char *)(uintptr_t)conf->text);
	if (*out)
		snprintf(base->health, sizeof(base->health), "slurmrestd v0.0.%u", s->api);
	else
		err_about(err, ERR_SOURCE, "slurmrestd", "%s", why.message);
	return result;
}

static void rest_close(struct source *base)
{
	struct rest_source *s = (struct rest_source *)base;

	http_free(s->http);
	pass_watch_free(&s->watch);
	live_source_free(base);
}

static const struct source_ops rest_ops = {
	.scheme = "slurm",
	.synopsis = "slurm:http[s]://HOST:PORT",
	.meaning = "a live Slurm through its slurmrestd",
	.fetch = rest_fetch,
	.cancel = live_source_cancel,
	.close = rest_close,
	.live = true,
};

/* ---- opening ------------------------------------------------------------------------------- */

/*
 * The user of a token: "sun" in its middle part, which is base64url of JSON. v0.0.36 needs it in a
 * header of its own. False for any other token: slurmrestd will reject it.
 */
static bool token_user(const char *token, char *user, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *at = strchr(token, '.'), *digit;
	char text[1024];
	size_t length = 0;
	uint32_t bits = 0, held = 0;
	struct pull p;
	struct pull_value key, v;

	for (at = at ? at + 1 : ""; *at && *at != '.' && length + 1 < sizeof(text); at++) {
		digit = strchr(digits, *at);
		if (!digit)
			return false;
		bits = bits << 6 | (uint32_t)(digit - digits);
		held += 6;
		if (held >= 8) {
			held -= 8;
			text[length++] = (char)(bits >> held & 255);
		}
	}
	pull_init(&p, text, length);
	user[0] = '\0';
	if (pull_value(&p, &v) != PULL_OBJECT)
		return false;
	while (pull_member(&p, &key)) {
		bool is_user = strcmp(key.string, "sun") == 0;

		if (pull_value(&p, &v) == PULL_STRING && is_user && v.length < size)
			memcpy(user, v.string, v.length + 1);
		pull_skip(&p, v.kind);
	}
	return user[0] != '\0';
}

struct source *slurm_rest_open(const char *where, struct err *err)
{
	const char *token = getenv("SLURM_JWT");
	struct rest_source *s = live_source_new(sizeof(*s), &rest_ops, err);
	char user[256];

	if (!s)
		return NULL;
	s->token = token && *token;
	s->http = http_new(where, s->token && token_user(token, user, sizeof(user)) ? user : NULL,
			   s->token ? token : NULL, err);
	if (!s->http) {
		rest_close(&s->live.base);
		return NULL;
	}
	return &s->live.base;
}
