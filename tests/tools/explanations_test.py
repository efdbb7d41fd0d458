# SPDX-License-Identifier: MIT
"""The page of explanations is what the program prints for the tests on it.

  python3 tests/tools/explanations_test.py --write     puts the program's answers into the page
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import console  # noqa: E402
from support import PROGRAM, ROOT, needs_program  # noqa: E402

PAGE = ROOT / "docs" / "explanations.md"
SESSION = re.compile(r"^```console\n\$ (.*)\n(?:.*\n)*?```$", re.MULTILINE)


def answered(text):
    """The page with the output of each session as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        for step in console.read_page(text):
            if isinstance(step, console.File):
                Path(folder, step.name).write_text(step.text, encoding="utf-8")
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "TERM": "dumb", "NO_COLOR": "1",
                       "COLUMNS": "80"}

        def session(match):
            done = subprocess.run(["sh", "-c", match.group(1)], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=console.TIMEOUT)
            return f"```console\n$ {match.group(1)}\n{done.stdout.decode()}```"

        return SESSION.sub(session, text)


@needs_program
class Explanations(unittest.TestCase):
    def test_page(self):
        text = PAGE.read_text(encoding="utf-8")
        self.assertGreaterEqual(len(SESSION.findall(text)), 12)
        self.assertEqual(answered(text), text, "explanations_test.py --write writes the page")

    def test_width(self):
        for match in SESSION.finditer(PAGE.read_text(encoding="utf-8")):
            for line in match.group(0).split("\n"):
                self.assertLessEqual(len(line), 80, line)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(answered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
