// A permutation applied from one array to another.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[128] fill=random
// weakspot: arg order=int[128] fill=permutation
// weakspot: arg out=int[128]
// expect: none

__global__ void permute(int* data, const int* order, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = data[order[i]];
}
