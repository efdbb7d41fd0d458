// Blocks take work items from a list by an atomic index.
// weakspot: launch grid=3 block=32
// weakspot: arg next=int[1]
// weakspot: arg items=int[12] fill=random
// weakspot: arg count=12
// weakspot: arg done=int[12]
// expect: none

__global__ void work(int* next, const int* items, int count, int* done) {
  if (threadIdx.x != 0) {
    return;
  }
  for (;;) {
    const int mine = atomicAdd(next, 1);
    if (mine >= count) {
      break;
    }
    done[mine] += items[mine] * 2;
  }
}
