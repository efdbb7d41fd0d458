// 'alignas' may follow __shared__, and take a type or a number.
// weakspot: launch grid=1 block=64
// weakspot: arg out=float[64]
// expect: none
struct alignas(16) Pair {
  float a, b;
};
__global__ void mirror(float* out) {
  __shared__ alignas(128) float tile[64];
  __shared__ alignas(double) int marks[64];
  alignas(16) int local[4] = {1, 2, 3, 4};
  static_assert(alignof(Pair) == 16, "");
  tile[threadIdx.x] = threadIdx.x;
  marks[threadIdx.x] = local[threadIdx.x % 4];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x] + marks[63 - threadIdx.x];
}
