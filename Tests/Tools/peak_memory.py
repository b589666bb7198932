"""Runs programs and says how much memory each took at its peak.

Each line of standard input is a command line, its words separated by tabs. For each, a line of
output: the exit status and the peak of the resident memory in kilobytes. The programs inherit
little: what a process had before it became another program counts for its peak as well.
"""

import os
import sys


def run(words):
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(null, descriptor)
        os.execv(words[0], words)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss


for line in sys.stdin.read().splitlines():
    print(*run(line.split("\t")), flush=True)
