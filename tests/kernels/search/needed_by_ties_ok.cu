// The barrier matters only when scores tie: contents decide whether it looks redundant.
// weakspot: search
// expect: none

__global__ void break_ties(const int* score, int* out) {
  __shared__ int rank[256];
  const int t = threadIdx.x;
  const int next = (t + 1) % blockDim.x;
  rank[t] = score[t] * 7 % 31;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = score[t] == score[next] ? rank[next] : rank[t];
}
