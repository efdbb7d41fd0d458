// Two bit fields of one byte belong to different threads; storing one rewrites the other.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[32]
// expect: race E1 shared cell @a @b

struct Cell {
  unsigned char low : 4;
  unsigned char high : 4;
};

__global__ void fill(int* out) {
  __shared__ Cell cell[32];
  const int i = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    cell[i].low = i % 16;  // @a
  } else {
    cell[i].high = (i + 1) % 16;  // @b
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    out[i] = cell[i].low + 16 * cell[i].high;
  }
}
