// thrust without a toolkit: vectors, iterators and algorithms, which are kernels of one thread. Macros have the names of
// everything inside of our headers.
// weakspot: program
// expect: none
#include <cuda/std/functional>
#define T 3
#define N 1000
#define first 4
#define less 5
#define value 6
#undef first
#undef less
#undef value
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

struct square {
  __device__ int operator()(int x) const { return x * x; }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

__global__ void twice(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
  if (i == 0) thrust::sort(thrust::seq, data, data + 0);
}

int failures = 0;
void check(bool right, int line) {
  if (right) return;
  printf("line %d is wrong\n", line);
  ++failures;
}
#define CHECK(condition) check(condition, __LINE__)

void algorithms() {
  thrust::host_vector<int> numbers(N);
  for (int i = 0; i < N; ++i) numbers[i] = (i * 37) % N;
  thrust::device_vector<int> keys = numbers, values(N);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  CHECK(keys[0] == 0 && keys[N - 1] == N - 1 && values[37] * 37 % N == 37);
  CHECK(thrust::reduce(keys.begin(), keys.end()) == N * (N - 1) / 2);
  CHECK(thrust::transform_reduce(keys.begin(), keys.begin() + 4, square(), 0, thrust::plus<int>()) == 14);
  CHECK(thrust::reduce(keys.begin(), keys.end(), -1, thrust::maximum<int>()) == N - 1);
  CHECK(thrust::max_element(keys.begin(), keys.end()) - keys.begin() == N - 1);
  thrust::exclusive_scan(keys.begin(), keys.begin() + 5, values.begin());
  CHECK(values[0] == 0 && values[4] == 6);
  thrust::inclusive_scan(thrust::device, keys.begin(), keys.begin() + 5, values.begin());
  CHECK(values[4] == 10);
  const auto end = thrust::copy_if(keys.begin(), keys.end(), values.begin(), is_odd());
  CHECK(end - values.begin() == N / 2 && values[1] == 3);
  CHECK(thrust::count_if(keys.begin(), keys.end(), is_odd()) == N / 2);
  const auto kept = thrust::remove_if(keys.begin(), keys.end(), is_odd());
  keys.erase(kept, keys.end());
  CHECK(keys.size() == N / 2 && keys.back() == N - 2);
  thrust::sort(keys.begin(), keys.end(), thrust::greater<int>());
  CHECK(keys.front() == N - 2);
  int* raw = thrust::raw_pointer_cast(keys.data());
  twice<<<4, 128>>>(raw, (int)keys.size());
  CHECK(keys[0] == 2 * (N - 2));
  thrust::device_ptr<int> pointer(raw);
  thrust::fill(pointer, pointer + 3, 9);
  CHECK(thrust::count(keys.begin(), keys.end(), 9) == 3);
  numbers.resize(keys.size());
  thrust::copy(keys.begin(), keys.end(), numbers.begin());
  CHECK(numbers[2] == 9 && numbers[4] == keys[4]);
}

void iterators() {
  const auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), square());
  CHECK(thrust::reduce(thrust::device, squares, squares + 3) == 14);
  thrust::device_vector<int> a(3), b(3, 7);
  thrust::sequence(a.begin(), a.end(), 10);
  thrust::device_vector<int> sums(3);
  const auto both = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::transform(both, both + 3, sums.begin(),
                    [] __device__(const thrust::tuple<int, int>& t) { return thrust::get<0>(t) * thrust::get<1>(t); });
  CHECK(sums[2] == 84);
  thrust::device_vector<int> keys(4), out_keys(4), out_sums(4);
  keys[2] = keys[3] = 1;
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(5), out_keys.begin(),
                                          out_sums.begin());
  CHECK(ends.first - out_keys.begin() == 2 && out_sums[1] == 10);
  const auto begins = thrust::unique_by_key_copy(keys.begin(), keys.end(), thrust::make_counting_iterator(0),
                                                 thrust::make_discard_iterator(), out_sums.begin());
  CHECK(begins.second - out_sums.begin() == 2 && out_sums[0] == 0 && out_sums[1] == 2);
  CHECK(thrust::copy_if(keys.begin(), keys.end(), out_keys.begin(), cuda::std::identity()) - out_keys.begin() == 2);
  CHECK(thrust::unique(keys.begin(), keys.end()) - keys.begin() == 2);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(thrust::reduce(thrust::cuda::par.on(stream), sums.begin(), sums.end()) == 70 + 77 + 84);
  cudaStreamDestroy(stream);
}

int main() {
  algorithms();
  iterators();
  return failures;
}
