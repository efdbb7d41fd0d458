// Points are added to the sums of their cluster plainly.
// weakspot: launch grid=2 block=64
// weakspot: arg points=float[128] fill=random
// weakspot: arg cluster=int[128] fill=duplicates
// weakspot: arg sums=float[4]
// weakspot: arg sizes=int[4]
// expect: race E1 global sums @a @a
// expect: race E1 global sizes @b @b

__global__ void accumulate(const float* points, const int* cluster, float* sums, int* sizes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = cluster[i];
  sums[c] += points[i];  // @a
  sizes[c] += 1;         // @b
}
