// SPDX-License-Identifier: MIT
#include "prove/repair/used_places.h"

#include <fmt/format.h>

#include <map>

#include "prove/repair/source_edit.h"

namespace weakspot::prove {

UsedPlaces used_places(const residual::Residual& residual, const std::string& file, std::string_view text) {
  using residual::Kind;
  std::map<std::uint32_t, UsedPlace> by_place;
  std::map<std::uint64_t, std::size_t> threads_of_block;
  for (const residual::Thread& thread : residual.threads) {
    bool accesses = false;
    for (const residual::Instruction& one : thread.code) {
      const bool access = one.kind == Kind::load || one.kind == Kind::store || one.kind == Kind::update;
      accesses = accesses || access;
      if (!access && one.kind != Kind::fence && one.kind != Kind::barrier) continue;
      UsedPlace& used = by_place[one.place];
      used.access = used.access || access;
      used.fence = used.fence || one.kind == Kind::fence;
      used.barrier = used.barrier || one.kind == Kind::barrier;
    }
    if (accesses) ++threads_of_block[thread.block];
  }
  UsedPlaces found;
  std::map<std::size_t, UsedPlace> by_offset;
  for (auto& [number, used] : by_place) {
    const race::Place& place = residual.places[number];
    if (place.line == 0 || place.file != file) {
      if (used.barrier) continue;
      found.elsewhere.push_back(
          place.line == 0
              ? fmt::format("{} whose line is not known", used.fence ? "a fence" : "an access")
              : fmt::format("{} of {}:{}", used.fence ? "the fence" : "the access", place.file, place.line));
      continue;
    }
    used.offset = offset_of(text, place.line, place.column);
    used.line = place.line;
    UsedPlace& same = by_offset.try_emplace(used.offset, used).first->second;
    same.access = same.access || used.access;
    same.fence = same.fence || used.fence;
    same.barrier = same.barrier || used.barrier;
  }
  for (const auto& [offset, used] : by_offset) found.all.push_back(used);
  bool together = false;
  for (const auto& [block, count] : threads_of_block) together = together || count > 1;
  if (together) found.scopes.push_back(WordScope::block);
  if (threads_of_block.size() > 1) found.scopes.push_back(WordScope::device);
  return found;
}

}  // namespace weakspot::prove
