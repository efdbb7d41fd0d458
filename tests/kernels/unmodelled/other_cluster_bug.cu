// The message of cluster scope goes to another cluster, which is a race. The scope is taken as that of the device,
// which hides it; the report says so instead of calling the kernel clean.
// weakspot: launch grid=4 block=32 cluster=2
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: unmodelled @release
// expect: unmodelled @acquire
__global__ void message(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("fence.acq_rel.cluster;" ::: "memory");  // @release
    atomicExch(flag, 1);
  } else if (blockIdx.x == 3) {
    while (atomicAdd(flag, 0) == 0) {}
    asm volatile("fence.acq_rel.cluster;" ::: "memory");  // @acquire
    out[0] = data[0];
  }
}
