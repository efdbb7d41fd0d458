// Scan with decoupled look-back: fence between value and state on both sides.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[4] fill=random
// weakspot: arg state=int[4]
// weakspot: arg aggregate=int[4]
// weakspot: arg prefix=int[4]
// expect: none

__global__ void scan(const int* in, int* state, int* aggregate, int* prefix) {
  if (threadIdx.x != 0) {
    return;
  }
  const int b = blockIdx.x;
  const int sum = in[b];
  int before = 0;
  if (b > 0) {
    aggregate[b] = sum;
    __threadfence();
    atomicExch(&state[b], 1);
    for (int p = b - 1; p >= 0; --p) {
      int seen = 0;
      while (seen == 0) {
        seen = atomicAdd(&state[p], 0);
      }
      __threadfence();
      if (seen == 2) {
        before += prefix[p];
        break;
      }
      before += aggregate[p];
    }
  }
  prefix[b] = before + sum;
  __threadfence();
  atomicExch(&state[b], 2);
}
