# SPDX-License-Identifier: MIT
"""Tests of tools/try_fixes: how a fix changes a text, and what counts as gone or new."""
import importlib.machinery
import importlib.util
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("try_fixes", str(Path(__file__).resolve().parents[2] / "tools" / "try_fixes"))
TOOL = importlib.util.module_from_spec(importlib.util.spec_from_loader("try_fixes", LOADER))
LOADER.exec_module(TOOL)


def place(line, after=False, **more):
    return {"file": "k.cu", "line": line, "after": after, **more}


def race(line, other, severity="error"):
    return {"kind": "race", "class": "E1", "severity": severity, "variable": "x[3]", "line": line, "other": {"line": other}}


class TryFixes(unittest.TestCase):
    def test_statements_go_before_and_after_lines(self):
        fix = {"kind": "fence", "code": "F;", "places": [place(1, True), place(3)]}
        self.assertEqual(TOOL.with_fix("a\nb\nc", fix, "k.cu"), ("a\nF;\nb\nF;\nc", [1, 0, 2, 0, 3]))

    def test_a_barrier_goes_unless_it_is_kept(self):
        about = {"line": 1, "column": 3}
        fix = {"kind": "remove-barrier", "code": "__syncthreads();",
               "places": [place(1, about=about), place(2, about={"line": 2, "column": 1}, role="keep")]}
        self.assertEqual(TOOL.with_fix("  __syncthreads();\n__syncthreads();", fix, "k.cu")[0],
                         "  (void)0;\n__syncthreads();")
        self.assertIsNone(TOOL.with_fix("  block.sync();\n", fix, "k.cu"))

    def test_a_place_in_another_file_cannot_be_tried(self):
        self.assertIsNone(TOOL.with_fix("a", {"kind": "fence", "code": "F;", "places": [place(1)]}, "other.cu"))

    def test_the_finding_must_go_and_nothing_new_come(self):
        lines = [1, 0, 2, 3]  # a line was inserted behind the first
        before = [race(1, 3)]

        def verdict(*after):
            return TOOL.verdict(before, list(after), before[0], lambda line: lines[line - 1])

        self.assertEqual(verdict(), "")
        self.assertIn("stays", verdict(race(1, 4)))
        self.assertIn("new", verdict(race(1, 3)))
        self.assertEqual(verdict(race(1, 3, "hint")), "")


if __name__ == "__main__":
    unittest.main()
