// Repeated characters are blanked in a copy.
// weakspot: launch grid=1 block=64
// weakspot: arg text=char[65] fill=random:0:1
// weakspot: arg out=char[65]
// expect: none

__global__ void squeeze(char* text, char* out) {
  const int i = threadIdx.x + 1;
  out[i] = text[i] == text[i - 1] ? ' ' : text[i];
}
