"""Values and contents: see "View" and "Values" in peernote(5)."""

import uuid

from .cbor import require, of_type


NEW_CONTAINERS = {
    "map": ("map", []),
    "list": ("array", []),
    "text": ("tag", 61556, ("text", "")),
    "set": ("tag", 258, ("array", [])),
    "counter": ("tag", 61539, ("int", 0)),
}


def int64(item):
    number = of_type(item, "int", "an integer was expected")
    require(-(1 << 63) <= number < 1 << 63, "an integer of more than 64 bits")
    return number


def value_json(item):
    """A value as JSON; refuses items that are no values."""
    kind = item[0]
    if kind == "simple":
        return {"null": None} if item[1] is None else {"bool": item[1]}
    if kind == "int":
        return {"integer": str(int64(item))}
    if kind == "float":
        return {"double": format(item[1], "016x")}
    if kind == "text":
        return {"string": item[1]}
    if kind == "bytes":
        return {"bytes": item[1].hex()}
    require(kind == "tag", "an item that is no value")
    if item[1] == 37:
        content = of_type(item[2], "bytes", "a UUID is a byte string")
        require(len(content) == 16, "a UUID of another length")
        return {"uuid": str(uuid.UUID(bytes=content))}
    require(item[1] == 1001, "a tag that is no value")
    entries = of_type(item[2], "map", "a time is a map")
    keys = [key for key, _ in entries]
    require(keys in ([("int", 1)], [("int", 1), ("int", -3)]), "a time's keys")
    milliseconds = 1000 * int64(entries[0][1])
    if len(entries) == 2:
        rest = int64(entries[1][1])
        require(1 <= rest <= 999, "a time's milliseconds")
        milliseconds += rest
    require(-(1 << 63) <= milliseconds < 1 << 63, "a time of more than 64 bits")
    return {"timestamp": str(milliseconds)}


def container_kind(item):
    """The kind of container that an item of the values column creates, or None for a value."""
    for kind, new in NEW_CONTAINERS.items():
        if item == new:
            return kind
    value_json(item)
    return None


def content_json(item):
    kind = container_kind(item)
    return value_json(item) if kind is None else {kind: {"text": "", "counter": "0"}.get(kind, [])}
