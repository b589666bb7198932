"""The passages of a text, found from its whole history; see Passages in peernote(5).

Versions are sets of changes, as bits of an integer. What a version shows is worked out anew for
each, over the whole text, without any of the short cuts that a program would take.
"""

# Scripts that write no spaces between words.
NO_WORDS = [(0x0E00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAD),
            (0x3041, 0x3096), (0x30A1, 0x30FA), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
            (0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0xF900, 0xFAFF), (0x20000, 0x323AF)]
LINE_FEED = "\n"
SPACES = "\t\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B)))
DIGIT_SPACES = " \xa0\u2009\u202f"
DIGITS = "0123456789"
STOPS = ".!?\u3002\uff01\uff1f"
CLOSERS = "\"')]*_\u2019\u201d"
# Stands for a redacted scalar; no scalar that text can hold.
REDACTED = "\udfff"


def bits(version):
    return [number for number in range(version.bit_length()) if version >> number & 1]


def is_blank(text):
    return text != "" and all(sign in SPACES + LINE_FEED for sign in text)


def ends_sentence(text):
    return text.rstrip(CLOSERS)[-1:] in tuple(STOPS)


def token_kinds(text):
    """For each scalar what its token is made of; None for a token by itself."""
    for place, sign in enumerate(text):
        if sign in (LINE_FEED, REDACTED) or any(a <= ord(sign) <= z for a, z in NO_WORDS):
            yield None
        elif sign in SPACES and not (
                sign in DIGIT_SPACES and 0 < place < len(text) - 1
                and text[place - 1] in DIGITS and text[place + 1] in DIGITS):
            yield "space"
        else:
            yield "word"


class Passage:
    """Stands for the raw text from one unit to another; readings: texts, each with its changes,
    first the one that is shown."""

    def __init__(self, low, high, readings):
        self.low, self.high, self.readings = low, high, readings
        self.key = (low, high, tuple(text for text, _ in readings))

    @property
    def changes(self):
        return frozenset().union(*[changes for _, changes in self.readings])


class Token:
    """Units that stand together in a text, or a passage, or a gap: units that both deleted."""

    def __init__(self, text, units, passage=None):
        self.text, self.units, self.passage = text, units, passage
        self.key = passage.key if passage else (text == "",) + tuple(units)

    @property
    def readings(self):
        return self.passage.readings if self.passage else [(self.text, frozenset())]


class Group:
    """Hunks of both sides that belong together, in place of the tokens from start to end."""

    def __init__(self, hunks, is_contested):
        self.hunks, self.is_contested = hunks, is_contested
        self.start = min(start for side in hunks for start, _, _ in side)
        self.end = max(end for side in hunks for _, end, _ in side)
        self.sides = self.result = None

    def take(self, hunks):
        """Takes in all that either side changed in it."""
        self.hunks = [sorted(set(own) | {
            (start, end, new) for start, end, new in side if self.start <= start and end <= self.end
            and (start < end or self.start < start < self.end)}, key=lambda hunk: hunk[:2])
            for own, side in zip(self.hunks, hunks)]


class Version:
    def __init__(self, changes, passages):
        self.changes, self.passages = changes, passages


class Text:
    """The units of a text in order: each with its sign, who inserted it and who deleted it."""

    def __init__(self, log, signs, inserted, deleted):
        self.log, self.signs, self.inserted, self.deleted = log, signs, inserted, deleted
        self.known = {}
        self.every = 0  # all changes that inserted or deleted something
        for unit in range(len(signs)):
            self.every |= 1 << inserted[unit] | deleted[unit]

    def seen(self, change):
        return self.log.changes[change].seen & self.every

    def is_live(self, unit, changes):
        return changes >> self.inserted[unit] & 1 and not self.deleted[unit] & changes

    def heads(self, changes):
        every = bits(changes)
        return [one for one in every if not any(
            other != one and self.log.changes[other].seen >> one & 1 for other in every)]

    def write_order(self, change):
        change = self.log.changes[change]
        return change.time, change.lamport, change.agent

    # ---- What a version shows

    def version(self, changes):
        if changes not in self.known:
            self.known[changes] = self.find(changes)
        return self.known[changes]

    def find(self, changes):
        heads = sorted(self.heads(changes), key=self.write_order)
        if not heads:
            return Version(changes, [])
        if len(heads) == 1:
            before = self.version(changes & ~(1 << heads[0]))
            return Version(changes, [passage for passage in before.passages
                                     if not self.touches(heads[0], passage)])
        result = self.version(self.seen(heads[0]))
        for head in heads[1:]:
            result = self.unite(result, self.version(self.seen(head)))
        return result

    def touches(self, change, passage):
        return any(self.deleted[unit] >> change & 1 or self.inserted[unit] == change
                   and passage.low < unit < passage.high
                   for unit in range(passage.low, passage.high + 1))

    def shown(self, version, is_shown=None, passages=None):
        """The tokens of a version; or of its passages and units for which something holds."""
        items, run = [], []
        places = {passage.low: passage for passage in (
            version.passages if passages is None else passages)}
        is_shown = is_shown or (lambda unit: self.is_live(unit, version.changes))

        def close():
            text = "".join(self.signs[unit] for unit in run)
            start = 0
            kinds = list(token_kinds(text))
            for end in range(1, len(text) + 1):
                if end == len(text) or kinds[end] is None or kinds[end] != kinds[end - 1]:
                    items.append(Token(text[start:end], run[start:end]))
                    start = end
            run.clear()

        unit = 0
        while unit < len(self.signs):
            if unit in places:
                close()
                passage = places[unit]
                span = range(passage.low, passage.high + 1)
                items.append(Token(passage.readings[0][0], list(span), passage))
                unit = passage.high
            elif is_shown(unit) == "gap":
                if not run and items and items[-1].text == "" and not items[-1].passage:
                    items[-1] = Token("", items[-1].units + [unit])
                else:
                    close()
                    items.append(Token("", [unit]))
            elif is_shown(unit):
                run.append(unit)
            unit += 1
        close()
        return items

    def base(self, sides):
        both = sides[0].changes & sides[1].changes
        passages = {passage.low: passage for side in sides for passage in side.passages
                    if all(both >> change & 1 for change in passage.changes)}

        def is_shown(unit):
            if not self.is_live(unit, both):
                return False
            return "gap" if all(self.deleted[unit] & side.changes for side in sides) else True
        return self.shown(None, is_shown, passages.values())

    # ---- The union of two versions

    def unite(self, one, other):
        changes = one.changes | other.changes
        if changes in (one.changes, other.changes):
            return one if changes == one.changes else other
        sides = [one, other]
        shown = [self.shown(side) for side in sides]
        texts = ["".join(token.text for token in tokens) for tokens in shown]
        if texts[0] == texts[1]:
            entries = self.alike(shown, sides)
        else:
            base = self.base(sides)
            hunks = [self.hunks(base, tokens) for tokens in shown]
            groups = self.groups(base, hunks)
            for group in groups:
                self.decide(base, group, sides, False)
            groups = self.sentences(base, hunks, groups, sides)
            entries = self.entries(base, hunks, groups, sides)
        return Version(changes, self.passages(changes, entries))

    @staticmethod
    def hunks(base, tokens):
        places = {token.key: place for place, token in enumerate(base)}
        result, start, new = [], 0, []
        for token in tokens + [None]:
            place = len(base) if token is None else places.get(token.key, -1)
            if token is not None and place < start:
                new.append(token)
                continue
            if place > start or new:
                result.append((start, place, tuple(new)))
            start, new = place + 1, []
        return result

    @staticmethod
    def starts_line(base, place):
        while place and base[place - 1].text == "":
            place -= 1
        return place == 0 or base[place - 1].text[-1] == LINE_FEED

    @staticmethod
    def ends_line(base, place):
        while place < len(base) and base[place].text == "":
            place += 1
        return place == len(base) or base[place].text[0] == LINE_FEED

    def are_apart(self, base, first, second):
        """Whether two hunks that touch leave each other's lines whole."""
        (start, end, new), (_, stop, more) = first, second
        text, after = ("".join(token.text for token in tokens) for tokens in (new, more))
        if self.starts_line(base, end) and (
                text[-1:] == LINE_FEED or not text and self.starts_line(base, start)):
            if after[-1:] == LINE_FEED or not self.starts_line(base, stop):
                return after != "" or start < end
            if not after:
                return True
        return (self.ends_line(base, end) and end == stop and after[:1] == LINE_FEED
                and start < end)

    def meet(self, base, one, other):
        """None if two hunks stand apart, False if only their raw order is another one, else True."""
        first, second = sorted([one, other], key=lambda hunk: hunk[:2])
        (start, end, _), (begin, stop, _) = first, second
        if end < begin:
            return None
        if begin < min(end, stop) or start == end == begin == stop or (
                begin == stop and start < begin < end):
            return True
        if not self.are_apart(base, first, second):
            return True
        last, least = ([unit for token in [*base[hunk[0]:hunk[1]], *hunk[2]]
                        for unit in token.units] for hunk in (first, second))
        return False if max(last) > min(least) else None

    def groups(self, base, hunks):
        every = [(side, hunk) for side in (0, 1) for hunk in hunks[side]]
        leader = {each: each for each in range(len(every))}
        hard = set()

        def root(each):
            while leader[each] != each:
                each = leader[each]
            return each
        for here, (side, hunk) in enumerate(every):
            for there, (across, rival) in enumerate(every):
                if side == 0 and across == 1:
                    met = self.meet(base, hunk, rival)
                    if met is not None:
                        leader[root(here)] = root(there)
                    if met:
                        hard.add(here)
        sets = {}
        for each in leader:
            sets.setdefault(root(each), []).append(each)
        found = []
        for members in sets.values():
            own = [[every[each][1] for each in members if every[each][0] == side]
                   for side in (0, 1)]
            if own[0] and own[1]:
                found.append(Group(own, any(each in hard for each in members)))
        result = []
        for group in sorted(found, key=lambda group: (group.start, group.end)):
            if result and group.start < result[-1].end:
                group = self.joined(result.pop(), group)
            result.append(group)
        for group in result:
            group.take(hunks)
        return result

    @staticmethod
    def joined(one, other):
        return Group([a + b for a, b in zip(one.hunks, other.hunks)],
                     one.is_contested or other.is_contested)

    # ---- What a group shows

    @staticmethod
    def side(base, group, hunks):
        """What a side shows there: tokens with their places in the base, or None."""
        result, place = [], group.start
        for start, end, new in hunks:
            result += [(base[there], there) for there in range(place, start)]
            result += [(token, None) for token in new]
            place = max(place, end)
        return result + [(base[there], there) for there in range(place, group.end)]

    def decide(self, base, group, sides, is_whole):
        group.sides = [self.side(base, group, hunks) for hunks in group.hunks]
        tokens = [[token for token, _ in side] for side in group.sides]
        texts = ["".join(token.text for token in side) for side in tokens]
        new = [token for side in group.sides for token, place in side if place is None]
        is_open = any(len(token.readings) > 1 for token in new)
        later = self.lateness(base, group, sides)
        if not group.is_contested and not is_whole:
            group.result, place = [], group.start
            for start, end, new in sorted(group.hunks[0] + group.hunks[1],
                                          key=lambda hunk: hunk[:2]):
                group.result += base[place:start] + list(new)
                place = max(place, end)
            group.result += base[place:group.end]
        elif texts[0] == texts[1] and not is_open:
            group.is_contested = False
            group.result = tokens[0 if later[0] < later[1] else 1]
        elif not new and not is_whole:
            group.is_contested = False
            kept = {place for _, place in group.sides[1]}
            group.result = [token for token, place in group.sides[0] if place in kept]
        elif group.start == group.end and not is_whole and not is_open:
            group.result = self.both(base, group.start, *tokens)
            group.is_contested = group.result is None
        else:
            group.is_contested = True
        if group.is_contested:
            group.result = tokens[self.first(group, later)]

    def both(self, base, place, one, other):
        """Two insertions at one place; None if they are not apart."""
        def least(tokens):
            return min(unit for token in tokens for unit in token.units)
        if least(other) < least(one):
            one, other = other, one
        text, after = ("".join(token.text for token in tokens) for tokens in (one, other))
        if self.starts_line(base, place) and text[-1] == after[-1] == LINE_FEED:
            lines = [self.lines(tokens, True) for tokens in (one, other)]
        elif self.ends_line(base, place) and text[0] == after[0] == LINE_FEED:
            lines = [self.lines(tokens, False) for tokens in (one, other)]
        else:
            if text.strip(SPACES + LINE_FEED) == after.strip(SPACES + LINE_FEED):
                return None
            if is_blank(text[-1]) or is_blank(after[0]):
                return one + other
            return other + one if is_blank(after[-1]) or is_blank(text[0]) else None
        names = [["".join(token.text for token in line).strip(SPACES + LINE_FEED) or object()
                  for line in side] for side in lines]
        shortest = min(map(len, names))
        head = next((n for n in range(shortest) if names[0][n] != names[1][n]), shortest)
        tail = next((n for n in range(shortest - head)
                     if names[0][-1 - n] != names[1][-1 - n]), shortest - head)
        kept = lines[0][:len(lines[0]) - tail] + lines[1][head:]
        return [token for line in kept for token in line]

    @staticmethod
    def lines(tokens, is_at_end):
        result = [[]]
        for token in tokens:
            if not is_at_end and token.text[:1] == LINE_FEED and result[-1]:
                result.append([])
            result[-1].append(token)
            if is_at_end and token.text[-1:] == LINE_FEED:
                result.append([])
        return [line for line in result if line]

    def writers(self, units, sides):
        """For each side its last changes among those that touched what lies between some units."""
        touched = 0
        for unit in range(min(units), max(units) + 1):
            touched |= self.deleted[unit] | 1 << self.inserted[unit]
        both = sides[0].changes & sides[1].changes
        return [self.heads(touched & side.changes & ~both) or self.heads(side.changes & ~both)
                for side in sides]

    @staticmethod
    def units(base, group):
        tokens = base[group.start:group.end] + [token for side in group.sides for token, _ in side]
        return [unit for token in tokens for unit in token.units]

    def lateness(self, base, group, sides):
        return [max(map(self.write_order, writers))
                for writers in self.writers(self.units(base, group), sides)]

    @staticmethod
    def first(group, later):
        """The side whose reading is shown."""
        order = [(all(REDACTED not in token.text for token, _ in side),
                  any(place is None for _, place in side), late)
                 for side, late in zip(group.sides, later)]
        return 0 if order[0] > order[1] else 1

    # ---- Sentences

    def sentences(self, base, hunks, groups, sides):
        """A contested group takes in all that was changed in its sentence."""
        def ends(place):
            return is_blank(base[place].text) and ends_sentence(base[place - 1].text)
        number = 0
        while number < len(groups):
            group = groups[number]
            if not group.is_contested:
                number += 1
                continue
            low, high, before = group.start, group.end, (group.start, group.end, group.hunks)
            while low and base[low - 1].text[-1:] != LINE_FEED and not (low > 1 and ends(low - 1)):
                low -= 1
            while high < len(base) and base[high].text[:1] != LINE_FEED and not (
                    high > group.end and ends(high)):
                high += 1
            inside = [hunk for side in hunks for hunk in side if low <= hunk[0] and hunk[1] <= high
                      and (hunk[0] < hunk[1] or low < hunk[0] < high)]
            group.start = min([group.start] + [start for start, _, _ in inside])
            group.end = max([group.end] + [end for _, end, _ in inside])
            group.take(hunks)
            while number and self.overlap(groups[number - 1], group):
                number -= 1
                group = groups[number] = self.joined(groups[number], groups.pop(number + 1))
                group.take(hunks)
            while number + 1 < len(groups) and self.overlap(group, groups[number + 1]):
                group = groups[number] = self.joined(group, groups.pop(number + 1))
                group.take(hunks)
            if (group.start, group.end, group.hunks) == before:
                number += 1
            else:
                self.decide(base, group, sides, True)
        return groups

    @staticmethod
    def overlap(one, other):
        return other.start < one.end or any(
            set(mine) & set(its) for mine, its in zip(one.hunks, other.hunks))

    # ---- Passages

    def entries(self, base, hunks, groups, sides):
        """What the union shows, in order: units with their readings, and whether it is a token."""
        used = {(side, hunk[:2]) for group in groups for side in (0, 1)
                for hunk in group.hunks[side]}
        parts = [(group.start, group.end, group) for group in groups]
        parts += [hunk for side in (0, 1) for hunk in hunks[side]
                  if (side, hunk[:2]) not in used]
        result, place = [], 0
        for start, end, part in sorted(parts, key=lambda part: part[:2]):
            result += base[place:start]
            if isinstance(part, Group):
                result.append((self.units(base, part), self.readings(base, part, sides)))
            else:
                result += part
            place = max(place, end)
        return result + base[place:]

    def readings(self, base, group, sides):
        writers = self.writers(self.units(base, group), sides)
        if not group.is_contested:
            return combined([token.readings for token in group.result], writers[0] + writers[1])
        both = sides[0].changes & sides[1].changes
        found = [combined([token.readings for token, _ in side], own)
                 for side, own in zip(group.sides, writers)]
        if self.first(group, self.lateness(base, group, sides)):
            found.reverse()
        return [found[0][0], found[1][0]] + [
            reading for side in found for reading in side[1:]
            if not all(both >> change & 1 for change in reading[1])]

    def alike(self, shown, sides):
        """What two sides show that show the same text, as ``entries``."""
        items = [[(token if token.passage else Token(sign, [unit]))
                  for token in tokens
                  for sign, unit in (zip(token.text, token.units) if not token.passage
                                     else [(None, None)])] for tokens in shown]
        result, region, next_, at = [], ([], []), [0, 0], [0, 0]
        both = sides[0].changes & sides[1].changes

        def close():
            if region[0] or region[1]:
                units = [unit for side in region for token in side for unit in token.units]
                writers = self.writers(units, sides)
                readings = [combined([token.readings for token in side], writers[0] + writers[1])
                            for side in region]
                result.append((units, readings[0][:1] + [
                    reading for side in readings for reading in side[1:]
                    if not all(both >> change & 1 for change in reading[1])]))
                region[0].clear()
                region[1].clear()
        while True:
            heads = [side[place] if place < len(side) else None
                     for side, place in zip(items, next_)]
            if heads == [None, None]:
                break
            if at[0] == at[1] and None not in heads and heads[0].key == heads[1].key:
                close()
                result.append(heads[0])
                for side in (0, 1):
                    next_[side] += 1
                    at[side] += len(heads[0].text)
                continue
            taken = [0 if at[0] < at[1] else 1] if at[0] != at[1] else [
                side for side in (0, 1) if heads[side] and not heads[side].text] or [0, 1]
            for side in taken:
                region[side].append(heads[side])
                next_[side] += 1
                at[side] += len(heads[side].text)
        close()
        return result

    def passages(self, changes, entries):
        """The passages that what the union shows makes of the raw text."""
        entries, place = list(entries), 0
        while place < len(entries):
            entry = entries[place]
            if isinstance(entry, Token):
                place += 1
                continue
            units, readings = entry
            if any(self.is_live(unit, changes) for unit in range(min(units), max(units) + 1)):
                place += 1
            elif place and not is_gap(entries[place - 1]):
                place -= 1
                entries[place:place + 2] = [beside(entries[place], entry)]
            elif place:
                del entries[place - 1]
                place -= 1
            elif len(entries) > 1:
                entries[0:2] = [entry if is_gap(entries[1]) else beside(entry, entries[1])]
            else:
                del entries[0]
        result = []
        for entry in entries:
            if isinstance(entry, Token):
                result += [entry.passage] if entry.passage else []
                continue
            units, readings = entry
            live = [unit for unit in range(min(units), max(units) + 1)
                    if self.is_live(unit, changes)]
            readings = distinct(readings)
            if len(readings) > 1 or readings[0][0] != "".join(self.signs[unit] for unit in live):
                result.append(Passage(live[0], live[-1], readings))
        return result


def is_gap(entry):
    return isinstance(entry, Token) and entry.text == "" and not entry.passage


def combined(parts, changes):
    """The readings of parts that stand beside each other, of which the first reading is that of
    some changes: what each shows, and each other reading in the place of what its part shows."""
    shown = [part[0][0] for part in parts]
    return [("".join(shown), frozenset(changes))] + [
        ("".join(shown[:number]) + text + "".join(shown[number + 1:]), names)
        for number, part in enumerate(parts) for text, names in part[1:]]


def beside(one, other):
    """Two entries as one."""
    units, readings = [], []
    for entry in (one, other):
        own = (entry.units, entry.readings) if isinstance(entry, Token) else entry
        units += own[0]
        readings.append(own[1])
    return units, combined(readings, readings[0][0][1] | readings[1][0][1])


def distinct(readings):
    result = []
    for text, changes in readings:
        if all(text.replace(REDACTED, "") != known.replace(REDACTED, "") for known, _ in result):
            result.append((text, changes))
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
    every = text.every
    for passage in text.version(every).passages:
        live = [unit for unit in range(passage.low, passage.high + 1)
                if text.is_live(unit, every)]
        start = sum(text.is_live(unit, every) for unit in range(passage.low))
        yield start, "".join(text.signs[unit] for unit in live), [
            (reading.replace(REDACTED, ""), sorted(changes))
            for reading, changes in passage.readings]
