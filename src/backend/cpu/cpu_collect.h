// Counts outcomes: reads what the threads of the test left behind, turns it into the outcome's number, counts it, and
// gives the locations their initial values again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "codegen/cpu_program.h"

namespace weakspot::backend {

// One per worker; no sharing.
class CpuCollector {
 public:
  explicit CpuCollector(const codegen::CpuProgram& program);

  void initialise(const codegen::CpuFrame& frame, std::uint32_t begin, std::uint32_t end) const;
  // Instances [begin, end) of an iteration: counts them and initialises them again.
  void collect(const codegen::CpuFrame& frame, std::uint64_t iteration, std::uint32_t begin, std::uint32_t end);

  // Adds what was counted to the words of a count buffer and an overflow buffer (codegen/layout.h). `iterations` per
  // round.
  void add_to(std::uint32_t iterations, std::vector<std::uint32_t>& counts, std::vector<std::uint32_t>& overflow) const;

 private:
  static constexpr std::uint32_t kBlock = 64;
  static constexpr std::size_t kTables = 4;
  // More numbers than this are not watched for new ones after every iteration.
  static constexpr std::uint64_t kWatched = 64;

  // A digit that is value - low.
  struct Dense {
    std::uint32_t low = 0;
    std::uint32_t count = 0;
    std::uint32_t factor = 1;
  };

  bool count_dense(const codegen::CpuFrame& frame, std::uint32_t begin);
  void count_one(const codegen::CpuFrame& frame, std::uint32_t instance);
  // Nothing if a value has no digit.
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
  std::vector<std::uint64_t> tables_;  // kTables counters per number, so that neighbours do not wait for each other
  std::vector<std::optional<First>> firsts_;  // by number; empty if there are too many to watch
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::vector<std::uint64_t> raw_;  // outcomes that have no number, item by item
  std::uint64_t unfinished_ = 0;
};

}  // namespace weakspot::backend
