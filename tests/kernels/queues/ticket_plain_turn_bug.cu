// A ticket lock in which the owner passes the turn on with a plain increment: only the owner writes, but
// the others poll.
// weakspot: launch grid=3 block=32
// weakspot: arg tickets=int[1]
// weakspot: arg turn=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global turn @poll @pass
// expect: race E1 global total @a @a
// allow: race E1 global turn @pass @pass

__global__ void add_in_turn(int* tickets, int* turn, int* total) {
  if (threadIdx.x == 0) {
    const int mine = atomicAdd(tickets, 1);
    while (atomicAdd(turn, 0) != mine) {  // @poll
    }
    __threadfence();
    *total += blockIdx.x + 1;  // @a
    __threadfence();
    *turn = *turn + 1;  // @pass
  }
}
