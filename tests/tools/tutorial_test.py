# SPDX-License-Identifier: MIT
"""Runs the sessions of the tutorial, the README and other pages; console.py says how a page marks them."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import console  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402


@needs_program
class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.has = console.available(PROGRAM)

    def run_page(self, name, least):
        text = (ROOT / name).read_text(encoding="utf-8")
        ran = [step for step in console.read_page(text) if isinstance(step, console.Command)]
        self.assertGreaterEqual(len(ran), least)
        problems, skipped = console.run_page(text, PROGRAM, self.has)
        self.assertEqual(problems, [], f"{name}:\n" + "\n\n".join(problems))
        # What could run was compared; the rest of the page needs what this machine does not have.
        if skipped:
            self.skipTest("; ".join(skipped))

    def test_tutorial(self):
        self.run_page("docs/tutorial.md", 15)

    def test_readme(self):
        self.run_page("README.md", 3)

    def test_command_line(self):
        self.run_page("docs/command-line.md", 4)

    def test_race(self):
        self.run_page("docs/race.md", 5)

    def test_hip(self):
        self.run_page("docs/hip.md", 1)

    def test_prove(self):
        self.run_page("docs/prove.md", 2)

    def test_programs_as_they_are(self):
        self.run_page("docs/driver.md", 1)

    def test_project_file(self):
        self.run_page("docs/project-file.md", 1)

    def test_campaigns(self):
        self.run_page("docs/campaigns.md", 5)


if __name__ == "__main__":
    unittest.main()
