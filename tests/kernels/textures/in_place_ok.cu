// A whole program: neighbours are read from a surface, and after a barrier it is written.
// weakspot: program
// expect: none
#include <cstdio>

__global__ void shift(cudaSurfaceObject_t image, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = surf2Dread<int>(image, (x + 1) % width * 4, 0);
  __syncthreads();
  surf2Dwrite(right + x, image, x * 4, 0);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 64, 1, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  shift<<<1, 64>>>(surface, 64);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
