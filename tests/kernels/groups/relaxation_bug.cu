// Jacobi steps over the whole grid in one array: the grid barrier separates the steps but not the reads
// from the writes of one.
// weakspot: launch grid=2 block=32
// weakspot: arg u=float[66] fill=random
// weakspot: arg v=float[66] fill=random
// expect: race E1 global u @a @a

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void relax(float* u, float* v) {
  cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int step = 0; step < 3; ++step) {
    u[i] = 0.5f * (u[i - 1] + u[i + 1]);  // @a
    grid.sync();
  }
  v[i] = u[i];
}
