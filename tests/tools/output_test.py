# SPDX-License-Identifier: MIT
"""Tests of the program when it cannot write, and when something unexpected fails."""
import os
import resource
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest, needs_program  # noqa: E402

@needs_program
class Output(FolderTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_an_error(self):
        # The first output fits into the buffer; the second does not and fails before its end.
        for arguments in (["models", "--json"], ["check", "@all", "--json"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 3, arguments)
            self.assertRegex(done.stderr, r"^error: cannot write the output: [^\n]+\n$")

    def test_an_unexpected_exception_is_one_line(self):
        large = self.folder / "large.litmus"
        large.touch()
        os.truncate(large, 8 << 30)  # zeros, which take no space on the disk but exceed the allowed memory
        done = subprocess.run([PROGRAM, "show", large], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"^error: this should not have happened: [^\n]+\n$")


if __name__ == "__main__":
    unittest.main()
