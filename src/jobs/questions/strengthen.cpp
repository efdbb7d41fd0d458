// SPDX-License-Identifier: MIT
#include "questions/strengthen.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/sort.h"
#include "gen/minimal.h"
#include "litmus/dialect.h"
#include "litmus/normalize.h"
#include "questions/strengthen/vocabulary.h"

namespace weakspot::questions {
namespace {

using litmus::Access;
using litmus::Arch;
using litmus::Fence;
using litmus::FenceKind;
using litmus::Instruction;
using litmus::LitmusTest;
using litmus::Order;
using litmus::Proxy;
using litmus::Scope;
using litmus::Tag;

// Sets of gaps that one barrier may be put into.
constexpr std::size_t kMostMeetings = 9;

std::size_t order_cost(Order order) { return static_cast<std::size_t>(gen::rank(order)); }

// Collects the places of one test.
class Places {
 public:
  Places(const LitmusTest& test, const model::Model& model)
      : test_(test), trial_(test), words_(vocabulary(test, model)), gaps_(test.threads.size()) {
    trial_.expectations.clear();
  }

  std::vector<Place> find(bool with_barriers) {
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      bool accessed = false;
      const std::vector<Instruction>& instructions = test_.threads[t].instructions;
      for (std::uint32_t i = 0; i < instructions.size(); ++i) {
        const bool access = litmus::access_of(instructions[i]) != nullptr;
        const bool reaches_memory = access || litmus::is_asynchronous(instructions[i]);
        if (reaches_memory && !accessed) gaps_[t].first = i;
        if (reaches_memory && (accessed || !access)) {
          gaps(litmus::ThreadId{t}, i);
          gaps_[t].between.push_back(i);
          if (access) dependencies(litmus::ThreadId{t}, i);
        }
        // What comes before a barrier reaches the threads that meet at it.
        if (accessed && std::holds_alternative<litmus::Barrier>(instructions[i].operation))
          gaps(litmus::ThreadId{t}, i);
        if (reaches_memory && !accessed) wait_for_grids(litmus::ThreadId{t}, i);
        if (i > 0) complete(litmus::ThreadId{t}, i, instructions[i - 1]);
        prepare(litmus::ThreadId{t}, i, i > 0 ? &instructions[i - 1] : nullptr, instructions[i]);
        order_tensors(litmus::ThreadId{t}, i);
        accessed = accessed || reaches_memory;
        replace(litmus::ThreadId{t}, i, instructions[i]);
      }
    }
    if (words_.barriers && with_barriers) barriers();
    return std::move(found_);
  }

 private:
  void add(Place place) {
    std::erase_if(place.alternatives, [&](const Alternative& alternative) { return !is_valid(place, alternative); });
    base::sort(place.alternatives, [](const Alternative& a, const Alternative& b) { return a.cost < b.cost; });
    if (!place.alternatives.empty()) found_.push_back(std::move(place));
  }

  bool is_valid(const Place& place, const Alternative& alternative) {
    if (alternative.dependency || !place.also.empty()) {
      const LitmusTest stronger =
          strengthened(test_, {{place.thread, place.instruction, place.gap, place.also, {alternative}}}, {{0, 0}});
      if (!litmus::validate(stronger).empty()) return false;
      return !alternative.dependency || litmus::print(stronger, litmus::dialect_of(test_.arch)).ok();
    }
    // Most alternatives are of this kind, and copies of the test would take most of the time.
    std::vector<Instruction>& instructions = trial_.threads[place.thread.index].instructions;
    const std::vector<Instruction> before = instructions;
    if (place.gap) {
      instructions.insert(instructions.begin() + place.instruction, alternative.instruction);
    } else {
      instructions[place.instruction] = alternative.instruction;
    }
    const bool valid = litmus::validate(trial_).empty();
    instructions = before;
    return valid;
  }

  std::size_t scope_rank(Scope scope) const {
    const auto at = std::find(words_.scopes.begin(), words_.scopes.end(), scope);
    return static_cast<std::size_t>(at - words_.scopes.begin());
  }

  litmus::Spaces storage_classes() const {
    litmus::Spaces all;
    for (const litmus::Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const Access* access = litmus::access_of(instruction);
        if (access != nullptr && access->space != litmus::Space::none) all.insert(access->space);
      }
    }
    for (const litmus::Location& location : test_.locations) {
      if (location.space != litmus::Space::none) all.insert(location.space);
    }
    return all;
  }

  // ---- accesses and fences of the test ----

  void replace(litmus::ThreadId thread, std::uint32_t index, const Instruction& instruction) {
    if (const auto* fence = std::get_if<Fence>(&instruction.operation))
      return replace_fence(thread, index, instruction, *fence);
    if (const auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation)) {
      return replace_mbarrier(thread, index, instruction, *mbarrier);
    }
    if (std::vector<Alternative> waits = waits_for_more(instruction); !waits.empty()) {
      return add({thread, index, false, {}, std::move(waits)});
    }
    const Access* access = litmus::access_of(instruction);
    if (access == nullptr) return;
    Place place{thread, index, false, {}, {}};
    const std::vector<Order>& orders = std::holds_alternative<litmus::Load>(instruction.operation)    ? words_.loads
                                       : std::holds_alternative<litmus::Store>(instruction.operation) ? words_.stores
                                                                                                      : words_.updates;
    std::vector<Order> with_own{access->order};
    std::copy_if(orders.begin(), orders.end(), std::back_inserter(with_own),
                 [&](Order order) { return order != access->order; });
    const bool scoped = access->order != Order::plain;
    for (Order order : with_own) {
      if (!litmus::at_most_as_strong(access->order, order)) continue;
      for (Scope scope : words_.scopes) {
        const bool same = order == access->order && (scope == access->scope || order == Order::plain);
        if (same || (scoped && scope < access->scope)) continue;
        place.alternatives.push_back(stronger(instruction, order, scope));
      }
      // A scope that is wider than the test needs stays.
      const bool own_scope =
          std::find(words_.scopes.begin(), words_.scopes.end(), access->scope) != words_.scopes.end();
      if (scoped && !own_scope && order != access->order) {
        place.alternatives.push_back(stronger(instruction, order, access->scope));
      }
    }
    if (test_.arch == Arch::x86_64) exchange(place, instruction);
    add(std::move(place));
  }

  // A release or acquire instead of a relaxed operation, and the cluster instead of the workgroup.
  void replace_mbarrier(litmus::ThreadId thread, std::uint32_t index, const Instruction& instruction,
                        const litmus::Mbarrier& mbarrier) {
    Place place{thread, index, false, {}, {}};
    for (const bool ordered : {false, true}) {
      for (const bool wide : {false, true}) {
        if (ordered && mbarrier.order == litmus::default_order(mbarrier.op)) continue;
        if ((wide && mbarrier.scope >= Scope::cluster) || (!ordered && !wide)) continue;
        litmus::Mbarrier changed = mbarrier;
        if (ordered) changed.order = litmus::default_order(mbarrier.op);
        if (wide) changed.scope = Scope::cluster;
        Alternative result{instruction, changed.order, changed.scope, ordered && wide ? 2u : 1u};
        result.instruction.operation = changed;
        place.alternatives.push_back(std::move(result));
      }
    }
    add(std::move(place));
  }

  // A wait for all groups, and for what they write; an arrival at a cluster barrier that releases.
  static std::vector<Alternative> waits_for_more(const Instruction& instruction) {
    using Control = litmus::AsyncControl::Kind;
    if (const auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation)) {
      const bool relaxed = barrier->kind == litmus::Barrier::Kind::arrive && barrier->order == Order::relaxed;
      if (!relaxed) return {};
      Instruction stronger = instruction;
      std::get<litmus::Barrier>(stronger.operation).order = Order::plain;
      return {{stronger, Order::relaxed, Scope::device, 1}};
    }
    const auto* control = std::get_if<litmus::AsyncControl>(&instruction.operation);
    if (control == nullptr || (control->kind != Control::wait && control->kind != Control::wait_read)) return {};
    return waits(instruction, control->engine, control->kind == Control::wait_read, control->pending);
  }

  // Waits that wait for more than `given`, which waits for reads only, or for all but the youngest groups, or both.
  static std::vector<Alternative> waits(const Instruction& given, litmus::AsyncEngine engine, bool reads,
                                        std::int64_t pending) {
    using Control = litmus::AsyncControl::Kind;
    std::vector<Alternative> result;
    for (const Kept more : std::initializer_list<Kept>{1, 2, 3}) {
      const bool all_groups = (more & 1) != 0, writes = (more & 2) != 0;
      if ((all_groups && pending == 0) || (writes && !reads)) continue;
      Instruction stronger = given;
      stronger.operation =
          litmus::AsyncControl{reads && !writes ? Control::wait_read : Control::wait, engine, all_groups ? 0 : pending};
      result.push_back({std::move(stronger), Order::relaxed, Scope::device, more == 3 ? 2u : 1u, more});
    }
    return result;
  }

  void insert(litmus::ThreadId thread, std::uint32_t before, litmus::Operation operation) {
    add({thread, before, true, {}, {{{std::move(operation), {}, {}}, Order::relaxed, Scope::device, 2}}});
  }

  // Offers completion of the instruction before the gap: a wait for a group, a fence of an initialised mbarrier.
  void complete(litmus::ThreadId thread, std::uint32_t before, const Instruction& done) {
    using Control = litmus::AsyncControl::Kind;
    const auto* control = std::get_if<litmus::AsyncControl>(&done.operation);
    if (control != nullptr && control->kind == Control::commit) {
      const litmus::AsyncControl read{Control::wait_read, control->engine, 0}, all{Control::wait, control->engine, 0};
      Place place{thread, before, true, {}, {}};
      // Only bulk copies have a wait for what they read.
      if (control->engine == litmus::AsyncEngine::bulk) {
        place.alternatives.push_back({{read, {}, {}}, Order::relaxed, Scope::device, 1, 1});
      }
      place.alternatives.push_back({{all, {}, {}}, Order::relaxed, Scope::device, 2, 3});
      add(std::move(place));
    }
    const auto* mbarrier = std::get_if<litmus::Mbarrier>(&done.operation);
    if (mbarrier != nullptr && mbarrier->op == litmus::MbarrierOp::init) {
      insert(thread, before, Fence{.kind = FenceKind::mbarrier_init});
    }
    const Access* access = litmus::access_of(done);
    if (access != nullptr && litmus::is_tensor(*access)) {
      const bool load = std::holds_alternative<litmus::Load>(done.operation);
      insert(thread, before,
             litmus::AsyncControl{Control::wait, load ? litmus::AsyncEngine::tcld : litmus::AsyncEngine::tcst, 0});
    }
  }

  // What tells other threads that this one has come here.
  static bool tells(const Instruction& instruction) {
    const Access* access = litmus::access_of(instruction);
    const auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation);
    const auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation);
    if (access != nullptr) {
      return access->order != Order::plain && !std::holds_alternative<litmus::Load>(instruction.operation);
    }
    if (mbarrier != nullptr)
      return mbarrier->op == litmus::MbarrierOp::arrive || mbarrier->op == litmus::MbarrierOp::drop;
    return barrier != nullptr && barrier->kind != litmus::Barrier::Kind::wait;
  }

  // In threads that work on tensor memory: the fence before what tells others, and the one after before each operation.
  void order_tensors(litmus::ThreadId thread, std::uint32_t before) {
    const std::vector<Instruction>& code = test_.threads[thread.index].instructions;
    const auto works = [](const Instruction& instruction) {
      const auto* copy = std::get_if<litmus::AsyncCopy>(&instruction.operation);
      const Access* access = litmus::access_of(instruction);
      return (copy != nullptr && litmus::is_tensor(copy->engine)) || (access != nullptr && litmus::is_tensor(*access));
    };
    if (works(code[before])) insert(thread, before, Fence{.kind = FenceKind::tensor_after});
    const auto here = code.begin() + static_cast<std::ptrdiff_t>(before);
    if (tells(code[before]) && std::any_of(code.begin(), here, works)) {
      insert(thread, before, Fence{.kind = FenceKind::tensor_before});
    }
  }

  // Before a product its fence, before a copy that a tensor map describes the acquire, and behind a store of an
  // address, which may be such a map, the release.
  void prepare(litmus::ThreadId thread, std::uint32_t before, const Instruction* done, const Instruction& next) {
    const auto* copy = std::get_if<litmus::AsyncCopy>(&next.operation);
    const bool product = copy != nullptr && copy->engine == litmus::AsyncEngine::wgmma;
    if (product) return insert(thread, before, Fence{.kind = FenceKind::wgmma});
    Fence fence{.kind = FenceKind::proxy, .order = Order::release, .proxy = Proxy::tensormap};
    const auto* store = done == nullptr ? nullptr : std::get_if<litmus::Store>(&done->operation);
    const auto* stored = store == nullptr ? nullptr : std::get_if<litmus::Value>(&store->value);
    if (stored != nullptr && stored->base && words_.proxies.contains(Proxy::tensormap)) insert(thread, before, fence);
    fence.order = Order::acquire;
    if (copy != nullptr && copy->mapped) fence.map = copy->from.location;
    if (fence.map) insert(thread, before, fence);
  }

  // Before the first access of a dependent grid.
  void wait_for_grids(litmus::ThreadId thread, std::uint32_t before) {
    if (!test_.scopes) return;
    for (const auto& launch : test_.scopes->launches) {
      if (launch.second != thread) continue;
      return insert(thread, before, litmus::AsyncControl{litmus::AsyncControl::Kind::wait_grids});
    }
  }

  Alternative stronger(const Instruction& instruction, Order order, Scope scope) const {
    Alternative result{instruction, order, scope, 0};
    Access& access = *litmus::access_of(result.instruction);
    const Order before = access.order;
    access.order = order;
    access.scope = scope;
    if (before == Order::plain && order != Order::plain) access.tags = {};
    if (words_.storage_classes && (litmus::is_acquire(order) || litmus::is_release(order))) {
      access.semantics = storage_classes();
      if (litmus::is_release(order)) access.tags.insert(Tag::available);
      if (litmus::is_acquire(order)) access.tags.insert(Tag::visible);
    }
    result.cost = order_cost(order) - order_cost(before) + scope_rank(scope) + 1;
    return result;
  }

  // A store that drains the store buffer.
  static void exchange(Place& place, const Instruction& instruction) {
    const auto* store = std::get_if<litmus::Store>(&instruction.operation);
    if (store == nullptr) return;
    Alternative result{instruction, Order::seq_cst, Scope::device, 3};
    litmus::Rmw rmw;
    rmw.access = store->access;
    rmw.access.order = Order::seq_cst;
    rmw.operand = store->value;
    result.instruction.operation = rmw;
    place.alternatives.push_back(std::move(result));
  }

  void replace_fence(litmus::ThreadId thread, std::uint32_t index, const Instruction& instruction, const Fence& fence) {
    Place place{thread, index, false, {}, {}};
    if (fence.kind != FenceKind::order && fence.kind != FenceKind::membar) {
      const auto own = std::find_if(words_.cpu_fences.begin(), words_.cpu_fences.end(),
                                    [&](const CpuFence& known) { return known.fence == fence; });
      if (own != words_.cpu_fences.end()) add_cpu_fences(place, own->kept);
      return add(std::move(place));
    }
    std::vector<Order> orders{fence.order};
    if (fence.kind == FenceKind::order) {
      std::copy_if(words_.fences.begin(), words_.fences.end(), std::back_inserter(orders),
                   [&](Order order) { return order != fence.order; });
    }
    for (Order order : orders) {
      if (!litmus::at_most_as_strong(fence.order, order)) continue;
      for (Scope scope : words_.scopes) {
        if ((order == fence.order && scope == fence.scope) || scope < fence.scope) continue;
        Alternative result{instruction, order, scope,
                           order_cost(order) - order_cost(fence.order) + scope_rank(scope) + 1};
        auto& stronger_fence = std::get<Fence>(result.instruction.operation);
        stronger_fence.order = order;
        stronger_fence.scope = scope;
        place.alternatives.push_back(std::move(result));
      }
    }
    add(std::move(place));
  }

  // ---- fences between accesses ----

  void gaps(litmus::ThreadId thread, std::uint32_t before) {
    Place place{thread, before, true, {}, {}};
    for (Order order : words_.fences) {
      for (Scope scope : words_.scopes) {
        place.alternatives.push_back(
            {{fence(order, scope), {}, {}}, order, scope, order_cost(order) + scope_rank(scope) + 1});
      }
    }
    add_cpu_fences(place, 0);
    add(std::move(place));
    for (Proxy proxy : words_.proxies) {
      Fence of_proxy;
      of_proxy.kind = FenceKind::proxy;
      of_proxy.proxy = proxy;
      of_proxy.scope = Scope::device;
      add({thread, before, true, {}, {{{of_proxy, {}, {}}, Order::relaxed, Scope::device, 2}}});
    }
  }

  // Adds the CPU fences that keep more in order than `than`.
  void add_cpu_fences(Place& place, Kept than) const {
    for (const CpuFence& known : words_.cpu_fences) {
      if (known.kept == than || (than & ~known.kept) != 0) continue;
      const std::size_t cost = 2 + 2 * std::bitset<8>(known.kept).count();
      place.alternatives.push_back({{known.fence, {}, {}}, Order::relaxed, Scope::device, cost, known.kept});
    }
  }

  // Cheaper than a fence: nothing has to wait but the access itself.
  void dependencies(litmus::ThreadId thread, std::uint32_t access) {
    for (const std::vector<Dependency>& group : possible_dependencies(test_, thread, access)) {
      Place place{thread, access, false, {}, {}};
      for (const Dependency& one : group) {
        const std::size_t number = place.alternatives.size() + 1;
        const auto kept = static_cast<Kept>((1u << number) - 1);  // all that those before keep, and more
        place.alternatives.push_back(
            {test_[thread].instructions[access], Order::relaxed, Scope::device, number, kept, one});
      }
      add(std::move(place));
    }
  }

  // A barrier that all threads of the test meet at, between two accesses of each, or beside the only one.
  void barriers() {
    if (test_.threads.size() < 2) return;
    const litmus::ScopeTree tree = test_.scope_tree();
    std::vector<std::vector<Spot>> meetings{{}};
    bool alone = !words_.fences.empty();
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      if (!tree.together(litmus::ThreadId{0}, litmus::ThreadId{t}, Scope::workgroup)) return;
      std::vector<std::uint32_t> spots = gaps_[t].between;
      if (spots.empty()) {
        spots = {gaps_[t].first, static_cast<std::uint32_t>(test_.threads[t].instructions.size())};
        alone = true;
      }
      std::vector<std::vector<Spot>> more;
      for (const std::vector<Spot>& meeting : meetings) {
        for (std::uint32_t before : spots) {
          more.push_back(meeting);
          more.back().push_back({litmus::ThreadId{t}, before});
        }
      }
      meetings = std::move(more);
      if (meetings.size() > kMostMeetings) return;
    }
    for (const std::vector<Spot>& meeting : meetings) {
      const Spot first = meeting.front();
      add({first.thread,
           first.instruction,
           true,
           {meeting.begin() + 1, meeting.end()},
           {{{barrier(), {}, {}}, Order::acq_rel, Scope::workgroup, 2}},
           alone});
    }
  }

  litmus::Barrier barrier() const {
    litmus::Barrier result;
    if (test_.arch == Arch::opencl) result.semantics = {litmus::Space::global, litmus::Space::shared};
    if (test_.arch != Arch::vulkan) return result;
    result.order = Order::acq_rel;
    result.semantics = storage_classes();
    result.tags.insert(Tag::available);
    result.tags.insert(Tag::visible);
    return result;
  }

  Fence fence(Order order, Scope scope) const {
    Fence result;
    result.order = order;
    result.scope = scope;
    switch (test_.arch) {
      case Arch::ptx2015:
        result.kind = FenceKind::membar;
        break;
      case Arch::x86_64:
        result.kind = FenceKind::mfence;
        break;
      case Arch::vulkan:
        result.semantics = storage_classes();
        if (litmus::is_release(order)) result.tags.insert(Tag::available);
        if (litmus::is_acquire(order)) result.tags.insert(Tag::visible);
        break;
      case Arch::opencl:
        result.semantics = {litmus::Space::global, litmus::Space::shared};
        break;
      default:
        break;
    }
    return result;
  }

  const LitmusTest& test_;
  LitmusTest trial_;  // the same, except while an alternative is tried
  const Vocabulary words_;
  struct Gaps {
    std::uint32_t first = 0;             // before the first access
    std::vector<std::uint32_t> between;  // before the others
  };
  std::vector<Gaps> gaps_;  // by thread
  std::vector<Place> found_;
};

}  // namespace

bool at_most_as_strong(const Alternative& a, const Alternative& b) {
  return litmus::at_most_as_strong(a.order, b.order) && a.scope <= b.scope && (a.kept & ~b.kept) == 0;
}

std::vector<Place> places_to_strengthen(const LitmusTest& test, const model::Model& model, bool barriers) {
  return Places(test, model).find(barriers);
}

LitmusTest strengthened(const LitmusTest& test, const std::vector<Place>& places, const Changes& changes) {
  enum class Kind : std::uint8_t { insert, depend, replace };
  struct Edit {
    Spot spot;
    Kind kind;
    std::size_t place;
    const Alternative* alternative;
  };
  std::vector<Edit> edits;
  for (const Change& change : changes) {
    const Place& place = places[change.place];
    const Alternative* alternative = &place.alternatives[change.alternative];
    const Kind kind = place.gap ? Kind::insert : alternative->dependency ? Kind::depend : Kind::replace;
    edits.push_back({{place.thread, place.instruction}, kind, change.place, alternative});
    for (const Spot& spot : place.also) edits.push_back({spot, kind, change.place, alternative});
  }
  // From the end, so that the positions before stay true; an access is replaced before it is made dependent.
  base::sort(edits, [](const Edit& a, const Edit& b) {
    auto position = [](const Edit& edit) { return std::tuple(edit.spot.instruction, edit.kind, edit.place); };
    return position(a) > position(b);
  });
  LitmusTest result = test;
  result.expectations.clear();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> moved;  // accesses, by what stands before them now
  for (const Edit& edit : edits) {
    const auto [thread, at] = edit.spot;
    std::vector<Instruction>& instructions = result.threads[thread.index].instructions;
    if (edit.kind == Kind::insert) {
      instructions.insert(instructions.begin() + at, edit.alternative->instruction);
    } else if (edit.kind == Kind::replace) {
      instructions[at] = edit.alternative->instruction;
    } else {
      std::uint32_t& inserted = moved[{thread.index, at}];
      inserted += add_dependency(result, thread, at + inserted, *edit.alternative->dependency);
    }
  }
  if (!moved.empty()) litmus::normalize(result);  // new registers are numbered where they are used
  return result;
}

}  // namespace weakspot::questions
