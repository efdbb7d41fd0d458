// A permutation applied in place: an element is overwritten before the thread that wants it has read it.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[128] fill=random
// weakspot: arg order=int[128] fill=permutation
// weakspot: arg out=int[128]
// expect: race E1 global data @a @a

__global__ void permute(int* data, const int* order, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[order[i]];  // @a
}
