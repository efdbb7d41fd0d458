# SPDX-License-Identifier: MIT
"""docs/architecture.md is true: its modules, its rooms, and the files that its walks name."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def section(title):
    return re.search(rf"^## {title}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL).group(1)


class Architecture(unittest.TestCase):
    def test_the_table_of_modules_is_the_module_table(self):
        table = (ROOT / "cmake" / "modules.cmake").read_text(encoding="utf-8")
        modules = re.findall(r"^weakspot_module\((\w+)", table, re.MULTILINE)
        self.assertCountEqual(re.findall(r"^\| `(\w+)` \|", section("Modules"), re.MULTILINE), modules)

    def test_the_picture_shows_every_room(self):
        picture = section("Rooms").split("```")[1]
        drawn = {}
        for line in picture.splitlines():
            if match := re.match(r"([a-z_]+)\s", line):
                module = match.group(1)
            drawn.setdefault(module if line.strip() else "", set()).update(re.findall(r"\b([a-z0-9_]+)/", line))
        for module in sorted((ROOT / "src").iterdir()):
            rooms = {room.name for room in module.iterdir() if room.is_dir()}
            self.assertEqual(rooms, drawn.get(module.name, set()), module.name)

    def test_walks_are_short_and_name_files(self):
        walks = re.findall(r"(?:^\d+\. .*(?:\n   .*)*\n)+", section("Four walks"), re.MULTILINE)
        self.assertEqual(len(walks), 4)
        for walk in walks:
            stops = re.findall(r"^\d+\. `([a-z_0-9/]+\.cpp)`", walk, re.MULTILINE)
            self.assertEqual(len(stops), len(re.findall(r"^\d+\. ", walk, re.MULTILINE)), walk)
            self.assertLessEqual(len(stops), 8)
            for stop in stops:
                self.assertTrue((ROOT / "src" / stop).is_file(), stop)


if __name__ == "__main__":
    unittest.main()
