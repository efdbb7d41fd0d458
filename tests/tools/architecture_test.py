# SPDX-License-Identifier: MIT
"""docs/architecture.md and the pages of the wings are true: wings, modules, rooms, and the files that walks name."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
TABLE = (ROOT / "cmake" / "modules.cmake").read_text(encoding="utf-8")
WINGS = re.findall(r"^weakspot_wing\((\w+)", TABLE, re.MULTILINE)


def page_of(wing):
    return (ROOT / "docs" / "wings" / f"{wing}.md").read_text(encoding="utf-8")


def section(page, title):
    return re.search(rf"^## {title}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL).group(1)


def modules_of(wing):
    part = re.search(rf"^weakspot_wing\({wing}\b(.*?)(?=^weakspot_wing|\Z)", TABLE, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"^weakspot_module\((\w+)", part, re.MULTILINE)


class Architecture(unittest.TestCase):
    def test_the_picture_and_the_list_have_every_wing(self):
        picture = PAGE.split("```")[1]
        for wing in WINGS:
            self.assertRegex(picture, rf"[│►] {wing}\b")
            self.assertIn(f"| `{wing}` |", PAGE)
            self.assertIn(f"(wings/{wing}.md)", PAGE)
        self.assertCountEqual(WINGS, [path.stem for path in (ROOT / "docs" / "wings").glob("*.md")])

    def test_each_page_has_the_modules_of_its_wing(self):
        for wing in WINGS:
            with self.subTest(wing):
                self.assertCountEqual(re.findall(r"^\| `(\w+)` \|", section(page_of(wing), "Modules"), re.MULTILINE),
                                      modules_of(wing))

    def test_each_page_has_the_rooms_of_its_wing(self):
        for wing in WINGS:
            with self.subTest(wing):
                rooms = {f"{module}/{room.name}" for module in modules_of(wing)
                         for room in (ROOT / "src" / wing / module).iterdir() if room.is_dir()}
                page = page_of(wing)
                written = set()
                if "\n## Rooms\n" in page:
                    for cell in re.findall(r"^\| (`[^|]*`) \|", section(page, "Rooms"), re.MULTILINE):
                        # One row may name several: `race_jit/nvcc, link`, or `mcp/tools, python/judge`.
                        module = ""
                        for name in re.findall(r"[\w/]+", cell):
                            module = name.partition("/")[0] if "/" in name else module
                            written.add(name if "/" in name else f"{module}/{name}")
                self.assertEqual(sorted(written), sorted(rooms))

    def test_walks_are_short_and_have_as_many_stops_as_the_table_says(self):
        rows = re.findall(r"^\| [^|]* \| (\d+) \| \[\w+\]\(wings/(\w+)\.md#([\w-]+)\) \|$", PAGE, re.MULTILINE)
        self.assertEqual(len(rows), 4)
        for stops, wing, anchor in rows:
            titles = {re.sub(r"[^\w]+", "-", title.lower()): title
                      for title in re.findall(r"^## (.*)$", page_of(wing), re.MULTILINE)}
            walk = section(page_of(wing), re.escape(titles[anchor]))
            self.assertEqual(int(stops), len(re.findall(r"^\d+\. ", walk, re.MULTILINE)), titles[anchor])
            self.assertLessEqual(int(stops), 8)


if __name__ == "__main__":
    unittest.main()
