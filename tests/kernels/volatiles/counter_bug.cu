// A volatile counter: every load and store happens, and increments still get lost between them.
// weakspot: launch grid=2 block=32
// weakspot: arg count=int[1]
// expect: race W3 global count @a @a

__global__ void count_threads(int* count) {
  volatile int* shown = count;
  *shown = *shown + 1;  // @a
}
