"""Drives `pnmerge review a b` in tmux with real keys: drive_review.py PROGRAM COLUMNS ROWS

Ends with status 0 if the terminal showed what it should within ten seconds; says the step and the
screen otherwise. Leaves nothing running.
"""

import os
import subprocess
import sys
import time

program, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
socket = os.path.join(os.getcwd(), "tmux")


def tmux(*words):
    return subprocess.run(
        ["tmux", "-f", "/dev/null", "-S", socket, *words], capture_output=True, text=True,
        timeout=10)


def wait_for(step, *wanted):
    end = time.monotonic() + 10
    while True:
        # Lines that are folded are joined, and what has scrolled away is looked at, too.
        shown = tmux("capture-pane", "-p", "-J", "-S", "-200").stdout
        if all(part in shown for part in wanted):
            return
        if time.monotonic() > end:
            sys.exit(f"{columns}x{rows}: {step}: {wanted} is not shown:\n{shown}")
        time.sleep(0.02)


def keys(*names):
    tmux("send-keys", *names)


def review():
    tmux("send-keys", "-R", "clear", "Enter")
    tmux("clear-history")
    keys(f"'{program}' review a b; echo ended $?", "Enter")
    wait_for("list", "2 conflicts:", "1 of 2  body", "[q]uit, ?: ")


os.environ.update(LANG="C.UTF-8", TERM="xterm-256color", EDITOR="false")
os.environ.pop("TMUX", None)
tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "env PS1='> ' sh -i")
try:
    wait_for("shell", ">")
    review()
    # An editor that fails, then a name; stopped, and going on; broken off before the second.
    keys("e", "Enter")
    wait_for("editor", "the editor ended with status 1", "nothing is decided")
    keys("C-z")
    wait_for("stopped", "topped")
    keys("fg; echo ended $?", "Enter")
    keys("bob", "Enter")
    wait_for("second question", "2 of 2  title", "We meet at two in the hall.")
    keys("C-c")
    wait_for("interrupted", "nothing was written; 1 answer kept for the next time", "ended 130")
    # The answer is there again; to the end.
    tmux("send-keys", "-R", "clear", "Enter")
    tmux("clear-history")
    keys(f"'{program}' review a b; echo ended $?", "Enter")
    wait_for("taken up", "1 answer of last time is taken up", "2 of 2  title")
    keys("bob", "Enter")
    wait_for("result", "will hold", "Write it?")
    keys("y", "Enter")
    wait_for("written", "resolved 2 of 2", "ended 0")
finally:
    tmux("kill-server")
