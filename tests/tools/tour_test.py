# SPDX-License-Identifier: MIT
"""Tests of tools/tour_ending: how ./run ends."""
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402


class Ending(FolderTest):
    def ending(self, *verdicts, verdict="inconclusive", enough=None):
        tests = [{"test": f"T{number}", "verdict": word} for number, word in enumerate(verdicts)]
        report = {"devices": [{"device": "cpu", "device_name": "N1", "verdict": verdict, "confidence": 0.99, "budget": 15.0,
                               "enough_budget": enough, "problem": "the driver failed", "tests": tests}]}
        path = self.folder / "report.json"
        path.write_text(json.dumps(report))
        done = subprocess.run([sys.executable, ROOT / "tools" / "tour_ending", path], stdout=subprocess.PIPE, check=True)
        lines = done.stdout.decode().splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        return " ".join(lines)

    def test_sentences(self):
        self.assertEqual(self.ending("conformant", "unobservable", verdict="conformant"),
                         "conformant: cpu (N1) showed no forbidden outcome; 1 of 2 tests are conformant with 99 % "
                         "confidence; 1 tells nothing here, because the device shows none of their mutants.")
        self.assertEqual(self.ending("conformant", "inconclusive"),
                         "No forbidden outcome was seen on cpu (N1): 1 of 2 tests are conformant with 99 % confidence; "
                         "1 remains undecided (T1), and 'weakspot conform --budget 300s' may tell more.")
        self.assertIn("; 2 need more time, which 'weakspot conform --budget 28s' probably gives.",
                      self.ending("conformant", "inconclusive", "inconclusive", enough=28.0))
        self.assertEqual(self.ending("conformant", "violation", verdict="violation"),
                         "VIOLATION: cpu (N1) showed an outcome that its memory model forbids, in T1.")
        self.assertEqual(self.ending(), "cpu (N1) could not be tested: the driver failed.")


if __name__ == "__main__":
    unittest.main()
