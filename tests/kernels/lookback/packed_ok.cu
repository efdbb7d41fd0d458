// Look-back with state and value in one 64-bit word: they travel together in one atomic and no fence is
// needed.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[4] fill=random
// weakspot: arg state=ullong[4]
// weakspot: arg out=int[4]
// expect: none

__global__ void scan(const int* in, unsigned long long* state, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  const int b = blockIdx.x;
  unsigned sum = in[b];
  if (b > 0) {
    unsigned long long seen = 0;
    while (seen >> 32 == 0) {
      seen = atomicAdd(&state[b - 1], 0ull);
    }
    sum += static_cast<unsigned>(seen);
  }
  atomicExch(&state[b], 1ull << 32 | sum);
  out[b] = sum;
}
