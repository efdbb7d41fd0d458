// The loop of the programming guide: its first read is plain, and the compare-and-swap checks the value again.
// weakspot: launch grid=2 block=64
// weakspot: arg total=double[1]
// weakspot: arg scale=float[4]
// expect: race W2 global total @read @swap
// A thread that already sees the value it wants never checks it again.
// expect: race E1 global scale @first @raise
__global__ void accumulate(double* total, float* scale) {
  auto* bits = (unsigned long long*)total;
  unsigned long long old = *bits, assumed;  // @read
  do {
    assumed = old;
    const double sum = __longlong_as_double(assumed) + 1.0;
    old = atomicCAS(bits, assumed, __double_as_longlong(sum));  // @swap
  } while (assumed != old);
  float seen = scale[1];  // @first
  while (seen < 3.0f) {
    const float before = seen;
    seen = __int_as_float(atomicCAS((int*)&scale[1], __float_as_int(before), __float_as_int(3.0f)));  // @raise
    if (seen == before) break;
  }
}
