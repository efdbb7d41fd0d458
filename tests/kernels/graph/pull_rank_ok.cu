// Page rank by pulling: every page reads the shares of others and writes only its own rank.
// weakspot: launch grid=2 block=32
// weakspot: arg source=int[256] fill=random:0:63
// weakspot: arg before=float[64] fill=one
// weakspot: arg rank=float[64]
// expect: none

__global__ void pull(const int* source, const float* before, float* rank) {
  const int page = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int e = 4 * page; e < 4 * page + 4; ++e) {
    sum += before[source[e]] / 4.0f;
  }
  rank[page] = 0.15f + 0.85f * sum;
}
