// SPDX-License-Identifier: MIT
// Reads one cell of a PTX program, in either edition. The two differ in what they accept (orders, scopes, proxies and
// compare-and-branch are current; 2015 requires brackets and declared registers) but not in their spelling.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "litmus/ptx/ptx_types.h"
#include "litmus/ptx/ptx_words.h"
#include "litmus/text/cell_reader.h"

namespace weakspot::litmus {

// Checks of types that wait for the end of the program, when the types of all registers are known.
struct PtxTyping {
  struct Use {
    ThreadId thread;
    std::size_t instruction = 0;  // a Compute
    ComputeTypes types;
  };
  std::vector<Use> uses;
  // Registers whose type is settled: declared, or, in the current edition, said by their first write.
  std::set<ObservedRegister> settled;
  // Registers that are not declared but had to be: reported already.
  std::set<ObservedRegister> undeclared;
};

class PtxCell : public CellReader {
 public:
  PtxCell(Cursor& cursor, TestBuilder& builder, ThreadId thread, PtxEdition edition, PtxTyping& typing)
      : CellReader(cursor, builder, thread), edition_(edition), typing_(typing) {}

  // Labels, a guard, an instruction.
  void read();

 private:
  using Read = std::optional<Operation>;
  Read instruction();
  Read load(Proxy proxy);
  Read vector_load(Load first);
  Read vector_store(Store first);
  template <typename Element>
  bool elements(const Element& element);
  Read store(Proxy proxy);
  Read rmw(Proxy proxy, bool reduction);
  Read membar();
  Read fence();
  Read barrier();
  Read jump(std::optional<CompareOp> op);
  Read compute(ComputeOp op);
  Read set_predicate();
  Read convert();
  // read_ptx_async.cpp
  Read async_copy();
  Read remote_store(bool reduction);
  Read lane_arrival();
  Read group(AsyncEngine engine);
  bool copy_operands(AsyncCopy& copy, std::vector<Suffix> spaces);
  bool async_address(Address& address, std::string_view space);
  std::optional<LocationId> mbarrier_location();
  Read mbarrier();
  bool mbarrier_operands(Mbarrier& mbarrier, bool expects);
  Read grid_control();
  Read product();
  // read_ptx_tensor.cpp
  Read tensor();
  Read tensor_access(bool load);
  Read tensor_copy(AsyncEngine engine);
  Read proxy_fence();
  Read cluster_barrier();
  Read finish_compute(Compute compute, std::optional<ComputeTypes> types);

  // ---- operands ----
  bool is_register(const Token& word) const;
  std::optional<RegisterId> target() override;
  std::optional<RegisterId> reg() override;
  bool address(Access& access);
  bool index_and_offset(Address& address);
  void settle(RegisterId reg, Type type);

  // ---- suffixes ----
  bool take(std::string_view word);
  // Takes the first suffix that the table names. A second one is left, and no_more_suffixes() reports it.
  template <typename Enum, std::size_t N>
  std::optional<Enum> take(const base::Named<Enum> (&table)[N]) {
    for (std::size_t i = 0; i < mnemonic_.suffixes.size(); ++i) {
      if (std::optional<Enum> value = base::value_of(table, mnemonic_.suffixes[i].text)) {
        mnemonic_.suffixes.erase(mnemonic_.suffixes.begin() + static_cast<std::ptrdiff_t>(i));
        return value;
      }
    }
    return std::nullopt;
  }
  bool no_more_suffixes();
  bool access_suffixes(Access& access, AccessKind kind);
  bool order_and_scope(Access& access, AccessKind kind);

  std::nullopt_t mistake(std::string message) {
    cursor_.mistake(mnemonic_.word.span, std::move(message));
    return std::nullopt;
  }

  PtxEdition edition_;
  PtxTyping& typing_;
  std::optional<Type> type_;     // the suffix of a load, store or read-modify-write
  std::size_t vector_ = 0;       // the number of elements of a vector access
  std::vector<Operation> more_;  // the elements of a vector access after the first
};

}  // namespace weakspot::litmus
