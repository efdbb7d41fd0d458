// A bucket is protected by its own lock.
// weakspot: launch grid=4 block=32
// weakspot: arg keys=int[4] values=1,1,2,1
// weakspot: arg locks=int[4]
// weakspot: arg buckets=int[4]
// expect: none

__global__ void insert(const int* keys, int* locks, int* buckets) {
  if (threadIdx.x == 0) {
    const int bucket = keys[blockIdx.x];
    int* lock = &locks[bucket];
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    buckets[bucket] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
