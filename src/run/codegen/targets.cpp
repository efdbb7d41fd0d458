// SPDX-License-Identifier: MIT
#include "codegen/targets.h"

#include "base/names.h"

namespace weakspot::codegen {
namespace {

// The targets that can be asked for by name. Target::mixed follows from the device instead.
constexpr base::Named<Target> kTargets[] = {
    {"ptx", Target::ptx},   {"spirv", Target::spirv}, {"opencl", Target::opencl},
    {"wgsl", Target::wgsl}, {"cpu", Target::cpu},
};

}  // namespace

std::string_view to_string(Target target) {
  return target == Target::mixed ? "ptx+cpu" : base::name_of(kTargets, target);
}
std::optional<Target> target_named(std::string_view name) { return base::value_of(kTargets, name); }
std::string target_names() { return base::list_names(kTargets); }

std::vector<std::string> target_words() {
  std::vector<std::string> words;
  for (const auto& target : kTargets) words.emplace_back(target.name);
  return words;
}

}  // namespace weakspot::codegen
