// A relaxed arrival at the barrier of a cluster publishes nothing.
// weakspot: launch grid=4 block=32
// weakspot: arg p=int[128] fill=iota
// expect: race E1 shared x @a @b

__global__ void __cluster_dims__(2, 1, 1) swap(int* p) {
  __shared__ int x[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  x[threadIdx.x] = p[i];  // @a
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned int rank, other;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const unsigned int here = (unsigned int)__cvta_generic_to_shared(&x[threadIdx.x]);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(here), "r"(rank ^ 1));
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");  // @b
  p[i] = value;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
