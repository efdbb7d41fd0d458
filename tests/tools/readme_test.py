# SPDX-License-Identifier: MIT
"""Compares what the README and the pages about the architecture say with the tree and the program."""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, needs_program  # noqa: E402

LONGEST = 120
README = (ROOT / "README.md").read_text(encoding="utf-8")


def ask(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, check=True, text=True).stdout


class Readme(unittest.TestCase):
    def assert_count(self, pattern, actual):
        """The README says a number at the place of N, and it is `actual`."""
        found = re.search(pattern.replace(" ", r"\s+").replace("N", r"([\d,]+)"), README)
        self.assertIsNotNone(found, f"the README no longer says '{pattern}'")
        self.assertEqual(int(found.group(1).replace(",", "")), actual, f"'{pattern}' in the README")

    def test_fits_a_few_screens(self):
        self.assertLessEqual(README.count("\n"), LONGEST)

    def test_bugs(self):
        found = (ROOT / "FOUND.md").read_text(encoding="utf-8")
        self.assert_count("of N bugs and surprises found so far", len(re.findall(r"^## \d+\. ", found, re.MULTILINE)))

    @needs_program
    def test_commands(self):
        self.assert_count("its N commands", len(ask("complete", "--", "").splitlines()))

    @needs_program
    def test_tests_models_and_dialects(self):
        self.assert_count("Weakspot has N of them", len(json.loads(ask("list", "--json"))))
        self.assert_count("by N memory models", len(json.loads(ask("models", "--json"))))
        self.assert_count("writes N dialects", len(ask("complete", "--", "convert", "--to", "").splitlines()))

    @needs_program
    def test_conformance_suite(self):
        suite = [one["test"] for one in json.loads(ask("suite", "mc-mutants", "--json"))]
        mutants = [name for name in suite if re.search("-(reversed|split|nofence)", name)]
        self.assert_count("runs N conformance tests", len(suite) - len(mutants))
        self.assert_count("their N mutants", len(mutants))


class Version(unittest.TestCase):
    def test_is_the_same_everywhere(self):
        version = re.search(r"project\(weakspot VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
        changes = re.findall(r"^## ([\d.]+) - ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual((package["version"], changes[0]), (version, version))

    @needs_program
    def test_is_said_in_three_ways(self):
        self.assertEqual({ask("version"), ask("-V"), ask("--version")}, {ask("version")})


if __name__ == "__main__":
    unittest.main()
