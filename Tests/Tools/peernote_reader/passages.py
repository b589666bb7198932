"""The passages of a text, found from its whole history; see Passages in peernote(5).

A version is the set of the changes that it holds. What it shows is worked out without short cuts.
"""

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import reduce
from itertools import chain, combinations, groupby

FEED = "\n"
SPACES = "\t\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B)))
WHITE = SPACES + FEED
# Stand for a redacted scalar, and for one that both sides deleted; no scalars that text can hold.
REDACTED, GONE = "\udfff", "\udffe"
# Tokens by themselves; the ranges are scripts that write no spaces between words.
ALONE = (FEED + REDACTED + "\u0e00-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad\u3041-\u3096"
         "\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaadf\uf900-\ufaff"
         "\U00020000-\U000323af")
NUMBER_SPACE = "(?<=[0-9])[ \xa0\u2009\u202f](?=[0-9])"
TOKEN = f"[{ALONE}]|{GONE}+|[{SPACES}]+|(?:[^{ALONE}{GONE}{SPACES}]|{NUMBER_SPACE})+"
STOP = re.compile("[.!?\u3002\uff01\uff1f][\"')\\]*_\u2019\u201d]*\\Z")
flat = chain.from_iterable


@dataclass(frozen=True)
class Token:
    """Units that stand together, a passage, or a group; a gap, units that both sides deleted, has
    no text. There are several texts if it is contested, first the one that is shown."""
    units: tuple
    texts: tuple
    changes: tuple = field(default=(frozenset(),), compare=False)  # by whom each text is
    kind: str = "text"

    @property
    def text(self):
        return self.texts[0]


def joined(tokens):
    return "".join(token.text for token in tokens)


def units_of(tokens):
    return tuple(unit for token in tokens for unit in token.units)


def are_parted(text, after):
    """Whether white space stands at the border of two texts, and not in a number."""
    border = re.sub(NUMBER_SPACE, "0", text + after)[len(text) - 1:len(text) + 1]
    return text != "" and after != "" and any(sign in WHITE for sign in border)


def repeating(one, other):
    """Of two lists of tokens the one that begins or ends with the other; None if neither does."""
    short, long = sorted((one, other), key=len)
    words = [[token.text for token in side] for side in (short, long)]
    return long if words[0] in (words[1][:len(short)], words[1][len(long) - len(short):]) else None


def lines_of(tokens, is_feed_last):
    """Tokens in lines, each with its line feed at its end or at its start."""
    starts = [place for place in range(1, len(tokens)) if FEED == (
        tokens[place - 1].text[-1:] if is_feed_last else tokens[place].text[:1])]
    return [tokens[start:end] for start, end in zip([0, *starts], [*starts, None])]


def in_lines(one, other):
    """The lines of two insertions, those that both begin or end with once."""
    names = [[joined(line).strip(WHITE) for line in side] for side in (one, other)]
    if one and other and names[0][0] == names[1][0] != "":
        return one[0] + in_lines(one[1:], other[1:])
    if one and other and names[0][-1] == names[1][-1] != "":
        return in_lines(one[:-1], other[:-1]) + other[-1]
    return [*flat(sorted(one + other, key=units_of))]


def scalars_of(tokens):
    """Scalars and passages, each with how much text, and how many without any, come before."""
    offset = empty = 0
    for unit in flat((token,) if token.kind == "passage" else token.units for token in tokens):
        token = unit if isinstance(unit, Token) else Token((unit,), (unit.sign,))
        empty = 0 if token.text else empty + 1
        yield offset, empty, token
        offset += len(token.text)


def combined(tokens, changes):
    """The readings of tokens in a row: what they show, by some changes, and each other reading in
    the place of what its token shows."""
    shown = [token.text for token in tokens]
    return [("".join(shown), frozenset(changes)), *[
        ("".join([*shown[:place], text, *shown[place + 1:]]), own)
        for place, token in enumerate(tokens)
        for text, own in zip(token.texts[1:], token.changes[1:])]]


def hull(*parts):
    return min(low for low, *_ in parts), max(high for _, high, *_ in parts)


class Union:
    """What two versions show, united; each is its changes and its passages.

    What the sides show are rows: at 2n + 1 is what stands in place of token n of the base, and at
    2n what stands before that. Hunks and groups are parts of the rows, from low to high; a hunk
    without tokens of the base is at an even place.
    """

    def __init__(self, text, *sides):
        self.text, self.sides = text, sides
        (one, found), (other, more) = sides
        self.version, self.common = one | other, one & other
        shown = [tokens_of(text, *side) for side in sides]
        self.base, self.hunks, self.groups = [], [], {}
        if joined(shown[0]) == joined(shown[1]):
            self.rows, self.merged, self.groups = [[row] for row in shown], [[]], {(0, 1): "same"}
            return
        passages = [token for token in found + more
                    if self.common.issuperset(flat(token.changes))]
        self.base = tokens_of(text, self.common, passages, is_gap=lambda unit: (
            unit.deleted & one and unit.deleted & other))
        self.rows = [self.row(side, shown[side]) for side in (0, 1)]
        self.hunks.sort()
        # What is shown outside of groups.
        self.merged = [*self.rows[0]]
        for low, high, side in self.hunks:
            self.merged[low:high] = self.rows[side][low:high]
        for a, b in combinations(self.hunks, 2):
            if self.meet(a, b) or self.cross(a, b):
                self.put(hull(a, b))
        self.add_sentences()

    def row(self, side, tokens):
        """What a side shows, beside the base; where that is something else is a hunk."""
        row = [[] for _ in range(2 * len(self.base) + 1)]
        blocks = SequenceMatcher(None, self.base, tokens, False).get_opcodes()
        for kind, start, end, first, last in blocks:
            low, high = (2 * start + 1, 2 * end) if start < end else (2 * start, 2 * start + 1)
            if kind == "equal":
                row[low:high:2] = [[token] for token in tokens[first:last]]
            else:
                row[low] = tokens[first:last]
                self.hunks.append((low, high, side))
        return row

    def starts_line(self, place):
        return joined(self.base[:place // 2])[-1:] in ("", FEED)

    def ends_line(self, place):
        return joined(self.base[place // 2:])[:1] in ("", FEED)

    def meet(self, a, b):
        """Whether two hunks share something, or touch and do not leave words or lines whole."""
        (low, end, side), (start, high, rival) = a, b
        if start < end or start // 2 != end // 2:
            return start < end
        one, other = self.rows[side][low], self.rows[rival][start]
        if one and other and repeating(one, other):
            return True
        text, after = joined(one), joined(other)
        starts = self.starts_line(end)
        if not starts and are_parted(text, after):
            return False
        if starts and (text[-1:] == FEED or not text and self.starts_line(low)):
            if after[-1:] == FEED or not self.starts_line(high):
                return after == "" and low % 2 == 0
            if not after:
                return False
        return not self.ends_line(end) or start % 2 == 1 or after[:1] != FEED

    def cross(self, a, b):
        """Whether two hunks touch, but stand in the raw text in the other order."""
        return a[1] // 2 == b[0] // 2 and max(self.units(*a[:2])) > min(self.units(*b[:2]))

    def put(self, group, is_whole=False):
        """Adds a group, as one with those that it overlaps."""
        near = [other for other in self.groups if group[0] < other[1] and other[0] < group[1]]
        for other in near:
            del self.groups[other]
        group = hull(group, *near)
        self.groups[group] = self.decide(*group, is_whole)

    def shown(self, low, high):
        """What either side shows in a part."""
        return [[*flat(row[low:high])] for row in self.rows]

    def units(self, low, high):
        return units_of([*self.base[low // 2:high // 2], *flat(self.shown(low, high))])

    def decide(self, low, high, is_whole):
        """What it shows: tokens, "same", None if contested; is_whole with its sentence taken in."""
        hunks = [hunk for hunk in self.hunks if low <= hunk[0] and hunk[1] <= high]
        if not any(self.meet(a, b) for a, b in combinations(hunks, 2)):
            return [*flat(self.merged[low:high])]
        one, other = self.shown(low, high)
        if is_whole or joined(one) == joined(other):
            return "same" if joined(one) == joined(other) else None
        new = {*one, *other}.difference(self.base)
        if not new:
            return self.left_by_both(low, high)
        is_open = any(len(token.texts) > 1 for token in new)
        return self.both(low, one, other) if low // 2 == high // 2 and not is_open else None

    def left_by_both(self, low, high):
        """What both sides left; None if that joins tokens that follow each other on neither."""
        one, other = self.shown(low, high)
        left = [token for token in one if token in other]
        before, after = [[token for token in part if token.text]
                         for part in (self.base[:low // 2], self.base[high // 2:])]
        new, *known = [set(zip(row, row[1:])) for row in [
            before + row + after for row in (left, one, other)]]
        return left if all(are_parted(a.text, b.text) for a, b in new.difference(*known)) else None

    def both(self, place, *sides):
        """Two insertions at one place; None if they are not apart."""
        one, other = sorted(sides, key=units_of)
        a, b = joined(one), joined(other)
        starts, ends = self.starts_line(place), self.ends_line(place)
        if starts and a[-1:] == b[-1:] == FEED:
            return in_lines(lines_of(one, True), lines_of(other, True))
        if ends and a[:1] == b[:1] == FEED:
            return in_lines(lines_of(one, False), lines_of(other, False))
        if a.strip(WHITE) == b.strip(WHITE):
            return None
        rows = [
            # Whole lines stand outside of what is added to a line.
            (starts and a[-1:] == FEED, one + other), (starts and b[-1:] == FEED, other + one),
            (ends and a[:1] == FEED, other + one), (ends and b[:1] == FEED, one + other),
            (are_parted(a, b), one + other), (are_parted(b, a), other + one)]
        return repeating(one, other) or next((row for is_so, row in rows if is_so), None)

    def sentence(self, low, high):
        """The sentence, or line, around a part."""
        texts = [FEED, *[token.text for token in self.base], FEED]
        def is_stop(place):
            return texts[place].strip(WHITE) == "" != texts[place] and STOP.search(texts[place - 1])
        start, end = low // 2, high // 2 + 1
        while texts[start][-1:] != FEED and not is_stop(start):
            start -= 1
        while texts[end][:1] != FEED and (end == high // 2 + 1 or not is_stop(end)):
            end += 1
        return 2 * start, 2 * end - 2

    def add_sentences(self):
        """Has each contested group take in all that was changed in its sentence."""
        for group in sorted(group for group in self.groups if self.groups[group] is None):
            low, high = self.sentence(*group)
            grown = hull(group, *[hunk for hunk in self.hunks if low < hunk[0] and hunk[1] <= high])
            if grown != group:
                self.put(grown, is_whole=True)
                return self.add_sentences()

    def writers(self, units):
        """For each side its last changes among those that touched what lies between some units."""
        touched = self.text.touched(units)
        return [self.text.last(touched & own) or self.text.last(own)
                for own in (version - self.common for version, _ in self.sides)]

    def group(self, units, readings):
        """A group as a token of what is live of it."""
        live = (unit for unit in self.text.between(units) if unit.is_live(self.version))
        return Token(tuple(live), *zip(*readings), "group")

    def entries(self, low, high):
        """What a group shows, with its readings."""
        rows, result = self.shown(low, high), self.groups[low, high]
        if result == "same":
            return self.same(*rows)
        writers = self.writers(units := self.units(low, high))
        if result is not None:
            return [self.group(units, combined(result, frozenset.union(*writers)))]
        sides = sorted(zip(rows, writers), reverse=True, key=lambda side: (
            REDACTED not in joined(side[0]), not {*side[0]}.issubset(self.base), max(side[1])))
        sides = [combined(*side) for side in sides]
        return [self.group(units, [sides[0][0], sides[1][0], *self.open(sides)])]

    def open(self, sides):
        """Of the other readings of both sides those that neither has settled."""
        return [(text, changes) for side, rival in (sides, sides[::-1])
                for text, changes in side[1:]
                if not changes <= self.common or any(changes & by for _, by in rival[1:])]

    def same(self, *rows):
        """What rows show that show the same text, scalar by scalar."""
        one, other = ([*scalars_of(row)] for row in rows)
        for kind, a, b, c, d in SequenceMatcher(None, one, other, False).get_opcodes():
            sides = [[token for *_, token in part] for part in (one[a:b], other[c:d])]
            if kind == "equal":
                yield from sides[0]
                continue
            everyone = frozenset.union(*self.writers(units := units_of(flat(sides))))
            sides = [combined(side, everyone) for side in sides]
            yield self.group(units, [sides[0][0], *self.open(sides)])

    def passages(self):
        """The passages that what the union shows makes of the raw text."""
        rows, entries = self.merged, []
        for group in sorted(self.groups, reverse=True):
            rows[slice(*group)] = [self.entries(*group)]
        for entry in flat(rows):
            # Of a group with nothing in the raw text, what is beside it comes along.
            if entries and not (entries[-1].units and entry.units):
                last = entries.pop()
                readings = combined([last, entry], last.changes[0] | entry.changes[0])
                entry = self.group(last.units + entry.units, readings)
            entries.append(entry)
        for entry in entries:
            readings = {}
            for text, changes in zip(entry.texts, entry.changes):
                readings.setdefault(text.replace(REDACTED, ""), (text, changes))
            raw = "".join(unit.sign for unit in entry.units)
            if entry.kind == "passage":
                yield entry
            elif entry.kind == "group" and raw and (len(readings) > 1 or entry.text != raw):
                yield Token(self.text.between(entry.units), *zip(*readings.values()), "passage")


def tokens_of(text, version, passages, is_gap=lambda unit: False):
    """What is live in a version, with some passages, cut into tokens."""
    starts, inside = {token.units[0]: token for token in passages}, {}
    for start in sorted(starts):
        if start not in inside:
            inside.update(dict.fromkeys(starts[start].units, starts[start]))
    shown = [unit for unit in text.units if unit in inside or unit.is_live(version)]
    result = []
    for passage, units in groupby(shown, inside.get):
        units = tuple(units)
        signs = "".join(GONE if is_gap(unit) else unit.sign for unit in units)
        result += [passage] if passage else [
            Token(units[found.start():found.end()], (found[0].strip(GONE),))
            for found in re.finditer(TOKEN, signs)]
    return result


def find(text, version, known):
    """The passages of a version of a text; known: those of other versions."""
    if version and version not in known:
        first, *others = sorted(text.last(version))
        if others:
            seen = [text.seen[change] | {change} for change in (first, *others)]
            _, known[version] = reduce(
                lambda one, other: (one[0] | other[0], [*Union(text, one, other).passages()]),
                [(own, find(text, own, known)) for own in seen])
        else:
            known[version] = [token for token in find(text, version - {first}, known)
                              if first not in text.touched(token.units)]
    return known.get(version, [])
