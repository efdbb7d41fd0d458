// Producers mark each slot as filled after a fence; the consumer waits for the mark of each slot.
// weakspot: launch grid=3 block=32
// weakspot: arg slots=int[64]
// weakspot: arg ready=int[64]
// weakspot: arg reserved=int[1]
// weakspot: arg out=int[1]
// expect: none

__global__ void pipe(int* slots, int* ready, int* reserved, int* out) {
  if (blockIdx.x < 2) {
    const int mine = atomicAdd(reserved, 1);
    slots[mine] = mine * 3;
    __threadfence();
    atomicExch(&ready[mine], 1);
  } else if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      while (atomicAdd(&ready[i], 0) == 0) {
      }
      __threadfence();
      sum += slots[i];
    }
    *out = sum;
  }
}
