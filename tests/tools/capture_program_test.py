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


# What the next scripts begin with.
BEGIN = '''
import ctypes, os, sys
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    assert getattr(cuda, name)(*arguments) == 0, name
def allocated(contents):
    memory = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(len(contents)))
    call("cuMemcpyHtoD_v2", memory, contents, ctypes.c_size_t(len(contents)))
    return memory
def kernel(load, image, name):
    module, found = ctypes.c_void_p(), ctypes.c_void_p()
    call(load, ctypes.byref(module), image)
    call("cuModuleGetFunction", ctypes.byref(found), module, name)
    return found
def launch(kernel, arguments, extra=None):
    call("cuLaunchKernel", kernel, 1, 1, 1, 1, 1, 1, 0, None, arguments, extra)
    call("cuCtxSynchronize")
call("cuInit", 0)
'''
# The first word of the memory that the second word of a list leads to becomes 7.
PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry second(.param .u64 list)
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [list];
  ld.global.u64 %rd2, [%rd1+8];
  st.global.u32 [%rd2], 7;
  ret;
}
"""


@needs_program
@unittest.skipUnless(Path(PYTHON).exists(), "the system has no python3")
@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "the build has no weakspot-race")
@unittest.skipUnless((PROGRAM.parent / "libweakspot-capture.so").exists(), "the build has no recorder")
class CaptureProgramTest(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "flip.py").write_text(SCRIPT)

    def capture(self, *options, script="flip.py"):
        """Runs a script with the recorder in it; the driver that both find is the stand-in."""
        done = subprocess.run([PROGRAM, "race", "--trust", "--project", "none", "--", PROGRAM, "capture", "--folder",
                               self.folder / "seen", *options, "--", PYTHON, script], cwd=self.folder, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertIn("done", done.stdout)
        seen = self.folder / "seen"
        return done.stdout, sorted(path.name for path in seen.iterdir()) if seen.exists() else []

    def capture_of(self, text, *options):
        (self.folder / "more.py").write_text(BEGIN + text + 'print("done", file=sys.stderr)\n')
        return self.capture(*options, script="more.py")

    def replayed(self, name):
        """Whether the launch here leaves what it left there."""
        done = subprocess.run([PROGRAM, "race", self.folder / "seen" / name], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stderr == ""  # else a note

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
        self.assertIn("a launch of flip is left out: it reaches more than 256 bytes (--max-size)", said)

    def test_memory_that_pointers_in_memory_lead_to(self):
        (self.folder / "second.ptx").write_text(PTX)
        said, names = self.capture_of("""
unused = allocated(b"secret" * 100)
inner = allocated(bytes(1024))
middle = allocated(bytes(8) + (inner.value + 512).to_bytes(8, "little"))
list = allocated(bytes(8) + middle.value.to_bytes(8, "little") + (inner.value + 2048).to_bytes(8, "little"))
launch(kernel("cuModuleLoad", b"second.ptx", b"second"), (ctypes.c_void_p * 1)(ctypes.addressof(list)))
""")
        self.assertEqual(names, ["second-1"], said)
        listed = self.listed("second-1")
        self.assertEqual([(one["name"], one["bytes"]) for one in listed["buffers"]],
                         [("argument_0", 24), ("argument_0_at_8", 16), ("argument_0_at_8_at_8", 1024)])
        self.assertEqual(listed["program"], f"{PYTHON} more.py")
        self.assertRegex(listed["architecture"], r"^sm_\d+$")
        self.assertTrue(self.replayed("second-1"))
        shutil.rmtree(self.folder / "seen")
        self.assertIn("it reaches more than 512 bytes (--max-size)", self.capture("--max-size", "512", script="more.py")[0])

    def test_variables_of_the_module(self):
        (self.folder / "add.ptx").write_text(""".version 7.8
.target sm_80
.address_size 64
.global .align 8 .u64 where = 5;
.const .align 4 .u32 step = 1;
.global .align 4 .b8 unused[4096];
.visible .entry add(.param .u64 data)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.global.u64 %rd1, [where];
  ld.const.u32 %r1, [step];
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, %r1;
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry other() { .reg .b32 %r; st.global.u8 [unused], 1; ret; }
""")
        said, names = self.capture_of("""
def variable(module, name, value):
    at, size = ctypes.c_uint64(), ctypes.c_size_t()
    call("cuModuleGetGlobal_v2", ctypes.byref(at), ctypes.byref(size), module, name)
    call("cuMemcpyHtoD_v2", at, value.to_bytes(size.value, "little"), size)
data, module, add = allocated((100).to_bytes(4, "little")), ctypes.c_void_p(), ctypes.c_void_p()
call("cuModuleLoad", ctypes.byref(module), b"add.ptx")
call("cuModuleGetFunction", ctypes.byref(add), module, b"add")
variable(module, b"where", data.value)
variable(module, b"step", 7)
launch(add, (ctypes.c_void_p * 1)(ctypes.addressof(ctypes.c_uint64(0))))
""")
        self.assertEqual(names, ["add-1"], said)
        listed = self.listed("add-1")
        self.assertEqual([(one["name"], one.get("variable"), one["bytes"]) for one in listed["buffers"]],
                         [("where", "where", 8), ("step", "step", 4), ("where_at_0", None, 4)])
        after = listed["launches"][0]["outputs"][2]["file"]
        self.assertEqual(gzip.decompress((self.folder / "seen" / "add-1" / after).read_bytes()), bytes([107, 0, 0, 0]))
        self.assertTrue(self.replayed("add-1"))

    def test_arguments_in_a_buffer_that_is_too_short(self):
        (self.folder / "second.ptx").write_text(PTX)
        said, names = self.capture_of("""
size = ctypes.c_size_t(4)
words = (ctypes.c_void_p * 5)(1, ctypes.addressof(allocated(bytes(16))), 2, ctypes.addressof(size), None)
cuda.cuLaunchKernel(kernel("cuModuleLoad", b"second.ptx", b"second"), 1, 1, 1, 1, 1, 1, 0, None, None, words)
""")
        self.assertEqual(names, [])
        self.assertIn("a launch of second is left out: its arguments are not those of its PTX", said)

    def test_ptx_of_machine_code_is_found_in_the_cache_of_triton(self):
        cache = self.folder / "cache" / "ABC"
        cache.mkdir(parents=True)
        (cache / "second.ptx").write_text(PTX)
        # Machine code as our ptxas writes it, its section of PTX renamed to one of instructions.
        ptxas = PROGRAM.parent / "toolkit" / "driver" / "ptxas"
        subprocess.run([ptxas, cache / "second.ptx", "-o", self.folder / "made"], check=True)
        code = (self.folder / "made").read_bytes().replace(b".weakspot.ptx", b".text.second\0")
        (cache / "second.cubin").write_bytes(code.replace(b"st.global", b"........."))
        script = """
os.environ["TRITON_CACHE_DIR"] = sys.argv[1] if len(sys.argv) > 1 else "cache"
inner = allocated(bytes(64))
list = allocated(bytes(8) + inner.value.to_bytes(8, "little"))
code = open("cache/ABC/second.cubin", "rb").read()
launch(kernel("cuModuleLoadData", code, b"second"), (ctypes.c_void_p * 1)(ctypes.addressof(list)))
"""
        said, names = self.capture_of(script)
        self.assertEqual(names, ["second-1"], said)
        self.assertEqual((self.folder / "seen" / "second-1" / "module-0.ptx").read_text(), PTX)
        self.assertFalse(self.replayed("second-1"))  # machine code does nothing in the stand-in
        shutil.rmtree(self.folder / "seen")
        said, names = self.capture_of(script.replace('"cache"', '"elsewhere"'))
        self.assertEqual(names, [])
        self.assertIn("a launch of second is left out: it is there as machine code alone", said)

    def test_says_why_nothing_was_recorded(self):
        said, names = self.capture("--kernel", "softmax")
        self.assertEqual(names, [])
        self.assertIn("weakspot capture: nothing was recorded: 3 launches are of kernels without 'softmax' in their "
                      "symbol, such as flip and one", said)
        self.assertIn("nothing was recorded: no call of CUDA's driver that launches a kernel was seen",
                      self.capture_of("")[0])
        self.assertNotIn("nothing was recorded", self.capture()[0])

    def test_exit_code_is_the_programs(self):
        for words, code in ((["--", PYTHON, "-c", "raise SystemExit(7)"], 7), (["--", "./missing"], 2), ([], 2)):
            done = subprocess.run([PROGRAM, "capture", *words], cwd=self.folder, env=dict(os.environ),
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)


if __name__ == "__main__":
    unittest.main()
