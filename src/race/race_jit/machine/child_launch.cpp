// SPDX-License-Identifier: MIT
#include "race_jit/machine/child_launch.h"

#include <fmt/format.h>

#include "race/not_modelled.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

void note_child(const char* what, race::Effect effect, std::uint32_t site) {
  weakspot_not_modelled(what, static_cast<std::uint32_t>(effect), site);
}

}  // namespace

extern "C" {

void weakspot_launch_child(const char* kernel, const char* name, std::uint32_t grid_x, std::uint32_t grid_y,
                           std::uint32_t grid_z, std::uint32_t block_x, std::uint32_t block_y, std::uint32_t block_z,
                           std::uint64_t shared, const void* const* arguments, const std::uint32_t* sizes,
                           std::uint32_t count, std::uint32_t site) {
  core->needs_others();
  const std::string what = fmt::format("launch of {} by a kernel", name);
  const InRuntime inside;
  ChildLaunch child;
  child.kernel = kernel;
  child.shape.grid = {grid_x, grid_y, grid_z};
  child.shape.block = {block_x, block_y, block_z};
  child.shape.shared = shared;
  for (std::uint32_t i = 0; i < count; ++i) {
    child.arguments.emplace_back(static_cast<const char*>(arguments[i]), sizes[i]);
  }
  core->device().children().push_back(std::move(child));
  if (core->device().runs_children()) {
    note_child((what + ", run after it").c_str(), race::Effect::stronger, site);
  } else {
    note_child(what.c_str(), race::Effect::unknown, site);
  }
}

// Children have not run yet: what they should have written is missing.
void weakspot_wait_for_children(std::uint32_t site) {
  core->needs_others();
  if (!core->device().children().empty()) {
    note_child("wait of a kernel for the kernels that it launched", race::Effect::unknown, site);
  }
}

}  // extern "C"

std::vector<HookSymbol> child_hook_symbols() {
  return {{"weakspot_launch_child", reinterpret_cast<void*>(&weakspot_launch_child)},
          {"weakspot_wait_for_children", reinterpret_cast<void*>(&weakspot_wait_for_children)}};
}

}  // namespace weakspot::race_jit
