// A Jacobi sweep over one array: threads read neighbours that others overwrite in the same sweep.
// weakspot: launch grid=2 block=64
// weakspot: arg u=float[130] fill=random
// weakspot: arg v=float[130]
// expect: race E1 global u @a @a

__global__ void sweep(float* u, float* v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  u[i] = 0.5f * (u[i - 1] + u[i + 1]);  // @a
}
