/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/sandbox_calls.h"

/* ---- Landlock ------------------------------------------------------------------------------ */

/*
 * From linux/landlock.h, which not every system's headers have; the numbers are the same on all
 * architectures of Linux except Alpha.
 */
#define LL_CREATE 444
#define LL_ADD_RULE 445
#define LL_RESTRICT 446
#define LL_ABI_FLAG 1u
#define LL_BENEATH 1
#define LL_EXECUTE (UINT64_C(1) << 0)
#define LL_WRITE_FILE (UINT64_C(1) << 1)
#define LL_CHANGES UINT64_C(0x1ff0)	/* REMOVE_DIR ... MAKE_SYM: entries of directories */
#define LL_REFER (UINT64_C(1) << 13)	/* since ABI 2 */
#define LL_TRUNCATE (UINT64_C(1) << 14)	/* since ABI 3 */
#define LL_TCP UINT64_C(3)		/* bind, connect; since ABI 4 */
#define LL_ABSTRACT (UINT64_C(1) << 0)	/* abstract sockets of other processes; since ABI 6 */
#define LL_SIGNALS (UINT64_C(1) << 1)	/* to other processes; the same */

struct landlock_ruleset {
	uint64_t files, net, scopes;
};

struct landlock_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* 0: the kernel has none, or the parent process forbids it. */
static int landlock_abi(void)
{
	long abi = syscall(LL_CREATE, NULL, (size_t)0, LL_ABI_FLAG);

	return abi > 0 ? (int)abi : 0;
}

/* If a file cannot be allowed, writing to it fails later with an error. */
static void landlock_allow(int rules, int fd)
{
	struct landlock_beneath beneath = { .fd = fd, .allowed = LL_WRITE_FILE };

	if (landlock_abi() >= 3)
		beneath.allowed |= LL_TRUNCATE;
	(void)syscall(LL_ADD_RULE, rules, LL_BENEATH, &beneath, 0);
}

static void landlock_enter(enum sandbox_who who, int output)
{
	static const size_t sizes[] = { [1] = 8, 8, 8, 16, 16, 24 };
	int abi = landlock_abi(), null, rules;
	struct landlock_ruleset r = {
		.files = LL_EXECUTE | LL_WRITE_FILE | LL_CHANGES | (abi >= 2 ? LL_REFER : 0) |
			 (abi >= 3 ? LL_TRUNCATE : 0),
		.net = who == SANDBOX_ASKS ? 0 : LL_TCP,
		.scopes = LL_SIGNALS | (who == SANDBOX_ASKS ? 0 : LL_ABSTRACT),
	};

	if (abi == 0)
		return;
	rules = (int)syscall(LL_CREATE, &r, sizes[abi < 6 ? abi : 6], 0);
	if (rules < 0)
		return;
	null = open("/dev/null", O_PATH | O_CLOEXEC);
	landlock_allow(rules, null);
	if (null >= 0)
		close(null);
	if (who == SANDBOX_IMPORTS)
		landlock_allow(rules, output);
	(void)syscall(LL_RESTRICT, rules, 0);
	close(rules);
}

/* ---- both ---------------------------------------------------------------------------------- */

bool sandbox_is_off(void)
{
	const char *word = secure_getenv("FAIRTOP_SANDBOX");

	return word && strcmp(word, "off") == 0;
}

void sandbox_enter(enum sandbox_who who, int output)
{
	if (sandbox_is_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return;
	landlock_enter(who, output);
	(void)sandbox_calls_filter(who, 0, (int)getpid(), -1);
}

/* The results of a sandboxed child's attempts, as digits in base 3. */
enum sandbox_found { CANNOT, CAN, UNKNOWN, FOUNDS };

static enum sandbox_found found_of(int fd)
{
	if (fd >= 0) {
		close(fd);
		return CAN;
	}
	return errno == EPERM || errno == EACCES ? CANNOT : UNKNOWN;
}

static enum sandbox_found try_program(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(errno == EPERM || errno == EACCES ? 1 : 2);
	}
	if (pid < 0)
		return found_of(-1);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return UNKNOWN;
	return WEXITSTATUS(status) == 0 ? CAN : WEXITSTATUS(status) == 1 ? CANNOT : UNKNOWN;
}

static int try_all(void)
{
	enum sandbox_found writes, connects, signals;
	char path[64];

	sandbox_enter(SANDBOX_READS, -1);
	snprintf(path, sizeof(path), "/tmp/fairtop-sandbox-%ld", (long)getpid());
	writes = found_of(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	if (writes == CAN)
		unlink(path);
	connects = found_of(socket(AF_UNIX, SOCK_STREAM, 0));
	if (connects == CANNOT)
		connects = found_of(socket(AF_INET, SOCK_STREAM, 0));
	signals = kill(getppid(), 0) == 0 ? CAN : found_of(-1);
	return (prctl(PR_GET_SECCOMP) == 2) +
	       2 * ((int)writes + FOUNDS * ((int)connects + FOUNDS * ((int)signals +
							FOUNDS * (int)try_program())));
}

bool sandbox_status(char *buf, size_t size)
{
	static const char *const words[FOUNDS] = { "cannot", "can", "unknown" };
	static const char *const tries[] = { "write a file", "open a socket", "signal its parent",
					     "start a program" };
	char seccomp[64], landlock[64] = "not in this kernel, or forbidden";
	int abi = landlock_abi(), status = -1, found;
	pid_t pid = fork();
	size_t used;

	if (pid == 0)
		_exit(try_all());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		status = -1;
	if (abi > 0)
		snprintf(landlock, sizeof(landlock), "version %d of its interface", abi);
	sandbox_calls_text(seccomp, sizeof(seccomp));
	used = (size_t)snprintf(buf, size, "sandbox: %s\nlandlock: %s\nseccomp: %s\n%s",
				sandbox_is_off() ? "off (--no-sandbox, FAIRTOP_SANDBOX)" : "on",
				landlock, seccomp, status < 0 ? "" :
				"a process that reads other users' files, tried just now:\n");
	if (status < 0)
		return false;
	found = WEXITSTATUS(status) / 2;
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]) && used < size; i++) {
		used += (size_t)snprintf(buf + used, size - used, "  %s: %s\n", tries[i],
					 words[found % FOUNDS]);
		found /= FOUNDS;
	}
	return WEXITSTATUS(status) % 2;
}

void sandbox_environment(void)
{
	static const char *const first[] = { "LD_", "FAIRTOP_" };

	if (!getauxval(AT_SECURE) && getuid() == geteuid() && getgid() == getegid())
		return;
	setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		for (char **e = environ; *e;) {
			char name[256];
			size_t length = strcspn(*e, "=");

			/* Without a '=' it is not a variable that unsetenv() can remove. */
			if (strncmp(*e, first[i], strlen(first[i])) != 0 ||
			    length >= sizeof(name) || (*e)[length] == '\0') {
				e++;
				continue;
			}
			memcpy(name, *e, length);
			name[length] = '\0';
			unsetenv(name);		/* the next one is now at this index */
		}
	}
}
