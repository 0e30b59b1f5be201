/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a hijacked reader would try, in each place that is sandboxed: it succeeds where the table
 * that the filter is made from says so, and nowhere else. The filter compiled for another
 * architecture allows the calls of that table, and no others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/registry/apart.h"
#include "adapters/sandbox_calls.h"
#include "adapters/store/store.h"
#include "config.h"
#include "core/base/word.h"
#include "tests/support/data.h"
#include "tests/support/night.h"
#include "tests/support/scratch.h"

#ifdef HAVE_LIBSECCOMP
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#endif

static char recording[SCRATCH_PATH_MAX], killed[SCRATCH_PATH_MAX], outputs[SCRATCH_PATH_MAX],
	part[SCRATCH_PATH_MAX], victim[SCRATCH_PATH_MAX];

static bool has_landlock(void)
{
	return syscall(444, NULL, (size_t)0, 1u) > 0;
}

static bool has_seccomp(void)
{
#ifdef HAVE_LIBSECCOMP
	return prctl(PR_GET_SECCOMP) >= 0;
#else
	return false;
#endif
}

/* ---- probes -------------------------------------------------------------------------------- */

/* Closes FD again; returns -1 if it is none. */
static long shut(long fd)
{
	return fd < 0 ? -1 : close((int)fd);
}

static long with_victim(long (*act)(int fd))
{
	int fd = open(victim, O_RDONLY);
	long done = fd < 0 ? -1 : act(fd);
	int why = errno;

	if (fd >= 0)
		close(fd);
	errno = why;
	return done;
}

static const char *beside(const char *name)
{
	static char path[SCRATCH_PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/%s", scratch_directory(), name);
	return path;
}

#define PROBE(name, act) static long name(void) { return (long)(act); }
#define OF_VICTIM(name, act) \
	static long name##_of(int fd) { return (long)(act); } PROBE(name, with_victim(name##_of))

static void *nothing(void *argument)
{
	return argument;
}

static long makes_a_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, nothing, NULL) == 0 ? pthread_join(thread, NULL) : -1;
}

static long forks(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
	return pid;
}

static long writes_to_a_pipe(void)
{
	int ends[2];
	long done = pipe(ends) < 0 ? -1 : write(ends[1], "x", 1);

	return done < 0 ? -1 : shut(ends[0]) + shut(ends[1]);
}

static long shares_memory(void)
{
	int id = shmget(IPC_PRIVATE, 100, 0600);

	return id < 0 ? -1 : shmctl(id, IPC_RMID, NULL);
}

static long shares_messages(void)
{
	int id = msgget(IPC_PRIVATE, 0600);

	return id < 0 ? -1 : msgctl(id, IPC_RMID, NULL);
}

static long shares_semaphores(void)
{
	int id = semget(IPC_PRIVATE, 1, 0600);

	return id < 0 ? -1 : semctl(id, 0, IPC_RMID);
}

static long slows_another(void)
{
	return setpriority(PRIO_PROCESS, (id_t)getppid(),
			   getpriority(PRIO_PROCESS, (id_t)getppid()));
}

static long writes_by_openat2(void)
{
	const uint64_t how[3] = { O_RDWR, 0, 0 };
	long fd = syscall(437, AT_FDCWD, victim, how, sizeof(how));

	/* In a sandbox the call does not exist. */
	return fd < 0 && errno == ENOSYS ? -1 : shut(fd);
}

static long types(int fd)
{
	return ioctl(fd, TIOCSTI, "x");
}

/* isatty(), as glibc calls it since 2.42 (TCGETS2). */
static long asks_for_a_terminal(int fd)
{
	char termios2[64];

	return ioctl(fd, 0x802c542aUL, termios2);
}

static cpu_set_t all_cpus;

/* Each of the others is one call, with arguments that are wrong if it is not refused. */
PROBE(opens_to_read, shut(open(victim, O_RDONLY)))
PROBE(lists, shut(open(scratch_directory(), O_RDONLY | O_DIRECTORY)))
PROBE(wakes, shut(eventfd(0, 0)))
PROBE(signals_itself, syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0))
PROBE(asks_its_limits, prlimit(0, RLIMIT_CPU, NULL, &(struct rlimit){ 0, 0 }))
PROBE(writes_a_part, shut(open(part, O_RDWR)))
PROBE(empties_a_part, shut(open(part, O_WRONLY | O_TRUNC)))
PROBE(makes_a_file, shut(open(beside("new"), O_WRONLY | O_CREAT, 0600)))
PROBE(creates, shut(creat(beside("new"), 0600)))
PROBE(appends, shut(open(victim, O_WRONLY | O_APPEND)))
PROBE(opens_to_change, shut(open(victim, O_RDWR)))
PROBE(opens_to_empty, shut(open(victim, O_RDONLY | O_TRUNC)))
PROBE(opens_without_a_name, shut(open(scratch_directory(), O_TMPFILE | O_RDWR, 0600)))
PROBE(writes_the_recording, shut(open(recording, O_RDWR)))
PROBE(writes_a_log, shut(open(beside("killed-wal"), O_RDWR)))
PROBE(writes_an_index, shut(open(beside("killed-shm"), O_RDWR)))
PROBE(cuts_off, truncate(beside("none"), 0))
PROBE(removes, unlink(beside("none")))
PROBE(renames, rename(victim, victim))
PROBE(links, link(victim, victim))
PROBE(links_softly, symlink("x", beside("none/x")))
PROBE(makes_a_directory, mkdir(beside("none/x"), 0700))
PROBE(makes_a_fifo, mknod(beside("none/x"), S_IFIFO | 0600, 0))
PROBE(changes_rights, chmod(victim, 0600))
OF_VICTIM(changes_rights_of_open, fchmod(fd, 0600))
PROBE(changes_rights_anew, syscall(452, AT_FDCWD, victim, 0600, 0))
PROBE(gives_away, chown(victim, getuid(), getgid()))
OF_VICTIM(gives_open_away, fchown(fd, getuid(), getgid()))
PROBE(sets_times, syscall(SYS_utimensat, AT_FDCWD, victim, NULL, AT_SYMLINK_NOFOLLOW))
PROBE(sets_times_at, utimensat(AT_FDCWD, victim, NULL, 0))
PROBE(sets_an_attribute, setxattr(victim, "user.x", "1", 1, 0))
PROBE(removes_an_attribute, removexattr(victim, "user.y"))
PROBE(starts_a_program, execl("/nonexistent/program", "program", (char *)NULL))
PROBE(signals_its_parent, kill(getppid(), 0))
PROBE(signals_a_thread, syscall(SYS_tgkill, getppid(), getppid(), 0))
PROBE(opens_a_process, shut(syscall(434, getppid(), 0)))
OF_VICTIM(names_whom_to_signal, fcntl(fd, F_SETOWN, getppid()))
OF_VICTIM(names_what_to_signal, fcntl(fd, F_SETSIG, SIGTERM))
PROBE(limits_another, prlimit(getppid(), RLIMIT_CORE, NULL, &(struct rlimit){ 0, 0 }))
PROBE(binds_another, sched_setaffinity(getppid(), sizeof(cpu_set_t), &all_cpus))
PROBE(reads_another, syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0))
PROBE(traces, ptrace(PTRACE_ATTACH, -1, NULL, NULL))
PROBE(opens_tcp, shut(socket(AF_INET, SOCK_STREAM, 0)))
PROBE(opens_udp, shut(socket(AF_INET, SOCK_DGRAM, 0)))
PROBE(opens_unix, shut(socket(AF_UNIX, SOCK_STREAM, 0)))
PROBE(opens_netlink, shut(socket(AF_NETLINK, SOCK_RAW, 0)))
PROBE(pairs_sockets, syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, -1, NULL))
PROBE(names_memory, shut(syscall(SYS_memfd_create, "x", 0)))
PROBE(watches_files, shut(inotify_init()))
PROBE(leaves_its_namespace, unshare(0))
PROBE(asks_the_ring, shut(syscall(425, 0, NULL)))
PROBE(moves_its_session, setpgid(0, -1))
PROBE(types_commands, with_victim(types))
PROBE(knows_a_terminal, with_victim(asks_for_a_terminal))

static const char files[] = "read files and directories";
static const char written[] = "write to descriptors that it was given";
static const char own[] = "use memory, threads, pipes and clocks";
static const char self[] = "signal itself";
static const char asks[] = "query itself and the system";
static const char output[] = "open for writing (with Landlock: its output only)";
static const char sockets[] = "open sockets (Unix, IP, netlink)";
static const char names[] = "create, rename, link, truncate or remove a file";
static const char rights[] = "change the permissions, owner, times or attributes of a file";
static const char starts[] = "start a process or a program";
static const char signals[] = "signal another process";
static const char others[] = "limit, slow down, trace or inspect another process";
static const char shares[] = "share memory, messages or semaphores";
static const char machine[] = "change the system, its mounts or keys, or its own identity";

/* POWER is its name in the table; NULL: not in it, so refused to all. */
static const struct probe {
	const char *what, *power;
	long (*act)(void);
	bool elsewhere;			/* Landlock limits to the output what seccomp allows */
	bool sanitizers;		/* allowed to sanitizers if these are built in */
} probes[] = {
#define P(act, power) { #act, power, act, false, false }
	P(opens_to_read, files), P(lists, files), P(writes_to_a_pipe, written), P(wakes, own),
	P(makes_a_thread, own), P(signals_itself, self), P(asks_its_limits, asks),
	P(knows_a_terminal, written), P(writes_a_part, output), P(empties_a_part, output),
	P(creates, names), P(cuts_off, names), P(removes, names), P(renames, names),
	P(links, names), P(links_softly, names), P(makes_a_directory, names),
	P(makes_a_fifo, names), P(changes_rights, rights), P(changes_rights_of_open, rights),
	P(changes_rights_anew, rights), P(gives_away, rights), P(gives_open_away, rights),
	P(sets_times, rights), P(sets_times_at, rights), P(sets_an_attribute, rights),
	P(removes_an_attribute, rights), P(starts_a_program, starts),
	P(signals_a_thread, signals), P(opens_a_process, signals),
	P(names_whom_to_signal, signals), P(names_what_to_signal, signals),
	P(limits_another, others), P(slows_another, others), P(binds_another, others),
	P(shares_memory, shares), P(shares_messages, shares), P(shares_semaphores, shares),
	P(opens_tcp, sockets), P(opens_udp, sockets), P(opens_unix, sockets),
	P(opens_netlink, sockets), P(pairs_sockets, sockets), P(names_memory, NULL),
	P(watches_files, NULL), P(leaves_its_namespace, machine), P(asks_the_ring, machine),
	P(moves_its_session, machine), P(types_commands, NULL), P(writes_by_openat2, NULL),
#define ELSEWHERE(act) { #act, output, act, true, false }
	ELSEWHERE(makes_a_file), ELSEWHERE(appends), ELSEWHERE(opens_to_change),
	ELSEWHERE(opens_to_empty), ELSEWHERE(opens_without_a_name),
	ELSEWHERE(writes_the_recording), ELSEWHERE(writes_a_log), ELSEWHERE(writes_an_index),
#define SANITIZERS(act, power) { #act, power, act, false, true }
	SANITIZERS(forks, starts), SANITIZERS(signals_its_parent, signals),
	SANITIZERS(reads_another, others), SANITIZERS(traces, others),
};
#define PROBES (sizeof(probes) / sizeof(probes[0]))

/* ---- where the probes run ------------------------------------------------------------------ */

/* The result of each probe, from a child that can write nothing else. */
enum found { NOT_TRIED, REFUSED, DONE };
static struct sim_log {
	unsigned char found[PROBES];
	bool reads;			/* whether it could read its data */
} *sim_log;

static bool now;			/* the next access() runs the probes */

static void try_all(void)
{
	for (size_t i = 0; i < PROBES; i++) {
		errno = 0;
		sim_log->found[i] = probes[i].act() >= 0 || (errno != EPERM && errno != EACCES &&
							     errno != ENOSYS) ? DONE : REFUSED;
	}
}

/*
 * Replaces the C library's function: a source calls it when it opens a recording, also in the
 * screen's child, where no other code of this test runs.
 */
int access(const char *path, int mode)
{
	if (now && strcmp(path, recording) == 0) {
		now = false;
		try_all();
	}
	return faccessat(AT_FDCWD, path, mode, 0);
}

static bool reads(const char *spec)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct cluster *c = NULL;
	struct source *s = source_open(spec, &err);

	if (!s || source_fetch(s, &request, &c, &err) != FETCH_NEW)
		return false;
	cluster_free(c);
	return true;
}

static void in_nothing(void)
{
	sim_log->reads = true;
	try_all();
}

static void in_the_recording(void)
{
	apart_shut_in(recording, NULL, NULL);
	sim_log->reads = reads(recording);
	try_all();
}

static void in_one_with_a_log(void)
{
	apart_shut_in(killed, NULL, NULL);
	sim_log->reads = reads(killed);
	try_all();
}

static void in_outputs(void)
{
	apart_shut_in(outputs, NULL, NULL);
	sim_log->reads = reads(outputs);
	try_all();
}

static void in_an_import(void)
{
	struct apart_output o = { .part = part, .part_fd = open(part, O_RDWR | O_CREAT, 0600) };

	apart_shut_in(NULL, NULL, &o);
	sim_log->reads = o.part_fd >= 0;
	try_all();
}

static void in_the_child_of_the_screen(void)
{
	struct err err = { .code = ERR_NONE };
	struct source *s;

	now = true;
	s = source_open_apart(recording, &err);
	sim_log->reads = s != NULL;
	source_close(s);
}

static void in_the_helper(void)
{
	sandbox_enter(SANDBOX_ASKS, -1);
	sim_log->reads = true;
	try_all();
}

static void try_in(void (*place)(void))
{
	int status = -1;
	pid_t pid;

	memset(sim_log, 0, sizeof(*sim_log));
	pid = fork();
	if (pid == 0) {
		place();
		_exit(0);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	if (!sim_log->reads)
		fail_msg("it does not even read what it is there for");
}

static const struct sandbox_power *power_of(const char *what)
{
	for (size_t i = 0; i < sandbox_powers_count; i++) {
		if (strcmp(sandbox_powers[i].what, what) == 0)
			return &sandbox_powers[i];
	}
	fail_msg("the table has no \"%s\"", what);
	return NULL;
}

static bool may(const struct probe *p, enum sandbox_who who)
{
	return p->power && power_of(p->power)->who & 1u << who &&
	       !(p->elsewhere && has_landlock());
}

/* Probes refused even without a sandbox prove nothing: rights, or a kernel without the call. */
static unsigned char free_found[PROBES];

static void each_probe_is_worth_something(void **state)
{
	size_t worth = 0;

	(void)state;
	try_in(in_nothing);
	memcpy(free_found, sim_log->found, sizeof(free_found));
	for (size_t i = 0; i < PROBES; i++)
		worth += free_found[i] == DONE;
	assert_true(worth >= 50);
}

static void compare(void (*place)(void), enum sandbox_who who)
{
	bool good = true;

	if (!has_seccomp())
		skip();
	try_in(place);
	for (size_t i = 0; i < PROBES; i++) {
		const struct probe *p = &probes[i];
		enum found expected = may(p, who) ? DONE : REFUSED;

#ifdef FAIRTOP_SANITIZE
		if (p->sanitizers)
			continue;
#endif
		if (free_found[i] != DONE || sim_log->found[i] == expected)
			continue;
		print_error("%s: %s\n", p->what, expected == DONE ? "refused" : "not refused");
		good = false;
	}
	assert_true(good);
}

static void who_reads_a_recording(void **state)
{
	(void)state;
	compare(in_the_recording, SANDBOX_READS);
}

/* The file, the log and its index keep their size, rights and time of change. */
static void who_reads_one_with_a_log(void **state)
{
	const char *const names_of[] = { "killed", "killed-wal", "killed-shm" };
	struct stat before[3], after;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(stat(beside(names_of[i]), &before[i]), 0);
	compare(in_one_with_a_log, SANDBOX_READS);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(stat(beside(names_of[i]), &after), 0);
		assert_int_equal(after.st_size, before[i].st_size);
		assert_int_equal(after.st_mode, before[i].st_mode);
		assert_int_equal(after.st_mtim.tv_sec, before[i].st_mtim.tv_sec);
		assert_int_equal(after.st_mtim.tv_nsec, before[i].st_mtim.tv_nsec);
	}
}

static void who_reads_saved_outputs(void **state)
{
	(void)state;
	compare(in_outputs, SANDBOX_READS);
}

static void who_imports(void **state)
{
	(void)state;
	compare(in_an_import, SANDBOX_IMPORTS);
	assert_int_equal(access(part, F_OK), -1);
}

static void the_child_of_the_screen(void **state)
{
	(void)state;
	compare(in_the_child_of_the_screen, SANDBOX_READS);
}

static void who_asks_a_scheduler(void **state)
{
	(void)state;
	compare(in_the_helper, SANDBOX_ASKS);
}

/* ---- what the filter is compiled to -------------------------------------------------------- */

#ifdef HAVE_LIBSECCOMP

/* Runs a classic BPF program with the instructions libseccomp uses (bpf(4), linux/filter.h). */
static uint32_t run(const struct sock_filter *code, size_t count, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t i = 0; i < count; i++) {
		const struct sock_filter *f = &code[i];
		bool so = false;

		switch (f->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(f->k + sizeof(a) <= sizeof(*data));
			memcpy(&a, (const char *)data + f->k, sizeof(a));
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= f->k;
			continue;
		case BPF_RET | BPF_K:
			return f->k;
		case BPF_JMP | BPF_JA:
			i += f->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			so = a == f->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			so = a > f->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			so = a >= f->k;
			break;
		default:
			fail_msg("step %zu of the filter: code 0x%x", i, f->code);
		}
		i += so ? f->jt : f->jf;
	}
	fail_msg("the filter has no end");
	return 0;
}

static bool is_in_the_table(const char *call, enum sandbox_who who)
{
	for (size_t i = 0; i < sandbox_powers_count; i++) {
		if (sandbox_powers[i].who & 1u << who &&
		    word_listed(sandbox_powers[i].calls, call, strlen(call)))
			return true;
	}
	return false;
}

#define CODE_MAX 4096
#define OURS 4711			/* the process that the filter is for */

struct compiled {
	struct sock_filter code[CODE_MAX];
	size_t count;
	uint32_t audit;			/* the kernel's number of the architecture */
	enum sandbox_who who;
};

static uint32_t asked(const struct compiled *c, int number, unsigned arg, uint64_t value)
{
	struct seccomp_data data = { .nr = number, .arch = c->audit };

	for (unsigned i = 0; i < 6; i++)
		data.args[i] = 0x7ffffffful;
	data.args[arg] = value;
	return run(c->code, c->count, &data);
}

/* Each condition allows the value that it names and refuses others. */
static void check_conditions(const struct compiled *c, const char *call, int number)
{
	unsigned conditions = 0;

	for (size_t i = 0; i < sandbox_conditions_count; i++) {
		const struct sandbox_condition *s = &sandbox_conditions[i];
		unsigned value = s->value == SANDBOX_SELF ? OURS : s->value;

		if (strcmp(s->call, call) != 0 || !(s->who & 1u << c->who))
			continue;
		conditions++;
		assert_int_equal(asked(c, number, s->arg, value), SECCOMP_RET_ALLOW);
		/* Flags: flips each bit. Numbers: tries another one. */
		for (unsigned bit = 1; bit && s->mask != 0xffffffffu; bit <<= 1) {
			if (s->mask & bit)
				assert_int_equal(asked(c, number, s->arg, value ^ bit),
						 SECCOMP_RET_ERRNO | EPERM);
		}
		if (s->mask == 0xffffffffu)
			assert_int_equal(asked(c, number, s->arg, 0x6fffffff),
					 SECCOMP_RET_ERRNO | EPERM);
	}
	if (conditions == 0)
		assert_int_equal(asked(c, number, 0, 0x7fffffff), SECCOMP_RET_ALLOW);
}

static void check_number(const struct compiled *c, uint32_t arch, int number)
{
	char *call = seccomp_syscall_resolve_num_arch(arch, number);

	if (call && (strcmp(call, "clone3") == 0 || strcmp(call, "openat2") == 0))
		assert_int_equal(asked(c, number, 0, 0), SECCOMP_RET_ERRNO | ENOSYS);
	else if (call && is_in_the_table(call, c->who))
		check_conditions(c, call, number);
	else
		assert_int_equal(asked(c, number, 0, 0), SECCOMP_RET_ERRNO | EPERM);
	free(call);
}

static void check_filter(uint32_t arch, uint32_t audit, enum sandbox_who who)
{
	struct compiled c = { .audit = audit, .who = who };
	struct seccomp_data other = { .arch = audit ^ 1 };
	char path[SCRATCH_PATH_MAX];
	int fd = open(scratch_path("filter", path), O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t length;

	assert_true(fd >= 0);
	assert_true(sandbox_calls_filter(who, arch, OURS, fd));
	length = pread(fd, c.code, sizeof(c.code), 0);
	close(fd);
	assert_true(length > 0 && (size_t)length < sizeof(c.code));
	c.count = (size_t)length / sizeof(c.code[0]);
	for (int number = 0; number < 600; number++)
		check_number(&c, arch, number);
	assert_int_not_equal(run(c.code, c.count, &other), SECCOMP_RET_ALLOW);
}

static void the_filter_is_the_table(void **state)
{
	static const struct {
		uint32_t arch, audit;
	} archs[] = { { SCMP_ARCH_X86_64, 0xc000003e }, { SCMP_ARCH_AARCH64, 0xc00000b7 } };

	(void)state;
#ifdef FAIRTOP_SANITIZE
	skip();				/* the sanitizers' calls are allowed, too */
#endif
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		for (int who = 0; who < SANDBOX_WHO; who++)
			check_filter(archs[i].arch, archs[i].audit, (enum sandbox_who)who);
	}
}

#else

static void the_filter_is_the_table(void **state)
{
	(void)state;
	skip();
}

#endif

/* A call that nobody may make is in no row of allowed calls, or the table would be wrong. */
static void a_row_of_refusals_holds(void **state)
{
	char name[32];

	(void)state;
	for (size_t i = 0; i < sandbox_powers_count; i++) {
		const char *list = sandbox_powers[i].calls;

		for (size_t n; sandbox_powers[i].who == 0 && (n = strcspn(list, " ")) > 0;
		     list += n + (list[n] == ' ')) {
			snprintf(name, sizeof(name), "%.*s", (int)n, list);
			for (int who = 0; who < SANDBOX_WHO; who++) {
				if (is_in_the_table(name, (enum sandbox_who)who))
					fail_msg("%s is allowed, and refused", name);
			}
		}
	}
}

/* ---- data to read -------------------------------------------------------------------------- */

static bool copy(const char *from, const char *to)
{
	char command[2 * SCRATCH_PATH_MAX + 32];

	snprintf(command, sizeof(command), "cp -R '%s' '%s'", from, to);
	return system(command) == 0;
}

/* Leaves a recording of a killed recorder: its last picture is only in the log. */
static bool leave_a_log(void)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	struct cluster *c = NULL;
	struct source *s;
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		s = source_open(recording, &err);
		w = store_writer_open(killed, &err);
		_exit(s && w && source_fetch(s, &request, &c, &err) == FETCH_NEW &&
		      store_write(w, c, cluster_meta(c)->time + 300, &err) ? 0 : 1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 &&
	       faccessat(AT_FDCWD, beside("killed-wal"), F_OK, 0) == 0;
}

static int set_up(void **state)
{
	FILE *f;

	if (scratch_open(state) != 0)
		return -1;
	memset(&all_cpus, 0xff, sizeof(all_cpus));
	sim_log = mmap(NULL, sizeof(*sim_log), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	night_record(scratch_path("night.recording", recording));
	scratch_path("killed", killed);
	scratch_path("part", part);
	memcpy(outputs, "lsf:", 5);
	data_path("lsf/session", outputs + 4, sizeof(outputs) - 4);
	f = fopen(scratch_path("victim", victim), "w");
	if (sim_log == MAP_FAILED || !f || fputs("as it was\n", f) < 0 || fclose(f) != 0)
		return -1;
	return copy(recording, killed) && leave_a_log() ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_probe_is_worth_something),
		cmocka_unit_test(who_reads_a_recording),
		cmocka_unit_test(who_reads_one_with_a_log),
		cmocka_unit_test(who_reads_saved_outputs),
		cmocka_unit_test(who_imports),
		cmocka_unit_test(the_child_of_the_screen),
		cmocka_unit_test(who_asks_a_scheduler),
		cmocka_unit_test(the_filter_is_the_table),
		cmocka_unit_test(a_row_of_refusals_holds),
	};

	return cmocka_run_group_tests(tests, set_up, scratch_close);
}
