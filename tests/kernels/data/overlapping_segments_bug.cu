// Each block owns the segment between two offsets; the offsets given make the segments overlap.
// weakspot: launch grid=3 block=32
// weakspot: arg data=int[96] fill=one
// weakspot: arg first=int[3] values=0,32,64
// weakspot: arg last=int[3] values=40,64,96
// expect: race I1 global data @a @a

__global__ void scale_segments(int* data, const int* first, const int* last) {
  for (int i = first[blockIdx.x] + threadIdx.x; i < last[blockIdx.x]; i += blockDim.x) {
    data[i] = data[i] * 2 + blockIdx.x;  // @a
  }
}
