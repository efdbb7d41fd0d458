// SPDX-License-Identifier: MIT
#include "litmus/ptx/ptx_printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/text/columns.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

std::string join(const std::vector<std::string>& items) {
  std::string line;
  for (const std::string& item : items) line += fmt::format(" {};", item);
  return items.empty() ? line : line + "\n";
}

// The types that the reader infers for locations if the text gives none.
std::vector<Type> inferred_types(const LitmusTest& test) {
  TestBuilder builder;
  builder.test = test;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    builder.test.locations[i].type = Type::s32;
    if (test.locations[i].initial.base) builder.give_type(LocationId{i}, Type::s64);
  }
  infer_location_types(builder);
  std::vector<Type> types;
  for (const Location& location : builder.test.locations) types.push_back(location.type);
  return types;
}

}  // namespace

PtxPrinter::PtxPrinter(const LitmusTest& test, PtxEdition edition)
    : test_(test), edition_(edition), inferred_(inferred_types(test)) {}

std::string PtxPrinter::print() {
  std::vector<std::string> locations;
  for (std::uint32_t i = 0; i < test_.locations.size(); ++i) locations.push_back(location_item(LocationId{i}));
  std::string init = join(locations);
  std::vector<std::vector<std::string>> columns;
  for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
    thread_ = &test_.threads[t];
    start_thread();
    std::vector<std::string> cells;
    for (const Instruction& instruction : thread_->instructions) cells.push_back(cell(instruction));
    std::vector<std::string> column{thread_name(t)};
    init += join(end_thread(t, column));
    column.insert(column.end(), cells.begin(), cells.end());
    columns.push_back(std::move(column));
  }
  return header_text(test_, edition_ == PtxEdition::y2015 ? "GPU_PTX" : "PTX") + "{\n" + init + "}\n" +
         table_text(columns) + tail() + condition_text(test_);
}

std::string PtxPrinter::operand_text(const Operand& operand) const {
  if (const auto* id = std::get_if<RegisterId>(&operand)) return name(*id);
  return value_text(test_, std::get<Value>(operand));
}

std::string PtxPrinter::operands(const Compute& compute) const {
  return fmt::format("{}, {}{}", name(compute.target), operand_text(compute.left),
                     compute.right ? ", " + operand_text(*compute.right) : "");
}

std::string PtxPrinter::sum(const Address& address) const {
  std::string text = address.location ? test_[*address.location].name : name(*address.index);
  if (address.location && address.index) text += "+" + name(*address.index);
  if (address.offset != 0) text += fmt::format("+{}", address.offset);
  return fmt::format("[{}]", text);
}

std::string PtxPrinter::location_item(LocationId id) const {
  const Location& location = test_[id];
  std::string item;
  if (location.space != Space::none && !spaces_in_map()) {
    item += fmt::format(".{} ", ptx_space_name(location.space));
  }
  if (is_typed(id)) item += fmt::format(".{} ", to_string(location.type));
  item += location.name;
  if (location.alias_of) {
    item += fmt::format(" @ {} aliases {}", to_string(location.proxy), test_[*location.alias_of].name);
    if (location.initial == Value{}) return item;
  }
  return item + " = " + value_text(test_, location.initial);
}

std::string PtxPrinter::cell(const Instruction& instruction) {
  std::string guard;
  if (instruction.guard) {
    guard = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "", name(instruction.guard->predicate));
  }
  return guard + std::visit([this](const auto& operation) { return text(operation); }, instruction.operation);
}

std::string PtxPrinter::suffixes(const Access& access, std::string_view operation) const {
  std::string text = order(access);
  if (access.space != Space::none) text += fmt::format(".{}", base::name_of(kPtxSpaces, access.space));
  if (access.cache != CacheOp::none) text += fmt::format(".{}", to_string(access.cache));
  if (!operation.empty()) text += fmt::format(".{}", operation);
  return text + type(access);
}

std::string PtxPrinter::text(const Load& load) {
  if (is_tensor(load.access)) {
    return fmt::format("tcgen05.ld.sync.aligned.b32 {}, {}", name(load.target), sum(load.access.address));
  }
  return fmt::format("{}{} {}, {}", ptx_mnemonic(AccessKind::load, load.access.proxy), suffixes(load.access),
                     name(load.target), address(load.access.address));
}

std::string PtxPrinter::text(const Store& store) {
  const Access& access = store.access;
  if (is_tensor(access)) {
    return fmt::format("tcgen05.st.sync.aligned.b32 {}, {}", sum(access.address), operand_text(store.value));
  }
  const std::string at = address(access.address);
  const std::string value = stored(store.value, access.type);
  return fmt::format("{}{} {}, {}", ptx_mnemonic(AccessKind::store, access.proxy), suffixes(access), at, value);
}

// A reduction is a read-modify-write without a target, where PTX has one; '_' stands for the target elsewhere.
std::string PtxPrinter::text(const Rmw& rmw) {
  const bool reduction = !rmw.target && rmw.op != RmwOp::exch && rmw.op != RmwOp::cas;
  std::string line(ptx_mnemonic(AccessKind::rmw, rmw.access.proxy));
  if (reduction) line = rmw.access.proxy == Proxy::surface ? "sured" : "red";
  line += suffixes(rmw.access, to_string(rmw.op)) + " ";
  if (!reduction) line += (rmw.target ? name(*rmw.target) : "_") + ", ";
  line += address(rmw.access.address) + ", ";
  if (rmw.expected) line += operand_text(*rmw.expected) + ", ";
  return line + operand_text(rmw.operand);
}

std::string PtxPrinter::fence_text(const Fence& fence) const {
  return fmt::format("membar.{}", base::name_of(kMembarScopes, fence.scope));
}

std::string PtxPrinter::text(const Barrier& barrier) const {
  static constexpr std::string_view kModes[] = {"sync", "arrive", "wait"};
  const std::string_view mode = kModes[static_cast<std::size_t>(barrier.kind)];
  if (barrier.scope == Scope::cluster) {
    const bool bare = barrier.id == Operand(Value{});
    return fmt::format("barrier.cluster.{}{}{}", mode, barrier.order == Order::relaxed ? ".relaxed" : "",
                       bare ? "" : " " + operand_text(barrier.id));
  }
  const std::string quorum = barrier.quorum ? ", " + operand_text(*barrier.quorum) : "";
  if (barrier.name) {
    return fmt::format("bar.cta.{} {}, {}{}", mode, operand_text(barrier.id), operand_text(*barrier.name), quorum);
  }
  // Without a quorum `bar.cta` and `bar` mean the same; each dialect writes its own form.
  const bool cta = edition_ == PtxEdition::current && !barrier.quorum;
  return fmt::format("bar.{}{} {}{}", cta ? "cta." : "", mode, operand_text(barrier.id), quorum);
}

std::optional<std::vector<Scope>> ptx_levels(const ScopeTree& tree, PtxEdition edition) {
  static const std::vector<Scope> kChoices[] = {
      {Scope::device, Scope::workgroup},
      {Scope::device, Scope::cluster, Scope::workgroup},
      {Scope::device, Scope::workgroup, Scope::subgroup},
      {Scope::device, Scope::cluster, Scope::workgroup, Scope::subgroup},
  };
  for (const std::vector<Scope>& choice : kChoices) {
    // The trees of 2015 always say all of device, cta and warp.
    const bool clusters = std::find(choice.begin(), choice.end(), Scope::cluster) != choice.end();
    const bool warps = choice.back() == Scope::subgroup;
    if (edition == PtxEdition::y2015 && (clusters || !warps)) continue;
    std::vector<PartialPlacement> said(tree.placements.size());
    for (std::size_t t = 0; t < said.size(); ++t) {
      for (Scope level : choice) said[t].at(level) = tree.placements[t].at(level);
      said[t].cpu = tree.placements[t].cpu;
    }
    if (make_scope_tree(said).placements == tree.placements) return choice;
  }
  return std::nullopt;
}

std::string FreshNames::next() {
  while (true) {
    std::string name = fmt::format("{}{}", stem_, count_++);
    if (!taken_.contains(name)) return name;
  }
}

}  // namespace weakspot::litmus
