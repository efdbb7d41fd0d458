// Decoupled look-back with the state of a tile and its sum in one word, which is read as a whole.
// weakspot: weak
// weakspot: launch grid=3 block=1
// weakspot: arg tiles=ullong[3]
// weakspot: arg out=int[3]
// expect: none
#include <cassert>
#include <cuda/atomic>

using Word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;

__global__ void scan(unsigned long long* tiles, int* out) {
  int tile = blockIdx.x;
  int before = 0;
  if (tile > 0) {
    unsigned long long seen = 0;
    while (seen >> 32 == 0) seen = Word(tiles[tile - 1]).load(cuda::memory_order_relaxed);
    before = static_cast<int>(seen);
  }
  Word(tiles[tile]).store(1ull << 32 | static_cast<unsigned>(before + tile + 1), cuda::memory_order_relaxed);
  out[tile] = before;
  assert(before == tile * (tile + 1) / 2);
}
