// SPDX-License-Identifier: MIT
// Fake devices, for tests of the code above devices. They are never listed and must be named to be used.
//
//   testing:one      runs nothing; reports that every instance ended in the first outcome of the test
//   testing:all      the same, but reports every outcome with a counter once, including forbidden ones
//   testing:lost     the device is lost when a program runs
//   testing:memory   has almost no free memory
//   testing:gone     the device is lost when a program is loaded
//   testing:refuse   its compiler refuses every program
//   testing:segv, testing:ill, testing:abort, testing:exit
//                    the process ends that way when a program runs
//   testing:hang     a program never ends, even after the deadline
//   testing:old      like `one`, but has no clusters
//   testing:closed   cannot be opened
//   testing:parallel like `one`, but several threads may load programs at the same time
//   testing:mixed    like `one`, but a GPU together with an x86-64 CPU
//   testing:slow     like `one`, but really takes a millisecond per round
//
// Fake devices pretend that a round takes a millisecond, so that numbers computed from times are always the same. They
// accept PTX and have the limits of a small GPU.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

std::vector<DeviceInfo> list_testing_devices();  // always empty
base::Result<std::unique_ptr<Device>> open_testing_device(std::string_view id);

}  // namespace weakspot::backend
