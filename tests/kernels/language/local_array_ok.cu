// Every thread sorts eight values in a local array, indexed by variables: private, whatever the addresses
// look like.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[512] fill=random
// expect: none

__global__ void sort_eights(int* data) {
  int mine[8];
  int* base = data + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = 0; i < 8; ++i) {
    mine[i] = base[i];
  }
  for (int i = 1; i < 8; ++i) {
    for (int k = i; k > 0 && mine[k - 1] > mine[k]; --k) {
      const int swap = mine[k];
      mine[k] = mine[k - 1];
      mine[k - 1] = swap;
    }
  }
  for (int i = 0; i < 8; ++i) {
    base[i] = mine[i];
  }
}
