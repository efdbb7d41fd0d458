// SPDX-License-Identifier: MIT
#include "prove/translate/fence_side.h"

#include <utility>

namespace weakspot::prove {
namespace {

bool is_access(const residual::Instruction& one) {
  using residual::Kind;
  return one.strong && (one.kind == Kind::load || one.kind == Kind::store || one.kind == Kind::update);
}

// The fence that a header puts before an access has the access's place in the source, to the column.
bool is_own_fence(const residual::Residual& residual, const residual::Instruction& fence,
                  const residual::Instruction& next) {
  constexpr unsigned kOneOrder = 4;
  return fence.kind == residual::Kind::fence && (fence.order & kOneOrder) != 0 && is_access(next) &&
         residual.places[fence.place].column > 0 && residual.places[fence.place] == residual.places[next.place];
}

}  // namespace

std::optional<residual::Residual> with_fences_behind(const residual::Residual& residual) {
  std::optional<residual::Residual> moved;
  for (std::size_t t = 0; t < residual.threads.size(); ++t) {
    const std::vector<residual::Instruction>& code = residual.threads[t].code;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      if (!is_own_fence(residual, code[i], code[i + 1])) continue;
      if (!moved) moved = residual;
      std::swap(moved->threads[t].code[i], moved->threads[t].code[i + 1]);
      ++i;  // the access stands before the fence now, and is no fence of another
    }
  }
  return moved;
}

}  // namespace weakspot::prove
