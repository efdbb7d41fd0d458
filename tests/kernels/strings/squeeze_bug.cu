// Repeated characters are blanked in place, while the right neighbour still compares with them.
// weakspot: launch grid=1 block=64
// weakspot: arg text=char[65] fill=one
// weakspot: arg out=char[65]
// expect: race E1 global text @look @blank

__global__ void squeeze(char* text, char* out) {
  const int i = threadIdx.x + 1;
  if (text[i] == text[i - 1]) {  // @look
    text[i] = ' ';               // @blank
  }
}
