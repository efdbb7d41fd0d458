# SPDX-License-Identifier: MIT
"""The glossary has the words of verdicts that the program can print, and no others."""
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Fields whose words are verdicts.
FIELDS = {"verdict", "condition", "class", "status", "severity", "end", "state"}


def words_of_schemas():
    """The words that fields of JSON may have, with where they come from."""
    words = {}

    def visit(name, node, file):
        if isinstance(node, list):
            for part in node:
                visit(name, part, file)
        elif isinstance(node, dict):
            if name in FIELDS:
                words.update({word: file for word in node.get("enum", []) if re.search("[a-z]{2}", word, re.I)})
            for key, part in node.items():
                visit(key if key not in ("items", "anyOf", "oneOf") else name, part, file)

    for path in sorted((ROOT / "docs" / "schemas").glob("*.json")):
        visit("", json.loads(path.read_text()), path.name)
    return words


def words_of_text():
    """The words that begin lines of results: those that have a colour, changes between scores, states of campaigns."""
    paint = (ROOT / "src" / "common" / "console" / "text" / "paint.cpp").read_text()
    changes = (ROOT / "src" / "run" / "campaign" / "conform" / "score_compare.cpp").read_text()
    found = {}
    for name, text, table in (("paint.cpp", paint, "kVerdicts"), ("score_compare.cpp", changes, "kChanges")):
        body = re.search(rf"{table}\[\] = {{(.*?)\n}};", text, re.S).group(1)
        found.update({word.rstrip(":"): name for word in re.findall(r'{"([^"]+)", ', body)})
    states = (ROOT / "src" / "faces" / "cli" / "display" / "status_text.cpp").read_text()
    body = re.search(r"state_word\(.*?\n}", states, re.S).group(0)
    found.update({word: "status_text.cpp" for word in re.findall(r'"(\w+)"', body)})
    return found


class Glossary(unittest.TestCase):
    def setUp(self):
        page = (ROOT / "docs" / "glossary.md").read_text()
        table = page[page.index("## Words of verdicts"):page.index("## The program")]
        rows = re.findall(r"(?m)^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$", table)
        self.explained = {word for words, _, _ in rows for word in re.findall("`([^`]+)`", words)}
        self.heads = re.findall(r"(?m)^\*\*([^*]+?)\.?\*\*", page)

    def test_every_word_is_explained(self):
        printed = {**words_of_schemas(), **words_of_text()}
        self.assertGreater(len(printed), 50)
        self.assertEqual({word: file for word, file in printed.items() if word not in self.explained}, {})

    def test_every_explained_word_is_printed(self):
        self.assertEqual(self.explained - set(words_of_schemas()) - set(words_of_text()), set())

    def test_an_entry_is_there_once(self):
        self.assertGreater(len(self.heads), 80)
        self.assertEqual([head for head in set(self.heads) if self.heads.count(head) > 1], [])


if __name__ == "__main__":
    unittest.main()
