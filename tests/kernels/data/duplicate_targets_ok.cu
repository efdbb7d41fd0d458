// A scatter that relies on distinct targets gets a permutation.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg target=int[128] fill=permutation
// weakspot: arg out=int[128]
// expect: none

__global__ void scatter(const int* in, const int* target, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[target[i]] = in[i];
}
