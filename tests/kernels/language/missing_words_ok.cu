// Words that nvcc does not ask for are missing: 'template' before the name of a dependent template.
// weakspot: program
// expect: none

struct Traits {
  template <typename T>
  struct Other {
    using type = T;
  };
};

template <typename A>
struct Filler {
  using type = typename A::Other<int>::type;
};

template <typename A>
__global__ void fill(typename Filler<A>::type* out) {
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  fill<Traits><<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
