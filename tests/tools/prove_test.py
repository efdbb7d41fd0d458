# SPDX-License-Identifier: MIT
"""Proofs of whole programs: the protocols, what docs/protocols.md says of them, and litmus tests as an oracle."""
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, needs_program  # noqa: E402

FOLDER = ROOT / "examples" / "protocols"
SLOW_TO_EVALUATE = """
__global__ void evaluating(int* x, int* y) {
  int table[64];
  for (int i = 0; i < 64; ++i) table[i] = i;
  for (int i = 0; i < 600; ++i) {
    if (*(volatile int*)x == i) table[i % 64] += i;
    y[(blockIdx.x + i) % 64] = table[i % 64];
  }
}
"""
SLOW_TO_JUDGE = """
__global__ void judging(volatile int* x, volatile int* y) {
  for (int i = 0; i < 6; ++i) { *x = *y & 7; *y = *x & 7; }
}
"""
EXITS = {"proved": 0, "violated": 1, "unknown": 3}


@needs_program
class Proofs(unittest.TestCase):
    def setUp(self):
        if not PROGRAM.with_name("weakspot-race").exists():
            self.skipTest("weakspot race was not built")

    def prove(self, *arguments):
        return subprocess.run([PROGRAM, "prove", *arguments], cwd=FOLDER, capture_output=True, text=True)

    def test_protocols(self):
        """The page has each answer that the program gives, with each property that fails."""
        page = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
        shown = {name: text for text, name in re.findall(r"```text\n(\w+ +([\w.-]+\.cu): .*?)```", page, re.S)}
        files = sorted(path.name for path in FOLDER.glob("*.cu"))
        self.assertGreaterEqual(len(files), 20)
        self.assertEqual(sorted(shown), files, "the page has each of the protocols")
        for name in files:
            with self.subTest(name):
                run = self.prove(name)
                self.assertEqual(run.stderr, "")
                lines = [line for line in run.stdout.splitlines() if re.match(r"\w|  (proved|violated|unknown) ", line)]
                self.assertEqual("\n".join(lines) + "\n", shown[name])
                word = lines[0].split()[0]
                self.assertEqual(run.returncode, EXITS[word])
                self.assertEqual(word, "violated" if "broken" in name else "proved")

    def test_fences(self):
        """The page has what is found for the fences of each protocol; here for some, since each takes seconds."""
        page = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
        shown = dict(re.findall(r"```text\n\$ weakspot prove ([\w.-]+\.cu) --fences\n(.*?)```", page, re.S))
        self.assertEqual(sorted(shown), sorted(path.name for path in FOLDER.glob("*.cu")))
        told = re.compile(r"  (needed|weaker|too many|unknown|not tried|proved|none|no|nothing)\b|    (`|line )")
        for name in ("flag", "flag-broken", "tas-lock-broken", "seqlock", "seqlock-broken", "split-k"):
            with self.subTest(name):
                lines = self.prove(f"{name}.cu", "--fences").stdout.splitlines()
                at = next(i for i, line in enumerate(lines) if line.startswith("fences "))
                self.assertEqual([line for line in lines[at:] if told.match(line)], shown[f"{name}.cu"].splitlines())

    def test_patches(self):
        """The patch of a violated launch makes it a proved one."""
        for name in ("flag-broken.cu", "tas-lock-broken.cu", "last-block-broken.cu"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                shutil.copy(FOLDER / name, folder)
                found = subprocess.run([PROGRAM, "prove", name, "--fences", "--json"], cwd=folder, capture_output=True,
                                       text=True)
                self.assertEqual(found.returncode, 1)
                for repair in json.loads(found.stdout)["fences"]["repairs"]:
                    self.assertTrue(repair["weakest"])
                    shutil.copy(FOLDER / name, folder)
                    subprocess.run(["patch", "-p0", "-s"], input=repair["patch"], cwd=folder, text=True, check=True)
                    run = subprocess.run([PROGRAM, "prove", name], cwd=folder, capture_output=True, text=True)
                    self.assertEqual(run.stdout.split()[0], "proved")

    def test_litmus_tests(self):
        """Tests of the corpus and random ones, printed as CUDA and as PTX, get the judge's answer and outcomes."""
        for words, count in ((["--folder", "locks", "--folder", "coherence", "--folder", "mutants"], 60),
                             (["--random", "20", "--seed", "1001"], 20)):
            run = subprocess.run([ROOT / "bench" / "prove_litmus", "--weakspot", PROGRAM, *words], capture_output=True,
                                 text=True)
            self.assertEqual(run.returncode, 0, run.stdout)
            for form in ("cuda", "ptx"):
                self.assertGreaterEqual(int(re.search(rf"{form}: \d+ tests: (\d+) same", run.stdout).group(1)), count,
                                        run.stdout)

    def test_weak_runs(self):
        """'race --weak' shows allowed outcomes only, and most of those that it can show."""
        run = subprocess.run([ROOT / "bench" / "weak_programs", "--weakspot", PROGRAM, "--folder", "mutants", "--runs",
                              "60", "--jobs", "1"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("0 with a forbidden outcome", run.stdout)
        can, shown = map(int, re.search(r"(\d+) can be shown, (\d+) were shown", run.stdout).groups())
        self.assertGreater(shown, 0.7 * can, run.stdout)

    def test_limits(self):
        """The time is kept wherever it is spent, and Ctrl-C ends all of it: what is known is printed."""
        slow = {"evaluating": ("grid=64 block=32", "--assert", "x[0] >= 0"),
                "judging": ("grid=9 block=1", "--assert", "x[0] >= 0 && y[0] >= 0"),
                "fences": ("grid=4 block=1", "--fences", "--assert", "counter[0] >= 0")}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "evaluating.cu").write_text(SLOW_TO_EVALUATE)
            (Path(folder) / "judging.cu").write_text(SLOW_TO_JUDGE)
            shutil.copy(FOLDER / "mcs-lock.cu", Path(folder) / "fences.cu")
            for name, (launch, *words) in slow.items():
                arrays = "next waits" if name == "fences" else "x y"
                given = [word for array in arrays.split() for word in ("--arg", f"{array}=int[64]")]
                if name == "fences":
                    given += ["--arg", "tail=int[1]", "--arg", "counter=int[1]"]
                command = [PROGRAM, "prove", f"{name}.cu", "--launch", launch, *given, *words]
                with self.subTest(name, of="time"):
                    begin = time.monotonic()
                    run = subprocess.run([*command, "--seconds", "2"], cwd=folder, capture_output=True, text=True)
                    self.assertEqual((run.returncode, run.stdout.split()[0], run.stderr), (3, "unknown", ""))
                    self.assertLess(time.monotonic() - begin, 12, "the time is 2 seconds")
                with self.subTest(name, of="memory"):
                    run = subprocess.run([*command, "--memory", "1M"], cwd=folder, capture_output=True, text=True)
                    self.assertEqual((run.returncode, run.stdout.split()[0], run.stderr), (3, "unknown", ""))
                    self.assertIn("memory", run.stdout, "evaluating or judging, whichever needs more than that first")
                with self.subTest(name, of="Ctrl-C"):
                    with subprocess.Popen([*command, "--seconds", "300"], cwd=folder, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, text=True) as child:
                        time.sleep(1.5)
                        child.send_signal(signal.SIGINT)
                        output, messages = child.communicate(timeout=30)
                    self.assertEqual((child.returncode, output.split()[0], messages), (130, "unknown", ""))
                    self.assertIn("interrupted", output)

    def test_the_test_that_is_written_has_the_same_answer(self):
        for name, verdict in (("ticket-lock", "forbidden"), ("ticket-lock-broken", "allowed")):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "lock.litmus"
                self.prove(f"{name}.cu", "--emit", str(path))
                run = subprocess.run([PROGRAM, "check", path, "--model", "ptx"], capture_output=True, text=True)
            self.assertEqual(run.stdout.split()[0], verdict)


if __name__ == "__main__":
    unittest.main()
