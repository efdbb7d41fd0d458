// Producers reserve slots atomically and fill them; the consumer trusts the number of reserved slots, which
// says nothing about filled ones.
// weakspot: launch grid=3 block=32
// weakspot: arg slots=int[64]
// weakspot: arg ready=int[64]
// weakspot: arg reserved=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global slots @w @r

__global__ void pipe(int* slots, int* ready, int* reserved, int* out) {
  if (blockIdx.x < 2) {
    const int mine = atomicAdd(reserved, 1);
    slots[mine] = mine * 3;  // @w
    __threadfence();
    atomicExch(&ready[mine], 1);
  } else if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      while (atomicAdd(reserved, 0) <= i) {
      }
      __threadfence();
      sum += slots[i];  // @r
    }
    *out = sum;
  }
}
