// SPDX-License-Identifier: MIT
// Registrations that a compiled program makes with the runtime before main(): its device code, and which function or
// variable of the host stands for which one of the device. Libraries that are loaded later add theirs.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace weakspot::race_jit {

class Registrations {
 public:
  // The name of a kernel or a variable, and the number of the device code that has it.
  struct Symbol {
    std::size_t code = 0;
    std::string name;
    std::uint64_t size = 0;  // only for a variable
  };

  // Device code of one object; gives its number. Null where the device code is elsewhere.
  std::size_t add_code(const char* code);
  // A handle for the number, as the program passes it around.
  void** handle(std::size_t code);
  static std::size_t code_of(void** handle) { return handle == nullptr ? 0 : *reinterpret_cast<std::size_t*>(handle); }
  // Code that other code may call, from a device link.
  void add_library(const char* begin, const char* end) { libraries_.emplace_back(begin, end); }
  void add_kernel(void** handle, const void* host, const std::string& name);
  void add_variable(void** handle, const void* host, const std::string& name, std::uint64_t size);

  const std::vector<const char*>& codes() const { return codes_; }
  const std::vector<std::pair<const char*, const char*>>& libraries() const { return libraries_; }
  // Null if the host registered none there.
  const Symbol* kernel(const void* host) const;
  const Symbol* variable(const void* host) const;
  const std::map<const void*, Symbol>& variables() const { return variables_; }
  // The device has other names for some symbols of each code, beginning with this one.
  void rename(std::size_t first, const std::vector<std::map<std::string, std::string>>& names);

 private:
  std::vector<const char*> codes_;
  std::vector<std::pair<const char*, const char*>> libraries_;
  std::deque<std::size_t> handles_;
  std::map<const void*, Symbol> kernels_, variables_;
};

Registrations& registrations();

}  // namespace weakspot::race_jit
