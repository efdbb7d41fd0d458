// SPDX-License-Identifier: MIT
#include "litmus/assembly/x86_64.h"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "litmus/assembly/assembly.h"

namespace weakspot::litmus::x86_64 {
namespace {

constexpr std::string_view kRegisterNames[] = {"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP",
                                               "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};

}  // namespace

std::string spell(const std::string& name, int bits) {
  const std::string stem = name.substr(1);
  if (bits == 64) return name;
  if (stem[0] >= '0' && stem[0] <= '9') return name + (bits == 32 ? "D" : bits == 16 ? "W" : "B");
  if (bits == 32) return "E" + stem;
  if (bits == 16) return stem;
  return stem[1] == 'X' ? fmt::format("{}L", stem[0]) : stem + "L";
}

std::optional<RegisterName> register_named(std::string_view text) {
  if (text.size() < 2 || text.size() > 4) return std::nullopt;
  static const std::map<std::string, RegisterName, std::less<>> names = [] {
    std::map<std::string, RegisterName, std::less<>> spelled;
    for (std::string_view name : kRegisterNames) {
      for (int bits : {64, 32, 16, 8}) {
        spelled.try_emplace(spell(std::string(name), bits), RegisterName{std::string(name), bits});
      }
    }
    return spelled;
  }();
  const auto found = names.find(upper(text));
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string>& general_registers() {
  static const std::vector<std::string> names = {"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "R8", "R9",
                                                 "R10", "R11", "R12", "R13", "R14", "R15", "RBP"};
  return names;
}

}  // namespace weakspot::litmus::x86_64
