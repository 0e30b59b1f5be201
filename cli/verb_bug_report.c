/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bug-report: what a bug report needs, in one file that its reporter can read first. Standard error
 * names files and people as usual, and does not go into the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/store/anonymize.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/new_file.h"

static void verb_bug_report_title(const char *what)
{
	printf("\n### %s\n", what);
	(void)fflush(stdout);
}

/* Everything after the fetch has only the pseudonyms. */
static int report_cluster(struct session *s, struct selection *selection)
{
	unsigned char key[ANONYMIZE_KEY];
	struct err err = { .code = ERR_NONE };
	struct cluster *plain = s->cluster;
	const char *scheme = s->source->ops->scheme, *health = s->source->health;

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		err_set(&err, ERR_SOURCE, "no random numbers for pseudonyms");
	s->cluster = err.code == ERR_NONE ? anonymize(plain, key, &err) : NULL;
	if (!s->cluster) {
		s->cluster = plain;
		return complain(&err);
	}
	cluster_free(plain);
	/* What follows is the reason, in free text; for ssh it begins with a host. */
	printf("%s: %.*s\n", scheme, strcmp(scheme, "ssh") == 0 ? 0 : (int)strcspn(health, ":"),
	       health);
	verb_bug_report_title("verify");
	printf("exit status %d\n", verify_answer(s, NULL));
	verb_bug_report_title("snapshot, with pseudonyms");
	return snapshot_answer(s, selection);
}

static int report_all(const struct options *o)
{
	struct options own = *o;
	int status;

	printf("# A report of fairtop. Names of users, accounts, jobs and reservations are\n"
	       "# pseudonyms, and nobody has their key. Messages of other programs are left\n"
	       "# out, and so are filters, keys and clusters of the settings. Names of machines,\n"
	       "# queues, partitions, QOS and the cluster are unchanged. Look through it before\n"
	       "# you send it.\n");
	verb_bug_report_title("versions");
	(void)verb_version();
	(void)verb_sandbox_status();
	verb_bug_report_title("settings");
	own.verb = VERB_SCREEN;
	own.print_config = true;
	own.anonymize = true;
	(void)verb_screen(&own);
	verb_bug_report_title("source");
	status = session_run(o, NULL, NEED_ALL, report_cluster);
	if (status != 0)
		printf("exit status %d; the reason is on standard error\n", status);
	return status;
}

/* In a child process, which may become sandboxed, or crash because of what is to be reported. */
static int report_into(struct bytes *text, const struct options *o, struct err *err)
{
	int fds[2], status = 0;
	char part[4096];
	ssize_t n;
	pid_t pid = pipe2(fds, O_CLOEXEC) == 0 ? fork() : -1;

	if (pid < 0) {
		err_set(err, ERR_INPUT, "bug-report: %s", strerror(errno));
		return ERR_INPUT;
	}
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		status = report_all(o);
		(void)fflush(stdout);
		_exit(status);
	}
	close(fds[1]);
	while ((n = read(fds[0], part, sizeof(part))) > 0 || (n < 0 && errno == EINTR))
		bytes_append(text, part, n > 0 ? (size_t)n : 0);
	close(fds[0]);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) :
	       ERR_SOURCE;
}

int verb_bug_report(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	struct bytes text = { 0 };
	int status = 0;

	if (!o->output)
		err_set(&err, ERR_INPUT, "bug-report: FILE is missing (expected fairtop bug-report "
			"SOURCE -o FILE)");
	else if (access(o->output, F_OK) == 0)
		err_about(&err, ERR_INPUT, o->output, "%s", strerror(EEXIST));
	else
		status = report_into(&text, o, &err);
	if (err.code == ERR_NONE && new_file_write(o->output, &text, false, &err))
		remark(o->output, status == 0 ? "written; look through it before you send it" :
		       "partly written; it does not contain the reason why the rest is missing");
	bytes_free(&text);
	return err.code == ERR_NONE ? status : complain(&err);
}
