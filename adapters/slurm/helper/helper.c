/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fairtop-slurm [CONF]: the one program that links libslurm. It speaks frames
 * (adapters/frame.h) with fairtop, which starts it, limits its time and ends it.
 *
 * libslurm may hang, print, and call exit(); this process contains all of that. It is only called
 * with a readable configuration file.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <slurm/slurm.h>

#include "adapters/sandbox.h"
#include "adapters/serve.h"
#include "adapters/slurm/conf.h"
#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/fetch.h"
#include "config.h"

struct helper {
	struct source base;
	const char *wanted;		/* argument, or NULL */
	bool ready;			/* libslurm has read its configuration */
	struct helper_picture *picture;
};

/* Initializes libslurm; on failure this process exits and says why on standard error. */
static bool start_library(struct helper *h, struct err *err)
{
	char conf[4096], why[128];

	if (!compat_library_fits(why, sizeof(why))) {
		h->base.refused = true;
		return err_set(err, ERR_SOURCE, "%s", why);
	}
	if (!slurm_conf_find(h->wanted, conf, sizeof(conf), err))
		return false;
	setenv("SLURM_CONF", conf, 1);
#ifdef HAVE_SLURM_INIT	/* since 20.11 */
	slurm_init(conf);
#endif
	h->ready = true;
	return true;
}

static enum fetch_result helper_fetch(struct source *base, const struct fetch_request *request,
				      struct cluster **out, struct err *err)
{
	struct helper *h = (struct helper *)base;

	base->refused = false;
	if (!h->ready && !start_library(h, err))
		return FETCH_FAILED;
	return picture_take(h->picture, request->needs, out, &base->refused, err);
}

static void helper_close(struct source *base)
{
	picture_free(((struct helper *)base)->picture);
}

static const struct source_ops helper_ops = {
	.scheme = "slurm",
	.fetch = helper_fetch,
	.close = helper_close,
	.live = true,
};

int main(int argc, char **argv)
{
	struct helper h = { .base.ops = &helper_ops };
	int code;

	if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
		fprintf(stderr, "usage: fairtop-slurm [SLURM.CONF]\n"
			"Exchanges frames with fairtop on standard input and output.\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);	/* libslurm ignores it only at times; threads would race */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sandbox_enter(SANDBOX_ASKS, -1);
	h.wanted = argc == 2 ? argv[1] : NULL;
	snprintf(h.base.name, sizeof(h.base.name), "%s", h.wanted ? h.wanted : "slurm");
	snprintf(h.base.health, sizeof(h.base.health), "helper");
	h.picture = picture_new();
	code = serve_source(&h.base);
	source_close(&h.base);
	return code;
}
