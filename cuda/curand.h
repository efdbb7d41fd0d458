// SPDX-License-Identifier: MIT
// The host side of curand: generators that fill memory of the device.
#pragma once
#include <weakspot/random_host.h>
