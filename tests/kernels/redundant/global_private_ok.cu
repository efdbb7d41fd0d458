// Each thread keeps to its own global elements; no barrier is needed.
// weakspot: launch grid=2 block=64
// weakspot: arg x=float[128] fill=random
// weakspot: arg y=float[128] fill=random
// expect: none

__global__ void scale_and_add(float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= 2.0f;
  y[i] += x[i];
}
