// cub without a toolkit: collectives of warps and blocks, with a barrier between two uses of their storage.
// weakspot: program
// expect: none
#include <cub/cub.cuh>

constexpr int kThreads = 128, kItems = 4;

__global__ void collectives(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Warp = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
  } temp;
  __shared__ typename Store::TempStorage store;
  __shared__ typename Warp::TempStorage warps[kThreads / 32];
  int items[kItems];
  Load(temp.load).Load(in, items);
  __syncthreads();
  const int sum = Reduce(temp.reduce).Sum(items[0] + items[1] + items[2] + items[3]);
  if (threadIdx.x == 0) out[0] = sum;
  __syncthreads();
  int before, all;
  Scan(temp.scan).ExclusiveSum(1, before, all);
  if (threadIdx.x == 77) out[1] = before;
  if (threadIdx.x == 78) out[2] = all;
  __syncthreads();
  const int of_warp = Warp(warps[threadIdx.x / 32]).Reduce((int)threadIdx.x, cub::Max());
  if (threadIdx.x == 96) out[3] = of_warp;
  Sort(temp.sort).Sort(items);
  Store(store).Store(out + 4, items);
}

// Bits in the order of the values, and back.
template <typename T> bool ordered(T low, T high) {
  using Traits = cub::Traits<T>;
  typename Traits::UnsignedBits below, above;
  memcpy(&below, &low, sizeof(T));
  memcpy(&above, &high, sizeof(T));
  return Traits::TwiddleIn(below) < Traits::TwiddleIn(above) && Traits::TwiddleOut(Traits::TwiddleIn(below)) == below &&
         Traits::TwiddleOut(Traits::TwiddleIn(above)) == above;
}

int main() {
  if (!ordered(-2, 1) || !ordered(1u, ~0u) || !ordered(-1.5f, -0.5f) || !ordered(-0.5, 2.0)) return 1;
  if (!ordered<unsigned char>(3, 200) || !ordered<short>(-3, 200)) return 1;
  constexpr int n = kThreads * kItems;
  int host[n + 4], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = n / 2 - 1 - i;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, (n + 4) * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  collectives<<<1, kThreads>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  if (host[0] != -n / 2 || host[1] != 77 || host[2] != kThreads || host[3] != 127) return 1;
  for (int i = 0; i < n; ++i) {
    if (host[4 + i] != i - n / 2) return 2;
  }

  void* temp = nullptr;
  size_t bytes = 0;
  int* total;
  cudaMalloc(&total, sizeof(int));
  cub::DeviceReduce::Max(temp, bytes, in, total, n);
  cudaMalloc(&temp, bytes);
  cub::DeviceReduce::Max(temp, bytes, in, total, n);
  int greatest = 0;
  cudaMemcpy(&greatest, total, sizeof(int), cudaMemcpyDeviceToHost);
  if (greatest != n / 2 - 1) return 3;
  cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in, out, n);
  cub::DeviceScan::ExclusiveSum(temp, bytes, out, in, n);
  cudaMemcpy(host, in, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  return host[2] == (n / 2 - 1) + (n / 2 - 2) ? 0 : 4;
}
