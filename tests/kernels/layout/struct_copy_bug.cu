// One thread copies a whole structure while another updates one of its fields.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[3]
// expect: race E1 shared state @copy @field

struct State {
  int head;
  int tail;
  int size;
};

__global__ void snapshot(int* out) {
  __shared__ State state;
  if (threadIdx.x == 0) {
    state.head = 1;
    state.tail = 2;
    state.size = 3;
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    const State copy = state;  // @copy
    out[0] = copy.head;
    out[1] = copy.tail;
    out[2] = copy.size;
  }
  if (threadIdx.x == 0) {
    state.tail = 7;  // @field
  }
}
