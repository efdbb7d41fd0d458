// A whole program: six faces of a cube, read by direction, with and without the filter, and in the second of two layers.
// weakspot: program
// expect: none
#include <cassert>
#include <cmath>

__global__ void look(cudaTextureObject_t cube, const float3* directions, float* out) {
  const float3 to = directions[threadIdx.x];
  out[threadIdx.x] = texCubemapLayered<float>(cube, to.x, to.y, to.z, 1);
  out[threadIdx.x + 8] = texCubemap<float>(cube, to.x, to.y, to.z);
}

int main() {
  // Texel (x, y) of a face of layer 0 is 10 * face + 2 * y + x; those of layer 1 have 100 more.
  float texels[2 * 6 * 4];
  for (int i = 0; i < 48; ++i) texels[i] = (float)(i / 24 * 100 + i / 4 % 6 * 10 + i % 4);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  const unsigned kind = cudaArrayCubemap | cudaArrayLayered;
  assert(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 12), kind) == cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float), 2, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 2, 12);
  copy.kind = cudaMemcpyHostToDevice;
  assert(cudaMemcpy3D(&copy) == cudaSuccess);

  // One for each face, through the texel (1, 0), and two that the filter mixes: the middle of a face, and between two
  // texels of a row.
  const float3 directions[8] = {{2, 1, -1}, {-2, 1, 1}, {1, 2, -1}, {1, -2, 1}, {1, 1, 2}, {-1, 1, -2}, {0, 0, 1}, {0, 1, 2}};
  const float expected[8] = {1, 11, 21, 31, 41, 51, 41.5f, 40.5f};
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  float3* to;
  float *out, got[16];
  cudaMalloc(&to, sizeof directions);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(to, directions, sizeof directions, cudaMemcpyHostToDevice);
  for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    how.filterMode = filter;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t cube;
    assert(cudaCreateTextureObject(&cube, &resource, &how, nullptr) == cudaSuccess);
    look<<<1, 8>>>(cube, to, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < (filter == cudaFilterModeLinear ? 8 : 6); ++i) {
      assert(std::fabs(got[i + 8] - expected[i]) < 0.001f);
      assert(std::fabs(got[i] - expected[i] - 100) < 0.001f);
    }
    cudaDestroyTextureObject(cube);
  }
  return 0;
}
