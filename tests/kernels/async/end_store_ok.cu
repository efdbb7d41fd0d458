// The thread that started the copy waits until it has read the tile. That the copy has written need not be waited for.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: none
__global__ void send(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(tile);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;"
                 ::"l"(out + blockIdx.x * 64), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
