// A search cannot make up a structure, and with zeros in it the loop does not run: the missing barrier is not found,
// but the kernel does not count as exercised.
// weakspot: search
// expect: unexercised @kernel
struct Rows {
  float* data;
  int count, stride;
};
__global__ void sums(Rows rows, float* out) {  // @kernel
  __shared__ float part[128];
  for (int r = 0; r < rows.count; ++r) {
    part[threadIdx.x % 128] = rows.data[r * rows.stride + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[r] = part[0] + part[127];
  }
}
