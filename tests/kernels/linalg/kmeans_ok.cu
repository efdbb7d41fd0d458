// Points are added to the sums of their cluster atomically, in shared memory first.
// weakspot: launch grid=2 block=64
// weakspot: arg points=float[128] fill=random
// weakspot: arg cluster=int[128] fill=duplicates
// weakspot: arg sums=float[4]
// weakspot: arg sizes=int[4]
// expect: none

__global__ void accumulate(const float* points, const int* cluster, float* sums, int* sizes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int c = cluster[i];
  __shared__ float local_sums[4];
  __shared__ int local_sizes[4];
  if (threadIdx.x < 4) {
    local_sums[threadIdx.x] = 0.0f;
    local_sizes[threadIdx.x] = 0;
  }
  __syncthreads();
  atomicAdd(&local_sums[c], points[i]);
  atomicAdd(&local_sizes[c], 1);
  __syncthreads();
  if (threadIdx.x < 4) {
    atomicAdd(&sums[threadIdx.x], local_sums[threadIdx.x]);
    atomicAdd(&sizes[threadIdx.x], local_sizes[threadIdx.x]);
  }
}
