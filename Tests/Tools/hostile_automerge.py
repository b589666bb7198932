"""Writes Automerge files that are made to take much, into a directory.

Says for each a line: its name, and how many operations, changes and names of actors it holds
together, which is what memory is allowed for. Arguments are the directory, a number of operations,
and one for those files whose import takes its square in time.
"""

import hashlib
import pathlib
import sys
import zlib

# Columns, by their specification.
OBJECT_ACTOR, OBJECT, KEY_ACTOR, ELEMENT, KEY, INSERT, ACTION = 1, 2, 17, 19, 21, 52, 66
VALUE_TYPE, VALUE, REPLACED_COUNT, REPLACED_ACTOR, REPLACED, MARK = 86, 87, 112, 113, 115, 165
MAKE_MAP, SET, MAKE_LIST, DELETE, MAKE_TEXT = 0, 1, 2, 3, 4


def unsigned(number):
    result = []
    while number >= 0x80:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(result + [number])


def signed(number):
    result = []
    while not -64 <= number <= 63:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(result + [number & 0x7F])


def counted(data):
    return unsigned(len(data)) + data


def run(count, value):
    return signed(count) + value


def nulls(count):
    return b"\0" + unsigned(count)


def literals(values):
    return signed(-len(values)) + b"".join(values)


def numbers(values):
    return literals([unsigned(value) for value in values])


def change(columns, actor=b"\n", number=1, first=1, parents=(), others=(), message=b"",
           deflated=False):
    """A change as a chunk, and its hash."""
    columns = sorted((spec, data) for spec, data in columns.items() if data)
    body = [unsigned(len(parents)), *sorted(parents), counted(actor), unsigned(number),
            unsigned(first), signed(0), counted(message), unsigned(len(others)),
            *map(counted, others), unsigned(len(columns))]
    body += [unsigned(spec) + unsigned(len(data)) for spec, data in columns]
    body = b"".join(body + [data for _, data in columns])
    digest = hashlib.sha256(b"\1" + counted(body)).digest()
    kind = 1
    if deflated:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        body, kind = packer.compress(body) + packer.flush(), 2
    return b"\x85oJ\x83" + digest[:4] + bytes([kind]) + counted(body), digest


def writes(count, key):
    """Columns of so many writes of one key, none of which replaces another one."""
    return {KEY: run(count, counted(key)), INSERT: unsigned(count), ACTION: run(count, unsigned(SET)),
            VALUE_TYPE: run(count, unsigned(0)), REPLACED_COUNT: run(count, unsigned(0))}


def one_key(count, size, deflated):
    return change(writes(count, b"k" * size), deflated=deflated)[0], count


def one_mark(count, size):
    """Writes that all bear one long name of a mark."""
    return change(writes(count, b"k") | {MARK: run(count, counted(b"m" * size))}, deflated=True)[0], count


def long_path(count):
    """Writes in a map whose own name is long."""
    columns = writes(count + 1, b"a")
    columns |= {
        OBJECT_ACTOR: nulls(1) + run(count, unsigned(0)), OBJECT: nulls(1) + run(count, unsigned(1)),
        KEY: literals([counted(b"k" * 900_000)]) + run(count, counted(b"a")),
        ACTION: numbers([MAKE_MAP]) + run(count, unsigned(SET))}
    return change(columns, deflated=True)[0], count + 1


def oldest_first(count):
    """Writes of one key, then others that each replace the oldest one."""
    half = count // 2
    columns = writes(2 * half, b"k")
    columns |= {REPLACED_COUNT: run(half, unsigned(0)) + run(half, unsigned(1)),
                REPLACED_ACTOR: run(half, unsigned(0)), REPLACED: run(half, signed(1))}
    return change(columns)[0], 2 * half


def coming_and_going(count, elements):
    """A list that another value hides and shows again, with all that is in it."""
    times = (count - elements - 1) // 2
    columns = {
        OBJECT_ACTOR: nulls(1) + run(elements, unsigned(0)) + nulls(2 * times),
        OBJECT: nulls(1) + run(elements, unsigned(1)) + nulls(2 * times),
        KEY: literals([counted(b"l")]) + nulls(elements) + run(2 * times, counted(b"l")),
        KEY_ACTOR: nulls(1 + elements + 2 * times),
        ELEMENT: nulls(1) + run(elements, signed(0)) + nulls(2 * times),
        INSERT: unsigned(1) + unsigned(elements) + unsigned(2 * times),
        ACTION: numbers([MAKE_LIST]) + run(elements, unsigned(SET)) + numbers([SET, DELETE] * times),
        VALUE_TYPE: run(1 + elements + 2 * times, unsigned(0)),
        REPLACED_COUNT: run(1 + elements, unsigned(0)) + numbers([0, 1] * times),
        REPLACED_ACTOR: run(times, unsigned(0)),
        REPLACED: literals([signed(elements + 2)]) + run(times - 1, signed(2))}
    return change(columns, deflated=True)[0], 1 + elements + 2 * times


def maps_in_turn(count):
    """A map that is replaced by another one again and again, each with a value."""
    times = count // 2
    pairs = range(times)
    columns = {
        OBJECT_ACTOR: b"".join(nulls(1) + numbers([0]) for _ in pairs),
        OBJECT: b"".join(nulls(1) + numbers([2 * pair + 1]) for pair in pairs),
        KEY: literals([counted(b"k"), counted(b"a")] * times), INSERT: unsigned(2 * times),
        ACTION: numbers([MAKE_MAP, SET] * times), VALUE_TYPE: run(2 * times, unsigned(0)),
        REPLACED_COUNT: numbers([0, 0] + [1, 0] * (times - 1)),
        REPLACED_ACTOR: run(times - 1, unsigned(0)),
        REPLACED: literals([signed(1)]) + run(times - 2, signed(2))}
    return change(columns, deflated=True)[0], 2 * times


def in_one_place(count, kind):
    """Elements of a list or a text, each in front of the others."""
    columns = {
        OBJECT_ACTOR: nulls(1) + run(count, unsigned(0)), OBJECT: nulls(1) + run(count, unsigned(1)),
        KEY: literals([counted(b"l")]) + nulls(count), KEY_ACTOR: nulls(count + 1),
        ELEMENT: nulls(1) + run(count, signed(0)), INSERT: unsigned(1) + unsigned(count),
        ACTION: numbers([kind]) + run(count, unsigned(SET)), REPLACED_COUNT: run(count + 1, unsigned(0))}
    if kind == MAKE_TEXT:
        columns |= {VALUE_TYPE: numbers([0]) + run(count, unsigned(0x16)), VALUE: b"x" * count}
    else:
        columns[VALUE_TYPE] = run(count + 1, unsigned(0))
    return change(columns, deflated=True)[0], count + 1


def actors_at_once(count, base):
    """Changes by as many actors, none of which has seen another, upon one of so many operations."""
    start, digest = change(writes(base, b"k"), actor=b"\xff\xff")
    chunks = [start if base else b""]
    for number in range(count):
        chunks.append(change(
            writes(1, b"k"), actor=number.to_bytes(4), parents=[digest] if base else [],
            first=base + 1)[0])
    return b"".join(chunks), base + 3 * count


def actors_in_turn(count):
    chunks, parents = [], []
    for number in range(count):
        chunk, digest = change(
            writes(1, b"k"), actor=number.to_bytes(4), parents=parents, first=number + 1)
        chunks.append(chunk)
        parents = [digest]
    return b"".join(chunks), 3 * count


def messages(count):
    chunks, parents = [], []
    for number in range(count):
        chunk, digest = change(
            writes(1, b"k"), number=number + 1, parents=parents, first=number + 1,
            message=b"%d" % number)
        chunks.append(chunk)
        parents = [digest]
    return b"".join(chunks), 3 * count


def crossing(rounds):
    """Two actors, each of whom has seen the other's last change."""
    chunks, parents = [], []
    for number in range(1, rounds + 1):
        sides = [
            change(writes(1, b"k"), actor=actor, number=number, first=number, parents=parents)
            for actor in (b"a", b"b")]
        chunks += [chunk for chunk, _ in sides]
        parents = [digest for _, digest in sides]
    return b"".join(chunks), 6 * rounds


def empty_changes(count, writing):
    """Changes that do nothing, and one of writes that all refer to those before it."""
    chunks, parents = [], []
    for number in range(count):
        chunk, digest = change({}, number=number + 1, parents=parents)
        chunks.append(chunk)
        parents = [digest]
    columns = writes(writing, b"k")
    columns |= {REPLACED_COUNT: numbers([0]) + run(writing - 1, unsigned(1)),
                REPLACED_ACTOR: run(writing - 1, unsigned(0)), REPLACED: run(writing - 1, signed(1))}
    chunks.append(change(columns, number=count + 1, parents=parents)[0])
    return b"".join(chunks), 2 * count + writing


def names_of_actors(count):
    return change(writes(1, b"k"), others=[b"\7"] * count, deflated=True)[0], count


def empty_columns(count):
    """A table of columns without anything in them, in a document without actors and heads."""
    body = b"\0\0\0" + unsigned(count) + b"".join(unsigned(number << 4) + b"\0"
                                                   for number in range(1, count + 1))
    digest = hashlib.sha256(b"\0" + counted(body)).digest()
    return b"\x85oJ\x83" + digest[:4] + b"\0" + counted(body), count


def alternating_keys(count, size):
    """A document with writes of two keys in turn, which stand in it one key after the other."""
    half = count // 2
    rows = [
        (KEY, run(half, counted(b"k" * size)) + run(half, counted(b"k" * (size - 1) + b"l"))),
        (33, run(2 * half, unsigned(0))),
        (35, literals([signed(1)]) + run(half - 1, signed(2)) + literals([signed(3 - 2 * half)])
         + run(half - 1, signed(2))),
        (INSERT, unsigned(2 * half)), (ACTION, run(2 * half, unsigned(SET))),
        (VALUE_TYPE, run(2 * half, unsigned(0))), (128, run(2 * half, unsigned(0)))]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    rows[0] = (KEY | 8, packer.compress(rows[0][1]) + packer.flush())
    changes = [(1, run(1, unsigned(0))), (3, run(1, signed(1))), (19, run(1, signed(2 * half)))]
    body = unsigned(1) + counted(b"\n") + unsigned(1) + bytes(32)
    for columns in (changes, rows):
        body += unsigned(len(columns))
        body += b"".join(unsigned(spec) + unsigned(len(data)) for spec, data in columns)
    body += b"".join(data for columns in (changes, rows) for _, data in columns) + b"\0"
    digest = hashlib.sha256(b"\0" + counted(body)).digest()
    return b"\x85oJ\x83" + digest[:4] + b"\0" + counted(body), 2 * half


def kinds(count, slow):
    return {
        "keys that alternate": lambda: alternating_keys(count, 400_000),
        "a long key, deflated": lambda: one_key(count, 900_000, True),
        "a long key": lambda: one_key(count, 60_000, False),
        "a long name of a mark": lambda: one_mark(count, 900_000),
        "a long path": lambda: long_path(slow),
        "the oldest write first": lambda: oldest_first(count),
        "a value that comes and goes": lambda: coming_and_going(slow, 1),
        "a list that comes and goes": lambda: coming_and_going(count, 1000),
        "maps in turn": lambda: maps_in_turn(slow),
        "elements in one place": lambda: in_one_place(count, MAKE_LIST),
        "characters in one place": lambda: in_one_place(count, MAKE_TEXT),
        "actors at once": lambda: actors_at_once(count * 4 // 5, 0),
        "fewer actors at once": lambda: actors_at_once(count * 4 // 15, 0),
        "actors at once upon much": lambda: actors_at_once(count // 10, 10_000),
        "actors in turn": lambda: actors_in_turn(count // 5),
        "messages": lambda: messages(count // 5),
        "a crossing": lambda: crossing(slow // 50),
        "changes that do nothing": lambda: empty_changes(count // 4, count),
        "names of actors": lambda: names_of_actors(4 * count),
        "columns": lambda: empty_columns(count),
    }


if __name__ == "__main__":
    directory = pathlib.Path(sys.argv[1])
    for name, make in kinds(*map(int, sys.argv[2:])).items():
        data, count = make()
        (directory / (name.replace(" ", "-").replace(",", "") + ".automerge")).write_bytes(data)
        print(f"{name}\t{count}", flush=True)
