# SPDX-License-Identifier: MIT
"""Device parts that nvcc compiles (`weakspot race --front`), with a program in its place that hands out ready PTX."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest  # noqa: E402

RACE = PROGRAM.parent / "weakspot-race"
# All threads add to one number with a load and a store.
KERNEL = """// weakspot: launch grid=1 block=64
// weakspot: arg total=int[1]
// weakspot: arg step=2
__global__ void count(int* total, int step) {
  *total += step;
}
"""
MAIN = """int main() {
  int* total;
  cudaMalloc(&total, 4);
  count<<<1, 64>>>(total, 2);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""
PTX = """.version 8.7
.target sm_90
.address_size 64
.visible .entry _Z5countPii(.param .u64 _Z5countPii_param_0, .param .u32 _Z5countPii_param_1) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  .loc 1 4 0
  ld.param.u64 %rd1, [_Z5countPii_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u32 %r1, [_Z5countPii_param_1];
  .loc 1 5 3
  ld.global.u32 %r2, [%rd2];
  add.s32 %r3, %r2, %r1;
  st.global.u32 [%rd2], %r3;
  .loc 1 6 1
  ret;
}
.file 1 "SOURCE"
"""
NVCC = """#!/bin/sh
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && out=$2
  shift
done
cp "$(dirname "$0")/ready.ptx" "$out"
"""


@unittest.skipUnless(RACE.exists(), f"{RACE} is not built")
class Front(FolderTest):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "k.cu"
        self.source.write_text(KERNEL, encoding="utf-8")
        self.tools = self.folder / "tools"
        self.tools.mkdir()

    def install(self, text=NVCC):
        (self.tools / "nvcc").write_text(text, encoding="utf-8")
        (self.tools / "nvcc").chmod(0o755)
        (self.tools / "ready.ptx").write_text(PTX.replace("SOURCE", str(self.source)), encoding="utf-8")

    def race(self, *words):
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}",
                       "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run([RACE, "k.cu", *words], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env=environment)

    def report(self, *words):
        done = self.race("--json", *words)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def found(self, report):
        return [(entry["class"], entry["variable"], entry["file"], entry["line"], entry["other"]["line"])
                for entry in report["findings"]]

    def test_both_ways_agree(self):
        self.install()
        ours, theirs = self.report(), self.report("--front", "nvcc")
        self.assertNotIn("front", ours)
        self.assertEqual(theirs["front"], "nvcc")
        self.assertEqual(self.found(theirs), [("E1", "total", "k.cu", 5, 5)])
        self.assertEqual(self.found(theirs), self.found(ours))
        self.assertIn("--front nvcc", theirs["findings"][0]["replay"])
        self.assertEqual(self.found(self.report("--front", "nvcc")), self.found(theirs))  # from the cache

    def test_main_launches_what_nvcc_made(self):
        self.install()
        self.source.write_text(KERNEL + MAIN, encoding="utf-8")
        report = self.report("--front", "nvcc", "--program")
        self.assertEqual(self.found(report), [("E1", "total", "k.cu", 5, 5)])

    def test_nvcc_takes_over_where_clang_fails(self):
        self.install()
        self.source.write_text(KERNEL.replace("+= step;", "+= __only_nvcc_knows(step);"), encoding="utf-8")
        report = self.report()
        self.assertEqual(report["front"], "nvcc-instead")
        self.assertEqual(self.found(report), [("E1", "total", "k.cu", 5, 5)])
        self.assertIn("device part: compiled by nvcc, since clang could not\n", self.race().stdout)
        self.assertEqual(self.race("--front", "clang").returncode, 2)

    def test_where_both_fail_clang_says_why(self):
        self.install("#!/bin/sh\necho nvcc: no >&2\nexit 1\n")
        self.source.write_text(KERNEL.replace("step;", "nothing;"), encoding="utf-8")
        done = self.race()
        self.assertEqual(done.returncode, 2)
        self.assertIn("k.cu:5:13: error: use of undeclared identifier 'nothing'", done.stderr)
        done = self.race("--front", "nvcc")
        self.assertEqual((done.returncode, done.stderr), (2, "nvcc: no\n"))

    def test_a_toolkit_without_nvcc_is_named(self):
        toolkit = self.folder / "toolkit"
        (toolkit / "include").mkdir(parents=True)
        (toolkit / "include" / "cuda_runtime.h").write_text("", encoding="utf-8")
        (toolkit / "include" / "cuda.h").write_text("#define CUDA_VERSION 12050\n", encoding="utf-8")
        done = self.race("--front", "nvcc", "--cuda-path", str(toolkit))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"{toolkit}/bin/nvcc: error: --front nvcc needs this program", done.stderr)

    @unittest.skipUnless(shutil.which("nvcc"), "no nvcc")
    def test_the_real_one_agrees(self):
        self.assertEqual(self.found(self.report("--front", "nvcc")), self.found(self.report("--front", "clang")))


if __name__ == "__main__":
    unittest.main()
