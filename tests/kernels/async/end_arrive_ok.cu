// A block arrives at a barrier of the other, which waits there. A relaxed arrival is enough to keep that block.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[64]
// expect: none
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void count(int* out) {
  __shared__ uint64_t done;
  const unsigned rank = ptx::get_sreg_cluster_ctarank();
  if (threadIdx.x == 0) ptx::mbarrier_init(&done, 32);
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
  if (rank == 1) {
    ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cluster, ptx::space_cluster, ptx::mapa(ptx::space_cluster, &done, 0));
  }
  if (rank == 0) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, ptx::scope_cluster, &done, 0)) {}
  }
}
