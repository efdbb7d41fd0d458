# SPDX-License-Identifier: MIT
"""Tests of the comparison of a report with the annotations of its file."""
import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "kernels"))

from annotations import parse  # noqa: E402
from judge import describe, judge, read_report  # noqa: E402

RACE = "// expect: race E1 shared tile @a @b\n// allow: race W3 shared flag @b @b\n"
BODY = "a;  // @a\nb;  // @b\n"


def entry(kind, klass, line, other=None, space="", variable=""):
    return {"kind": kind, "class": klass, "line": line, "other": {"line": other} if other else None, "space": space,
            "variable": variable}


def verdict(head, entries, model="its", not_modelled=(), not_exercised=()):
    report = {"findings": entries, "not_modelled": list(not_modelled), "not_exercised": list(not_exercised)}
    findings = read_report(json.dumps(report))
    missing, false = judge(parse(head + BODY), model, findings)
    return [describe(finding) for finding in missing], [describe(finding) for finding in false]


class Judge(unittest.TestCase):
    def test_races(self):
        both = entry("race", "E1", 4, 3, "shared", "tile[3]")
        self.assertEqual(verdict(RACE, [both]), ([], []))
        self.assertEqual(verdict(RACE, []), (["race E1 shared tile line 3 line 4"], []))
        self.assertEqual(verdict(RACE, [both, entry("race", "W1", 3, 4, "shared", "tile[0]")]), ([], []))
        self.assertEqual(verdict(RACE, [both, entry("race", "W3", 4, 4, "shared", "flag")]), ([], []))
        self.assertEqual(verdict(RACE, [both, entry("race", "E1", 3, 3, "shared", "tile[0]")]),
                         ([], ["race E1 shared tile line 3 line 3"]))
        self.assertEqual(verdict(RACE, [entry("race", "E2", 3, 4, "shared", "tile[1]")])[0],
                         ["race E1 shared tile line 3 line 4"])

    def test_findings_with_one_cause_count_each(self):
        first = entry("race", "E1", 3, 3, "shared", "tile[0]")
        first["also"] = [entry("race", "E1", 4, 3, "shared", "tile[3]")]
        self.assertEqual(verdict(RACE, [first]), ([], ["race E1 shared tile line 3 line 3"]))

    def test_redundant_barriers(self):
        head = "// expect: redundant @a\n"
        hint = entry("redundant-barrier", "R1", 2)
        self.assertEqual(verdict(head, [hint]), ([], []))
        self.assertEqual(verdict(head, [], "lockstep"), ([], []))
        self.assertEqual(verdict(head, [hint, entry("redundant-barrier", "R1", 3)]), ([], ["redundant line 3"]))
        self.assertEqual(verdict(RACE, [entry("redundant-barrier", "R1", 3)])[1], [])

    def test_divergence(self):
        head = "// expect: divergence D2 @a\n"
        here = entry("divergence", "D2", 2, 3)
        self.assertEqual(verdict(head, [here, entry("race", "E1", 2, 3, "shared", "x")]), ([], []))
        self.assertEqual(verdict(head, [here, entry("assertion", "A2", 3)]), ([], ["assertion A2 line 3"]))
        self.assertEqual(verdict("// expect: none\n", [here]), ([], ["divergence D2 line 2 line 3"]))

    def test_what_is_missing(self):
        head = "// expect: unmodelled @a\n// expect: race U1 shared tile @b @b\n"
        possible = entry("possible-race", "U1", 4, 4, "shared", "tile[1]")
        here = {"line": 3, "reached": True}
        self.assertEqual(verdict(head, [possible], not_modelled=[here]), ([], []))
        self.assertEqual(verdict(head, [possible], not_modelled=[here, {"line": 4, "reached": False}]), ([], []))
        self.assertEqual(verdict(head, [possible]), (["unmodelled line 3"], []))
        self.assertEqual(verdict("// expect: none\n", [], not_modelled=[here], not_exercised=[{"line": 2}]),
                         ([], ["unmodelled line 3", "unexercised line 2"]))


if __name__ == "__main__":
    unittest.main()
