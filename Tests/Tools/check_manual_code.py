"""Runs the Python code on peernote(5) and holds what it finds against the independent reader.

Usage: check_manual_code.py PAGE FILE...

Prints how many rows and how many nodes of texts and lists were compared. The status is 1, with the
first difference on standard error, if the code on the page finds anything else than the reader.
"""

import sys
from pathlib import Path

from peernote_reader.cbor import Fault, require
from peernote_reader.envelope import Envelope
from peernote_reader.log import Column, Log
from peernote_reader.objects import Objects
from peernote_reader.texts import Texts, Tree

# The code on the page goes through all nodes for each one.
LARGEST_TREE = 150


def code(page, name):
    """The lines between two comments of the page."""
    lines = page.split(f'.\\" {name} begins', 1)[1].split(f'.\\" {name} ends', 1)[0]
    return lines.split("\n", 1)[1].replace("\\-", "-")


class Chain:
    def __init__(self, changes):
        self.agent, self.end = changes[0].agent, changes[-1].first + changes[-1].count


def positions(row):
    """The positions of the events of a row that edits a text."""
    if row.kind == "insert text":
        return list(range(row.at, row.at + row.count))
    if row.backward:
        return list(range(row.at + row.count - 1, row.at - 1, -1))
    return [row.at] * row.count


def check_rows(rows, envelope, log):
    column = Column(envelope.known[3][1][8], "operations")
    found = list(rows(column, [Chain(changes) for changes in log.chains]))
    require(not column.more(), "rows are left over")
    require(len(found) == len(log.rows), "the number of rows")
    for (event, count, container, kind, number, operands), row in zip(found, log.rows):
        same = (event, count, container) == (row.first, row.count, row.container)
        if row.kind in ("insert text", "delete text"):
            same = same and (kind == 0) == (row.kind == "insert text") and kind < 3
            same = same and operands == positions(row)
        else:
            same = same and kind == 3 and Log.CODES[number] == row.kind
            for operand, name in zip(operands, operand_names(row.kind)):
                value = getattr(row, name) if name != "count" else row.count - 1
                if name == "key":
                    value = log.keys.index(value)
                elif name != "count":
                    value = 0 if value is None else row.first - value
                same = same and operand == value
            same = same and len(operands) == len(operand_names(row.kind))
        require(same, f"the row of event {row.first}")
    return len(found)


def operand_names(kind):
    return {"put": ["key"], "remove": ["key"], "insert elements": ["count", "left", "right"],
            "put element": ["element"], "move element": ["element", "left", "right"],
            "remove element": ["element"]}.get(kind, [])


class Node:
    def __init__(self, event):
        self.event, self.left, self.right, self.right_origin = event, [], [], None


class WatchedTree:
    """Notes between which origins each node was inserted."""

    def __init__(self):
        self.insertions = {}
        original = Tree.insert

        def insert(tree, event, left, right):
            self.insertions.setdefault(tree, []).append((event, left, right))
            original(tree, event, left, right)

        Tree.insert = insert


def check_order(order_code, log, watched):
    compared = 0
    for tree, insertions in watched.insertions.items():
        if tree.log is not log or len(insertions) > LARGEST_TREE:
            continue
        root = Node(None)
        scope = {"root": root, "seen": log.has_seen, "name": lambda node: log.sort_name(node.event)}
        exec(order_code, scope)
        nodes = {None: root}
        for event, left, right in insertions:
            nodes[event] = Node(event)
            scope["insert"](nodes[event], nodes[left], None if right is None else nodes[right])
        found = [node.event for node in scope["traversal"](root)]
        require(found == [None] + [node.event for node in tree.order], "the order of nodes")
        compared += len(insertions)
    return compared


def main(page_name, names):
    page = Path(page_name).read_text(encoding="utf-8")
    scope = {}
    exec(code(page, "Rows in Python"), scope)
    order = code(page, "Order in Python")
    watched = WatchedTree()
    rows = nodes = 0
    for name in names:
        try:
            envelope = Envelope(Path(name).read_bytes())
            log = Log(envelope.known[3])
            rows += check_rows(scope["rows"], envelope, log)
            Objects(log)
            Texts(log)
            nodes += check_order(order, log, watched)
        except Fault as fault:
            print(f"check_manual_code.py: {name}: {fault}", file=sys.stderr)
            return 1
    print(rows, nodes)
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
