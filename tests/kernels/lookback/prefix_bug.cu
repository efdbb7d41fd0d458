// Scan with decoupled look-back: a block publishes its state without a fence between value and state.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[4] fill=random
// weakspot: arg state=int[4]
// weakspot: arg aggregate=int[4]
// weakspot: arg prefix=int[4]
// expect: race E1 global prefix @pw @pr
// allow: race E1 global aggregate @aw @ar

__global__ void scan(const int* in, int* state, int* aggregate, int* prefix) {
  if (threadIdx.x != 0) {
    return;
  }
  const int b = blockIdx.x;
  const int sum = in[b];
  int before = 0;
  if (b > 0) {
    aggregate[b] = sum;  // @aw
    atomicExch(&state[b], 1);
    for (int p = b - 1; p >= 0; --p) {
      int seen = 0;
      while (seen == 0) {
        seen = atomicAdd(&state[p], 0);
      }
      __threadfence();
      if (seen == 2) {
        before += prefix[p];  // @pr
        break;
      }
      before += aggregate[p];  // @ar
    }
  }
  prefix[b] = before + sum;  // @pw
  atomicExch(&state[b], 2);
}
