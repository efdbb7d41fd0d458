# SPDX-License-Identifier: MIT
"""Compiles a source by nvrtc that includes the file named as the first word, and prints the compiler's messages."""
import ctypes
import sys
from pathlib import Path

nvrtc = ctypes.CDLL("libnvrtc.so.12")
program, size = ctypes.c_void_p(), ctypes.c_size_t()
source = f'#include "{sys.argv[1]}"\n__global__ void k() {{}}\n'.encode()
option = f"-I{Path(sys.argv[1]).parent}".encode()
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"k.cu", 0, None, None) == 0
print("result", nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(option)))
nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
log = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetProgramLog(program, log)
print(log.value.decode())
