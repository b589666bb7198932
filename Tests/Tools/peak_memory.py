"""Runs programs and says how much memory each took at its peak, but for its code.

Each line of standard input is a command line, its words separated by tabs. For each, a line of
output: the exit status, and the peak of the resident memory in kilobytes less the pages of files
that are in it when the program ends. How many pages of code are resident is the system's choice,
and differs from run to run. The programs are traced (ptrace(2)) so that they can be looked at when
they end. As many run at once as there are processors.
"""

import ctypes
import multiprocessing
import os
import signal
import sys

TRACE_ME, CONTINUE, SET_OPTIONS, STOP_AT_EXIT, AT_EXIT = 0, 7, 0x4200, 0x40, 6

system = ctypes.CDLL(None, use_errno=True)
system.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
system.ptrace.restype = ctypes.c_long


def trace(request, process, value):
    if system.ptrace(request, process, None, value) == -1:
        raise OSError(ctypes.get_errno(), "ptrace")


def peak(process):
    with open(f"/proc/{process}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return sum(
        sign * int(fields[name].split()[0]) for name, sign in (("VmHWM", 1), ("RssFile", -1)))


def run(words):
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        trace(TRACE_ME, 0, None)
        os.execv(words[0], words)
    os.waitpid(child, 0)
    trace(SET_OPTIONS, child, STOP_AT_EXIT)
    most, signal_sent = None, 0
    while True:
        trace(CONTINUE, child, signal_sent)
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status), most
        signal_sent = os.WSTOPSIG(status)
        if status >> 8 == signal.SIGTRAP | AT_EXIT << 8:
            most, signal_sent = peak(child), 0


if __name__ == "__main__":
    commands = [line.split("\t") for line in sys.stdin.read().splitlines()]
    with multiprocessing.get_context("fork").Pool() as pool:
        for result in pool.imap(run, commands):
            print(*result, flush=True)
