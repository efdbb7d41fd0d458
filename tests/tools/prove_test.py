# SPDX-License-Identifier: MIT
"""Proofs of whole programs: the protocols, what docs/protocols.md says of them, and litmus tests as an oracle."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, needs_program  # noqa: E402

FOLDER = ROOT / "examples" / "protocols"
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

    def test_litmus_tests(self):
        """Tests of the corpus, printed as CUDA, get the judge's answer."""
        run = subprocess.run([ROOT / "bench" / "prove_litmus", "--weakspot", PROGRAM, "--folder", "locks", "--folder",
                              "coherence", "--folder", "mutants"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        count = int(re.search(r"(\d+) same", run.stdout).group(1))
        self.assertGreaterEqual(count, 60, run.stdout)

    def test_the_test_that_is_written_has_the_same_answer(self):
        for name, verdict in (("ticket-lock", "forbidden"), ("ticket-lock-broken", "allowed")):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "lock.litmus"
                self.prove(f"{name}.cu", "--emit", str(path))
                run = subprocess.run([PROGRAM, "check", path, "--model", "ptx"], capture_output=True, text=True)
            self.assertEqual(run.stdout.split()[0], verdict)


if __name__ == "__main__":
    unittest.main()
