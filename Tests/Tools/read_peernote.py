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

Content is written as an object with the type as its only key: {"null": null}, {"bool": true},
{"integer": "-5"}, {"double": "3ff0000000000000"} (the bits), {"string": "…"}, {"bytes": "00ff"},
{"timestamp": "0"} (milliseconds), {"uuid": "…"}, {"map": [["key", content], …]},
{"list": [content, …]}, {"text": "…"}, {"set": [content, …]}, {"counter": "7"}. Integers of 64 bits
are strings, since many JSON parsers round them.
"""

import hashlib
import json
import struct
import sys
import uuid


class Fault(Exception):
    """The file is not as the manual page says."""


def require(condition, reason):
    if not condition:
        raise Fault(reason)


# ---- CBOR ---------------------------------------------------------------------------------------
# Items are tuples: ("int", n), ("bytes", b), ("text", s), ("array", [item, …]),
# ("map", [(key, item), …]), ("tag", number, item), ("float", bits), ("simple", False/True/None).


class CBOR:
    """Reads items in core deterministic encoding from bytes, and nothing else."""

    def __init__(self, data, offset=0, end=None):
        self.data = data
        self.offset = offset
        self.end = len(data) if end is None else end

    def take(self, count):
        require(count <= self.end - self.offset, f"byte {self.offset}: a length beyond the end")
        self.offset += count
        return self.data[self.offset - count:self.offset]

    def head(self):
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        require(info <= 27, f"byte {self.offset - 1}: an indefinite length or a reserved byte")
        if info < 24:
            return major, info, info
        argument = int.from_bytes(self.take(1 << (info - 24)), "big")
        if major < 7:
            least = 24 if info == 24 else 1 << (4 << (info - 24))
            require(argument >= least, f"byte {self.offset}: a head that is not the shortest")
        return major, info, argument

    def item(self, depth=0):
        require(depth <= 200, "items nested too deep")
        major, info, argument = self.head()
        if major == 0:
            return ("int", argument)
        if major == 1:
            return ("int", -1 - argument)
        if major == 2:
            return ("bytes", self.take(argument))
        if major == 3:
            try:
                return ("text", self.take(argument).decode("utf-8"))
            except UnicodeDecodeError:
                raise Fault(f"byte {self.offset}: a text that is not UTF-8") from None
        if major == 4:
            require(argument <= self.end - self.offset, "an array beyond the end")
            return ("array", [self.item(depth + 1) for _ in range(argument)])
        if major == 5:
            return ("map", self.entries(argument, depth))
        if major == 6:
            return ("tag", argument, self.item(depth + 1))
        if info in (20, 21, 22):
            return ("simple", {20: False, 21: True, 22: None}[info])
        require(info in (25, 26, 27), f"byte {self.offset}: a simple value")
        return ("float", self.float_bits(info, argument))

    def entries(self, count, depth):
        require(2 * count <= self.end - self.offset, "a map beyond the end")
        entries, previous = [], None
        for _ in range(count):
            start = self.offset
            key = self.item(depth + 1)
            encoded = self.data[start:self.offset]
            require(previous is None or previous < encoded, f"byte {start}: keys out of order")
            previous = encoded
            entries.append((key, self.item(depth + 1)))
        return entries

    def float_bits(self, info, argument):
        form = {25: ">e", 26: ">f", 27: ">d"}[info]
        value = struct.unpack(form, argument.to_bytes(struct.calcsize(form), "big"))[0]
        if value != value:
            require(info == 25 and argument == 0x7E00, "a NaN that is not f97e00")
            return 0x7FF8000000000000
        bits = struct.pack(">d", value)
        for shorter in [">e", ">f"][:info - 25]:
            try:
                fits = struct.pack(">d", *struct.unpack(shorter, struct.pack(shorter, value))) == bits
            except OverflowError:
                fits = False
            require(not fits, f"byte {self.offset}: a number that is not in its shortest form")
        return int.from_bytes(bits, "big")


def whole_item(data):
    reader = CBOR(data)
    item = reader.item()
    require(reader.offset == reader.end, "bytes after the item")
    return item


def of_type(item, kind, reason):
    require(item[0] == kind, reason)
    return item[1]


def tagged(item, number, kind, reason):
    require(item[0] == "tag" and item[1] == number, reason)
    return of_type(item[2], kind, reason)


# ---- Values and contents ------------------------------------------------------------------------

NEW_CONTAINERS = {
    "map": ("map", []),
    "list": ("array", []),
    "text": ("tag", 61556, ("text", "")),
    "set": ("tag", 258, ("array", [])),
    "counter": ("tag", 61539, ("int", 0)),
}


def int64(item):
    number = of_type(item, "int", "an integer was expected")
    require(-(1 << 63) <= number < 1 << 63, "an integer of more than 64 bits")
    return number


def value_json(item):
    """A value as JSON; refuses items that are no values."""
    kind = item[0]
    if kind == "simple":
        return {"null": None} if item[1] is None else {"bool": item[1]}
    if kind == "int":
        return {"integer": str(int64(item))}
    if kind == "float":
        return {"double": format(item[1], "016x")}
    if kind == "text":
        return {"string": item[1]}
    if kind == "bytes":
        return {"bytes": item[1].hex()}
    require(kind == "tag", "an item that is no value")
    if item[1] == 37:
        content = of_type(item[2], "bytes", "a UUID is a byte string")
        require(len(content) == 16, "a UUID of another length")
        return {"uuid": str(uuid.UUID(bytes=content))}
    require(item[1] == 1001, "a tag that is no value")
    entries = of_type(item[2], "map", "a time is a map")
    require([key for key, _ in entries] in ([("int", 1)], [("int", 1), ("int", -3)]), "a time's keys")
    milliseconds = 1000 * int64(entries[0][1])
    if len(entries) == 2:
        rest = int64(entries[1][1])
        require(1 <= rest <= 999, "a time's milliseconds")
        milliseconds += rest
    require(-(1 << 63) <= milliseconds < 1 << 63, "a time of more than 64 bits")
    return {"timestamp": str(milliseconds)}


def container_kind(item):
    """The kind of container that an item of the values column creates, or None for a value."""
    for kind, new in NEW_CONTAINERS.items():
        if item == new:
            return kind
    value_json(item)
    return None


def content_json(item):
    kind = container_kind(item)
    return value_json(item) if kind is None else {kind: {"text": "", "counter": "0"}.get(kind, [])}


# ---- The envelope -------------------------------------------------------------------------------


class Envelope:
    def __init__(self, data):
        item = whole_item(data)
        for number in (55799, 0x706E6F74):
            require(item[0] == "tag" and item[1] == number, "not a peernote document")
            item = item[2]
        parts = of_type(item, "array", "not a peernote document")
        require(len(parts) > 1 and parts[0] == ("int", 0), "the envelope's zero")
        require(parts[1] == ("int", 1), "another version of the format")
        require(len(parts) == 5, "the envelope's length")
        self.identifier = tagged(parts[2], 37, "bytes", "the identifier")
        require(len(self.identifier) == 16, "the identifier's length")
        digest = hashlib.sha256(data[:-34]).digest()
        require(parts[4] == ("bytes", digest), "the checksum does not match")
        self.known, self.optional = {}, []
        for key, content in of_type(parts[3], "map", "the sections"):
            number = of_type(key, "int", "a section's number")
            require(number >= 1, "a section's number")
            if number <= 3:
                self.known[number] = content
            else:
                require(number >= 128, f"an unknown section {number} that must not be ignored")
                self.optional.append([number, self.encoded(data, number)])
        require(len(self.known) == 3, "a section is missing")

    @staticmethod
    def encoded(data, wanted):
        reader = CBOR(data, 9)  # after the tags and the head of the array
        for _ in range(3):
            reader.item()
        _, _, count = reader.head()
        for _ in range(count):
            number = reader.item()[1]
            start = reader.offset
            reader.item()
            if number == wanted:
                return data[start:reader.offset].hex()
        raise Fault("a section is missing")


# ---- The log ------------------------------------------------------------------------------------


class Column:
    """A byte string of varints."""

    def __init__(self, item, name):
        self.data = of_type(item, "bytes", f"{name} is a byte string")
        self.name = name
        self.offset = 0

    def more(self):
        return self.offset < len(self.data)

    def varint(self):
        value = shift = 0
        while True:
            require(self.more(), f"{self.name} ends in an integer")
            byte = self.data[self.offset]
            self.offset += 1
            value |= (byte & 127) << shift
            if byte < 128:
                require(byte > 0 or shift == 0, f"{self.name}: a varint that is not the shortest")
                require(value < 1 << 64, f"{self.name}: a varint of more than 64 bits")
                return value
            shift += 7

    def signed(self):
        value = self.varint()
        return -(value + 1) // 2 if value & 1 else value // 2


class Change:
    """One change; `seen` has the bit of every ancestor and its own."""

    def __init__(self, number, agent, sequence, parents):
        self.number, self.agent, self.sequence, self.parents = number, agent, sequence, parents
        self.first = self.count = self.lamport = 0
        self.time, self.author, self.message = 0, "", None
        self.seen = 1 << number

    @property
    def name(self):
        return f"{self.agent.hex()}.{self.sequence}"


class Row:
    """One row of the operations, with what it refers to; what the fields hold depends on kind."""

    def __init__(self, kind, container, first, count, **fields):
        self.kind, self.container, self.first, self.count = kind, container, first, count
        self.__dict__.update(fields)


class Container:
    def __init__(self, kind, created):
        self.kind, self.created = kind, created


class Log:
    CODES = ["target", "put", "remove", "insert elements", "put element", "move element",
             "remove element", "add", "discard", "increment"]
    WORKS_ON = {"insert text": "text", "delete text": "text", "put": "map", "remove": "map",
                "insert elements": "list", "put element": "list", "move element": "list",
                "remove element": "list", "add": "set", "discard": "set", "increment": "counter"}

    def __init__(self, item):
        columns = of_type(item, "array", "the log is an array")
        require(len(columns) == 11, "the log has eleven columns")
        (agents, authors, messages, keys, chains, counts, metadata, values, operations,
         redactions, deleted) = columns
        agents = of_type(agents, "bytes", "agents is a byte string")
        require(len(agents) % 8 == 0, "agents of another length")
        self.agents = [agents[start:start + 8] for start in range(0, len(agents), 8)]
        require(len(set(self.agents)) == len(self.agents), "an agent stands twice")
        self.authors, self.messages, self.keys = map(self.table, (authors, messages, keys))
        self.values = self.sequence(of_type(values, "bytes", "values is a byte string"))
        self.read_counts(Column(counts, "counts"))
        self.read_chains(Column(chains, "chains"))
        self.read_metadata(Column(metadata, "metadata"))
        self.read_operations(Column(operations, "operations"))
        self.read_deleted(
            Column(redactions, "redactions"), of_type(deleted, "text", "deleted is a text"))

    @staticmethod
    def table(item):
        names = [of_type(name, "text", "a name is a text")
                 for name in of_type(item, "array", "a table is an array")]
        require(len(set(names)) == len(names), "a name stands twice")
        return names

    @staticmethod
    def sequence(data):
        reader, items = CBOR(data), []
        while reader.offset < reader.end:
            items.append(reader.item())
        return items

    def read_counts(self, column):
        self.counts, before = [], None
        while column.more():
            changes, events = column.varint(), column.varint()
            require(changes and events and events != before, "impossible counts")
            require(len(self.counts) + changes <= 1 << 24, "more changes than the limit")
            self.counts += [events] * changes
            before = events
        require(sum(self.counts) <= 1 << 30, "more events than the limit")

    def read_chains(self, column):
        self.changes, self.chains = [], []
        latest, previous_key = {}, None
        while column.more():
            header, length, others = column.varint(), column.varint() + 1, column.varint()
            require(header // 2 <= len(latest) and header // 2 < len(self.agents), "agents' order")
            agent = self.agents[header // 2]
            own, first = latest.get(agent), len(self.changes)
            require(first + length <= len(self.counts), "more changes than counts")
            parents, above = [], first
            for _ in range(others):
                above -= column.varint() + 1
                require(above >= 0, "a parent that is not earlier")
                parents.append(above)
            require(own is None or own.number not in parents, "the previous change is no other")
            if header & 1:
                require(own is not None and parents, "a chain that continues another one")
                parents.append(own.number)
            parents = [self.changes[parent] for parent in parents]
            for _ in range(length):
                change = Change(len(self.changes), agent, own.sequence + 1 if own else 1, parents)
                self.add(change)
                parents, own = [change], change
            latest[agent] = own
            start = self.changes[first]
            key = (start.lamport, start.agent, start.sequence)
            require(previous_key is None or previous_key < key, "chains out of order")
            previous_key = key
            self.chains.append(self.changes[first:])
        require(len(self.changes) == len(self.counts), "fewer changes than counts")
        require(len(latest) == len(self.agents), "an agent without a chain")
        children = {parent.number for change in self.changes for parent in change.parents}
        self.heads = sorted((change.agent, change.sequence) for change in self.changes
                            if change.number not in children)

    def add(self, change):
        if self.changes:
            change.first = self.changes[-1].first + self.changes[-1].count
        change.count = self.counts[change.number]
        change.lamport = 1 + max((p.lamport + p.count - 1 for p in change.parents), default=0)
        for parent in change.parents:
            change.seen |= parent.seen
        for parent in change.parents:
            rest = [other.seen for other in change.parents if other is not parent]
            require(not any(seen >> parent.number & 1 for seen in rest), "a redundant parent")
        if change.sequence > 1:
            own = next(c for c in reversed(self.changes) if c.agent == change.agent)
            require(change.seen >> own.number & 1, "a change that has not seen its agent's last")
        self.changes.append(change)

    def read_metadata(self, column):
        number, time, before, used = 0, 0, None, [0, 0]
        while column.more():
            count, difference = column.varint(), column.signed()
            time = (time + difference + (1 << 63)) % (1 << 64) - (1 << 63)
            author, message = column.varint(), column.varint()
            require(author <= used[0] and author < len(self.authors), "authors' order")
            require(message <= used[1] + 1 and message <= len(self.messages), "messages' order")
            used = [max(used[0], author + 1), max(used[1], message)]
            require(count and before != (time, author, message), "impossible metadata")
            before = (time, author, message)
            require(number + count <= len(self.changes), "metadata of more changes")
            for change in self.changes[number:number + count]:
                change.time, change.author = time, self.authors[author]
                change.message = self.messages[message - 1] if message else None
            number += count
        require(number == len(self.changes), "metadata of fewer changes")
        require(used == [len(self.authors), len(self.messages)], "an unused name")

    # ---- Operations

    def read_operations(self, column):
        self.rows, self.containers = [], [Container("map", None)]
        self.event_change = [change for change in self.changes for _ in range(change.count)]
        cursors = dict.fromkeys(self.agents, 0)
        self.event, self.next_value, self.keys_used, target = 0, 0, 0, 0
        for chain in self.chains:
            end = chain[-1].first + chain[-1].count
            before = None
            while self.event < end:
                header = column.varint()
                if header == 3:
                    number = column.varint()
                    require(number < len(self.containers) and number != target, "a target")
                    target = number
                    header = column.varint()
                    require(header != 3, "a target after a target")
                if header & 3 < 3:
                    row = self.text_row(header, column, target, chain[0].agent, cursors)
                else:
                    row = self.other_row(header >> 2, column, target)
                require(self.containers[target].kind == self.WORKS_ON[row.kind], "container's kind")
                require(row.first + row.count <= end, "a row over the end of its chain")
                require(before is None or not self.joins(before, row), "rows that belong together")
                self.rows.append(row)
                self.event = row.first + row.count
                before = row
        require(not column.more(), "operations after the last event")
        require(self.next_value == len(self.values), "values that are not used")
        require(self.keys_used == len(self.keys), "keys that are not used")

    def text_row(self, header, column, target, agent, cursors):
        kind, count = header & 3, (header >> 3) + 1
        jump = 0
        if header & 4:
            jump = column.signed()
            require(jump != 0, "a jump of 0")
        place = cursors[agent] + jump
        if kind == 0:
            row = Row("insert text", target, self.event, count, at=place)
            cursors[agent] = place + count
        else:
            backward = kind == 2
            if count == 1:
                require(jump != -1 if kind == 1 else jump == 0, "a longer form of a deletion")
            at = place - count if backward else place
            row = Row("delete text", target, self.event, count, at=at,
                      backward=backward and count > 1)
            cursors[agent] = at
        require(0 <= row.at <= 1 << 30 and cursors[agent] <= 1 << 30, "an impossible position")
        return row

    def other_row(self, code, column, target):
        require(code < len(self.CODES), "an unknown code")
        row = Row(self.CODES[code], target, self.event, 1)
        if row.kind in ("put", "remove"):
            number = column.varint()
            require(number <= self.keys_used and number < len(self.keys), "keys' order")
            self.keys_used = max(self.keys_used, number + 1)
            row.key = self.keys[number]
        if row.kind == "insert elements":
            row.count = column.varint() + 1
            require(row.count <= len(self.values), "more elements than values")
        if row.kind in ("put element", "move element", "remove element"):
            row.element = self.reference(column)
            require(row.element is not None, "an element is missing")
        if row.kind in ("insert elements", "move element"):
            row.left, row.right = self.reference(column), self.reference(column)
        if row.kind in ("put", "insert elements", "put element", "add", "discard", "increment"):
            require(self.next_value + row.count <= len(self.values), "values are missing")
            row.contents = self.values[self.next_value:self.next_value + row.count]
            row.value_number = self.next_value
            self.next_value += row.count
            for index, content in enumerate(row.contents):
                kind = container_kind(content)
                if kind is not None:
                    require(self.WORKS_ON[row.kind] in ("map", "list"), "a container as a member")
                    self.containers.append(Container(kind, row.first + index))
                elif row.kind == "increment":
                    int64(content)
        return row

    def reference(self, column):
        distance = column.varint()
        require(distance <= self.event, "a reference to an event that does not exist")
        return self.event - distance if distance else None

    @staticmethod
    def joins(row, following):
        """Whether the first event of a row belongs to the row before it."""
        if row.container != following.container or row.kind != following.kind:
            return False
        if row.kind == "insert text":
            return following.at == row.at + row.count
        if row.kind == "delete text":
            position = following.at + (following.count - 1 if following.backward else 0)
            forward = not row.backward and position == row.at
            backward = (row.backward or row.count == 1) and position == row.at - 1
            return forward or backward
        if row.kind == "insert elements":
            return following.left == following.first - 1 and following.right == row.right
        return False

    def read_deleted(self, column, text):
        count = sum(row.count for row in self.rows if row.kind == "delete text")
        self.deleted, scalars, first = [], iter(text), True
        while column.more():
            kept, redacted = column.varint(), column.varint()
            require(redacted > 0 and (kept > 0 or first), "impossible redactions")
            first = False
            require(len(self.deleted) + kept + redacted <= count, "more redactions than deletions")
            self.deleted += [next(scalars, "") for _ in range(kept)] + [None] * redacted
        self.deleted += scalars
        require(len(self.deleted) == count and "" not in self.deleted, "deleted text's length")

    # ---- Questions about events

    def name(self, event):
        change = self.event_change[event]
        return f"{change.name}/{event - change.first}"

    def sort_name(self, event):
        change = self.event_change[event]
        return change.agent, change.sequence, event - change.first

    def has_seen(self, later, earlier):
        one, other = self.event_change[later], self.event_change[earlier]
        if one is other:
            return earlier < later
        return one.seen >> other.number & 1 == 1

    def lateness(self, event):
        change = self.event_change[event]
        return change.time, change.lamport + event - change.first, self.sort_name(event)


# ---- Order of scalars and slots -----------------------------------------------------------------


class Node:
    def __init__(self, event, right_origin=None):
        self.event, self.right_origin = event, right_origin
        self.left_children, self.right_children = [], []


class Tree:
    """The tree of a text or a list, whose traversal is the order of its nodes."""

    def __init__(self, log):
        self.log = log
        self.root = Node(None)
        self.nodes = {}
        self.order = []  # nodes without the root

    def insert(self, event, left, right):
        """Adds a node between two origins (events, or None for the start and the end)."""
        log = self.log
        node = Node(event, right)
        parent = self.root if left is None else self.nodes[left]
        if any(log.has_seen(event, child.event) for child in parent.right_children):
            require(right is not None, f"{log.name(event)}: origins that do not follow each other")
            parent = self.nodes[right]
            siblings = parent.left_children
            siblings.append(node)
            siblings.sort(key=lambda child: log.sort_name(child.event))
        else:
            siblings = parent.right_children
            siblings.append(node)
            if len(siblings) > 1:
                place = {other.event: index for index, other in enumerate(self.order)}
                place[None] = len(place)
                siblings.sort(key=lambda child: log.sort_name(child.event))
                siblings.sort(key=lambda child: -place[child.right_origin])
        self.nodes[event] = node
        if len(siblings) > 1:
            self.order = self.traversal()
        else:  # an only child stands right beside its parent
            index = -1 if parent is self.root else self.order.index(parent)
            self.order.insert(index + (siblings is parent.right_children), node)

    def traversal(self):
        order, todo = [], [(self.root, False)]
        while todo:
            node, is_ready = todo.pop()
            if is_ready:
                order.append(node)
                continue
            todo += [(child, False) for child in reversed(node.right_children)]
            if node is not self.root:
                todo.append((node, True))
            todo += [(child, False) for child in reversed(node.left_children)]
        return order


class Texts:
    """Replays the events on all texts."""

    def __init__(self, log):
        self.log = log
        self.trees = {number: Tree(log) for number, container in enumerate(log.containers)
                      if container.kind == "text"}
        self.deletions = {}  # by the event of the inserted scalar: its deletions
        self.numbers = {}  # of deletion events
        rows = iter(log.rows)
        row = next(rows, None)
        for chain in log.chains:
            end = chain[-1].first + chain[-1].count
            lists = {}
            while row is not None and row.first < end:
                if row.kind in ("insert text", "delete text"):
                    if row.container not in lists:
                        lists[row.container] = self.as_seen(row.container, row.first)
                    self.replay(row, lists[row.container])
                row = next(rows, None)

    def as_seen(self, container, event):
        """The scalars that an event has seen in order, each with whether it is visible."""
        seen = self.log.has_seen
        return [[node.event,
                 not any(seen(event, deletion) for deletion in self.deletions.get(node.event, []))]
                for node in self.trees[container].order if seen(event, node.event)]

    def replay(self, row, scalars):
        for index in range(row.count):
            event = row.first + index
            if row.kind == "insert text":
                place = self.place(scalars, row.at + index - 1) + 1 if row.at + index else 0
                left = scalars[place - 1][0] if place else None
                right = scalars[place][0] if place < len(scalars) else None
                self.trees[row.container].insert(event, left, right)
                scalars.insert(place, [event, True])
            else:
                at = row.at + row.count - 1 - index if row.backward else row.at
                scalar = scalars[self.place(scalars, at)]
                scalar[1] = False
                self.deletions.setdefault(scalar[0], []).append(event)
                self.numbers[event] = len(self.numbers)

    @staticmethod
    def place(scalars, position):
        for place, (_, is_visible) in enumerate(scalars):
            if is_visible:
                if position == 0:
                    return place
                position -= 1
        raise Fault("a position outside its text")

    def recover(self, container, text):
        """Finds the scalar that each event inserted, from the text in the view."""
        visible = iter(text)
        scalars = {}
        for node in self.trees[container].order:
            if node.event in self.deletions:
                found = {self.log.deleted[self.numbers[event]]
                         for event in self.deletions[node.event]} - {None}
                require(len(found) <= 1, "two deletions of one scalar disagree")
                scalars[node.event] = found.pop() if found else "\N{REPLACEMENT CHARACTER}"
            else:
                scalars[node.event] = next(visible, None)
                require(scalars[node.event] is not None, "a text in the view is too short")
        require(next(visible, None) is None, "a text in the view is too long")
        return scalars


# ---- Content ------------------------------------------------------------------------------------


class Entry:
    """An event that wrote a key or an element."""

    def __init__(self, event, content, value_number):
        self.event, self.content, self.value_number = event, content, value_number


class Element:
    def __init__(self, event):
        self.event = event
        self.slots = [event]
        self.entries, self.removals = [], []


class Objects:
    """What all containers but texts hold."""

    def __init__(self, log):
        self.log = log
        self.number = {container.created: number for number, container in enumerate(log.containers)}
        self.edits = [[] for _ in log.containers]  # events on each container
        self.keys, self.elements, self.trees = {}, {}, {}
        self.members, self.counters = {}, {}
        for row in log.rows:
            self.edits[row.container] += range(row.first, row.first + row.count)
            self.file(row)

    def file(self, row):
        log = self.log
        if row.kind in ("put", "remove"):
            entries, writes = self.keys.setdefault(row.container, {}).setdefault(row.key, ([], []))
            writes.append(row.first)
            if row.kind == "put":
                entries.append(Entry(row.first, row.contents[0], row.value_number))
        elif row.kind == "insert elements":
            left = row.left
            for index, content in enumerate(row.contents):
                event = row.first + index
                element = self.elements.setdefault(row.container, {})[event] = Element(event)
                element.entries.append(Entry(event, content, row.value_number + index))
                self.add_slot(row.container, event, left, row.right)
                left = event
        elif row.kind in ("put element", "move element", "remove element"):
            element = self.elements.get(row.container, {}).get(row.element)
            require(element is not None and log.has_seen(row.first, row.element), "no such element")
            if row.kind == "put element":
                element.entries.append(Entry(row.first, row.contents[0], row.value_number))
            elif row.kind == "move element":
                element.slots.append(row.first)
                self.add_slot(row.container, row.first, row.left, row.right)
            else:
                element.removals.append(row.first)
        elif row.kind in ("add", "discard"):
            value = json.dumps(value_json(row.contents[0]))
            adds, discards = self.members.setdefault(row.container, {}).setdefault(value, ([], []))
            (adds if row.kind == "add" else discards).append((row.first, row.contents[0]))
        elif row.kind == "increment":
            self.counters[row.container] = self.counters.get(row.container, 0) + row.contents[0][1]

    def add_slot(self, container, event, left, right):
        tree = self.trees.setdefault(container, Tree(self.log))
        for origin in (left, right):
            require(origin is None or origin in tree.nodes and self.log.has_seen(event, origin),
                    "a slot that its author has not seen")
        seen = [node.event for node in tree.order if self.log.has_seen(event, node.event)]
        place = 0 if left is None else seen.index(left) + 1
        require(right == (seen[place] if place < len(seen) else None), "origins are not neighbours")
        tree.insert(event, left, right)

    def is_seen(self, event, by):
        return any(self.log.has_seen(other, event) for other in by)

    def edits_inside(self, entry):
        """All edits inside the container that an entry created."""
        todo, found = [self.number.get(entry.event)], []
        while todo:
            number = todo.pop()
            if number is not None:
                found += self.edits[number]
                todo += [self.number.get(event) for event in self.edits[number]]
        return found

    def live(self, entries, superseding, hiding):
        """The live entries: (not superseded, kept)."""
        current, kept = [], []
        for entry in entries:
            if not self.is_seen(entry.event, superseding):
                current.append(entry)
            else:
                hiders = [event for event in hiding if self.log.has_seen(event, entry.event)]
                if any(not self.is_seen(edit, hiders) for edit in self.edits_inside(entry)):
                    kept.append(entry)
        return current, kept

    def shown(self, current, kept):
        return max(current or kept, key=lambda entry: self.log.lateness(entry.event), default=None)

    def map_children(self, number):
        """(key, shown entry, other live entries, whether it survived) in the view's order."""
        result = []
        for key, (entries, writes) in self.keys.get(number, {}).items():
            current, kept = self.live(entries, writes, writes)
            shown = self.shown(current, kept)
            if shown is not None:
                others = [entry for entry in current + kept if entry is not shown]
                result.append((key, shown, others, not current))
        return sorted(result, key=lambda child: (len(child[0].encode()), child[0].encode()))

    def list_children(self, number):
        elements = self.elements.get(number, {})
        by_slot = {}
        for element in elements.values():
            moves = element.slots[1:]
            slots = [slot for slot in element.slots if not self.is_seen(slot, moves)]
            by_slot[max(slots, key=self.log.lateness)] = element
        result = []
        for node in self.trees[number].order if number in self.trees else []:
            element = by_slot.get(node.event)
            if element is None or not self.is_present(element):
                continue
            puts = [entry.event for entry in element.entries[1:]]
            current, kept = self.live(element.entries, puts, puts + element.removals)
            shown = self.shown(current, kept)
            others = [entry for entry in current + kept if entry is not shown]
            result.append((None, shown, others, not current or bool(element.removals)))
        return result

    def is_present(self, element):
        if not element.removals:
            return True
        holders = [entry.event for entry in element.entries[1:]]
        for entry in element.entries:
            holders += self.edits_inside(entry)
        return any(not self.is_seen(holder, element.removals) for holder in holders)

    def set_members(self, number):
        found = []
        for adds, discards in self.members.get(number, {}).values():
            events = [event for event, _ in discards]
            if any(not self.is_seen(event, events) for event, _ in adds):
                found.append(adds[0][1])
        return found

    def counter(self, number):
        return (self.counters.get(number, 0) + (1 << 63)) % (1 << 64) - (1 << 63)


# ---- The view -----------------------------------------------------------------------------------


class View:
    """Goes over the view and the objects of the log side by side, and writes the content."""

    def __init__(self, item, log, objects):
        self.log, self.objects = log, objects
        self.texts, self.conflicts = {}, []
        pair = of_type(item, "array", "the view is a pair")
        require(len(pair) == 2, "the view is a pair")
        self.content = self.container(0, pair[0], "")
        removed = [number for number, container in enumerate(log.containers)
                   if container.kind == "text" and number not in self.texts]
        texts = of_type(pair[1], "array", "the removed texts are an array")
        require(len(texts) == len(removed), "the number of removed texts")
        self.removed = [of_type(text, "text", "a removed text") for text in texts]
        self.texts.update(zip(removed, self.removed))

    def container(self, number, item, path):
        kind = self.log.containers[number].kind
        wrong = f"the view does not agree with the log at {path or 'the root'}"
        if kind == "map":
            children = self.objects.map_children(number)
            entries = of_type(item, "map", wrong)
            require([key for key, _ in entries] == [("text", child[0]) for child in children], wrong)
            return {"map": [
                [child[0], self.child(child, content, path + "/" + escaped(child[0]))]
                for child, (_, content) in zip(children, entries)]}
        if kind == "list":
            children = self.objects.list_children(number)
            items = of_type(item, "array", wrong)
            require(len(children) == len(items), wrong)
            return {"list": [self.child(child, content, f"{path}/{index}")
                             for index, (child, content) in enumerate(zip(children, items))]}
        if kind == "text":
            self.texts[number] = tagged(item, 61556, "text", wrong)
            return {"text": self.texts[number]}
        if kind == "set":
            items = tagged(item, 258, "array", wrong)
            expected = self.objects.set_members(number)
            require(len(items) == len(expected) and all(item in expected for item in items), wrong)
            return {"set": [value_json(item) for item in items]}
        total = self.objects.counter(number)
        require(item == ("tag", 61539, ("int", total)), wrong)
        return {"counter": str(total)}

    def child(self, child, item, path):
        _, shown, others, survived = child
        if others or survived:
            names = sorted((self.log.sort_name(entry.event), entry.event) for entry in others)
            self.conflicts.append({
                "path": path, "shown": self.log.name(shown.event),
                "others": [self.log.name(event) for _, event in names], "survived": survived})
        number = self.objects.number.get(shown.event)
        if number is not None:
            return self.container(number, item, path)
        expected = shown.content
        if expected[0] == "bytes" and len(expected[1]) >= 256:
            expected = ("tag", 61538, ("int", shown.value_number))
        require(item == expected, f"the view does not agree with the log at {path}")
        return value_json(shown.content)


def escaped(token):
    return token.replace("~", "~0").replace("/", "~1")


def check_sets(data):
    """Checks that the members of all sets in the view ascend by their encodings."""
    reader = CBOR(data, 9)
    for _ in range(3):
        reader.item()
    reader.head()
    reader.item()
    reader.item()
    reader.item()
    check_sets_in(reader)


def check_sets_in(reader):
    major, _, argument = reader.head()
    if major == 6 and argument == 258:
        _, _, count = reader.head()
        previous = b""
        for _ in range(count):
            start = reader.offset
            reader.item()
            encoded = reader.data[start:reader.offset]
            require(previous < encoded, "the members of a set are out of order")
            previous = encoded
    elif major in (2, 3):
        reader.take(argument)
    elif major in (4, 5, 6):
        for _ in range({4: argument, 5: 2 * argument, 6: 1}[major]):
            check_sets_in(reader)


# ---- Changes as JSON ----------------------------------------------------------------------------


def edit_json(log, row, first, end, inserted, numbers):
    """What the events of a row in first..<end did."""
    container = log.containers[row.container].created
    edit = {"edit": row.kind, "in": "root" if container is None else log.name(container)}
    offset, count = first - row.first, end - first
    event_name = lambda event: None if event is None else log.name(event)
    if row.kind == "insert text":
        edit["at"] = row.at + offset
        edit["text"] = "".join(inserted[event] for event in range(first, end))
    elif row.kind == "delete text":
        backward = row.backward and count > 1
        edit["at"] = row.at + row.first + row.count - end if row.backward else row.at
        edit["count"], edit["backward"] = count, backward
        scalars = [log.deleted[numbers[event]] for event in range(first, end)]
        scalars = scalars[::-1] if backward else scalars
        edit["text"] = None if None in scalars else "".join(scalars)
    elif row.kind in ("put", "remove"):
        edit["key"] = row.key
        if row.kind == "put":
            edit["content"] = content_json(row.contents[0])
    elif row.kind == "insert elements":
        edit["left"] = event_name(row.left if offset == 0 else first - 1)
        edit["right"] = event_name(row.right)
        edit["contents"] = [content_json(item) for item in row.contents[offset:offset + count]]
    elif row.kind in ("put element", "move element", "remove element"):
        edit["element"] = log.name(row.element)
        if row.kind == "put element":
            edit["content"] = content_json(row.contents[0])
        elif row.kind == "move element":
            edit["left"], edit["right"] = event_name(row.left), event_name(row.right)
    else:
        edit["value"] = value_json(row.contents[0])
    return edit


def changes_json(log, inserted, numbers):
    result = []
    index = 0
    for change in log.changes:
        end = change.first + change.count
        edits = []
        while index < len(log.rows) and log.rows[index].first < end:
            row = log.rows[index]
            edits.append(edit_json(log, row, max(row.first, change.first),
                                   min(row.first + row.count, end), inserted, numbers))
            if row.first + row.count > end:
                break
            index += 1
        result.append({
            "change": change.name,
            "parents": [parent.name for parent in
                        sorted(change.parents, key=lambda parent: (parent.agent, parent.sequence))],
            "time": str(change.time), "author": change.author, "message": change.message,
            "edits": edits})
    return result


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
    for number, text in view.texts.items():
        inserted.update(texts.recover(number, text))
    return {
        "identifier": str(uuid.UUID(bytes=envelope.identifier)),
        "heads": [f"{agent.hex()}.{sequence}" for agent, sequence in log.heads],
        "content": view.content,
        "conflicts": view.conflicts,
        "removed": view.removed,
        "changes": changes_json(log, inserted, texts.numbers),
        "optional": envelope.optional,
    }


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
