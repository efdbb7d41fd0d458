// A whole program: an image in an array, read through a texture, written to a surface, and all of it as expected.
// weakspot: program
// expect: none
#include <cassert>
#include <cstdio>

__global__ void blur(cudaTextureObject_t image, cudaSurfaceObject_t out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx + 0.5f, y + 0.5f);
  surf2Dwrite(sum, out, x * (int)sizeof(float), y);
}

__global__ void halves(cudaTextureObject_t line, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(line, (int)threadIdx.x);
}

int main() {
  const int width = 20, height = 9;
  float image[height][width], got[height][width];
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image[y][x] = (float)(y * width + x);
  }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t from, to;
  cudaMallocArray(&from, &format, width, height);
  cudaMallocArray(&to, &format, width, height, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(from, 0, 0, image, sizeof image[0], sizeof image[0], height, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = from;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  cudaTextureObject_t texture;
  assert(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  resource.res.array.array = to;
  cudaSurfaceObject_t surface;
  assert(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  blur<<<dim3(2, 2), dim3(16, 8)>>>(texture, surface, width, height);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  cudaMemcpy2DFromArray(got, sizeof got[0], to, 0, 0, sizeof got[0], height, cudaMemcpyDeviceToHost);
  assert(got[2][5] == 3 * image[2][5] && got[0][0] == 1.0f && got[8][19] == 536.0f);

  unsigned char bytes[8] = {0, 51, 102, 153, 204, 255, 0, 255};
  void* device;
  cudaMalloc(&device, sizeof bytes);
  cudaMemcpy(device, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {device, cudaCreateChannelDesc<unsigned char>(), sizeof bytes};
  how.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t line;
  assert(cudaCreateTextureObject(&line, &resource, &how, nullptr) == cudaSuccess);
  float* out;
  float fractions[8];
  cudaMalloc(&out, sizeof fractions);
  halves<<<1, 8>>>(line, out);
  cudaMemcpy(fractions, out, sizeof fractions, cudaMemcpyDeviceToHost);
  assert(fractions[1] == 51.0f / 255.0f && fractions[5] == 1.0f);
  cudaDestroyTextureObject(texture);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(from);
  cudaFreeArray(to);
  std::puts("as expected");
  return 0;
}
