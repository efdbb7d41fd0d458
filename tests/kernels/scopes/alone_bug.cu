// A counter of a block, incremented with atomics of thread scope: atomic to nobody else.
// weakspot: launch grid=1 block=2
// weakspot: arg count=int[1]
// expect: race E1 global count @a @a
#include <cuda/atomic>

__global__ void count_threads(int* count) {
  cuda::atomic_ref<int, cuda::thread_scope_thread>(*count).fetch_add(1);  // @a
}
