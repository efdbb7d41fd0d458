// The counter wraps around within the atomic itself.
// weakspot: launch grid=2 block=64
// weakspot: arg ticket=uint[1]
// weakspot: arg slot=uint[128]
// expect: none

__global__ void wrap(unsigned* ticket, unsigned* slot) {
  const unsigned mine = atomicInc(ticket, 31u);
  slot[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
