# SPDX-License-Identifier: MIT
"""Reverses an array through shared memory, by ctypes. Without the word "repaired" a barrier is missing."""
import ctypes
import sys

PTX = """
.version 7.8
.target sm_80
.address_size 64
.visible .entry reverse(.param .u64 data)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, tile;
  add.u32 %r5, %r4, %r3;
  st.shared.u32 [%r5], %r2;
  BARRIER
  sub.u32 %r7, 252, %r3;
  add.u32 %r7, %r4, %r7;
  ld.shared.u32 %r2, [%r7];
  st.global.u32 [%rd4], %r2;
  ret;
}
"""


def main():
    repaired = "repaired" in sys.argv
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        result = getattr(cuda, name)(*arguments)
        if result != 0:
            raise SystemExit(f"{name} failed: {result}")

    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    data = ctypes.c_uint64()
    numbers = (ctypes.c_int * 64)(*range(64))
    size = ctypes.c_size_t(ctypes.sizeof(numbers))
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    text = PTX.replace("BARRIER", "bar.sync 0;" if repaired else "").encode()
    call("cuModuleLoadData", ctypes.byref(module), text)
    call("cuModuleGetFunction", ctypes.byref(kernel), module, b"reverse")
    call("cuMemAlloc_v2", ctypes.byref(data), size)
    call("cuMemcpyHtoD_v2", data, numbers, size)
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(data))
    call("cuLaunchKernel", kernel, 1, 1, 1, 64, 1, 1, 0, None, arguments, None)
    call("cuMemcpyDtoH_v2", numbers, data, size)
    if repaired:
        print(numbers[0], numbers[63])


main()
