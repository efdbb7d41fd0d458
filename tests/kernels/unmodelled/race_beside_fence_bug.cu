// A fence of another proxy is not modelled, and orders no accesses of threads: the missing barrier is an error all the
// same.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared tile @a @b
// expect: unmodelled @fence
__global__ void reverse(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @a
  asm volatile("fence.proxy.alias;" ::: "memory");  // @fence
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @b
}
