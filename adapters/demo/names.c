/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/demo/state.h"

#include <stdio.h>

#include "core/unknown.h"

#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)

const struct partition_info partitions[PARTITIONS] = {
	[PART_BATCH] = { "batch", 'c', 64, 128, 0, 512000, 3 * DAY, 12 * HOUR, 10, 1, NULL },
	[PART_GPU] = { "gpu", 'g', 10, 64, 4, 512000, 2 * DAY, 8 * HOUR, 20, 1,
		       "CPU=1.0,Mem=0.125G,GRES/gpu=16" },
	[PART_BIGMEM] = { "bigmem", 'm', 4, 96, 0, 4096000, 2 * DAY, 8 * HOUR, 20, 1,
			  "CPU=1.0,Mem=0.03125G" },
	[PART_DEBUG] = { "debug", 'c', 0, 128, 0, 512000, HOUR / 2, HOUR / 4, 100, 10, NULL },
};

const struct qos_info qos_table[QOS_COUNT] = {
	[QOS_NORMAL] = { "normal", 50, 1.0 },
	[QOS_HIGH] = { "high", 100, 2.0 },
	[QOS_LOW] = { "low", 0, 0.25 },
};

/* Irregular on purpose: five levels, transparent accounts, accounts without shares. */
const struct account_info account_table[] = {
	{ "physics", NULL, 40 }, { "biology", NULL, 30 }, { "chemistry", NULL, 25 },
	{ "engineering", NULL, 20 }, { "earth", NULL, 15 }, { "training", NULL, 5 },
	{ "humanities", NULL, 2 }, { "visitors", NULL, 0 },
	{ "hep", "physics", 60 }, { "astro", "physics", 30 }, { "condmat", "physics", 25 },
	{ "plasma", "physics", 5 }, { "genomics", "biology", 50 }, { "neuro", "biology", 20 },
	{ "ecology", "biology", 10 }, { "structbio", "biology", 20 },
	{ "quantum", "chemistry", 3 }, { "catalysis", "chemistry", 2 },
	{ "polymers", "chemistry", 1 }, { "cfd", "engineering", 10 },
	{ "materials", "engineering", SHARES_PARENT }, { "robotics", "engineering", 4 },
	{ "climate", "earth", 70 }, { "seismo", "earth", 20 }, { "ocean", "earth", 10 },
	{ "linguistics", "humanities", 1 },
	{ "atlas", "hep", 50 }, { "cms", "hep", 40 }, { "theory", "hep", SHARES_PARENT },
	{ "cosmology", "astro", 2 }, { "gravwaves", "astro", 1 }, { "cancer", "genomics", 3 },
	{ "plants", "genomics", 1 }, { "turbulence", "cfd", 1 }, { "cmip", "climate", 1 },
	{ "higgs", "atlas", 3 }, { "topquark", "atlas", 2 }, { "nbody", "cosmology", 1 },
	{ "dihiggs", "higgs", 1 }, { "htautau", "higgs", 1 },
};
const uint32_t account_table_count = sizeof(account_table) / sizeof(account_table[0]);

const struct limit_info limit_table[] = {
	{ "hep", 0, 1600, 0, 0, 0 }, { "astro", 0, 2048, 0, 0, 0 },
	{ "chemistry", 12, 1024, 8, 0, 0 }, { "earth", 0, 2560, 0, 40000, 0 },
	{ "humanities", 0, 384, 0, 0, 0 }, { "training", 10, 0, 0, 0, 2 },
};
const uint32_t limit_table_count = sizeof(limit_table) / sizeof(limit_table[0]);

static const char *const first_names[] = {
	"alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy",
	"karim", "laura", "mallory", "nadia", "oscar", "peggy", "quentin", "rosa", "sybil", "trent",
	"uma", "victor", "wendy", "xavier", "yuki", "zoe", "amina", "bjorn", "chen", "dmitri",
	"elena", "farid", "giulia", "hugo", "ines", "jonas", "kofi", "lena", "mateo", "noor",
};

static const char *const last_names[] = {
	"abadi", "berg", "costa", "diaz", "eriksen", "fischer", "garcia", "haddad", "ito", "jansen",
	"kim", "lopez", "meyer", "nguyen", "okafor", "patel", "rossi", "schmidt", "tanaka", "usman",
	"varga", "weber", "xu", "yilmaz", "zhang", "dubois", "ivanov", "kowalski", "larsen",
	"moreau", "novak", "olsen", "petit", "ramos", "silva", "torres", "vidal", "wong",
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

void demo_user_name(uint32_t number, char name[DEMO_NAME])
{
	const uint32_t pairs = 26 * COUNT(last_names);
	uint32_t pair;
	char initial;

	if (number < COUNT(first_names)) {
		snprintf(name, DEMO_NAME, "%s", first_names[number]);
		return;
	}
	number -= COUNT(first_names);
	/* 389 is prime to the number of pairs: all of them, neighbours unlike each other. */
	pair = number % pairs * 389 % pairs;
	initial = (char)('a' + pair % 26);
	if (number < pairs)
		snprintf(name, DEMO_NAME, "%c%s", initial, last_names[pair / 26]);
	else
		snprintf(name, DEMO_NAME, "%c%s%u", initial, last_names[pair / 26],
			 (unsigned)(number / pairs + 1));
}

const char *demo_job_name(uint32_t number)
{
	static const char *const names[] = {
		"simulate", "train", "reco", "relax", "align", "sweep", "mesh", "render", "fit",
		"ensemble", "postproc", "tune", "assemble", "dock", "digitize", "interactive",
	};

	return names[number % COUNT(names)];
}
