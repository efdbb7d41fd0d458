// A launch states members of a structure by name; the threads meet twice in each row.
// weakspot: launch grid=1 block=64
// weakspot: arg box.data=float[256] fill=iota
// weakspot: arg box.sides.y=3
// weakspot: arg out=float[64]
// expect: none
struct Base {
  int2 sides;
};
struct Box : Base {
  float* data;
  float scale[2];
};
__global__ void rows(Box box, float* out) {
  __shared__ float tile[64];
  for (int row = 0; row < box.sides.y; ++row) {
    tile[threadIdx.x] = box.data[row * 64 + threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
    __syncthreads();
  }
}
