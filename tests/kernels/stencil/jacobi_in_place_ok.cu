// A Jacobi sweep from one array into another.
// weakspot: launch grid=2 block=64
// weakspot: arg u=float[130] fill=random
// weakspot: arg v=float[130]
// expect: none

__global__ void sweep(float* u, float* v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  v[i] = 0.5f * (u[i - 1] + u[i + 1]);
}
