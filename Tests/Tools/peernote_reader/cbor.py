"""Items in core deterministic encoding (RFC 8949, section 4.2.1).

Items are tuples: ("int", n), ("bytes", b), ("text", s), ("array", [item, …]),
("map", [(key, item), …]), ("tag", number, item), ("float", bits), ("simple", False/True/None).
"""

import struct


class Fault(Exception):
    """The file is not as the manual page says."""


def require(condition, reason):
    if not condition:
        raise Fault(reason)


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
                kept = struct.unpack(shorter, struct.pack(shorter, value))[0]
                fits = struct.pack(">d", kept) == bits
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
