# SPDX-License-Identifier: MIT
"""Tests that whole programs run under 'weakspot race -- PROGRAM': C programs and scripts that use the driver's
interface, nvrtc, or assemble as Triton does. Each is there with a race and repaired."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

DATA = ROOT / "tests" / "data" / "driver"
FOLDER = PROGRAM.parent / "toolkit" / "driver"
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang-19"))), None)
PYTHON = "/usr/bin/python3"

needs_stand_ins = unittest.skipUnless((FOLDER / "libcuda.so.1").exists(), "the build has no library for the driver")
needs_compiler = unittest.skipUnless(COMPILER, "there is no C compiler")
needs_python = unittest.skipUnless(Path(PYTHON).exists(), "the system has no Python")


class DriverTest(FolderTest):
    def do(self, *words, status=0, seconds=300, env=None):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, text=True, timeout=seconds,
                              env={**os.environ, **(env or {})}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def build(self, name, *libraries):
        words = [f"-l:{library}" for library in ("libcuda.so.1", *libraries)]
        self.do(COMPILER, "-O1", "-Wall", "-Werror", DATA / f"{name}.c", "-o", name, f"-L{FOLDER}", *words)

    def race(self, *words, status=0, options=()):
        return self.do(PROGRAM, "race", *options, "--", *words, status=status)

    def report(self, *words, status=0, options=()):
        return json.loads(self.race(*words, status=status, options=("--json", *options)).stdout)

    def golden(self, name, text):
        """Compares with the file tests/data/driver/NAME.expected; WEAKSPOT_BLESS=1 writes it."""
        file = DATA / f"{name}.expected"
        if os.environ.get("WEAKSPOT_BLESS"):
            file.write_text(text)
        self.assertEqual(text, file.read_text())


@needs_program
@needs_stand_ins
@needs_compiler
class CPrograms(DriverTest):
    def test_race_in_shared_memory(self):
        self.build("reverse")
        self.golden("reverse-racy", self.race("./reverse", status=1).stdout)
        self.golden("reverse-repaired", self.race("./reverse", "repaired").stdout)

    def test_race_of_two_streams(self):
        self.build("two_streams")
        self.golden("two_streams-racy", self.race("./two_streams", status=1).stdout)
        self.golden("two_streams-repaired", self.race("./two_streams", "repaired").stdout)

    def test_other_calls_answer_as_the_driver_does(self):
        self.build("many_calls")
        done = self.do(PROGRAM, "race", "--", "./many_calls", status=3)
        self.assertIn("all as expected\n", done.stdout)

    def test_call_that_is_not_modelled_is_named(self):
        self.build("missing_call")
        done = self.race("./missing_call", status=3)
        self.assertIn("not modelled: cuMemCreate: the call fails here\n", done.stdout)
        self.assertEqual(done.stderr, "weakspot: cuMemCreate is not modelled: it fails with CUDA_ERROR_NOT_SUPPORTED\n")

    def test_processes_of_a_program_make_one_report(self):
        self.build("reverse")
        script = self.folder / "all.sh"
        script.write_text("#!/bin/sh\n./reverse repaired\n./reverse\n")
        script.chmod(0o755)
        report = self.report("./all.sh", status=1)
        self.assertEqual([one["verdict"] for one in report["files"]], ["clean", "found"])

    def test_nvrtc(self):
        self.build("compiled_later", "libnvrtc.so.12")
        self.golden("compiled_later-racy", self.race("./compiled_later", status=1).stdout)
        self.golden("compiled_later-repaired", self.race("./compiled_later", "repaired").stdout)
        self.assertEqual(self.report("./compiled_later", "racy", "cubin", status=1)["findings"][0]["line"], 9)


@needs_program
@needs_stand_ins
@needs_python
class Scripts(DriverTest):
    def test_script_that_calls_the_driver(self):
        shutil.copy(DATA / "reverse.py", self.folder)
        self.golden("script-racy", self.race(PYTHON, "reverse.py", status=1).stdout)
        self.golden("script-repaired", self.race(PYTHON, "reverse.py", "repaired").stdout)

    def test_children_need_the_descriptor_of_the_checker(self):
        shutil.copy(DATA / "reverse.py", self.folder)
        start = (f"import subprocess; done = subprocess.run(['{PYTHON}', 'reverse.py'], stderr=subprocess.PIPE, "
                 "text=True, close_fds=%s); print(done.returncode, done.stderr)")
        cut_off = self.race(PYTHON, "-c", start % True, status=3).stdout
        self.assertIn("its parent closed descriptor ", cut_off)
        self.assertIn("no call of CUDA reached the checker: nothing was checked\n", cut_off)
        self.assertIn("error: E1 race: ", self.race(PYTHON, "-c", start % False, status=1).stdout)

    def test_source_includes_no_more_than_the_program_sees(self):
        shutil.copy(DATA / "includes.py", self.folder)
        with tempfile.TemporaryDirectory() as elsewhere:
            secret = Path(elsewhere) / "secret.h"
            secret.write_text("the_secret_word\n")
            done = self.race(PYTHON, "includes.py", secret, status=3)
            self.assertIn("result 6\n", done.stdout)
            # The option names the folder, and a word of the command is what shows it to the program.
            self.assertIn("the_secret_word", done.stdout)
            done = self.race(PYTHON, "-c", f"import sys; sys.argv[1:] = ['{secret}']; exec(open('includes.py').read())",
                             status=3)
            self.assertIn("result 6\n", done.stdout)
            self.assertNotIn("the_secret_word", done.stdout + done.stderr)

    def test_kernel_that_ptxas_assembled(self):
        found = self.report(PYTHON, DATA / "like_triton.py", status=1)["findings"]
        self.assertEqual([(Path(one["file"]).name, one["line"]) for one in found], [("flip.py", 8)])
        self.assertEqual(self.report(PYTHON, DATA / "like_triton.py", "repaired")["verdict"], "clean")

    def test_machine_code_alone_is_not_checked(self):
        report = self.report(PYTHON, DATA / "like_triton.py", "stripped", status=3)
        self.assertEqual([one["what"] for one in report["not_modelled"]],
                         ["launch of flip, which is there as machine code alone"])

    def test_ptxas_refuses_what_is_not_ptx(self):
        wrong = self.folder / "wrong.ptx"
        wrong.write_text(".version 8.0\n.target sm_90\n.nonsense\n")
        done = self.do(FOLDER / "ptxas", "--gpu-name=sm_90", wrong, "-o", "made.cubin", status=255)
        self.assertIn("wrong.ptx:3:1: error: ", done.stderr)
        self.assertFalse((self.folder / "made.cubin").exists())


@needs_program
@needs_stand_ins
class Refusals(DriverTest):
    def test_what_is_no_program_is_refused(self):
        (self.folder / "kernel.cu").write_text("__global__ void k() {}\n")
        done = self.race("kernel.cu", status=2)
        self.assertEqual(done.stderr, "kernel.cu: error: expected a program to run behind '--', found a file that "
                                      "cannot be executed\n")
        done = self.race("no-such-program", status=2)
        self.assertIn("and there is none of that name", done.stderr)
        (self.folder / "kernel.cu").chmod(0o755)
        self.assertIn("such as './kernel.cu'", self.race("kernel.cu", status=2).stderr)
        done = self.do(PROGRAM, "race", Path(PYTHON).resolve(), status=2)
        self.assertIn("expected a text, found a program; 'weakspot race -- PROGRAM' runs one", done.stderr)

    def test_program_without_cuda_is_not_clean(self):
        done = self.race("/bin/echo", "hello", status=3)
        self.assertIn("hello\n", done.stdout)
        self.assertIn("not complete: no call of CUDA reached the checker: nothing was checked\n", done.stdout)

    def test_options_about_a_file_are_refused(self):
        done = self.race("/bin/echo", status=2, options=("--mutants",))
        self.assertIn("--mutants needs a file; without one, the words behind '--' are a program to run", done.stderr)

    def test_program_that_does_not_end_is_stopped(self):
        done = self.race("/bin/sleep", "60", status=3, options=("--seconds", "1"))
        self.assertIn("the program did not end in time", done.stdout)


if __name__ == "__main__":
    unittest.main()
