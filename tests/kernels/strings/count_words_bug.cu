// Words are counted at their first letter, into a shared counter without atomics.
// weakspot: launch grid=2 block=64
// weakspot: arg text=char[128] fill=random:0:1
// weakspot: arg words=int[2]
// expect: race E1 shared count @a @a

__global__ void count_words(const char* text, int* words) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool starts = text[i] != 0 && (i == 0 || text[i - 1] == 0);
  __shared__ int count;
  if (threadIdx.x == 0) {
    count = 0;
  }
  __syncthreads();
  if (starts) {
    count += 1;  // @a
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    words[blockIdx.x] = count;
  }
}
