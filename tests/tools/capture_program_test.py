# SPDX-License-Identifier: MIT
"""Tests 'weakspot capture': a program whose GPU is our stand-in for CUDA's driver, its launches in a folder, and what
'weakspot race' finds there."""
import gzip
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from json_schema import Schemas  # noqa: E402
from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

PYTHON = "/usr/bin/python3"
# Two kernels; the second is found by cuGetProcAddress, as CUDA's runtime does, and launched twice.
SCRIPT = '''
import ctypes, sys
PTX = b"""
.version 7.8
.target sm_80
.address_size 64
.visible .entry flip(.param .u64 data, .param .u32 shift)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r6, [shift];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, tile;
  add.u32 %r5, %r4, %r3;
  add.u32 %r2, %r1, %r6;
  st.shared.u32 [%r5], %r2;
  sub.u32 %r7, 252, %r3;
  add.u32 %r7, %r4, %r7;
  ld.shared.u32 %r2, [%r7];
  st.global.u32 [%rd4], %r2;
  ret;
}
.visible .entry one(.param .u64 data)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [data];
  st.global.u32 [%rd1], 7;
  ret;
}
"""
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    assert getattr(cuda, name)(*arguments) == 0, name
module, data, other = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64()
call("cuInit", 0)
call("cuModuleLoadData", ctypes.byref(module), PTX)
call("cuMemAlloc_v2", ctypes.byref(data), ctypes.c_size_t(512))
call("cuMemAlloc_v2", ctypes.byref(other), ctypes.c_size_t(4096))  # no launch reaches it
call("cuMemcpyHtoD_v2", data, bytes(range(256)) * 2, ctypes.c_size_t(512))
call("cuMemcpyHtoD_v2", other, b"secret" * 600, ctypes.c_size_t(3600))
def kernel(name):
    found = ctypes.c_void_p()
    call("cuModuleGetFunction", ctypes.byref(found), module, name)
    return found
def launch(by, kernel, threads, *values):
    arguments = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    assert by(kernel, 1, 1, 1, threads, 1, 1, 0, None, arguments, None) == 0
inner = ctypes.c_uint64(data.value + 256)
launch(cuda.cuLaunchKernel, kernel(b"flip"), 64, inner, ctypes.c_uint32(5))
found, status = ctypes.c_void_p(), ctypes.c_int()
call("cuGetProcAddress_v2", b"cuLaunchKernel", ctypes.byref(found), 12000, ctypes.c_uint64(0), ctypes.byref(status))
again = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, ctypes.c_void_p,
                         ctypes.c_void_p)(found.value)
one = kernel(b"one")
launch(again, one, 1, data)
launch(again, one, 1, data)
call("cuCtxSynchronize")
print("done", file=sys.stderr)
'''


@needs_program
@unittest.skipUnless(Path(PYTHON).exists(), "the system has no python3")
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "the build has no weakspot-race")
@unittest.skipUnless((PROGRAM.parent / "libweakspot-capture.so").exists(), "the build has no recorder")
class CaptureProgramTest(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "flip.py").write_text(SCRIPT)

    def capture(self, *options):
        """Runs the script with the recorder in it; the driver that both find is the stand-in."""
        done = subprocess.run([PROGRAM, "race", "--trust", "--project", "none", "--", PROGRAM, "capture", "--folder",
                               self.folder / "seen", *options, "--", PYTHON, "flip.py"], cwd=self.folder, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertIn("done", done.stdout)
        seen = self.folder / "seen"
        return done.stdout, sorted(path.name for path in seen.iterdir()) if seen.exists() else []

    def listed(self, name):
        value = json.loads((self.folder / "seen" / name / "capture.json").read_text())
        self.assertEqual(Schemas(ROOT / "docs" / "schemas").problems(value, "capture.schema.json"), [])
        return value

    def test_launches_and_the_memory_that_they_reach(self):
        said, names = self.capture()
        self.assertEqual(names, ["flip-1", "one-1"])
        self.assertIn("weakspot capture: wrote", said)
        flip = self.listed("flip-1")
        # The argument leads to the middle of the allocation, all of which is there; the other one is not.
        self.assertEqual([buffer["bytes"] for buffer in flip["buffers"]], [512])
        at = int(flip["buffers"][0]["address"], 16)
        self.assertEqual(flip["launches"][0]["arguments"], [(at + 256).to_bytes(8, "little").hex(), "05000000"])
        self.assertEqual(flip["launches"][0]["block"], [64, 1, 1])
        folder = self.folder / "seen" / "flip-1"
        before = gzip.decompress((folder / flip["buffers"][0]["file"]).read_bytes())
        after = gzip.decompress((folder / flip["launches"][0]["outputs"][0]["file"]).read_bytes())
        self.assertEqual(before, bytes(range(256)) * 2)
        self.assertEqual(after[:256], before[:256])
        self.assertNotEqual(after[256:], before[256:])
        everything = b"".join(gzip.decompress(file.read_bytes()) for file in folder.glob("*.gz"))
        self.assertNotIn(b"secret", everything)
        self.assertEqual((folder / "module-0.ptx").read_text().strip("\0\n"), SCRIPT.split('"""')[1].strip("\n"))

        found = subprocess.run([PROGRAM, "race", folder], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertIn("E1 race", found.stdout)
        clean = subprocess.run([PROGRAM, "race", folder.with_name("one-1")], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)
        self.assertEqual(clean.stderr, "")  # the launch here leaves what it left there

    def test_choice_of_launches(self):
        self.assertEqual(self.capture("--kernel", "one", "--launches", "2")[1], ["one-1", "one-2"])
        shutil.rmtree(self.folder / "seen")
        said, names = self.capture("--max-size", "256", "--kernel", "flip")
        self.assertEqual(names, [])
        self.assertIn("a launch of flip reaches more than 256 bytes (--max-size): it is left out", said)

    def test_exit_code_is_the_programs(self):
        for words, code in ((["--", PYTHON, "-c", "raise SystemExit(7)"], 7), (["--", "./missing"], 2), ([], 2)):
            done = subprocess.run([PROGRAM, "capture", *words], cwd=self.folder, env=dict(os.environ),
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)


if __name__ == "__main__":
    unittest.main()
