// The launch makes clusters of two blocks, which read from each other without having met.
// weakspot: program
// expect: race E1 shared x @a @b

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(int* p) {
  __shared__ int x[32];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x;
  x[threadIdx.x] = p[i];  // @a
  const unsigned int other = (cluster.block_index().y + 1) % cluster.dim_blocks().y;
  p[i] = *cluster.map_shared_rank(&x[threadIdx.x], other);  // @b
  cluster.sync();
}

int main() {
  int* p;
  cudaMalloc(&p, 3 * 4 * 32 * sizeof(int));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 1;
  attribute.val.clusterDim.y = 2;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3, 4);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, halves, p) != cudaSuccess) return 1;
  return cudaDeviceSynchronize();
}
