"""What maps, lists, sets and counters hold."""

import json

from .cbor import require
from .texts import Tree
from .values import value_json


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
            # Who put the element knowing of a removal has decided.
            is_open = any(not self.is_seen(removal, puts) for removal in element.removals)
            result.append((None, shown, others, not current or is_open))
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
