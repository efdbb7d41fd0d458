// SPDX-License-Identifier: MIT
// The numbers in calls of __ws_* functions. The headers here pass them and weakspot-race reads them: both include this
// file, which therefore uses nothing but plain C++11.
#pragma once

namespace __ws_hook {

// What __ws_atomic does.
enum AtomicOp : int {
  kLoad,
  kStore,
  kAdd,
  kSub,
  kExchange,
  kMinSigned,
  kMaxSigned,
  kMinUnsigned,
  kMaxUnsigned,
  kAnd,
  kOr,
  kXor,
  kCompareExchange,
  kIncrement,
  kDecrement,
  kAddFloat,
  kAddDouble,
  kAddHalf,
  kAddHalf2,  // a pair, each half by itself
  kAddBfloat,
  kAddBfloat2,
  kMinFloat,  // of AMD's GPUs
  kMaxFloat,
  kMinDouble,
  kMaxDouble,
};

// The scope of an atomic or a fence.
enum ScopeNumber : int { kBlockScope, kDeviceScope, kSystemScope, kClusterScope };

// The order of an atomic: a bit for each side.
enum OrderNumber : int { kRelaxedOrder = 0, kAcquireOrder = 1, kReleaseOrder = 2, kAcqRelOrder = 3 };

// The order of a fence: a bit for each side, as of an atomic, and whether all fences of this kind have one order.
enum FenceNumber : int { kAcquireFence = 1, kReleaseFence = 2, kAcqRelFence = 3, kScFence = 7 };
// Added to it: the fence orders accesses to this memory alone.
enum FencedMemory : int { kAllMemory = 0, kSharedAlone = 8, kGlobalAlone = 16 };

// What the lanes of a warp do together: the operations of __ws_vote, then those that have a function of their own.
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
  kShuffle = 64,  // plus a ShuffleMode
  kSyncWarp = 128,
};
enum ShuffleMode : int { kShuffleIndex, kShuffleUp, kShuffleDown, kShuffleXor };

// What the active lanes of a wave do together on AMD's GPUs, which have no masks. A lane reads another, or sends to it.
enum WaveKind : int {
  kWaveBallot = 256,
  kWaveFirst,
  kWaveRead,
  kWaveSend,
  kWaveSwizzle,
  kWaveMeet,
  kWaveSync,
  kWaveProduct,  // of matrices
};

// Which blocks __ws_blocks_arrive and __ws_blocks_wait are about. A relaxed arrival publishes nothing.
enum BlocksKind : unsigned int { kGrid, kCluster, kClusterRelaxed };

// What __ws_cluster_register reads. The first four have three axes, of which these are x.
enum ClusterRegister : int {
  kBlockInCluster = 0,
  kClusterSize = 3,
  kClusterInGrid = 6,
  kClusterCount = 9,
  kRankInCluster = 12,
  kBlocksOfCluster = 13,
};

// Phases of __ws_gate_test that stand for the parity of a phase: kParityPhase for even, one less for odd.
enum GatePhase : unsigned long long { kParityPhase = ~0ull };

// How __ws_mbarrier_arrive and __ws_mbarrier_wait order: relaxed, or by the scope that is named, of the block or the
// cluster. An arrival may drop out; a wait may not return before the phase is over.
enum GateFlags : unsigned int {
  kGateRelaxed = 1,
  kGateBlock = 2,
  kGateCluster = 4,
  kGateDrop = 8,
  kGateBlocking = 16,
};

// The memory that a fence of the async proxy is for.
enum ProxySpaces : unsigned int { kProxyGlobal = 1, kProxyShared = 2 };

// What __ws_texture_fact tells about a texture.
enum TextureFact : int {
  kTextureWidth,
  kTextureHeight,
  kTextureDepth,
  kChannelBits,
  kChannels,
  kChannelKind,
  kLinearFilter,
  kNormalizedCoordinates,
  kAddressModeX,
  kAddressModeY,
  kAddressModeZ,
  kNormalizedFloat,
};

}  // namespace __ws_hook
