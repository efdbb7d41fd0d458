// A virtual function takes a structure by value; its object is made in shared memory.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
#include <cassert>
#include <new>

struct Item {
  int key, value;
  float weight, rest;
};
struct Sink {
  __device__ virtual int put(Item item, int at) = 0;
  __device__ virtual ~Sink() {}
};
struct Row : Sink {
  Item* items;
  __device__ explicit Row(Item* to) : items(to) {}
  __device__ int put(Item item, int at) override {
    items[at] = item;
    item.key = -1;  // a copy: the caller's stays
    return items[at].value;
  }
};

__global__ void collect(int* out) {
  __shared__ __align__(8) unsigned char place[sizeof(Row)];
  __shared__ Item items[64];
  __shared__ Sink* sink;
  const int t = threadIdx.x;
  if (t == 0) sink = new (place) Row(items);
  __syncthreads();
  const Item item = {t, 2 * t, 0.5f * t, 1.0f};
  assert(sink->put(item, t) == 2 * t && item.key == t);
  assert(items[t].key == t && items[t].weight == 0.5f * t);
  out[t] = items[t].value;
}
