// SPDX-License-Identifier: MIT
#include <map>
#include <utility>
#include <vector>

#include "residual/residual.h"

namespace weakspot::residual {

std::optional<Waits> waits_of(const Thread& thread) {
  std::map<std::uint32_t, std::size_t> labels;
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    if (thread.code[i].kind == Kind::label) labels[thread.code[i].label] = i;
  }
  std::map<std::size_t, Waits> before;  // by instruction that was reached
  std::vector<std::pair<std::size_t, Waits>> open{{0, {}}};
  std::optional<Waits> total;
  while (!open.empty()) {
    auto [at, waits] = open.back();
    open.pop_back();
    while (true) {
      const bool over = at >= thread.code.size() || thread.code[at].kind == Kind::end;
      if (over) {
        if (total && *total != waits) return std::nullopt;
        total = waits;
        break;
      }
      const auto [known, fresh] = before.try_emplace(at, waits);
      if (!fresh && known->second != waits) return std::nullopt;
      if (!fresh) break;
      const Instruction& one = thread.code[at];
      if (one.kind == Kind::stop) break;  // a question of its own
      if (one.kind == Kind::barrier) ++(one.op == Op::mov ? waits.warp : waits.block);
      if (one.kind == Kind::branch) open.emplace_back(labels.at(one.label), waits);
      at = one.kind == Kind::jump ? labels.at(one.label) : at + 1;
    }
  }
  return total;
}

}  // namespace weakspot::residual
