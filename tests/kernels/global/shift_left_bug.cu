// Shifting an array by one in place: the right neighbour may already have been overwritten.
// weakspot: launch grid=1 block=128
// weakspot: arg data=int[129] fill=random
// expect: race E1 global data @a @b

__global__ void shift(int* data) {
  const int i = threadIdx.x;
  const int next = data[i + 1];  // @a
  data[i] = next;                // @b
}
