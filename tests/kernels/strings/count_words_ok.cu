// Words are counted at their first letter with a vote of the whole block.
// weakspot: launch grid=2 block=64
// weakspot: arg text=char[128] fill=random:0:1
// weakspot: arg words=int[2]
// expect: none

__global__ void count_words(const char* text, int* words) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool starts = text[i] != 0 && (i == 0 || text[i - 1] == 0);
  const int count = __syncthreads_count(starts);
  if (threadIdx.x == 0) {
    words[blockIdx.x] = count;
  }
}
