// A ring of four slots between two warps: the producer does not look whether the consumer has emptied a
// slot.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[12]
// expect: race E1 shared slots @w @r

__global__ void ring(int* out) {
  __shared__ int slots[4];
  __shared__ int head, tail;
  if (threadIdx.x == 0) {
    head = 0;
    tail = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 12; ++i) {
      slots[i % 4] = i * i;  // @w
      __threadfence_block();
      atomicAdd(&head, 1);
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < 12; ++i) {
      while (atomicAdd(&head, 0) <= i) {
      }
      __threadfence_block();
      out[i] = slots[i % 4];  // @r
      __threadfence_block();
      atomicAdd(&tail, 1);
    }
  }
}
