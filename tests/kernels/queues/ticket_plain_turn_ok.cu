// A ticket lock in which the owner passes the turn on with an atomic.
// weakspot: launch grid=3 block=32
// weakspot: arg tickets=int[1]
// weakspot: arg turn=int[1]
// weakspot: arg total=int[1]
// expect: none

__global__ void add_in_turn(int* tickets, int* turn, int* total) {
  if (threadIdx.x == 0) {
    const int mine = atomicAdd(tickets, 1);
    while (atomicAdd(turn, 0) != mine) {
    }
    __threadfence();
    *total += blockIdx.x + 1;
    __threadfence();
    atomicAdd(turn, 1);
  }
}
