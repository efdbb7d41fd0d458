// One function of the host does not compile. The instance that another one makes is still there.
// weakspot: search
// expect: race E1 shared tile @write @read
// allow: race I1 global data @read @read
// allow: race I1 global data @write @read
// allow: race I1 shared tile @write @write
template <typename T>
__global__ void turn(T* data) {
  __shared__ T tile[64];
  const int t = threadIdx.x % 64;
  tile[t] = data[blockIdx.x * 64 + t];        // @write
  data[blockIdx.x * 64 + t] = tile[63 - t];  // @read
}
void broken() { no_such_library_call(3); }
void launch(float* data) { turn<<<1, 64>>>(data); }
