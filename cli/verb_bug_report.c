/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bug-report: what somebody needs who is to mend fairtop, in one file that can be read before. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "adapters/store/anonymize.h"
#include "cli/session.h"
#include "cli/verbs.h"

static void title(const char *what)
{
	printf("\n### %s\n", what);
	(void)fflush(stdout);
}

/* All that follows the fetch knows the pseudonyms only. */
static int report_cluster(struct session *s, struct selection *selection)
{
	unsigned char key[ANONYMIZE_KEY];
	struct err err = { .code = ERR_NONE };
	struct cluster *plain = s->cluster;

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		err_set(&err, ERR_SOURCE, "no random numbers for pseudonyms");
	s->cluster = err.code == ERR_NONE ? anonymize(plain, key, &err) : NULL;
	if (!s->cluster) {
		s->cluster = plain;
		return complain(&err);
	}
	cluster_free(plain);
	printf("%s\n", s->source->health);
	title("verify");
	printf("exit status %d\n", verify_answer(s, NULL));
	title("snapshot, with pseudonyms");
	return snapshot_answer(s, selection);
}

/* Standard output and standard error are the file. */
static int report_all(const struct options *o)
{
	struct options own = *o;

	printf("# A report of fairtop. Names of users, accounts, jobs and reservations in the\n"
	       "# snapshot are pseudonyms, of which nobody has the key; those in settings and\n"
	       "# messages are as they are. Look through it before you send it.\n");
	title("versions");
	(void)verb_version();
	(void)verb_sandbox_status();
	title("settings");
	own.verb = VERB_SCREEN;
	own.print_config = true;
	(void)verb_screen(&own);
	title("source and messages");
	return session_run(o, NULL, NEED_ALL, report_cluster);
}

int verb_bug_report(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	int fd = -1, out, problems, status;

	if (!o->output)
		err_set(&err, ERR_INPUT, "bug-report: FILE is missing (expected fairtop bug-report "
			"SOURCE -o FILE)");
	else if ((fd = open(o->output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
		err_set(&err, ERR_INPUT, "%.300s: %s", o->output, strerror(errno));
	if (fd < 0)
		return complain(&err);
	out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	problems = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	status = report_all(o);
	if (fflush(stdout) != 0 && status == 0)
		status = ERR_INPUT;
	dup2(out, STDOUT_FILENO);
	dup2(problems, STDERR_FILENO);
	close(out);
	close(problems);
	close(fd);
	remark(o->output, status == 0 ? "written; look through it before you send it" :
	       "written as far as it goes; its last lines say why the rest is missing");
	return status;
}
