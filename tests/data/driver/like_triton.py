# SPDX-License-Identifier: MIT
"""Assembles and launches a kernel as Triton does: ptxas is started on a file of PTX, the driver loads what it made and
launches it with attributes. Without the word "repaired" a barrier is missing. With the word "stripped" the PTX is taken
out of the machine code, as NVIDIA's own has none."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PTX = """//
.version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry flip(.param .u64 .ptr .global .align 1 flip_param_0, .param .u64 .ptr .global .align 1 flip_param_1,
                     .param .u64 .ptr .global .align 1 flip_param_2)
.reqntid 64
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .loc 1 5 0
$L__func_begin0:
  ld.param.b64 %rd1, [flip_param_0];
  ld.param.b64 %rd2, [flip_param_1];
  mov.u32 %r1, %tid.x;
  .loc 1 7 16
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r2, 0x0;
  ld.global.b32 { %r2 }, [ %rd4 + 0 ];
  .loc 1 8 21
  shl.b32 %r3, %r1, 2;
  mov.b32 %r4, global_smem;
  add.s32 %r5, %r4, %r3;
  st.shared.b32 [ %r5 + 0 ], %r2;
  BARRIER
  sub.s32 %r6, %r4, %r3;
  ld.shared.b32 %r7, [%r6+252];
  .loc 1 9 25
  add.s64 %rd5, %rd2, %rd3;
  st.global.b32 [ %rd5 + 0 ], { %r7 };
  ret;
}
  .file 1 "flip.py"
"""


class Extent(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint)]


class Value(ctypes.Union):
    _fields_ = [("extent", Extent), ("number", ctypes.c_int), ("bytes", ctypes.c_char * 64)]


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint), ("padding", ctypes.c_char * 4), ("value", Value)]


class Config(ctypes.Structure):
    _fields_ = [("grid", Extent), ("block", Extent), ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
                ("attributes", ctypes.POINTER(Attribute)), ("count", ctypes.c_uint)]


def assembled(text):
    """The machine code that ptxas makes of a text."""
    ptxas = os.environ["TRITON_PTXAS_PATH"]
    version = subprocess.run([ptxas, "--version"], check=True, capture_output=True, text=True).stdout
    assert re.search(r"release (\d+\.\d+)", version), version
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "flip.ptx", Path(folder) / "flip.ptx.o"
        source.write_text(text)
        subprocess.run([ptxas, "-lineinfo", "-v", "--gpu-name=sm_90a", str(source), "-o", str(made)], check=True)
        return made.read_bytes()


def main():
    cuda = ctypes.CDLL(str(Path(os.environ["TRITON_LIBCUDA_PATH"]) / "libcuda.so.1"))

    def call(name, *arguments):
        result = getattr(cuda, name)(*arguments)
        if result != 0:
            raise SystemExit(f"{name} failed: {result}")

    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    registers, most = ctypes.c_int(), ctypes.c_int()
    x, y, scratch = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_uint64()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    code = assembled(PTX.replace("BARRIER", "bar.sync 0;" if "repaired" in sys.argv else ""))
    if "stripped" in sys.argv:
        code = code.replace(b".weakspot.ptx", b".text.flip\0\0\0")
    call("cuModuleLoadData", ctypes.byref(module), code)
    call("cuModuleGetFunction", ctypes.byref(kernel), module, b"flip")
    call("cuFuncGetAttribute", ctypes.byref(registers), 4, kernel)
    call("cuDeviceGetAttribute", ctypes.byref(most), 97, 0)
    call("cuFuncSetAttribute", kernel, 8, most.value)
    numbers = (ctypes.c_int * 64)(*range(64))
    size = ctypes.c_size_t(ctypes.sizeof(numbers))
    call("cuMemAlloc_v2", ctypes.byref(x), size)
    call("cuMemAlloc_v2", ctypes.byref(y), size)
    call("cuMemcpyHtoD_v2", x, numbers, size)
    attribute = Attribute(id=4)  # a cluster of one block
    attribute.value.extent = Extent(1, 1, 1)
    config = Config(Extent(1, 1, 1), Extent(64, 1, 1), 256, None, ctypes.pointer(attribute), 1)
    arguments = (ctypes.c_void_p * 3)(*(ctypes.addressof(each) for each in (x, y, scratch)))
    call("cuLaunchKernelEx", ctypes.byref(config), kernel, arguments, None)
    call("cuMemcpyDtoH_v2", numbers, y, size)
    if "repaired" in sys.argv:
        print(numbers[0], numbers[63])


main()
