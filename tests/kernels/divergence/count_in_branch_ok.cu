// All threads call __syncthreads_count and give their condition to it.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=random:-5:5
// weakspot: arg out=int[32]
// expect: none

__global__ void count_positive(const int* in, int* out) {
  __shared__ int total;
  const int t = threadIdx.x;
  const int n = __syncthreads_count(t < 16 && in[t] > 0);
  if (t == 0) {
    total = n;
  }
  __syncthreads();
  out[t] = total;
}
