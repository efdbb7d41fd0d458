// Counting sort: the place of an element is taken from a running count with a plain increment.
// weakspot: launch grid=1 block=64
// weakspot: arg keys=int[64] fill=random:0:3
// weakspot: arg start=int[4] values=0,64,128,192
// weakspot: arg sorted=int[256]
// expect: race E1 global start @a @a
// allow: race E1 global sorted @b @b
// allow: race W1 global sorted @b @b

__global__ void place(const int* keys, int* start, int* sorted) {
  const int key = keys[threadIdx.x];
  const int at = start[key]++;  // @a
  sorted[at] = key;             // @b
}
