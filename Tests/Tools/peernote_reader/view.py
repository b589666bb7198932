"""The view, held against what follows from the log."""

from .cbor import of_type, require, tagged
from .values import value_json


class View:
    """Goes over the view and the objects of the log side by side, and writes the content."""

    def __init__(self, item, log, objects):
        self.log, self.objects = log, objects
        self.texts, self.conflicts = {}, []
        pair = of_type(item, "array", "the view is a pair")
        require(len(pair) == 2, "the view is a pair")
        self.content = self.container(0, pair[0], "")
        removed = [number for number, container in enumerate(log.containers)
                   if container.kind == "text" and number not in self.texts]
        texts = of_type(pair[1], "array", "the removed texts are an array")
        require(len(texts) == len(removed), "the number of removed texts")
        self.removed = [of_type(text, "text", "a removed text") for text in texts]
        self.texts.update(zip(removed, self.removed))

    def container(self, number, item, path):
        kind = self.log.containers[number].kind
        wrong = f"the view does not agree with the log at {path or 'the root'}"
        if kind == "map":
            children = self.objects.map_children(number)
            entries = of_type(item, "map", wrong)
            keys = [("text", child[0]) for child in children]
            require([key for key, _ in entries] == keys, wrong)
            return {"map": [
                [child[0], self.child(child, content, path + "/" + escaped(child[0]))]
                for child, (_, content) in zip(children, entries)]}
        if kind == "list":
            children = self.objects.list_children(number)
            items = of_type(item, "array", wrong)
            require(len(children) == len(items), wrong)
            return {"list": [self.child(child, content, f"{path}/{index}")
                             for index, (child, content) in enumerate(zip(children, items))]}
        if kind == "text":
            self.texts[number] = tagged(item, 61556, "text", wrong)
            return {"text": self.texts[number]}
        if kind == "set":
            items = tagged(item, 258, "array", wrong)
            expected = self.objects.set_members(number)
            require(len(items) == len(expected) and all(item in expected for item in items), wrong)
            return {"set": [value_json(item) for item in items]}
        total = self.objects.counter(number)
        require(item == ("tag", 61539, ("int", total)), wrong)
        return {"counter": str(total)}

    def child(self, child, item, path):
        _, shown, others, survived = child
        if others or survived:
            names = sorted((self.log.sort_name(entry.event), entry.event) for entry in others)
            self.conflicts.append({
                "path": path, "shown": self.log.name(shown.event),
                "others": [self.log.name(event) for _, event in names], "survived": survived})
        number = self.objects.number.get(shown.event)
        if number is not None:
            return self.container(number, item, path)
        expected = shown.content
        if expected[0] == "bytes" and len(expected[1]) >= 256:
            expected = ("tag", 61538, ("int", shown.value_number))
        require(item == expected, f"the view does not agree with the log at {path}")
        return value_json(shown.content)


def escaped(token):
    return token.replace("~", "~0").replace("/", "~1")
