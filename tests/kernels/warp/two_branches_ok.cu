// One lane decides for the warp and writes alone.
// weakspot: launch grid=1 block=32
// weakspot: arg in=int[32] fill=iota
// weakspot: arg out=int[1]
// expect: none

__global__ void parity(const int* in, int* out) {
  __shared__ int verdict;
  const int lane = threadIdx.x;
  const unsigned even = __ballot_sync(0xffffffffu, in[lane] % 2 == 0);
  if (lane == 0) {
    verdict = even != 0 ? 2 : 1;
  }
  __syncthreads();
  if (lane == 31) {
    *out = verdict;
  }
}
