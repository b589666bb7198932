"""The passages of a text, found from its whole history; see Passages in peernote(5).

Versions are sets of changes, as bits of an integer; what a version shows is worked out anew for
each, without any of the short cuts that a program would take.
"""

import unicodedata

# Scripts that write no spaces between words, and signs that are words in themselves.
NO_WORDS = [(0x0E00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAD),
            (0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0x3041, 0x3096), (0x30A1, 0x30FA),
            (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)]
# Other_Alphabetic or Grapheme_Extend, and the modifiers of emoji.
MORE_LETTERS = [(0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189),
                (0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F)]
PART_LIMIT, CHANGE_LIMIT = 1 << 15, 1 << 10
COUNTED_LIMIT, WORK_LIMIT = 256, 1 << 21
SPACE = "\t\v\f \n\r"
# Join the digits around them.
SEPARATORS = "',-./:\u00a0\u2009\u2010\u2011\u2019\u202f"
APOSTROPHES = "'\u2019"
SIGNS = "+-\u2212"
# Stands for a redacted scalar; no scalar that text can hold.
REDACTED = "\udfff"


def bits(version):
    return [number for number in range(version.bit_length()) if version >> number & 1]


def is_digit(sign):
    return unicodedata.category(sign) == "Nd" and not is_wordless(sign)


def is_wordless(sign):
    return any(first <= ord(sign) <= last for first, last in NO_WORDS)


def is_letter(sign):
    if is_wordless(sign):
        return False
    category = unicodedata.category(sign)
    return (category[0] in "LM" or category == "Nl" or ord(sign) == 0x200C
            or any(first <= ord(sign) <= last for first, last in MORE_LETTERS))


def is_space(sign):
    return sign in SPACE or (ord(sign) >= 0x80 and sign.isspace())


def words(text):
    """Where the words of a text stand: (start, end)."""
    kinds = ["d" if is_digit(sign) else "l" if is_letter(sign) else "-" for sign in text]

    def kind(place):
        return kinds[place] if 0 <= place < len(text) else "-"

    def joins(place):
        sign, around = text[place], kind(place - 1) + kind(place + 1)
        if kind(place) != "-":
            return True
        if around == "dd" and sign in SEPARATORS or around == "ll" and sign in APOSTROPHES:
            return True
        if sign == "_":
            return "-" not in around
        if sign in SIGNS:
            return around == "-d"
        if sign == " " and around == "dd":
            before = "".join(kind(place - back) for back in range(4, 0, -1))
            digits = len(before) - len(before.rstrip("d"))
            return (kind(place + 2) + kind(place + 3) == "dd" and kind(place + 4) == "-"
                    and digits < 4 and kind(place - digits - 1) != "l")
        return False
    result, start = [], None
    for place in range(len(text) + 1):
        if place < len(text) and joins(place):
            start = place if start is None else start
        elif start is not None:
            result.append((start, place))
            start = None
    return result


def tokens(text):
    result, after = [], 0
    for start, end in words(text):
        result += list(text[after:start]) + [text[start:end]]
        after = end
    return result + list(text[after:])


def ends_sentence(text):
    for place, sign in enumerate(text):
        if sign in "\n\u3002\uff01\uff1f":
            return True
        if sign in ".!?" and place + 1 < len(text) and is_space(text[place + 1]):
            return True
    return False


class Unit:
    """A scalar that was ever inserted: its sign, its change (None before all) and its deleters."""

    def __init__(self, sign, inserted, deleted):
        self.sign, self.inserted, self.deleted = sign, inserted, deleted


class Stretch:
    """A part of a text between line ends that everybody knows of."""

    def __init__(self, units, past, rank, passages):
        self.units, self.past, self.rank = units, past, rank
        # The readings of each passage of an earlier round, by the sign that stands for it.
        self.passages = passages
        self.views, self.pairs = {}, {}

    # ---- What touched what

    def known(self, unit, version):
        inserted = self.units[unit].inserted
        return inserted is None or version >> inserted & 1

    def live(self, unit, version):
        return self.known(unit, version) and not self.units[unit].deleted & version

    def touch(self, unit):
        inserted = self.units[unit].inserted
        return self.units[unit].deleted | (0 if inserted is None else 1 << inserted)

    def touching(self, low, high, version):
        result = 0
        for unit in range(low, high + 1):
            if self.known(unit, version):
                result |= self.touch(unit)
        return result & version

    def latest(self, changes):
        return [change for change in bits(changes)
                if not any(other != change and self.past[other] >> change & 1
                           for other in bits(changes))]

    def rivals(self, low, high, version):
        return self.latest(self.touching(low, high, version))

    def concurrent(self, one, other):
        return not self.past[one] >> other & 1 and not self.past[other] >> one & 1

    def raw(self, low, high, version):
        return [unit for unit in range(low, high + 1) if self.live(unit, version)]

    def text(self, units):
        return "".join(self.units[unit].sign for unit in units)

    def expanded(self, units, instead=None):
        """What some units read; instead: signs of passages with what these read then."""
        text = self.text(units)
        for sign, readings in self.passages.items():
            text = text.replace(sign, (instead or {}).get(sign, readings[0][0]))
        return text.replace(REDACTED, "")

    def words_of(self, units):
        return [tuple(units[start:end]) for start, end in words(self.text(units))]

    def reading(self, version, low, high):
        return [unit for unit in self.view(version)[0] if low <= unit <= high]

    # ---- Cores

    def cores(self, one, other):
        if (one, other) not in self.pairs:
            self.pairs[one, other] = self.find_cores(one, other)
        return self.pairs[one, other]

    def find_cores(self, one, other):
        left, right = self.past[one], self.past[other]
        common, union = left & right, left | right
        chunks, current, seen = [], [], 0
        for unit in range(len(self.units)):
            if not self.known(unit, union):
                continue
            touch = self.touch(unit) & union
            if touch & ~common:
                current.append(unit)
                seen |= touch
            elif self.live(unit, common) and current:
                chunks.append((current, seen))
                current, seen = [], 0
        if current:
            chunks.append((current, seen))
        both = 1 << one | 1 << other
        result = []
        for units, seen in chunks:
            # With the passages of what both have seen.
            met = [passage for passage in self.view(common)[1]
                   if passage["low"] <= units[-1] and passage["high"] >= units[0]]
            low = min([units[0], *(passage["low"] for passage in met)])
            high = max([units[-1], *(passage["high"] for passage in met)])
            if seen & both == both and self.clash(one, other, units, low, high):
                result.append((low, high))
        if len(chunks) <= 40:
            start = 0
            while start < len(chunks):
                seen = chunks[start][1]
                for end in range(start + 1, len(chunks)):
                    seen |= chunks[end][1]
                    low, high = chunks[start][0][0], chunks[end][0][-1]
                    if seen & both != both:
                        continue
                    ours = self.text(self.reading(left, low, high))
                    if ours == self.text(self.reading(right, low, high)):
                        if self.text(self.raw(low, high, union)) != ours:
                            result.append((low, high))
                            start = end
                        break
                start += 1
        return result

    def is_followed(self, low, high, pair, version):
        """Whether a third change, that has seen one of two alone, wrote on the line right beside a core."""
        live = [unit for unit in range(len(self.units)) if self.live(unit, version)]
        inside = [unit for unit in live if low <= unit <= high]
        for beside, edge in ((max((u for u in live if u < low), default=None), inside[0]),
                             (min((u for u in live if u > high), default=None), inside[-1])):
            made = None if beside is None else self.units[beside].inserted
            if made is None or made in pair or self.line_feed(beside) or self.line_feed(edge):
                continue
            if len([change for change in pair if self.past[made] >> change & 1]) == 1:
                return True
        return False

    def clash(self, one, other, chunk, low, high):
        left, right = self.past[one], self.past[other]
        common = left & right
        ours, theirs = (self.text(self.reading(side, low, high)) for side in (left, right))
        raw = self.text(self.raw(low, high, left | right))
        if ours == theirs:
            return raw != ours
        we, they = self.includes(one, other, low, high), self.includes(other, one, low, high)
        if we or they:
            # Of two that include each other the later one does.
            is_ours = we and not (they and self.rank[one] < self.rank[other])
            return raw != (ours if is_ours else theirs)
        old = [unit for unit in chunk if self.live(unit, common)]
        gone = [{unit for unit in old if self.units[unit].deleted & side} for side in (left, right)]
        new = [[unit for unit in chunk if self.live(unit, side) and not self.known(unit, common)]
               for side in (left, right)]
        if self.joins_lines(low, high, left, right):
            return True
        if any(self.joins_inserted(low, high, side, left | right, common) for side in (left, right)):
            return True
        if self.restates(one, other, low, high) or self.restates(other, one, low, high):
            return True
        shared = gone[0] & gone[1]
        if shared and new[0] and new[1]:
            return True
        for inserted, deleted in ((new[1], gone[0]), (new[0], gone[1])):
            for unit in inserted:
                before = max((u for u in old if u < unit), default=-1)
                after = min((u for u in old if u > unit), default=-1)
                if before in deleted and after in deleted or before in shared or after in shared:
                    return True
            if any(self.loses_line(unit, inserted, deleted, common) for unit in inserted):
                return True
        return self.mixes_lines(new[0], new[1], common)

    def mixes_lines(self, ours, theirs, common):
        """Whether, where both inserted at one end of a line, what one added to the line stands in a
        line that the other one inserted."""
        for unit in ours + theirs:
            step = unit + 1
            while step < len(self.units) and step not in ours and step not in theirs \
                    and not self.live(step, common):
                step += 1
            if (unit in ours) == (step in ours) or (unit in theirs) == (step in theirs):
                continue
            # The other side's scalar follows with nothing between that both saw.
            place = [unit, step]
            low, high = unit - 1, step + 1
            while low >= 0 and not self.live(low, common):
                place += [low] if low in ours or low in theirs else []
                low -= 1
            while high < len(self.units) and not self.live(high, common):
                place += [high] if high in ours or high in theirs else []
                high += 1
            start = low < 0 or self.line_feed(low)
            end = high == len(self.units) or self.line_feed(high)
            mine, other = (ours, theirs) if unit in ours else (theirs, ours)
            if start and not end and not self.line_feed(unit) \
                    and self.line_feed(max(u for u in place if u in other)):
                return True
            if end and not start and not self.line_feed(step) \
                    and self.line_feed(min(u for u in place if u in mine)):
                return True
        return False

    def loses_line(self, unit, inserted, deleted, common):
        """Whether a scalar is the last of a run of insertions at the end of a line that way, of
        which all on the other way is deleted."""
        def way(step):
            end = len(self.units) if step > 0 else -1
            return [u for u in range(unit + step, end, step)
                    if self.live(u, common) or u in inserted]
        for step in (1, -1):
            onward, back = way(step), way(-step)
            if self.line_feed(unit) or not onward or onward[0] in inserted:
                continue
            line = [u for u in onward if self.live(u, common)]
            line = line[:next((i for i, u in enumerate(line) if self.line_feed(u)), len(line))]
            if not line or not all(u in deleted for u in line):
                continue
            behind = next((u for u in back if self.live(u, common)), None)
            if behind is None or self.line_feed(behind):
                return True
        return False

    def neighbour(self, unit, step, version):
        """The next live scalar on one way; None if there is none."""
        unit += step
        while 0 <= unit < len(self.units) and not self.live(unit, version):
            unit += step
        return unit if 0 <= unit < len(self.units) else None

    def joins_inserted(self, low, high, side, both, common):
        """Whether lines that a side inserted begin or end within a line."""
        def ends(unit, step, version):
            other = self.neighbour(unit, step, version)
            return other is None or self.line_feed(other)
        run = []
        for unit in [*(u for u in range(low, high + 1) if self.live(u, side)), None]:
            if unit is not None and not self.known(unit, common):
                run.append(unit)
                continue
            if any(map(self.line_feed, run)):
                for edge, step in ((run[0], -1), (run[-1], 1)):
                    if not self.line_feed(edge) and ends(edge, step, side) \
                            and not ends(edge, step, both):
                        return True
            run = []
        return False

    def joins_lines(self, low, high, left, right):
        """Whether a line goes on in another one, from which both sides have it apart."""
        def apart(unit, after, version):
            sees, knows = self.live(unit, version), self.live(after, version)
            if sees and knows:
                return any(self.line_feed(between) and self.live(between, version)
                           for between in range(unit + 1, after))
            if not sees and not knows:
                return False
            other = self.neighbour(unit, 1, version) if sees else self.neighbour(after, -1, version)
            return other is None or self.line_feed(other)
        union = left | right
        shown = [self.neighbour(low, -1, union)]
        shown += [unit for unit in range(low, high + 1) if self.live(unit, union)]
        shown = [unit for unit in shown + [self.neighbour(high, 1, union)] if unit is not None]
        return any(not self.line_feed(unit) and not self.line_feed(after)
                   and apart(unit, after, left) and apart(unit, after, right)
                   for unit, after in zip(shown, shown[1:]))

    def line_feed(self, unit):
        return self.units[unit].sign == "\n"

    def includes(self, larger, smaller, low, high):
        left, right = self.past[larger], self.past[smaller]
        common = left & right
        ours, theirs, old = (self.reading(side, low, high) for side in (left, right, common))
        if self.text(theirs) == self.text(ours):
            return True
        contested = any(passage["contested"] and passage["low"] <= high and passage["high"] >= low
                        for passage in self.view(common)[1])
        if self.text(theirs) == self.text(old) and not contested:
            return True
        # Unless each has come to what the other one had before.
        if self.had_before(larger, smaller, low, high, theirs) \
                and not self.had_before(smaller, larger, low, high, ours):
            return True
        if self.restates(larger, smaller, low, high):
            return False
        gone = set(old) - set(ours)
        known = set(self.view(common)[0])
        for unit in set(old) - set(theirs) - gone:
            # A line feed at the end of the text, after which the larger one adds something.
            if (self.units[unit].sign != "\n" or unit != max(known)
                    or max(self.view(left)[0]) <= unit):
                return False
        our_words = {self.text(word) for word in self.words_of(ours)}
        for word in self.words_of(theirs):
            if not set(word) <= known and self.text(word) not in our_words:
                return False

        def gaps(units, without):
            found, place = {}, None
            for unit in units:
                if unit not in known:
                    found[place] = found.get(place, "") + self.units[unit].sign
                elif unit not in without:
                    place = unit
            return found
        our_gaps = gaps(ours, set())
        for place, text in gaps(theirs, gone).items():
            inner = text
            while inner and is_space(inner[0]):
                inner = inner[1:]
            while inner and is_space(inner[-1]):
                inner = inner[:-1]
            wanted, have = tokens(inner or text), tokens(our_gaps.get(place, ""))
            if not any(have[start:start + len(wanted)] == wanted
                       for start in range(len(have) - len(wanted) + 1)):
                return False
        return True

    def had_before(self, one, other, low, high, units):
        """Whether the side of a change once read so, when it had seen what both have."""
        own, others = self.past[one], self.past[other]
        touching = self.touching(low, high, own | others)
        return any(
            step != one and not touching & own & others & ~self.past[step]
            and self.text(self.reading(self.past[step], low, high)) == self.text(units)
            for step in bits(touching & own & ~others))

    def restates(self, writer, deleter, low, high):
        """Whether one wrote a word anew that it had deleted, and the other deleted."""
        left, right = self.past[writer], self.past[deleter]
        ours, theirs, old = (
            self.reading(side, low, high) for side in (left, right, left & right))
        known = set(self.view(left & right)[0])
        old = [old] + [units for passage in self.view(left & right)[1]
                       if passage["low"] <= high and passage["high"] >= low
                       for _, units in passage["others"]]
        ours, theirs = map(self.words_with_passages, (ours, theirs))
        new = {text for text, word in ours if not set(word) <= known}
        have, kept = ([text for text, _ in words] for words in (ours, theirs))
        shown = [set(self.view(side)[0]) for side in (left, right)]
        return any(
            not set(word) <= shown[0] and not set(word) <= shown[1]
            and text in new and have.count(text) > kept.count(text)
            for units in old for text, word in self.words_with_passages(units))

    def words_with_passages(self, units):
        """Words as texts and scalars, with those of the readings of passages among them."""
        result = [(self.text(word), word) for word in self.words_of(units)]
        for unit in units:
            for text, _ in self.passages.get(self.units[unit].sign, []):
                result += [(text[start:end], (unit,)) for start, end in words(text)]
        return result

    # ---- What a version shows

    def view(self, version):
        """The units that a version shows, and its passages."""
        if version not in self.views:
            self.views[version] = self.project(version)
        return self.views[version]

    def project(self, version):
        changes, end = bits(version), len(self.units) - 1
        spans = []
        for index, one in enumerate(changes):
            for other in changes[index + 1:]:
                if not self.concurrent(one, other):
                    continue
                for low, high in self.cores(one, other):
                    rivals = self.rivals(low, high, version)
                    if one in rivals and other in rivals and self.raw(low, high, version) \
                            and not self.is_followed(low, high, {one, other}, version):
                        spans.append((low, high))
        units, passages = self.raw(0, end, version), []
        if not any(self.concurrent(a, b) for a in changes for b in changes if a < b):
            return units, passages
        for _ in range(32):
            regions = self.grown(spans, version)
            passages = [self.choose(low, high, version) for low, high in regions]
            units, after = [], 0
            for passage in passages:
                units += self.raw(after, passage["low"] - 1, version) + passage["units"]
                after = passage["high"] + 1
            units += self.raw(after, end, version)
            torn = [(low, high) for low, high in self.torn(units, version)
                    if not any(a <= low and high <= b for a, b in regions)]
            if not torn:
                break
            spans = regions + torn
        passages = [passage for passage in passages
                    if len(passage["rivals"]) > 1 or passage["contested"]
                    or passage["units"] != self.raw(passage["low"], passage["high"], version)]
        return units, passages

    def torn(self, units, version):
        """Where words stand that were none for those who were last there."""
        end, result = len(self.units) - 1, []

        def wider(low, high):
            while low > 0 and not self.live(low - 1, version):
                low -= 1
            while high < end and not self.live(high + 1, version):
                high += 1
            return low, high
        for word in self.words_of(units):
            touching = self.touching(word[0], word[-1], version)
            if any(self.past[change] & version == version for change in bits(touching)):
                continue
            low, high = wider(word[0], word[-1])
            last = self.rivals(max(0, low - 1), min(end, high + 1), version)
            if any(self.past[change] == version for change in last):
                continue
            pasts = [self.past[change] for change in last] or [0]
            if any(word in self.words_of(self.view(past)[0]) for past in pasts):
                continue
            if len(self.latest(touching)) > 1:
                result.append((word[0], word[-1]))
                continue
            own, low, high = 0, word[0], word[-1]
            for unit in word:
                own |= self.touch(unit)
            pasts = [self.past[change] for change in bits(own & version)
                     if self.past[change] != version]
            if any(self.units[unit].inserted is None for unit in word):
                pasts.append(0)
            for past in pasts:
                for whole in self.words_of(self.view(past)[0]):
                    if set(whole) & set(word):
                        low, high = min(low, whole[0]), max(high, whole[-1])
            low, high = wider(low, high)
            if len(self.rivals(low, high, version)) < 2:
                low, high = wider(max(0, low - 1), min(end, high + 1))
            if len(self.rivals(low, high, version)) > 1:
                result.append((low, high))
        return result

    # ---- Passages

    @staticmethod
    def joined(spans):
        result = []
        for low, high in sorted(spans):
            if result and low <= result[-1][1]:
                result[-1] = (result[-1][0], max(high, result[-1][1]))
            else:
                result.append((low, high))
        return result

    def grown(self, spans, version):
        for _ in range(64):
            joined = self.joined(spans)
            wide = self.whole_sentences([self.wider(*span, version) for span in joined], version)
            result = set()
            for low, high in set(wide):
                inside = [(a, b) for a, b in joined if low <= a and b <= high]
                is_later = False
                for a, b in inside:
                    first = self.rivals(a, b, version)
                    is_later |= any(
                        change not in first
                        and sum(self.past[change] >> rival & 1 for rival in first) > 1
                        for change in self.rivals(low, high, version))
                result |= set(inside) if is_later else {(low, high)}
            if sorted(result) == spans:
                break
            spans = sorted(result)
        return self.joined(spans)

    def wider(self, low, high, version):
        touching = self.touching(low, high, version)
        rivals = self.latest(touching)
        common = version
        for rival in rivals:
            common &= self.past[rival]
        for change in bits(touching & ~common):
            for first, last in self.edits(change):
                if first <= high and last >= low:
                    low, high = min(low, first), max(high, last)
        for past in [version] + [self.past[rival] for rival in rivals]:
            shown = (self.raw(0, len(self.units) - 1, version) if past == version
                     else self.view(past)[0])
            for word in self.words_of(shown):
                if word[0] < low <= word[-1]:
                    low = word[0]
                if word[0] <= high < word[-1]:
                    high = word[-1]
        for rival in rivals:
            if self.past[rival] != version:
                for passage in self.view(self.past[rival])[1]:
                    if passage["low"] <= high and passage["high"] >= low:
                        low, high = min(low, passage["low"]), max(high, passage["high"])
        return low, high

    def edits(self, change):
        result, current, past = [], [], self.past[change]
        for unit in range(len(self.units)):
            if not self.known(unit, past):
                continue
            if self.touch(unit) >> change & 1:
                current.append(unit)
            elif self.live(unit, past) and current:
                result.append((current[0], current[-1]))
                current = []
        return result + ([(current[0], current[-1])] if current else [])

    def whole_sentences(self, spans, version):
        result = []
        for low, high in sorted(spans):
            if result and low > result[-1][1]:
                first, last = result[-1]
                between = self.text(self.raw(last + 1, low - 1, version))
                if not ends_sentence(between) and set(self.rivals(first, last, version)) & set(
                        self.rivals(low, high, version)):
                    result[-1] = (first, high)
                    continue
            result.append((low, high))
        return result

    # ---- Readings

    def choose(self, low, high, version):
        rivals = sorted(self.rivals(low, high, version), key=lambda c: self.rank[c], reverse=True)
        units = {rival: self.raw(low, high, version) if self.past[rival] == version
                 else self.reading(self.past[rival], low, high) for rival in rivals}
        passage = {"low": low, "high": high, "rivals": rivals, "shown": rivals,
                   "contested": False, "others": [],
                   "units": units[rivals[0]] if rivals else self.raw(low, high, version)}
        if len(rivals) > 1:
            included = {(a, b) for a in rivals for b in rivals
                        if a != b and self.includes(a, b, low, high)}
            best = [rival for rival in rivals if not any(
                (other, rival) in included
                and not ((rival, other) in included and self.rank[other] < self.rank[rival])
                for other in rivals)] or rivals[:1]
            common = version
            for rival in rivals:
                common &= self.past[rival]
            # Stable: those that only deleted come last.
            best.sort(key=lambda rival: all(self.known(unit, common) for unit in units[rival]))
            # And after them those of which something was redacted.
            best.sort(key=lambda rival: any(
                self.units[unit].sign == REDACTED for unit in units[rival]))
            shown, seen = [best[0]], self.past[best[0]]
            passage["units"] = units[best[0]]
            opened = self.open(seen, low, high)
            for rival in best[1:] + [rival for rival in rivals if rival not in best]:
                if any((chosen, rival) in included for chosen in shown):
                    continue
                both = seen | self.past[rival]
                if both != version and self.open(both, low, high) <= opened:
                    shown.append(rival)
                    seen = both
                    passage["units"] = self.reading(both, low, high)
            passage["shown"] = shown
            for rival in rivals:
                by = [(chosen, rival) in included for chosen in shown]
                gone = any(self.known(unit, self.past[rival])
                           and not self.live(unit, self.past[rival]) for unit in passage["units"])
                if rival not in shown and (not any(by) or not all(by) and gone):
                    passage["others"].append(([rival], units[rival]))
            passage["contested"] = bool(passage["others"])
        for rival in rivals:
            if self.past[rival] == version:
                continue
            for inner in self.view(self.past[rival])[1]:
                if not inner["contested"] or inner["low"] > high or inner["high"] < low:
                    continue
                last = self.rivals(inner["low"], inner["high"], version)
                if not set(inner["rivals"]) & set(last):
                    continue
                passage["contested"] = True
                around = [unit for unit in units[rival]
                          if not inner["low"] <= unit <= inner["high"]]
                for names, inside in [(inner["shown"], inner["units"])] + inner["others"]:
                    reading = names, sorted(around + inside)
                    if reading not in passage["others"]:
                        passage["others"].append(reading)
        if passage["contested"]:
            for rival in rivals:
                if units[rival] != passage["units"] and all(
                        units[rival] != other for _, other in passage["others"]):
                    passage["others"].append(([rival], units[rival]))
        return passage

    def open(self, version, low, high):
        return {(passage["low"], passage["high"], frozenset(passage["rivals"]))
                for passage in self.view(version)[1]
                if passage["contested"] and passage["low"] <= high and passage["high"] >= low}


class Kept:
    """A passage that stays until a change touches it, by its first visible scalar and its last; and
    the first change of the round that made it."""

    def __init__(self, low, high, readings, until, made):
        self.low, self.high, self.readings = low, high, readings
        self.until, self.made = until, made
        # The deletions of its first scalar in the round that is looked at, which delete all of it.
        self.deletions = []

    def meets(self, other):
        return self.low <= other.high and other.low <= self.high


def maker(log, event):
    """The number of the change of an event; -1 for what was there before all."""
    return log.event_change[event].number if event >= 0 else -1


def touching(log, events, deletions):
    """The changes that inserted or deleted something."""
    return {maker(log, step) for event in events for step in [event] + deletions.get(event, [])}


def sees(log, later, earlier):
    return log.changes[later].seen >> earlier & 1


def rounds(log, changes):
    """The changes of a text, ascending, in the longest runs that no critical version parts."""
    # For each number of the first changes what all others have seen.
    agreed = [-1]
    for change in reversed(changes):
        agreed.insert(0, agreed[0] & log.changes[change].seen)
    result, current, before = [], [], 0
    for count, change in enumerate(changes, 1):
        current.append(change)
        before |= 1 << change
        if not before & ~agreed[count]:
            result.append(current)
            current = []
    return [group for group in result if len(group) > 1]


def find(log, nodes, deletions, scalars):
    """The passages of a text.

    nodes: its scalars in order, by the events that inserted them; deletions: the events that
    deleted each; scalars: their signs. Yields where a passage stands in the raw text, the raw text,
    and the readings: each its text and the numbers of its changes, first the one that is shown.
    """
    def in_place_of_others(new, kept):
        rest = [passage for passage in kept if not any(map(passage.meets, new))]
        return sorted(new + rest, key=lambda passage: passage.low)

    def is_left(passage, change):
        """Whether a change leaves a scalar of a passage."""
        return any(maker(log, event) < change and all(
            maker(log, step) > change for step in deletions.get(event, []))
            for event in nodes[passage.low:passage.high + 1])

    def deletions_of_all(passage, first, last):
        """The deletions of its first scalar, if all changes that touch a passage delete all of it."""
        deleters, inserters = set(), set()
        for event in nodes[passage.low:passage.high + 1]:
            made = maker(log, event)
            gone = [maker(log, step) for step in deletions.get(event, [])]
            if first <= made <= last:
                inserters.add(made)
            elif made < first and all(change >= first for change in gone):
                deleters.add(frozenset(change for change in gone if change <= last))
        if len(deleters) > 1 or not inserters <= next(iter(deleters)):
            return None
        return [step for step in deletions.get(nodes[passage.low], []) if maker(log, step) <= last]

    def are_in_turn(passage, first, last):
        """Whether of the changes that touch a passage each has seen the one before."""
        found = touching(log, nodes[passage.low:passage.high + 1], deletions)
        found = sorted(change for change in found if first <= change <= last)
        return len(found) <= 64 and all(
            sees(log, later, earlier) for earlier, later in zip(found, found[1:]))

    def looked_again(old, last, kept):
        """What stands where a passage was, as if the round that made it had gone on to a change."""
        there = [passage for passage in kept if passage.made < old.made]
        new = in_round(log, old.made, last, nodes, deletions, scalars, there)
        return list(filter(old.meets, new))

    kept = []
    groups = rounds(log, sorted(touching(log, nodes, deletions)))
    for group in groups + [[len(log.changes)]]:
        # What is touched on the way to the next round, or to the end.
        while any(passage.until is not None and passage.until < group[0] for passage in kept):
            change = min(passage.until for passage in kept if passage.until is not None)
            due = [passage for passage in kept if passage.until == change]
            kept = [passage for passage in kept if passage.until != change]
            for old in due:
                if is_left(old, change):
                    new = looked_again(old, change, kept)
                    for passage in new:
                        text, changes = passage.readings[0]
                        passage.readings[0] = text, sorted({*changes, change})
                    kept = in_place_of_others(new, kept)
        if len(group) > 1:
            for passage in kept:
                if passage.until is not None and passage.until <= group[-1]:
                    passage.deletions = deletions_of_all(passage, group[0], group[-1])
            there = [passage for passage in kept if passage.deletions is not None]
            left = [passage for passage in kept if passage.deletions is None
                    and are_in_turn(passage, group[0], group[-1])]
            new = list(in_round(log, group[0], group[-1], nodes, deletions, scalars, there))
            kept = [
                passage for passage in kept if passage.until is None or passage.until > group[-1]]
            kept = in_place_of_others(new, kept)
            for old in left:
                kept = in_place_of_others(looked_again(old, group[-1], there), kept)
    visible = [place for place, event in enumerate(nodes) if not deletions.get(event)]
    for passage in kept:
        if passage.until is None:
            raw = [place for place in visible if passage.low <= place <= passage.high]
            yield (visible.index(raw[0]), "".join(scalars[nodes[place]] for place in raw),
                   passage.readings)


def in_round(log, first, last, nodes, deletions, scalars, kept):
    """The passages that the changes from one to another one make, with those that are kept."""
    signs, own, atoms = dict(scalars), {}, {}
    # What counts, by its event or a number below 0 for a passage, and where it stands.
    line, is_touched, place = [], False, 0
    while place <= len(nodes):
        atom = next((passage for passage in kept if passage.low == place), None)
        ends = place == len(nodes)
        if atom:
            number = -1 - len(atoms)
            atoms[number], signs[number] = atom, chr(0xD800 + len(atoms))
            own[number] = atom.deletions
            line.append((number, place))
            is_touched |= bool(atom.deletions)
            for inside in range(place + 1, atom.high) if atom.deletions else []:
                event = nodes[inside]
                if first <= maker(log, event) <= last:
                    own[event] = [
                        step for step in deletions.get(event, []) if maker(log, step) <= last]
                    line.append((event, inside))
            place = atom.high
        elif not ends:
            event = nodes[place]
            made = maker(log, event)
            gone = deletions.get(event, [])
            if made <= last and all(maker(log, step) >= first for step in gone):
                own[event] = [step for step in gone if maker(log, step) <= last]
                line.append((event, place))
                is_touched |= made >= first or bool(own[event])
                ends = signs[event] == "\n" and made < first and not own[event]
        if ends:
            if is_touched and len(line) <= PART_LIMIT:
                yield from in_stretch(log, first, last, nodes, deletions, line, own, signs, atoms)
            line, is_touched = [], False
        place += 1


def in_stretch(log, first, final, nodes, deletions, line, own, signs, atoms):
    """The passages of a stretch of a round, by the places of its scalars."""
    passages = {signs[number]: atom.readings for number, atom in atoms.items()}
    visible = [(event, place) for event, place in line if not own.get(event)]
    waiting = [(0, [event for event, _ in line], first - 1)]
    while waiting:
        start, events, settled = waiting.pop(0)
        rest, last = unsettled(log, events, own, settled)
        if not rest:
            continue
        # Apart at the line ends that all its changes have seen.
        lines, part, place = [], [], start
        for number, event in enumerate(events):
            part.append(event)
            if own.get(event):
                continue
            place += 1
            if (signs[event] == "\n" and number + 1 < len(events)
                    and maker(log, event) not in rest + last):
                lines.append((start, part, settled))
                start, part = place, []
        if lines:
            waiting = lines + [(start, part, settled)] + waiting
            continue
        # What showed its raw text when all had seen it is as if it had always been there.
        changes, tried = rest + last, 0
        for count in cuts(log, changes):
            if count < 2 * tried:
                continue
            runs = counted(log, changes[:count], [], len(events))
            if not list(found(log, start, events, own, signs, runs, changes[count:], passages)):
                waiting.insert(0, (start, events, changes[count - 1]))
                break
            tried = count
        else:
            runs = counted(log, rest, last, len(events))
            for before, length, readings in found(
                    log, start, events, own, signs, runs, [], passages):
                inside = visible[before:before + length]
                low, high = inside[0][1], inside[-1][1]
                if inside[-1][0] < 0:
                    high = atoms[inside[-1][0]].high
                later = [number for number in touching(log, nodes[low:high + 1], deletions)
                         if number > final]
                yield Kept(low, high, readings, min(later, default=None), first)


def unsettled(log, events, deletions, settled):
    """The changes after some that touched something, without the first ones that all others have
    seen; and the last ones that have seen all others."""
    rest = sorted(number for number in touching(log, events, deletions) if number > settled)
    if len(rest) > CHANGE_LIMIT:
        return [], []
    last = []
    while rest and all(sees(log, other, rest[0]) for other in rest[1:]):
        rest = rest[1:]
    while rest and all(sees(log, rest[-1], other) for other in rest[:-1]):
        last = [rest.pop()] + last
    return rest, last


def cuts(log, changes):
    """How many of the first changes all others have seen."""
    return [count for count in range(1, len(changes)) if all(
        sees(log, later, earlier) for later in changes[count:] for earlier in changes[:count])]


def counted(log, rest, last, scalar_count):
    """The changes of a stretch in runs that count as one."""
    def fits(count):
        return count <= COUNTED_LIMIT and count ** 2 * scalar_count <= WORK_LIMIT

    runs = [[change] for change in rest]
    if not fits(len(runs) + 1):
        runs = []
        for change in rest:
            seen = [other for other in rest if other < change and sees(log, change, other)]
            run = next((run for run in runs if seen and run[-1] == seen[-1]), None)
            if run and all(sees(log, run[-1], other) for other in seen) and all(
                    other in (run[-1], change) or sees(log, other, change)
                    for other in rest if sees(log, other, run[-1])):
                run.append(change)
            else:
                runs.append([change])
    if not runs or not fits(len(runs) + 1):
        return []
    return runs + ([last] if last else [])


def found(log, start, events, deletions, scalars, runs, later, passages):
    """The passages of a stretch in the version without some later changes: where each stands, how
    long it is, and its readings."""
    if not runs:
        return
    local = {change: number for number, run in enumerate(runs) for change in run}
    changes = [run[-1] for run in runs]
    past = [sum({1 << local[other] for other in local if log.changes[change].seen >> other & 1})
            for change in changes]
    order = sorted(range(len(changes)), key=lambda number: (
        log.changes[changes[number]].time, log.changes[changes[number]].lamport,
        log.changes[changes[number]].agent))
    rank = [order.index(number) for number in range(len(changes))]
    units = []
    for event in events:
        inserted = maker(log, event)
        deleters = [maker(log, step) for step in deletions.get(event, [])]
        deleters = [change for change in deleters if change not in later]
        if inserted not in later and all(change in local for change in deleters):
            units.append(Unit(scalars[event], local.get(inserted),
                              sum({1 << local[change] for change in deleters})))
    if not units:
        return
    stretch = Stretch(units, past, rank, passages)
    whole = (1 << len(changes)) - 1
    for passage in stretch.view(whole)[1]:
        raw = stretch.raw(passage["low"], passage["high"], whole)
        readings = []
        kept = passage["others"] if passage["contested"] else []
        for shown, chosen in [(passage["shown"], passage["units"])] + kept:
            text = stretch.expanded(chosen)
            if all(text != other for other, _ in readings):
                readings.append((text, sorted(changes[number] for number in shown)))
        if raw and (len(readings) > 1 or readings[0][0] != stretch.expanded(raw)):
            # What was contested before, with what stands around it.
            for unit in raw:
                sign = stretch.units[unit].sign
                inner = passages.get(sign, [])
                around = next((there for there in [passage["units"], *(own for _, own in kept)]
                               if unit in there), [unit])
                for text, names in inner if len(inner) > 1 else []:
                    text = stretch.expanded(around, {sign: text})
                    if all(text != other for other, _ in readings):
                        readings.append((text, names))
            before = len(stretch.raw(0, passage["low"] - 1, whole))
            yield start + before, len(raw), readings
