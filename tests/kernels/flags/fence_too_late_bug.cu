// The producer's fence comes after the store to the flag, where it orders nothing for the consumer.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global data @w @r
// allow: race W3 global flag @set @poll

__global__ void pass(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 7;            // @w
    atomicExch(flag, 1);  // @set
    __threadfence();
  } else {
    while (atomicCAS(flag, 1, 2) != 1) {  // @poll
    }
    __threadfence();
    *out = *data;  // @r
  }
}
