// SPDX-License-Identifier: MIT
// Tensor memory of a block (tcgen05, compute capability 10): 128 lanes of 512 columns of 32 bits, which operations
// beside the threads read and write.
//
// Loads and stores of a warp, copies and products are asynchronous. They are not ordered with each other by program
// order, except for pairs that form a pipeline, and end when a wait of their warp, or an mbarrier that a commit of
// their thread arrives at, says so. The memory knows the last accesses to each column of sixteen lanes, and compares
// each access with them by what its issuer knows. Sections are those of PTX ISA 9.1; no GPU has confirmed them here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "race/clock.h"
#include "race/found_races.h"
#include "race/site.h"

namespace weakspot::race_jit {

inline constexpr unsigned kTensorLanes = 128, kTensorColumns = 512;
inline constexpr unsigned kLanesOfCell = 16;  // no operation that is modelled touches fewer
inline constexpr unsigned kTensorRows = kTensorLanes / kLanesOfCell;
inline constexpr unsigned kLanesOfWarp = 32;  // that its loads and stores reach

// An address: the lane in the upper half, the column in the lower one.
inline unsigned tensor_lane(std::uint32_t address) { return address >> 16; }
inline unsigned tensor_column(std::uint32_t address) { return address & 0xffff; }

enum class TensorAct : std::uint8_t {
  load,     // of a warp, to registers
  store,    // of a warp, from registers
  product,  // of a thread
  copy,     // of a thread, from shared memory
  release,  // of a warp: the columns are given back
};
inline bool is_of_warp(TensorAct act) { return act == TensorAct::load || act == TensorAct::store; }
// Products and copies, which run one after the other where the text pairs them.
inline bool is_queued(TensorAct act) { return act == TensorAct::product || act == TensorAct::copy; }

// A step of a thread or an agent. Whoever knows it knows what it stands for.
struct TensorStep {
  race::ThreadName thread;
  race::Interval at = 0;
};
// Steps of the lanes that have waited; one of them is enough.
using TensorSteps = std::vector<TensorStep>;

struct TensorOperation {
  TensorAct act = TensorAct::load;
  race::SiteId site = 0;
  race::ThreadName issuer;  // of a warp: its first lane
  TensorStep issued;
  TensorStep done;  // the end of a product or copy, which is known through the mbarrier of a commit
  bool committed = false;
  std::uint64_t accumulator = 0;              // of a product, with its shape and kind
  std::shared_ptr<const TensorSteps> waited;  // of a load or store; null: not yet
};
using TensorOperationRef = std::shared_ptr<TensorOperation>;

// The knowledge of the issuer of an operation.
struct TensorKnowledge {
  race::ClockRef known;  // by the memory model's own synchronisation
  race::ClockRef
      fenced;            // steps before tcgen05.fence::before_thread_sync of others, ordered before ::after_thread_sync
  race::ClockRef seen;   // `known` at the last tcgen05.fence::after_thread_sync
  race::ClockRef heard;  // what will be part of `fenced` with the next one
};

// How two operations are ordered.
enum class TensorOrder : std::uint8_t {
  ordered,
  // By synchronisation of threads without the fences of tcgen05. The text says both that it applies to tensor memory
  // (9.7.16.6.3) and that the fences are needed (9.7.16.6.4.2).
  without_fences,
  // A load that nothing has waited for, before other threads know of its issue and give its columns back. Whoever uses
  // its registers waits for them (9.7.16.6.4.5), and kernels in use have no tcgen05.wait::ld there.
  by_registers,
  // Products and copies of one thread that are no pair of 9.7.16.6.2.
  by_issue,
  unordered,
};
struct TensorRelation {
  TensorOrder order = TensorOrder::ordered;
  race::TensorGap gap = race::TensorGap::none;  // what is missing, if they are not ordered
};
TensorRelation tensor_relation(const TensorOperation& earlier, const TensorOperation& later,
                               const TensorKnowledge& knows);

// The shapes of loads and stores of a warp, with the numbers of cuda/weakspot/ptx/tensor_memory.h.
enum class TensorShape : std::uint8_t { lanes32_words1, lanes16_words2, lanes16_words4, lanes16_words8 };
inline unsigned lanes_of(TensorShape shape) { return shape == TensorShape::lanes32_words1 ? 32 : 16; }
// The columns that so many registers of each lane of the warp hold.
inline unsigned columns_of(TensorShape shape, unsigned registers) {
  return shape == TensorShape::lanes32_words1 ? registers : 2 * registers;
}
// The place of a register of a lane of the warp, from the first lane and column of the access (9.7.16.2.3.1).
struct TensorPlace {
  unsigned lane = 0, column = 0;
};
TensorPlace tensor_place(TensorShape shape, unsigned lane_of_warp, unsigned number);

// A part of tensor memory: cells of sixteen lanes, as bits, and columns.
struct TensorRegion {
  std::uint8_t rows = 0;
  unsigned first = 0, columns = 0;
};

class TensorMemory {
 public:
  struct Allocation {
    unsigned first = 0, columns = 0;
    race::SiteId site = 0;
    race::ThreadName thread;
  };

  // The first of so many columns; nothing if there is no room now.
  std::optional<unsigned> allocate(unsigned columns, race::SiteId site, race::ThreadName thread);
  bool is_allocated(unsigned first, unsigned columns) const;
  void release(unsigned first, unsigned columns);
  // Those that were not given back, or not as a whole.
  std::vector<Allocation> left() const;
  bool may_allocate() const { return may_allocate_; }
  void relinquish() { may_allocate_ = false; }

  // An operation accesses the region. `conflict` is told each earlier operation that it conflicts with, once: how they
  // are ordered, whether the earlier one writes, and the first address.
  using OnConflict =
      std::function<void(const TensorOperation&, const TensorRelation&, bool writes, std::uint32_t address)>;
  void access(const TensorOperationRef& operation, const TensorRegion& region, bool writes,
              const TensorKnowledge& knows, const OnConflict& conflict);

  std::uint32_t& word(unsigned lane, unsigned column);

 private:
  struct Cell {
    TensorOperationRef write;
    std::vector<TensorOperationRef> reads;  // since the write: the last one of each issuer
  };

  std::array<std::uint32_t, kTensorColumns> owner_{};  // an allocation's number from 1; 0: free
  std::vector<Allocation> allocations_;
  bool may_allocate_ = true;
  std::vector<Cell> cells_;           // empty before the first allocation
  std::vector<std::uint32_t> words_;  // likewise
};

}  // namespace weakspot::race_jit
