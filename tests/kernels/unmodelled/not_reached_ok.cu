// The instruction that is not modelled stands in a branch that these inputs do not take.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// weakspot: arg n=0
// expect: none
__global__ void rarely(int* out, int n) {
  if (n > 0) asm volatile("multimem.st.global.u32 [%0], 1;" ::"l"(out) : "memory");
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = n;
}
