# SPDX-License-Identifier: MIT
"""Tests of bench/compare_herd, with shell scripts in place of herd7 and weakspot."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402

HERD = """#!/bin/sh
cat <<'END'
Test T0 Allowed
States 2
0:EAX=0; [x]=0x1;
0:EAX=1; [x]=1;
Ok
Witnesses
Positive: 1 Negative: 1
Condition exists (0:EAX=0)
Observation T0 Sometimes 1 1
END
"""
OURS = """#!/bin/sh
cat <<'END'
%s   T0  tso  %s, 2 outcomes, 2 executions
  * 0:RAX=0; x=1;
    0:RAX=1; x=1;
END
"""


class CompareHerd(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "sb.litmus").write_text("X86 SB\n")

    def compare(self, verdict, condition, herd=True):
        ours = self.write_program("weakspot", OURS % (verdict, condition))
        if herd:
            self.write_program("herd7", HERD)
        path = str(self.folder) + (os.pathsep + "/usr/bin" + os.pathsep + "/bin" if herd else "")
        done = subprocess.run([sys.executable, ROOT / "bench" / "compare_herd", "--weakspot", ours, "--no-time",
                               self.folder / "sb.litmus"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={"PATH": path}, timeout=60)
        return done.returncode, done.stdout.decode()

    def test_agreement(self):
        status, text = self.compare("allowed", "sometimes")
        self.assertEqual(status, 0, text)
        self.assertIn("agree                       1, of these 1 with the same number of executions", text)

    def test_difference(self):
        status, text = self.compare("forbidden", "never")
        self.assertEqual(status, 1, text)
        self.assertIn("herd7 reaches the proposition, weakspot does not", text)

    def test_no_herd(self):
        self.assertEqual(self.compare("allowed", "sometimes", herd=False),
                         (0, "compare_herd: skipped: herd7 is not on the PATH\n"))


if __name__ == "__main__":
    unittest.main()
