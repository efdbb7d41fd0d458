// The lock is taken with a fence but given back without one: the next owner may not see the writes inside.
// weakspot: launch grid=4 block=32
// weakspot: arg lock=int[1]
// weakspot: arg sum=int[1]
// weakspot: arg count=int[1]
// expect: race E1 global sum @a @a
// expect: race E1 global count @b @b

__global__ void record(int* lock, int* sum, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x;  // @a
    *count += 1;         // @b
    atomicExch(lock, 0);
  }
}
