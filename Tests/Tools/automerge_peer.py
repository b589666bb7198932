"""Makes and reads Automerge documents by the Automerge library, for comparison.

usage: automerge_peer.py random DIRECTORY FIRST COUNT
       automerge_peer.py describe FILE...
       automerge_peer.py merge OUTPUT FILE FILE

`random` makes for each seed SEED.left, SEED.right and SEED.merged: a document by several actors,
edited on two sides, and the library's own merge. `describe` prints for each file its heads and its
content, one place a line, and a line with three dashes behind it.
"""

import random
import struct
import sys
from datetime import datetime, timezone
from pathlib import Path

from automerge import core
from automerge.core import ROOT, Document, ExpandMark, ObjType, ScalarType

# A list of pairs: the kinds have no hash.
KINDS = [
    (ScalarType.Bytes, "bytes"),
    (ScalarType.Str, "string"),
    (ScalarType.Int, "integer"),
    (ScalarType.Uint, "unsigned"),
    (ScalarType.F64, "double"),
    (ScalarType.Counter, "counter"),
    (ScalarType.Timestamp, "timestamp"),
    (ScalarType.Boolean, "bool"),
    (ScalarType.Null, "null"),
]


def scalar_text(kind, value):
    if kind == ScalarType.Bytes:
        return bytes(value).hex()
    if kind == ScalarType.Str:
        return value.encode().hex()
    if kind == ScalarType.F64:
        return struct.pack(">d", value).hex()
    if kind == ScalarType.Timestamp:
        moment = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
        return str(round((moment - epoch).total_seconds() * 1000))
    if kind == ScalarType.Boolean:
        return "true" if value else "false"
    if kind == ScalarType.Null:
        return ""
    return str(value)


def describe(document, marks):
    """Yields the lines for a document."""
    for head in sorted(document.get_heads()):
        yield "head " + head.hex()

    def visit(path, entry):
        value, identifier = entry
        if isinstance(value, ObjType):
            yield from visit_object(path, value, identifier)
        else:
            kind, content = value
            name = next(name for known, name in KINDS if known == kind)
            yield f"{path} {name} {scalar_text(kind, content)}"

    def visit_object(path, kind, identifier):
        if kind == ObjType.Text:
            text = document.text(identifier)
            yield f"{path} text {text.encode().hex()}"
            if marks:
                for mark in document.marks(identifier):
                    yield f"{path} mark {mark.start} {mark.end} {mark.name} {mark.value}"
        elif kind == ObjType.List:
            yield f"{path} list"
            for index in range(document.length(identifier)):
                yield from visit(f"{path}/{index}", document.get(identifier, index))
        else:
            yield f"{path} map"
            for key in sorted(document.keys(identifier), key=str.encode):
                place = f"{path}/{key.encode().hex()}"
                yield from visit(place, document.get(identifier, key))

    yield from visit_object("", ObjType.Map, ROOT)


class Author:
    """Edits documents at random."""

    KEYS = ["title", "é", "e\u0301", "nested", "\U0001f980", "list", "body"]
    TEXTS = ["a", "b", "é", "e\u0301", "\U0001f468\u200d\U0001f469", "\r\n", "日本", "\t"]

    def __init__(self, choices):
        self.choices = choices

    def scalar(self):
        # The library's Python side cannot write counters.
        pick = self.choices.randrange(9)
        integer = self.choices.choice([0, 1, -1, 63, 64, -64, -65, 2**31, -(2**63), 2**63 - 1])
        return [
            (ScalarType.Null, None),
            (ScalarType.Boolean, self.choices.random() < 0.5),
            (ScalarType.Int, integer),
            (ScalarType.Uint, abs(integer)),
            (ScalarType.F64, self.choices.choice([0.0, -0.0, 1.5, 1e300, float("inf")])),
            (ScalarType.Str, self.choices.choice(self.TEXTS) * self.choices.randrange(4)),
            (ScalarType.Bytes, bytes(self.choices.randrange(256) for _ in range(3))),
            (
                ScalarType.Timestamp,
                datetime.fromtimestamp(self.choices.randrange(10**9), timezone.utc),
            ),
            (ScalarType.Str, self.choices.choice(self.TEXTS)),
        ][pick]

    def edit(self, document, count):
        """Makes some edits, a few to a change."""
        while count > 0:
            size = min(count, self.choices.choice([1, 1, 1, 2, 5]))
            count -= size
            with document.transaction() as transaction:
                for _ in range(size):
                    self.step(transaction)

    def step(self, document):
        kind, identifier = ObjType.Map, ROOT
        while self.choices.random() < 0.75:
            if kind == ObjType.Map:
                places = document.keys(identifier)
            else:
                places = range(document.length(identifier))
            inner = []
            for place in places if kind != ObjType.Text else []:
                value, inner_identifier = document.get(identifier, place)
                if isinstance(value, ObjType):
                    inner.append((value, inner_identifier))
            if not inner:
                break
            kind, identifier = self.choices.choice(inner)
        if kind == ObjType.Map:
            self.step_in_map(document, identifier)
        elif kind == ObjType.List:
            self.step_in_list(document, identifier)
        else:
            self.step_in_text(document, identifier)

    def object_kind(self):
        return self.choices.choice([ObjType.Map, ObjType.List, ObjType.Text, ObjType.Text])

    def step_in_map(self, document, identifier):
        key = self.choices.choice(self.KEYS)
        keys = document.keys(identifier)
        pick = self.choices.random()
        if pick < 0.35:
            document.put_object(identifier, key, self.object_kind())
        elif pick < 0.55 and key in keys:
            document.delete(identifier, key)
        else:
            document.put(identifier, key, *self.scalar())

    def step_in_list(self, document, identifier):
        length = document.length(identifier)
        place = self.choices.randrange(length + 1)
        pick = self.choices.random()
        if length == 0 or pick < 0.4 or place == length:
            if pick < 0.15:
                document.insert_object(identifier, place, self.object_kind())
            else:
                document.insert(identifier, place, *self.scalar())
        elif pick < 0.6:
            document.delete(identifier, place)
        elif pick < 0.85:
            document.put_object(identifier, place, self.object_kind())
        else:
            document.put(identifier, place, *self.scalar())

    def step_in_text(self, document, identifier):
        length = document.length(identifier)
        place = self.choices.randrange(length + 1)
        pick = self.choices.random()
        if length > 2 and pick < 0.08:
            start = self.choices.randrange(length - 1)
            end = self.choices.randrange(start + 1, length)
            expand = self.choices.choice(
                [ExpandMark.Before, ExpandMark.After, ExpandMark.Both, ExpandMark.Neither])
            document.mark(
                identifier, start, end, "bold", ScalarType.Boolean, True, expand)
        elif length > 0 and place < length and pick < 0.3:
            for _ in range(min(self.choices.randrange(1, 4), length - place)):
                document.delete(identifier, place)
        else:
            text = "".join(self.choices.choice(self.TEXTS) for _ in range(self.choices.randrange(6)))
            for scalar in text:
                document.insert(identifier, place, ScalarType.Str, scalar)
                place += 1


def make(seed, directory):
    choices = random.Random(seed)
    author = Author(choices)

    def actor():
        length = choices.choice([16, 16, 16, 1, 4])
        return bytes([1 + len(actors)]) + bytes(choices.randrange(256) for _ in range(length))

    actors = []

    def replica(document):
        copy = document.fork()
        copy.set_actor(actor())
        actors.append(copy.get_actor())
        return copy

    base = Document(actor_id=actor())
    actors.append(base.get_actor())
    author.edit(base, choices.randrange(1, 25))
    if choices.random() < 0.5:
        other = replica(base)
        author.edit(other, choices.randrange(12))
        author.edit(base, choices.randrange(12))
        base.merge(other)
        author.edit(base, choices.randrange(3))
    left, right = replica(base), replica(base)
    for side in (left, right):
        for _ in range(choices.choice([1, 1, 3])):
            author.edit(side, choices.randrange(25))
            if choices.random() < 0.3:
                side.merge(right if side is left else left)
    (directory / f"{seed}.left").write_bytes(left.save())
    (directory / f"{seed}.right").write_bytes(right.save())
    left.merge(right)
    (directory / f"{seed}.merged").write_bytes(left.save())


def main(arguments):
    command, rest = arguments[0], arguments[1:]
    if command == "random":
        for seed in range(int(rest[1]), int(rest[1]) + int(rest[2])):
            make(seed, Path(rest[0]))
    elif command == "describe":
        for name in rest:
            document = core.Document.load(Path(name).read_bytes())
            print("\n".join(describe(document, marks=True)))
            print("---")
    elif command == "merge":
        left = core.Document.load(Path(rest[1]).read_bytes())
        left.merge(core.Document.load(Path(rest[2]).read_bytes()))
        Path(rest[0]).write_bytes(left.save())
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
