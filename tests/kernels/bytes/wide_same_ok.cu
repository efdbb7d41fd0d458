// One thread writes each vector, and one the structure.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=one
// weakspot: arg out=int[512]
// expect: none

struct Row {
  int words[6];
};

__global__ void spread(const int4* in, int4* out) {
  __shared__ int4 tile[16];
  __shared__ Row row;
  const int t = threadIdx.x;
  if (t < 16) tile[t] = in[t];
  Row mine;
  for (int i = 0; i < 6; ++i) mine.words[i] = in[t].x * i;
  if (t == 0) row = mine;
  __syncthreads();
  const int4 seen = tile[15 - t % 16];
  out[t] = make_int4(seen.x, row.words[1], row.words[5], seen.w);
}
