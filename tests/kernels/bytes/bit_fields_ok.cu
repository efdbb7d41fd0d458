// Two whole bytes belong to different threads.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[32]
// expect: none

struct Cell {
  unsigned char low;
  unsigned char high;
};

__global__ void fill(int* out) {
  __shared__ Cell cell[32];
  const int i = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    cell[i].low = i % 16;
  } else {
    cell[i].high = (i + 1) % 16;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    out[i] = cell[i].low + 16 * cell[i].high;
  }
}
