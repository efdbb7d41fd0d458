// The first occurrence of a character, kept with a plain comparison and a plain store.
// weakspot: launch grid=2 block=64
// weakspot: arg text=char[128] fill=duplicates
// weakspot: arg wanted=2
// weakspot: arg first=int[1] values=128
// expect: race E1 global first @look @store
// allow: race E1 global first @store @store

__global__ void find(const char* text, int wanted, int* first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (text[i] == wanted && i < *first) {  // @look
    *first = i;                           // @store
  }
}
