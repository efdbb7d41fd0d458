// Every thread of a warp takes the lock in turn, in a loop that cannot hang, but without fences.
// weakspot: launch grid=2 block=32
// weakspot: arg lock=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a

__global__ void add_threads(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *total += threadIdx.x;  // @a
      atomicExch(lock, 0);
      done = true;
    }
  }
}
