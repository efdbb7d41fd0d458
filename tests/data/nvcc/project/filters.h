// SPDX-License-Identifier: MIT
#pragma once
void smooth(float* device, int count);
