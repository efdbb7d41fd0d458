// A lane that leaves the loop keeps its value to itself, and the value is read when all lanes have left.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[32]
// expect: none

__global__ void search(const int* in, int* out) {
  __shared__ int last[32];
  const int lane = threadIdx.x;
  last[lane] = 0;
  for (int i = 0; i < 8; ++i) {
    if (in[lane] == i) {
      last[lane] = i + 1;
      break;
    }
  }
  __syncwarp();
  out[lane] = last[31 - lane];
}
