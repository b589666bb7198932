#!/usr/bin/env python3
"""Prints what a .peernote file holds as JSON, after checking it.

An independent reader, written from peernote(5) and with the standard library only. It goes the
plain way everywhere: each chain is replayed on a list of scalars, which takes quadratic time.

Usage: read_peernote.py FILE...

Every JSON object stands for one file, in the order of the arguments. For a file that is not as the
manual page says the first fault is named on standard error instead, and the status is 1.

    identifier  the document's UUID
    heads       the heads, as AGENT.SEQUENCE
    content     the root map
    conflicts   the keys and elements that show one of several live entries, or something that
                survived its removal: the path (RFC 6901), the event that wrote what is shown,
                the other live entries' events, and whether what is shown survived
    removed     the texts of containers that are not part of the content
    changes     every change in canonical order, with what it did
    optional    the optional sections: number, encoded content in hexadecimal digits
    passages    if there are any: the container's number, where the passage stands in the text, the
                raw text, and the readings, first the one that is shown, with their changes

Content is written as an object with the type as its only key: {"null": null}, {"bool": true},
{"integer": "-5"}, {"double": "3ff0000000000000"} (the bits), {"string": "…"}, {"bytes": "00ff"},
{"timestamp": "0"} (milliseconds), {"uuid": "…"}, {"map": [["key", content], …]},
{"list": [content, …]}, {"text": "…"}, {"set": [content, …]}, {"counter": "7"}. Integers of 64
bits are strings, since many JSON parsers round them.
"""

import json
import sys
import uuid

from peernote_reader.cbor import Fault, of_type, require
from peernote_reader.changes import changes_json
from peernote_reader.envelope import Envelope, check_sets
from peernote_reader.log import Log
from peernote_reader.objects import Objects
from peernote_reader.texts import Texts
from peernote_reader.view import View


def check_containers_are_seen(log):
    for row in log.rows:
        created = log.containers[row.container].created
        require(created is None or log.has_seen(row.first, created), "an unseen container")


def read(data):
    """What a file holds, as an object for JSON; raises Fault for anything but a sound document."""
    envelope = Envelope(data)
    log = Log(envelope.known[3])
    check_containers_are_seen(log)
    heads = of_type(envelope.known[1], "array", "the heads")
    expected = [("array", [("bytes", agent), ("int", sequence)]) for agent, sequence in log.heads]
    require(heads == expected, "the heads are not those of the log")
    view = View(envelope.known[2], log, Objects(log))
    check_sets(data)
    texts = Texts(log)
    inserted = {}
    passages = {}
    if 4 in envelope.known:
        for item in of_type(envelope.known[4], "array", "the passages"):
            number, found = of_type(item, "array", "the passages of a text")
            passages[of_type(number, "int", "a container")] = of_type(found, "array", "passages")
        require(passages and set(passages) <= set(view.texts), "the passages of no text")
    for number, text in view.texts.items():
        inserted.update(texts.recover(number, texts.raw(text, passages.get(number, []))))
    result = {
        "identifier": str(uuid.UUID(bytes=envelope.identifier)),
        "heads": [f"{agent.hex()}.{sequence}" for agent, sequence in log.heads],
        "content": view.content,
        "conflicts": view.conflicts,
        "removed": view.removed,
        "changes": changes_json(log, inserted, texts.numbers),
        "optional": envelope.optional,
    }
    told = [
        passage
        for number, items in sorted(passages.items())
        for passage in texts.passages_json(number, view.texts[number], items)
    ]
    found = [
        passage
        for number in sorted(view.texts)
        for passage in texts.found_passages(number, inserted)
    ]
    require(told == found, "the passages are not those that the history makes")
    if told:
        result["passages"] = told
    return result


def main(names):
    if not names:
        print(__doc__, file=sys.stderr)
        return 64
    status = 0
    for name in names:
        try:
            with open(name, "rb") as file:
                result = read(file.read())
        except (Fault, OSError) as fault:
            print(f"read_peernote.py: {name}: {fault}", file=sys.stderr)
            status = 1
        else:
            print(json.dumps(result, indent=1))
    return status


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1:]))
