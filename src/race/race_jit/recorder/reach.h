// SPDX-License-Identifier: MIT
// The memory that a launch can reach: variables that its kernel names, allocations that words of its arguments lead
// into, and those that words of such memory do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "capture/capture.h"
#include "race/ptx_text.h"

namespace weakspot::race_jit::recorder {

// What is in memory of the device now; nothing if the driver does not say.
std::optional<std::string> memory_at(std::uint64_t address, std::uint64_t size);

class Reach {
 public:
  // For buffers of at most so many bytes together.
  Reach(capture::Capture& kept, std::uint64_t most) : kept_(kept), most_(most) {}

  // The variables of a module, or a library, that the kernel names, or a function that it may call.
  void add_variables(const race::ptx::Module& text, const std::string& kernel, void* module, bool library);
  // Where the words of an argument lead, and no further.
  void add_argument(const std::string& bytes, std::size_t number);
  // What all that was added leads to.
  void follow_memory();

  bool too_large() const { return total_ > most_; }

 private:
  void follow(const std::string& bytes, const std::string& name, bool in_memory);
  void take(std::uint64_t begin, std::uint64_t size, std::string name, std::string variable);
  bool is_known(std::uint64_t word) const;
  bool is_near(std::uint64_t word) const;

  capture::Capture& kept_;
  std::uint64_t most_, total_ = 0;
  std::map<std::uint64_t, std::uint64_t> ends_;  // of buffers, by their begins
};

}  // namespace weakspot::race_jit::recorder
