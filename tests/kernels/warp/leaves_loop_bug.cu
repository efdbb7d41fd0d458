// A lane that leaves the loop stores a value that the others still read: the two are sides of the branch in the loop.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[32]
// expect: race E1 shared last @w @r

__global__ void search(const int* in, int* out) {
  __shared__ int last;
  const int lane = threadIdx.x;
  if (lane == 0) {
    last = 0;
  }
  __syncwarp();
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    if (in[lane] == 5 && i == 3) {
      last = i + 1;  // @w
      break;
    }
    sum += last;  // @r
  }
  out[lane] = sum;
}
