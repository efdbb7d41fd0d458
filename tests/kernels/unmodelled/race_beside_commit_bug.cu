// A matrix product that is not modelled orders no accesses of threads: the missing barrier is an error all the same.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared tile @a @b
// expect: unmodelled @commit
__global__ void reverse(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @a
  asm volatile("wgmma.commit_group.sync.aligned;");  // @commit
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @b
}
