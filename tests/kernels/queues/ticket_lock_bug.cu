// A ticket lock whose turns are passed on without fences.
// weakspot: launch grid=4 block=32
// weakspot: arg tickets=int[1]
// weakspot: arg turn=int[1]
// weakspot: arg total=int[1]
// expect: race E1 global total @a @a
// allow: race W3 global turn @poll @pass

__global__ void add_in_turn(int* tickets, int* turn, int* total) {
  if (threadIdx.x == 0) {
    const int mine = atomicAdd(tickets, 1);
    while (atomicAdd(turn, 0) != mine) {  // @poll
    }
    *total += blockIdx.x + 1;  // @a
    atomicAdd(turn, 1);        // @pass
  }
}
