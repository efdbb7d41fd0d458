// A scatter that relies on distinct targets gets an index array with duplicates.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg target=int[128] fill=duplicates
// weakspot: arg out=int[128]
// expect: race I1 global out @a @a

__global__ void scatter(const int* in, const int* target, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[target[i]] = in[i];  // @a
}
