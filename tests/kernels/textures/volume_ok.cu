// A whole program: a volume copied with three axes, read through a texture with normalised coordinates.
// weakspot: program
// expect: none
#include <cassert>

__global__ void sample(cudaTextureObject_t volume, float* out) {
  const int i = threadIdx.x;
  out[i] = tex3D<float>(volume, (i % 2 + 0.5f) / 2, (i / 2 % 2 + 0.5f) / 2, (i / 4 + 0.5f) / 2);
}

int main() {
  float values[8];
  for (int i = 0; i < 8; ++i) values[i] = (float)(i * i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(2, 2, 2);
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, 2 * sizeof(float), 2, 2);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  assert(cudaMemcpy3D(&copy) == cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  float *out, got[8];
  cudaMalloc(&out, sizeof got);
  sample<<<1, 8>>>(texture, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) assert(got[i] == values[i]);
  return 0;
}
