// Pixels of three bytes, written as three.
// weakspot: launch grid=2 block=32
// weakspot: arg gray=uchar[64] fill=random:1:255
// weakspot: arg rgb=uchar[196]
// expect: none

__global__ void expand(const unsigned char* gray, unsigned char* rgb) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  rgb[3 * i] = gray[i];
  rgb[3 * i + 1] = gray[i];
  rgb[3 * i + 2] = gray[i];
}
