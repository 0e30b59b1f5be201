/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parameters of a slurm.conf as texts, for checking the file itself. */
#include "adapters/adapter.h"
#include "adapters/slurm/parse_conf.h"
#include "core/base/mem.h"

struct conf_pairs {
	conf_each *each;
	void *context;
};

static bool hand_on(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct conf_pairs *p = context;
	bool partition = slice_same(pair->head, "PartitionName");
	char *key, *value;

	(void)err;
	if (!slurm_conf_is_global(pair) && !partition)
		return true;
	key = mem_strndup(pair->key.at, pair->key.length);
	value = mem_strndup(pair->value.at, pair->value.length);
	p->each(p->context, pair->file, pair->line, partition, key, value);
	mem_free(key);
	mem_free(value);
	return true;
}

bool slurm_conf_pairs(const char *path, conf_each *each, void *context, struct err *err)
{
	struct conf_pairs p = { each, context };

	return slurm_conf_read(path, hand_on, &p, err);
}
