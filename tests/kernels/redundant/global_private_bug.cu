// A barrier in a kernel in which each thread keeps to its own global elements.
// weakspot: launch grid=2 block=64
// weakspot: arg x=float[128] fill=random
// weakspot: arg y=float[128] fill=random
// expect: redundant @a

__global__ void scale_and_add(float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= 2.0f;
  __syncthreads();  // @a
  y[i] += x[i];
}
