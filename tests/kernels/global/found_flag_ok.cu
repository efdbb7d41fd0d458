// Every thread that finds the key sets the flag atomically.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=duplicates
// weakspot: arg key=2
// weakspot: arg found=int[1]
// expect: none

__global__ void contains(const int* in, int key, int* found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == key) {
    atomicExch(found, 1);
  }
}
