// The same with fences of device scope.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none
__global__ void message(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    out[0] = data[0];
  }
}
