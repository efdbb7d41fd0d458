// Lanes with the same key find each other with a match and one of them adds for all.
// weakspot: launch grid=2 block=64
// weakspot: arg keys=int[128] fill=duplicates
// weakspot: arg counts=int[4]
// expect: none

__global__ void count(const int* keys, int* counts) {
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  const int leader = __ffs(peers) - 1;
  if (static_cast<int>(threadIdx.x % 32) == leader) {
    atomicAdd(&counts[key], __popc(peers));
  }
}
