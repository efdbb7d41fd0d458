// The device side of curand: generators whose states are plain memory, checked like any other. The numbers have the
// documented distributions and depend on seed, sequence and offset alone; they are not those of NVIDIA's library.
#pragma once
#include <weakspot/random.h>
