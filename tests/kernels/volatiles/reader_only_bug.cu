// Only the reader's pointer is volatile; the writer's store is plain, so the two race.
// weakspot: launch grid=2 block=32
// weakspot: arg progress=int[1]
// weakspot: arg seen=int[1]
// expect: race E1 global progress @w @r

__global__ void watch(int* progress, int* seen) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 8; ++i) {
      *progress = i;  // @w
    }
  } else {
    *seen = *static_cast<volatile int*>(progress);  // @r
  }
}
