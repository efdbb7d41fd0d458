# SPDX-License-Identifier: MIT
"""Tests of bench/tables, with tables and a kernel in the form of those that are published."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

KERNEL = """
__global__ void litmus_test(d_atomic_uint* test_locations) {
#ifdef RELEASE
    cuda::memory_order second = cuda::memory_order_release;
    #define FENCE0()
#elif defined(FENCED)
    cuda::memory_order second = cuda::memory_order_seq_cst;
    #define FENCE0() cuda::atomic_thread_fence(cuda::memory_order_acq_rel, FENCE_SCOPE);
#else
    cuda::memory_order second = cuda::memory_order_relaxed;
    #define FENCE0()
#endif
    test_locations[x_0].store(1, cuda::memory_order_relaxed);
    FENCE0()
    test_locations[y_0].store(2, second);
    test_locations[y_1].store(1, cuda::memory_order_relaxed);
    uint r0 = test_locations[x_1].load(cuda::memory_order_seq_cst);
}
  if (x == 2) {
    test_results->res0.fetch_add(1);
  } else if (r0 == 0 && y == 2) {
    test_results->weak.fetch_add(1);
"""
FENCED = r"""weakspot two_2w_TB_01_SCOPE_BLOCK_FENCE_SCOPE_SYSTEM_FENCED
Arch=ptx
Expect=ptx allowed, ptx-strong allowed
Seen=gpu
 P0               | P1              ;
 st.wg x, 1       | st.wg y, 1      ;
 fence.acqrel.sys | fence.sc.wg     ;
 fence.sc.wg      | ld.acq.wg r0, x ;
 st.wg y, 2       |                 ;
scopes (wg P0 P1)
exists (1:r0=0 /\ y=2)
"""


MP = r"""X86_64 {0}
{{ }}
 P0           | P1            ;
 mov $1,(x)   | mov (y),%eax  ;
 mov $1,(y)   | mov (x),%ebx  ;
{1} (1:rax=1 /\ 1:rbx=0)
"""


class CudaLitmus(FolderTest):
    def run_on(self, *rows):
        (self.folder / "2+2w.cu").write_text(KERNEL)
        (self.folder / "table.csv").write_text("\n".join(["test,base,strengthened,gpu", *rows, ""]))
        done = subprocess.run([ROOT / "bench" / "tables" / "cuda_litmus", "table.csv", "--kernels", ".", "--out",
                               "tests"], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_variants_become_tests(self):
        code, _ = self.run_on("two_2w_TB_0_1_SCOPE_DEVICE_NO_FENCE_RELAXED,INSTANCE,UNSAT,not seen",
                              "two_2w_TB_01_SCOPE_BLOCK_FENCE_SCOPE_SYSTEM_FENCED,INSTANCE,INSTANCE,seen")
        self.assertEqual(0, code)
        fenced = self.folder / "tests" / "two_2w_TB_01_SCOPE_BLOCK_FENCE_SCOPE_SYSTEM_FENCED.litmus"
        self.assertEqual(FENCED, fenced.read_text())

    def test_mistakes_are_named(self):
        wrong = {"two_2w_TB_0_1_SCOPE_DEVICE_NO_FENCE_ACQUIRE": "the kernel has no variant 'ACQUIRE'",
                 "lb_TB_0_1_SCOPE_DEVICE_NO_FENCE_RELAXED": "there is no file for the kernel 'lb'",
                 "two_2w_TB_0_1_SCOPE_WARP_NO_FENCE_RELEASE": "expected a name such as",
                 "two_2w_TB_0_12_SCOPE_DEVICE_NO_FENCE_RELEASE": "the name places 3 threads and the kernel has 2"}
        code, err = self.run_on("two_2w_TB_0_1_SCOPE_DEVICE_NO_FENCE_RELAXED,INSTANCE,INSTANCE,seen",
                                *(f"{name},INSTANCE,INSTANCE,seen" for name in wrong))
        self.assertEqual(2, code)
        for line, (name, why) in zip(err.splitlines(), wrong.items()):
            self.assertIn(why, line, name)


@needs_program
class Compare(FolderTest):
    def test_rows_agree_differ_or_are_refused(self):
        catalogue = self.folder / "herdtools7" / "catalogue" / "x86_64" / "tests"
        catalogue.mkdir(parents=True)
        for name, word in (("MP", "exists"), ("MP-not", "~exists"), ("MP-all", "forall")):
            (catalogue / f"{name}.litmus").write_text(MP.format(name, word))
        (catalogue / "bad.litmus").write_text("X86_64 bad\n")
        (catalogue / "kinds.txt").write_text("MP Forbid\nMP-not Allowed\nMP-all Required\nbad Allowed\n")
        logs = self.folder / "herdtools7" / "herd" / "tests" / "instructions" / "X86_64"
        logs.mkdir(parents=True)
        (logs / "MP.litmus").write_text(MP.format("MP", "exists"))
        (logs / "MP.litmus.expected").write_text("Test MP Allowed\nObservation MP Never 0 3\n")
        done = subprocess.run([ROOT / "bench" / "tables" / "compare", self.folder, "--weakspot", PROGRAM, "--verbose"],
                              capture_output=True, text=True)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn("| TSO | `tso` | herdtools7, catalogue/x86_64 | 4 | 1 | 2 | 1 | 0 |\n", done.stdout)
        self.assertIn("| TSO | `tso` | herdtools7, herd/tests/instructions/X86_64 | 1 | 1 | 0 | 0 | 0 |\n", done.stdout)
        self.assertIn("\n5 rows: 2 agree, 2 differ, 1 refused, 0 unknown\n", done.stdout)
        self.assertIn("refused ", done.stderr)

    def test_a_folder_without_repositories_is_a_mistake(self):
        done = subprocess.run([ROOT / "bench" / "tables" / "compare", self.folder], capture_output=True, text=True)
        self.assertEqual(2, done.returncode)
        self.assertIn("expected folders Dat3M, herdtools7, cuda-litmus", done.stderr)


if __name__ == "__main__":
    unittest.main()
