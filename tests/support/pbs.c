/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/pbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/file.h"
#include "adapters/pbs/pbs_text.h"
#include "core/base/mem.h"
#include "tests/support/data.h"

#define FILES_MAX 16
#define PATH_SIZE 4096

static char directory[64];
static char made[FILES_MAX][PATH_SIZE];
static size_t made_count;

struct cluster *pbs_try(const char *path, struct err *err)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct source *s = pbs_saved_open(path, err);
	struct cluster *c = NULL;

	if (s)
		(void)source_fetch(s, &request, &c, err);
	source_close(s);
	return c;
}

static const char *path_of(const char *name, char *buf)
{
	char below[PATH_SIZE];

	snprintf(below, sizeof(below), "pbs/%s", name);
	return data_path(below, buf, PATH_SIZE);
}

struct cluster *pbs_cluster(const char *name)
{
	char path[PATH_SIZE];
	struct err err = { 0 };
	struct cluster *c = pbs_try(name[0] == '/' ? name : path_of(name, path), &err);

	if (!c) {
		fprintf(stderr, "%s: %s\n", name, err.message);
		exit(1);
	}
	return c;
}

char *pbs_text(const char *name, size_t *length)
{
	char path[PATH_SIZE];
	struct err err = { 0 };
	char *text = file_read(path_of(name, path), (size_t)1 << 30, length, &err);

	if (!text) {
		fprintf(stderr, "%s: %s\n", name, err.message);
		exit(1);
	}
	return text;
}

const char *pbs_directory(const struct pbs_file *files)
{
	snprintf(directory, sizeof(directory), "/tmp/fairtop-test-XXXXXX");
	if (!mkdtemp(directory)) {
		perror(directory);
		exit(1);
	}
	for (made_count = 0; made_count < FILES_MAX && files[made_count].source; made_count++) {
		char path[PATH_SIZE], cwd[PATH_SIZE], target[2 * PATH_SIZE];
		char *link = made[made_count];

		path_of(files[made_count].source, path);
		if (path[0] != '/' && getcwd(cwd, sizeof(cwd)))
			snprintf(target, sizeof(target), "%s/%s", cwd, path);
		else
			snprintf(target, sizeof(target), "%s", path);
		snprintf(link, PATH_SIZE, "%s/%s", directory, files[made_count].name);
		if (symlink(target, link) < 0) {
			perror(link);
			exit(1);
		}
	}
	return directory;
}

void pbs_remove(void)
{
	while (made_count > 0)
		unlink(made[--made_count]);
	rmdir(directory);
}

uint32_t pbs_job(const struct cluster *c, const char *job_id)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		const char *id = cluster_text(c, F_JOB_JOB_ID, row);

		if (id && strcmp(id, job_id) == 0)
			return row;
	}
	return ROW_NONE;
}

uint32_t pbs_node(const struct cluster *c, const char *name)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_ASSOC); row++) {
		const char *have = cluster_is_user(c, row) ? cluster_text(c, F_ASSOC_USER, row)
							   : cluster_text(c, F_ASSOC_ACCOUNT, row);

		if (have && strcmp(have, name) == 0)
			return row;
	}
	return ROW_NONE;
}
