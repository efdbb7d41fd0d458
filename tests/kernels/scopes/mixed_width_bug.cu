// One atomic adds to a 64-bit word and another to its lower half: they overlap in part and are no atomics
// for each other.
// weakspot: launch grid=1 block=64
// weakspot: arg word=ullong[1]
// expect: race E1 global word @a @b

__global__ void tally(unsigned long long* word) {
  if (threadIdx.x < 32) {
    atomicAdd(word, 1ull << 32);  // @a
  } else {
    atomicAdd(reinterpret_cast<unsigned*>(word), 1u);  // @b
  }
}
