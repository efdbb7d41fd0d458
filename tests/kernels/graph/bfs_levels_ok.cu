// Breadth-first search that checks and sets the level of a neighbour with one compare-and-swap.
// weakspot: launch grid=2 block=32
// weakspot: arg neighbour=int[64] fill=duplicates
// weakspot: arg level=int[4] values=-1,-1,-1,-1
// weakspot: arg queue=int[64]
// weakspot: arg tail=int[1]
// expect: none

__global__ void expand(const int* neighbour, int* level, int* queue, int* tail) {
  const int v = neighbour[blockIdx.x * blockDim.x + threadIdx.x];
  if (atomicCAS(&level[v], -1, 1) == -1) {
    queue[atomicAdd(tail, 1)] = v;
  }
}
