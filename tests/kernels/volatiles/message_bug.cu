// Data and flag are both volatile. Each access is strong, but without fences the flag may be seen before
// the data.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race W3 global data @w @r
// allow: race W3 global flag @set @poll

__global__ void pass(volatile int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 42;  // @w
    *flag = 1;   // @set
  } else {
    while (*flag == 0) {  // @poll
    }
    *out = *data;  // @r
  }
}
