# SPDX-License-Identifier: MIT
"""Tests 'weakspot confirm' from a report to a verdict. The stand-in for CUDA's driver is the GPU: it runs the forms on
the processor, one thread after the other, so that a barrier changes results and a delay does not."""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import Schemas  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

TILES = """__global__ void tiles(const int* a, int* out) {
  __shared__ int left[64];
  const int i = threadIdx.x;
  left[i] = a[i];
  out[i] = left[63 - i];
}
__global__ void last(int* out) { *out = threadIdx.x; }
__global__ void same(int* out) { *out = 5; }
#ifdef MAIN
int main() {
  int *a, *out;
  cudaMalloc(&a, 256);
  cudaMalloc(&out, 256);
  cudaMemset(a, 1, 256);
  tiles<<<1, 64>>>(a, out);
  return cudaDeviceSynchronize();
}
#endif
"""


@needs_program
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "the build has no weakspot-race")
class ConfirmTest(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "tiles.cu").write_text(TILES)

    def call(self, *words, status):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn(done.returncode, status, done.stdout + done.stderr)
        return done

    def report(self, *options):
        found = self.call("race", "tiles.cu", "--json", "--project", "none", *options, status=(1,)).stdout
        (self.folder / "report.json").write_text(found)
        return json.loads(found)

    def prepare(self, kernel, *options):
        """Without nvcc, whose code depends on its version."""
        self.report("--front", "clang", "--kernel", kernel, "--launch", "grid=1 block=64", *options)
        self.call("confirm", "report.json", "--prepare", status=(0,))
        return self.folder / "report.confirm" / "finding-1"

    def on_stand_in(self, *words):
        """What 'weakspot confirm' prints as JSON where the driver is ours."""
        done = self.call("race", "--read", PROGRAM.parent, "--project", "none", "--", PROGRAM, "confirm",
                         "report.confirm", "--json", "--runs", "3", *words, status=(0, 1, 3))
        answer, _ = json.JSONDecoder().raw_decode(done.stdout)  # a report of the checker follows
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(answer, "confirm.schema.json"), [])
        return answer["findings"][0]

    def test_barrier_changes_the_result(self):
        folder = self.prepare("tiles", "--arg", "a=int[64] fill=iota", "--arg", "out=int[64]")
        seen = self.on_stand_in()
        self.assertEqual(seen["verdict"], "confirmed")
        self.assertEqual(seen["because"], "differs-unrepaired")
        self.assertTrue(seen["repair_checked"])
        self.assertEqual([form["kind"] for form in seen["forms"]],
                         ["original", "delayed", "delayed", "repaired", "repaired-delayed", "repaired-delayed"])
        self.assertEqual([form["runs"] for form in seen["forms"]], [3] * 6)
        self.assertEqual([form["differ"] for form in seen["forms"]], [3, 3, 3, 0, 0, 0])
        # The right result is the array the other way round, so the first word should be its last.
        self.assertEqual(seen["differences"][0]["buffer"], "out")
        self.assertEqual(seen["differences"][0]["expected"], 63)
        self.assertEqual((folder / "module-3.ptx").read_text().count("bar.sync"), 1)

    def test_without_a_repair(self):
        self.prepare("last", "--arg", "out=int[1]")
        seen = self.on_stand_in()
        self.assertEqual((seen["verdict"], seen["because"]), ("same", "all-same"))
        self.assertEqual(seen["no_repair"], "no-fix")
        self.assertEqual(len(seen["forms"]), 3)

    def test_equal_values_need_no_device(self):
        self.prepare("same", "--arg", "out=int[1]")
        done = self.call("confirm", "report.confirm", status=(0,))
        self.assertIn("no run can differ: both threads write the same value with this input", done.stdout)

    def test_launch_of_main(self):
        self.report("--front", "clang", "-DMAIN", "--program")
        self.call("confirm", "report.json", "--prepare", status=(0,))
        seen = self.on_stand_in()
        self.assertEqual(seen["kernel"], "tiles")
        # All words are the same, so the order of threads cannot show but in what was there before.
        self.assertEqual(seen["forms"][3]["differ"], 0)

    def test_no_device(self):
        self.prepare("last", "--arg", "out=int[1]")
        done = self.call("confirm", "report.confirm", status=(0, 1, 3))
        if done.returncode == 3:
            self.assertIn("cuda: no driver", done.stderr)

    def test_refuses_what_is_forged(self):
        report = self.report("--front", "clang", "--kernel", "last", "--launch", "grid=1 block=64", "--arg", "out=int[1]")
        for replay, message in {"weakspot race -- ./evil": "whole program",
                                "weakspot race tiles.cu --html x.html": "'--html', which says more",
                                "touch evil": "no command of 'weakspot race'",
                                "weakspot race missing.cu --launch 'grid=1 block=1'": "missing.cu"}.items():
            report["findings"][0]["replay"] = replay
            (self.folder / "report.json").write_text(json.dumps(report))
            with self.subTest(replay=replay):
                done = self.call("confirm", "report.json", "--finding", "1", "--prepare", status=(2, 3))
                self.assertIn(message, done.stderr)
        done = self.call("confirm", "report.json", "--finding", "2", status=(2,))
        self.assertIn("the report has 1 finding\n", done.stderr)
        (self.folder / "report.json").write_text("{}")
        self.call("confirm", "report.json", status=(2,))

    def test_arguments_that_are_not_the_kernels(self):
        folder = self.prepare("last", "--arg", "out=int[1]")
        text = (folder / "capture.json").read_text()
        launch = json.loads(text)
        launch["launches"][0]["arguments"] = ["00"]  # the driver would read seven bytes more
        (folder / "capture.json").write_text(json.dumps(launch))
        seen = self.on_stand_in()
        self.assertEqual((seen["verdict"], seen["because"]), ("unknown", "not-run"))
        self.assertIn("the arguments are not those of kernel", seen["forms"][0]["refusal"])

    def test_capture_of_a_launch_is_a_capture(self):
        self.call("race", "tiles.cu", "--front", "clang", "--kernel", "tiles", "--launch", "grid=1 block=64", "--arg",
                  "a=int[64] fill=iota", "--arg", "out=int[64]", "--capture", "kept", status=(1,))
        listed = json.loads((self.folder / "kept" / "capture.json").read_text())
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(listed, "capture.schema.json"), [])
        self.assertEqual([buffer["name"] for buffer in listed["buffers"]], ["a", "out"])
        self.assertNotIn("file", listed["buffers"][1])  # zeros
        found = self.call("race", "kept", status=(1,))
        self.assertIn("E1 race: read and write of shared left[31] are not ordered", found.stdout)
        # A finding of a capture can be confirmed as well.
        (self.folder / "report.json").write_text(self.call("race", "kept", "--json", status=(1,)).stdout)
        self.call("confirm", "report.json", "--prepare", status=(0,))
        self.assertEqual(self.on_stand_in()["verdict"], "confirmed")

    def test_capture_has_the_variables_that_the_launch_finds(self):
        (self.folder / "scaled.cu").write_text("""__constant__ int scale = 1;
__global__ void scaled(int* out) { *out = threadIdx.x * scale; }
int main() {
  int *out, three = 3;
  cudaMalloc(&out, 4);
  cudaMemcpyToSymbol(scale, &three, 4);
  scaled<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
""")
        self.call("race", "scaled.cu", "--front", "clang", "--capture", "kept", status=(1,))
        listed = json.loads((self.folder / "kept" / "capture.json").read_text())
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(listed, "capture.schema.json"), [])
        scale, = [buffer for buffer in listed["buffers"] if buffer.get("variable") == "scale"]
        self.assertEqual(gzip.decompress((self.folder / "kept" / scale["file"]).read_bytes()), bytes([3, 0, 0, 0]))
        out, = [number for number, buffer in enumerate(listed["buffers"]) if "variable" not in buffer]
        # What threads of any order leave is a product with the variable, here and on a device.
        listed["launches"][0]["outputs"] = [{"buffer": out, "file": "after.bin"}]
        (self.folder / "kept" / "capture.json").write_text(json.dumps(listed))
        (self.folder / "kept" / "after.bin").write_bytes((63 * 3).to_bytes(4, "little"))
        found = self.call("race", "kept", "--json", status=(1,))
        self.assertEqual(found.stderr, "")
        (self.folder / "report.json").write_text(found.stdout)
        self.call("confirm", "report.json", "--prepare", status=(0,))
        self.assertEqual(self.on_stand_in()["because"], "all-same")

    @unittest.skipUnless(Path("/usr/local/cuda/bin/ptxas").exists() or shutil.which("ptxas"), "there is no ptxas")
    def test_ptxas_takes_all_forms(self):
        folder = self.prepare("tiles", "--arg", "a=int[64] fill=iota", "--arg", "out=int[64]")
        ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
        for ptx in sorted(folder.glob("*.ptx")):
            subprocess.run([ptxas, "-arch=sm_90", ptx, "-o", self.folder / "x.cubin"], check=True)

    # The forms of `tiles` on a driver that runs none of them, but does what a test says (tests/data/fake_cuda.c).
    DELAY, BARRIER = "nanosleep", "bar.sync"

    def on_fake(self, what, status, *words):
        if not hasattr(ConfirmTest, "fake"):
            ConfirmTest.fake = tempfile.mkdtemp()
            self.addClassCleanup(shutil.rmtree, ConfirmTest.fake)
            subprocess.run([shutil.which("cc"), "-shared", "-fPIC", "-o", Path(ConfirmTest.fake, "libcuda.so.1"),
                            ROOT / "tests" / "data" / "fake_cuda.c"], check=True)
        if not (self.folder / "report.confirm").exists():  # the test may have made others
            self.prepare("tiles", "--arg", "out=int[64]", "--arg", "a=int[64] fill=iota")
        done = subprocess.run([PROGRAM, "confirm", "report.confirm", "--json", "--runs", "20", "--launch-limit", "50ms",
                               *words], cwd=self.folder, text=True, timeout=120, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "LD_LIBRARY_PATH": ConfirmTest.fake, "FAKE_CUDA": what})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(answer, "confirm.schema.json"), [])
        return answer["findings"][0]

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_verdicts_on_a_device_that_does_as_it_is_told(self):
        same = self.on_fake("", 0)
        self.assertEqual(same["because"], "all-same")
        self.assertEqual(same["device"], "fake 0")
        self.assertEqual([form["runs"] for form in same["forms"]], [20] * 6)
        # The unrepaired forms have no barrier: all that have a delay are wrong, or none of the repaired ones is.
        wrong = self.on_fake("wrong:" + self.DELAY, 3)
        self.assertEqual(wrong["because"], "repair-varies")
        module = self.folder / "report.confirm" / "finding-1" / "module-1.ptx"
        module.write_text(module.read_text() + "// only here\n")
        delayed = self.on_fake("wrong:only here", 1)
        self.assertEqual((delayed["verdict"], delayed["because"]), ("confirmed", "differs-unrepaired"))
        self.assertEqual([form["differ"] for form in delayed["forms"]], [0, 20, 0, 0, 0, 0])
        self.assertEqual(delayed["differences"][0]["found"] & 0xff, 2)
        varies = self.on_fake("varies:" + self.BARRIER, 3)
        self.assertEqual(varies["because"], "repair-varies")
        # A form that hangs or loses its context three times is left alone, and is a result of its own.
        hangs = self.on_fake("hangs:only here", 1)
        self.assertEqual([form["did_not_end"] for form in hangs["forms"]], [0, 3, 0, 0, 0, 0])
        self.assertEqual([form["runs"] for form in hangs["forms"]], [20, 3, 20, 20, 20, 20])
        fails = self.on_fake("fails:only here", 1)
        self.assertEqual(fails["forms"][1]["outcomes"], [
            {"kind": "failed", "name": "CUDA_ERROR_ILLEGAL_ADDRESS", "count": 3, "differs": True}])
        # Without a form nothing is known.
        refused = self.on_fake("refused:only here", 3)
        self.assertEqual(refused["because"], "not-run")
        self.assertIn("ptxas fatal : refused", refused["forms"][1]["refusal"])
        # One that never ends takes no more than its time.
        begin = time.monotonic()
        self.assertEqual(self.on_fake("hangs:.entry", 3, "--seconds", "2s")["because"], "no-result")
        self.assertLess(time.monotonic() - begin, 20)

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_addresses_in_memory_are_those_of_the_capture_in_results(self):
        folder = self.prepare("last", "--arg", "out=int[1]")
        listed = json.loads((folder / "capture.json").read_text())
        out = listed["buffers"][0]
        self.assertEqual(out["bytes"], 4)  # the words of the next buffer do not lie at multiples of eight
        listed["buffers"].append({"address": "0x1000", "bytes": 8, "file": "pointer.bin"})
        (folder / "pointer.bin").write_bytes(int(out["address"], 16).to_bytes(8, "little"))
        (folder / "capture.json").write_text(json.dumps(listed))
        module = folder / "module-1.ptx"
        module.write_text(module.read_text() + "// only here\n")
        # The form that fails is followed by others in a new process, where memory lies elsewhere.
        forms = self.on_fake("fails:only here", 1)["forms"]
        self.assertEqual([form["differ"] for form in forms], [0, 3, 0])

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_without_a_repair_only_a_sole_race_is_the_reason(self):
        folder = self.prepare("last", "--arg", "out=int[1]")
        self.assertEqual(self.on_fake("varies:.entry", 1)["because"], "varies")
        # With an atomic in the kernel there may be another reason.
        listed = json.loads((folder / "confirm.json").read_text())
        self.assertIs(listed["only_reason"], True)
        listed["only_reason"] = False
        (folder / "confirm.json").write_text(json.dumps(listed))
        self.assertEqual(self.on_fake("varies:.entry", 3)["because"], "original-varies")


if __name__ == "__main__":
    unittest.main()
