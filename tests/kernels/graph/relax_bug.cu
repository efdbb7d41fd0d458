// Shortest paths: the distance of a neighbour is compared and lowered plainly.
// weakspot: launch grid=1 block=64
// weakspot: arg from=int[64] fill=iota
// weakspot: arg to=int[64] fill=duplicates
// weakspot: arg weight=int[64] fill=random:1:9
// weakspot: arg before=int[64] fill=random:10:99
// weakspot: arg dist=int[4] values=999,999,999,999
// expect: race E1 global dist @look @lower
// allow: race E1 global dist @lower @lower

__global__ void relax(const int* from, const int* to, const int* weight, const int* before, int* dist) {
  const int e = threadIdx.x;
  const int length = before[from[e]] + weight[e];
  if (length < dist[to[e]]) {  // @look
    dist[to[e]] = length;      // @lower
  }
}
