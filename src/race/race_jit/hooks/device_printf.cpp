// SPDX-License-Identifier: MIT
#include "race_jit/hooks/device_printf.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace weakspot::race_jit {
namespace {

class Packed {
 public:
  explicit Packed(const void* memory) : memory_(static_cast<const char*>(memory)) {}

  template <typename T>
  T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, memory_ + offset_, sizeof value);
    offset_ += sizeof(T);
    return value;
  }

 private:
  const char* memory_;
  std::size_t offset_ = 0;
};

template <typename T>
std::string convert(const std::string& specification, T value) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, specification.c_str(), value);
  if (length < 0) return {};
  return std::string(buffer, std::min(static_cast<std::size_t>(length), sizeof buffer - 1));
}

}  // namespace

std::string format_device_printf(const char* format, const void* memory) {
  Packed arguments(memory);
  std::string text;
  for (const char* at = format; *at != 0;) {
    if (*at != '%') {
      text += *at++;
      continue;
    }
    if (at[1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    std::string specification = "%";
    ++at;
    int longs = 0;
    while (*at != 0 && std::strchr("-+ #0123456789.*lhzjt", *at) != nullptr) {
      if (*at == '*') {
        specification += std::to_string(arguments.next<int>());
      } else if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
        ++longs;  // all of them are 64 bits wide on the device
      } else if (*at != 'h') {
        specification += *at;
      }
      ++at;
    }
    if (*at == 0) break;
    const char conversion = *at++;
    if (std::strchr("diouxXc", conversion) != nullptr) {
      if (longs > 0) {
        text += convert(specification + "ll" + conversion, arguments.next<long long>());
      } else {
        text += convert(specification + conversion, arguments.next<int>());
      }
    } else if (std::strchr("fFeEgGaA", conversion) != nullptr) {
      text += convert(specification + conversion, arguments.next<double>());
    } else if (conversion == 's') {
      text += convert(specification + conversion, arguments.next<const char*>());
    } else if (conversion == 'p') {
      text += convert(specification + conversion, arguments.next<void*>());
    }
  }
  return text;
}

}  // namespace weakspot::race_jit
