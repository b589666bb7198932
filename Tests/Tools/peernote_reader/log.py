"""The log: changes in canonical order, and the rows of their operations."""

from .cbor import CBOR, of_type, require
from .values import container_kind, int64


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
    """A container, by whom it was created, and how many are around it, itself included."""

    def __init__(self, kind, created, depth):
        self.kind, self.created, self.depth = kind, created, depth


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
        self.read_values(of_type(values, "bytes", "values is a byte string"))
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

    def read_values(self, data):
        reader, self.values, self.weight = CBOR(data), [], 0
        while reader.offset < reader.end:
            start = reader.offset
            item = reader.item()
            self.values.append(item)
            is_time = item[0] == "tag" and item[1] == 1001
            self.weight += 3 if item[0] == "float" else 6 if is_time else reader.offset - start
        require(len(self.values) <= (1 << 18) + self.weight // 2, "more contents than the limit")

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
        latest, previous_key, parent_count = {}, None, 0
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
            parent_count += len(parents)
            require(parent_count <= 1 << 30, "more parents than the limit")
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
        self.rows, self.containers = [], [Container("map", None, 1)]
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
        require(len(self.containers) <= min(1 << 28, (1 << 18) + self.weight // 4),
                "more containers than the limit")

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
                    depth = self.containers[target].depth + 1
                    require(depth <= 64, "containers nested too deep")
                    self.containers.append(Container(kind, row.first + index, depth))
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
