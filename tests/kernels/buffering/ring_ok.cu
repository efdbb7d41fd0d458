// A ring of four slots between two warps: the producer waits while the ring is full, the consumer while it
// is empty.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[12]
// expect: none

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
      while (i - atomicAdd(&tail, 0) >= 4) {
      }
      __threadfence_block();
      slots[i % 4] = i * i;
      __threadfence_block();
      atomicAdd(&head, 1);
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < 12; ++i) {
      while (atomicAdd(&head, 0) <= i) {
      }
      __threadfence_block();
      out[i] = slots[i % 4];
      __threadfence_block();
      atomicAdd(&tail, 1);
    }
  }
}
