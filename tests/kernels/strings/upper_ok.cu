// Every thread turns one character of a string to upper case in place.
// weakspot: launch grid=2 block=64
// weakspot: arg text=char[100] fill=random:97:122
// weakspot: arg n=100
// expect: none

__global__ void upper(char* text, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] >= 'a' && text[i] <= 'z') {
    text[i] -= 'a' - 'A';
  }
}
