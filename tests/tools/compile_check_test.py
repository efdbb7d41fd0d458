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
BARRIER = """weakspot BAR
 P0         | P1          ;
 st.na x, 1 | bar         ;
 bar        | ld.na r0, x ;
 st z, 1    |             ;
scopes (wg P0 P1)
exists (1:r0=0)
"""
COHERENCE = """weakspot CoRR
 P0      | P1       ;
 st x, 1 | ld r0, x ;
 st z, 1 | ld r1, x ;
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

    def check_planted(self, source, target, mistake, test):
        """The right compiler keeps the test, the wrong one breaks a part of it with few threads."""
        file = self.folder / "test.litmus"
        file.write_text(test)
        results, _ = self.check([self.wrong(target)], str(file), "--source", source)
        self.assertIn(results[0]["verdict"], ("sound", "stronger"), results)
        results, _ = self.check([self.wrong(target, mistake)], str(file), "--source", source, exits=(1,))
        minimal = results[0]["minimal"]
        self.assertLessEqual(minimal["threads"], 3)
        return results[0]

    def test_planted_mistakes_of_opencl_and_cuda(self):
        planted = [("acquire", WRC), ("rmw", EXCHANGED), ("scope", WRC)]
        targets = [("opencl", "spirv", "SPIR-V (OpenCL)"), ("opencl", "ptx", "PTX"), ("cuda", "ptx", "PTX"),
                   ("cuda-builtins", "ptx", "PTX")]
        for source, target, machine in targets:
            for mistake, test in planted:
                with self.subTest(source=source, target=target, mistake=mistake):
                    found = self.check_planted(source, target, mistake, test)
                    self.assertEqual(found["machine"], machine)
                    self.assertNotIn("(unrelated", found["minimal"]["source"])

    def test_planted_mistakes_of_wgsl(self):
        for mistake, test in [("scope", COHERENCE), ("plain", COHERENCE), ("barrier", BARRIER)]:
            with self.subTest(mistake=mistake):
                found = self.check_planted("wgsl", "spirv", mistake, test)
                self.assertEqual(found["models"], {"source": "webgpu", "machine": "vulkan"})
                self.assertNotIn("st z", found["minimal"]["source"])

    def test_compilers_of_wgsl_and_opencl_that_fail_have_a_line_each(self):
        reasons = [("crash", "crashed"), ("garbage", "or SPIR-V"), ("hang", "did not end"), ("cut", "cut off")]
        for source in ("opencl", "wgsl"):
            for mistake, reason in reasons:
                with self.subTest(source=source, mistake=mistake):
                    limit = "1" if mistake == "hang" else "60"
                    results, _ = self.check([self.wrong("spirv", mistake)], "MP", "--source", source,
                                            "--compiler-seconds", limit, exits=(3,))
                    self.assertIn(reason, results[0]["reason"])
            for missing in ("no-such-compiler {in} {out}", "no-such-compiler -o - {in} | tee {out}; exit 1"):
                results, _ = self.check([missing], "MP", "--source", source, exits=(3,))
                self.assertEqual(results[0]["reason"], "the compiler is missing or cannot be started")
        results, _ = self.check([self.wrong("spirv")], "MP+rel+acq", "MP", "--source", "wgsl")
        self.assertEqual([one["verdict"] for one in results], ["error", "sound"])
        self.assertEqual(results[0]["reason"], "WGSL has only relaxed atomics")

    def test_compilers_that_fail_have_a_line_each(self):
        for mistake, reason in [("crash", "crashed"), ("garbage", "not AArch64"), ("hang", "did not end")]:
            limit = "1" if mistake == "hang" else "60"
            results, _ = self.check([self.wrong("aarch64", mistake)], "MP", "--compiler-seconds", limit, exits=(3,))
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

    def test_real_compilers_of_gpus(self):
        spirv = "clang-15 -cl-std=CL2.0 -target spir64 -O2 -emit-llvm -c -o - {in} | llvm-spirv-15 - -o {out}"
        native = "clang-19 -cl-std=CL2.0 --target=aarch64-linux-gnu -O2"
        nvcc = "nvcc -ptx -rdc=true -arch=sm_80 -o {out} {in}"
        tests = ["MP+rel+acq", "SB+sc", "LB", "MP", "2+2W+sc"]
        checked = 0
        for source, command, needs in [("opencl", spirv, ("clang-15", "llvm-spirv-15")),
                                       ("opencl", native, ("clang-19",)), ("cuda", nvcc, ("nvcc", "ptxas"))]:
            if not all(shutil.which(program) for program in needs):
                continue
            with self.subTest(source=source, command=command):
                checked += 1
                results, _ = self.check([command], *tests, "--source", source, "--compiler-seconds", "2min")
                self.assertEqual({one["verdict"] for one in results} - {"sound", "stronger"}, set(), results)
        if checked == 0:
            self.skipTest("no compiler of OpenCL C or CUDA is installed")

    def test_real_compilers_of_wgsl(self):
        folder = support.ROOT / "build" / "wgsl"
        needs = {"naga": ["node"], "tint": ["node", "spirv-as"]}
        present = [name for name, programs in needs.items()
                   if (folder / f"{name}.mjs").exists() and all(map(shutil.which, programs))]
        if not Path("/usr/lib/chromium/vk_swiftshader_icd.json").exists():
            present = [name for name in present if name != "tint"]
        if not present:
            self.skipTest("tools/wgsl_compiler has not installed a compiler of WGSL")
        for name in present:
            with self.subTest(compiler=name):
                command = shlex.join(["node", str(folder / f"{name}.mjs")]) + " {in} {out}"
                results, _ = self.check([command], "coherence/CoRR", "MP", "LB", "MP+bars", "--source", "wgsl")
                self.assertEqual([one["verdict"] for one in results], ["sound"] * 4, results)

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

