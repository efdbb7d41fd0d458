# SPDX-License-Identifier: MIT
"""Devices of a browser on a machine that lacks the browser or the page: tests that start none."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

SCRIPT = ROOT / "build" / "page" / "device.js"


@needs_program
class Missing(FolderTest):
    def test_a_machine_without_a_browser_lists_none_and_says_so(self):
        environment = {"PATH": str(self.folder)}
        listed = subprocess.run([str(PROGRAM), "devices"], env=environment, stdout=subprocess.PIPE)
        self.assertNotIn(b"webgpu", listed.stdout)
        done = subprocess.run([str(PROGRAM), "run", "MP", "--device", "webgpu:0"], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(3, done.returncode)
        self.assertIn(b"there is no Chromium or Chrome on the PATH", done.stderr)

    def test_without_the_page_no_browser_is_listed(self):
        if SCRIPT.exists():
            self.skipTest("the page is built")
        script = self.write_program("chromium", "#!/bin/sh\n")
        environment = {**os.environ, "PATH": f"{script.parent}:{os.environ['PATH']}"}
        listed = subprocess.run([str(PROGRAM), "devices"], env=environment, stdout=subprocess.PIPE)
        self.assertNotIn(b"webgpu", listed.stdout)
        done = subprocess.run([str(PROGRAM), "run", "MP", "--device", "webgpu:0"], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(3, done.returncode)
        self.assertIn(b"'./run --page' builds it", done.stderr)


if __name__ == "__main__":
    unittest.main()
