// One counter for all blocks, incremented with atomics of block scope.
// weakspot: launch grid=4 block=32
// weakspot: arg count=int[1]
// expect: race E1 global count @a @a

__global__ void count_threads(int* count) {
  atomicAdd_block(count, 1);  // @a
}
