// Page rank by pushing: the shares that arrive at a page are added atomically.
// weakspot: launch grid=2 block=32
// weakspot: arg target=int[64] fill=duplicates
// weakspot: arg share=float[64] fill=one
// weakspot: arg rank=float[4]
// expect: none

__global__ void push(const int* target, const float* share, float* rank) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&rank[target[e]], share[e]);
}
