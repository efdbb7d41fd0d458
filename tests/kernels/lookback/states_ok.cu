// Blocks publish their own sum and then the sum of all before them, in volatile words with fences around. The block that
// replaces a state has read the one that another block stored there.
// weakspot: launch grid=4 block=32
// weakspot: arg sizes=int[4] fill=iota
// weakspot: arg local=int[5]
// weakspot: arg total=int[5]
// weakspot: arg state=int[5]
// weakspot: arg out=int[4]
// expect: none

__global__ void offsets(const int* sizes, volatile int* local, volatile int* total, volatile int* state, int* out) {
  const int b = blockIdx.x;
  if (threadIdx.x != 0) return;
  local[b + 1] = sizes[b];
  __threadfence();
  state[b + 1] = 1;
  __threadfence();
  int sum = 0;
  for (int before = b; before > 0; --before) {
    int known;
    do {
      known = state[before];
      __threadfence();
    } while (known == 0);
    sum += known == 2 ? total[before] : local[before];
    if (known == 2) break;
    __threadfence();
  }
  if (b > 0) {
    total[b] = sum;
    __threadfence();
    state[b] = 2;
  }
  out[b] = sum;
}
