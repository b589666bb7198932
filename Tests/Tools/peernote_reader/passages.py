"""The passages of a text, found from its whole history; see Passages in peernote(5).

Versions are sets of changes, as bits of an integer. What a version shows is worked out anew for
each, over the whole text, without any of the short cuts that a program would take.
"""

from dataclasses import dataclass

# Scripts that write no spaces between words.
NO_WORDS = [(0x0E00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAD),
            (0x3041, 0x3096), (0x30A1, 0x30FA), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
            (0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0xF900, 0xFAFF), (0x20000, 0x323AF)]
FEED = "\n"
SPACES = "\t\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B)))
DIGIT_SPACES, DIGITS = " \xa0\u2009\u202f", "0123456789"
STOPS, CLOSERS = ".!?\u3002\uff01\uff1f", "\"')]*_\u2019\u201d"
# Stands for a redacted scalar; no scalar that text can hold.
REDACTED = "\udfff"


def is_blank(text):
    return text != "" and all(sign in SPACES + FEED for sign in text)


def is_number_space(text, place):
    """Whether a sign is a space between two digits."""
    return 0 < place < len(text) - 1 and text[place] in DIGIT_SPACES and (
        text[place - 1] in DIGITS and text[place + 1] in DIGITS)


def are_parted(text, after):
    """Whether white space stands at the border of two texts, and not in a number."""
    return text != "" and after != "" and any(
        is_blank((text + after)[place]) and not is_number_space(text + after, place)
        for place in (len(text) - 1, len(text)))


def kinds(text):
    """For each scalar what its token is made of; None for a token by itself."""
    for place, sign in enumerate(text):
        if sign in (FEED, REDACTED) or any(a <= ord(sign) <= z for a, z in NO_WORDS):
            yield None
        else:
            yield sign in SPACES and not is_number_space(text, place)


@dataclass(frozen=True)
class Token:
    """Units that stand together, or a passage; a gap, units that both sides deleted, has no text.
    Readings are texts, each with its changes, first the one that is shown."""
    units: tuple
    readings: tuple
    is_passage: bool = False

    @property
    def text(self):
        return self.readings[0][0]

    @property
    def key(self):
        if self.is_passage:
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
        self.hunks, self.is_contested, self.result = hunks, is_contested, []
        self.start = min(start for side in hunks for start, _, _ in side)
        self.end = max(end for side in hunks for _, end, _ in side)

    def take(self, hunks, low=None, high=None):
        """Takes in all hunks between two places."""
        low, high = self.start if low is None else low, self.end if high is None else high
        def is_inside(start, end):
            return low <= start and end <= high and (start < end or low < start < high)
        self.hunks = [sorted({*own, *(hunk for hunk in side if is_inside(*hunk[:2]))},
                             key=lambda hunk: hunk[:2]) for own, side in zip(self.hunks, hunks)]
        self.start = min(side[0][0] for side in self.hunks)
        self.end = max(self.end, *(side[-1][1] for side in self.hunks))

    def joined(self, other):
        return Group([a + b for a, b in zip(self.hunks, other.hunks)],
                     self.is_contested or other.is_contested)

    def overlaps(self, other):
        return other.start < self.end or any(
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
        self.groups = self.find_groups()
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

    def find_groups(self):
        linked = []  # groups of hunks by side, and whether two of them meet
        for hunk in self.hunks[0]:
            for rival in self.hunks[1]:
                met = self.meet(hunk, rival)
                if met is None:
                    continue
                with_them = [group for group in linked if hunk in group[0] or rival in group[1]]
                linked = [group for group in linked if group not in with_them] + [(
                    {hunk}.union(*[group[0] for group in with_them]),
                    {rival}.union(*[group[1] for group in with_them]),
                    met or any(group[2] for group in with_them))]
        result = []
        for group in sorted((Group([*map(list, sides)], met) for *sides, met in linked),
                            key=lambda group: (group.start, group.end)):
            if result and group.start < result[-1].end:
                group = result.pop().joined(group)
            result.append(group)
        for group in result:
            group.take(self.hunks)
        return result

    def shown(self, group, side):
        """What a side shows there: tokens, each with its place in the base, or None."""
        result, place = [], group.start
        for start, end, new in group.hunks[side]:
            result += [(self.base[there], there) for there in range(place, start)]
            result += [(token, None) for token in new]
            place = max(place, end)
        return result + [(self.base[there], there) for there in range(place, group.end)]

    def decide(self, group, is_whole):
        shown = [self.shown(group, side) for side in (0, 1)]
        tokens = [[token for token, _ in side] for side in shown]
        new = [token for side in shown for token, place in side if place is None]
        is_open = any(len(token.readings) > 1 for token in new)
        if not group.is_contested and not is_whole:
            group.result, place = [], group.start
            for start, end, more in sorted(sum(group.hunks, []), key=lambda hunk: hunk[:2]):
                group.result += [*self.base[place:start], *more]
                place = max(place, end)
            group.result += self.base[place:group.end]
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
        lines = []
        for side in (one, other):
            lines.append([[]])
            for token in side:
                if not is_start and token.text[:1] == FEED:
                    lines[-1].append([])
                lines[-1][-1].append(token)
                if is_start and token.text[-1:] == FEED:
                    lines[-1].append([])
            lines[-1] = [line for line in lines[-1] if line]
        names = [[joined(line).strip(SPACES + FEED) or object() for line in side] for side in lines]
        least = min(map(len, names))
        head = next((n for n in range(least) if names[0][n] != names[1][n]), least)
        tail = next((n for n in range(least - head) if names[0][-1 - n] != names[1][-1 - n]),
                    least - head)
        middle = sorted(
            (line for side in lines for line in side[head:len(side) - tail]),
            key=lambda line: min(unit for token in line for unit in token.units))
        return sum(lines[0][:head] + middle + lines[1][len(lines[1]) - tail:], [])

    def add_sentences(self):
        """Has each contested group take in all that was changed in its sentence."""
        def ends(place):
            return is_blank(self.base[place].text) and (
                self.base[place - 1].text.rstrip(CLOSERS)[-1:] or " ") in STOPS
        base, groups, number = self.base, self.groups, 0
        while number < len(groups):
            group = groups[number]
            low, high, before = group.start, group.end, (group.start, group.end, group.hunks)
            if group.is_contested:
                while low and base[low - 1].text[-1:] != FEED and not (low > 1 and ends(low - 1)):
                    low -= 1
                while high < len(base) and base[high].text[:1] != FEED and not (
                        high > group.end and ends(high)):
                    high += 1
                group.take(self.hunks, low, high)
                group.take(self.hunks)
                while number and groups[number - 1].overlaps(group):
                    number -= 1
                    group = groups[number].joined(group)
                    groups[number:number + 2] = [group]
                    group.take(self.hunks)
                while number + 1 < len(groups) and group.overlaps(groups[number + 1]):
                    group = group.joined(groups[number + 1])
                    groups[number:number + 2] = [group]
                    group.take(self.hunks)
            if (group.start, group.end, group.hunks) == before:
                number += 1
            else:
                self.decide(group, True)

    # ---- What is shown

    def units(self, group):
        tokens = self.base[group.start:group.end] + [
            token for side in (0, 1) for token, _ in self.shown(group, side)]
        return [unit for token in tokens for unit in token.units]

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
        """What the union shows, in order: units with their readings, and tokens."""
        used = [sum((group.hunks[side] for group in self.groups), []) for side in (0, 1)]
        parts = [(group.start, group.end, group) for group in self.groups]
        parts += [hunk for side in (0, 1) for hunk in self.hunks[side] if hunk not in used[side]]
        result, place = [], 0
        for start, end, part in sorted(parts, key=lambda part: part[:2]):
            result += self.base[place:start]
            if isinstance(part, Group):
                result.append((self.units(part), self.readings(part)))
            else:
                result += part
            place = max(place, end)
        return result + self.base[place:]

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
        items = [[part for token in tokens for part in ([token] if token.is_passage else [
            Token((unit,), ((sign, frozenset()),))
            for sign, unit in zip(token.text, token.units)])] for tokens in shown]
        result, region, at = [], ([], []), [0, 0]

        def close():
            if region[0] or region[1]:
                units = [unit for side in region for token in side for unit in token.units]
                own = sum(self.writers(units), [])
                readings = [combined([token.readings for token in side], own) for side in region]
                result.append(
                    (units, readings[0][:1] + self.kept(readings[0][1:], readings[1][1:])))
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
        entries = [entry for entry in self.entries
                   if not isinstance(entry, Token) or entry.is_passage or entry.text]
        place = 0
        while place < len(entries):
            if isinstance(entries[place], Token) or live(entries[place][0]):
                place += 1
                continue
            # Nothing of it stands in the raw text: what is beside it comes along.
            place = max(place - 1, 0)
            pair = [(entry.units, entry.readings) if isinstance(entry, Token) else entry
                    for entry in entries[place:place + 2]]
            entries[place:place + 2] = [] if len(pair) < 2 else [(
                [*pair[0][0], *pair[1][0]], combined(
                    [readings for _, readings in pair],
                    pair[0][1][0][1] | pair[1][1][0][1]))]
        result = []
        for entry in entries:
            if isinstance(entry, Token):
                result += [entry] if entry.is_passage else []
                continue
            raw, readings = live(entry[0]), {}
            for reading, changes in entry[1]:
                readings.setdefault(reading.replace(REDACTED, ""), (reading, changes))
            readings = tuple(readings.values())
            if len(readings) > 1 or readings[0][0] != "".join(text.signs[unit] for unit in raw):
                result.append(Token(tuple(range(raw[0], raw[-1] + 1)), readings, True))
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
                return self.known[changes]
            seen, result = 0, []
            for head in heads:
                own = self.log.changes[head].seen & self.every
                if seen | own != own:
                    result = Union(self, [(seen, result), (own, self.passages(own))]).passages()
                else:
                    result = self.passages(own)
                seen |= own
            self.known[changes] = result
        return self.known[changes]

    def touches(self, change, token):
        return any(self.deleted[unit] >> change & 1 or self.inserted[unit] == change
                   and token.units[0] < unit < token.units[-1] for unit in token.units)

    def tokens(self, passages, is_shown):
        """The tokens of passages and of the units for which something holds."""
        result, run = [], []
        places = {token.units[0]: token for token in passages}

        def close():
            text = "".join(self.signs[unit] for unit in run)
            own, start = list(kinds(text)), 0
            for end in range(1, len(text) + 1):
                if end == len(text) or own[end] is None or own[end] != own[end - 1]:
                    result.append(Token(tuple(run[start:end]), ((text[start:end], frozenset()),)))
                    start = end
            run.clear()
        unit = 0
        while unit < len(self.signs):
            state = unit in places or is_shown(unit)
            if unit in places:
                close()
                result.append(places[unit])
                unit = places[unit].units[-1]
            elif state == "gap":
                last = result[-1:] if not run else []
                close()
                if last and last[0].text == "" and not last[0].is_passage:
                    result[-1] = Token((*last[0].units, unit), last[0].readings)
                else:
                    result.append(Token((unit,), (("", frozenset()),)))
            elif state:
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
