// The blocks of a cluster meet in two steps at the end: the one that reads arrives, the one that is read from waits.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[32]
// expect: none
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void hand_over(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  const unsigned rank = ptx::get_sreg_cluster_ctarank();
  if (rank == 0) {
    const int* theirs = ptx::mapa(ptx::space_cluster, tile, 1);
    out[threadIdx.x] = theirs[31 - threadIdx.x];
  }
  ptx::barrier_cluster_arrive(ptx::sem_release);
  if (rank == 1) ptx::barrier_cluster_wait(ptx::sem_acquire);
}
