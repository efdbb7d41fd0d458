// Counting sort: the place of an element is taken from a running count atomically.
// weakspot: launch grid=1 block=64
// weakspot: arg keys=int[64] fill=random:0:3
// weakspot: arg start=int[4] values=0,64,128,192
// weakspot: arg sorted=int[256]
// expect: none

__global__ void place(const int* keys, int* start, int* sorted) {
  const int key = keys[threadIdx.x];
  const int at = atomicAdd(&start[key], 1);
  sorted[at] = key;
}
