// Devices that are none: for tests of what stands above devices, and for nothing else. They are never listed and have
// to be named to be used.
//
//   testing:one      runs nothing; says that every instance ended in the first outcome of the test
//   testing:all      the same, but every outcome that has a counter is seen once, forbidden ones too
//   testing:lost     the device is lost when a program runs
//   testing:memory   has no memory left
//   testing:refuse   its compiler refuses every program
//   testing:segv, testing:ill, testing:abort, testing:exit
//                    the process ends in that way when a program runs
//   testing:hang     a program never ends, whatever the deadline
//   testing:old      as `one`, but has no clusters
//   testing:closed   cannot be opened
//   testing:slow     as `one`, but takes its time: a millisecond of the clock for each round
//
// They pretend that a round takes a millisecond, so that what is computed from times is the same every time. They take
// PTX and have the limits of a small GPU.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backend/device.h"

namespace weakspot::backend {

std::vector<DeviceInfo> list_testing_devices();  // always empty
base::Result<std::unique_ptr<Device>> open_testing_device(std::string_view id);

}  // namespace weakspot::backend
