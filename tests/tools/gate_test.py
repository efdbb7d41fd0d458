# SPDX-License-Identifier: MIT
"""The gate for continuous integration, on a small repository: one clean and one racy change."""
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

try:
    from action import run_action
except ImportError:
    run_action = None  # there is no yaml
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

SUM = """#include "add.cuh"
__global__ void sum(const int* in, int* out) {
  __shared__ int partial[64];
  partial[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = add(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
// weakspot: launch grid=1 block=64
"""
HEADER = "__device__ inline int add(int a, int b) { return a + b; }\n"
RACY = SUM.replace("    __syncthreads();\n  }", "  }")
NEW_FILE = """__global__ void shift(int* data) {
  const int next = data[threadIdx.x + 1];
  data[threadIdx.x] = next;
}
// weakspot: launch grid=1 block=64
"""


@needs_program
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "this build has no 'weakspot race'")
class Gate(FolderTest):
    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.commit({"src/sum.cu": SUM, "src/add.cuh": HEADER, "README": "sums\n"}, "sums")

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *words], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout.decode().strip()

    def commit(self, files, message):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A", "--", *files)
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def gate(self, *words, **variables):
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", **variables}
        environment.pop("GITHUB_STEP_SUMMARY", None) if "GITHUB_STEP_SUMMARY" not in variables else None
        done = subprocess.run([ROOT / "ci" / "gate", *words], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, timeout=300)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def report(self, name):
        return (self.folder / "weakspot-reports" / name).read_text()

    def test_a_clean_change_passes_and_a_racy_one_fails_at_its_line(self):
        before = self.commit({"src/sum.cu": SUM.replace("out[blockIdx.x] =", "*(out + blockIdx.x) =")}, "another spelling")
        status, output, errors = self.gate("--base", "HEAD~1")
        self.assertEqual(status, 0, output + errors)
        self.assertIn("clean", output)

        self.commit({"src/sum.cu": RACY}, "faster")
        summary = self.folder / "summary.md"
        status, output, errors = self.gate("--base", before, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual(status, 1, output + errors)
        [annotation, *_] = re.findall(r"^::error file=src/sum.cu,line=(\d+),col=\d+,title=weakspot E2::(.*)$", output,
                                      re.M)
        self.assertEqual(annotation[0], "7")
        self.assertIn("src/sum.cu:7", summary.read_text())
        [run] = json.loads(self.report("race.sarif"))["runs"]
        place = run["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("src/sum.cu", 7))
        suite = ElementTree.fromstring(self.report("race.xml"))
        self.assertEqual([case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None],
                         ["sum"])

    @unittest.skipUnless(run_action, "there is no python3-yaml")
    def test_the_action_does_the_same(self):
        base = self.git("rev-parse", "HEAD")
        path = {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        event = {"github.event.pull_request.base.sha": base}
        self.commit({"src/sum.cu": SUM.replace("out[blockIdx.x] =", "*(out + blockIdx.x) =")}, "another spelling")
        status, output, summary = run_action(ROOT / "ci", self.folder, {}, event, path)
        self.assertEqual(status, 0, output)
        self.assertNotIn("::error", output)
        self.commit({"src/sum.cu": RACY}, "faster")
        status, output, summary = run_action(ROOT / "ci", self.folder, {"seconds": "10s"}, event, path)
        self.assertEqual(status, 1, output)
        self.assertIn("::error file=src/sum.cu,line=7,", output)
        self.assertIn("src/sum.cu:7", summary)

    def test_known_findings_pass_where_they_moved(self):
        base = self.commit({"src/sum.cu": RACY}, "with a race")
        race = subprocess.run([PROGRAM, "race", "src/sum.cu", "--new-baseline", ".weakspot-baseline"], cwd=self.folder,
                              stdout=subprocess.PIPE, check=False)
        self.assertEqual(race.returncode, 1)
        before = json.loads(self.sarif_of("src/sum.cu"))["runs"][0]["results"][0]["partialFingerprints"]
        self.commit({"src/sum.cu": "// Sums.\n\n" + RACY}, "a comment")
        after = json.loads(self.sarif_of("src/sum.cu"))["runs"][0]["results"][0]["partialFingerprints"]
        self.assertEqual(before, after)
        status, output, errors = self.gate("--base", base)
        self.assertEqual(status, 0, output + errors)
        self.assertIn("known", output)
        self.commit({"src/shift.cu": NEW_FILE}, "a new race")
        status, output, errors = self.gate("--base", base)
        self.assertEqual(status, 1, output + errors)
        self.assertIn("src/shift.cu:3", output)
        self.assertNotIn("| src/sum.cu", output)

    def sarif_of(self, file):
        subprocess.run([PROGRAM, "race", file, "--sarif", "out.sarif"], cwd=self.folder, stdout=subprocess.PIPE,
                       check=False)
        return (self.folder / "out.sarif").read_text()

    def test_a_changed_header_is_checked_where_it_is_used(self):
        self.commit({"src/add.cuh": HEADER.replace("a + b", "b + a")}, "the other way round")
        status, output, errors = self.gate("--base", "HEAD~1")
        self.assertEqual(status, 0, output + errors)
        self.assertIn("1 file", errors)

    def test_nothing_to_do(self):
        self.commit({"README": "sums of numbers\n"}, "words")
        status, _, errors = self.gate("--base", "HEAD~1")
        self.assertEqual((status, errors), (0, "gate: no CUDA file changed\n"))

    def test_mistakes(self):
        self.commit({"src/broken.cu": "__global__ void k() { oops }\n"}, "broken")
        status, output, errors = self.gate("--base", "HEAD~1")
        self.assertEqual(status, 2)
        self.assertIn("src/broken.cu:1:", errors)
        self.assertRegex(output, r"Could not be checked:\n\n- src/broken\.cu:1:\d+: error: .*oops.*\n")
        self.assertEqual(self.gate("--base", "nonsense")[0], 2)
        (self.folder / ".weakspot-baseline").write_text("what is this\n")
        status, _, errors = self.gate("src/sum.cu")
        self.assertEqual(status, 2)
        self.assertIn(".weakspot-baseline:1:1: error: expected a fingerprint", errors)


class Summary(unittest.TestCase):
    TEXT = ("### weakspot race: 2 files\n\n**found**\n\n| place | what | fix |\n|---|---|---|\n"
            "| src/my\\_sum.cu:7 | error E1: text | put |\n\nCould not be checked:\n\n- src/bad\\_1.cu\n- c.cu\n\n"
            "Checked:\n\n- sum at src/my\\_sum.cu:2: 1 launch, 64 threads\n")
    MESSAGES = "src/bad_1.cu:1:23: error: oops\nsrc/bad_1.cu:9:1: error: more\n"

    def summary(self, text, **variables):
        path = str(ROOT / "ci" / "gate")
        loader = importlib.machinery.SourceFileLoader("gate", path)
        gate = importlib.util.module_from_spec(importlib.util.spec_from_loader("gate", loader))
        loader.exec_module(gate)
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        with mock.patch.dict(os.environ, {**clean, **variables}, clear=True):
            return gate.for_reviewers(text, self.MESSAGES)

    def test_complaints_stand_beside_their_files(self):
        self.assertEqual(self.summary(self.TEXT),
                         self.TEXT.replace("- src/bad\\_1.cu\n", "- src/bad\\_1.cu:1:23: error: oops\n"))

    def test_places_are_links_on_github(self):
        made = self.summary(self.TEXT, GITHUB_SERVER_URL="https://host", GITHUB_REPOSITORY="me/it", GITHUB_SHA="abc")
        self.assertIn("\n| [src/my\\_sum.cu:7](https://host/me/it/blob/abc/src/my_sum.cu#L7) | error", made)
        self.assertEqual(made.count("https://host"), 1)

    def test_a_clean_summary_stays_as_it_is(self):
        self.assertEqual(self.summary("### weakspot race: a.cu\n\n**clean**\n"), "### weakspot race: a.cu\n\n**clean**\n")


class Action(unittest.TestCase):
    def test_steps_use_what_is_there(self):
        text = (ROOT / "ci" / "action.yml").read_text()
        self.assertIn("using: composite", text)
        # Inputs reach the shell as variables only: their text is never part of a script.
        for script in re.findall(r"run: \|\n((?: {8}.*\n)+)", text):
            self.assertNotIn("${{", script)
            checked = subprocess.run(["bash", "-n"], input=script.encode(), check=False)
            self.assertEqual(checked.returncode, 0)


if __name__ == "__main__":
    unittest.main()
