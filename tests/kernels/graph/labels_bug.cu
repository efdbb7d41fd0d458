// Label propagation in one array: labels are lowered atomically, while others read them plainly.
// weakspot: launch grid=2 block=32
// weakspot: arg from=int[64] fill=iota
// weakspot: arg to=int[64] fill=permutation
// weakspot: arg label=int[64] fill=iota
// weakspot: arg next=int[64] fill=iota
// expect: race E1 global label @read @lower

__global__ void propagate(const int* from, const int* to, int* label, int* next) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = label[from[e]];  // @read
  atomicMin(&label[to[e]], mine);   // @lower
}
