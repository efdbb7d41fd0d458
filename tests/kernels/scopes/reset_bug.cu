// A counter is counted up atomically and set back to zero with a plain store by whoever reaches the limit.
// weakspot: launch grid=2 block=64
// weakspot: arg ticket=uint[1]
// weakspot: arg slot=uint[128]
// expect: race E1 global ticket @a @b
// allow: race W1 global ticket @b @b
// allow: race E1 global ticket @b @b

__global__ void wrap(unsigned* ticket, unsigned* slot) {
  const unsigned mine = atomicAdd(ticket, 1u);  // @a
  if (mine == 31) {
    *ticket = 0;  // @b
  }
  slot[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
