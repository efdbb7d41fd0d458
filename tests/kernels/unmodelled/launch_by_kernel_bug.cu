// A kernel launches others, one of them an instance of a template. They run after it, and one of them has a race. What
// the parent does beside its children is not checked.
// weakspot: program
// expect: race E1 shared tile @w @r
// expect: unmodelled @plain
// expect: unmodelled @template

__global__ void reverse(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];    // @w
  data[threadIdx.x] = tile[63 - threadIdx.x];  // @r
}

template <typename T>
__global__ void add(T* data, T more) {
  data[threadIdx.x] += more;
}

template <typename T>
__device__ void add_to(T* data) {
  add<T><<<1, 64>>>(data, 3);  // @template
}

__global__ void parent(int* data) {
  data[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    reverse<<<1, dim3(64)>>>(data);  // @plain
    add_to(data);
  }
}

int main() {
  int host[64], *data;
  cudaMalloc(&data, sizeof host);
  parent<<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  return host[5] < 3;  // the template has run
}
