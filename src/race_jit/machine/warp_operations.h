// What the lanes of a warp compute together: votes, matches, reductions, shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "race_jit/machine/context.h"

namespace weakspot::race_jit {

// The numbers of cuda/weakspot/warp.h; shuffles follow at kShuffle.
enum WarpKind : int {
  kVoteAll,
  kVoteAny,
  kVoteBallot,
  kVoteUniform,
  kMatchAny,
  kMatchAll,
  kReduceAdd,
  kReduceMinSigned,
  kReduceMaxSigned,
  kReduceMinUnsigned,
  kReduceMaxUnsigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
  kShuffle = 64,  // + index, up, down, xor
  kSyncWarp = 128,
};

// Sets the result of each lane's operation; all lanes of one mask take part.
void compute_warp_operation(const std::vector<ThreadContext*>& lanes);

}  // namespace weakspot::race_jit
