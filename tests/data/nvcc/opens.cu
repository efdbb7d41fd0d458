// SPDX-License-Identifier: MIT
// Uses its device, and only then opens the libraries that its arguments name.
#include <dlfcn.h>

#include <cstdio>

__global__ void work(int* out) { *out = 7; }

int main(int count, char** names) {
  int *out = nullptr, value = 0;
  cudaMalloc(&out, sizeof *out);
  work<<<1, 1>>>(out);
  for (int i = 1; i < count; ++i) {
    void* library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    auto* run = library == nullptr ? nullptr : reinterpret_cast<int (*)(int*)>(dlsym(library, "run"));
    if (run == nullptr) return 1;
    const int calls = run(out) + run(out);
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", calls, value);
  }
  work<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%d\n", value);
}
