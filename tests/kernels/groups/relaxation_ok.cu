// Jacobi steps over the whole grid between two arrays, one grid barrier per step.
// weakspot: launch grid=2 block=32
// weakspot: arg u=float[66] fill=random
// weakspot: arg v=float[66] fill=random
// expect: none

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float* u, float* v) {
  cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int step = 0; step < 3; ++step) {
    v[i] = 0.5f * (u[i - 1] + u[i + 1]);
    grid.sync();
    float* swap = u;
    u = v;
    v = swap;
  }
}
