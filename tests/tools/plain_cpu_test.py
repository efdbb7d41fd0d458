# SPDX-License-Identifier: MIT
"""Tests of tools/plain_cpu on this machine, whether it masks the processor or not."""
import subprocess
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "plain_cpu"


def run(*words):
    done = subprocess.run([TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class PlainCpu(unittest.TestCase):
    def setUp(self):
        self.status, self.way, _ = run("--check")

    def test_says_what_it_would_do(self):
        if self.status == 0:
            self.assertIn(self.way, ("as it is\n", "masked\n"))
        else:
            self.assertTrue(self.way.startswith("cannot: "), self.way)

    def test_help(self):
        status, text, _ = run("--help")
        self.assertEqual(status, 0)
        self.assertIn("tools/plain_cpu COMMAND", text)
        self.assertNotIn("set -euo", text)
        self.assertEqual(run()[0], 1)

    def test_the_command_keeps_its_words_and_status(self):
        if self.status != 0:
            self.skipTest(self.way)
        status, text, _ = run("sh", "-c", 'printf "%s|" "$@"; exit 7', "name", "a b", "")
        self.assertEqual((status, text), (7, "a b||"))

    def test_the_command_sees_no_cached_shaders(self):
        if self.status != 0:
            self.skipTest(self.way)
        self.assertEqual(run("sh", "-c", "echo $MESA_SHADER_CACHE_DISABLE")[1], "true\n")

    def test_masked_processors_are_plain(self):
        if self.way != "masked\n":
            self.skipTest("nothing to mask here")
        parts = run("grep", "^CPU part", "/proc/cpuinfo")[1].splitlines()
        self.assertTrue(parts)
        for part in parts:
            self.assertTrue(part.endswith(": 0xd0c"), part)
        self.assertNotIn("0xd0c", Path("/proc/cpuinfo").read_text(encoding="utf-8").split("CPU part")[1])

    def test_without_permission_it_says_so(self):
        if self.status == 0:
            self.skipTest("masking is permitted or not needed")
        status, _, errors = run("true")
        self.assertEqual(status, 125)
        self.assertIn("cannot be masked", errors)


if __name__ == "__main__":
    unittest.main()
