// SPDX-License-Identifier: MIT
// Counts outcomes on the device: values of the observed items become a number, which has a counter.
#pragma once

#include <vector>

#include "codegen/harness/harness_parts.h"

namespace weakspot::codegen {

// An instance of a round: its number among those of the round and of the iteration, and what the addresses of its
// locations depend on.
struct CountedEntry {
  Expr entry = 0u;
  Expr instance = 0u;
  Expr instances = 0u;
  Expr factor = 0u;
  Expr slice = constant64(0);
};

// prepare(), set_round(), then count() for each instance, then flush(); all threads of the workgroup call the first and
// the last.
class OutcomeCounter {
 public:
  struct Options {
    std::uint32_t threads = kCollectSize;  // in the workgroup
    std::uint32_t table_at = 0;            // in the workgroup's memory
    bool private_counts = false;           // small tables are counted in variables of a thread first
    bool runs = false;                     // equal outcomes that a thread sees in a row are counted at once
  };
  OutcomeCounter(const Harness& harness, KernelBuilder& builder, const Options& options);

  // Bytes of the workgroup's memory that the table takes.
  static std::uint32_t table_bytes(const Harness& harness, const Options& options);

  void prepare(Var local);
  void set_round(Var round) { round_ = round; }
  // Leaves the block `done` unless the outcome has no number; values that nobody expects are kept raw.
  void count(const std::vector<Var>& values, const CountedEntry& entry, std::uint32_t done);
  void count_unfinished();
  void flush();

 private:
  struct PrivateCounter {
    Var count;
    Var first;  // the entry that was counted first
  };

  std::uint32_t table_size() const { return static_cast<std::uint32_t>(h_.encoding.size()); }
  bool counts_privately() const;
  void add_to_run(const Expr& number, const Expr& entry);
  void end_run();
  void add_private(const Expr& number, const Expr& entry);
  void share_private();
  void add_to(const Expr& address, const Expr& amount, litmus::Type type);
  Expr encode(const std::vector<Var>& values, Var known, const CountedEntry& entry);
  Expr digit_of(const ItemCode& code, Var value, Var known, const CountedEntry& entry);
  void count_number(const Expr& number, const Expr& entry, std::uint32_t done);
  void add_shared(const Expr& number, const Expr& amount, const Expr& entry);
  Expr first_address(const Expr& index) const;
  void store_first(const Expr& record, const Expr& entry);
  void note_first(const Expr& number, const Expr& entry);
  void count_in_hash(const Expr& number, const Expr& entry, std::uint32_t done);
  void overflow(const std::vector<Var>& values, const Expr& entry);

  const Harness& h_;
  KernelBuilder& b_;
  Options options_;
  Var local_;
  Var round_;
  std::vector<PrivateCounter> private_;
  PrivateCounter run_;
  Var run_number_;
};

}  // namespace weakspot::codegen
