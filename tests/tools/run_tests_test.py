# SPDX-License-Identifier: MIT
"""Tests of tools/run_tests: which stages run, in which order, and what a change asks for."""
import argparse
import contextlib
import io
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest, load_tool  # noqa: E402


TOOL = load_tool("run_tests")


def options(**given):
    return argparse.Namespace(**{"changed": False, "wing": None, "only": None, "everything": False, "preset": "release",
                                 "folder": ROOT / "build", "programs": ["programs"], "test_programs": ["tests"], "unit": "",
                                 "goldens": [], "tools": None, **given})


class Stages(unittest.TestCase):
    def run_course(self, stages):
        """Runs stages given as name -> (lane, needs, function); what is printed, and the total."""
        made = {name: TOOL.Stage(name, lambda _options, _filter, work=work: work(), needs, lane)
                for name, (lane, needs, work) in stages.items()}
        printed = io.StringIO()
        with mock.patch.object(TOOL, "STAGES", made), contextlib.redirect_stdout(printed):
            total, failed = TOOL.Course(options(), {name: "" for name in made}).run()
        return printed.getvalue(), total, failed

    def test_lanes_run_beside_each_other(self):
        meeting = threading.Barrier(2, timeout=30)

        def meet():
            meeting.wait()
            return TOOL.Tally(passed=1)
        _, total, failed = self.run_course({"a": ("build", (), meet), "b": ("cores", (), meet)})
        self.assertEqual((total.passed, failed), (2, []))

    def test_a_stage_waits_for_what_it_needs(self):
        order = []

        def note(name):
            return lambda: order.append(name) or TOOL.Tally(passed=1)
        self.run_course({"test": ("cores", ("build",), note("test")), "build": ("build", (), note("build"))})
        self.assertEqual(order, ["build", "test"])

    def test_what_failed_is_shown_and_keeps_its_dependants_from_running(self):
        def broken():
            raise ValueError("no compiler")
        printed, total, failed = self.run_course({
            "build": ("build", (), broken),
            "test": ("cores", ("build",), lambda: TOOL.Tally(passed=5)),
            "other": ("cores", (), lambda: TOOL.Tally(passed=2, skipped=1, note="no GPU"))})
        self.assertIn("== build\nValueError: no compiler\n", printed)
        self.assertIn("test: 0 passed, 0 failed, 1 skipped; its build failed\n", printed)
        self.assertRegex(printed, r"other: 2 passed, 0 failed, 1 skipped in [\d.]+ s; no GPU\n")
        self.assertEqual((total.passed, total.failed, total.skipped, failed), (2, 1, 2, ["build"]))

    def test_every_need_is_a_stage_above(self):
        seen = set()
        for stage in TOOL.STAGES.values():
            self.assertLessEqual(set(stage.needs), seen, stage.name)
            seen.add(stage.name)


class OutputOfTests(FolderTest):
    def test_what_programs_print_goes_to_a_log(self):
        path = self.folder / "loud_test.py"
        path.write_text("import subprocess, unittest\n\n\nclass Loud(unittest.TestCase):\n    def test(self):\n"
                        "        subprocess.run(['echo', '4 errors'], check=True)\n")
        program = (f"import sys; sys.path.insert(0, {str(ROOT / 'tests' / 'tools')!r})\n"
                   "from pathlib import Path\nfrom support import load_tool\n"
                   f"TOOL = load_tool('run_tests'); TOOL.RELEASE = Path({str(self.folder)!r})\n"
                   f"assert TOOL.run_tool_tests(Path({str(path)!r}), '')[0] == 1\n")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))
        self.assertEqual((self.folder / "test-logs" / "tools" / "loud_test.log").read_text(), "4 errors\n")


class Choice(unittest.TestCase):
    def test_one_stage_brings_what_it_needs(self):
        self.assertEqual(TOOL.choose(options(only=["unit/litmus"])),
                         {"setup": "", "build": "", "build-tests": "", "unit": "litmus"})

    def test_every_day_and_all(self):
        everyday = TOOL.choose(options())
        self.assertIn("kernels", everyday)
        self.assertNotIn("asan-unit", everyday)
        self.assertEqual(list(TOOL.choose(options(everything=True))), list(TOOL.STAGES))

    def test_an_unknown_stage(self):
        with self.assertRaisesRegex(SystemExit, "unknown stage 'units'; expected one of setup build"):
            TOOL.choose(options(only=["units"]))


class Changed(FolderTest):
    def choose(self, *files):
        chosen = options(changed=True)
        with mock.patch.object(TOOL, "changed_files", lambda: list(files)), contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(TOOL, "known_targets", lambda _: {"test_lsp", "test_cli", "test_litmus", "test_model"}):
            return set(TOOL.choose(chosen)), chosen

    def test_a_leaf(self):
        stages, chosen = self.choose("src/faces/lsp/stdio.cpp")
        self.assertEqual(stages, {"build", "build-tests", "layers", "format", "golden", "unit"})
        self.assertEqual(chosen.programs, ["weakspot"])
        self.assertEqual(chosen.test_programs, ["test_cli", "test_lsp"])
        self.assertEqual(chosen.unit, "^(test_lsp|test_lsp_properties|test_cli|test_cli_properties)$")

    def test_dependants_of_a_module_that_others_use(self):
        _, chosen = self.choose("src/judge/litmus/test.h")
        self.assertEqual(chosen.test_programs, ["test_cli", "test_litmus", "test_lsp", "test_model"])

    def test_what_is_not_code(self):
        stages, chosen = self.choose("docs/race.md")
        self.assertEqual(stages, {"layers", "format", "markdown", "build", "tools"})
        self.assertEqual(chosen.tools, {"tutorial_test.py"})
        stages, chosen = self.choose("tests/golden/errors/usage.golden")
        self.assertEqual((stages, chosen.goldens), ({"layers", "format", "build", "golden"}, ["errors/usage.golden"]))
        stages, chosen = self.choose("tools/setup")
        self.assertEqual(chosen.tools, {"setup_test.py"})
        self.assertIn("kernels", self.choose("cuda/cuda_runtime.h")[0])


if __name__ == "__main__":
    unittest.main()
