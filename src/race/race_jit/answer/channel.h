// SPDX-License-Identifier: MIT
// The end of the channel of race/channel.h on which records are sent.
#pragma once

#include <unistd.h>

#include "race/channel.h"
#include "race/report.h"

namespace weakspot::race_jit {

class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor), owner_(getpid()) {}

  // False if nobody reads it. Copies of this process send nothing.
  bool send(const race::Record& record) const;

 private:
  int descriptor_;
  pid_t owner_;
};

}  // namespace weakspot::race_jit
