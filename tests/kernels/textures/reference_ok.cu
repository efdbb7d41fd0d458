// A whole program: a reference to a texture, as before textures were objects, filtered between its elements.
// weakspot: program
// expect: none
#include <cassert>

texture<float, 1, cudaReadModeElementType> table;

__global__ void look_up(float* out) { out[threadIdx.x] = tex1D(table, threadIdx.x * 0.5f + 0.5f); }

int main() {
  const float values[4] = {0.0f, 10.0f, 20.0f, 30.0f};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4);
  cudaMemcpyToArray(array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
  table.filterMode = cudaFilterModeLinear;
  table.addressMode[0] = cudaAddressModeClamp;
  assert(cudaBindTextureToArray(table, array, format) == cudaSuccess);
  float* out;
  float got[8];
  cudaMalloc(&out, sizeof got);
  look_up<<<1, 8>>>(out);
  assert(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  assert(got[0] == 0.0f && got[1] == 5.0f && got[2] == 10.0f && got[5] == 25.0f && got[7] == 30.0f);
  cudaUnbindTexture(table);
  return 0;
}
