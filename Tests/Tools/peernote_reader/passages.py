"""The passages of a text, found from its whole history; see Passages in peernote(5).

Versions are sets of changes, as bits of an integer. What a version shows is worked out anew for
each, over the whole text, without any of the short cuts that a program would take.
"""

import re
from dataclasses import dataclass
from functools import reduce
from itertools import product

FEED = "\n"
SPACES = "\t\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B)))
# Stands for a redacted scalar; no scalar that text can hold.
REDACTED = "\udfff"
# Tokens by themselves; the ranges are scripts that write no spaces between words.
ALONE = (FEED + REDACTED + "\u0e00-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad\u3041-\u3096"
         "\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaadf\uf900-\ufaff"
         "\U00020000-\U000323af")
NUMBER_SPACE = "(?<=[0-9])[ \xa0\u2009\u202f](?=[0-9])"
TOKEN = re.compile(f"[{ALONE}]|[{SPACES}]+|(?:[^{ALONE}{SPACES}]|{NUMBER_SPACE})+")
STOP = re.compile("[.!?\u3002\uff01\uff1f][\"')\\]*_\u2019\u201d]*\\Z")


def are_parted(text, after):
    """Whether white space stands at the border of two texts, and not in a number."""
    border = re.sub(NUMBER_SPACE, "0", text + after)[len(text) - 1:len(text) + 1]
    return text != "" and after != "" and any(sign in SPACES + FEED for sign in border)


@dataclass(frozen=True)
class Token:
    """Units that stand together, or a passage; a gap, units that both sides deleted, has no text.
    Readings are texts, each with its changes, first the one that is shown. Also a group."""
    units: tuple
    readings: tuple
    kind: str = "text"

    @property
    def text(self):
        return self.readings[0][0]

    @property
    def key(self):
        if self.kind == "passage":
            return self.units[0], self.units[-1], tuple(text for text, _ in self.readings)
        return self.units, self.text == ""

    @property
    def changes(self):
        return frozenset().union(*[changes for _, changes in self.readings])


def joined(tokens):
    return "".join(token.text for token in tokens)


def repeating(one, other):
    """Of two lists of tokens the one that begins or ends with the other; None if neither does."""
    short, long = sorted((one, other), key=len)
    words = [[token.text for token in side] for side in (short, long)]
    return long if words[0] in (words[1][:len(short)], words[1][len(long) - len(short):]) else None


def combined(parts, changes):
    """The readings of parts beside each other: what each shows, by some changes, and each other
    reading in the place of what its part shows."""
    shown = [part[0][0] for part in parts]
    return [("".join(shown), frozenset(changes))] + [
        ("".join(shown[:number]) + text + "".join(shown[number + 1:]), names)
        for number, part in enumerate(parts) for text, names in part[1:]]


class Group:
    """Hunks of both sides, in place of the tokens of the base from start to end."""

    def __init__(self, hunks, is_contested):
        self.hunks = [sorted(set(side), key=lambda hunk: hunk[:2]) for side in hunks]
        self.is_contested, self.result = is_contested, []
        self.start = min(start for side in hunks for start, _, _ in side)
        self.end = max(end for side in hunks for _, end, _ in side)

    def grown(self, hunks, low, high):
        """With all hunks between two places."""
        def is_inside(start, end):
            return low <= start and end <= high and (start < end or low < start < high)
        return Group([own + [hunk for hunk in side if is_inside(*hunk[:2])]
                      for own, side in zip(self.hunks, hunks)], self.is_contested)

    def joined(self, other):
        return Group([a + b for a, b in zip(self.hunks, other.hunks)],
                     self.is_contested or other.is_contested)

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end or any(
            set(own) & set(its) for own, its in zip(self.hunks, other.hunks))


class Union:
    """What two versions show, united; each is its changes and its passages."""

    def __init__(self, text, sides):
        self.text, self.sides = text, sides
        self.common = sides[0][0] & sides[1][0]
        shown = [text.tokens(passages, lambda unit, seen=seen: text.is_live(unit, seen))
                 for seen, passages in sides]
        if joined(shown[0]) == joined(shown[1]):
            self.entries = self.alike(shown)
            return
        passages = {token.units[0]: token for _, own in sides for token in own
                    if all(self.common >> change & 1 for change in token.changes)}
        self.base = text.tokens(passages.values(), lambda unit: text.is_live(
            unit, self.common) and ("gap" if all(
                text.deleted[unit] & seen for seen, _ in sides) else True))
        self.hunks = [self.find_hunks(tokens) for tokens in shown]
        self.groups = []
        for hunk, rival in product(*self.hunks):
            if (is_contested := self.meet(hunk, rival)) is not None:
                self.put(Group([[hunk], [rival]], is_contested))
        for group in self.groups:
            self.decide(group, False)
        self.add_sentences()
        self.entries = self.find_entries()

    def find_hunks(self, tokens):
        places = {token.key: place for place, token in enumerate(self.base)}
        result, start, new = [], 0, ()
        for token in [*tokens, None]:
            place = places.get(token.key, -1) if token else len(self.base)
            if token and place < start:
                new += (token,)
                continue
            if place > start or new:
                result.append((start, place, new))
            start, new = place + 1, ()
        return result

    # ---- Groups

    def starts_line(self, place):
        before = joined(self.base[:place])
        return before == "" or before[-1] == FEED

    def ends_line(self, place):
        after = joined(self.base[place:])
        return after == "" or after[0] == FEED

    def are_apart(self, first, second):
        """Whether two hunks that touch leave each other's words, or lines, whole."""
        (start, end, new), (_, stop, more) = first, second
        text, after = joined(new), joined(more)
        if not self.starts_line(end) and are_parted(text, after) and not repeating(new, more):
            return True
        if self.starts_line(end) and (text[-1:] == FEED or not text and self.starts_line(start)):
            if after[-1:] == FEED or not self.starts_line(stop):
                return after != "" or start < end
            if not after:
                return True
        return self.ends_line(end) and end == stop and after[:1] == FEED and start < end

    def meet(self, one, other):
        """None if two hunks are apart, False if only their raw order is another one, else True."""
        first, second = sorted([one, other], key=lambda hunk: hunk[:2])
        (start, end, _), (begin, stop, _) = first, second
        if end < begin:
            return None
        if begin < min(end, stop) or start == end == begin == stop or (
                begin == stop and start < begin < end) or not self.are_apart(first, second):
            return True
        last, least = ([unit for token in [*self.base[hunk[0]:hunk[1]], *hunk[2]]
                        for unit in token.units] for hunk in (first, second))
        return False if max(last) > min(least) else None

    def put(self, group):
        """Adds a group, as one with those that it shares a token or a hunk with."""
        group = group.grown(self.hunks, group.start, group.end)
        near = [other for other in self.groups if other.overlaps(group)]
        if near:
            self.groups = [other for other in self.groups if other not in near]
            return self.put(reduce(Group.joined, near, group))
        self.groups = sorted([*self.groups, group], key=lambda other: (other.start, other.end))
        return group

    def row(self, hunks, start, end):
        """The tokens between two places, with what hunks show instead, each with its place in the
        base, or None."""
        result = []
        for first, last, new in sorted(hunks, key=lambda hunk: hunk[:2]):
            result += [(self.base[there], there) for there in range(start, first)]
            result += [(token, None) for token in new]
            start = max(start, last)
        return result + [(self.base[there], there) for there in range(start, end)]

    def shown(self, group, side):
        """What a side shows there."""
        return self.row(group.hunks[side], group.start, group.end)

    def decide(self, group, is_whole):
        shown = [self.shown(group, side) for side in (0, 1)]
        tokens = [[token for token, _ in side] for side in shown]
        new = [token for side in shown for token, place in side if place is None]
        is_open = any(len(token.readings) > 1 for token in new)
        if not group.is_contested and not is_whole:
            row = self.row(sum(group.hunks, []), group.start, group.end)
            group.result = [token for token, _ in row]
        elif joined(tokens[0]) == joined(tokens[1]) and not is_open:
            later = [self.text.latest(own) for own in self.writers(self.units(group))]
            group.is_contested, group.result = False, tokens[0 if later[0] < later[1] else 1]
        elif not new and not is_whole and (left := self.left_by_both(group, shown)) is not None:
            group.is_contested, group.result = False, left
        elif group.start == group.end and not is_whole and not is_open:
            group.result = self.both(group.start, *tokens)
            group.is_contested = group.result is None
        else:
            group.is_contested = True

    def left_by_both(self, group, shown):
        """What both sides left; None if that joins tokens that follow each other on neither."""
        kept = [{place for _, place in side} for side in shown]
        left = [place for place in range(group.start, group.end) if place in kept[0] & kept[1]]
        whole = [place for place, token in enumerate(self.base) if token.text]
        row = [*[place for place in whole if place < group.start][-1:], *left,
               *[place for place in whole if place >= group.end][:1]]
        for one, other in zip(row, row[1:]):
            if all(side & {*range(one + 1, other)} for side in kept) and not are_parted(
                    self.base[one].text, self.base[other].text):
                return None
        return [self.base[place] for place in left]

    def both(self, place, *tokens):
        """Two insertions at one place; None if they are not apart."""
        one, other = sorted(tokens, key=lambda side: min(min(token.units) for token in side))
        text, after = joined(one), joined(other)
        is_start = self.starts_line(place) and text[-1:] == after[-1:] == FEED
        if not is_start and not (self.ends_line(place) and text[:1] == after[:1] == FEED):
            if text.strip(SPACES + FEED) == after.strip(SPACES + FEED):
                return None
            if long := repeating(one, other):
                return long
            # Whole lines stand outside of what is added to a line.
            for is_there, ends in ((self.starts_line(place), (text[-1:], after[-1:])),
                                   (self.ends_line(place), (after[:1], text[:1]))):
                if is_there and FEED in ends:
                    return one + other if ends[0] == FEED else other + one
            if are_parted(text, after):
                return one + other
            return other + one if are_parted(after, text) else None
        def lines(side):
            starts = [place for place in range(1, len(side)) if (
                side[place - 1].text[-1:] if is_start else side[place].text[:1]) == FEED]
            return [side[start:end] for start, end in zip([0, *starts], [*starts, len(side)])]

        def common(first, second):
            pairs = enumerate(zip(first, second))
            return next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
        lines = [lines(one), lines(other)]
        names = [[joined(line).strip(SPACES + FEED) or object() for line in side] for side in lines]
        head = common(*names)
        tail = common(*[side[head:][::-1] for side in names])
        middle = sorted(
            (line for side in lines for line in side[head:len(side) - tail]),
            key=lambda line: min(unit for token in line for unit in token.units))
        return sum(lines[0][:head] + middle + lines[1][len(lines[1]) - tail:], [])

    def sentence(self, group):
        """The sentence, or line, that a group stands in, as places of the base."""
        base, low, high = self.base, group.start, group.end
        def ends(place):
            blank = base[place].text
            return blank and not blank.strip(SPACES + FEED) and STOP.search(base[place - 1].text)
        while low and base[low - 1].text[-1:] != FEED and not (low > 1 and ends(low - 1)):
            low -= 1
        while high < len(base) and base[high].text[:1] != FEED and not (
                high > group.end and ends(high)):
            high += 1
        return low, high

    def add_sentences(self):
        """Has each contested group take in all that was changed in its sentence."""
        number = 0
        while number < len(self.groups):
            group = grown = self.groups[number]
            if group.is_contested:
                grown = self.put(group.grown(self.hunks, *self.sentence(group)))
            number = self.groups.index(grown)
            if grown.hunks == group.hunks:
                number += 1
            else:
                self.decide(grown, True)

    # ---- What is shown

    def units(self, group):
        tokens = self.base[group.start:group.end] + [
            token for side in (0, 1) for token, _ in self.shown(group, side)]
        return tuple(unit for token in tokens for unit in token.units)

    def writers(self, units):
        """For each side its last changes among those that touched what lies between some units."""
        touched = 0
        for unit in range(min(units), max(units) + 1):
            touched |= self.text.deleted[unit] | 1 << self.text.inserted[unit]
        return [self.text.heads(touched & seen & ~self.common)
                or self.text.heads(seen & ~self.common) for seen, _ in self.sides]

    def kept(self, *sides):
        """Of the readings that two sides keep, those that neither has settled."""
        return [(text, changes) for side, others in (sides, sides[::-1])
                for text, changes in side
                if not all(self.common >> change & 1 for change in changes)
                or any(changes & by for _, by in others)]

    def find_entries(self):
        """What the union shows, in order: tokens and groups."""
        def entry(group):
            return Token(self.units(group), self.readings(group), "group")
        parts = [(group.start, group.end, (entry(group),)) for group in self.groups]
        for side, own in enumerate(self.hunks):
            parts += set(own).difference(*[group.hunks[side] for group in self.groups])
        return [token for token, _ in self.row(parts, 0, len(self.base))]

    def readings(self, group):
        writers = self.writers(self.units(group))
        if not group.is_contested:
            return combined([token.readings for token in group.result], writers[0] + writers[1])
        found, order = [], []
        for side, own in enumerate(writers):
            shown = self.shown(group, side)
            found.append(combined([token.readings for token, _ in shown], own))
            order.append((REDACTED not in found[-1][0][0],
                          any(place is None for _, place in shown), self.text.latest(own)))
        if order[1] > order[0]:
            found.reverse()
        return [found[0][0], found[1][0]] + self.kept(found[0][1:], found[1][1:])

    def alike(self, shown):
        """The entries of two sides that show the same text."""
        items = [[part for token in tokens for part in ([token] if token.kind == "passage" else [
            Token((unit,), ((sign, frozenset()),))
            for sign, unit in zip(token.text, token.units)])] for tokens in shown]
        result, region, at = [], ([], []), [0, 0]

        def close():
            if region[0] or region[1]:
                units = tuple(unit for side in region for token in side for unit in token.units)
                own = sum(self.writers(units), [])
                readings = [combined([token.readings for token in side], own) for side in region]
                kept = self.kept(readings[0][1:], readings[1][1:])
                result.append(Token(units, (readings[0][0], *kept), "group"))
            for side in region:
                side.clear()
        while items[0] or items[1]:
            heads = [side[0] if side else None for side in items]
            if at[0] == at[1] and None not in heads and heads[0].key == heads[1].key:
                close()
                result.append(heads[0])
                taken = [0, 1]
            else:
                taken = [0 if at[0] < at[1] else 1] if at[0] != at[1] else [
                    side for side in (0, 1) if heads[side] and not heads[side].text] or [0, 1]
                for side in taken:
                    region[side].append(heads[side])
            for side in taken:
                at[side] += len(items[side].pop(0).text)
        close()
        return result

    def passages(self):
        """The passages that what the union shows makes of the raw text."""
        text, seen = self.text, self.sides[0][0] | self.sides[1][0]

        def live(units):
            return [unit for unit in range(min(units), max(units) + 1) if text.is_live(unit, seen)]
        entries = [entry for entry in self.entries if entry.kind != "text" or entry.text]
        place = 0
        while place < len(entries):
            if entries[place].kind != "group" or live(entries[place].units):
                place += 1
                continue
            # Nothing of it stands in the raw text: what is beside it comes along.
            place = max(place - 1, 0)
            pair = entries[place:place + 2]
            readings = [entry.readings for entry in pair]
            entries[place:place + 2] = [] if len(pair) < 2 else [
                Token(pair[0].units + pair[1].units,
                      combined(readings, readings[0][0][1] | readings[1][0][1]), "group")]
        result = []
        for entry in entries:
            if entry.kind != "group":
                result += [entry] if entry.kind == "passage" else []
                continue
            raw, readings = live(entry.units), {}
            for reading, changes in entry.readings:
                readings.setdefault(reading.replace(REDACTED, ""), (reading, changes))
            readings = tuple(readings.values())
            if len(readings) > 1 or readings[0][0] != "".join(text.signs[unit] for unit in raw):
                result.append(Token(tuple(range(raw[0], raw[-1] + 1)), readings, "passage"))
        return result


class Text:
    """The units of a text in order: each with its sign, who inserted it and who deleted it."""

    def __init__(self, log, signs, inserted, deleted):
        self.log, self.signs, self.inserted, self.deleted = log, signs, inserted, deleted
        self.known = {}
        self.every = 0  # all changes that inserted or deleted something
        for unit in range(len(signs)):
            self.every |= 1 << inserted[unit] | deleted[unit]

    def is_live(self, unit, changes):
        return changes >> self.inserted[unit] & 1 and not self.deleted[unit] & changes

    def heads(self, changes):
        every = [number for number in range(changes.bit_length()) if changes >> number & 1]
        return [one for one in every if not any(
            other != one and self.log.changes[other].seen >> one & 1 for other in every)]

    def write_order(self, change):
        change = self.log.changes[change]
        return change.time, change.lamport, change.agent

    def latest(self, changes):
        return max(map(self.write_order, changes))

    def passages(self, changes):
        """What a version shows."""
        if changes not in self.known:
            heads = sorted(self.heads(changes), key=self.write_order)
            if len(heads) == 1:
                self.known[changes] = [
                    token for token in self.passages(changes & ~(1 << heads[0]))
                    if not self.touches(heads[0], token)]
            else:
                seen = [self.log.changes[head].seen & self.every for head in heads]
                sides = [(own, self.passages(own)) for own in seen]
                _, self.known[changes] = reduce(
                    lambda one, other: (one[0] | other[0], Union(self, [one, other]).passages()),
                    sides or [(0, [])])
        return self.known[changes]

    def touches(self, change, token):
        return any(self.deleted[unit] >> change & 1 or self.inserted[unit] == change
                   and token.units[0] < unit < token.units[-1] for unit in token.units)

    def tokens(self, passages, is_shown):
        """The tokens of passages and of the units for which something holds."""
        result, run, kind = [], [], None
        places = {token.units[0]: token for token in passages}

        def close():
            text = "" if kind == "gap" else "".join(self.signs[unit] for unit in run)
            spans = [found.span() for found in TOKEN.finditer(text)] or [(0, len(run))]
            for start, end in spans if run else []:
                result.append(Token(tuple(run[start:end]), ((text[start:end], frozenset()),)))
            run.clear()
        unit = 0
        while unit < len(self.signs):
            if unit in places:
                close()
                result.append(places[unit])
                unit = places[unit].units[-1]
            elif state := is_shown(unit):
                if state != kind:
                    close()
                kind = state
                run.append(unit)
            unit += 1
        close()
        return result


def find(log, nodes, deletions, scalars):
    """The passages of a text.

    nodes: its scalars in order, by the events that inserted them; deletions: the events that
    deleted each; scalars: their signs. Yields where a passage stands in the raw text, the raw text,
    and the readings: each its text and the numbers of its changes, first the one that is shown.
    """
    def change(event):
        return log.event_change[event].number

    text = Text(log, [scalars[event] for event in nodes], [change(event) for event in nodes],
                [sum({1 << change(step) for step in deletions.get(event, [])})
                 for event in nodes])
    for token in text.passages(text.every):
        live = [unit for unit in token.units if text.is_live(unit, text.every)]
        start = sum(bool(text.is_live(unit, text.every)) for unit in range(token.units[0]))
        yield start, "".join(text.signs[unit] for unit in live), [
            (reading.replace(REDACTED, ""), sorted(changes)) for reading, changes in token.readings]
