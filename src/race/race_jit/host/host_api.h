// SPDX-License-Identifier: MIT
// The functions of the stand-in CUDA runtime are found by name; calling these keeps the linker from leaving them out.
#pragma once

namespace weakspot::race_jit {

void use_host_api();          // memory, launches, symbols
void use_host_graph_api();    // graphs
void use_host_hip_api();      // launches and registrations under HIP's names
void use_host_more_api();     // registered memory
void use_host_texture_api();  // arrays, textures, surfaces
void use_host_device_api();   // devices, streams, events, errors
void use_driver_api();        // the driver's interface and nvrtc's, which are a room of their own

}  // namespace weakspot::race_jit
