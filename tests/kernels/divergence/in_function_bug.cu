// The barrier hides in a device function that only the lanes with an odd element call.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[32] fill=iota
// expect: divergence D1 @a @b

__device__ void publish(int* x, int value, bool wanted) {
  if (wanted) {
    x[threadIdx.x] = value;
  }
  __syncthreads();  // @a
}

__global__ void share(int* data) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  x[t] = 0;
  if (data[t] % 2 == 1) {
    publish(x, data[t], true);
  }
  __syncthreads();  // @b
  data[t] = x[31 - t];
}
