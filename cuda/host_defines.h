// SPDX-License-Identifier: MIT
// Empty: weakspot/device.h, which is included first, has everything.
#pragma once
