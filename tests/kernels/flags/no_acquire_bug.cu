// The producer has its fence; the consumer polls with an atomic but reads the data without a fence.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[4]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global data @w @r
// allow: race W3 global flag @set @poll

__global__ void pass(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    data[2] = 42;  // @w
    __threadfence();
    atomicExch(flag, 1);  // @set
  } else {
    while (atomicAdd(flag, 0) == 0) {  // @poll
    }
    *out = data[2];  // @r
  }
}
