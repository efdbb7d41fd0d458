// A sequence lock whose data is volatile, without fences: a reader may see the number twice and old data between.
// weakspot: weak
// weakspot: launch grid=2 block=1
// weakspot: arg sequence=int[1]
// weakspot: arg data=int[2]
// weakspot: arg out=int[1]
// expect: stale @read @write
// allow: race W3 global sequence @open @before
// allow: race W3 global sequence @close @before
// allow: race W3 global sequence @open @after
// allow: race W3 global sequence @close @after
// allow: race W3 global data @first @a
// allow: race W3 global data @write @read
#include <cassert>

__global__ void exchange(volatile int* sequence, volatile int* data, int* out) {
  if (blockIdx.x == 0) {
    *sequence = 1;  // @open
    data[0] = 7;  // @first
    data[1] = 7;  // @write
    *sequence = 2;  // @close
  } else {
    int before = *sequence;  // @before
    int a = data[0];  // @a
    int b = data[1];  // @read
    int after = *sequence;  // @after
    if (before == after && before == 2) {
      assert(b == 7);
      *out = a + b;
    }
  }
}
