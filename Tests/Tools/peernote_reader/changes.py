"""Changes as JSON."""

from .values import content_json, value_json


def edit_json(log, row, first, end, inserted, numbers):
    """What the events of a row in first..<end did."""
    container = log.containers[row.container].created
    edit = {"edit": row.kind, "in": "root" if container is None else log.name(container)}
    offset, count = first - row.first, end - first
    event_name = lambda event: None if event is None else log.name(event)
    if row.kind == "insert text":
        edit["at"] = row.at + offset
        edit["text"] = "".join(inserted[event] for event in range(first, end))
    elif row.kind == "delete text":
        backward = row.backward and count > 1
        edit["at"] = row.at + row.first + row.count - end if row.backward else row.at
        edit["count"], edit["backward"] = count, backward
        scalars = [log.deleted[numbers[event]] for event in range(first, end)]
        scalars = scalars[::-1] if backward else scalars
        edit["text"] = None if None in scalars else "".join(scalars)
    elif row.kind in ("put", "remove"):
        edit["key"] = row.key
        if row.kind == "put":
            edit["content"] = content_json(row.contents[0])
    elif row.kind == "insert elements":
        edit["left"] = event_name(row.left if offset == 0 else first - 1)
        edit["right"] = event_name(row.right)
        edit["contents"] = [content_json(item) for item in row.contents[offset:offset + count]]
    elif row.kind in ("put element", "move element", "remove element"):
        edit["element"] = log.name(row.element)
        if row.kind == "put element":
            edit["content"] = content_json(row.contents[0])
        elif row.kind == "move element":
            edit["left"], edit["right"] = event_name(row.left), event_name(row.right)
    else:
        edit["value"] = value_json(row.contents[0])
    return edit


def changes_json(log, inserted, numbers):
    result = []
    index = 0
    for change in log.changes:
        end = change.first + change.count
        edits = []
        while index < len(log.rows) and log.rows[index].first < end:
            row = log.rows[index]
            edits.append(edit_json(log, row, max(row.first, change.first),
                                   min(row.first + row.count, end), inserted, numbers))
            if row.first + row.count > end:
                break
            index += 1
        result.append({
            "change": change.name,
            "parents": [parent.name for parent in
                        sorted(change.parents, key=lambda parent: (parent.agent, parent.sequence))],
            "time": str(change.time), "author": change.author, "message": change.message,
            "edits": edits})
    return result
