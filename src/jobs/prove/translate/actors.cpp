// SPDX-License-Identifier: MIT
#include "prove/translate/actors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/plural.h"

namespace weakspot::prove {
namespace {

bool accesses(const residual::Instruction& one) { return one.size > 0; }
bool writes(const residual::Instruction& one) {
  return one.kind == residual::Kind::store || one.kind == residual::Kind::update;
}
bool ends_early(const residual::Instruction& one) { return one.kind == residual::Kind::stop; }

template <typename Test>
bool any(const residual::Thread& thread, const Test& test) {
  return std::any_of(thread.code.begin(), thread.code.end(), test);
}

bool same_code(const residual::Thread& a, const residual::Thread& b) {
  return a.widths == b.widths && a.code == b.code;
}

}  // namespace

Cast choose_actors(const residual::Residual& residual) {
  Cast cast;
  const std::vector<residual::Thread>& threads = residual.threads;
  std::vector<std::size_t> silent;
  std::vector<std::pair<std::size_t, std::size_t>> twins;  // and the actor that each is like
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!any(threads[i], accesses) && !any(threads[i], ends_early)) {
      silent.push_back(i);
      continue;
    }
    const auto like = std::find_if(cast.actors.begin(), cast.actors.end(), [&](std::size_t actor) {
      const bool same_warp = threads[actor].number / 32 == threads[i].number / 32;
      const bool warp_waits = any(threads[i], [](const residual::Instruction& one) {
        return one.kind == residual::Kind::barrier && one.op == residual::Op::mov;
      });
      return threads[actor].block == threads[i].block && (same_warp || !warp_waits) && !any(threads[i], writes) &&
             same_code(threads[actor], threads[i]);
    });
    if (like == cast.actors.end()) {
      cast.actors.push_back(i);
    } else {
      twins.emplace_back(i, static_cast<std::size_t>(like - cast.actors.begin()));
    }
  }
  // Whoever is left out must not be missed at a barrier, so all come to the same ones.
  std::map<std::uint64_t, std::optional<residual::Waits>> by_block;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::optional<residual::Waits>> by_warp;
  for (const residual::Thread& thread : threads) {
    const std::optional<residual::Waits> waits = residual::waits_of(thread);
    const auto [block, first] = by_block.try_emplace(thread.block, waits);
    if (!first && (!waits || !block->second || block->second->block != waits->block)) block->second.reset();
    const auto [warp, first_of_warp] = by_warp.try_emplace({thread.block, thread.number / 32}, waits);
    if (!first_of_warp && (!waits || !warp->second || warp->second->warp != waits->warp)) warp->second.reset();
  }
  // A test has a thread.
  if (cast.actors.empty() && !silent.empty()) {
    cast.actors.push_back(silent.front());
    silent.erase(silent.begin());
  }
  std::uint64_t apart = 0;
  for (const std::size_t i : silent) {
    if (by_block.at(threads[i].block) && by_warp.at({threads[i].block, threads[i].number / 32})) {
      ++apart;
    } else {
      cast.actors.push_back(i);
    }
  }
  std::map<std::size_t, std::uint64_t>
      like;  // positions of actors before sorting: those of cast.actors begin with them
  for (const auto& [twin, actor] : twins) ++like[cast.actors[actor]];
  std::sort(cast.actors.begin(), cast.actors.end());
  if (apart > 0) cast.left_out.push_back({apart, std::nullopt});
  for (const auto& [thread, count] : like) {
    const auto at = std::find(cast.actors.begin(), cast.actors.end(), thread);
    cast.left_out.push_back({count, static_cast<std::size_t>(at - cast.actors.begin())});
  }
  return cast;
}

}  // namespace weakspot::prove
