# SPDX-License-Identifier: MIT
"""Tests of tests/tools/console.py, with a shell in the part of weakspot."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import console  # noqa: E402

SHELL = Path("/bin/sh")


class Console(unittest.TestCase):
    def problems(self, text, has=()):
        return console.run_page(text, SHELL, set(has))[0]

    def assert_passes(self, text):
        self.assertEqual(self.problems(text), [])

    def assert_fails(self, text, message):
        problems = self.problems(text)
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(message, problems[0])

    def test_output(self):
        self.assert_passes("# Page\n\n```console\n$ echo a; echo b\na\nb\n\n$ echo c\nc\n```\n")
        self.assert_fails("```console\n$ echo a\nb\n```\n", "line 2: 'echo a' printed something else")
        self.assert_fails("```console\n$ echo a\n```\n", "printed something else")
        self.assert_passes("```console\n$ echo a >&2\na\n```\n")

    def test_other_blocks_are_not_run(self):
        self.assert_passes("```\n$ false\n```\n\n```text\n$ false\n```\n")

    def test_anything(self):
        self.assert_passes("```console\n$ printf 'a\\nb\\nc\\n'\na\n...\n```\n")
        self.assert_passes("```console\n$ printf 'a\\nb\\nc\\n'\n...\nc\n```\n")
        self.assert_passes("```console\n$ echo a\na\n...\n```\n")
        self.assert_passes("```console\n$ echo '(12.5 s)'\n(... s)\n```\n")
        self.assert_fails("```console\n$ printf 'a\\nb\\n'\na\n...\nc\n```\n", "something else")
        self.assert_fails("```console\n$ echo axb\na.b\n```\n", "something else")

    def test_exit_codes(self):
        self.assert_fails("```console\n$ false\n```\n", "ended with 1")
        self.assert_passes("<!-- exit 1 -->\n```console\n$ false\n```\n")
        self.assert_fails("<!-- exit 1 -->\n```console\n$ true\n```\n", "ended with 0")
        self.assert_passes("<!-- exit 0 or 3 -->\n```console\n$ (exit 3)\n$ true\n```\n")
        self.assert_passes("<!-- exit 3 -->\n```console\n$ (exit 3)\n$ echo $?\n3\n```\n")

    def test_several_lines(self):
        self.assert_passes("```console\n$ echo a \\\n    b\na b\n```\n")

    def test_samples(self):
        self.assert_passes("<!-- sample -->\n```console\n$ echo weak 3 times\nweak 5 times\n```\n")
        self.assert_fails("<!-- sample -->\n```console\n$ echo weak 3 times\nFORBIDDEN 5 times\n```\n", "something else")
        self.assert_fails("<!-- sample -->\n```console\n$ false\nb\n```\n", "ended with 1")
        self.assert_fails("<!-- sample -->\n<!-- exit 1 -->\n```console\n$ false\n$ echo $?\n0\n```\n", "something else")

    def test_files(self):
        self.assert_passes("<!-- file a -->\n```litmus\none\n\ntwo\n```\n\n```console\n$ cat a\none\n\ntwo\n```\n")
        self.assert_passes("<!-- file a\none\n-->\n\n```console\n$ cat a\none\n```\n")

    def test_needs(self):
        page = "<!-- needs cpu -->\n```console\n$ false\n```\n"
        self.assertEqual(console.run_page(page, SHELL, set()), ([], ["line 3: 'false' needs cpu"]))
        self.assertEqual(len(self.problems(page, ["cpu"])), 1)

    def test_wrong_pages(self):
        for page, message in {
            "```console\na\n```\n": "a session begins with",
            "```console\n$ true\n": "no '```' ends this",
            "<!-- exit 1 -->\ntext\n": "expected a block",
            "<!-- exit 1 -->\n```\n```\n": "before another block",
            "<!-- exit 1\n-->\n": "must end on its line",
            "<!-- file a -->\n```console\n$ true\n```\n": "cannot be a file",
        }.items():
            with self.assertRaisesRegex(console.PageError, message):
                console.read_page(page)


if __name__ == "__main__":
    unittest.main()
