// Loading and using a tile are functions of their own; the barrier between them got lost.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: race E1 shared tile @w @r

__device__ __noinline__ void load(const int* in, int* tile) {
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];  // @w
}

__device__ int mirrored(const int* tile) {
  return tile[63 - threadIdx.x];  // @r
}

__global__ void mirror(const int* in, int* out) {
  __shared__ int tile[64];
  load(in, tile);
  out[blockIdx.x * 64 + threadIdx.x] = mirrored(tile);
}
