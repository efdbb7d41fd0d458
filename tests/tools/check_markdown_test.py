# SPDX-License-Identifier: MIT
"""Tests of tools/check_markdown on pages that break one rule each."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, load_tool  # noqa: E402

WIDE = "word " * 20 + "word"  # 104 columns
LONG_WORD = "x" * 130


class CheckMarkdown(unittest.TestCase):
    def run_on(self, text, **others):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text(text, encoding="utf-8")
            for name, content in others.items():
                Path(folder, name + ".md").write_text(content, encoding="utf-8")
            done = subprocess.run([sys.executable, ROOT / "tools" / "check_markdown", page],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            return done.returncode, done.stdout.decode().replace(str(page), "page.md")

    def assert_fine(self, text, **others):
        self.assertEqual(self.run_on(text, **others), (0, "markdown: 1 pages, 0 problems\n"))

    def assert_problem(self, text, problem, **others):
        self.assertEqual(self.run_on(text, **others), (1, f"page.md:{problem}\nmarkdown: 1 pages, 1 problem\n"))

    def test_prose(self):
        self.assert_fine("# Title\n\n" + WIDE[:100] + "\n")
        self.assert_problem("# Title\n\n" + WIDE + "\n", "3: 104 columns, more than 100")

    def test_columns_are_characters(self):
        self.assert_fine("▇" * 50 + " " + "é" * 49 + "\n")

    def test_tables_may_be_wider(self):
        self.assert_fine("| a |\n|---|\n| " + WIDE + " |\n")
        self.assert_problem("| " + WIDE * 2 + " |\n", "1: 212 columns, more than 125")

    def test_code_may_be_any_width(self):
        self.assert_fine("```\n" + WIDE * 3 + "\n```\n\n- ```console\n  " + WIDE * 2 + "\n  ```\n")
        self.assert_problem("```\ncode\n```\n" + WIDE + "\n", "4: 104 columns, more than 100")
        self.assert_fine("````\n```\n" + WIDE + "\n````\n")

    def test_words_that_cannot_be_broken(self):
        self.assert_fine(f"{LONG_WORD}\n- [{WIDE}](https://example.org)\n2. `{WIDE}`\n")
        self.assert_problem(f"so {LONG_WORD}\n", "1: 133 columns, more than 100")

    def test_links(self):
        self.assert_fine("[a](other.md) [b](other.md#a-heading-of-it) [c](https://example.org/x) [d](#here)\n\n# Here\n",
                         other="# Other\n\n## A `heading`, of it\n")
        self.assert_problem("[a](none.md)\n", "1: link to a missing file 'none.md'")
        self.assert_problem("[a](other.md#b)\n", "1: link to a missing heading 'other.md#b'",
                            other="# A\n\n```\n# b\n```\n")
        self.assert_problem("# A\n\n[a](#b)\n", "3: link to a missing heading '#b'")
        self.assert_fine("`[a](none.md)`\n\n```\n[a](none.md)\n```\n")


    def test_paths(self):
        self.assert_fine("`tools/check_markdown`, `tools/*`, `src/MODULE/x_test.cpp`, `tests/golden/**/*.golden`, `src/`\n")
        self.assert_problem("`src/none/such.h`\n", "1: there is no 'src/none/such.h'")
        self.assert_fine("```\n`src/none/such.h`\n```\n")


class Pages(unittest.TestCase):
    def test_the_pages_of_the_repository(self):
        done = subprocess.run([sys.executable, ROOT / "tools" / "check_markdown"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_pictures_that_no_page_shows(self):
        tool = load_tool("check_markdown")
        pictures = [Path("docs/page/run.png"), Path("docs/page/old.png")]
        self.assertEqual(tool.unseen_pictures(pictures, ["![a run](page/run.png)", "old"]), [pictures[1]])

    def test_names_of_the_code(self):
        """Functions and constants that the pages for programmers name exist."""
        code = "\n".join(path.read_text(encoding="utf-8") for kind in ("*.h", "*.cpp") for path in (ROOT / "src").rglob(kind))
        words = set(re.findall(r"\w+", code))
        for page in ("docs/extending.md", "docs/how-it-works.md"):
            named = re.findall(r"`(?:\w+::)*(\w+\(\)|k[A-Z]\w+)`", (ROOT / page).read_text(encoding="utf-8"))
            self.assertGreater(len(named), 0)
            self.assertEqual([name for name in named if name.removesuffix("()") not in words], [], page)


if __name__ == "__main__":
    unittest.main()
