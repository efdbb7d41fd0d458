// The launch says how large clusters are: two blocks along y.
// weakspot: program
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(int* p) {
  __shared__ int x[32];
  cg::cluster_group cluster = cg::this_cluster();
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x;
  x[threadIdx.x] = p[i];
  cluster.sync();
  const unsigned int other = (cluster.block_index().y + 1) % cluster.dim_blocks().y;
  p[i] = *cluster.map_shared_rank(&x[threadIdx.x], other);
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
