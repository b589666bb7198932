"""Drives `pnmerge review a b` in tmux with real keys: drive_review.py PROGRAM COLUMNS ROWS

Ends with status 0 if every screen showed what it should within ten seconds; says the step and the
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


def screen():
    return tmux("capture-pane", "-p").stdout


def wait_for(step, *wanted, without=()):
    end = time.monotonic() + 10
    while True:
        shown = screen()
        # Where the screen is narrow, lines are folded.
        if all(part in shown for part in wanted) and not any(part in shown for part in without):
            return
        if time.monotonic() > end:
            sys.exit(f"{columns}x{rows}: {step}: {wanted} is not shown:\n{shown}")
        time.sleep(0.02)


def keys(*names):
    tmux("send-keys", *names)


def review():
    keys(f"'{program}' review a b; echo ended $?", "Enter")
    wait_for("overview", "Merge into a", "To decide", "1  body: open")


os.environ.update(LANG="C.UTF-8", TERM="xterm-256color")
os.environ.pop("TMUX", None)
tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "env PS1='> ' sh -i")
try:
    wait_for("shell", ">")
    review()
    keys("Enter")
    wait_for("question", "1 of 2  body", "Before", "Mine", "m mine")
    # Another size, and back.
    tmux("resize-window", "-x", "160", "-y", "50")
    wait_for("wide", "Theirs, bob", " │ ", "Result unless decided")
    tmux("resize-window", "-x", str(columns), "-y", str(rows))
    wait_for("narrow again", "1 of 2  body", without=() if columns >= 100 else (" │ ",))
    # Stopped, and going on.
    keys("C-z")
    wait_for("stopped", "topped", without=("1 of 2  body",))
    keys("fg; echo ended $?", "Enter")
    wait_for("going on", "1 of 2  body", "m mine")
    # Decided, taken back, broken off before the second: the first is kept.
    keys("t")
    wait_for("second question", "2 of 2  title")
    keys("u")
    wait_for("taken back", "Taken back.", "1 of 2  body")
    keys("t")
    wait_for("decided", "2 of 2  title")
    keys("C-c")
    wait_for("interrupted", "resolved 1, left 1", "ended 130")
    tmux("clear-history")
    keys("clear; cp first a", "Enter")
    wait_for("clear", ">", without=("ended",))
    # To the end.
    review()
    keys("T")
    wait_for("result", "y write", "will hold")
    keys("y")
    wait_for("written", "resolved all 2", "ended 0")
finally:
    tmux("kill-server")
