// The barrier hides in a device function that only the lanes with a positive element call.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[32] values=1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1
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
  if (data[t] > 0) {
    publish(x, data[t], true);
  }
  __syncthreads();  // @b
  data[t] = x[31 - t];
}
