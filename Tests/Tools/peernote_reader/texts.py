"""The order of scalars and slots, and the replay of texts."""

from typing import NamedTuple

from .cbor import Fault, of_type, require
from .passages import REDACTED, find


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


class Unit(NamedTuple):
    """A scalar that was ever in a text, with the changes that inserted and deleted it."""
    place: int
    sign: str
    inserted: tuple
    deleted: frozenset

    def is_live(self, version):
        return self.inserted in version and not self.deleted & version


class History:
    """All units of a text in order, and which changes that touched it have seen which others.

    A change is called by a tuple; sorted, these stand in the order of the writes.
    """

    def __init__(self, log, nodes, deletions, scalars):
        def name(event):
            change = log.event_change[event]
            return change.time, change.lamport, change.agent, change.number
        self.units = tuple(
            Unit(place, scalars[node], name(node), frozenset(map(name, deletions.get(node, []))))
            for place, node in enumerate(nodes))
        self.version = self.touched(self.units)
        self.seen = {one: frozenset(other for other in self.version if one != other
                                    and log.changes[one[-1]].seen >> other[-1] & 1)
                     for one in self.version}

    def between(self, units):
        """All units from the first of some to the last one."""
        return self.units[min(units).place:max(units).place + 1] if units else ()

    def touched(self, units):
        """The changes that touched what lies between some units."""
        return frozenset().union(
            *[unit.deleted | {unit.inserted} for unit in self.between(units)])

    def last(self, changes):
        """Those of some changes that none of the others has seen."""
        return changes.difference(*[self.seen[change] for change in changes])


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

    @staticmethod
    def raw(shown, passages):
        """The raw text, from the text in the view and its passages."""
        result, place = "", 0
        for item in passages:
            before, length, raw, changes, others = of_type(item, "array", "a passage")
            start = place + of_type(before, "int", "a passage's place")
            end = start + of_type(length, "int", "a passage's length")
            require(end <= len(shown), "a passage outside its text")
            require(of_type(changes, "array", "a passage's changes"), "a reading by nobody")
            of_type(others, "array", "the other readings")
            raw = of_type(raw, "text", "the raw text")
            require(raw, "a passage without raw text")
            result += shown[place:start] + raw
            place = end
        return result + shown[place:]

    def passages_json(self, container, shown, passages):
        """The passages of a text as its file has them, as objects for JSON."""
        place = 0
        for item in passages:
            before, length, raw, changes, others = of_type(item, "array", "a passage")
            start = place + before[1]
            place = start + length[1]
            readings = [(shown[start:place], changes[1])]
            for other in others[1]:
                text, names = of_type(other, "array", "a reading")
                readings.append((of_type(text, "text", "its text"),
                                 of_type(names, "array", "its changes")))
            yield self.passage_json(container, start, raw[1], [
                (text, [of_type(number, "int", "a change") for number in names])
                for text, names in readings])

    def found_passages(self, container, scalars):
        """The passages of a text that its history makes, in the same form."""
        nodes = [node.event for node in self.trees[container].order]
        scalars = {
            event: REDACTED if self.is_redacted(event) else sign
            for event, sign in scalars.items()}
        history = History(self.log, nodes, self.deletions, scalars)
        live = [unit for unit in history.units if unit.is_live(history.version)]
        shift = 0
        for token in find(history, history.version, {}):
            raw = [unit for unit in live if token.units[0] <= unit <= token.units[-1]]
            readings = [
                (text.replace(REDACTED, ""), sorted(number for *_, number in changes))
                for text, changes in zip(token.texts, token.changes)]
            yield self.passage_json(container, live.index(raw[0]) + shift,
                                    "".join(unit.sign for unit in raw), readings)
            shift += len(readings[0][0]) - len(raw)

    def passage_json(self, container, place, raw, readings):
        told = []
        for text, numbers in readings:
            require(all(a < b for a, b in zip(numbers, numbers[1:])), "changes out of order")
            require(numbers and numbers[-1] < len(self.log.changes), "a reading by nobody")
            told.append({"text": text, "changes": [
                f"{change.agent.hex()}.{change.sequence}"
                for change in (self.log.changes[number] for number in numbers)]})
        return {"container": container, "at": place, "raw": raw, "shown": told[0],
                "others": told[1:]}

    def is_redacted(self, event):
        """Whether what an event inserted stands nowhere any more."""
        deletions = self.deletions.get(event, [])
        return bool(deletions) and all(
            self.log.deleted[self.numbers[deletion]] is None for deletion in deletions)

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
