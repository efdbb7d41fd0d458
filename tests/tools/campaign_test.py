# SPDX-License-Identifier: MIT
"""Tests of tune, score and conform: searches that are killed, suites that are weakened, devices that misbehave."""
import json
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest, needs_program  # noqa: E402

def recorded(environments=60, tests=8):
    """A table of rates: stress makes a test's outcome frequent, each test at another stride."""
    numbers = random.Random(1)
    table = {}
    for e in range(environments):
        stress = 100 * (e % 2)
        row = {"params": {"testingWorkgroups": 2 + e, "memStride": 1 + e % 7, "memStressPct": stress}}
        for t in range(tests):
            rate = numbers.uniform(1, 50) * (20 if stress else 0.2) / (1 + abs(e % 7 - t % 7))
            row[f"Test {t}"] = {"seq": 1000000, "interleaved": 10, "weak": int(rate * 10), "durationSeconds": 10}
        table[str(e)] = row
    return table


@needs_program
class Campaign(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "table.json").write_text(json.dumps(recorded()))

    def run_program(self, *arguments, expect=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, expect, done.stdout.decode() + done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    def tune(self, out):
        return ["tune", "--device", "recorded:table.json", "--budget", "100s", "--seed", "7", "--out", out]

    def test_a_killed_search_resumes(self):
        self.run_program(*self.tune("whole.json"))
        whole = (self.folder / "whole.json").read_text()
        size = (self.folder / "whole.json.journal").stat().st_size
        for number, part in enumerate((0.1, 0.5, 0.9)):
            out = f"killed{number}.json"
            journal = self.folder / (out + ".journal")
            child = subprocess.Popen([PROGRAM, *self.tune(out)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while child.poll() is None and (not journal.exists() or journal.stat().st_size < part * size):
                time.sleep(0.0005)
            child.send_signal(signal.SIGKILL)
            child.wait()
            # Cut the journal in the middle of a line, however far the search came before the signal.
            content = journal.read_bytes()
            journal.write_bytes(content[:max(int(part * len(content)), 500)])
            (self.folder / out).unlink(missing_ok=True)
            _, errors = self.run_program(*self.tune(out))
            self.assertIn(f"slices came from {out}.journal", errors)
            self.assertEqual((self.folder / out).read_text(), whole)
            self.assertEqual(journal.read_text(), (self.folder / "whole.json.journal").read_text())

    def test_a_journal_of_another_search_is_refused(self):
        self.run_program(*self.tune("a.json"))
        _, errors = self.run_program(*self.tune("a.json"), "--strategy", "peeking", expect=2)
        self.assertIn("the file is the journal of another search", errors)

    def test_stress_off_is_caught(self):
        environments = [f"testing_workgroups={2 + e},memory_stride={1 + e % 7}" for e in range(60)]
        (self.folder / "stressed.txt").write_text(
            "\n".join(f"{text},memory_stress_percent=100" for e, text in enumerate(environments) if e % 2) + "\n")
        (self.folder / "calm.txt").write_text("\n".join(text for e, text in enumerate(environments) if e % 2 == 0) + "\n")
        score = ["score", "--device", "recorded:table.json", "--seconds", "1"]
        self.run_program(*score, "--environments", "stressed.txt", "--out", "old.json")
        output, _ = self.run_program(*score, "--environments", "stressed.txt", "--seed", "99", "--against", "old.json")
        self.assertIn("\nnot weaker: ", output)
        output, _ = self.run_program(*score, "--environments", "calm.txt", "--against", "old.json", expect=1)
        self.assertIn("\nWEAKER: ", output)

    def conform(self, *arguments, expect=0):
        output, _ = self.run_program("conform", "--suite", "mc-mutants", "--budget", "2s", "--json", *arguments,
                                     expect=expect)
        return json.loads(output)

    def test_conform_finds_a_violation(self):
        files = {kind: self.folder / f"report.{kind}" for kind in ("junit", "sarif", "html", "out")}
        report = self.conform("--device", "testing:all", *[str(x) for kind, path in files.items()
                                                            for x in (f"--{kind}", path)], expect=1)
        self.assertEqual(report["verdict"], "violation")
        self.assertIn("<failure", files["junit"].read_text())
        self.assertEqual(json.loads(files["sarif"].read_text())["version"], "2.1.0")
        self.assertIn("<svg", files["html"].read_text())
        self.assertEqual(json.loads(files["out"].read_text())["verdict"], "violation")

    def test_conform_without_kills_is_inconclusive(self):
        # Where every instance ends with zeros, the outcome of SB on one location is forbidden and CoRR's never shows.
        self.conform("--device", "testing:one", "--save-suite", "suite.json", expect=1)
        suite = json.loads((self.folder / "suite.json").read_text())
        suite["tests"] = [test for test in suite["tests"] if test["test"] == "CoRR"]
        mutant = suite["tests"][0]["mutants"][0]
        self.assertEqual(mutant["rates"], [])
        # Whether it is called unseen depends on how long it could be measured; here it is to count.
        mutant.pop("status", None)
        (self.folder / "corr.json").write_text(json.dumps(suite))
        arguments = ["conform", "--suite", "corr.json", "--budget", "2s", "--device", "testing:one"]
        output, _ = self.run_program(*arguments)
        self.assertIn("inconclusive CoRR ", output)
        self.assertIn("(CoRR-reversed was never killed)", output)
        self.run_program(*arguments, "--strict", expect=1)
        self.conform("--device", "testing:lost", expect=3)

    def test_conform_on_this_cpu(self):
        devices, _ = self.run_program("devices", "--json")
        if not any(device["id"] == "cpu" for device in json.loads(devices)):
            self.skipTest("this program cannot run tests on this CPU")
        report = self.conform("--device", "cpu", "--save-suite", "suite.json")
        self.assertIn(report["verdict"], ("conformant", "inconclusive"))
        self.assertEqual(len(report["devices"][0]["tests"]), 20)
        suite = json.loads((self.folder / "suite.json").read_text())
        self.assertEqual(len(suite["tests"]), 20)
        output, _ = self.run_program("conform", "--device", "cpu", "--suite", "suite.json", "--budget", "100ms", "--json")
        self.assertIn(json.loads(output)["verdict"], ("conformant", "inconclusive"))


if __name__ == "__main__":
    unittest.main()
