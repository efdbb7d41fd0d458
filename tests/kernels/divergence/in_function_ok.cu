// The function with the barrier is called by all threads and takes the condition as an argument.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[32] fill=iota
// expect: none

__device__ void publish(int* x, int value, bool wanted) {
  if (wanted) {
    x[threadIdx.x] = value;
  }
  __syncthreads();
}

__global__ void share(int* data) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  x[t] = 0;
  publish(x, data[t], data[t] % 2 == 1);
  data[t] = x[31 - t];
}
