/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main program of a fuzz target in a build without libFuzzer: runs every file named on the
 * command line, and every file of a directory named there, through LLVMFuzzerTestOneInput once.
 * So `make check` replays each corpus under any compiler. Each file is read into a block of its
 * exact size, so that a sanitizer sees a read past its end.
 *
 * Exit: 0 all were run (a target that finds something wrong aborts), 1 a file cannot be read.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long run_count;

static int fail(const char *path)
{
	fprintf(stderr, "fuzz: %s: %s\n", path, strerror(errno));
	return 1;
}

static int run_file(const char *path, size_t size)
{
	uint8_t *data = malloc(size > 0 ? size : 1);
	FILE *file = fopen(path, "rb");
	int failed = 1;

	if (!data || !file) {
		fail(path);
	} else if (fread(data, 1, size, file) != size) {
		fprintf(stderr, "fuzz: %s: shorter than its size\n", path);
	} else {
		LLVMFuzzerTestOneInput(data, size);
		run_count++;
		failed = 0;
	}
	if (file)
		fclose(file);
	free(data);
	return failed;
}

static int run_path(const char *path);

static int run_directory(const char *path)
{
	struct dirent **names;
	int count = scandir(path, &names, NULL, alphasort);
	int failed = 0;

	if (count < 0)
		return fail(path);
	for (int i = 0; i < count; i++) {
		char *child = NULL;

		if (names[i]->d_name[0] != '.') {
			if (asprintf(&child, "%s/%s", path, names[i]->d_name) < 0)
				abort();
			failed |= run_path(child);
			free(child);
		}
		free(names[i]);
	}
	free(names);
	return failed;
}

static int run_path(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return fail(path);
	if (S_ISDIR(st.st_mode))
		return run_directory(path);
	return run_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
	const uint8_t nothing = 0;
	int failed = 0;

	LLVMFuzzerTestOneInput(&nothing, 0);
	for (int i = 1; i < argc; i++)
		failed |= run_path(argv[i]);
	printf("%lu inputs\n", run_count);
	return failed;
}
