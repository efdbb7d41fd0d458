// The barrier matters only when scores tie and a thread looks at its neighbour's; without ties it looks
// redundant.
// weakspot: launch grid=1 block=64
// weakspot: arg score=int[64] fill=iota
// weakspot: arg out=int[64]
// weakspot: launch grid=1 block=64
// weakspot: arg score=int[64] fill=one
// weakspot: arg out=int[64]
// expect: none

__global__ void break_ties(const int* score, int* out) {
  __shared__ int rank[64];
  const int t = threadIdx.x;
  rank[t] = score[t] * 7 % 31;
  __syncthreads();
  if (score[t] == score[(t + 1) % 64]) {
    out[t] = rank[(t + 1) % 64];
  } else {
    out[t] = rank[t];
  }
}
