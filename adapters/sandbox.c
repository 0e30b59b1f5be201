/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

#ifdef HAVE_LIBSECCOMP
#include <seccomp.h>
#endif

/* ---- Landlock ------------------------------------------------------------------------------ */

/*
 * As linux/landlock.h has it, which not every system's headers have; the numbers are the same on
 * all of Linux's architectures but Alpha.
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

struct landlock_ruleset {
	uint64_t files, net;
};

struct landlock_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

/* 0: the kernel has none, or whoever started us forbids it. */
static int landlock_abi(void)
{
	long abi = syscall(LL_CREATE, NULL, (size_t)0, LL_ABI_FLAG);

	return abi > 0 ? (int)abi : 0;
}

/* What cannot be allowed cannot be written, which whoever tries will be told. */
static void landlock_allow(int rules, int fd, uint64_t changes)
{
	struct landlock_beneath beneath = { .fd = fd, .allowed = changes };
	struct stat st;

	if (fstat(fd, &st) != 0)
		return;
	if (!S_ISDIR(st.st_mode))
		beneath.allowed &= LL_WRITE_FILE | LL_TRUNCATE;
	(void)syscall(LL_ADD_RULE, rules, LL_BENEATH, &beneath, 0);
}

static bool landlock_enter(const struct sandbox *s)
{
	int abi = landlock_abi(), fd, null;
	uint64_t changes = LL_WRITE_FILE | LL_CHANGES | (abi >= 2 ? LL_REFER : 0) |
			   (abi >= 3 ? LL_TRUNCATE : 0);
	struct landlock_ruleset r = { .files = changes | LL_EXECUTE,
				      .net = s->sockets ? 0 : LL_TCP };
	bool good;

	if (abi == 0)
		return false;
	fd = (int)syscall(LL_CREATE, &r, abi >= 4 ? sizeof(r) : sizeof(r.files), 0);
	if (fd < 0)
		return false;
	null = open("/dev/null", O_PATH | O_CLOEXEC);
	landlock_allow(fd, null, changes);
	if (null >= 0)
		close(null);
	for (size_t i = 0; i < s->writable_count; i++)
		landlock_allow(fd, s->writable[i], changes);
	good = syscall(LL_RESTRICT, fd, 0) == 0;
	close(fd);
	return good;
}

/* ---- seccomp ------------------------------------------------------------------------------- */

#ifdef HAVE_LIBSECCOMP

/* Younger than many a libseccomp; the same numbers on all architectures. */
#define FCHMODAT2 452
#define SETXATTRAT 463
#define REMOVEXATTRAT 466

/* Whatever it is for, no reader of files needs it. The leak detector of ASan asks for ptrace. */
static const int never[] = {
	SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(kill),
	SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(pidfd_open),
	SCMP_SYS(pidfd_send_signal), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
	SCMP_SYS(chmod), SCMP_SYS(fchmodat), FCHMODAT2, SCMP_SYS(chown), SCMP_SYS(truncate),
	SCMP_SYS(truncate64), SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(setxattr),
	SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
	SCMP_SYS(fremovexattr), SETXATTRAT, REMOVEXATTRAT, SCMP_SYS(mknod), SCMP_SYS(mknodat),
	SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(chroot), SCMP_SYS(pivot_root),
	SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
	SCMP_SYS(userfaultfd), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
	SCMP_SYS(io_uring_setup),
#ifndef FAIRTOP_SANITIZE
	SCMP_SYS(ptrace),
#endif
};

static const int changes_files[] = {
	SCMP_SYS(creat), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename),
	SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(link), SCMP_SYS(linkat),
	SCMP_SYS(symlink), SCMP_SYS(symlinkat), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
	SCMP_SYS(rmdir), SCMP_SYS(fchmod), SCMP_SYS(fchown), SCMP_SYS(utime), SCMP_SYS(utimes),
	SCMP_SYS(utimensat), SCMP_SYS(futimesat),
};

static const int sockets[] = { SCMP_SYS(socket), SCMP_SYS(socketcall), SCMP_SYS(bind),
			       SCMP_SYS(connect), SCMP_SYS(listen), SCMP_SYS(accept),
			       SCMP_SYS(accept4) };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool forbid(scmp_filter_ctx filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0) != 0)
			return false;
	}
	return true;
}

/* abort() and raise() signal their own process: glibc by tgkill, musl its first thread by tkill. */
static bool forbid_signals(scmp_filter_ctx filter)
{
	const scmp_datum_t self = (scmp_datum_t)getpid();

	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
				SCMP_A0(SCMP_CMP_NE, self, 0)) == 0 &&
	       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tkill), 1,
				SCMP_A0(SCMP_CMP_NE, self, 0)) == 0;
}

/* What is put into a terminal's input the user's shell will run (before Linux 6.2). */
static bool forbid_typing(scmp_filter_ctx filter)
{
	static const unsigned requests[] = { TIOCSTI, TIOCLINUX };
	bool good = true;

	for (size_t i = 0; i < COUNT_OF(requests); i++)
		good = good &&
		       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
					SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, requests[i])) == 0;
	return good;
}

/* open() by its flags. The flags of openat2() lie in memory: who asks for it takes openat(). */
static bool forbid_writing(scmp_filter_ctx filter)
{
	static const unsigned flags[] = { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC };
	bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) == 0;

	for (size_t i = 0; i < COUNT_OF(flags); i++)
		good = good &&
		       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(open), 1,
					SCMP_A1(SCMP_CMP_MASKED_EQ, flags[i], flags[i])) == 0 &&
		       seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 1,
					SCMP_A2(SCMP_CMP_MASKED_EQ, flags[i], flags[i])) == 0;
	return good && forbid(filter, changes_files, COUNT_OF(changes_files));
}

/* It cannot tell one path from another: where one may be written, Landlock has to know which. */
static void seccomp_enter(const struct sandbox *s)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	if (filter && forbid(filter, never, COUNT_OF(never)) && forbid_signals(filter) &&
	    forbid_typing(filter) &&
	    (s->writable_count > 0 || forbid_writing(filter)) &&
	    (s->sockets || forbid(filter, sockets, COUNT_OF(sockets))))
		(void)seccomp_load(filter);
	seccomp_release(filter);
}

static void seccomp_text(char *buf, size_t size)
{
	const struct scmp_version *v = seccomp_version();

	snprintf(buf, size, prctl(PR_GET_SECCOMP) < 0 ? "not in this kernel" :
		 "by libseccomp %u.%u.%u", v->major, v->minor, v->micro);
}

#else

static void seccomp_enter(const struct sandbox *s)
{
	(void)s;
}

static void seccomp_text(char *buf, size_t size)
{
	snprintf(buf, size, "no, built without libseccomp");
}

#endif

/* ---- both ---------------------------------------------------------------------------------- */

bool sandbox_is_off(void)
{
	const char *word = secure_getenv("FAIRTOP_SANDBOX");

	return word && strcmp(word, "off") == 0;
}

void sandbox_enter(const struct sandbox *s)
{
	if (sandbox_is_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return;
	(void)landlock_enter(s);
	seccomp_enter(s);
}

/* What a child that has shut itself in found of each thing it tried, as digits to base 3. */
enum found { CANNOT, CAN, UNKNOWN, FOUNDS };

static enum found found_of(int fd)
{
	if (fd >= 0) {
		close(fd);
		return CAN;
	}
	return errno == EPERM || errno == EACCES ? CANNOT : UNKNOWN;
}

static enum found try_program(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(errno == EPERM || errno == EACCES ? 1 : 2);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return UNKNOWN;
	return WEXITSTATUS(status) == 0 ? CAN : WEXITSTATUS(status) == 1 ? CANNOT : UNKNOWN;
}

static int try_all(void)
{
	static const struct sandbox reader = { .sockets = false };
	enum found writes, connects;
	char path[64];

	sandbox_enter(&reader);
	snprintf(path, sizeof(path), "/tmp/fairtop-sandbox-%ld", (long)getpid());
	writes = found_of(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
	if (writes == CAN)
		unlink(path);
	connects = found_of(socket(AF_UNIX, SOCK_STREAM, 0));
	if (connects == CANNOT)
		connects = found_of(socket(AF_INET, SOCK_STREAM, 0));
	return (int)writes + FOUNDS * ((int)connects + FOUNDS * (int)try_program());
}

void sandbox_status(char *buf, size_t size)
{
	static const char *const words[FOUNDS] = { "cannot", "can", "unknown" };
	char seccomp[64], landlock[64] = "not in this kernel, or forbidden";
	int abi = landlock_abi(), status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(try_all());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		status = -1;
	if (abi > 0)
		snprintf(landlock, sizeof(landlock), "version %d of its interface", abi);
	seccomp_text(seccomp, sizeof(seccomp));
	snprintf(buf, size, "sandbox: %s\nlandlock: %s\nseccomp: %s\n",
		 sandbox_is_off() ? "off (--no-sandbox, FAIRTOP_SANDBOX)" : "on", landlock,
		 seccomp);
	if (status < 0)
		return;
	status = WEXITSTATUS(status);
	size -= strlen(buf);
	snprintf(buf + strlen(buf), size, "who reads a file of others, tried just now:\n"
		 "  write a file: %s\n  open a socket: %s\n  start a program: %s\n",
		 words[status % FOUNDS], words[status / FOUNDS % FOUNDS],
		 words[status / FOUNDS / FOUNDS % FOUNDS]);
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

			/* What has no '=' is no variable that unsetenv() knows. */
			if (strncmp(*e, first[i], strlen(first[i])) != 0 ||
			    length >= sizeof(name) || (*e)[length] == '\0') {
				e++;
				continue;
			}
			memcpy(name, *e, length);
			name[length] = '\0';
			unsetenv(name);		/* the next one is in its place now */
		}
	}
}
