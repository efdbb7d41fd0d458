// A message between blocks with fences of cluster scope. Without clusters that is the scope of the block, and orders
// nothing between blocks.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global data @write @read
// allow: race E1 global flag @set @poll
__global__ void message(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;  // @write
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    atomicExch(flag, 1);  // @set
  } else {
    while (atomicAdd(flag, 0) == 0) {}  // @poll
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    out[0] = data[0];  // @read
  }
}
