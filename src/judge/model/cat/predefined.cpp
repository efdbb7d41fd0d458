// SPDX-License-Identifier: MIT
#include "model/cat/predefined.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/sort.h"
#include "model/cat/predefined_tables.h"

namespace weakspot::model {
namespace {

struct Function {
  std::string_view name;
  Primitive primitive;
};

constexpr Function kFunctions[] = {
    {"domain", Primitive::domain},
    {"range", Primitive::range},
    {"linearisations", Primitive::linearisations},
    {"generate_orders", Primitive::generate_orders},
    {"generate_cos", Primitive::generate_cos},
    {"generate_partial_cos", Primitive::generate_partial_cos},
    {"cross", Primitive::cross},
    {"partition", Primitive::partition},
    {"classes-loc", Primitive::partition},
    {"classes", Primitive::classes},
    {"tag2scope", Primitive::tag2scope},
    {"tag2level", Primitive::tag2scope},
    {"tag2events", Primitive::tag2events},
    {"tag2set", Primitive::tag2events},
    {"tag2instrs", Primitive::tag2events},
    {"tag2fenced", Primitive::tag2fenced},
    {"different-values", Primitive::different_values},
    {"fromto", Primitive::from_to},
    {"as_transitive", Primitive::as_transitive},
    {"fail", Primitive::fail},
    {"same-oa", Primitive::nothing},
    {"oa-changes", Primitive::nothing},
    {"at-least-one-writable", Primitive::nothing},
    {"lift", Primitive::unsupported},
    {"delift", Primitive::unsupported},
    {"deliftinter", Primitive::unsupported},
    {"fulldelift", Primitive::unsupported},
    {"bisimulation", Primitive::unsupported},
    {"loc2events", Primitive::unsupported},
    {"newSet", Primitive::unsupported},
    {"newRelation", Primitive::unsupported},
};

// Names of virtual memory, instruction fetching, locks, RCU, and the fences and tags of other machines.
constexpr std::string_view kEmptySets[] = {"NExp",
                                           "SPEC",
                                           "SPURIOUS",
                                           "PRED",
                                           "Rreg",
                                           "Wreg",
                                           "ADDR",
                                           "DATA",
                                           "NDATA",
                                           "UB",
                                           "STRONG",
                                           "PTE",
                                           "PTEV",
                                           "PTEINV",
                                           "PTEAF0",
                                           "D-PTE",
                                           "I-PTE",
                                           "AF",
                                           "DB",
                                           "MMU",
                                           "D-MMU",
                                           "Translation",
                                           "AccessFlag",
                                           "Permission",
                                           "Instr",
                                           "Restricted-CMODX",
                                           "FAULT",
                                           "TagCheck",
                                           "PacCheck",
                                           "T",
                                           "TLBI",
                                           "TLBInXS",
                                           "TLBIIS",
                                           "IC",
                                           "IC.IALLUIS",
                                           "IC.IALLU",
                                           "IC.IVAU",
                                           "DC",
                                           "DC.CVAU",
                                           "DC.IVAC",
                                           "EXC-ENTRY",
                                           "EXC-RET",
                                           "SVC",
                                           "PTEXS",
                                           "PTEMemAttr",
                                           "PTEDevice-GRE",
                                           "PTEDevice-nGRE",
                                           "PTEDevice-nGnRE",
                                           "PTEDevice-nGnRnE",
                                           "PTENSH",
                                           "PTEISH",
                                           "PTEOSH",
                                           "PTEiWB",
                                           "PTEiWT",
                                           "PTEiNC",
                                           "PTEoWB",
                                           "PTEoWT",
                                           "PTEoNC",
                                           "PTETaggedNormal",
                                           "PTENormal",
                                           "ASLLocal",
                                           "WPC",
                                           "HU",
                                           "S",
                                           "LS",
                                           "LK",
                                           "RL",
                                           "RU",
                                           "DMB",
                                           "DSB",
                                           "SYNC",
                                           "LWSYNC",
                                           "EIEIO",
                                           "ISYNC",
                                           "AQ",
                                           "Srcu-lock",
                                           "Srcu-unlock",
                                           "Sync-srcu",
                                           "Srcu",
                                           "SRCU",
                                           "rmb",
                                           "wmb",
                                           "V",
                                           "sync",
                                           "isync",
                                           "lwsync",
                                           "eieio"};

constexpr std::string_view kEmptyRelations[] = {
    "iico_data",  "iico_ctrl",   "iico_order", "rf-reg",     "partial_po", "depend",
    "success",    "control",     "aligned",    "tst",        "instr",      "same-low-order-bits",
    "same-instr", "same-static", "equiv-spec", "inv-domain", "inv-scope",  "same-tag-loc",
    "PTEtoPA",    "tlbi-pte",    "casdep",     "rcu-rscs",   "isb",        "lo",
    "pte-loc"};

std::vector<Predefined> make_table() {
  std::vector<Predefined> table;
  for (std::size_t i = 0; i < set_entries().size(); ++i) {
    table.push_back({set_entries()[i].name, PredefinedKind::set, static_cast<std::uint32_t>(i)});
  }
  for (std::size_t i = 0; i < named_set_entries().size(); ++i) {
    const auto index = static_cast<std::uint32_t>(set_entries().size() + i);
    table.push_back({named_set_entries()[i].name, PredefinedKind::set, index});
  }
  for (std::size_t i = 0; i < relation_entries().size(); ++i) {
    table.push_back({relation_entries()[i].name, PredefinedKind::relation, static_cast<std::uint32_t>(i)});
  }
  table.push_back({"rf", PredefinedKind::relation, 0, false, Dynamic::reads_from});
  table.push_back({"co", PredefinedKind::relation, 0, false, Dynamic::coherence});
  table.push_back({"sync_fence", PredefinedKind::relation, 0, false, Dynamic::sync_fence});
  for (const Function& function : kFunctions) {
    table.push_back({function.name, PredefinedKind::function, static_cast<std::uint32_t>(function.primitive)});
  }
  for (std::string_view name : kEmptySets) table.push_back({name, PredefinedKind::set, 0, true});
  for (std::string_view name : kEmptyRelations) table.push_back({name, PredefinedKind::relation, 0, true});
  base::sort(table, [](const Predefined& a, const Predefined& b) { return a.name < b.name; });
  return table;
}

const std::vector<Predefined>& table() {
  static const std::vector<Predefined> entries = make_table();
  return entries;
}

}  // namespace

std::optional<std::uint32_t> find_predefined(std::string_view name) {
  const auto at = std::lower_bound(table().begin(), table().end(), name,
                                   [](const Predefined& entry, std::string_view key) { return entry.name < key; });
  if (at == table().end() || at->name != name) return std::nullopt;
  return static_cast<std::uint32_t>(at - table().begin());
}

const Predefined& predefined(std::uint32_t index) { return table()[index]; }

std::size_t predefined_count() { return table().size(); }

std::uint32_t predefined_index(std::string_view name) {
  const std::optional<std::uint32_t> found = find_predefined(name);
  WEAKSPOT_CHECK(found.has_value());
  return predefined(*found).index;
}

namespace {

// Sets that only some languages have are numbered after those that all have.
const SetEntry& set_entry(std::uint32_t index) {
  const std::size_t shared = set_entries().size();
  WEAKSPOT_CHECK(index < shared + named_set_entries().size());
  return index < shared ? set_entries()[index] : named_set_entries()[index - shared];
}

}  // namespace

std::string_view predefined_set_name(std::uint32_t index) { return set_entry(index).name; }

std::string_view predefined_relation_name(std::uint32_t index) {
  WEAKSPOT_CHECK(index < relation_entries().size());
  return relation_entries()[index].name;
}

void fill_predefined_set(std::uint32_t index, const Frame& frame, kernels::Word* out) {
  const SetEntry& entry = set_entry(index);
  for (std::size_t i = 0; i < frame.events.size(); ++i) {
    if (entry.has(frame, frame.events[i])) kernels::set(out, i);
  }
}

void fill_predefined_relation(std::uint32_t index, const Frame& frame, kernels::Word* out, Allowance* allowance) {
  WEAKSPOT_CHECK(index < relation_entries().size());
  Relation relation(frame.size());
  Allowance unlimited;
  relation_entries()[index].fill(frame, relation, allowance == nullptr ? unlimited : *allowance);
  kernels::copy(out, relation.words(), relation.word_count());
}

}  // namespace weakspot::model
