// A program whose only headers are thrust's has HIP's runtime and std::cout from them, and shared_ptr.
// weakspot: program
// expect: none
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>

#include <memory>

struct Twice {
  __host__ __device__ int operator()(int value) const { return 2 * value; }
};

int main() {
  thrust::host_vector<int> numbers(100);
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  thrust::device_vector<int> on_device = numbers;
  thrust::transform(on_device.begin(), on_device.end(), on_device.begin(), Twice());
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  numbers = on_device;
  std::cout << numbers[1] << std::endl;
  for (int i = 0; i < 100; ++i) {
    if (numbers[i] != 2 * i) return 1;
  }
  return 0;
}
