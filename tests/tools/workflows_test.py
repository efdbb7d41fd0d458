# SPDX-License-Identifier: MIT
"""The workflows and the action for GitHub: YAML of the right shape that calls programs of this tree."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

try:
    import yaml
except ImportError:
    yaml = None
from support import ROOT  # noqa: E402

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "ci" / "action.yml"
# Paths of this tree in a script.
CALLED = re.compile(r"(?<![\w/$.-])(?:\./(test|run)|(?:\./)?((?:tools|ci|deploy|web)/[\w./-]+))(?=\s|$)")


def example():
    """The workflow that docs/gate.md shows."""
    text = (ROOT / "docs" / "gate.md").read_text()
    return re.search(r"```yaml\n(.*?)```", text, re.S)[1]


def calls(script):
    """Programs and files of the tree that a script names."""
    return {match[1] or match[2] for match in CALLED.finditer(script)}


@unittest.skipUnless(yaml, "there is no python3-yaml")
class Workflows(unittest.TestCase):
    def scripts(self):
        for path in WORKFLOWS:
            for name, job in yaml.safe_load(path.read_text())["jobs"].items():
                for step in job["steps"]:
                    if "run" in step:
                        yield f"{path.name}: {name}", step["run"]
        for step in yaml.safe_load(ACTION.read_text())["runs"]["steps"]:
            yield ACTION.name, step["run"]

    def test_there_are_tests_and_a_release(self):
        self.assertEqual([path.name for path in WORKFLOWS], ["release.yml", "test.yml"])
        every = {path for _, script in self.scripts() for path in calls(script)}
        self.assertLessEqual({"test", "tools/release", "tools/package"}, every)

    def test_scripts_are_shell_and_name_what_exists(self):
        for place, script in self.scripts():
            with self.subTest(place):
                checked = subprocess.run(["bash", "-n"], input=script.encode(), check=False)
                self.assertEqual(checked.returncode, 0)
                for path in calls(script):
                    self.assertTrue((ROOT / path).exists(), path)
                # Values of an event reach the shell as variables only: their text is never part of a script.
                self.assertNotIn("${{", script)

    def test_jobs_say_where_they_run_and_what_they_may(self):
        for path in WORKFLOWS:
            flow = yaml.safe_load(path.read_text())
            with self.subTest(path.name):
                self.assertEqual(flow["permissions"], {"contents": "read"})
                self.assertIn(True, flow)  # YAML's reading of the key 'on'
                runners = set()
                for name, job in flow["jobs"].items():
                    runners |= set(job.get("strategy", {}).get("matrix", {}).get("runner", [job["runs-on"]]))
                    self.assertLessEqual(set(job.get("needs", [])), set(flow["jobs"]), name)
                    for step in job["steps"]:
                        self.assertTrue(("run" in step) != ("uses" in step), step)
                        self.assertRegex(step.get("uses", "actions/x@v1"), r"^actions/[\w-]+@v\d+$")
                self.assertLessEqual({"ubuntu-24.04", "ubuntu-24.04-arm"}, runners)
                # Images come by their short names, from whatever the engine is set up for.
                self.assertNotRegex(path.read_text(), r"image: *[\w-]+\.[\w.]+/")

    def test_options_are_those_of_the_programs(self):
        known = {name: subprocess.run([ROOT / name, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
                 for name in ("tools/release", "tools/package", "ci/gate")}
        for place, script in self.scripts():
            for name, words in re.findall(r"(tools/release|tools/package|ci/gate)((?: +[\w./-]+)*)", script):
                for option in re.findall(r"--[\w-]+", words):
                    self.assertIn(option, known[name], place)

    def test_the_example_of_the_action(self):
        flow = yaml.safe_load(example())
        self.assertEqual(flow["permissions"], {"contents": "read", "security-events": "write"})
        [job] = flow["jobs"].values()
        [step] = [step for step in job["steps"] if step["uses"].endswith("/weakspot/ci@v0.2.0")]
        self.assertLessEqual(set(step["with"]), set(yaml.safe_load(ACTION.read_text())["inputs"]))

    def test_calls(self):
        self.assertEqual(calls('x && ./test\ntools/release --out a/tools/b \\\n  --notes-file deploy/needs.md build/all/*'),
                         {"test", "tools/release", "deploy/needs.md"})


if __name__ == "__main__":
    unittest.main()
