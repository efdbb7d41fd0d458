# SPDX-License-Identifier: MIT
"""Triton kernels whose PTX and results on a GPU are cases for the reader of PTX; make_cases.py runs them."""
import triton
import triton.language as tl


@triton.jit
def axpy(x, y, out, a, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    tl.store(out + at, a * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def relu_square(x, out, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    value = tl.maximum(tl.load(x + at, mask=at < n, other=0.0).to(tl.float32), 0.0)
    tl.store(out + at, (value * value).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def functions(x, out, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    v = tl.load(x + at, mask=at < n, other=1.0)
    tl.store(out + at, tl.exp(v), mask=at < n)
    tl.store(out + n + at, tl.log(tl.abs(v) + 0.5), mask=at < n)
    tl.store(out + 2 * n + at, tl.sqrt(tl.abs(v)), mask=at < n)
    tl.store(out + 3 * n + at, tl.rsqrt(tl.abs(v) + 0.25), mask=at < n)
    tl.store(out + 4 * n + at, tl.sigmoid(v), mask=at < n)
    tl.store(out + 5 * n + at, tl.floor(v) + tl.ceil(v * 0.5), mask=at < n)
    tl.store(out + 6 * n + at, tl.sin(v) + tl.cos(v), mask=at < n)
    tl.store(out + 7 * n + at, v / (tl.abs(v) + 1.5), mask=at < n)


@triton.jit
def integers(x, y, out, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    a = tl.load(x + at, mask=at < n, other=0)
    b = tl.load(y + at, mask=at < n, other=1)
    tl.store(out + at, a // b, mask=at < n)
    tl.store(out + n + at, a % b, mask=at < n)
    tl.store(out + 2 * n + at, (a << 3) ^ (b >> 1), mask=at < n)
    tl.store(out + 3 * n + at, a * b + (a & b) - (a | b), mask=at < n)
    tl.store(out + 4 * n + at, tl.where(a < b, a, -b), mask=at < n)
    tl.store(out + 5 * n + at, tl.minimum(a, b) + tl.maximum(a, 7), mask=at < n)
    tl.store(out + 6 * n + at, tl.umulhi(a, b), mask=at < n)
    tl.store(out + 7 * n + at, (a.to(tl.int64) * b.to(tl.int64) >> 5).to(tl.int32), mask=at < n)


@triton.jit
def conversions(x, bytes8, halves, wide, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(bytes8 + at, v.to(tl.int8), mask=at < n)
    tl.store(halves + at, v.to(tl.float16), mask=at < n)
    tl.store(wide + at, v.to(tl.float64) * 1.25, mask=at < n)


@triton.jit
def small_floats(x, e4, e5, back, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    v = tl.load(x + at, mask=at < n, other=0.0)
    four = v.to(tl.float8e4nv)
    five = v.to(tl.float8e5)
    tl.store(e4 + at, four.to(tl.int8, bitcast=True), mask=at < n)
    tl.store(e5 + at, five.to(tl.int8, bitcast=True), mask=at < n)
    tl.store(back + at, four.to(tl.float32) + five.to(tl.float32), mask=at < n)


@triton.jit
def row_sums(x, out, columns, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    tl.store(out + row, tl.sum(tl.load(x + row * columns + at, mask=at < columns, other=0), axis=0))


@triton.jit
def extremes(x, largest, smallest, where, columns, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0)
    tl.store(largest + row, tl.max(v, axis=0))
    tl.store(smallest + row, tl.min(v, axis=0))
    tl.store(where + row, tl.argmax(v, axis=0))


@triton.jit
def column_sums(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)
    c = tl.arange(0, COLUMNS)
    tl.store(out + c, tl.sum(tl.load(x + r[:, None] * COLUMNS + c[None, :]), axis=0))


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    inside = at < columns
    v = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / columns
    centred = tl.where(inside, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    w = tl.load(weight + at, mask=inside, other=0.0)
    b = tl.load(bias + at, mask=inside, other=0.0)
    tl.store(out + row * columns + at, centred * scale * w + b, mask=inside)


@triton.jit
def cross_entropy(logits, labels, loss, columns, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    v = tl.load(logits + row * columns + at, mask=at < columns, other=-float("inf"))
    top = tl.max(v, axis=0)
    total = tl.sum(tl.exp(v - top), axis=0)
    label = tl.load(labels + row)
    tl.store(loss + row, top + tl.log(total) - tl.load(logits + row * columns + label))


@triton.jit
def add_pair(a, b):
    return a + b


@triton.jit
def affine(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def prefix_sums(x, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.store(out + at, tl.associative_scan(tl.load(x + at), 0, add_pair))


@triton.jit
def linear_recurrence(a, b, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, affine)
    tl.store(out + at, h)


@triton.jit
def sorted_row(x, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def counts(x, out, SIZE: tl.constexpr, BINS: tl.constexpr):
    at = tl.arange(0, SIZE)
    bins = tl.arange(0, BINS)
    tl.store(out + bins, tl.histogram(tl.load(x + at), BINS))


@triton.jit
def gathered(x, index, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), 0))


@triton.jit
def transposed(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    r = tl.arange(0, ROWS)
    c = tl.arange(0, COLUMNS)
    tile = tl.load(x + r[:, None] * COLUMNS + c[None, :])
    tl.store(out + c[:, None] * ROWS + r[None, :], tl.trans(tile))


@triton.jit
def reshaped(x, out, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    pairs = tl.reshape(tl.load(x + at), (SIZE // 2, 2))
    left, right = tl.split(pairs)
    half = tl.arange(0, SIZE // 2)
    tl.store(out + half, left - right)
    joined = tl.join(right, left)
    tl.store(out + SIZE // 2 + at, tl.reshape(joined, (SIZE,)))


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def integer_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + columns[None, :] * K + (k + inner)[:, None])
        total = tl.dot(left, right, total, out_dtype=tl.int32)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def split_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PARTS: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.program_id(2) * BK + tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK * PARTS):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + columns[None, :] * K + (k + inner)[:, None])
        total = tl.dot(left, right, total, out_dtype=tl.int32)
    tl.atomic_add(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def locked_sums(x, out, lock, rows, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    mine = tl.load(x + tl.program_id(0) * SIZE + at)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + at, tl.load(out + at) + mine)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def chained_sums(x, out, flags, SIZE: tl.constexpr):
    block = tl.program_id(0)
    at = tl.arange(0, SIZE)
    v = tl.load(x + block * SIZE + at)
    before = 0
    if block > 0:
        ready = 0
        while ready == 0:
            ready = tl.atomic_add(flags + 2 * (block - 1), 0, sem="acquire")
        before = tl.atomic_add(flags + 2 * (block - 1) + 1, 0)
    tl.store(out + block * SIZE + at, tl.cumsum(v, 0) + before)
    tl.atomic_xchg(flags + 2 * block + 1, before + tl.sum(v, 0), sem="relaxed")
    tl.atomic_xchg(flags + 2 * block, 1, sem="release")


@triton.jit
def persistent_product(a, b, c, M, N, K, tiles, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    wide = N // BN
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        rows = tile // wide * BM + tl.arange(0, BM)
        columns = tile % wide * BN + tl.arange(0, BN)
        inner = tl.arange(0, BK)
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
            right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
            total = tl.dot(left, right, total)
        tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@triton.jit
def described_product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, APART: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    right = tl.make_tensor_descriptor(b, shape=[K, N], strides=[N, 1], block_shape=[BK, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=APART):
        total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    rows = row + tl.arange(0, BM)
    columns = column + tl.arange(0, BN)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, scale, LENGTH: tl.constexpr, WIDTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              CAUSAL: tl.constexpr):
    head = tl.program_id(1) * LENGTH * WIDTH
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    lanes = tl.arange(0, WIDTH)
    query = tl.load(q + head + rows[:, None] * WIDTH + lanes[None, :])
    top = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    result = tl.zeros((BM, WIDTH), tl.float32)
    for start in range(0, LENGTH, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + head + columns[None, :] * WIDTH + lanes[:, None])
        scores = tl.dot(query, keys) * scale
        if CAUSAL:
            scores = tl.where(columns[None, :] <= rows[:, None], scores, -1.0e6)
        higher = tl.maximum(top, tl.max(scores, axis=1))
        weights = tl.exp(scores - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(weights, axis=1)
        values = tl.load(v + head + columns[:, None] * WIDTH + lanes[None, :])
        result = result * shrink[:, None] + tl.dot(weights.to(tl.float16), values)
        top = higher
    tl.store(out + head + rows[:, None] * WIDTH + lanes[None, :], (result / total[:, None]).to(tl.float16))


@triton.jit
def dropped(x, out, n, seed, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    keep = tl.rand(seed, at) > 0.4
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / 0.6, 0.0), mask=at < n)


@triton.jit
def random_words(out, seed, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + at, tl.randint(seed, at))


@triton.jit
def embedding(table, index, out, width, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    tl.store(out + row * width + at, tl.load(table + tl.load(index + row) * width + at, mask=at < width), mask=at < width)


@triton.jit
def atomics(x, place, out, n, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    v = tl.load(x + at, mask=inside, other=0)
    slot = tl.load(place + at, mask=inside, other=0)
    tl.atomic_add(out + slot, v, mask=inside)
    tl.atomic_max(out + 16 + slot, v, mask=inside)
    tl.atomic_min(out + 32 + slot, v, mask=inside)
    tl.atomic_and(out + 48 + slot, v, mask=inside)
    tl.atomic_or(out + 64 + slot, v, mask=inside)
    tl.atomic_xor(out + 80 + slot, v, mask=inside)


@triton.jit
def stencil(x, out, width, height, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    inner = (at > 0) & (at < width - 1) & (row > 0) & (row < height - 1)
    here = x + row * width + at
    total = tl.load(here - 1, mask=inner, other=0.0) + tl.load(here + 1, mask=inner, other=0.0)
    total += tl.load(here - width, mask=inner, other=0.0) + tl.load(here + width, mask=inner, other=0.0)
    tl.store(out + row * width + at, 0.25 * total, mask=inner)


@triton.jit
def rotary(x, cosine, sine, out, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    left = tl.load(x + row * 2 * HALF + at)
    right = tl.load(x + row * 2 * HALF + HALF + at)
    c = tl.load(cosine + row * HALF + at)
    s = tl.load(sine + row * HALF + at)
    tl.store(out + row * 2 * HALF + at, left * c - right * s)
    tl.store(out + row * 2 * HALF + HALF + at, left * s + right * c)


@triton.jit
def quantised(x, out, scales, columns, SIZE: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, SIZE)
    v = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    scale = tl.max(tl.abs(v), axis=0) / 127.0
    tl.store(scales + row, scale)
    tl.store(out + row * columns + at, (v / scale).to(tl.int8), mask=at < columns)


@triton.jit
def convolution(x, weights, out, n, TAPS: tl.constexpr, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    total = tl.zeros((SIZE,), tl.float32)
    for tap in tl.static_range(TAPS):
        total += tl.load(x + at + tap, mask=at + tap < n, other=0.0) * tl.load(weights + tap)
    tl.store(out + at, total, mask=at < n)


@triton.jit
def variance(x, out, n, SIZE: tl.constexpr):
    at = tl.arange(0, SIZE)
    v = tl.load(x + at, mask=at < n, other=0.0)
    mean = tl.sum(v, axis=0) / n
    off = tl.where(at < n, v - mean, 0.0)
    tl.store(out, tl.sum(off * off, axis=0) / n)


@triton.jit
def running_maximum(x, out, columns, STEP: tl.constexpr):
    row = tl.program_id(0)
    best = tl.full((STEP,), -2147483648, tl.int32)
    for start in range(0, columns, STEP):
        at = start + tl.arange(0, STEP)
        best = tl.maximum(best, tl.load(x + row * columns + at, mask=at < columns, other=-2147483648))
    tl.store(out + row, tl.max(best, axis=0))
