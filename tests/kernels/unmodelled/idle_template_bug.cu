// Nothing instantiates the template: it is named, and does not count as exercised.
// weakspot: search
// expect: unexercised @kernel
__global__ void fill(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
template <typename Value>
__global__ void last(Value* data) {  // @kernel
  *data = threadIdx.x;
}
