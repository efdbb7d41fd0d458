# SPDX-License-Identifier: MIT
"""Tests of `weakspot emit --for SUITE`: what it writes is accepted by the tools of the suites, as far as they are here.

Shaders of Amber's scripts go through spirv-as and spirv-val, OpenCL kernels run on PoCL by the host beside them.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

TESTS = ["SB-rmw", "LB-relacq", "S-relacq", "R-rmw", "2+2W-rmw", "MP-relacq"]
# All accesses are read-modify-writes: Vulkan has no sequential consistency that would order others.
IRIW = """weakspot IRIW-rmw
 P0                | P1                | P2                | P3                ;
 atom.exch _, x, 1 | atom.add r0, x, 0 | atom.exch _, y, 1 | atom.add r0, y, 0 ;
                   | fence.acqrel      |                   | fence.acqrel      ;
                   | atom.add r1, y, 0 |                   | atom.add r1, x, 0 ;
scopes (wg P0) (wg P1) (wg P2) (wg P3)
exists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)
"""
# Three locations, which the tests of the WebGPU CTS do not have.
RING = """weakspot 3.SB-bars
 P0       | P1       | P2       ;
 st x, 1  | st y, 1  | st z, 1  ;
 bar      | bar      | bar      ;
 ld r0, y | ld r0, z | ld r0, x ;
scopes (wg P0 P1 P2)
exists (0:r0=0 \\/ 1:r0=0 \\/ 2:r0=0)
"""
WGSL = ROOT / "build" / "wgsl"
PATIENCE = 600  # seconds, for a machine under load


def run(*words, **more):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=PATIENCE, text=True, **more)


@needs_program
class Suites(FolderTest):
    def emit(self, suite, *tests):
        folder = Path(self.folder) / suite
        done = run(PROGRAM, "emit", *tests, "--for", suite, "--out", folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return folder

    @unittest.skipUnless(shutil.which("spirv-val") and shutil.which("spirv-as"), "SPIRV-Tools are not on the PATH")
    def test_shaders_of_amber_are_valid(self):
        iriw = self.folder / "IRIW-rmw.litmus"
        iriw.write_text(IRIW)
        folder = self.emit("amber", *TESTS, iriw)
        scripts = sorted(folder.rglob("*.amber"))
        self.assertGreaterEqual(len(scripts), 2 * len(TESTS))
        for script in scripts:
            shader = re.search(r"^SHADER .*?\n(.*?)^END$", script.read_text(), re.S | re.M).group(1)
            text, binary = folder / "shader.spvasm", folder / "shader.spv"
            text.write_text(shader)
            made = run("spirv-as", "--target-env", "spv1.5", text, "-o", binary)
            self.assertEqual(made.returncode, 0, made.stderr)
            checked = run("spirv-val", "--target-env", "vulkan1.2", binary)
            self.assertEqual(checked.returncode, 0, f"{script.name}: {checked.stdout}{checked.stderr}")

    @unittest.skipUnless((WGSL / "node_modules" / "webgpu").exists() and shutil.which("node"),
                         "tools/wgsl_compiler has not installed a compiler of WGSL")
    def test_shaders_of_webgpu_compile(self):
        ring = self.folder / "3.SB-bars.litmus"
        ring.write_text(RING)
        folder = self.emit("webgpu-cts", "conformance/CoRR", "CoRR-rmw", ring)
        for spec in folder.rglob("*.spec.ts"):
            code = re.search(r"^const code = `\n(.*?)`;$", spec.read_text(), re.S | re.M).group(1)
            (self.folder / f"{spec.name}.wgsl").write_text(code)
        done = run("node", WGSL / "compile.mjs", self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_page_lists_the_mutants(self):
        page = (self.emit("amber", "SB-rmw") / "README.md").read_text()
        self.assertRegex(page, r"\| `SB-rmw` \| vulkan \| 4 \| 1 \| .*`SB-rmw-nofence`")

    def test_json_has_the_mutants(self):
        found = json.loads(run(PROGRAM, "emit", "SB-rmw", "--for", "opencl-cts", "--json").stdout)
        self.assertEqual(found[0]["test"], "SB-rmw")
        self.assertEqual({entry.get("mutant_of") for entry in found}, {None, "SB-rmw"})

    @unittest.skipUnless(shutil.which("c++") and Path("/usr/include/CL/cl.h").exists(), "no headers of OpenCL")
    def test_kernels_run_on_opencl(self):
        folder = self.emit("opencl-cts", "MP-relacq", "SB-rmw")
        built = run("c++", "-O1", folder / "run.cpp", "-l:libOpenCL.so.1", "-o", folder / "run")
        if built.returncode != 0 and "cannot find" in built.stderr:
            self.skipTest("no OpenCL library")
        self.assertEqual(built.returncode, 0, built.stderr)
        cache = ROOT / "build" / "test-cache" / "pocl"
        cache.mkdir(parents=True, exist_ok=True)
        done = run(folder / "run", 4, env={**os.environ, "POCL_CACHE_DIR": str(cache)})
        if done.returncode == 3 and ("no platform" in done.stderr or "no device" in done.stderr):
            self.skipTest("no OpenCL device")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^passed +MP-relacq  0 of 16384 instances")


if __name__ == "__main__":
    unittest.main()
