// The reader's fence has block scope, and the writer is in another block: nothing is acquired.
// weakspot: launch grid=2 block=32
// weakspot: arg ready=int[1]
// weakspot: arg note=int[1]
// weakspot: arg out=int[1]
// expect: race E1 global note @write @read
__global__ void send(int* ready, int* note, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *note = 7;  // @write
    __threadfence();
    atomicExch(ready, 1);
  } else {
    while (atomicAdd(ready, 0) == 0) {
    }
    __threadfence_block();
    *out = *note;  // @read
  }
}
