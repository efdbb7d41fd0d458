# SPDX-License-Identifier: MIT
"""The part of JSON Schema (draft 2020-12) that docs/schemas uses. Any other keyword is an error.

A reference is '#/$defs/NAME', 'FILE' or 'FILE#/$defs/NAME', where FILE lies beside the schema.
"""
import json
import re
from pathlib import Path

TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: TYPES["number"](value) and float(value).is_integer(),
}
REMARKS = {"$schema", "$defs", "title", "description", "x-version"}


class SchemaError(Exception):
    """The schema itself is wrong."""


def same(a, b):
    """Equality of JSON values: true is not 1."""
    return type(a) is type(b) and a == b if isinstance(a, bool) or isinstance(b, bool) else a == b


class Schemas:
    """The schemas of a folder, by file name."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.loaded = {}

    def load(self, file):
        if file not in self.loaded:
            self.loaded[file] = json.loads((self.folder / file).read_text(encoding="utf-8"))
        return self.loaded[file]

    def resolve(self, reference, file):
        """(schema, the file it is in) of a reference that stands in `file`."""
        name, _, pointer = reference.partition("#")
        file = name or file
        schema = self.load(file)
        for part in pointer.split("/")[1:]:
            if part not in schema:
                raise SchemaError(f"{file}: there is no '{reference}'")
            schema = schema[part]
        return schema, file

    def problems(self, value, file):
        """What is wrong with a value, each as 'PATH: PROBLEM'."""
        return list(self.check(value, self.load(file), file, "$"))

    def check(self, value, schema, file, path):
        if not isinstance(schema, dict):
            if not isinstance(schema, bool):
                raise SchemaError(f"{file}: a schema is an object or a truth value")
            if not schema:
                yield f"{path}: not allowed"
            return
        for keyword, argument in schema.items():
            if keyword in REMARKS:
                continue
            rule = getattr(self, "rule_" + keyword.lstrip("$"), None)
            if rule is None or (keyword.startswith("$") and keyword != "$ref"):
                raise SchemaError(f"{file}: unknown keyword '{keyword}'")
            yield from rule(value, argument, schema, file, path)

    # ---- one rule per keyword ----

    def rule_ref(self, value, argument, schema, file, path):
        target, there = self.resolve(argument, file)
        yield from self.check(value, target, there, path)

    def rule_type(self, value, argument, schema, file, path):
        names = [argument] if isinstance(argument, str) else argument
        if not set(names) <= set(TYPES):
            raise SchemaError(f"{file}: unknown type {names}")
        if not any(TYPES[name](value) for name in names):
            yield f"{path}: expected {' or '.join(names)}, found {json.dumps(value)[:60]}"

    def rule_enum(self, value, argument, schema, file, path):
        if not any(same(value, one) for one in argument):
            yield f"{path}: {json.dumps(value)[:60]} is none of {', '.join(json.dumps(one) for one in argument)}"

    def rule_const(self, value, argument, schema, file, path):
        if not same(value, argument):
            yield f"{path}: expected {json.dumps(argument)}, found {json.dumps(value)[:60]}"

    def rule_minimum(self, value, argument, schema, file, path):
        if TYPES["number"](value) and value < argument:
            yield f"{path}: {value} is less than {argument}"

    def rule_maximum(self, value, argument, schema, file, path):
        if TYPES["number"](value) and value > argument:
            yield f"{path}: {value} is more than {argument}"

    def rule_pattern(self, value, argument, schema, file, path):
        if isinstance(value, str) and not re.search(argument, value):
            yield f"{path}: '{value[:60]}' does not match {argument}"

    def rule_maxLength(self, value, argument, schema, file, path):
        if isinstance(value, str) and len(value) > argument:
            yield f"{path}: more than {argument} characters"

    def rule_items(self, value, argument, schema, file, path):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.check(item, argument, file, f"{path}[{index}]")

    def rule_minItems(self, value, argument, schema, file, path):
        if isinstance(value, list) and len(value) < argument:
            yield f"{path}: fewer than {argument} items"

    def rule_maxItems(self, value, argument, schema, file, path):
        if isinstance(value, list) and len(value) > argument:
            yield f"{path}: more than {argument} items"

    def rule_properties(self, value, argument, schema, file, path):
        if isinstance(value, dict):
            for name, part in argument.items():
                if name in value:
                    yield from self.check(value[name], part, file, f"{path}.{name}")

    def rule_required(self, value, argument, schema, file, path):
        if isinstance(value, dict):
            for name in argument:
                if name not in value:
                    yield f"{path}: '{name}' is missing"

    def rule_additionalProperties(self, value, argument, schema, file, path):
        if isinstance(value, dict):
            for name in value:
                if name not in schema.get("properties", {}):
                    yield from self.check(value[name], argument, file, f"{path}.{name}")

    def rule_anyOf(self, value, argument, schema, file, path):
        found = [list(self.check(value, one, file, path)) for one in argument]
        if all(found):
            yield f"{path}: fits none of {len(argument)} forms: " + "; ".join(one[0] for one in found)

    def rule_oneOf(self, value, argument, schema, file, path):
        found = [list(self.check(value, one, file, path)) for one in argument]
        if all(found):
            yield f"{path}: fits none of {len(argument)} forms: " + "; ".join(one[0] for one in found)
        elif found.count([]) > 1:
            yield f"{path}: fits {found.count([])} forms"
