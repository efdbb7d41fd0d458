// thrust: shuffles on both sides, memory without a type, and the error that NVIDIA's own throws.
// weakspot: program
// expect: none
#include <thrust/random.h>  // brings <iostream>, as NVIDIA's does

#include <thrust/detail/type_traits.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>

#include <cassert>
#include <random>

template <typename Vector, typename Engine>
void check_shuffle(Vector& numbers, Engine engine) {
  thrust::sequence(numbers.begin(), numbers.end());
  thrust::shuffle(numbers.begin(), numbers.end(), engine);
  int moved = 0;
  for (int i = 0; i < 64; ++i) moved += numbers[i] != i;
  assert(moved > 32);
  thrust::sort(numbers.begin(), numbers.end());
  for (int i = 0; i < 64; ++i) assert(numbers[i] == i);
}

int main() {
  thrust::host_vector<int> here(64);
  thrust::device_vector<int> there(64);
  check_shuffle(here, std::mt19937(7));
  check_shuffle(there, thrust::default_random_engine(7));
  thrust::device_ptr<void> bytes;
  try {
    bytes = thrust::device_malloc(256);
  } catch (thrust::system_error& error) {
    return 1;
  }
  assert(bytes.get() != nullptr && cudaMemset(bytes.get(), 0, 256) == cudaSuccess);
  thrust::device_free(bytes);
  std::cout << "done\n";
  return 0;
}
