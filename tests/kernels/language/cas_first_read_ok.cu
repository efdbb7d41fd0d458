// The first read is atomic as well.
// weakspot: launch grid=2 block=64
// weakspot: arg total=double[1]
// expect: none
__global__ void accumulate(double* total) {
  auto* bits = (unsigned long long*)total;
  unsigned long long old = atomicAdd(bits, 0ull), assumed;
  do {
    assumed = old;
    const double sum = __longlong_as_double(assumed) + 1.0;
    old = atomicCAS(bits, assumed, __double_as_longlong(sum));
  } while (assumed != old);
}
