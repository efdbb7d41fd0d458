// Sorting by rank: each element counts the smaller ones and those equal to its left, so all places differ.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=duplicates
// weakspot: arg out=int[64]
// expect: none

__global__ void rank_sort(const int* in, int* out) {
  const int mine = in[threadIdx.x];
  int rank = 0;
  for (int i = 0; i < 64; ++i) {
    rank += in[i] < mine || (in[i] == mine && i < threadIdx.x);
  }
  out[rank] = mine;
}
