// SPDX-License-Identifier: MIT
#include "race_jit/hooks/warp_operations.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

std::uint64_t reduce(int kind, std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  const auto sx = static_cast<std::int32_t>(x), sy = static_cast<std::int32_t>(y);
  switch (kind) {
    case kReduceAdd:
      return x + y;
    case kReduceMinSigned:
      return static_cast<std::uint32_t>(std::min(sx, sy));
    case kReduceMaxSigned:
      return static_cast<std::uint32_t>(std::max(sx, sy));
    case kReduceMinUnsigned:
      return std::min(x, y);
    case kReduceMaxUnsigned:
      return std::max(x, y);
    case kReduceAnd:
      return x & y;
    case kReduceOr:
      return x | y;
    default:
      return x ^ y;
  }
}

unsigned lane_of(const ThreadContext* thread) { return thread->number % race::kWarp; }

std::uint64_t shuffled(const ThreadContext* self, const std::vector<ThreadContext*>& lanes) {
  const WarpOperation& operation = self->operation;
  const unsigned lane = lane_of(self);
  const unsigned width = std::clamp(operation.width, 1u, 32u);
  const unsigned first = lane / width * width;
  unsigned source = lane;
  bool inside = true;
  switch (operation.kind - kShuffle) {
    case kShuffleIndex:
      source = first + operation.lane % width;
      break;
    case kShuffleUp:
      inside = lane - first >= operation.lane;
      source = lane - operation.lane;
      break;
    case kShuffleDown:
      inside = lane - first + operation.lane < width;
      source = lane + operation.lane;
      break;
    default:
      source = lane ^ operation.lane;
      inside = source < first + width;
      break;
  }
  if (!inside) return operation.value;
  for (const ThreadContext* other : lanes) {
    if (lane_of(other) == source) return other->operation.value;
  }
  return operation.value;  // reading from a lane that does not take part gives no defined value
}

}  // namespace

void compute_warp_operation(const std::vector<ThreadContext*>& lanes) {
  const int kind = lanes.front()->operation.kind;
  std::uint32_t ballot = 0, members = 0;
  bool all_equal = true;
  std::uint64_t reduced = 0;
  for (const ThreadContext* lane : lanes) {
    const std::uint32_t bit = 1u << lane_of(lane);
    members |= bit;
    if (lane->operation.value != 0) ballot |= bit;
    all_equal = all_equal && lane->operation.value == lanes.front()->operation.value;
    reduced = lane == lanes.front() ? lane->operation.value : reduce(kind, reduced, lane->operation.value);
  }
  for (ThreadContext* lane : lanes) {
    std::uint64_t& result = lane->operation.result;
    if (kind == kSyncWarp) {
      result = 0;
    } else if (kind >= kShuffle) {
      result = shuffled(lane, lanes);
    } else if (kind == kVoteAll) {
      result = ballot == members;
    } else if (kind == kVoteAny) {
      result = ballot != 0;
    } else if (kind == kVoteBallot) {
      result = ballot;
    } else if (kind == kVoteUniform) {
      result = ballot == 0 || ballot == members;
    } else if (kind == kMatchAll) {
      result = all_equal ? members : 0;
    } else if (kind == kMatchAny) {
      result = 0;
      for (const ThreadContext* other : lanes) {
        if (other->operation.value == lane->operation.value) result |= 1u << lane_of(other);
      }
    } else {
      result = reduced;
    }
  }
}

}  // namespace weakspot::race_jit
