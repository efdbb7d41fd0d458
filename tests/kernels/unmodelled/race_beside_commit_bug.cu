// Closing a group of bulk copies orders no accesses of threads: the missing barrier is an error all the same.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared tile @a @b
// expect: unmodelled @commit
__global__ void reverse(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @a
  asm volatile("cp.async.bulk.commit_group;");  // @commit
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @b
}
