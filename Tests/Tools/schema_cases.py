#!/usr/bin/env python3
"""Makes random JSON Schemas and values, with the verdicts of Python's jsonschema.

    schema_cases.py SEED COUNT > cases.json
    PEERNOTE_SCHEMA_CASES=cases.json swift test --filter SchemaCaseTests

What that library (4.26) gets wrong is not made: multiples of fractions, which it divides as
binary numbers; what it takes for evaluated by additionalProperties with a schema, by unevaluated
keywords inside others and by items without additionalItems; dynamic scopes in 2019-09.
"""

import json
import random
import sys

from jsonschema import validators
from jsonschema.exceptions import SchemaError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DRAFTS = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
]
NAMES = ["a", "b", "xa", "c/d", "~", "\u00e9", "e\u0301"]
PATTERNS = ["^x", "a", "^.$", "[b-d]", "^\u00e9$", "^e\u0301$", "^(a|b)+$", "\\d{2,}", "^$"]
STRINGS = ["", "a", "ab", "xa", "\u00e9", "e\u0301", "12", "aab", "\u65e5\u672c"]
NUMBERS = [0, 1, 2, 3, -1, 7, 12, 0.5, 2.5, -3.25, 1e3, 2**53 + 1, 2**63 - 1, -(2**63)]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, values):
        return self.random.choice(values)

    def some(self, values, most=3):
        return self.random.sample(values, self.random.randint(1, min(most, len(values))))

    def value(self, depth=3):
        kind = self.random.randint(0, 9 if depth else 6)
        if kind == 0:
            return None
        if kind == 1:
            return self.pick([True, False])
        if kind <= 4:
            return self.pick(NUMBERS)
        if kind <= 6:
            return self.pick(STRINGS)
        if kind == 7:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 4))]
        return {
            name: self.value(depth - 1)
            for name in self.random.sample(NAMES, self.random.randint(0, 4))
        }

    def schema(self, draft, depth=3):
        """A schema of a draft, 0 for draft-04 up to 4 for 2020-12."""
        if self.random.random() < 0.08 and draft > 0:
            return self.pick([True, False])
        result = {}
        for _ in range(self.random.randint(1, 3)):
            self.add_keyword(result, draft, depth)
        if draft >= 3 and depth > 1 and self.random.random() < 0.2:
            self.add_unevaluated(result, draft, depth)
        return result

    def schemas(self, draft, depth):
        return [self.schema(draft, depth - 1) for _ in range(self.random.randint(1, 3))]

    def named(self, names, draft, depth):
        return {name: self.schema(draft, depth - 1) for name in self.some(names)}

    def reference(self, draft):
        choices = ["#/definitions/one", "#/definitions/two/properties/a", "#/definitions/%C3%A9"]
        if draft >= 3:
            choices += ["#anchor", "inner.json", "inner.json#anchor"]
        if draft == 4:
            choices += ["other.json", "other.json#/$defs/three"]
        return self.pick(choices)

    def add_keyword(self, result, draft, depth):
        simple = [
            ("type", lambda: self.pick(["integer", "number", "string", "object", "array",
                                        "null", "boolean", ["integer", "string"]])),
            ("enum", lambda: [self.value(1) for _ in range(self.random.randint(1, 4))]),
            ("minimum", lambda: self.pick(NUMBERS)),
            ("maximum", lambda: self.pick(NUMBERS)),
            ("multipleOf", lambda: self.pick([1, 2, 3, 7, 0.5, 0.25])),
            ("minLength", lambda: self.random.randint(0, 3)),
            ("maxLength", lambda: self.random.randint(0, 3)),
            ("pattern", lambda: self.pick(PATTERNS)),
            ("minItems", lambda: self.random.randint(0, 3)),
            ("maxItems", lambda: self.random.randint(0, 3)),
            ("uniqueItems", lambda: self.pick([True, False])),
            ("required", lambda: self.some(NAMES)),
            ("minProperties", lambda: self.random.randint(0, 3)),
            ("maxProperties", lambda: self.random.randint(0, 3)),
        ]
        if draft > 0:
            simple.append(("const", lambda: self.value(1)))
        if draft > 0:
            simple += [("exclusiveMinimum", lambda: self.pick(NUMBERS)),
                       ("exclusiveMaximum", lambda: self.pick(NUMBERS))]
        if draft >= 3:
            simple.append(("dependentRequired", lambda: {self.pick(NAMES): self.some(NAMES)}))
        else:
            simple.append(("dependencies", lambda: {
                self.pick(NAMES): self.pick([self.some(NAMES), self.schema(draft, 1)])}))
        if depth == 0:
            name, make = self.pick(simple)
            result[name] = make()
            return
        inner = [
            ("properties", lambda: self.named(NAMES, draft, depth)),
            ("patternProperties", lambda: self.named(PATTERNS, draft, depth)),
            ("additionalProperties", lambda: self.schema(draft, depth - 1)),
            ("allOf", lambda: self.schemas(draft, depth)),
            ("anyOf", lambda: self.schemas(draft, depth)),
            ("oneOf", lambda: self.schemas(draft, depth)),
            ("not", lambda: self.schema(draft, depth - 1)),
            ("items", lambda: self.schema(draft, depth - 1)),
            ("$ref", lambda: self.reference(draft)),
        ]
        if draft > 0:
            inner += [("contains", lambda: self.schema(draft, depth - 1)),
                      ("propertyNames", lambda: self.schema(draft, depth - 1))]
        if draft >= 3:
            inner.append(("dependentSchemas", lambda: self.named(NAMES, draft, depth)))
        if draft == 4:
            inner.append(("prefixItems", lambda: self.schemas(draft, depth)))
            inner.append(("$dynamicRef", lambda: "#dynamic"))
        name, make = self.pick(simple + inner)
        result[name] = make()
        if name == "items" and draft < 4 and self.random.random() < 0.5:
            result["items"] = self.schemas(draft, depth)
            if self.random.random() < 0.5:
                result["additionalItems"] = self.schema(draft, depth - 1)
        if name == "contains" and draft >= 3:
            if self.random.random() < 0.5:
                result["minContains"] = self.random.randint(0, 2)
            if self.random.random() < 0.5:
                result["maxContains"] = self.random.randint(0, 3)
        if name == "minimum" and draft == 0:
            result["exclusiveMinimum"] = self.pick([True, False])
        if name == "not" and draft >= 2:
            result["if"] = self.schema(draft, depth - 1)
            result[self.pick(["then", "else"])] = self.schema(draft, depth - 1)

    def add_unevaluated(self, result, draft, depth):
        """Adds an unevaluated keyword beside keywords whose effect on it the library knows."""
        for name in list(result):
            if name not in ("type", "required", "minProperties"):
                del result[name]

        def part():
            schema = {"properties": {name: self.pick([True, {"type": "string"}])
                                     for name in self.some(NAMES)}}
            if self.random.random() < 0.4:
                schema["required"] = self.some(NAMES, 1)
            return schema

        if self.random.random() < 0.7:
            result["properties"] = part()["properties"]
        for name in self.some(["allOf", "anyOf", "oneOf"], 2):
            result[name] = [part() for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.3:
            result["if"], result["then"] = part(), part()
        result["unevaluatedProperties"] = self.pick([False, {"type": "number"}])
        if draft == 4 and self.random.random() < 0.5:
            result["prefixItems"] = [True] * self.random.randint(1, 2)
            result["unevaluatedItems"] = False

    def case(self):
        draft = self.random.randrange(5)
        root = self.schema(draft)
        if not isinstance(root, dict):
            root = {"allOf": [root]} if draft else {}
        if draft < 3 and "$ref" in root:
            del root["$ref"]
        root["$schema"] = DRAFTS[draft]
        root["definitions"] = {
            "one": self.schema(draft, 1),
            "two": {"properties": {"a": self.schema(draft, 1)}},
            "\u00e9": self.schema(draft, 1),
            "e\u0301": self.schema(draft, 1),
        }
        others = []
        if draft >= 3:
            root["$id"] = "https://example.org/root.json"
            root["definitions"]["four"] = {"$anchor": "anchor", "type": self.pick(["string", "array"])}
            inner = {"$id": "inner.json", "definitions": {
                "x": {"$anchor": "anchor", "type": self.pick(["object", "integer"])}}}
            if draft == 4:
                inner["definitions"]["y"] = {
                    "$dynamicAnchor": "dynamic", "minimum": self.pick(NUMBERS)}
                inner["additionalProperties"] = {"$dynamicRef": "#dynamic"}
                root["definitions"]["z"] = {
                    "$dynamicAnchor": "dynamic", "type": self.pick(["number", "string"])}
            # What references from inside can lead to.
            for name in ("one", "two", "\u00e9"):
                inner["definitions"][name] = root["definitions"][name]
            root["definitions"]["five"] = inner
            if draft == 4:
                three = {"type": self.pick(["string", "number"]), "minLength": 2}
                others = [{"uri": "https://example.org/other.json", "schema": {
                    "$schema": DRAFTS[4], "$defs": {"three": three},
                    "items": {"$ref": "#/$defs/three"}}}]
        return draft, root, others


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    maker = Maker(seed)
    cases = []
    while len(cases) < count:
        draft, root, others = maker.case()
        registry = Registry().with_resources(
            (o["uri"], Resource.from_contents(o["schema"], DRAFT202012)) for o in others)
        validator = validators.validator_for(root)
        try:
            validator.check_schema(root)
        except SchemaError:
            continue
        check = validator(root, registry=registry)
        tests = []
        for _ in range(12):
            data = maker.value()
            try:
                tests.append({"data": data, "valid": check.is_valid(data)})
            except RecursionError:
                break
        else:
            cases.append({"description": f"seed {seed}, number {len(cases)}",
                          "schema": root, "others": others, "tests": tests})
    json.dump(cases, sys.stdout)


main()
