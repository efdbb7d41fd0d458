// Shortest paths: the distance of a neighbour is lowered with atomicMin, from distances of the round
// before.
// weakspot: launch grid=1 block=64
// weakspot: arg from=int[64] fill=iota
// weakspot: arg to=int[64] fill=duplicates
// weakspot: arg weight=int[64] fill=random:1:9
// weakspot: arg before=int[64] fill=random:10:99
// weakspot: arg dist=int[4] values=999,999,999,999
// expect: none

__global__ void relax(const int* from, const int* to, const int* weight, const int* before, int* dist) {
  const int e = threadIdx.x;
  const int length = before[from[e]] + weight[e];
  atomicMin(&dist[to[e]], length);
}
