/* SPDX-License-Identifier: MIT
   Calls a function of the driver that is not modelled, twice. */
#include "driver.h"

int main(void) {
  unsigned long long handle;
  start_device();
  for (int i = 0; i < 2; ++i) {
    if (cuMemCreate(&handle, 4096, 0, 0) != 801) return 5;
  }
  return 0;
}
