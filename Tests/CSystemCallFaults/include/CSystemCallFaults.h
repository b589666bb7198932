#ifndef CSYSTEMCALLFAULTS_H
#define CSYSTEMCALLFAULTS_H

/// What happens to a program at one of its system calls.
enum fault_action {
  /// Nothing; the program only gets watched.
  FAULT_NONE,
  /// The program is killed before the call is made.
  FAULT_KILL,
  /// The call transfers half of what it was to transfer, then the program is killed.
  FAULT_TEAR,
  /// The call is not made and fails with the error `value`.
  FAULT_FAIL,
  /// The same, and so does each later call of the same kind.
  FAULT_KEEP_FAILING,
  /// The call writes half of what it was to write, or reads 16 bytes at most.
  FAULT_SHORTEN,
  /// The signal `value` is sent to the program before the call is made.
  FAULT_SIGNAL,
  /// `intrusion` runs before the call is made, which fails with the error returned unless that is 0.
  FAULT_INTRUDE,
  /// The same, and so it is with each later call of the same kind.
  FAULT_KEEP_INTRUDING,
};

/// A fault and where it is to happen.
struct fault {
  enum fault_action action;
  /// The call, counted from 0, beginning with the first that is given the file name `start`. Calls
  /// that only concern the program's own memory, threads and signals do not count.
  long number;
  /// An error or a signal.
  int value;
  /// The file name, as the program passes it to the system.
  const char *start;
  int (*intrusion)(void *context);
  void *context;
};

/// A program and where it runs.
struct fault_program {
  char *const *arguments;
  char *const *environment;
  const char *directory;
  /// Where standard output and standard error go.
  const char *output;
};

/// How many names of calls are kept.
#define FAULT_CALLS 1024

/// What became of the program.
struct fault_outcome {
  /// The exit status, or 128 and the number of the signal that ended the program.
  int status;
  /// How many calls counted.
  long count;
  /// Whether the fault happened.
  int happened;
  /// The names of the calls that counted; those beyond `FAULT_CALLS` are left out.
  const char *names[FAULT_CALLS];
};

/// Runs a program with a fault through ptrace(2), and waits for it.
///
/// Returns 0, or an error of the system; ENOTSUP where there is no way to do it.
int fault_run(const struct fault_program *program, const struct fault *fault,
              struct fault_outcome *outcome);

#endif
