/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/sandbox_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "config.h"
#include "core/base/word.h"

#ifdef HAVE_LIBSECCOMP
#include <seccomp.h>
#endif

#define READS (1u << SANDBOX_READS)
#define IMPORTS (1u << SANDBOX_IMPORTS)
#define ASKS (1u << SANDBOX_ASKS)
#define ALL (READS | IMPORTS | ASKS)

/* ---- the table ----------------------------------------------------------------------------- */

/* With the variants that 32-bit systems and musl use. */
const struct sandbox_power sandbox_powers[] = {
	{ "read files and directories",
	  "open openat close close_range read readv pread64 preadv preadv2 lseek _llseek dup dup2 "
	  "dup3 fcntl fcntl64 stat lstat fstat newfstatat stat64 lstat64 fstat64 fstatat64 statx "
	  "statfs fstatfs statfs64 fstatfs64 access faccessat faccessat2 readlink readlinkat "
	  "getdents getdents64 getcwd fadvise64 fadvise64_64 readahead", ALL },
	{ "write to descriptors that it was given",
	  "write writev pwrite64 pwritev pwritev2 ftruncate ftruncate64 fallocate fsync fdatasync "
	  "ioctl", ALL },
	{ "use memory, threads, pipes and clocks",
	  "brk mmap mmap2 munmap mprotect mremap madvise msync mincore mlock mlock2 munlock clone "
	  "set_tid_address set_robust_list get_robust_list rseq futex futex_time64 membarrier "
	  "sched_yield restart_syscall exit exit_group arch_prctl set_thread_area pipe pipe2 "
	  "eventfd2 poll ppoll ppoll_time64 select _newselect pselect6 pselect6_time64 getrandom "
	  "clock_gettime clock_gettime64 clock_getres clock_getres_time64 clock_nanosleep "
	  "clock_nanosleep_time64 nanosleep gettimeofday time times", ALL },
	{ "signal itself",
	  "tgkill tkill rt_sigaction rt_sigprocmask rt_sigreturn sigreturn rt_sigtimedwait "
	  "rt_sigtimedwait_time64 rt_sigpending rt_sigsuspend sigaltstack", ALL },
	{ "query itself and the system",
	  "getpid getppid gettid getpgrp getpgid getsid getuid geteuid getgid getegid getuid32 "
	  "geteuid32 getgid32 getegid32 getgroups getgroups32 getresuid getresgid getresuid32 "
	  "getresgid32 getrlimit ugetrlimit prlimit64 getrusage uname sysinfo sched_getaffinity "
	  "prctl umask", ALL },
	{ "open for writing (with Landlock: its output only)", "open openat", IMPORTS },
	{ "open sockets (Unix, IP, netlink)",
	  "socket socketpair connect bind getsockname getpeername getsockopt setsockopt send "
	  "sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg shutdown epoll_create "
	  "epoll_create1 "
	  "epoll_ctl epoll_wait epoll_pwait timerfd_create timerfd_settime", ASKS },
	{ "create, rename, link, truncate or remove a file",
	  "creat mknod mknodat mkdir mkdirat rename renameat renameat2 link linkat symlink "
	  "symlinkat truncate truncate64 unlink unlinkat rmdir open_by_handle_at", 0 },
	{ "change the permissions, owner, times or attributes of a file",
	  "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat chown32 fchown32 lchown32 "
	  "utime utimes futimesat utimensat utimensat_time64 setxattr lsetxattr fsetxattr "
	  "setxattrat removexattr lremovexattr fremovexattr removexattrat", 0 },
	{ "start a process or a program", "fork vfork execve execveat", 0 },
	{ "signal another process",
	  "kill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal", 0 },
	{ "limit, slow down, trace or inspect another process",
	  "setrlimit setpriority sched_setaffinity sched_setscheduler sched_setparam sched_setattr "
	  "ioprio_set migrate_pages move_pages process_madvise ptrace process_vm_readv "
	  "process_vm_writev pidfd_getfd kcmp perf_event_open userfaultfd", 0 },
	{ "share memory, messages or semaphores",
	  "shmget shmat shmctl msgget msgsnd msgrcv msgctl semget semop semtimedop semctl ipc "
	  "mq_open mq_unlink", 0 },
	{ "listen", "listen accept accept4", 0 },
	{ "change the system, its mounts or keys, or its own identity",
	  "mount umount2 chroot pivot_root unshare setns bpf io_uring_setup io_uring_enter keyctl "
	  "add_key request_key personality sethostname setdomainname setuid setgid setgroups "
	  "setresuid setresgid setsid setpgid capset reboot swapon init_module finit_module "
	  "kexec_load settimeofday clock_settime adjtimex syslog acct quotactl", 0 },
};
const size_t sandbox_powers_count = sizeof(sandbox_powers) / sizeof(sandbox_powers[0]);

#define INT UINT32_MAX			/* the kernel uses only these bits of an int */
#define WRITES (unsigned)(O_ACCMODE | O_CREAT | O_TRUNC)

#ifdef __s390__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

#define FCNTL(command) \
	{ "fcntl", ALL, 1, INT, command }, { "fcntl64", ALL, 1, INT, command }

/*
 * Excluded: commands of fcntl() that choose whom a descriptor signals (F_SETOWN, F_SETSIG), and of
 * ioctl() that type into a terminal (TIOCSTI, TIOCLINUX). prlimit64() is for process 0, the caller.
 */
const struct sandbox_condition sandbox_conditions[] = {
	{ "open", READS | ASKS, 1, WRITES, O_RDONLY },
	{ "openat", READS | ASKS, 2, WRITES, O_RDONLY },
	FCNTL(F_GETFD), FCNTL(F_SETFD), FCNTL(F_GETFL), FCNTL(F_SETFL), FCNTL(F_DUPFD),
	FCNTL(F_DUPFD_CLOEXEC), FCNTL(F_GETLK), FCNTL(F_SETLK), FCNTL(F_SETLKW),
	FCNTL(F_OFD_GETLK), FCNTL(F_OFD_SETLK),
	{ "ioctl", ALL, 1, INT, TCGETS }, { "ioctl", ALL, 1, INT, TIOCGWINSZ },
	{ "ioctl", ALL, 1, INT, 0x802c542a /* TCGETS2: isatty() since glibc 2.42 */ },
	{ "ioctl", ALL, 1, INT, FIONREAD }, { "ioctl", ALL, 1, INT, FIONBIO },
	{ "clone", ALL, CLONE_FLAGS, CLONE_THREAD, CLONE_THREAD },
	{ "prlimit64", ALL, 0, INT, 0 },
	{ "tgkill", ALL, 0, INT, SANDBOX_SELF }, { "tkill", ALL, 0, INT, SANDBOX_SELF },
	{ "prctl", ALL, 0, INT, PR_SET_NAME }, { "prctl", ALL, 0, INT, PR_GET_NAME },
	{ "prctl", ALL, 0, INT, PR_GET_SECCOMP }, { "prctl", ALL, 0, INT, 0x53564d41 /* VMA */ },
	{ "socket", ASKS, 0, INT, AF_UNIX }, { "socket", ASKS, 0, INT, AF_INET },
	{ "socket", ASKS, 0, INT, AF_INET6 }, { "socket", ASKS, 0, INT, AF_NETLINK },
};
const size_t sandbox_conditions_count = sizeof(sandbox_conditions) / sizeof(sandbox_conditions[0]);

/* ---- the filter ---------------------------------------------------------------------------- */

#ifdef HAVE_LIBSECCOMP

/* The filter cannot read their arguments in memory; ENOSYS makes callers use older calls. */
static const char *const unknown[] = { "clone3", "openat2" };

/* Needed by the sanitizers themselves, such as ASan's leak detector at the end. */
#ifdef FAIRTOP_SANITIZE
static const char sanitizers[] = "clone prctl ptrace wait4 kill setrlimit process_vm_readv";
#else
static const char sanitizers[] = "";
#endif

/* The next name of *LIST into NAME; false at its end. */
static bool next_call(const char **list, char *name, size_t size)
{
	size_t length = strcspn(*list, " ");

	if (length == 0)
		return false;
	snprintf(name, size, "%.*s", (int)length, *list);
	*list += length;
	*list += **list == ' ';
	return true;
}

/* Calls unknown to libseccomp are refused. On architectures without CALL it does nothing. */
static void sandbox_calls_allow(scmp_filter_ctx filter, const char *call,
				const struct scmp_arg_cmp *if_so)
{
	int number = seccomp_syscall_resolve_name(call);

	if (number != __NR_SCMP_ERROR)
		(void)seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, if_so ? 1 : 0, if_so);
}

static void allow_call(scmp_filter_ctx filter, const char *call, enum sandbox_who who, int self)
{
	bool theirs = word_listed(sanitizers, call, strlen(call)), always = true;

	for (size_t i = 0; i < sandbox_conditions_count && !theirs; i++) {
		const struct sandbox_condition *c = &sandbox_conditions[i];
		unsigned value = c->value == SANDBOX_SELF ? (unsigned)self : c->value;
		const struct scmp_arg_cmp cmp =
			SCMP_CMP(c->arg, SCMP_CMP_MASKED_EQ, c->mask, value);

		if (strcmp(c->call, call) != 0 || !(c->who & 1u << who))
			continue;
		sandbox_calls_allow(filter, call, &cmp);
		always = false;
	}
	if (always)
		sandbox_calls_allow(filter, call, NULL);
}

static void allow_all(scmp_filter_ctx filter, enum sandbox_who who, int self)
{
	const char *list = sanitizers;
	char name[32];

	while (next_call(&list, name, sizeof(name)))
		sandbox_calls_allow(filter, name, NULL);
	for (size_t i = 0; i < sandbox_powers_count; i++) {
		if (!(sandbox_powers[i].who & 1u << who))
			continue;
		list = sandbox_powers[i].calls;
		while (next_call(&list, name, sizeof(name)))
			allow_call(filter, name, who, self);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		int number = seccomp_syscall_resolve_name(unknown[i]);

		if (number != __NR_SCMP_ERROR)
			(void)seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
	}
}

bool sandbox_calls_filter(enum sandbox_who who, unsigned arch, int self, int fd)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	bool good = filter && (fd < 0 || arch == seccomp_arch_native() ||
			       (seccomp_arch_add(filter, arch) == 0 &&
				seccomp_arch_remove(filter, seccomp_arch_native()) == 0));

	if (good)
		allow_all(filter, who, self);
	good = good && (fd < 0 ? seccomp_load(filter) : seccomp_export_bpf(filter, fd)) == 0;
	seccomp_release(filter);
	return good;
}

void sandbox_calls_text(char *buf, size_t size)
{
	const struct scmp_version *v = seccomp_version();

	snprintf(buf, size, prctl(PR_GET_SECCOMP) < 0 ? "not in this kernel" :
		 "by libseccomp %u.%u.%u", v->major, v->minor, v->micro);
}

#else

bool sandbox_calls_filter(enum sandbox_who who, unsigned arch, int self, int fd)
{
	(void)who;
	(void)arch;
	(void)self;
	(void)fd;
	return false;
}

void sandbox_calls_text(char *buf, size_t size)
{
	snprintf(buf, size, "no, built without libseccomp");
}

#endif
