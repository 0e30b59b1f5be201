/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * binary FAIRTOP DATA SECONDS KEPT [SEED] - runs the real program on files that are nearly right.
 *
 * A seed is a snapshot or a directory of saved outputs of Slurm, PBS or LSF. Words and lines of
 * some of its files are changed, removed, doubled, or exchanged: the result has the right structure
 * and other contents. Verbs, formats, edits and the screen (--render) then run on it. Failures are:
 * a signal, an exit status that the manual does not list, more than 30 s, a sanitizer's message,
 * invalid JSON, a control character. An input that causes one is kept in the directory KEPT. The
 * last line of output has figures.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/dice.h"
#include "core/base/mem.h"

#define LONGEST_MS 30000
#define FILE_MOST (1 << 20)
#define OUTPUT_MOST (64 << 20)
#define FILES_MOST 64
#define CHANGES_MOST 12

static const struct seed {
	const char *path, *scheme;	/* below DATA; "": a file whose kind is detected */
} seeds[] = {
	{ "demo.snapshot", "" },
	{ "slurm/half_settled.snapshot", "" },
	{ "slurm/depthobl/quiet", "slurm:" },
	{ "slurm/fairtree/quiet", "slurm:" },
	{ "slurm/nofairtree_xflags/quiet", "slurm:" },
	{ "slurm/several_qos", "slurm:" },
	{ "pbs/01_main", "pbs:" },
	{ "pbs/02_formula", "pbs:" },
	{ "pbs/04_limits", "pbs:" },
	{ "lsf/seed", "lsf:" },
	{ "lsf/volclava/t1", "lsf:" },
};

/* The words after the source. */
static const char *const questions[] = {
	"accounts --format json", "accounts --format csv", "accounts --sort -usage",
	"accounts --algorithm classic --format json", "accounts --algorithm fair-tree",
	"accounts --base usage --set PriorityWeightAge=7 --format json", "jobs --format json",
	"jobs --format csv", "jobs --filter priority>5", "jobs --set half_life=1-0 --format json",
	"pools --format json", "classes --format json", "policy --format json", "policy",
	"verify --format json", "lint --format json", "lint", "snapshot",
	"whatif --set damping=3 --format json", "explain / --format json",
	"forecast / --format json", "- --render 100x30", "- --render 60x16 --keys 2jjj<Enter>",
	"- --render 90x24 --keys 1**jj<Enter>", "- --render 120x40 --keys 3jj4jj5jj",
	"- --render 100x30 --ascii --keys w", "- --render 100x30 --keys !",
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t dice;

static uint32_t below(size_t n)
{
	return n == 0 ? 0 : dice_below(&dice, (uint32_t)n);
}

/* ---- texts --------------------------------------------------------------------------------- */

struct text {
	char *bytes;
	size_t length;
};

/* Reads at most OUTPUT_MOST bytes; none if the file does not exist. */
static struct text read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	struct text t = { NULL, 0 };
	struct stat st;
	size_t most = 0;

	if (f && fstat(fileno(f), &st) == 0)
		most = st.st_size < OUTPUT_MOST ? (size_t)st.st_size : OUTPUT_MOST;
	t.bytes = mem_alloc(most + 1, 1);
	if (f) {
		t.length = fread(t.bytes, 1, most, f);
		fclose(f);
	}
	t.bytes[t.length] = '\0';
	return t;
}

static void write_text(const char *path, const struct text *t)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(t->bytes, 1, t->length, f) != t->length || fclose(f) != 0) {
		perror(path);
		exit(2);
	}
}

/* Replaces the bytes FROM to TO by WITH. */
static void put_in(struct text *t, size_t from, size_t to, const char *with, size_t length)
{
	char *bytes;

	if (t->length - (to - from) + length > FILE_MOST)
		return;
	bytes = mem_alloc(t->length + length + 1, 1);
	memcpy(bytes, t->bytes, from);
	memcpy(bytes + from, with, length);
	memcpy(bytes + from + length, t->bytes + to, t->length - to);
	t->length += length - (to - from);
	bytes[t->length] = '\0';
	mem_free(t->bytes);
	t->bytes = bytes;
}

static bool in_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || c == '.' || c == '-' || c == '+' || (unsigned char)c >= 0x80;
}

static void find_word(const struct text *t, size_t *from, size_t *to)
{
	size_t at = below(t->length);

	while (at < t->length && !in_word(t->bytes[at]))
		at++;
	*from = *to = at;
	while (*from > 0 && in_word(t->bytes[*from - 1]))
		(*from)--;
	while (*to < t->length && in_word(t->bytes[*to]))
		(*to)++;
}

static void find_line(const struct text *t, size_t *from, size_t *to)
{
	*from = *to = below(t->length);
	while (*from > 0 && t->bytes[*from - 1] != '\n')
		(*from)--;
	while (*to < t->length && t->bytes[(*to)++] != '\n')
		;
}

/* ---- changes ------------------------------------------------------------------------------- */

static const char *const strange[] = {
	"0", "-1", "1", "4294967295", "4294967294", "2147483648", "9223372036854775807",
	"18446744073709551616", "99999999999999999999", "1e308", "-1e308", "1e-320", "0.1", "nan",
	"inf", "-inf", "infinite", "UNLIMITED", "parent", "null", "true", "N/A", "(null)", "", " ",
	"\\u0000", "\\u001b[31m", "\\u202e", "\\ud800", "\x1b]0;x\a", "\x1b[2J", "\r", "\t", "\xff",
	"\xc2\x9b", "\xe2\x80\xae", "\xe2\x80\x8b", "a/b:c@d%e", "%s%n", "'\"`$(id)", "[0-99999]",
	"1-00:00:00", "365-23:59:59", "1970-01-01T00:00:00", "9999-12-31T23:59:59", "root",
};

static void change_word(struct text *t)
{
	size_t from, to, other_from, other_to;
	char *other;

	find_word(t, &from, &to);
	if (below(3) > 0) {
		const char *word = strange[below(COUNT(strange))];

		put_in(t, from, below(4) > 0 ? to : from, word, strlen(word));
		return;
	}
	find_word(t, &other_from, &other_to);
	other = mem_strndup(t->bytes + other_from, other_to - other_from);
	put_in(t, from, to, other, strlen(other));
	mem_free(other);
}

static void change_lines(struct text *t)
{
	size_t from, to, other_from, other_to;
	char *line;

	find_line(t, &from, &to);
	line = mem_strndup(t->bytes + from, to - from);
	find_line(t, &other_from, &other_to);
	switch (below(4)) {
	case 0:
		put_in(t, from, to, "", 0);
		break;
	case 1:
		for (uint32_t i = below(50); i > 0; i--)
			put_in(t, other_from, other_from, line, strlen(line));
		break;
	case 2:
		put_in(t, other_from, other_to, line, strlen(line));
		break;
	default:
		put_in(t, from, from, line, strlen(line));
		break;
	}
	mem_free(line);
}

static void change(struct text *t)
{
	static const char marks[] = "{}[]\",:|=()#\n ";
	size_t at = below(t->length);

	switch (below(12)) {
	case 0:
		t->length = at;
		t->bytes[at] = '\0';
		break;
	case 1:
		put_in(t, at, at, &marks[below(sizeof(marks) - 1)], 1);
		break;
	case 2:
	case 3:
	case 4:
		change_lines(t);
		break;
	default:
		change_word(t);
		break;
	}
}

/* Replaces a word by up to 128 kB of one letter. */
static void stretch(struct text *t)
{
	size_t from, to, length = (size_t)1 << below(18);
	char *word = mem_alloc(length, 1);

	memset(word, 'a' + (int)below(26), length);
	find_word(t, &from, &to);
	put_in(t, from, to, word, length);
	mem_free(word);
}

static void change_file(const char *from, const char *to, bool changed)
{
	struct text t = read_text(from);

	if (changed) {
		for (uint32_t i = 1 + below(below(4) == 0 ? CHANGES_MOST : 2); i > 0; i--)
			change(&t);
		if (below(40) == 0)
			stretch(&t);
	}
	write_text(to, &t);
	mem_free(t.bytes);
}

/* ---- an input ------------------------------------------------------------------------------ */

static void empty(const char *directory)
{
	char path[5000];
	struct dirent *e;
	DIR *d = opendir(directory);

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
		if (e->d_name[0] != '.')
			(void)unlink(path);
	}
	if (d)
		closedir(d);
}

/* Changes about one file in three of a directory, the first one always. */
static void make_input(const char *data, const struct seed *seed, const char *directory)
{
	char from[4000], path[5000], to[5000];
	struct dirent *e;
	struct stat st;
	bool any = false;
	DIR *d;

	empty(directory);
	snprintf(from, sizeof(from), "%s/%s", data, seed->path);
	if (!seed->scheme[0]) {
		snprintf(to, sizeof(to), "%s/input", directory);
		change_file(from, to, true);
		return;
	}
	d = opendir(from);
	for (int n = 0; d && n < FILES_MOST && (e = readdir(d)); n++) {
		snprintf(path, sizeof(path), "%s/%s", from, e->d_name);
		snprintf(to, sizeof(to), "%s/%s", directory, e->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_MOST)
			continue;
		change_file(path, to, !any || below(3) == 0);
		any = true;
		if (below(30) == 0)
			(void)unlink(to);
	}
	if (d)
		closedir(d);
}

/* ---- a run --------------------------------------------------------------------------------- */

/* Splits TEXT into words, with SOURCE after the first one; a first word "-" is left out. */
static void split(char *text, const char *program, const char *source, const char *argv[32])
{
	char *rest = NULL, *word = strtok_r(text, " ", &rest);
	int n = 0;

	argv[n++] = program;
	if (strcmp(word, "-") != 0)
		argv[n++] = word;
	argv[n++] = source;
	while (n < 31 && (word = strtok_r(NULL, " ", &rest)))
		argv[n++] = word;
	argv[n] = NULL;
}

static int run(const char *const *argv, const char *out, const char *err)
{
	int64_t end_ms = clock_ms() + LONGEST_MS;
	const struct timespec pause = { 0, 2000000 };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int fds[3] = { open("/dev/null", O_RDONLY),
			       open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600),
			       open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600) };

		for (int i = 0; i < 3; i++)
			(void)dup2(fds[i], i);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_left(end_ms) == 0) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return -1;
		}
		nanosleep(&pause, NULL);	/* clock: polls until it has ended */
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static const char *control(const struct text *t)
{
	static char what[60];

	for (size_t i = 0; i < t->length; i++) {
		unsigned char c = (unsigned char)t->bytes[i];
		unsigned char next = (unsigned char)t->bytes[i + 1];

		if ((c < ' ' && c != '\n') || c == 0x7f ||
		    (c == 0xc2 && next >= 0x80 && next < 0xa0)) {
			snprintf(what, sizeof(what), "a control character, byte %zu", i);
			return what;
		}
	}
	return NULL;
}

/* What is wrong with an answer; NULL: nothing. */
static const char *judge(int status, const struct text *out, const struct text *err,
			 const char *question)
{
	static char what[80];
	json_error_t error;
	json_t *value;

	if (status == -1)
		return "no end within 30 s";
	if (status > 4) {
		snprintf(what, sizeof(what), status > 1000 ? "signal %d" : "exit status %d",
			 status % 1000);
		return what;
	}
	if (strstr(err->bytes, "Sanitizer") || strstr(err->bytes, "runtime error:"))
		return "a sanitizer speaks";
	if (control(err))
		return control(err);
	/* CSV is for programs, so texts in it are as they were read. */
	if (strstr(question, "csv"))
		return NULL;
	if (control(out))
		return control(out);
	if (!strstr(question, "json") || out->length == 0)
		return NULL;
	value = json_loadb(out->bytes, out->length, JSON_ALLOW_NUL, &error);
	json_decref(value);
	return value ? NULL : "JSON that is none";
}

static void keep(const char *directory, const char *kept, unsigned long number,
		 const char *question, const char *why)
{
	char command[12000];

	printf("failure %lu: %s: %s\n", number, question, why);
	fflush(stdout);
	snprintf(command, sizeof(command), "mkdir -p '%s/%lu' && cp '%s'/* '%s/%lu/'", kept, number,
		 directory, kept, number);
	if (system(command) != 0)
		printf("it could not be kept\n");
}

int main(int argc, char **argv)
{
	char directory[] = "/tmp/fuzz-binary.XXXXXX", input[100], source[200], out[100], err[100];
	unsigned long runs = 0, failures = 0, answers = 0;
	int64_t end_ms;

	if (argc < 5 || !mkdtemp(directory)) {
		fprintf(stderr, "usage: binary FAIRTOP DATA SECONDS KEPT [SEED]\n");
		return 2;
	}
	dice = argc > 5 ? strtoull(argv[5], NULL, 10) :
	       (uint64_t)time(NULL);	/* clock: another seed each time */
	printf("seed %llu\n", (unsigned long long)dice);
	end_ms = clock_ms() + strtol(argv[3], NULL, 10) * 1000;
	snprintf(input, sizeof(input), "%s/in", directory);
	snprintf(out, sizeof(out), "%s/out", directory);
	snprintf(err, sizeof(err), "%s/err", directory);
	(void)mkdir(input, 0700);
	while (clock_left(end_ms) > 0) {
		const struct seed *seed = &seeds[below(COUNT(seeds))];

		make_input(argv[2], seed, input);
		snprintf(source, sizeof(source), "%s%s%s", seed->scheme, input,
			 seed->scheme[0] ? "" : "/input");
		for (int i = 0; i < 4; i++) {
			const char *question = questions[below(COUNT(questions))], *words[32], *why;
			char *copy = mem_strdup(question);
			struct text said, reported;
			int status;

			split(copy, argv[1], source, words);
			status = run(words, out, err);
			said = read_text(out);
			reported = read_text(err);
			why = judge(status, &said, &reported, question);
			runs++;
			answers += status == 0 || status == 1;
			if (why)
				keep(input, argv[4], ++failures, question, why);
			mem_free(said.bytes);
			mem_free(reported.bytes);
			mem_free(copy);
		}
	}
	empty(input);
	(void)rmdir(input);
	empty(directory);
	(void)rmdir(directory);
	printf("fuzz-binary: %lu runs, %lu of them answered, %lu failures\n", runs, answers,
	       failures);
	return failures > 0;
}
