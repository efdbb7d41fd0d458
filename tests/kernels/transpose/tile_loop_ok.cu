// A block walks over several tiles with one shared buffer; a second barrier stands between reading a tile
// and filling the next.
// weakspot: launch grid=1 block=8,8
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[256]
// expect: none

__global__ void transpose_strip(const int* in, int* out) {
  __shared__ int tile[8][9];
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + t * 8 + threadIdx.x];
    __syncthreads();
    out[(t * 8 + threadIdx.y) * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    __syncthreads();
  }
}
