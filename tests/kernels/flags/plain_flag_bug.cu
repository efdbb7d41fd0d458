// A flag between blocks that is a plain variable: the poll races with the store, and the data behind it
// too.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global flag @set @poll
// allow: race E1 global data @w @r

__global__ void pass(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    *data = 42;  // @w
    *flag = 1;   // @set
  } else {
    for (int i = 0; i < 1000; ++i) {
      if (*flag == 1) {  // @poll
        *out = *data;    // @r
        break;
      }
    }
  }
}
