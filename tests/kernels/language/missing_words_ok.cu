// A word is missing that nvcc does not ask for: 'template' before the name of a dependent template.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
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

__global__ void fill(Filler<Traits>::type* out) { out[threadIdx.x] = threadIdx.x; }
