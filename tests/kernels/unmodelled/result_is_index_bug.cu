// Each thread writes an element of its own, whose index an instruction computes that is not modelled. The result is
// taken as 0, which makes the writes meet, but that is not the kernel's fault.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: unmodelled @index
// expect: race U1 global out @write @write
__global__ void scatter(int* out) {
  unsigned at;
  asm("vadd.u32.u32.u32 %0, %1.b0, 0;" : "=r"(at) : "r"(threadIdx.x & 31));  // @index
  out[at + (threadIdx.x & 32)] = threadIdx.x;  // @write
}
