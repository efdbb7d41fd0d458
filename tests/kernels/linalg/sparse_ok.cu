// Sparse matrix times vector by entries: entries of one row add to its result atomically.
// weakspot: launch grid=2 block=32
// weakspot: arg row=int[64] fill=duplicates
// weakspot: arg col=int[64] fill=random:0:15
// weakspot: arg value=float[64] fill=random
// weakspot: arg x=float[16] fill=random
// weakspot: arg y=float[4]
// expect: none

__global__ void spmv(const int* row, const int* col, const float* value, const float* x, float* y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[row[e]], value[e] * x[col[e]]);
}
