// A block stores into the shared memory of the other with st.async. A barrier of the cluster does not wait for such
// stores.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[32]
// expect: race E1 shared inbox @store @read
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__global__ void send(int* out) {
  __shared__ int inbox[32];
  __shared__ uint64_t full;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, sizeof inbox);
  }
  cluster.sync();
  if (cluster.block_rank() == 1) {
    const unsigned to = (unsigned)__cvta_generic_to_shared(cluster.map_shared_rank(&inbox[threadIdx.x], 0));
    const unsigned gate = (unsigned)__cvta_generic_to_shared(cluster.map_shared_rank(&full, 0));
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),  // @store
                 "r"(threadIdx.x * 5), "r"(gate)
                 : "memory");
  }
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = inbox[31 - threadIdx.x];  // @read
  cluster.sync();
}
