# SPDX-License-Identifier: MIT
"""weakspot race --watch: it checks again after a change, says what is new and what is gone, and ends with Ctrl-C."""
import os
import select
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest  # noqa: E402

RACE = PROGRAM.parent / "weakspot-race"
SOURCE = """// weakspot: launch grid=1 block=64
#include "sync.h"
__global__ void reverse(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  SYNC;
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
"""
BARRIER = "#define SYNC __syncthreads()\n"
NOTHING = "#define SYNC\n"


@unittest.skipUnless(RACE.exists(), f"{RACE} is not built")
class Watch(FolderTest):
    def start(self, *options):
        self.watch = subprocess.Popen([RACE, "reverse.cu", "--watch", *options], cwd=self.folder, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(self.watch.stdout.close)
        self.addCleanup(self.watch.wait)
        self.addCleanup(self.watch.kill)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def text_until(self, end):
        text, last = "", time.monotonic() + 60
        while end not in text:
            ready, _, _ = select.select([self.watch.stdout], [], [], max(last - time.monotonic(), 0))
            self.assertTrue(ready, f"no '{end}' in:\n{text}")
            more = os.read(self.watch.stdout.fileno(), 65536).decode()
            self.assertTrue(more, f"it ended after:\n{text}")
            text += more
        return text

    def end(self):
        self.watch.send_signal(signal.SIGINT)
        return self.watch.wait(timeout=30)

    def test_a_header_brings_and_takes_a_finding(self):
        self.write("reverse.cu", SOURCE)
        self.write("sync.h", NOTHING)
        self.start("--schedule", "forward")
        first = self.text_until("Ctrl-C ends it\n")
        self.assertIn("reverse.cu:7:23: error: E1 race", first)
        self.assertIn("watching 2 files", first)

        self.write("sync.h", BARRIER)
        fixed = self.text_until("Ctrl-C ends it\n")
        self.assertIn("changed: sync.h\n", fixed)
        self.assertIn("gone: E1 reverse.cu:7: read and write of shared tile[32] are not ordered\n", fixed)
        self.assertIn("clean: 0 errors", fixed)

        self.write("sync.h", NOTHING + "// again\n")
        broken = self.text_until("Ctrl-C ends it\n")
        self.assertIn("new: reverse.cu:7:23: error: E1 race", broken)

        self.write("reverse.cu", "// another first line\n" + SOURCE)
        moved = self.text_until("Ctrl-C ends it\n")
        self.assertIn("as before: 1 finding\n", moved)
        self.assertNotIn("new: ", moved)
        self.assertEqual(self.end(), 1)

    def test_mistakes_do_not_end_it(self):
        self.write("reverse.cu", SOURCE)
        self.write("sync.h", BARRIER)
        self.start("--schedule", "forward")
        self.text_until("Ctrl-C ends it\n")
        self.write("sync.h", "#define SYNC syncthreads()\n")
        self.assertIn("error: use of undeclared identifier", self.text_until("Ctrl-C ends it\n"))
        self.write("sync.h", BARRIER + "\n")
        self.assertIn("clean: 0 errors", self.text_until("Ctrl-C ends it\n"))
        self.assertEqual(self.end(), 130)

    def test_waiting_costs_nothing(self):
        self.write("reverse.cu", SOURCE)
        self.write("sync.h", BARRIER)
        self.start("--schedule", "forward")
        self.text_until("Ctrl-C ends it\n")

        def processor_ticks():
            fields = Path(f"/proc/{self.watch.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])

        before = processor_ticks()
        time.sleep(2)
        self.assertLess(processor_ticks() - before, os.sysconf("SC_CLK_TCK") // 5)
        self.assertEqual(self.end(), 130)

    def test_it_prints_text_alone(self):
        self.write("reverse.cu", SOURCE)
        self.start("--json")
        self.assertIn("--watch prints text", self.text_until("\n"))
        self.assertEqual(self.watch.wait(timeout=30), 2)


if __name__ == "__main__":
    unittest.main()
