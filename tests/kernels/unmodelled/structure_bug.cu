// A search cannot make up a function: the kernel does not count as exercised.
// weakspot: search
// expect: unexercised @kernel
struct Step {
  float (*apply)(float);
  int count;
};
__global__ void steps(Step step, float* out) {  // @kernel
  if (step.apply == nullptr) return;
  for (int i = 0; i < step.count; ++i) out[threadIdx.x] = step.apply(out[threadIdx.x]);
}
