#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the kernels of kernels.py, and two of CuPy, on a GPU: PTX, arguments and results as files.

  make_cases.py DIR     needs a GPU, PyTorch and Triton; CuPy is used where it is

Each folder of DIR is a case: kernel.ptx without its debug sections, kernel.json with what the compiler says of it
(threads, shared memory), case.json with grid and arguments, a .npy file per buffer before the launch and per output
after it. bfloat16 is stored as uint16, 8-bit floats as uint8; `dtype` names what they mean.
"""
import json
import re
import sys
import traceback
from pathlib import Path

import numpy
import torch
import triton

import kernels

DEVICE = "cuda"


def without_debug(text):
    """PTX without `.section` blocks, which are larger than the rest, and without the folders of this machine."""
    text = re.sub(r'"[^"]*/(kernels\.py|kernel\.cu|triton/[^"]*)"', r'"\1"', text)
    return re.sub(r"^\s*\.section\s+\.debug\w*\s*\{.*?^\s*\}\n?", "", text, flags=re.MULTILINE | re.DOTALL)


def as_numpy(tensor):
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).cpu().numpy().view(numpy.uint16)
    if tensor.dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        return tensor.view(torch.uint8).cpu().numpy()
    return tensor.cpu().numpy()


def write_case(folder, kernel, ptx, about, grid, names, arguments, outputs, launch):
    """Stores buffers, launches, stores outputs."""
    folder.mkdir(parents=True)
    described = []
    for number, (name, value) in enumerate(zip(names, arguments)):
        if isinstance(value, torch.Tensor):
            numpy.save(folder / f"arg{number}.npy", as_numpy(value))
            described.append({"name": name, "buffer": f"arg{number}.npy", "dtype": str(value.dtype).removeprefix("torch."),
                              "shape": list(value.shape)})
        else:
            described.append({"name": name, "value": value})
    launch()
    torch.cuda.synchronize()
    made = {}
    for name, value in zip(names, arguments):
        if name in outputs:
            numpy.save(folder / f"out_{name}.npy", as_numpy(value))
            made[name] = f"out_{name}.npy"
    (folder / "kernel.ptx").write_text(without_debug(ptx))
    (folder / "kernel.json").write_text(json.dumps(about, indent=1))
    (folder / "case.json").write_text(json.dumps({"name": folder.name, "kernel": kernel, "grid": list(grid),
                                                  "args": described, "outputs": made}, indent=1))


ABOUT = ("num_warps", "num_ctas", "shared", "num_stages", "warp_size", "global_scratch_size", "profile_scratch_size")


def triton_case(out, name, function, grid, arguments, outputs, options=None, **constants):
    options = options or {}
    grid = tuple(grid) + (1,) * (3 - len(grid))
    copies = [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]
    compiled = function[grid](*copies, **constants, **options)
    torch.cuda.synchronize()
    about = {"name": compiled.metadata.name, **{key: getattr(compiled.metadata, key, None) for key in ABOUT}}
    names = [n for n in function.arg_names if n not in constants][:len(arguments)]
    write_case(out / name, compiled.metadata.name, compiled.asm["ptx"], about, grid, names, arguments, outputs,
               lambda: function[grid](*arguments, **constants, **options))


def floats(*shape, dtype=torch.float32, scale=1.0):
    return (torch.randn(*shape, device=DEVICE) * scale).to(dtype)


def ints(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high, shape, device=DEVICE).to(dtype)


def empty(*shape, dtype=torch.float32):
    return torch.zeros(*shape, device=DEVICE, dtype=dtype)


def triton_cases():
    k = kernels
    half, brain = torch.float16, torch.bfloat16
    yield "axpy", k.axpy, (5,), [floats(600), floats(600), empty(600), 2.5, 600], ["out"], {}, dict(SIZE=128)
    yield ("axpy_wide", k.axpy, (2,), [floats(4000), floats(4000), empty(4000), -0.75, 4000], ["out"],
           dict(num_warps=8), dict(SIZE=2048))
    yield ("relu_half", k.relu_square, (3,), [floats(700, dtype=half), empty(700, dtype=half), 700], ["out"], {},
           dict(SIZE=256))
    yield ("relu_brain", k.relu_square, (3,), [floats(700, dtype=brain), empty(700, dtype=brain), 700], ["out"], {},
           dict(SIZE=256))
    yield "functions", k.functions, (1,), [floats(200, scale=3.0), empty(1600), 200], ["out"], {}, dict(SIZE=256)
    yield ("integers", k.integers, (1,), [ints(-9999, 9999, 200), ints(1, 300, 200), empty(1600, dtype=torch.int32),
           200], ["out"], {}, dict(SIZE=256))
    yield ("conversions", k.conversions, (1,), [floats(200, scale=40.0), empty(200, dtype=torch.int8), empty(200,
           dtype=half), empty(200, dtype=torch.float64), 200], ["bytes8", "halves", "wide"], {}, dict(SIZE=256))
    yield ("small_floats", k.small_floats, (1,), [floats(200, scale=9.0), empty(200, dtype=torch.int8), empty(200,
           dtype=torch.int8), empty(200), 200], ["e4", "e5", "back"], {}, dict(SIZE=256))
    yield ("row_sums", k.row_sums, (7,), [ints(-99, 99, 7, 300), empty(7, dtype=torch.int32), 300], ["out"], {},
           dict(SIZE=512))
    yield ("row_sums_float", k.row_sums, (7,), [floats(7, 300), empty(7), 300], ["out"], dict(num_warps=8),
           dict(SIZE=512))
    yield ("extremes", k.extremes, (5,), [ints(-9999, 9999, 5, 200), empty(5, dtype=torch.int32), empty(5,
           dtype=torch.int32), empty(5, dtype=torch.int32), 200], ["largest", "smallest", "where"], {},
           dict(SIZE=256))
    yield ("column_sums", k.column_sums, (1,), [ints(-99, 99, 64, 32), empty(32, dtype=torch.int32)], ["out"], {},
           dict(ROWS=64, COLUMNS=32))
    yield ("layer_norm", k.layer_norm, (4,), [floats(4, 500), floats(500), floats(500), empty(4, 500), 500, 1e-5],
           ["out"], {}, dict(SIZE=512))
    yield ("cross_entropy", k.cross_entropy, (6,), [floats(6, 100, scale=4.0), ints(0, 100, 6), empty(6), 100],
           ["loss"], {}, dict(SIZE=128))
    yield ("prefix_sums", k.prefix_sums, (1,), [ints(-99, 99, 1024), empty(1024, dtype=torch.int32)], ["out"], {},
           dict(SIZE=1024))
    yield ("recurrence", k.linear_recurrence, (1,), [floats(256, scale=0.5), floats(256), empty(256)], ["out"], {},
           dict(SIZE=256))
    yield ("sort", k.sorted_row, (1,), [ints(-9999, 9999, 256), empty(256, dtype=torch.int32)], ["out"], {},
           dict(SIZE=256))
    yield ("counts", k.counts, (1,), [ints(0, 32, 512), empty(32, dtype=torch.int32)], ["out"], {}, dict(SIZE=512,
           BINS=32))
    yield "gathered", k.gathered, (1,), [floats(256), ints(0, 256, 256), empty(256)], ["out"], {}, dict(SIZE=256)
    yield "transposed", k.transposed, (1,), [floats(64, 32), empty(32, 64)], ["out"], {}, dict(ROWS=64, COLUMNS=32)
    yield "reshaped", k.reshaped, (1,), [floats(256), empty(384)], ["out"], {}, dict(SIZE=256)
    for warps in (4, 8):
        for stages in (2, 4):
            yield (f"product_w{warps}_s{stages}", k.product, (2, 2), [floats(128, 96, dtype=half), floats(96, 128,
                   dtype=half), empty(128, 128, dtype=half), 128, 128, 96], ["c"], dict(num_warps=warps,
                   num_stages=stages), dict(BM=64, BN=64, BK=32))
    yield ("product_small", k.product, (2, 2), [floats(32, 64, dtype=half), floats(64, 32, dtype=half), empty(32,
           32), 32, 32, 64], ["c"], dict(num_warps=2), dict(BM=16, BN=16, BK=32))
    yield ("product_brain", k.product, (2, 1), [floats(128, 64, dtype=brain), floats(64, 64, dtype=brain), empty(128,
           64), 128, 64, 64], ["c"], {}, dict(BM=64, BN=64, BK=32))
    yield ("product_tf32", k.product, (1, 1), [floats(64, 64), floats(64, 64), empty(64, 64), 64, 64, 64], ["c"], {},
           dict(BM=64, BN=64, BK=32))
    yield ("product_bytes", k.integer_product, (1, 1), [ints(-50, 50, 64, 64, dtype=torch.int8), ints(-50, 50, 64,
           64, dtype=torch.int8), empty(64, 64, dtype=torch.int32), 64, 64, 64], ["c"], {}, dict(BM=64, BN=64, BK=32))
    yield ("product_split", k.split_product, (1, 2, 2), [ints(-50, 50, 32, 128, dtype=torch.int8), ints(-50, 50, 64,
           128, dtype=torch.int8), empty(32, 64, dtype=torch.int32), 32, 64, 128], ["c"], {}, dict(BM=32, BN=32,
           BK=32, PARTS=2))
    yield ("product_e4m3", k.product, (1, 1), [floats(64, 64).to(torch.float8_e4m3fn), floats(64,
           64).to(torch.float8_e4m3fn), empty(64, 64), 64, 64, 64], ["c"], {}, dict(BM=64, BN=64, BK=64))
    yield ("product_persistent", k.persistent_product, (2,), [floats(128, 64, dtype=half), floats(64, 128,
           dtype=half), empty(128, 128, dtype=half), 128, 128, 64, 4], ["c"], {}, dict(BM=64, BN=64, BK=32))
    for apart in (False, True):
        yield (f"product_described{'_apart' if apart else ''}", k.described_product, (2, 2), [floats(128, 128,
               dtype=half), floats(128, 128, dtype=half), empty(128, 128, dtype=half), 128, 128, 128], ["c"],
               dict(num_warps=4, num_stages=3), dict(BM=64, BN=64, BK=64, APART=apart))
    yield ("locked_sums", k.locked_sums, (8,), [ints(-99, 99, 8, 128), empty(128, dtype=torch.int32), empty(4,
           dtype=torch.int32), 8], ["out", "lock"], {}, dict(SIZE=128))
    yield ("chained_sums", k.chained_sums, (6,), [ints(-99, 99, 6 * 128), empty(6 * 128, dtype=torch.int32),
           empty(12, dtype=torch.int32)], ["out", "flags"], {}, dict(SIZE=128))
    for causal in (False, True):
        yield (f"attention{'_causal' if causal else ''}", k.attention, (2, 2), [floats(2, 128, 64, dtype=half),
               floats(2, 128, 64, dtype=half), floats(2, 128, 64, dtype=half), empty(2, 128, 64, dtype=half), 0.125],
               ["out"], dict(num_warps=4), dict(LENGTH=128, WIDTH=64, BM=64, BN=64, CAUSAL=causal))
    yield "dropped", k.dropped, (2,), [floats(400), empty(400), 400, 42], ["out"], {}, dict(SIZE=256)
    yield "random_words", k.random_words, (2,), [empty(512, dtype=torch.int32), 77], ["out"], {}, dict(SIZE=256)
    yield "embedding", k.embedding, (9,), [floats(20, 50), ints(0, 20, 9), empty(9, 50), 50], ["out"], {}, dict(SIZE=64)
    yield ("atomics", k.atomics, (4,), [ints(-9999, 9999, 1000), ints(0, 16, 1000), ints(-9999, 9999, 96), 1000],
           ["out"], {}, dict(SIZE=256))
    yield "stencil", k.stencil, (20,), [floats(20, 60), empty(20, 60), 60, 20], ["out"], {}, dict(SIZE=64)
    yield ("rotary", k.rotary, (5,), [floats(5, 64), floats(5, 32), floats(5, 32), empty(5, 64)], ["out"],
           dict(num_warps=2), dict(HALF=32))
    yield ("quantised", k.quantised, (5,), [floats(5, 200), empty(5, 200, dtype=torch.int8), empty(5), 200], ["out",
           "scales"], {}, dict(SIZE=256))
    yield ("convolution", k.convolution, (3,), [floats(600), floats(7), empty(600), 600], ["out"], {}, dict(TAPS=7,
           SIZE=256))
    yield ("variance_double", k.variance, (1,), [floats(300, dtype=torch.float64), empty(4, dtype=torch.float64),
           300], ["out"], {}, dict(SIZE=512))
    yield ("running_maximum", k.running_maximum, (4,), [ints(-9999, 9999, 4, 700), empty(4, dtype=torch.int32), 700],
           ["out"], {}, dict(STEP=128))


CUDA_TILE = r"""
extern "C" __global__ void tile_transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
"""
CUDA_SUM = r"""
__device__ int warp_sum(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  return value;
}
extern "C" __global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int parts[32];
  int total = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) total += in[i];
  total = warp_sum(total);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    total = warp_sum(threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(out, total);
  }
}
"""


def cupy_cases(out):
    import cupy
    from cupy_backends.cuda.libs import nvrtc

    def case(name, source, grid, block, names, arguments, outputs):
        ptx = nvrtc_text(source)
        function = cupy.RawKernel(source, name)
        given = [cupy.asarray(a) if isinstance(a, torch.Tensor) else numpy.int32(a) for a in arguments]
        write_case(out / name, name, ptx, {"name": name, "block": list(block), "shared": 0}, grid, names, arguments, outputs,
                   lambda: (function(grid, block, tuple(given)), cupy.cuda.Device().synchronize()))

    def nvrtc_text(source):
        program = nvrtc.createProgram(source, "kernel.cu", [], [])
        nvrtc.compileProgram(program, ["--gpu-architecture=compute_90", "-lineinfo"])
        text = nvrtc.getPTX(program)
        return text.decode() if isinstance(text, bytes) else text

    case("tile_transpose", CUDA_TILE, (3, 3, 1), (16, 16, 1), ["in", "out", "width", "height"],
         [floats(40, 36), empty(36, 40), 36, 40], ["out"])
    case("block_sums", CUDA_SUM, (3, 1, 1), (128, 1, 1), ["in", "out", "n"],
         [ints(-99, 99, 1000), empty(1, dtype=torch.int32), 1000], ["out"])


def main():
    out = Path(sys.argv[1])
    torch.manual_seed(7)
    triton.set_allocator(lambda size, _align, _stream: torch.empty(size, dtype=torch.int8, device=DEVICE))
    failed = []
    made = 0
    for name, function, grid, arguments, outputs, options, constants in triton_cases():
        try:
            triton_case(out, name, function, grid, arguments, outputs, options, **constants)
            made += 1
        except Exception:  # the others are wanted all the same
            failed.append(name)
            print(f"{name}: {traceback.format_exc(limit=-2)[-900:]}")
    try:
        cupy_cases(out)
        made += 2
    except Exception:
        failed.append("those of CuPy")
        print(traceback.format_exc(limit=-3)[-1200:])
    print(f"{made} cases; failed: {', '.join(failed) or 'none'}")


if __name__ == "__main__":
    main()
