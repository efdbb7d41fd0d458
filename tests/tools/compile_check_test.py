# SPDX-License-Identifier: MIT
"""compile-check with compilers that make mistakes: those that it must find, and those that it must survive."""
import json
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import support

WRC = """C WRC
{}
P0 (atomic_int* x, atomic_int* unrelated) {
  atomic_store_explicit(unrelated, 1, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_acquire);
  atomic_store_explicit(y, 1, memory_order_release);
}
P2 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)
"""
EXCHANGED = """C MP+exchanges
{}
P0 (atomic_int* x, atomic_int* y, atomic_int* unrelated) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_exchange_explicit(y, 1, memory_order_acq_rel);
  atomic_store_explicit(unrelated, 1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_fetch_add_explicit(y, 2, memory_order_acq_rel);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\\ 1:r1=0)
"""
WRONG = Path(__file__).with_name("wrong_compiler.py")


@support.needs_program
class CompileCheckTest(support.FolderTest):
    def check(self, compilers, *words, exits=(0,)):
        command = [str(support.PROGRAM), "compile-check", "--json", *words]
        for compiler in compilers:
            command += ["--compiler", compiler]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        self.assertIn(done.returncode, exits, done.stderr)
        return json.loads(done.stdout), done.stderr

    @staticmethod
    def wrong(*words):
        return shlex.join([sys.executable, str(WRONG), *words])

    def test_documented_mappings_are_sound(self):
        for target in ("aarch64", "ptx"):
            results, _ = self.check([self.wrong(target)], "MP+rel+acq", "SB+sc", "MP", "LB", "IRIW+sc", "2+2W+sc",
                                    "SB+fence.sc+fence.sc")
            verdicts = {one["test"]: one["verdict"] for one in results}
            self.assertEqual({verdict for verdict in verdicts.values()} - {"sound", "stronger"}, set(), verdicts)

    def test_planted_mistakes_are_found_with_few_threads(self):
        planted = [("aarch64", "acquire", WRC), ("ptx", "acquire", WRC), ("aarch64", "rmw", EXCHANGED),
                   ("ptx", "rmw", EXCHANGED), ("ptx", "scope", WRC)]
        for target, mistake, test in planted:
            with self.subTest(target=target, mistake=mistake):
                file = self.folder / "test.litmus"
                file.write_text(test)
                results, _ = self.check([self.wrong(target)], str(file))
                self.assertIn(results[0]["verdict"], ("sound", "stronger"))
                results, _ = self.check([self.wrong(target, mistake)], str(file), exits=(1,))
                minimal = results[0]["minimal"]
                self.assertLessEqual(minimal["threads"], 3)
                # The store that has nothing to do with it is gone.
                self.assertNotIn("(unrelated", minimal["source"])

    def test_compilers_that_fail_have_a_line_each(self):
        for mistake, reason in [("crash", "crashed"), ("garbage", "not AArch64"), ("hang", "did not end")]:
            results, _ = self.check([self.wrong("aarch64", mistake)], "MP", "--compiler-seconds", "1", exits=(3,))
            self.assertEqual(results[0]["verdict"], "error")
            self.assertIn(reason, results[0]["reason"])
        results, _ = self.check(["no-such-compiler -O2"], "MP", "SB", exits=(3,))
        self.assertEqual([one["reason"] for one in results], ["the compiler is missing or cannot be started"] * 2)

    def test_the_rest_is_checked(self):
        results, _ = self.check([self.wrong("aarch64", "crash-on-sc")], "MP+rel+acq", "SB+fence.sc+fence.sc", "SB",
                                exits=(3,))
        self.assertEqual([one["verdict"] for one in results], ["sound", "error", "sound"])
        self.assertIn("no fence", results[1]["reason"])

    def test_warnings_are_told_once(self):
        results, errors = self.check([self.wrong("aarch64", "warn")], "MP", "SB")
        self.assertEqual([one["verdict"] for one in results], ["sound", "sound"])
        self.assertEqual(errors.count("this compiler is not a real one"), 1)

    def test_threads_of_two_compilers(self):
        compilers = [self.wrong("aarch64"), self.wrong("aarch64", "acquire")]
        results, _ = self.check(compilers, "MP+rel+acq", exits=(1,))
        # Only where the reader is compiled wrongly.
        self.assertEqual([one["verdict"] for one in results], ["unsound", "sound"])
        self.assertIn(" | ", results[0]["compiler"])
        results, _ = self.check([self.wrong("aarch64"), self.wrong("ptx")], "MP", exits=(3,))
        self.assertIn("different machines", results[0]["reason"])

    def test_data_races_have_no_meaning(self):
        text = "C racy\n{}\nP0 (int* x) {\n  *x = 1;\n}\nP1 (int* x) {\n  int r0 = *x;\n}\nexists (1:r0=1)\n"
        done = subprocess.run([str(support.PROGRAM), "compile-check", "--compiler", self.wrong("aarch64"), "-"],
                              input=text, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("data race", done.stdout)

    def test_real_compilers(self):
        commands = ["clang-19 --target=aarch64-linux-gnu -O2", "clang-19 --target=x86_64-linux-gnu -O2",
                    "aarch64-linux-gnu-gcc -O2", "x86_64-linux-gnu-gcc -O2"]
        present = [command for command in commands if shutil.which(command.split()[0])]
        if not present:
            self.skipTest("no compiler for AArch64 or x86-64 is installed")
        for command in present:
            with self.subTest(command=command):
                results, _ = self.check([command], "MP+rel+acq", "SB+sc", "LB", "MP", "SB", "IRIW+sc")
                self.assertEqual({one["verdict"] for one in results} - {"sound", "stronger"}, set())

