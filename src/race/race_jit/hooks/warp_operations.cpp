// SPDX-License-Identifier: MIT
#include "race_jit/hooks/warp_operations.h"

#include <algorithm>
#include <array>
#include <bit>

#include "race_jit/hooks/wave_products.h"

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

std::optional<unsigned> moved_from(std::uint32_t control, unsigned lane, unsigned wave) {
  const unsigned row = lane & ~15u, in_row = lane & 15u;
  const unsigned by = control & 15u;
  auto inside = [](bool is, unsigned from) { return is ? std::optional(from) : std::nullopt; };
  if (control <= 0xff) return (lane & ~3u) + (control >> (2 * (lane & 3u)) & 3u);       // quad_perm
  if (control > 0x100 && control <= 0x10f) return inside(in_row + by < 16, lane + by);  // row_shl
  if (control > 0x110 && control <= 0x11f) return inside(in_row >= by, lane - by);      // row_shr
  if (control > 0x120 && control <= 0x12f) return row + ((in_row + 16 - by) & 15u);     // row_ror
  if (control >= 0x150 && control <= 0x15f) return row + by;                            // row_share
  if (control >= 0x160 && control <= 0x16f) return row + (in_row ^ by);                 // row_xmask
  switch (control) {
    case 0x130:
      return inside(lane + 1 < wave, lane + 1);  // wave_shl
    case 0x134:
      return (lane + 1) % wave;  // wave_rol
    case 0x138:
      return inside(lane > 0, lane - 1);  // wave_shr
    case 0x13c:
      return (lane + wave - 1) % wave;  // wave_ror
    case 0x140:
      return row + 15 - in_row;  // row_mirror
    case 0x141:
      return row + (in_row & 8u) + 7 - (in_row & 7u);  // row_half_mirror
    case 0x142:
      return inside(row > 0, row - 1);  // row_bcast15: the last lane of the row before
    case 0x143:
      return inside(lane >= 32, 31);  // row_bcast31
    default:
      return std::nullopt;
  }
}

unsigned swizzled_from(std::uint32_t pattern, unsigned lane) {
  const unsigned in_32 = lane & 31u, mask = pattern & 31u;
  if (pattern >= 0xe000) {  // an exchange of Fourier transforms
    unsigned reversed = 0;
    for (unsigned bit = 0; bit < 5; ++bit) reversed |= (in_32 >> bit & 1u) << (4 - bit);
    return (lane & ~31u) | (reversed >> std::popcount(mask)) | (in_32 & mask);
  }
  if (pattern >= 0xc000) {  // a rotation
    const unsigned by = pattern >> 5 & 31u;
    const unsigned moved = (pattern & 0x400u) != 0 ? in_32 - by : in_32 + by;
    return (lane & ~31u) | (in_32 & mask) | (moved & 31u & ~mask);
  }
  if ((pattern & 0x8000u) != 0) return (lane & ~3u) + (pattern >> (2 * (lane & 3u)) & 3u);
  const unsigned in_half = ((lane & (pattern & 31u)) | (pattern >> 5 & 31u)) ^ (pattern >> 10 & 31u);
  return (lane & ~31u) + in_half;
}

void compute_wave_operation(const std::vector<ThreadContext*>& lanes, unsigned wave) {
  std::array<ThreadContext*, 64> by_lane{};
  std::uint64_t ballot = 0;
  for (ThreadContext* lane : lanes) {
    by_lane[lane->number % wave] = lane;
    if (lane->operation.value != 0) ballot |= std::uint64_t{1} << (lane->number % wave);
  }
  if (lanes.front()->operation.kind == kWaveProduct) {
    std::array<const ProductLane*, 64> held{};
    for (const ThreadContext* lane : lanes) {
      held[lane->number % wave] = reinterpret_cast<const ProductLane*>(lane->operation.value);
    }
    return multiply(WaveProduct::unpacked(lanes.front()->operation.lane), held);
  }
  if (lanes.front()->operation.kind == kWaveSend) {
    for (ThreadContext* lane : lanes) lane->operation.result = 0;
    for (const ThreadContext* lane : lanes) {
      ThreadContext* target = by_lane[lane->operation.lane % wave];
      if (target != nullptr) target->operation.result = lane->operation.value;
    }
    return;
  }
  for (ThreadContext* lane : lanes) {
    WarpOperation& operation = lane->operation;
    const ThreadContext* source = lanes.front();
    if (operation.kind == kWaveRead) source = by_lane[operation.lane % wave];
    if (operation.kind == kWaveSwizzle) source = by_lane[swizzled_from(operation.lane, lane->number % wave)];
    operation.width = source != nullptr ? 1 : 0;
    operation.result = source != nullptr ? source->operation.value : 0;
    if (operation.kind == kWaveBallot) operation.result = ballot;
  }
}

}  // namespace weakspot::race_jit
