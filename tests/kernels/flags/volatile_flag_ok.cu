// A volatile flag with a fence before the store and one after the poll.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: none

__global__ void pass(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
  }
}
