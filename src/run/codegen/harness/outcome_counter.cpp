// SPDX-License-Identifier: MIT
#include "codegen/harness/outcome_counter.h"

namespace weakspot::codegen {
namespace {

using litmus::RmwOp;

constexpr std::uint32_t kMostPrivate = 16;

// Small tables have one copy per subgroup, so that fewer threads contend for a counter.
std::uint32_t table_copies(std::uint64_t numbers, std::uint32_t threads) {
  return numbers <= 256 && threads >= 32 ? threads / 32 : 1;
}

}  // namespace

OutcomeCounter::OutcomeCounter(const Harness& harness, KernelBuilder& builder, const Options& options)
    : h_(harness), b_(builder), options_(options) {}

std::uint32_t OutcomeCounter::table_bytes(const Harness& harness, const Options& options) {
  const auto numbers = static_cast<std::uint32_t>(harness.encoding.size());
  return harness.encoding.has_table() ? numbers * table_copies(numbers, options.threads) * 4 : 0;
}

// A few counters fit into each thread's own variables. Atomics on memory that a workgroup shares cost software
// devices more than the test itself.
bool OutcomeCounter::counts_privately() const { return options_.private_counts && table_size() <= kMostPrivate; }

void OutcomeCounter::prepare(Var local) {
  local_ = local;
  if (!h_.encoding.has_table()) return;
  b_.count(local_, table_bytes(h_, options_) / 4, options_.threads, [&](Var i) {
    MemoryAccess access;
    access.shared = true;
    access.address = mul_wide(i, 4u) + constant64(options_.table_at);
    b_.add(StoreTo{access, 0u});
  });
  b_.barrier();
  if (options_.runs) {
    run_ = {b_.let(0u), b_.let(0u)};
    run_number_ = b_.let(UINT32_MAX);  // no number, so that the first outcome begins a run
  }
  if (!counts_privately()) return;
  for (std::uint32_t i = 0; i < table_size(); ++i) private_.push_back({b_.let(0u), b_.let(0u)});
}

void OutcomeCounter::flush() {
  if (!h_.encoding.has_table()) return;
  share_private();
  if (options_.runs) end_run();
  b_.barrier();
  b_.count(local_, table_size(), options_.threads, [&](Var i) {
    const Var sum = b_.let(0u);
    for (std::uint32_t copy = 0; copy < table_copies(table_size(), options_.threads); ++copy) {
      MemoryAccess access;
      access.shared = true;
      access.address = mul_wide(Expr(i) + Expr(copy * table_size()), 4u) + constant64(options_.table_at);
      const Var part = b_.var();
      b_.add(LoadFrom{part, access});
      b_.set(sum, Expr(sum) + Expr(part));
    }
    b_.if_(not_equal(sum, 0u), [&] {
      add_to(buffer_address(kCountBuffer) + constant64(kCountHead * 4) + mul_wide(i, kCounterWords * 4), widen(sum),
             litmus::Type::u64);
    });
  });
}

void OutcomeCounter::add_private(const Expr& number, const Expr& entry) {
  for (std::uint32_t i = 0; i < private_.size(); ++i) {
    const Var hit = b_.let(equal(number, i));
    b_.set(private_[i].first, select(Expr(hit) & equal(private_[i].count, 0u), entry, private_[i].first));
    b_.set(private_[i].count, Expr(private_[i].count) + Expr(hit));
  }
}

// Most outcomes are like the last one: then this is a comparison and an addition.
void OutcomeCounter::add_to_run(const Expr& number, const Expr& entry) {
  b_.if_(not_equal(number, run_number_), [&] {
    end_run();
    b_.set(run_number_, number);
    b_.set(run_.count, 0u);
    b_.set(run_.first, entry);
  });
  b_.set(run_.count, Expr(run_.count) + 1u);
}

void OutcomeCounter::end_run() {
  b_.if_(not_equal(run_.count, 0u), [&] { add_shared(run_number_, run_.count, run_.first); });
}

void OutcomeCounter::share_private() {
  for (std::uint32_t i = 0; i < private_.size(); ++i) {
    b_.if_(not_equal(private_[i].count, 0u), [&] { add_shared(i, private_[i].count, private_[i].first); });
  }
}

void OutcomeCounter::add_to(const Expr& address, const Expr& amount, litmus::Type type) {
  MemoryAccess access = relaxed_word(address);
  access.type = type;
  b_.add(AtomicOn{RmwOp::add, std::nullopt, access, amount, std::nullopt});
}

void OutcomeCounter::count(const std::vector<Var>& values, const CountedEntry& entry, std::uint32_t done) {
  const Var known = b_.let(1u);
  const Expr number = encode(values, known, entry);
  b_.if_(known, [&] { count_number(number, entry.entry, done); });
  overflow(values, entry.entry);
}

void OutcomeCounter::count_unfinished() {
  add_to(word_address(kCountBuffer, static_cast<std::uint32_t>(kUnfinished)), constant64(1), litmus::Type::u64);
}

// The number of the outcome, in 32 bits if they suffice; sets `known` to 0 if a value does not have a digit.
Expr OutcomeCounter::encode(const std::vector<Var>& values, Var known, const CountedEntry& entry) {
  const bool small = h_.encoding.size() <= UINT32_MAX;
  Expr number = small ? Expr(0u) : constant64(0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ItemCode& code = h_.encoding.items()[i];
    const std::uint64_t weight = h_.encoding.factors()[i];
    const Expr digit = digit_of(code, values[i], known, entry);
    if (small) {
      number = number + digit * Expr(static_cast<std::uint32_t>(weight));
    } else {
      number = number + widen(digit) * constant64(weight);
    }
  }
  return b_.let(number);
}

Expr OutcomeCounter::digit_of(const ItemCode& code, Var value, Var known, const CountedEntry& entry) {
  if (code.raw()) return value;
  const auto size = static_cast<std::uint32_t>(code.values.size());
  bool counts_up = true;  // 0, 1, 2, ...: the value is its own digit
  for (std::uint32_t d = 0; d < size; ++d) {
    counts_up = counts_up && code.values[d] == litmus::integer(d);
  }
  if (counts_up) {
    const Expr limit = value.width == Width::w64 ? constant64(size) : Expr(size);
    b_.set(known, Expr(known) & less(value, limit));
    return value.width == Width::w64 ? apply(Op::narrow, {value}) : Expr(value);
  }
  const Var digit = b_.let(size);
  for (std::uint32_t d = 0; d < size; ++d) {
    const Expr candidate =
        value_for_instance(h_, code.values[d], code.type, entry.instance, entry.instances, entry.factor, entry.slice);
    b_.set(digit, select(equal(value, candidate), d, digit));
  }
  b_.set(known, Expr(known) & less(digit, size));
  return digit;
}

void OutcomeCounter::count_number(const Expr& number, const Expr& entry, std::uint32_t done) {
  if (!h_.encoding.has_table()) {
    return count_in_hash(number.width() == Width::w64 ? number : widen(number), entry, done);
  }
  if (options_.runs) {
    add_to_run(number, entry);
  } else if (counts_privately()) {
    add_private(number, entry);
  } else {
    add_shared(number, 1u, entry);
  }
  b_.add(Break{done});
}

// Adds to the workgroup's table.
void OutcomeCounter::add_shared(const Expr& number, const Expr& amount, const Expr& entry) {
  Expr cell = number;
  if (table_copies(table_size(), options_.threads) > 1) cell = (Expr(local_) >> 5u) * Expr(table_size()) + number;
  MemoryAccess access = relaxed_word(mul_wide(cell, 4u) + constant64(options_.table_at));
  access.shared = true;
  access.scope = litmus::Scope::workgroup;
  // A thread that finds its workgroup's counter at 0 checks whether the outcome is new to all: rare, so nearly free.
  const Var old = b_.var();
  b_.add(AtomicOn{RmwOp::add, old, access, amount, std::nullopt});
  b_.if_(equal(old, 0u), [&] { note_first(number, entry); });
}

// The record of where a number, or the number in a slot, was seen first.
Expr OutcomeCounter::first_address(const Expr& index) const {
  return buffer_address(kCountBuffer) + constant64(first_word(h_.encoding.has_table(), h_.encoding.size(), 0) * 4) +
         mul_wide(index, kFirstWords * 4);
}

void OutcomeCounter::store_first(const Expr& record, const Expr& entry) {
  b_.add(StoreTo{relaxed_word(record + constant64(kFirstRound * 4)), round_});
  b_.add(StoreTo{relaxed_word(record + constant64(kFirstEntry * 4)), entry});
}

// Claims the record of the first sighting and fills it. A load comes before the compare-and-swap, since of all
// calls for a number only the first find the record free.
void OutcomeCounter::note_first(const Expr& number, const Expr& entry) {
  const Var record = b_.let(first_address(number));
  const Var claimed = b_.var();
  b_.add(LoadFrom{claimed, relaxed_word(record)});
  b_.if_(equal(claimed, 0u), [&] {
    const Var old = b_.var();
    b_.add(AtomicOn{RmwOp::cas, old, relaxed_word(record), 1u, 0u});
    b_.if_(equal(old, 0u), [&] { store_first(record, entry); });
  });
}

// Counts in a hash table with linear probing. A key is number + 1, so that 0 marks a free slot, and a compare-and-swap
// either claims a slot or finds the number that has it. Probing is bounded: if it finds no slot, control falls through
// to overflow(), which keeps the values raw.
void OutcomeCounter::count_in_hash(const Expr& number, const Expr& entry, std::uint32_t done) {
  const Var key = b_.let(number + constant64(1));
  const Var mixed = b_.let(Expr(key) * constant64(0x9e3779b97f4a7c15u));
  const Var slot = b_.let(apply(Op::narrow, {Expr(mixed) >> 40u}) & Expr(kHashSlots - 1));
  b_.count(0u, kHashProbes, 1u, [&](Var) {
    const Expr address = buffer_address(kCountBuffer) + constant64(kCountHead * 4) + mul_wide(slot, kSlotWords * 4);
    MemoryAccess access = relaxed_word(address);
    access.type = litmus::Type::u64;
    const Var old = b_.var(Width::w64);
    b_.add(AtomicOn{RmwOp::cas, old, access, key, constant64(0)});
    b_.if_(equal(old, constant64(0)) | equal(old, key), [&] {
      add_to(address + constant64(8), constant64(1), litmus::Type::u64);
      b_.if_(equal(old, constant64(0)), [&] {
        const Var record = b_.let(first_address(slot));
        b_.add(StoreTo{relaxed_word(record), 1u});
        store_first(record, entry);
      });
      b_.add(Break{done});
    });
    b_.set(slot, (Expr(slot) + 1u) & Expr(kHashSlots - 1));
  });
}

// Keeps values raw, two words each. kOverflowing also counts outcomes that do not fit.
void OutcomeCounter::overflow(const std::vector<Var>& values, const Expr& entry) {
  const Var index = b_.var();
  b_.add(AtomicOn{RmwOp::add, index, relaxed_word(word_address(kCountBuffer, static_cast<std::uint32_t>(kOverflowing))),
                  1u, std::nullopt});
  b_.if_(less(index, kOverflowEntries), [&] {
    const auto words = static_cast<std::uint32_t>(overflow_words(values.size()));
    const Var record = b_.let(buffer_address(kOverflowBuffer) + mul_wide(index, words * 4));
    MemoryAccess head;
    head.address = record;
    b_.add(StoreTo{head, round_});
    head.address = Expr(record) + constant64(4);
    b_.add(StoreTo{head, entry});
    for (std::size_t i = 0; i < values.size(); ++i) {
      MemoryAccess access;
      access.type = litmus::Type::u64;
      access.address = Expr(record) + constant64(kOverflowHead * 4 + i * 8);
      b_.add(StoreTo{access, values[i].width == Width::w64 ? Expr(values[i]) : widen(values[i])});
    }
  });
}

}  // namespace weakspot::codegen
