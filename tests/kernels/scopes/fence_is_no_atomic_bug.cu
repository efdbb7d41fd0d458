// A fence after a plain increment: it orders, but it makes nothing atomic.
// weakspot: launch grid=2 block=64
// weakspot: arg count=int[1]
// expect: race E1 global count @a @a

__global__ void count_threads(int* count) {
  *count += 1;  // @a
  __threadfence();
}
