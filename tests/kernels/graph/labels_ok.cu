// Label propagation from the labels of the last round to those of the next.
// weakspot: launch grid=2 block=32
// weakspot: arg from=int[64] fill=iota
// weakspot: arg to=int[64] fill=permutation
// weakspot: arg label=int[64] fill=iota
// weakspot: arg next=int[64] fill=iota
// expect: none

__global__ void propagate(const int* from, const int* to, int* label, int* next) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = label[from[e]];
  atomicMin(&next[to[e]], mine);
}
