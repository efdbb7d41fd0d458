// SPDX-License-Identifier: MIT
#include "race_jit/storage/shared_uses.h"

namespace weakspot::race_jit {

void SharedUses::add(std::uint32_t owner, const SharedUse& use) {
  of_[owner][{use.user, use.site, use.arrives, use.write}] = use;
}

void SharedUses::count(std::uint32_t owner, const race::ThreadName& user, std::uint64_t gate, std::uint64_t phase,
                       const std::function<bool(const SharedUse&)>& is_over) {
  auto found = of_.find(owner);
  if (found == of_.end()) return;
  for (auto& [key, use] : found->second) {
    if (!(use.user == user) || is_over(use)) continue;
    use.gate = gate;
    use.phase = phase;
  }
}

void SharedUses::forget_counted(std::uint32_t owner, std::uint64_t gate) {
  auto found = of_.find(owner);
  if (found == of_.end()) return;
  std::erase_if(found->second, [&](const auto& entry) { return entry.second.gate == gate; });
}

std::vector<SharedUse> SharedUses::take(std::uint32_t owner) {
  std::vector<SharedUse> uses;
  auto found = of_.find(owner);
  if (found == of_.end()) return uses;
  for (const auto& [key, use] : found->second) uses.push_back(use);
  of_.erase(found);
  return uses;
}

}  // namespace weakspot::race_jit
