// Both atomics work on the whole 64-bit word.
// weakspot: launch grid=1 block=64
// weakspot: arg word=ullong[1]
// expect: none

__global__ void tally(unsigned long long* word) {
  if (threadIdx.x < 32) {
    atomicAdd(word, 1ull << 32);
  } else {
    atomicAdd(word, 1ull);
  }
}
