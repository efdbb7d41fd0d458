// A small class hides the update behind a method, with an atomic inside.
// weakspot: launch grid=2 block=32
// weakspot: arg in=int[64] fill=random
// weakspot: arg total=int[1]
// expect: none

class Sum {
 public:
  __device__ explicit Sum(int* word) : word_(word) {}
  __device__ void add(int value) { atomicAdd(word_, value); }

 private:
  int* word_;
};

__global__ void add_all(const int* in, int* total) {
  Sum sum(total);
  sum.add(in[blockIdx.x * blockDim.x + threadIdx.x]);
}
