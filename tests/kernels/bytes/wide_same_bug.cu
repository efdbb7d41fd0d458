// Threads write the same sixteen bytes to the same place, as a vector and as a structure.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=one
// weakspot: arg out=int[512]
// expect: race W1 shared tile @a @a
// expect: race W1 shared row @b @b

struct Row {
  int words[6];
};

__global__ void spread(const int4* in, int4* out) {
  __shared__ int4 tile[16];
  __shared__ Row row;
  const int t = threadIdx.x;
  tile[t % 16] = in[t];  // @a
  Row mine;
  for (int i = 0; i < 6; ++i) mine.words[i] = in[t].x * i;
  row = mine;  // @b
  __syncthreads();
  const int4 seen = tile[15 - t % 16];
  out[t] = make_int4(seen.x, row.words[1], row.words[5], seen.w);
}
