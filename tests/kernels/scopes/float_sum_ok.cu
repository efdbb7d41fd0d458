// Sums of floats and doubles with atomics from all blocks; the order of additions varies, which is no race.
// weakspot: launch grid=3 block=32
// weakspot: arg in=float[96] fill=random
// weakspot: arg single=float[1]
// weakspot: arg precise=double[1]
// expect: none

__global__ void sums(const float* in, float* single, double* precise) {
  const float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(single, value);
  atomicAdd(precise, static_cast<double>(value));
}
