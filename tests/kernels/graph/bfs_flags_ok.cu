// Breadth-first search by flags in which a neighbour is marked with an atomic.
// weakspot: launch grid=1 block=32
// weakspot: arg offsets=int[5] values=0,2,4,5,5
// weakspot: arg edges=int[5] values=2,3,2,3,3
// weakspot: arg frontier=int[4] values=1,1,0,0
// weakspot: arg next=int[4]
// weakspot: arg nodes=4
// expect: none

__global__ void expand(const int* offsets, const int* edges, const int* frontier, int* next, int nodes) {
  const int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u < nodes && frontier[u]) {
    for (int e = offsets[u]; e < offsets[u + 1]; ++e) {
      atomicExch(&next[edges[e]], 1);
    }
  }
}
