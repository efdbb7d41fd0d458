// SPDX-License-Identifier: MIT
// Functions that compiled kernels call for tcgen05. What is named in brackets is a section of PTX ISA 9.1.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "race/not_modelled.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"
#include "race_jit/machine/tensor_blocks.h"
#include "race_jit/math/small_floats.h"

namespace weakspot::race_jit {
namespace {

constexpr BulkEnd kEndOfQueue{.how =
                                  "commit it to an mbarrier with tcgen05.commit, and wait there before the block ends"};

race::ThreadState& tensor_thread() { return *weakspot_current->state; }

void not_modelled_here(const char* what, race::Effect effect, std::uint32_t site) {
  weakspot_not_modelled(what, static_cast<std::uint32_t>(effect), site);
}

void note_misuse(std::string text, std::uint32_t site) {
  Incident incident{.kind = Incident::Kind::tensor_misuse, .site = site_id(site)};
  incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  incident.text = std::move(text);
  core->note(std::move(incident));
}

std::string range_text(const char* what, unsigned first, unsigned count) {
  return count == 1 ? fmt::format("{} {}", what, first) : fmt::format("{}s {} to {}", what, first, first + count - 1);
}

// The lanes of a warp meet, the first of them acts for all, and they go on together.
template <typename Act>
void with_warp(std::uint32_t site, const Act& act) {
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  if (weakspot_current->number % race::kWarp == 0) {
    InRuntime inside;
    weakspot_current->site = site_id(site);
    act();
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
}

// Asynchronous accesses are those of agents.
race::ThreadName party_of(const TensorOperation& operation) {
  if (operation.act == TensorAct::release) return operation.issuer;
  return {operation.issuer.block | race::kAgentBlock, operation.issuer.thread};
}

void report_conflict(const TensorOperation& earlier, const TensorOperation& later, const TensorRelation& relation,
                     bool earlier_writes, bool later_writes, std::uint32_t address) {
  const bool same_warp = earlier.issuer.warp() == later.issuer.warp();
  if (relation.order != TensorOrder::unordered) {
    if (relation.order == TensorOrder::without_fences) {
      not_modelled_here("order of tensor memory by threads without tcgen05.fence, taken as enough",
                        race::Effect::stronger, later.site);
    } else if (relation.order == TensorOrder::by_registers) {
      not_modelled_here("columns given back behind loads without tcgen05.wait::ld, taken as over",
                        race::Effect::stronger, later.site);
    } else if (relation.order == TensorOrder::by_issue) {
      not_modelled_here("order of operations of one queue that the manual does not pair, taken as that of their issue",
                        race::Effect::stronger, later.site);
    }
    // Any barrier so far may be what orders them.
    core->detector().barriers().note_chain();
    return;
  }
  race::Race race;
  race.race_class = race::ClassId::e1;
  race.first = {.thread = party_of(earlier), .site = earlier.site, .write = earlier_writes};
  race.second = {.thread = party_of(later), .site = later.site, .write = later_writes};
  race.address = address;
  race.space = race::Space::tensor;
  race.same_warp = same_warp;
  race.gap = relation.gap;
  core->detector().report(std::move(race));
}

void tensor_access(const TensorOperationRef& operation, const TensorRegion& region, bool writes,
                   const TensorKnowledge& knows) {
  core->counts().checked++;
  if (writes) core->counts().changes++;
  core->tensor()
      .memory(tensor_thread())
      .access(operation, region, writes, knows,
              [&](const TensorOperation& earlier, const TensorRelation& relation, bool earlier_writes,
                  std::uint32_t address) {
                report_conflict(earlier, *operation, relation, earlier_writes, writes, address);
              });
}

bool are_allocated(const char* what, unsigned first, unsigned columns, std::uint32_t site) {
  if (core->tensor().memory(tensor_thread()).is_allocated(first, columns)) return true;
  note_misuse(fmt::format("{} uses {} of tensor memory, not all of which are allocated", what,
                          range_text("column", first, columns)),
              site);
  return false;
}

// The cells of lanes that begin at a multiple of sixteen.
std::uint8_t rows_of(unsigned first_lane, unsigned lanes) {
  const unsigned count = lanes / kLanesOfCell;
  return static_cast<std::uint8_t>(((1u << count) - 1) << first_lane / kLanesOfCell);
}

struct WarpAccess {
  TensorShape shape = TensorShape::lanes32_words1;
  unsigned registers = 0;
  bool packed = false;  // two columns of 16 bits in a register

  unsigned columns() const { return columns_of(shape, registers) * (packed ? 2 : 1); }
};

// Loads or stores for the warp whose first lane runs: the registers of its lanes (9.7.16.8).
void access_by_warp(const WarpAccess& access, bool writes, std::uint32_t site) {
  race::ThreadState& thread = tensor_thread();
  TensorBlocks::Warp& warp = core->tensor().warp(thread);
  const char* name = writes ? "tcgen05.st" : "tcgen05.ld";
  const std::uint32_t address = warp.addresses[0];
  const std::size_t running = std::min<std::size_t>(race::kWarp, thread.block->threads.size() - thread.thread);
  for (std::size_t lane = 1; lane < running; ++lane) {
    if (warp.addresses[lane] == address) continue;
    note_misuse(fmt::format("lanes of one warp name different addresses for {}", name), site);
    return;
  }
  for (TensorRegisters& registers : warp.loaded) registers = {};
  const unsigned first = tensor_lane(address), lanes = lanes_of(access.shape);
  const unsigned own = thread.thread / race::kWarp % 4 * kLanesOfWarp;
  if (first < own || first + lanes > own + kLanesOfWarp) {
    note_misuse(fmt::format("{} of warp {} uses {} of tensor memory; it reaches {}", name, thread.thread / race::kWarp,
                            range_text("lane", first, lanes), range_text("lane", own, kLanesOfWarp)),
                site);
    return;
  }
  if (first % kLanesOfCell != 0)
    return not_modelled_here("this first lane in tensor memory", race::Effect::memory, site);
  const unsigned column = tensor_column(address);
  if (!are_allocated(name, column, access.columns(), site)) return;
  auto operation = std::make_shared<TensorOperation>();
  operation->act = writes ? TensorAct::store : TensorAct::load;
  operation->site = site_id(site);
  operation->issuer = {thread.block->index, thread.thread};
  operation->issued = {operation->issuer, thread.interval()};
  (writes ? warp.stores : warp.loads).push_back(operation);
  tensor_access(operation, {rows_of(first, lanes), column, access.columns()}, writes,
                core->tensor().knowledge_of_warp(thread));
  TensorMemory& memory = core->tensor().memory(thread);
  for (unsigned lane = 0; lane < race::kWarp; ++lane) {
    for (unsigned number = 0; number < access.registers; ++number) {
      const TensorPlace place = tensor_place(access.shape, lane, number);
      std::uint32_t& given = (writes ? warp.given : warp.loaded)[lane][number];
      if (!access.packed) {
        std::uint32_t& word = memory.word(first + place.lane, column + place.column);
        (writes ? word : given) = writes ? given : word;
        continue;
      }
      std::uint32_t& low = memory.word(first + place.lane, column + 2 * place.column);
      std::uint32_t& high = memory.word(first + place.lane, column + 2 * place.column + 1);
      if (writes) {
        low = given & 0xffff;
        high = given >> 16;
      } else {
        given = (low & 0xffff) | high << 16;
      }
    }
  }
}

bool is_count_of_columns(std::uint32_t columns) {
  return columns >= 32 && columns <= kTensorColumns && std::has_single_bit(columns);
}

// A product or a copy that the running thread issues.
struct Queued {
  TensorOperationRef operation;
  TensorKnowledge knows;
  BulkCopies::Agent agent;
};

Queued start_queued(TensorAct act, std::uint32_t site) {
  race::ThreadState& thread = tensor_thread();
  TensorBlocks& tensor = core->tensor();
  Queued made{std::make_shared<TensorOperation>(), {}, {}};
  const race::ThreadName name{thread.block->index, thread.thread};
  made.operation->act = act;
  made.operation->site = site_id(site);
  made.operation->issuer = name;
  made.operation->issued = {name, thread.interval()};
  made.knows = tensor.knowledge(thread);
  made.agent = core->bulk().start_in_order(thread, made.knows.known, tensor.queue_of(thread), race::Engine::tensor);
  const race::ThreadState& agent = *made.agent.reads;
  TensorBlocks::Thread& own = tensor.thread(thread);
  own.agent = {agent.block->index, agent.thread};
  made.operation->done = {own.agent, agent.interval()};
  own.uncommitted.push_back(made.operation);
  return made;
}

// The instruction descriptor of a dense product (9.7.16.4.2).
struct ProductShape {
  std::uint32_t bits = 0;

  std::uint32_t field(unsigned from, unsigned count) const { return bits >> from & ((1u << count) - 1); }
  bool is_sparse() const { return field(2, 1) != 0; }
  bool saturates() const { return field(3, 1) != 0; }
  std::uint32_t sum() const { return field(4, 2); }
  std::uint32_t left() const { return field(7, 3); }
  std::uint32_t right() const { return field(10, 3); }
  bool negates(bool second) const { return field(second ? 14 : 13, 1) != 0; }
  bool is_across(bool second) const { return field(second ? 16 : 15, 1) != 0; }
  unsigned columns() const { return field(17, 6) * 8; }
  unsigned rows() const { return field(24, 5) * 16; }
};

std::optional<MatrixElement> element_of(std::uint32_t kind, std::uint32_t type) {
  switch (kind) {
    case kTensorHalf:
      return type == 0   ? std::optional(MatrixElement::half)
             : type == 1 ? std::optional(MatrixElement::bfloat)
                         : std::nullopt;
    case kTensorTf32:
      return type == 2 ? std::optional(MatrixElement::tf32) : std::nullopt;
    case kTensorFloat8:
      return type == 0   ? std::optional(MatrixElement::e4m3)
             : type == 1 ? std::optional(MatrixElement::e5m2)
                         : std::nullopt;
    default:
      return type == 0 ? std::optional(MatrixElement::u8) : type == 1 ? std::optional(MatrixElement::s8) : std::nullopt;
  }
}

// Bits 49 to 52 and 61 are for layouts that wgmma does not have.
bool is_descriptor_modelled(std::uint64_t bits) { return (bits >> 49 & 15) == 0 && (bits >> 61 & 1) == 0; }

float sum_at(std::uint32_t type, std::uint32_t word) {
  if (type == 0) return half_to_float(static_cast<std::uint16_t>(word));
  return std::bit_cast<float>(word);
}

// Row by row, from both factors as they lie in `left` and `right`, `depth` elements each.
struct Multiplied {
  const std::vector<float>& left;
  const std::vector<float>& right;
  std::size_t depth;

  double at(unsigned row, unsigned column) const {
    double sum = 0;
    for (std::size_t i = 0; i < depth; ++i)
      sum += static_cast<double>(left[row * depth + i]) * right[column * depth + i];
    return sum;
  }
};

std::uint32_t word_of_sum(std::uint32_t type, double sum) {
  if (type == 2) return static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
  if (type == 0) return float_to_half(static_cast<float>(sum));
  return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
}

// Rows of a product with M = 64 take every other sixteen lanes (9.7.16.10.5.6); with 128, all of them.
unsigned lane_of_row(unsigned row, unsigned rows) { return rows == 64 ? row / 16 * 32 + row % 16 : row; }

}  // namespace

extern "C" {

void weakspot_tmem_set(std::uint32_t number, std::uint32_t value, std::uint32_t) {
  core->tensor().registers[number % kTensorRegisters] = value;
}
std::uint32_t weakspot_tmem_get(std::uint32_t number, std::uint32_t) {
  return core->tensor().registers[number % kTensorRegisters];
}

// tcgen05.alloc (9.7.16.7.1) blocks until there is room.
void weakspot_tmem_alloc(void* to, std::uint32_t columns, std::uint32_t site) {
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  if (weakspot_current->number % race::kWarp == 0) {
    weakspot_current->site = site_id(site);
    const race::ThreadState& thread = tensor_thread();
    const race::ThreadName name{thread.block->index, thread.thread};
    std::optional<unsigned> first = 0;
    if (!is_count_of_columns(columns)) {
      note_misuse(fmt::format("tcgen05.alloc of {} columns: the number must be a power of two from 32 to 512", columns),
                  site);
    } else if (!core->tensor().memory(thread).may_allocate()) {
      note_misuse("tcgen05.alloc after a thread of the block has executed tcgen05.relinquish_alloc_permit", site);
    } else {
      for (;;) {
        {
          InRuntime inside;
          first = core->tensor().memory(thread).allocate(columns, site_id(site), name);
        }
        if (first) break;
        weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(to);
        core->give_way(to);
      }
    }
    const std::uint32_t address = *first;
    std::memcpy(weakspot_access(to, sizeof address, kWrite, site, 0), &address, sizeof address);
  }
  weakspot_current->operation = {.mask = kAllLanes, .kind = kSyncWarp};
  core->turns().wait(Wait::warp_operation, site_id(site));
}

void weakspot_tmem_dealloc(std::uint32_t address, std::uint32_t columns, std::uint32_t site) {
  with_warp(site, [&] {
    race::ThreadState& thread = tensor_thread();
    const unsigned first = tensor_column(address);
    if (tensor_lane(address) != 0 || !is_count_of_columns(columns)) {
      note_misuse(
          fmt::format("tcgen05.dealloc of {} columns from column {} of lane {}", columns, first, tensor_lane(address)),
          site);
      return;
    }
    if (!are_allocated("tcgen05.dealloc", first, columns, site)) return;
    auto operation = std::make_shared<TensorOperation>();
    operation->act = TensorAct::release;
    operation->site = site_id(site);
    operation->issuer = {thread.block->index, thread.thread};
    tensor_access(operation, {rows_of(0, kTensorLanes), first, columns}, true,
                  core->tensor().knowledge_of_warp(thread));
    core->tensor().memory(thread).release(first, columns);
  });
}

void weakspot_tmem_relinquish(std::uint32_t site) {
  with_warp(site, [] { core->tensor().memory(tensor_thread()).relinquish(); });
}

// Registers of tcgen05.ld are read with weakspot_tmem_get behind it; those of tcgen05.st are set before it.
void weakspot_tmem_load(std::uint32_t address, std::uint32_t shape, std::uint32_t registers, std::uint32_t packed,
                        std::uint32_t site) {
  const unsigned lane = weakspot_current->number % race::kWarp;
  core->tensor().warp(tensor_thread()).addresses[lane] = address;
  with_warp(site, [&] { access_by_warp({static_cast<TensorShape>(shape), registers, packed != 0}, false, site); });
  core->tensor().registers = core->tensor().warp(tensor_thread()).loaded[lane];
}

void weakspot_tmem_store(std::uint32_t address, std::uint32_t shape, std::uint32_t registers, std::uint32_t packed,
                         std::uint32_t site) {
  const unsigned lane = weakspot_current->number % race::kWarp;
  TensorBlocks::Warp& warp = core->tensor().warp(tensor_thread());
  warp.addresses[lane] = address;
  warp.given[lane] = core->tensor().registers;
  with_warp(site, [&] { access_by_warp({static_cast<TensorShape>(shape), registers, packed != 0}, true, site); });
}

// tcgen05.wait::ld and ::st
void weakspot_tmem_wait(std::uint32_t for_stores, std::uint32_t site) {
  with_warp(site, [&] {
    const race::ThreadState& thread = tensor_thread();
    TensorBlocks::Warp& warp = core->tensor().warp(thread);
    auto steps = std::make_shared<TensorSteps>();
    const std::vector<race::ThreadState>& threads = thread.block->threads;
    for (std::uint32_t i = thread.thread; i < thread.thread + race::kWarp && i < threads.size(); ++i) {
      steps->push_back({{thread.block->index, i}, threads[i].interval()});
    }
    std::vector<TensorOperationRef>& operations = for_stores != 0 ? warp.stores : warp.loads;
    for (const TensorOperationRef& operation : operations) operation->waited = steps;
    operations.clear();
  });
}

// tcgen05.fence::before_thread_sync and ::after_thread_sync
void weakspot_tmem_fence(std::uint32_t after, std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_fence)) return;
  InRuntime inside;
  race::ThreadState& thread = tensor_thread();
  after != 0 ? core->tensor().fence_after(thread) : core->tensor().fence_before(thread);
}

// tcgen05.commit: the mbarrier, or with a mask that of each block of the cluster which it names, gets an arrival when
// the operations of the thread so far have ended.
void weakspot_tmem_commit(void* gate, std::uint32_t mask, std::uint32_t site) {
  const BulkTargets targets(gate, gate, mask);
  for (const auto& [place, counter] : targets.all()) let_be_initialised(counter, site);
  InRuntime inside;
  race::ThreadState& state = tensor_thread();
  TensorBlocks::Thread& thread = core->tensor().thread(state);
  const race::ClockRef ended = thread.has_queue ? core->bulk().steps_in_order(state, thread.queue) : nullptr;
  for (const TensorOperationRef& operation : thread.uncommitted) operation->committed = true;
  thread.uncommitted.clear();
  for (const auto& [place, counter] : targets.all()) {
    if (!use_mbarrier(counter, site)) continue;
    if (ended) {
      core->gates().tell(gate_at(counter), ended, !is_in_own_block(counter));
      // 9.7.16.6.4.2: the commit performs tcgen05.fence::before_thread_sync.
      core->gates().tell_of_tensor(gate_at(counter), ended);
      if (is_in_own_block(counter)) core->shared().count(thread.agent, counter);
    }
    core->gates().arrive(gate_at(counter), {.reach = GateReach::nobody, .site = site, .of_engine = true});
  }
}

// tcgen05.mma of one block without scales, sparsity or shifts (9.7.16.10.9.1). The first factor is in shared memory, by
// a descriptor, or in tensor memory. `scale` divides the sums that were there by a power of two.
void weakspot_tmem_product(std::uint32_t sums, std::uint64_t left, std::uint64_t right, std::uint32_t descriptor,
                           std::uint32_t kind, std::uint32_t left_in_tensor, std::uint32_t keep, std::uint32_t scale,
                           std::uint32_t disabled, std::uint32_t site) {
  InRuntime inside;
  weakspot_current->site = site_id(site);
  const ProductShape shape{descriptor};
  const std::optional<MatrixElement> first = element_of(kind, shape.left()), second = element_of(kind, shape.right());
  const unsigned rows = shape.rows(), columns = shape.columns(), lane = tensor_lane(sums);
  const bool is_half = kind == kTensorHalf;
  const bool is_sum_known =
      kind == kTensorInteger ? shape.sum() == 2 : shape.sum() == 1 || (shape.sum() == 0 && kind != kTensorTf32);
  const bool is_modelled = first && second && is_sum_known && !shape.is_sparse() && !shape.saturates() &&
                           (rows == 64 || rows == 128) && columns >= 8 && columns <= 256 && disabled == 0 &&
                           (left_in_tensor == 0 || (rows == 128 && !shape.is_across(false))) &&
                           (left_in_tensor != 0 || is_descriptor_modelled(left)) && is_descriptor_modelled(right) &&
                           (is_half || (!shape.is_across(false) && !shape.is_across(true))) &&
                           lane <= (rows == 64 ? 16 : 0) && lane % 16 == 0;
  if (!is_modelled) {
    return not_modelled_here("tcgen05.mma of this shape, type or layout", race::Effect::memory, site);
  }
  const unsigned column = tensor_column(sums), left_column = tensor_column(static_cast<std::uint32_t>(left));
  constexpr unsigned kLeftColumns = 8;  // rows of 32 bytes
  if (!are_allocated("tcgen05.mma", column, columns, site)) return;
  if (left_in_tensor != 0 && !are_allocated("tcgen05.mma", left_column, kLeftColumns, site)) return;
  const Queued queued = start_queued(TensorAct::product, site);
  queued.operation->accumulator =
      std::uint64_t{kind} << 60 | std::uint64_t{rows} << 48 | std::uint64_t{columns} << 32 | sums;
  TensorMemory& memory = core->tensor().memory(tensor_thread());
  std::vector<MatrixRow> left_rows(rows), right_rows(columns);
  if (left_in_tensor != 0) {
    tensor_access(queued.operation, {rows_of(0, kTensorLanes), left_column, kLeftColumns}, false, queued.knows);
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned i = 0; i < kLeftColumns; ++i) {
        std::memcpy(&left_rows[row][std::size_t{i} * 4], &memory.word(row, left_column + i), 4);
      }
    }
  } else {
    read_matrix(queued.agent, left, shape.is_across(false), left_rows, kEndOfQueue, site);
  }
  read_matrix(queued.agent, right, shape.is_across(true), right_rows, kEndOfQueue, site);
  std::uint8_t cells = 0xff;
  if (rows == 64) cells = lane == 0 ? 0x55 : 0xaa;
  tensor_access(queued.operation, {cells, column, columns}, true, queued.knows);
  const std::vector<float> a = matrix_values(*first, left_rows), b = matrix_values(*second, right_rows);
  const Multiplied product{a, b, a.size() / rows};
  const double sign = shape.negates(false) != shape.negates(true) ? -1 : 1;
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned i = 0; i < columns; ++i) {
      std::uint32_t& word = memory.word(lane + lane_of_row(row, rows), column + i);
      double sum = sign * product.at(row, i);
      if (keep != 0) {
        const double before =
            shape.sum() == 2 ? static_cast<double>(static_cast<std::int32_t>(word)) : sum_at(shape.sum(), word);
        sum += std::ldexp(before, -static_cast<int>(scale));
      }
      word = word_of_sum(shape.sum(), sum);
    }
  }
}

// tcgen05.cp (9.7.16.9.2): rows of 16 or 32 bytes, by a descriptor, into lanes; `rows` of them are there, and each lane
// gets the row of its number modulo that.
void weakspot_tmem_copy(std::uint32_t to, std::uint64_t from, std::uint32_t rows, std::uint32_t columns,
                        std::uint32_t site) {
  InRuntime inside;
  weakspot_current->site = site_id(site);
  if (!is_descriptor_modelled(from) || tensor_lane(to) != 0) {
    return not_modelled_here("tcgen05.cp of this layout", race::Effect::memory, site);
  }
  const unsigned column = tensor_column(to);
  if (!are_allocated("tcgen05.cp", column, columns, site)) return;
  const Queued queued = start_queued(TensorAct::copy, site);
  std::vector<MatrixRow> given(rows);
  read_matrix(queued.agent, from, false, given, kEndOfQueue, site, columns / 4);
  tensor_access(queued.operation, {rows_of(0, kTensorLanes), column, columns}, true, queued.knows);
  TensorMemory& memory = core->tensor().memory(tensor_thread());
  for (unsigned lane = 0; lane < kTensorLanes; ++lane) {
    for (unsigned i = 0; i < columns; ++i) {
      std::memcpy(&memory.word(lane, column + i), &given[lane % rows][std::size_t{i} * 4], 4);
    }
  }
}

}  // extern "C"

std::vector<HookSymbol> tensor_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&(name))}
      HOOK(weakspot_tmem_set),        HOOK(weakspot_tmem_get),  HOOK(weakspot_tmem_alloc),
      HOOK(weakspot_tmem_dealloc),    HOOK(weakspot_tmem_load), HOOK(weakspot_tmem_store),
      HOOK(weakspot_tmem_relinquish), HOOK(weakspot_tmem_wait), HOOK(weakspot_tmem_fence),
      HOOK(weakspot_tmem_commit),     HOOK(weakspot_tmem_copy), HOOK(weakspot_tmem_product),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
