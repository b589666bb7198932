"""Does the work of pnmerge with another library, for each line on standard input.

usage: peers.py PEER FOLDER

FOLDER holds a.bin and b.bin, two copies of a document that went on apart, as PEER wrote them, and
maybe remote.bin, all updates of their base. For each line read, prints a line of JSON: lists of
times in milliseconds of
  merge   load a.bin, bring in b.bin, save: once
  again   the same, five times one right after another
  open    load a.bin and get its text
  replay  bring remote.bin into an empty document and get its text
"""

import json
import pathlib
import sys
import time


def loro():
    import loro

    def load(data):
        document = loro.LoroDoc()
        document.import_(data)
        return document

    return (
        load,
        lambda document, data: document.import_(data),
        lambda document: document.export(loro.ExportMode.Snapshot()),
        lambda document: document.get_text("text").to_string(),
    )


def yrs(keeps_deleted_text):
    import pycrdt

    def load(data):
        document = pycrdt.Doc(skip_gc=keeps_deleted_text)
        document.get("text", type=pycrdt.Text)
        document.apply_update(data)
        return document

    return (
        load,
        lambda document, data: document.apply_update(data),
        lambda document: document.get_update(),
        lambda document: str(document.get("text", type=pycrdt.Text)),
    )


PEERS = {
    "loro": loro,
    "yrs": lambda: yrs(None),
    "yrs-nogc": lambda: yrs(True),
}


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


peer, folder = sys.argv[1], pathlib.Path(sys.argv[2])
load, merge, save, text = PEERS[peer]()
ours = (folder / "a.bin").read_bytes()
theirs = (folder / "b.bin").read_bytes()
remote = folder / "remote.bin"


def merging():
    document = load(ours)
    merge(document, theirs)
    save(document)


for _ in sys.stdin:
    times = {
        "merge": [milliseconds(merging)],
        "again": [milliseconds(merging) for _ in range(5)],
        "open": [milliseconds(lambda: text(load(ours)))],
    }
    if remote.exists():
        updates = remote.read_bytes()
        times["replay"] = [milliseconds(lambda: text(load(updates)))]
    print(json.dumps(times), flush=True)
