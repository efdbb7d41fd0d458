// SPDX-License-Identifier: MIT
// The meaning of the names of docs/cat-language.md in an execution of the brute-force oracle, event by event and pair
// by pair. For tests only; shares no code with the model's own tables.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "litmus/instruction.h"
#include "support/brute_force.h"

namespace weakspot::tests {

// A truth value for each event, and one for each pair of events: the first of a pair has a row.
inline constexpr int kMostEvents = 32;
using NaiveSet = std::bitset<kMostEvents>;
using NaiveRelation = std::array<NaiveSet, kMostEvents>;

// The names of one frame; only rf and co are computed anew for each of its executions.
class NaiveNames {
 public:
  // Throws TooLarge if there are more events than a set has room for.
  explicit NaiveNames(const Execution& x) : x_(x), tree_(x.test->scope_tree()) {
    if (x.size() > kMostEvents) throw TooLarge();
  }
  NaiveNames(const NaiveNames&) = delete;
  NaiveNames& operator=(const NaiveNames&) = delete;

  std::uint64_t frame() const { return frame_; }
  void next_execution() {
    relations_.erase("rf");
    relations_.erase("co");
  }

  int size() const { return static_cast<int>(x_.size()); }

  // The set of that name; null if there is none.
  const NaiveSet* set(const std::string& name) {
    if (const auto found = sets_.find(name); found != sets_.end()) return &found->second;
    if (!known_set(name)) return nullptr;
    NaiveSet& members = sets_[name];
    for (int i = 0; i < size(); ++i) members[static_cast<std::size_t>(i)] = in(name, i);
    return &members;
  }

  const NaiveRelation* relation(const std::string& name) {
    if (const auto found = relations_.find(name); found != relations_.end()) return &found->second;
    const Relates related = meaning(name);
    if (!related) return nullptr;
    NaiveRelation& pairs = relations_[name];
    for (int a = 0; a < size(); ++a) {
      for (int b = 0; b < size(); ++b) {
        pairs[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = related(a, b);
      }
    }
    return &pairs;
  }

 private:
  using Arch = litmus::Arch;
  using Kind = litmus::FenceKind;
  using Scope = litmus::Scope;
  using Space = litmus::Space;
  using Tag = litmus::Tag;

  const Access& at(int event) const { return x_.events[static_cast<std::size_t>(event)]; }
  Arch arch() const { return x_.test->arch; }
  bool gpu() const { return arch() == Arch::ptx || arch() == Arch::generic; }

  bool is_access(int e) const { return at(e).kind == 'R' || at(e).kind == 'W'; }
  bool is_memory(int e) const { return is_access(e) || at(e).kind == 'I'; }
  const litmus::Fence* fence(int e) const {
    return at(e).kind == 'F' ? std::get_if<litmus::Fence>(&at(e).source->operation) : nullptr;
  }
  const litmus::Barrier* barrier(int e) const {
    return at(e).kind == 'B' ? std::get_if<litmus::Barrier>(&at(e).source->operation) : nullptr;
  }
  const litmus::Access* access(int e) const { return is_access(e) ? litmus::access_of(*at(e).source) : nullptr; }
  litmus::Tags tags(int e) const {
    if (is_access(e)) return access(e)->tags;
    if (const auto* f = fence(e)) return f->tags;
    if (const auto* b = barrier(e)) return b->tags;
    return {};
  }
  litmus::Spaces semantics(int e) const {
    if (is_access(e)) return access(e)->semantics;
    if (const auto* f = fence(e)) return f->semantics;
    if (const auto* b = barrier(e)) return b->semantics;
    return {};
  }

  // Volatile accesses of PTX are relaxed, of system scope.
  bool is_volatile(int e) const {
    return gpu() && is_access(e) && at(e).order == Order::plain && tags(e).has(Tag::volatile_);
  }
  Order order(int e) const {
    if (is_volatile(e)) return Order::relaxed;
    if (const auto* f = fence(e)) {
      if (f->kind == Kind::order || is_map_fence(*f)) return f->order;
      return f->kind == Kind::membar ? Order::seq_cst : Order::plain;
    }
    return at(e).kind == 'I' ? Order::plain : at(e).order;
  }
  static bool is_map_fence(const litmus::Fence& f) {
    return f.kind == Kind::proxy && f.proxy == litmus::Proxy::tensormap;
  }
  // A step of an agent that multiplies.
  bool is_product(int e) const { return at(e).agent != 0 && at(e).source->engine == litmus::AsyncEngine::wgmma; }
  bool is_by(int e, litmus::AsyncEngine engine) const { return at(e).agent != 0 && at(e).source->engine == engine; }
  bool is_on_tensors(int e) const {
    return is_by(e, litmus::AsyncEngine::tcld) || is_by(e, litmus::AsyncEngine::tcst) ||
           is_by(e, litmus::AsyncEngine::tccp) || is_by(e, litmus::AsyncEngine::tcmma);
  }
  bool counts(int e) const {
    const auto* rmw = at(e).source == nullptr ? nullptr : std::get_if<litmus::Rmw>(&at(e).source->operation);
    return rmw != nullptr && rmw->refill != 0;
  }
  bool is_tensor_wait(int e) const {
    const auto* control = at(e).kind == 'F' ? std::get_if<litmus::AsyncControl>(&at(e).source->operation) : nullptr;
    return control != nullptr &&
           (control->engine == litmus::AsyncEngine::tcld || control->engine == litmus::AsyncEngine::tcst);
  }

  // PTX ISA, "Pipelined tcgen05 Instructions".
  bool is_pipelined(int a, int b) const {
    if (counts(a) || counts(b) || !is_by(b, litmus::AsyncEngine::tcmma)) return false;
    const bool one = at(a).thread == at(b).thread && at(a).agent == at(b).agent;
    if (is_by(a, litmus::AsyncEngine::tccp)) return true;
    if (one || !is_by(a, litmus::AsyncEngine::tcmma)) return false;
    for (int w = 0; w < size(); ++w) {
      for (int v = 0; v < size(); ++v) {
        const bool of_a = at(w).kind == 'W' && at(w).thread == at(a).thread && at(w).agent == at(a).agent;
        const bool of_b = at(v).kind == 'W' && at(v).thread == at(b).thread && at(v).agent == at(b).agent;
        if (of_a && of_b && at(w).location == at(v).location) return true;
      }
    }
    return false;
  }

  // In the order of issue: the operations of a thread are numbered so, and its own events stand where they happen.
  bool is_later(int a, int b) const {
    return at(a).agent != 0 && !counts(a) && at(a).thread == at(b).thread && at(a).agent != at(b).agent && a < b;
  }
  bool is_atomic(int e) const { return is_access(e) && order(e) != Order::plain; }
  bool releases(int e) const {
    return order(e) == Order::release || order(e) == Order::acq_rel || order(e) == Order::seq_cst;
  }
  bool acquires(int e) const {
    return order(e) == Order::acquire || order(e) == Order::acquire_pc || order(e) == Order::acq_rel ||
           order(e) == Order::seq_cst;
  }

  bool on_cpu(int e) const { return at(e).thread >= 0 && tree_.placements[static_cast<std::size_t>(at(e).thread)].cpu; }

  // A location that is counted on.
  bool is_mbarrier(int location) const {
    for (const litmus::Thread& thread : x_.test->threads) {
      for (const litmus::Instruction& instruction : thread.instructions) {
        const auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation);
        if (rmw != nullptr && rmw->refill != 0 && static_cast<int>(rmw->access.address.location->index) == location) {
          return true;
        }
      }
    }
    return false;
  }

  std::optional<Scope> scope(int e) const {
    if (on_cpu(e)) return Scope::system;
    if (is_volatile(e)) return Scope::system;
    if (is_access(e)) {
      const bool moves = tags(e).has(Tag::available) || tags(e).has(Tag::visible);
      return at(e).order == Order::plain && !moves ? std::nullopt : std::optional(at(e).scope);
    }
    if (const auto* f = fence(e)) {
      const bool scoped = f->kind == Kind::order || f->kind == Kind::membar || is_map_fence(*f);
      return scoped ? std::optional(f->scope) : std::nullopt;
    }
    if (const auto* b = barrier(e)) {
      return arch() == Arch::ptx || arch() == Arch::ptx2015 ? std::nullopt : std::optional(b->memory_scope);
    }
    return std::nullopt;
  }

  std::optional<litmus::Proxy> proxy(int e) const {
    if (at(e).kind == 'I') return litmus::Proxy::generic;
    if (is_access(e)) {
      if (access(e)->proxy != litmus::Proxy::generic) return access(e)->proxy;
      return x_.test->locations[static_cast<std::size_t>(at(e).name)].proxy;
    }
    const auto* f = fence(e);
    if (f == nullptr) return std::nullopt;
    if (f->kind == Kind::proxy) return f->proxy;
    return f->kind == Kind::order || f->kind == Kind::membar ? std::optional(litmus::Proxy::generic) : std::nullopt;
  }

  Space space(int e) const {
    if (is_access(e) && access(e)->space != Space::none) return access(e)->space;
    return x_.test->locations[static_cast<std::size_t>(at(e).location)].space;
  }

  bool half_of_rmw(int e) const {
    for (int other = 0; other < size(); ++other) {
      if (pair(x_.rmw, e, other) || pair(x_.rmw, other, e)) return true;
    }
    return false;
  }

  // Also the read of one that failed.
  bool is_update(int e) const { return is_access(e) && std::holds_alternative<litmus::Rmw>(at(e).source->operation); }

  bool thrown_away(int e) const {
    if (at(e).kind != 'R') return false;
    const auto* rmw = std::get_if<litmus::Rmw>(&at(e).source->operation);
    return rmw != nullptr && !rmw->target;
  }

  static std::size_t last_digit(const std::string& name) { return static_cast<std::size_t>(name.back() - '0'); }

  static bool known_set(const std::string& name) {
    static const std::set<std::string> known = {
        "R",          "W",           "M",      "IW",     "F",       "B",       "RMW",      "NA",      "WEAK",
        "RLX",        "ACQ",         "REL",    "SC",     "ACQ_REL", "ATOM",    "A",        "Q",       "L",
        "X",          "WI",          "SG",     "WG",     "CTA",     "CLUSTER", "QF",       "DV",      "GPU",
        "SYS",        "GEN",         "TEX",    "SUR",    "CON",     "ALIAS",   "ASYNC",    "MBINIT",  "MBARRIER",
        "TENSORMAP",  "WGMMA",       "HOST",   "PROXY",  "MEMBAR",  "MFENCE",  "SFENCE",   "LFENCE",  "ISB",
        "GLOBAL",     "LOCAL",       "CBAR",   "AV",     "VIS",     "SEMAV",   "SEMVIS",   "NONPRIV", "AVDEVICE",
        "VISDEVICE",  "SC0",         "SC1",    "SEMSC0", "SEMSC1",  "VOL",     "EX",       "NoRet",   "SC2",
        "SC3",        "SEMSC2",      "SEMSC3", "NOAV",   "NAVOL",   "Acq",     "Rel",      "AcqRel",  "Sc",
        "every-read", "every-write", "LKR",    "UL",     "TENSOR",  "TCWAIT",  "TCBEFORE", "TCAFTER"};
    return known.contains(name) || name.starts_with("DMB.") || name.starts_with("DSB.") || !named_fence(name).empty();
  }

  // The fence of RISC-V or of the Linux kernel that a set is named after.
  static std::string named_fence(const std::string& name) {
    if (name.starts_with("Fence.")) return "riscv." + name.substr(6);
    static const std::set<std::string> kernel = {
        "Mb",      "Rmb",           "Wmb",          "Sync-rcu",       "Rcu-lock",         "Rcu-unlock",
        "Barrier", "Before-atomic", "After-atomic", "After-spinlock", "After-unlock-lock"};
    if (!kernel.contains(name)) return "";
    std::string word = "linux." + name;
    word[6] = static_cast<char>(std::tolower(word[6]));
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
  }

  // "DMB.ISHLD" of a fence.
  static std::string arm_name(const litmus::Fence& f) {
    if (f.kind != Kind::dmb && f.kind != Kind::dsb) return "";
    static const char* const domains[] = {"", "ISH", "OSH", "NSH"};
    static const char* const accesses[] = {"", "LD", "ST"};
    std::string suffix = domains[static_cast<int>(f.shareability)];
    suffix += accesses[static_cast<int>(f.accesses)];
    return std::string(f.kind == Kind::dmb ? "DMB." : "DSB.") + (suffix.empty() ? "SY" : suffix);
  }

  bool in(const std::string& name, int e) const {
    const char kind = at(e).kind;
    if (name == "Acq") return in_riscv_order(e, Order::acquire);
    if (name == "Rel") return in_riscv_order(e, Order::release);
    if (name == "AcqRel") return in_riscv_order(e, Order::acq_rel);
    if (name == "Sc") return in_riscv_order(e, Order::seq_cst);
    if (name == "R" || name == "W" || name == "M" || name == "IW") {
      return (kind == 'R' && (name == "R" || name == "M")) || (kind == 'W' && (name == "W" || name == "M")) ||
             (kind == 'I' && name != "R");
    }
    if (name == "F") {
      if (kind == 'B') return arch() != Arch::vulkan || order(e) != Order::plain;
      return kind == 'F' &&
             (fence(e) == nullptr || (fence(e)->kind != Kind::av_device && fence(e)->kind != Kind::vis_device));
    }
    if (name == "B") return false;
    if (name == "HOST") return on_cpu(e);
    if (name == "MBARRIER") return is_memory(e) && is_mbarrier(at(e).location);
    if (name == "CBAR") return kind == 'B';
    if (name == "RMW") return arch() == Arch::linux_kernel ? is_update(e) : half_of_rmw(e);
    if (name == "every-read") return kind == 'R';
    if (name == "every-write") return kind == 'W' || kind == 'I';
    if (name == "LKR" || name == "UL") return false;  // no random test has locks
    if (name == "EX") return is_access(e) && tags(e).has(Tag::exclusive);
    if (name == "VOL") return is_access(e) && tags(e).has(Tag::volatile_);
    if (name == "NAVOL") return is_volatile(e);
    if (name == "NOAV") return tags(e).has(Tag::no_availability);
    if (name == "NoRet") return thrown_away(e);
    if (name == "A" && arch() == Arch::aarch64) {
      return kind == 'R' && !thrown_away(e) && (order(e) == Order::acquire || order(e) == Order::seq_cst);
    }
    if (name == "A" && arch() == Arch::x86_64) return half_of_rmw(e);
    if (name == "L") return kind == 'W' && releases(e);
    if (name == "Q") return kind == 'R' && order(e) == Order::acquire_pc;
    if (name == "X") {
      const bool pairs = arch() == Arch::aarch64 || arch() == Arch::riscv;
      return half_of_rmw(e) && (!pairs || !tags(e).has(Tag::exclusive));
    }
    return in_order(name, e) || in_scope(name, e) || in_memory(name, e) || in_fences(name, e) || in_vulkan(name, e);
  }

  // Both halves of an atomic operation have its order.
  bool in_riscv_order(int e, Order order) const {
    return arch() == Arch::riscv && is_access(e) && access(e)->order == order;
  }

  bool in_order(const std::string& name, int e) const {
    if (name == "NA" || name == "WEAK") return is_access(e) && order(e) == Order::plain;
    if (name == "ATOM" || name == "A") return is_atomic(e);
    if (at(e).kind == 'I') return false;
    if (name == "RLX") return order(e) == Order::relaxed;
    if (name == "SC") return order(e) == Order::seq_cst;
    const bool both = arch() == Arch::vulkan && order(e) == Order::acq_rel;
    if (name == "ACQ") return order(e) == Order::acquire || both;
    if (name == "REL") return order(e) == Order::release || both;
    if (name == "ACQ_REL") {
      const bool fence_sc = !is_access(e) && order(e) == Order::seq_cst && (gpu() || arch() == Arch::ptx2015);
      return (order(e) == Order::acq_rel && !both) || fence_sc;
    }
    return false;
  }

  bool in_scope(const std::string& name, int e) const {
    static const std::map<std::string, Scope> scopes = {
        {"SG", Scope::subgroup},     {"WG", Scope::workgroup}, {"CTA", Scope::workgroup}, {"CLUSTER", Scope::cluster},
        {"QF", Scope::queue_family}, {"DV", Scope::device},    {"GPU", Scope::device},    {"SYS", Scope::system}};
    if (name == "WI") return scope(e) == Scope::thread || (is_access(e) && !scope(e));
    const auto found = scopes.find(name);
    return found != scopes.end() && scope(e) == found->second;
  }

  bool in_memory(const std::string& name, int e) const {
    if (name == "GEN") return proxy(e) == litmus::Proxy::generic;
    if (name == "TEX") return proxy(e) == litmus::Proxy::texture;
    if (name == "SUR") return proxy(e) == litmus::Proxy::surface;
    if (name == "ALIAS") return proxy(e) == litmus::Proxy::alias;
    if (name == "ASYNC") return proxy(e) == litmus::Proxy::async;
    if (name == "TENSORMAP") return proxy(e) == litmus::Proxy::tensormap;
    if (name == "TENSOR") return is_on_tensors(e);
    if (name == "TCWAIT") return is_tensor_wait(e);
    if (name == "WGMMA") return is_product(e) || (fence(e) != nullptr && fence(e)->kind == Kind::wgmma);
    if (name == "CON" && (arch() == Arch::c11 || arch() == Arch::opencl)) return order(e) == Order::consume;
    if (name == "CON") return proxy(e) == litmus::Proxy::constant;
    const bool local = name == "LOCAL";
    if (!local && name != "GLOBAL") return false;
    if (is_memory(e)) return (space(e) == Space::shared) == local;
    return semantics(e).empty() || semantics(e).has(local ? Space::shared : Space::global);
  }

  bool in_fences(const std::string& name, int e) const {
    const auto* f = fence(e);
    if (f == nullptr) return false;
    if (const std::string word = named_fence(name); !word.empty()) return litmus::to_string(f->name) == word;
    static const std::map<std::string, Kind> kinds = {
        {"PROXY", Kind::proxy},          {"MEMBAR", Kind::membar},
        {"MFENCE", Kind::mfence},        {"SFENCE", Kind::sfence},
        {"LFENCE", Kind::lfence},        {"ISB", Kind::isb},
        {"AVDEVICE", Kind::av_device},   {"VISDEVICE", Kind::vis_device},
        {"MBINIT", Kind::mbarrier_init}, {"TCBEFORE", Kind::tensor_before},
        {"TCAFTER", Kind::tensor_after}};
    const auto found = kinds.find(name);
    return found != kinds.end() ? f->kind == found->second : name == arm_name(*f);
  }

  // Outside Vulkan every access has class 0 and is not private, and synchronisation applies to every class.
  bool in_vulkan(const std::string& name, int e) const {
    const bool vulkan = arch() == Arch::vulkan;
    const char kind = at(e).kind;
    static constexpr Space kClasses[] = {Space::storage0, Space::storage1, Space::storage2, Space::storage3};
    if (name == "SC0" || name == "SC1" || name == "SC2" || name == "SC3") {
      if (!is_access(e)) return false;
      return vulkan ? space(e) == kClasses[last_digit(name)] : name == "SC0";
    }
    if (name.starts_with("SEMSC")) {
      const bool synchronises = kind == 'R'   ? acquires(e)
                                : kind == 'W' ? releases(e)
                                              : kind != 'I' && order(e) != Order::plain;
      if (!synchronises) return false;
      return !vulkan || semantics(e).has(kClasses[last_digit(name)]);
    }
    if (name == "NONPRIV") return is_access(e) && (!vulkan || is_atomic(e) || tags(e).has(Tag::non_private));
    if (name == "AV") return kind == 'W' && (is_atomic(e) || tags(e).has(Tag::available));
    if (name == "VIS") return kind == 'R' && (is_atomic(e) || tags(e).has(Tag::visible));
    if (name == "SEMAV" && kind != 'R' && kind != 'I') {
      return vulkan ? order(e) != Order::plain && tags(e).has(Tag::available) : releases(e);
    }
    if (name == "SEMVIS" && kind != 'W' && kind != 'I') {
      return vulkan ? order(e) != Order::plain && tags(e).has(Tag::visible) : acquires(e);
    }
    return false;
  }

  // ---- relations ----

  static bool pair(const Matrix& m, int a, int b) {
    return m[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }

  bool together(int a, int b, Scope level) const {
    if (at(a).thread < 0 || at(b).thread < 0) return false;
    return tree_.together({static_cast<std::uint32_t>(at(a).thread)}, {static_cast<std::uint32_t>(at(b).thread)},
                          level);
  }

  // The name that decides the virtual address: aliases through the generic proxy have one of their own.
  int virtual_name(int e) const {
    litmus::LocationId id{static_cast<std::uint32_t>(at(e).name)};
    while ((*x_.test)[id].alias_of && (*x_.test)[id].proxy != litmus::Proxy::generic) id = *(*x_.test)[id].alias_of;
    return static_cast<int>(id.index);
  }

  // PTX ISA, "bar, barrier": a CTA has its own resources, which operand a numbers; "bar.warp.sync" waits for lanes of a
  // warp, "barrier.cluster" for all threads of a cluster. OpenCL C, "Synchronization Functions": work_group_barrier and
  // sub_group_barrier. SPIR-V, OpControlBarrier: the invocations in the Execution scope. Two barriers of one kind in
  // two warps, CTAs or clusters are two.
  bool one_barrier(int a, int b) const {
    const litmus::Barrier &first = *barrier(a), &second = *barrier(b);
    return first.scope == second.scope && first.id == second.id && first.name == second.name &&
           together(a, b, first.scope);
  }

  // "bar, barrier": a barrier that completes is reinitialised, so a thread's next arrival is at its next phase.
  // "barrier.cluster": .wait waits for the arrivals of the phase that the thread arrived in; bar.sync does both.
  int phase(int e) const {
    int arrived = 0;
    int waited = 0;
    for (int own = 0; own <= e; ++own) {
      if (at(own).kind != 'B' || at(own).thread != at(e).thread || !one_barrier(own, e)) continue;
      arrived += barrier(own)->kind != litmus::Barrier::Kind::wait ? 1 : 0;
      waited += barrier(own)->kind != litmus::Barrier::Kind::arrive ? 1 : 0;
    }
    return barrier(e)->kind == litmus::Barrier::Kind::wait ? waited : arrived;
  }

  bool meet(int a, int b) const {
    return at(a).kind == 'B' && at(b).kind == 'B' && one_barrier(a, b) && phase(a) == phase(b);
  }

  bool synchronises(int a, int b) const {
    if (!meet(a, b) || barrier(b)->kind == litmus::Barrier::Kind::arrive) return false;
    if (barrier(a)->kind == litmus::Barrier::Kind::wait) return false;
    int participants = 0;
    for (int other = 0; other < size(); ++other) participants += meet(a, other);
    const auto& quorum = barrier(a)->quorum;
    return !quorum || std::get<Value>(*quorum).number >= participants;
  }

  bool one_cell(int a, int b) const {
    return x_.same_location(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  }

  // Halves of one read-modify-write.
  bool halves(int r, int w) const {
    return at(w).rmw_operation >= 0 && at(w).rmw_operation == at(r).operation && one_instruction(r, w);
  }

  bool one_instruction(int a, int b) const { return at(a).source != nullptr && at(a).source == at(b).source; }

  // One step of a read's influence: through registers, through memory, within a read-modify-write.
  bool influences(int a, int b) const {
    if (pair(x_.addr, a, b) || pair(x_.data, a, b) || pair(x_.pick_addr, a, b) || pair(x_.pick_data, a, b)) return true;
    if (halves(a, b)) {
      return std::get<litmus::Rmw>(at(a).source->operation).op != litmus::RmwOp::exch;
    }
    if (at(a).kind != 'W' || at(b).kind != 'R' || !pair(x_.po, a, b) || !one_cell(a, b)) return false;
    for (int between = 0; between < size(); ++between) {
      if (pair(x_.po, a, between) && pair(x_.po, between, b) && at(between).kind == 'W' && one_cell(between, a)) {
        return false;
      }
    }
    return true;
  }

  // Any number of steps of influence, then a last one of the named kind.
  bool picks(const std::string& name, int a, int b) const {
    const bool last = name == "pick-basic-dep"  ? influences(a, b)
                      : name == "pick-addr-dep" ? pair(x_.addr, a, b) || pair(x_.pick_addr, a, b)
                      : name == "pick-data-dep" ? pair(x_.data, a, b) || pair(x_.pick_data, a, b)
                                                : pair(x_.ctrl, a, b) || pair(x_.pick_ctrl, a, b);
    if (last) return true;
    for (int next = a + 1; next < size(); ++next) {
      if (influences(a, next) && picks(name, next, b)) return true;
    }
    return false;
  }

  using Relates = std::function<bool(int, int)>;

  // The meaning of a relation's name.
  Relates meaning(const std::string& name) const {
    static const std::map<std::string, Matrix Execution::*> matrices = {{"po", &Execution::po},
                                                                        {"rf", &Execution::rf},
                                                                        {"co", &Execution::co},
                                                                        {"addr", &Execution::addr},
                                                                        {"data", &Execution::data},
                                                                        {"ctrl", &Execution::ctrl},
                                                                        {"arm-ctrl", &Execution::arm_ctrl},
                                                                        {"rmw", &Execution::rmw},
                                                                        {"issue", &Execution::issue},
                                                                        {"complete", &Execution::complete}};
    static const std::map<std::string, Scope> levels = {{"ssg", Scope::subgroup},   {"swg", Scope::workgroup},
                                                        {"scta", Scope::workgroup}, {"scluster", Scope::cluster},
                                                        {"sdv", Scope::device},     {"sqf", Scope::queue_family},
                                                        {"sgpu", Scope::device}};
    if (const auto found = matrices.find(name); found != matrices.end()) {
      return [&m = x_.*found->second](int a, int b) { return pair(m, a, b); };
    }
    if (const auto found = levels.find(name); found != levels.end()) {
      return [this, level = found->second](int a, int b) { return together(a, b, level); };
    }
    if (name.starts_with("pick-")) {
      return [this, name](int a, int b) { return at(a).kind == 'R' && picks(name, a, b); };
    }
    const auto found = meanings().find(name);
    return found == meanings().end()
               ? Relates()
               : Relates([this, related = found->second](int a, int b) { return related(*this, a, b); });
  }

  using Related = bool (*)(const NaiveNames&, int, int);

  static const std::map<std::string, Related>& meanings() {
    static const std::map<std::string, Related> known = {
        {"loc", [](const NaiveNames& x, int a, int b) { return x.one_cell(a, b); }},
        {"vloc",
         [](const NaiveNames& x, int a, int b) { return x.one_cell(a, b) && x.virtual_name(a) == x.virtual_name(b); }},
        {"int",
         [](const NaiveNames& x, int a, int b) {
           return x.at(a).thread >= 0 && x.at(a).thread == x.at(b).thread && x.at(a).agent == x.at(b).agent;
         }},
        {"ext", [](const NaiveNames& x, int a,
                   int b) { return x.x_.external(static_cast<std::size_t>(a), static_cast<std::size_t>(b)); }},
        {"id", [](const NaiveNames&, int a, int b) { return a == b; }},
        {"sys", [](const NaiveNames&, int, int) { return true; }},
        {"sr",
         [](const NaiveNames& x, int a, int b) {
           return x.scope(a) && x.scope(b) && x.together(a, b, *x.scope(a)) && x.together(a, b, *x.scope(b));
         }},
        {"syncbar", [](const NaiveNames& x, int a, int b) { return x.synchronises(a, b); }},
        {"si", [](const NaiveNames& x, int a, int b) { return x.at(a).operation == x.at(b).operation; }},
        {"sm", [](const NaiveNames& x, int a, int b) { return x.at(a).operation == x.at(b).operation; }},
        {"same-instance",
         [](const NaiveNames& x, int a, int b) {
           return x.at(a).operation == x.at(b).operation || x.halves(a, b) || x.halves(b, a);
         }},
        {"same-bytes", [](const NaiveNames& x, int a, int b) { return x.overlap_completely(a, b); }},
        {"amo",
         [](const NaiveNames& x, int a, int b) { return pair(x.x_.rmw, a, b) && x.at(a).source == x.at(b).source; }},
        {"lxsx",
         [](const NaiveNames& x, int a, int b) { return pair(x.x_.rmw, a, b) && x.at(a).source != x.at(b).source; }},
        {"fence-of-proxy",
         [](const NaiveNames& x, int a, int b) {
           const auto* f = x.fence(b);
           return x.is_access(a) && f != nullptr && f->kind == Kind::proxy && f->proxy == x.proxy(a) &&
                  f->order == Order::seq_cst && x.covers(*f, a);
         }},
        {"fence-into-proxy",
         [](const NaiveNames& x, int a, int b) {
           const auto* f = x.fence(a);
           return x.is_access(b) && f != nullptr && f->kind == Kind::proxy && f->proxy == x.proxy(b) && x.covers(*f, b);
         }},
        {"cluster-barrier", [](const NaiveNames& x, int a,
                               int b) { return x.synchronises(a, b) && x.barrier(a)->scope == Scope::cluster; }},
        {"later", [](const NaiveNames& x, int a, int b) { return x.is_later(a, b); }},
        {"tcpipe", [](const NaiveNames& x, int a, int b) { return x.is_pipelined(a, b); }},
        {"launch", [](const NaiveNames& x, int a, int b) { return x.waits_for_grid(a, b); }},
        {"start", [](const NaiveNames& x, int a, int b) { return x.starts_grid(a, b); }},
        {"ssw", [](const NaiveNames& x, int a, int b) { return x.system_synchronises(a, b); }},
    };
    return known;
  }

  bool overlap_completely(int a, int b) const {
    const bool same = at(a).access_offset == at(b).access_offset && at(a).access_size == at(b).access_size;
    return one_cell(a, b) && (same || at(a).kind == 'I' || at(b).kind == 'I');
  }

  // A proxy fence may be for shared memory alone, or for all other.
  bool covers(const litmus::Fence& f, int e) const {
    if (is_map_fence(f)) return f.map && static_cast<int>(f.map->index) == at(e).location;
    const bool shared = x_.test->locations[static_cast<std::size_t>(at(e).location)].space == Space::shared;
    return f.semantics.empty() || f.semantics.has(shared ? Space::shared : Space::global);
  }

  bool waits_for_grid(int a, int b) const {
    if (at(a).thread < 0 || at(b).kind != 'F') return false;
    const auto* control = std::get_if<litmus::AsyncControl>(&at(b).source->operation);
    if (control == nullptr || control->kind != litmus::AsyncControl::Kind::wait_grids) return false;
    for (const auto& [from, to] : tree_.launches) {
      if (at(a).thread == static_cast<int>(from.index) && at(b).thread == static_cast<int>(to.index)) return true;
    }
    return false;
  }

  bool is_launch(int e) const {
    if (at(e).kind != 'F') return false;
    const auto* control = std::get_if<litmus::AsyncControl>(&at(e).source->operation);
    return control != nullptr && control->kind == litmus::AsyncControl::Kind::launch_dependents;
  }

  bool starts_grid(int a, int b) const {
    if (!is_launch(a) || at(b).thread < 0) return false;
    for (int other = 0; other < size(); ++other) {
      const bool neighbour = is_launch(other) && at(other).thread != at(a).thread;
      if (neighbour && together(other, a, Scope::workgroup)) return false;
    }
    for (const auto& [from, to] : tree_.launches) {
      if (at(a).thread == static_cast<int>(from.index) && at(b).thread == static_cast<int>(to.index)) return true;
    }
    return false;
  }

  bool system_synchronises(int a, int b) const {
    for (const auto& [from, to] : tree_.system_synchronizes) {
      if (at(a).thread == static_cast<int>(from.index) && at(b).thread == static_cast<int>(to.index)) return true;
    }
    return false;
  }

  const Execution& x_;
  std::uint64_t frame_ = x_.frame;
  litmus::ScopeTree tree_;
  std::unordered_map<std::string, NaiveSet> sets_;
  std::unordered_map<std::string, NaiveRelation> relations_;
};

}  // namespace weakspot::tests
