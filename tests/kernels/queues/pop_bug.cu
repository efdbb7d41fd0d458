// Blocks take work items from a list by a plain index: two get the same item.
// weakspot: launch grid=3 block=32
// weakspot: arg next=int[1]
// weakspot: arg items=int[12] fill=random
// weakspot: arg count=12
// weakspot: arg done=int[12]
// expect: race E1 global next @a @a
// allow: race E1 global done @b @b
// allow: race W1 global done @b @b

__global__ void work(int* next, const int* items, int count, int* done) {
  if (threadIdx.x != 0) {
    return;
  }
  for (;;) {
    const int mine = (*next)++;  // @a
    if (mine >= count) {
      break;
    }
    done[mine] += items[mine] * 2;  // @b
  }
}
