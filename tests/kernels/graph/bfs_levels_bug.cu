// Breadth-first search that checks and sets the level of a neighbour plainly: check and set of two threads
// interleave.
// weakspot: launch grid=2 block=32
// weakspot: arg neighbour=int[64] fill=duplicates
// weakspot: arg level=int[4] values=-1,-1,-1,-1
// weakspot: arg queue=int[64]
// weakspot: arg tail=int[1]
// expect: race E1 global level @check @set
// allow: race W1 global level @set @set

__global__ void expand(const int* neighbour, int* level, int* queue, int* tail) {
  const int v = neighbour[blockIdx.x * blockDim.x + threadIdx.x];
  if (level[v] < 0) {  // @check
    level[v] = 1;      // @set
    queue[atomicAdd(tail, 1)] = v;
  }
}
