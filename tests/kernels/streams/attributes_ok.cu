// Attributes of a stream, a callback with CUDA's own words, and questions about peers.
// weakspot: program
// expect: none
#include <cassert>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

void CUDART_CB done(cudaStream_t, cudaError_t status, void* calls) {
  if (status == cudaSuccess) ++*(int*)calls;
}

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  int part = 0;
  cudaDeviceGetAttribute(&part, cudaDevAttrMaxPersistingL2CacheSize, 0);
  assert(part > 0);
  cudaAccessPolicyWindow window = {};
  window.base_ptr = data;
  window.num_bytes = 64 * sizeof(int);
  window.hitRatio = 1;
  window.hitProp = cudaAccessPropertyPersisting;
  window.missProp = cudaAccessPropertyStreaming;
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow = window;
  const cudaStreamAttrID id = cudaStreamAttributeAccessPolicyWindow;
  assert(cudaStreamSetAttribute(stream, id, &value) == cudaSuccess);
  assert(cudaStreamGetAttribute(stream, id, &value) == cudaSuccess);

  int calls = 0;
  const cudaStreamCallback_t callback = done;
  fill<<<1, 64, 0, stream>>>(data);
  cudaStreamAddCallback(stream, callback, &calls, 0);
  cudaStreamSynchronize(stream);
  assert(calls == 1);
  assert(cudaCtxResetPersistingL2Cache() == cudaSuccess);

  int access = 0;
  assert(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
  return 0;
}
