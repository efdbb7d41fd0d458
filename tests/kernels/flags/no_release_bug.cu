// The consumer has its fence; the producer sets the flag without one after writing the data.
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
  if (blockIdx.x == 1) {
    data[2] = 42;         // @w
    atomicExch(flag, 1);  // @set
  } else {
    while (atomicAdd(flag, 0) == 0) {  // @poll
    }
    __threadfence();
    *out = data[2];  // @r
  }
}
