// SPDX-License-Identifier: MIT
// Litmus tests for the Vulkan memory model:
//
//   st.av.dv.sc0 x, 1                      ld.vis.dv.sc0 r0, x          non-atomic; .nonpriv without .av or .vis
//   st.atom.rel.wg.sc0.semsc0.semav x, 1   ld.atom.acq.wg.sc0.semsc0.semvis r0, x
//   rmw.atom.acq_rel.dv.sc0.semsc0.add r0, x, 1                         without an operation: exchange
//   membar.rel.dv.semsc0.semav             cbar.acq_rel.wg.semsc0 id, name, quorum
//   avdevice   visdevice   add r0, r1, 2   LC00:   goto LC00   beq r0, 1, LC00
//
// The scope of a control barrier is that of its memory semantics; its execution scope is always the workgroup.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/names.h"
#include "litmus/text/cell_reader.h"
#include "litmus/text/columns.h"
#include "litmus/text/readers.h"
#include "litmus/vulkan/vulkan_words.h"

namespace weakspot::litmus {
namespace {

// The suffixes of one mnemonic, each at most once.
struct VulkanSuffixes {
  bool atomic = false;
  std::optional<Order> order;
  std::optional<Scope> scope;
  std::optional<Space> space;
  std::optional<RmwOp> op;
  Spaces semantics;
  Tags flags;           // .av .vis .nonpriv
  Tags semantics_tags;  // .semav .semvis
};

class VulkanCell : public CellReader {
 public:
  using CellReader::CellReader;

  void read() {
    labels();
    if (cursor_.at_end()) return;
    const std::uint32_t begin = cursor_.position();
    if (!mnemonic()) return;
    std::optional<Operation> operation = instruction();
    if (!operation || !cursor_.expect_end("the instruction")) return;
    builder_.emit(thread_, std::move(*operation), {begin, cursor_.last_end()});
  }

 private:
  std::optional<Operation> instruction() {
    const std::string_view head = mnemonic_.head;
    if (head == "ld" || head == "st" || head == "rmw" || head == "membar" || head == "cbar") {
      for (const Suffix& suffix : mnemonic_.suffixes) {
        if (!take(suffix)) return std::nullopt;
      }
      if (head == "ld") return load();
      if (head == "st") return store();
      if (head == "rmw") return rmw();
      return head == "membar" ? membar() : cbar();
    }
    if (mnemonic_.suffixes.empty()) {
      if (head == "avdevice") return fence(FenceKind::av_device);
      if (head == "visdevice") return fence(FenceKind::vis_device);
      if (head == "goto") return branch(std::nullopt);
      if (head.starts_with("b")) {
        if (std::optional<CompareOp> op = compare_op_named(head.substr(1))) return branch(op);
      }
      if (std::optional<ComputeOp> op = base::value_of(kVulkanComputeOps, head)) return computation(*op);
    }
    return mistake(fmt::format("unknown instruction {}", describe(mnemonic_.word)));
  }

  // ---- instructions ----

  std::optional<Operation> load() {
    Load load;
    if (said_.order && *said_.order != Order::acquire) return mistake("a load must be '.acq' or have no order");
    if (!access(load.access, Tag::visible)) return std::nullopt;
    std::optional<RegisterId> target = reg();
    if (!target || !comma() || !location(load.access)) return std::nullopt;
    load.target = *target;
    return load;
  }

  std::optional<Operation> store() {
    Store store;
    if (said_.order && *said_.order != Order::release) return mistake("a store must be '.rel' or have no order");
    if (!access(store.access, Tag::available) || !location(store.access) || !comma()) return std::nullopt;
    if (!operand(store.value)) return std::nullopt;
    return store;
  }

  std::optional<Operation> rmw() {
    Rmw rmw;
    if (!said_.atomic) return mistake("a read-modify-write must be atomic; expected 'rmw.atom'");
    if (!atomic(rmw.access)) return std::nullopt;
    rmw.op = said_.op.value_or(RmwOp::exch);
    rmw.target = reg();
    if (!rmw.target || !comma() || !location(rmw.access) || !comma() || !rmw_values(rmw)) return std::nullopt;
    return rmw;
  }

  std::optional<Operation> membar() {
    Fence fence;
    if (!said_.order) return mistake("a memory barrier needs an order: .acq, .rel or .acq_rel");
    if (!scoped() || !synchronizing(said_.order)) return std::nullopt;
    fence.order = *said_.order;
    fence.scope = *said_.scope;
    fence.semantics = said_.semantics;
    fence.tags = said_.semantics_tags;
    return fence;
  }

  std::optional<Operation> cbar() {
    Barrier barrier;
    if (!scoped() || !synchronizing(said_.order)) return std::nullopt;
    barrier.order = said_.order.value_or(Order::plain);
    barrier.memory_scope = *said_.scope;
    barrier.semantics = said_.semantics;
    barrier.tags = said_.semantics_tags;
    std::optional<std::int64_t> id = cursor_.integer("the barrier's number");
    if (!id) return std::nullopt;
    barrier.id = integer(*id);
    if (cursor_.accept(",")) {
      barrier.name = operand();
      if (!barrier.name) return std::nullopt;
      if (cursor_.accept(",")) {
        barrier.quorum = operand();
        if (!barrier.quorum) return std::nullopt;
      }
    }
    return barrier;
  }

  static std::optional<Operation> fence(FenceKind kind) {
    Fence fence;
    fence.kind = kind;
    return fence;
  }

  // ---- rules about suffixes ----

  std::optional<Operation> mistake(std::string message) {
    cursor_.mistake(mnemonic_.word.span, std::move(message));
    failed_ = true;
    return std::nullopt;
  }

  bool scoped() {
    if (!said_.scope) mistake("expected a scope: .sg, .wg, .qf or .dv");
    return said_.scope.has_value();
  }

  // Storage-class semantics, .semav and .semvis belong to releases and acquires alone.
  bool synchronizing(std::optional<Order> order) {
    const bool releases = order && is_release(*order);
    const bool acquires = order && is_acquire(*order);
    if (order && said_.semantics.empty()) {
      mistake("an acquire or release must name its storage classes, such as '.semsc0'");
    } else if (!order && !said_.semantics.empty()) {
      mistake("storage-class semantics need an order: .acq, .rel or .acq_rel");
    } else if (!releases && said_.semantics_tags.has(Tag::available)) {
      mistake("'.semav' is for releases only");
    } else if (!acquires && said_.semantics_tags.has(Tag::visible)) {
      mistake("'.semvis' is for acquires only");
    }
    return !failed_;
  }

  bool classed() {
    if (!said_.space) mistake("expected a storage class: .sc0, .sc1, .sc2 or .sc3");
    return said_.space.has_value();
  }

  // `own` is the flag that this kind of access can have when it is not atomic.
  bool access(Access& access, Tag own) { return said_.atomic ? atomic(access) : non_atomic(access, own); }

  bool atomic(Access& access) {
    if (!said_.flags.empty()) {
      mistake("'.av', '.vis' and '.nonpriv' are for non-atomic accesses only");
    } else if (scoped() && classed() && synchronizing(said_.order)) {
      access.order = said_.order.value_or(Order::relaxed);
      access.scope = *said_.scope;
      access.space = *said_.space;
      access.semantics = said_.semantics;
      access.tags = said_.semantics_tags;
    }
    return !failed_;
  }

  // Either flag also makes the access non-private.
  bool non_atomic(Access& access, Tag own) {
    access.order = Order::plain;
    const bool flagged = said_.flags.has(own);
    const Tag other = own == Tag::available ? Tag::visible : Tag::available;
    if (said_.order || !said_.semantics.empty() || !said_.semantics_tags.empty()) {
      mistake("orders and their semantics are for atomic accesses; expected '.atom'");
    } else if (said_.flags.has(other)) {
      mistake(own == Tag::available ? "a store cannot be made visible; expected '.av'"
                                    : "a load cannot be made available; expected '.vis'");
    } else if (said_.scope && !flagged) {
      mistake(fmt::format("a non-atomic access has a scope only with '.{}'", to_string(own)));
    } else if (classed() && (!flagged || scoped())) {
      access.space = *said_.space;
      access.tags = said_.flags;
      if (flagged) access.scope = *said_.scope;
      if (flagged) access.tags.insert(Tag::non_private);
    }
    return !failed_;
  }

  // ---- suffixes ----

  bool take(const Suffix& suffix) {
    const std::string_view head = mnemonic_.head;
    const std::string_view text = suffix.text;
    const bool access = head == "ld" || head == "st" || head == "rmw";
    if (access && text == "atom") return once(suffix, !std::exchange(said_.atomic, true));
    if (auto order = base::value_of(kVulkanOrders, text)) return once(suffix, set(said_.order, *order));
    if (auto scope = base::value_of(kVulkanScopes, text)) return once(suffix, set(said_.scope, *scope));
    if (auto space = base::value_of(kVulkanSpaces, text); space && access) {
      return once(suffix, set(said_.space, *space));
    }
    if (auto op = base::value_of(kVulkanRmwOps, text); op && head == "rmw") return once(suffix, set(said_.op, *op));
    if (text == "semav") return once(suffix, insert(said_.semantics_tags, Tag::available));
    if (text == "semvis") return once(suffix, insert(said_.semantics_tags, Tag::visible));
    if (text.starts_with("semsc")) return once(suffix, storage_classes(suffix));
    for (Tag flag : {Tag::available, Tag::visible, Tag::non_private}) {
      if (access && text == to_string(flag)) return once(suffix, insert(said_.flags, flag));
    }
    unknown_suffix(suffix);
    return false;
  }

  bool once(const Suffix& suffix, bool first) {
    if (!first && !failed_) suffix_again(suffix);
    return first;
  }

  template <typename T>
  static bool set(std::optional<T>& slot, T value) {
    if (slot) return false;
    slot = value;
    return true;
  }

  template <typename Enum>
  static bool insert(EnumSet<Enum>& set, Enum member) {
    const bool had = set.has(member);
    set.insert(member);
    return !had;
  }

  // semsc0, or several at once: semsc01
  bool storage_classes(const Suffix& suffix) {
    const std::string_view digits = suffix.text.substr(5);
    for (char digit : digits) {
      if (digit < '0' || digit > '3') break;
      if (!insert(said_.semantics, kVulkanSpaces[digit - '0'].value)) return false;
    }
    if (!digits.empty() && digits.find_first_not_of("0123") == std::string_view::npos) return true;
    cursor_.mistake(suffix.span, fmt::format("unknown storage class in '.{}'; expected 0 to 3", suffix.text));
    failed_ = true;
    return false;
  }

  // ---- operands ----

  bool has_addresses() const override { return false; }

  std::optional<RegisterId> reg() override {
    if (cursor_.peek().kind != Token::Kind::word || !is_numbered_register(cursor_.peek().text)) {
      cursor_.expected("a register such as r0");
      return std::nullopt;
    }
    return builder_.reg(thread_, cursor_.next().text);
  }

  bool location(Access& access) {
    std::optional<Token> name = cursor_.word("a location");
    if (name) access.address.location = builder_.location(name->text);
    return name.has_value();
  }

  VulkanSuffixes said_;
  bool failed_ = false;
};

class Vulkan : public ColumnDialect {
 public:
  Arch arch() const override { return Arch::vulkan; }

  std::optional<std::string> register_name(std::string_view text) const override {
    if (!is_numbered_register(text)) return std::nullopt;
    return std::string(text);
  }

  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    VulkanCell(cursor, builder, thread).read();
  }

  // { ssw 0 1; ssw 1 2; }
  void before_program(Cursor& cursor, TestBuilder& builder) override {
    cursor.accept(";");
    if (!cursor.peek().is("{")) return;
    read_init(cursor, false, [&](Cursor& item) {
      if (!item.expect("ssw", "before two threads")) return;
      std::optional<ThreadId> from = thread_named(item);
      if (from && synchronizes(*from, item, builder)) item.expect_end("the threads");
    });
    cursor.accept(";");
  }

  // ssw 1
  bool placement_word(const Token& word, Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    if (!word.is("ssw")) return false;
    synchronizes(thread, cursor, builder);
    return true;
  }

  bool may_lack_condition() const override { return true; }

  void program_done(TestBuilder& builder, Mistakes& mistakes) override {
    for (const Named& named : named_) {
      if (named.thread.index >= builder.test.threads.size()) {
        mistakes.add(named.span, fmt::format("there is no thread {} in the program", named.thread.index));
      }
    }
    // Accesses take the type of their location: the text has no types.
    for (Thread& thread : builder.test.threads) {
      for (Instruction& instruction : thread.instructions) {
        if (Access* access = access_of(instruction)) access->type = builder[*access->address.location].type;
      }
    }
  }

 private:
  // Threads that are named before it is known how many there are.
  struct Named {
    ThreadId thread;
    base::Span span;
  };

  std::optional<ThreadId> thread_named(Cursor& cursor) {
    const Token token = cursor.peek();
    std::optional<ThreadId> thread = thread_number(token);
    if (thread) {
      named_.push_back({*thread, token.span});
      cursor.next();
    } else {
      cursor.expected("a thread such as P0");
    }
    return thread;
  }

  bool synchronizes(ThreadId from, Cursor& cursor, TestBuilder& builder) {
    std::optional<ThreadId> to = thread_named(cursor);
    if (to) builder.system_synchronizes.emplace_back(from, *to);
    return to.has_value();
  }

  std::vector<Named> named_;
};

}  // namespace

std::optional<LitmusTest> read_vulkan(Cursor& cursor) {
  Vulkan dialect;
  return read_columns(cursor, dialect);
}

}  // namespace weakspot::litmus
