#define _GNU_SOURCE
#include "CSystemCallFaults.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
typedef struct user_regs_struct registers;
#define CALL(r) ((r).orig_rax)
#define RESULT(r) ((r).rax)
#define FIRST(r) ((r).rdi)
#define SECOND(r) ((r).rsi)
#define THIRD(r) ((r).rdx)
#else
typedef struct user_pt_regs registers;
#define CALL(r) ((r).regs[8])
#define RESULT(r) ((r).regs[0])
#define FIRST(r) ((r).regs[0])
#define SECOND(r) ((r).regs[1])
#define THIRD(r) ((r).regs[2])
#endif

static int get_registers(pid_t child, registers *values) {
  struct iovec area = {values, sizeof *values};
  return (int)ptrace(PTRACE_GETREGSET, child, (void *)(long)NT_PRSTATUS, &area);
}

static int set_registers(pid_t child, registers *values) {
  struct iovec area = {values, sizeof *values};
  return (int)ptrace(PTRACE_SETREGSET, child, (void *)(long)NT_PRSTATUS, &area);
}

/// Makes the kernel skip the call that the child is about to make.
static int skip_call(pid_t child, registers *values) {
#if defined(__x86_64__)
  CALL(*values) = (unsigned long long)-1;
  return set_registers(child, values);
#else
  (void)values;
  int none = -1;
  struct iovec area = {&none, sizeof none};
  return (int)ptrace(PTRACE_SETREGSET, child, (void *)(long)NT_ARM_SYSTEM_CALL, &area);
#endif
}

/// The name of a call that counts; NULL for one that does not.
static const char *name_of(long call) {
  switch (call) {
  case SYS_mmap: case SYS_munmap: case SYS_mremap: case SYS_mprotect: case SYS_madvise: case SYS_brk:
  case SYS_futex: case SYS_rt_sigaction: case SYS_rt_sigprocmask: case SYS_rt_sigpending:
  case SYS_rt_sigreturn: case SYS_sigaltstack: case SYS_getrandom: case SYS_gettid: case SYS_getpid:
  case SYS_sched_getaffinity: case SYS_sched_yield: case SYS_clock_gettime: case SYS_prlimit64:
  case SYS_exit_group: case SYS_exit: case SYS_restart_syscall:
    return 0;
  case SYS_openat: return "open";
  case SYS_read: return "read";
  case SYS_pread64: return "read";
  case SYS_write: return "write";
  case SYS_close: return "close";
  case SYS_fsync: return "fsync";
  case SYS_flock: return "flock";
  case SYS_fchmod: return "fchmod";
  case SYS_fchown: return "fchown";
  case SYS_fstat: return "stat";
  case SYS_newfstatat: return "stat";
  case SYS_statx: return "stat";
  case SYS_faccessat2: return "access";
  case SYS_faccessat: return "access";
  case SYS_readlinkat: return "readlink";
  case SYS_getcwd: return "getcwd";
  case SYS_getdents64: return "getdents";
  case SYS_renameat: return "rename";
  case SYS_renameat2: return "rename";
  case SYS_linkat: return "link";
  case SYS_unlinkat: return "unlink";
  case SYS_mkdirat: return "mkdir";
  case SYS_umask: return "umask";
  case SYS_lseek: return "seek";
  case SYS_fcntl: return "fcntl";
  case SYS_utimensat: return "touch";
#if defined(__x86_64__)
  case SYS_open: return "open";
  case SYS_stat: return "stat";
  case SYS_lstat: return "stat";
  case SYS_access: return "access";
  case SYS_readlink: return "readlink";
  case SYS_rename: return "rename";
  case SYS_link: return "link";
  case SYS_unlink: return "unlink";
  case SYS_rmdir: return "unlink";
  case SYS_mkdir: return "mkdir";
#endif
  default: return "other";
  }
}

/// Whether a text of the child's is the given one.
static int is_text(pid_t child, unsigned long address, const char *text) {
  char buffer[PATH_MAX];
  size_t length = strlen(text) + 1;
  if (length > sizeof buffer) return 0;
  struct iovec here = {buffer, length}, there = {(void *)address, length};
  return process_vm_readv(child, &here, 1, &there, 1, 0) == (ssize_t)length &&
         memcmp(buffer, text, length) == 0;
}

/// Becomes the program, which stops as soon as it is loaded. Runs in the parent's memory.
static void start_program(const struct fault_program *program) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  // Whoever runs the tests may ignore some signals; and SIGQUIT would leave a file.
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  int input = open("/dev/null", O_RDONLY);
  int output = open(program->output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
      dup2(output, 2) < 0 || chdir(program->directory) != 0 ||
      ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
    _exit(127);
  close(input);
  close(output);
  execve(program->arguments[0], program->arguments, program->environment);
  _exit(127);
}

static int wait_for(pid_t child, int *status) {
  while (waitpid(child, status, __WALL) < 0)
    if (errno != EINTR) return -1;
  return 0;
}

/// What is to be done when the call that was entered returns.
enum after { AFTER_NOTHING, AFTER_FAIL, AFTER_KILL };

/// Does what the fault demands before a call; `error` becomes what it is to fail with.
static enum after enter_call(pid_t child, const struct fault *fault, struct fault_outcome *outcome,
                             const char **failing, int *error) {
  registers values;
  if (get_registers(child, &values) != 0) return AFTER_NOTHING;
  const char *name = name_of((long)CALL(values));
  if (!name) return AFTER_NOTHING;
  if (outcome->count < 0) {
    if (!is_text(child, FIRST(values), fault->start) && !is_text(child, SECOND(values), fault->start))
      return AFTER_NOTHING;
    outcome->count = 0;
  }
  long number = outcome->count++;
  if (number < FAULT_CALLS) outcome->names[number] = name;
  if (number != fault->number && !(*failing && strcmp(*failing, name) == 0)) return AFTER_NOTHING;
  outcome->happened = 1;
  *error = fault->value;
  switch (fault->action) {
  case FAULT_NONE: outcome->happened = 0; break;
  case FAULT_KILL: kill(child, SIGKILL); break;
  case FAULT_SIGNAL: kill(child, fault->value); break;
  case FAULT_KEEP_INTRUDING: *failing = name; // fall through
  case FAULT_INTRUDE:
    *error = fault->intrusion(fault->context);
    if (*error) return skip_call(child, &values), AFTER_FAIL;
    break;
  case FAULT_KEEP_FAILING: *failing = name; return skip_call(child, &values), AFTER_FAIL;
  case FAULT_FAIL: return skip_call(child, &values), AFTER_FAIL;
  case FAULT_SHORTEN:
  case FAULT_TEAR:
    // Mostly there is far less to be read than is asked for.
    if (strcmp(name, "read") == 0 && THIRD(values) > 16) THIRD(values) = 16;
    else if (THIRD(values) > 1) THIRD(values) /= 2;
    set_registers(child, &values);
    return fault->action == FAULT_TEAR ? AFTER_KILL : AFTER_NOTHING;
  }
  return AFTER_NOTHING;
}

static void leave_call(pid_t child, int error, enum after after) {
  registers values;
  if (after == AFTER_KILL) kill(child, SIGKILL);
  if (after != AFTER_FAIL || get_registers(child, &values) != 0) return;
  RESULT(values) = (unsigned long)-(long)error;
  set_registers(child, &values);
}

int fault_run(const struct fault_program *program, const struct fault *fault,
              struct fault_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  outcome->count = -1;
  // The tests are a large process, whose memory need not be copied for this.
  pid_t child = vfork();
  if (child < 0) return errno;
  if (child == 0) start_program(program);
  int status, inside = 0, signal = 0, error = 0;
  enum after after = AFTER_NOTHING;
  const char *failing = 0;
  if (wait_for(child, &status) != 0) return errno;
  if (!WIFSTOPPED(status)) return EPERM;
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, child, 0, (void *)options) != 0) {
    error = errno;
    kill(child, SIGKILL);
    wait_for(child, &status);
    return error;
  }
  for (;;) {
    // A child that was just killed cannot be resumed; waiting for it tells its end.
    ptrace(PTRACE_SYSCALL, child, 0, (void *)(long)signal);
    signal = 0;
    if (wait_for(child, &status) != 0) return errno;
    if (!WIFSTOPPED(status)) break;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
      inside = !inside;
      if (inside) {
        after = enter_call(child, fault, outcome, &failing, &error);
      } else {
        leave_call(child, error, after);
        after = AFTER_NOTHING;
      }
    } else if (WSTOPSIG(status) != SIGTRAP) {
      signal = WSTOPSIG(status);
    }
  }
  outcome->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (outcome->count < 0) outcome->count = 0;
  return 0;
}

#else

int fault_run(const struct fault_program *program, const struct fault *fault,
              struct fault_outcome *outcome) {
  (void)program, (void)fault, (void)outcome;
  return ENOTSUP;
}

#endif
