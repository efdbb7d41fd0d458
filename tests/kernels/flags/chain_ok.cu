// Each block waits for its predecessor's carry, which is written before the flag, with fences on both
// sides.
// weakspot: launch grid=4 block=32
// weakspot: arg carry=int[4]
// weakspot: arg ready=int[4]
// expect: none

__global__ void chain(int* carry, int* ready) {
  if (threadIdx.x != 0) {
    return;
  }
  const int b = blockIdx.x;
  int sum = 0;
  if (b > 0) {
    while (atomicAdd(&ready[b - 1], 0) == 0) {
    }
    __threadfence();
    sum = carry[b - 1];
  }
  carry[b] = sum + b;
  __threadfence();
  atomicExch(&ready[b], 1);
}
