// A message of cluster scope goes to a block of the same cluster, of which the grid has two.
// weakspot: launch grid=4 block=32 cluster=2
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none
__global__ void message(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {}
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    out[0] = data[0];
  }
}
