// The barrier orders reads before later writes of the same elements, and no write before it.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=random
// expect: none

__global__ void reverse_in_place(int* data) {
  const int t = threadIdx.x;
  const int value = data[63 - t];
  __syncthreads();
  data[t] = value;
}
