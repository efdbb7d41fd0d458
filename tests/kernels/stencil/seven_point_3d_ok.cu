// Seven-point stencil over a 3D block from one array into another, with bounds checks and no shared memory.
// weakspot: launch grid=2,2,2 block=4,4,4
// weakspot: arg in=float[512] fill=random
// weakspot: arg out=float[512]
// weakspot: arg n=8
// expect: none

__device__ __forceinline__ int at(int x, int y, int z, int n) { return (z * n + y) * n + x; }

__global__ void laplace(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
    return;
  }
  const float sum = in[at(x - 1, y, z, n)] + in[at(x + 1, y, z, n)] + in[at(x, y - 1, z, n)] + in[at(x, y + 1, z, n)] +
                    in[at(x, y, z - 1, n)] + in[at(x, y, z + 1, n)];
  out[at(x, y, z, n)] = sum - 6.0f * in[at(x, y, z, n)];
}
