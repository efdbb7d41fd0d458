// SPDX-License-Identifier: MIT
// Counts outcomes: reads the results of the test's threads, turns them into the outcome's number, counts it, and gives
// the locations their initial values again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "codegen/cpu_program.h"

namespace weakspot::backend {

// A collector per worker, not shared.
class CpuCollector {
 public:
  explicit CpuCollector(const codegen::CpuProgram& program);

  void initialise(const codegen::CpuFrame& frame, std::uint32_t begin, std::uint32_t end) const;
  // Instances [begin, end) of an iteration: counts them and initialises them again.
  void collect(const codegen::CpuFrame& frame, std::uint64_t iteration, std::uint32_t begin, std::uint32_t end);

  // Adds the counts to the words of a count buffer and an overflow buffer (codegen/buffer_words.h). `iterations` is the
  // number per round.
  void add_to(std::uint32_t iterations, std::vector<std::uint32_t>& counts, std::vector<std::uint32_t>& overflow) const;

 private:
  static constexpr std::uint32_t kBlock = 64;
  static constexpr std::size_t kTables = 4;
  // With more numbers than this, first sightings are not recorded.
  static constexpr std::uint64_t kWatched = 64;

  // A digit that is value - low.
  struct Dense {
    std::uint32_t low = 0;
    std::uint32_t count = 0;
    std::uint32_t factor = 1;
  };

  bool count_dense(const codegen::CpuFrame& frame, std::uint32_t begin);
  void count_one(const codegen::CpuFrame& frame, std::uint32_t instance);
  // Nothing if a value does not have a digit.
  std::optional<std::uint64_t> number_of(const codegen::CpuFrame& frame, std::uint32_t instance) const;
  void note_new(const codegen::CpuFrame& frame, std::uint64_t iteration, std::uint32_t begin, std::uint32_t end);
  std::uint64_t read(const codegen::CpuFrame& frame, const codegen::CpuItem& item, std::uint32_t instance) const;
  std::uint64_t value(const codegen::CpuFrame& frame, const codegen::CpuValue& value, std::uint32_t instance) const;

  struct First {
    std::uint64_t iteration = 0;
    std::uint32_t instance = 0;
  };

  const codegen::CpuProgram& program_;
  std::vector<Dense> dense_;           // one per item, or none at all
  std::vector<std::uint64_t> tables_;  // kTables counters per number, so that consecutive increments do not stall
  std::vector<std::optional<First>> firsts_;  // by number; empty if there are too many to watch
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::vector<std::uint64_t> raw_;  // outcomes that have no number, item by item
  std::uint64_t unfinished_ = 0;
};

}  // namespace weakspot::backend
