// Matching of bit strings. The best match of a group is kept in shared memory; only when a tie is broken
// does a thread write to the slot of another, which few inputs do.
// weakspot: launch grid=1 block=64
// weakspot: arg query=uint[1] values=12
// weakspot: arg train=uint[64] fill=iota
// weakspot: arg best=int[64]
// expect: race E1 shared slot @own @tie

__global__ void match(const unsigned* query, const unsigned* train, int* best) {
  __shared__ int slot[64];
  const int t = threadIdx.x;
  const int distance = __popc(query[0] ^ train[t]);
  slot[t] = distance * 64 + t;  // @own
  if (distance == 0 && t + 32 < 64) {
    slot[t + 32] = -1;  // @tie
  }
  __syncthreads();
  best[t] = slot[63 - t];
}
