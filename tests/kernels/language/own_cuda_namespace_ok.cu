// A program has a namespace of the name cuda, and finds another one by a using directive: nothing declares ::cuda before
// a header of libcu++ is included.
// weakspot: program
// expect: none
#include <string>

namespace vision {
namespace cuda {
struct Image {
  int* pixels;
};
}  // namespace cuda
}  // namespace vision

namespace user {
using namespace vision;
cuda::Image make_image() {
  cuda::Image image;
  cudaMalloc(&image.pixels, 64 * sizeof(int));
  return image;
}
}  // namespace user

namespace cuda {
enum thread_scope { all_threads };
inline std::string name() { return std::string("x"); }
__global__ void fill(int* out) { out[threadIdx.x] = all_threads; }
}  // namespace cuda

int main() {
  const vision::cuda::Image image = user::make_image();
  cuda::fill<<<1, 64>>>(image.pixels);
  return cuda::name().size() == 1 ? cudaDeviceSynchronize() : 1;
}
