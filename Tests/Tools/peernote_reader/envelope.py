"""The envelope, and the order of sets in the view."""

import hashlib

from .cbor import CBOR, Fault, of_type, require, tagged, whole_item


class Envelope:
    def __init__(self, data):
        require(len(data) < 1 << 31, "a file that is too long")
        item = whole_item(data)
        for number in (55799, 0x706E6F74):
            require(item[0] == "tag" and item[1] == number, "not a peernote document")
            item = item[2]
        parts = of_type(item, "array", "not a peernote document")
        require(len(parts) > 1 and parts[0] == ("int", 0), "the envelope's zero")
        require(parts[1] == ("int", 1), "another version of the format")
        require(len(parts) == 5, "the envelope's length")
        self.identifier = tagged(parts[2], 37, "bytes", "the identifier")
        require(len(self.identifier) == 16, "the identifier's length")
        digest = hashlib.sha256(data[:-34]).digest()
        require(parts[4] == ("bytes", digest), "the checksum does not match")
        self.known, self.optional = {}, []
        for key, content in of_type(parts[3], "map", "the sections"):
            number = of_type(key, "int", "a section's number")
            require(number >= 1, "a section's number")
            if number <= 4:
                self.known[number] = content
            else:
                require(number >= 128, f"an unknown section {number} that must not be ignored")
                require(levels(content) <= 64, f"section {number} is nested too deep")
                self.optional.append([number, self.encoded(data, number)])
        require({1, 2, 3} <= set(self.known), "a section is missing")

    @staticmethod
    def encoded(data, wanted):
        reader = CBOR(data, 9)  # after the tags and the head of the array
        for _ in range(3):
            reader.item()
        _, _, count = reader.head()
        for _ in range(count):
            number = reader.item()[1]
            start = reader.offset
            reader.item()
            if number == wanted:
                return data[start:reader.offset].hex()
        raise Fault("a section is missing")


def levels(item):
    """How many arrays, maps and tags an item holds inside each other, itself included."""
    inside = {"array": item[1], "tag": item[2:],
              "map": [part for entry in item[1] for part in entry] if item[0] == "map" else ()}
    if item[0] not in inside:
        return 0
    return 1 + max(map(levels, inside[item[0]]), default=0)


def check_sets(data):
    """Checks that the members of all sets in the view ascend by their encodings."""
    reader = CBOR(data, 9)
    for _ in range(3):
        reader.item()
    reader.head()
    reader.item()
    reader.item()
    reader.item()
    check_sets_in(reader)


def check_sets_in(reader):
    major, _, argument = reader.head()
    if major == 6 and argument == 258:
        _, _, count = reader.head()
        previous = b""
        for _ in range(count):
            start = reader.offset
            reader.item()
            encoded = reader.data[start:reader.offset]
            require(previous < encoded, "the members of a set are out of order")
            previous = encoded
    elif major in (2, 3):
        reader.take(argument)
    elif major in (4, 5, 6):
        for _ in range({4: argument, 5: 2 * argument, 6: 1}[major]):
            check_sets_in(reader)
