# SPDX-License-Identifier: MIT
"""The page of each class of findings, docs/classes/ID.md: its kernel shows that class and no other."""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import console  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

RACE = PROGRAM.parent / "weakspot-race"
TABLE = (ROOT / "src" / "race" / "race" / "finding" / "classes.cpp").read_text(encoding="utf-8")
CLASSES = re.findall(r'\{ClassId::\w+, "(\w+)", "([\w-]+)"', TABLE)


def page(name):
    return (ROOT / "docs" / "classes" / f"{name}.md").read_text(encoding="utf-8")


class Pages(unittest.TestCase):
    def test_every_class_has_one(self):
        self.assertGreaterEqual(len(CLASSES), 16)
        table = (ROOT / "docs" / "race.md").read_text(encoding="utf-8")
        for name, long_name in CLASSES:
            self.assertTrue(page(name).startswith(f"# {name}: {long_name}\n"), name)
            self.assertIn(f"(classes/{name}.md)", table)


@unittest.skipUnless(RACE.exists(), f"{RACE} is not built")
class Kernels(FolderTest):
    def test_each_shows_its_class_alone(self):
        for name, _ in CLASSES:
            with self.subTest(name):
                kernel = next(step for step in console.read_page(page(name)) if isinstance(step, console.File))
                (self.folder / kernel.name).write_text(kernel.text, encoding="utf-8")
                weak = ["--weak"] if name == "V1" else []
                done = subprocess.run([RACE, kernel.name, "--json", *weak], cwd=self.folder, stdout=subprocess.PIPE,
                                      timeout=60)
                found = {finding["class"] for finding in json.loads(done.stdout)["findings"]}
                self.assertEqual(found, {name})

    def test_explanations_show_the_pages(self):
        for name, long_name in CLASSES:
            with self.subTest(name):
                texts = [subprocess.run([RACE, "--explain", word], stdout=subprocess.PIPE, text=True, check=True).stdout
                         for word in (name, name.lower(), long_name)]
                self.assertEqual(texts, texts[:1] * 3)
                kernel = next(step for step in console.read_page(page(name)) if isinstance(step, console.File))
                for line in kernel.text.splitlines():
                    self.assertIn(f"    {line}\n", texts[0])


@needs_program
@unittest.skipUnless(RACE.exists(), f"{RACE} is not built")
class Sessions(unittest.TestCase):
    def test_pages_say_what_is_printed(self):
        has = console.available(PROGRAM)
        for name, _ in CLASSES:
            with self.subTest(name):
                problems, _ = console.run_page(page(name), PROGRAM, has)
                self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
