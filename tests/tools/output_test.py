"""Tests of what the program does when it cannot write, and when something fails that should not."""
import os
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "weakspot"


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class Output(unittest.TestCase):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_a_full_disk_is_no_success(self):
        # A text that fits into the buffer, and one that does not: it fails before the end.
        for arguments in (["models", "--json"], ["check", "@all", "--json"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 3, arguments)
            self.assertRegex(done.stderr, r"^error: cannot write the output: [^\n]+\n$")

    def test_an_unexpected_exception_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder) / "large.litmus"
            large.touch()
            os.truncate(large, 8 << 30)  # of zeros, which take no room on the disk, but more than the memory allowed
            done = subprocess.run([PROGRAM, "show", large], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=120,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"^error: this should not have happened: [^\n]+\n$")


if __name__ == "__main__":
    unittest.main()
