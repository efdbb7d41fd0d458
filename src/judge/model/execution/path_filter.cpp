// SPDX-License-Identifier: MIT
#include "model/execution/path_filter.h"
#include "base/sort.h"

#include <algorithm>
#include <optional>

namespace weakspot::model {
namespace {

using litmus::Value;

struct Store {
  Bytes bytes;
  std::optional<Value> value;  // none: depends on a read
  friend auto operator<=>(const Store&, const Store&) = default;
};

Store store_of(const SettledPath& settled, std::size_t event) {
  Store store{settled.places[event].bytes, std::nullopt};
  const Path& path = *settled.path;
  if (const Value* known = path.expressions.as_constant(*path.events[event].value)) store.value = *known;
  return store;
}

// A read of a path and the constraints on its value alone.
struct Need {
  std::uint32_t read = 0;
  std::vector<const Constraint*> constraints;
};

std::vector<Need> needs_of(const SettledPath& settled) {
  std::vector<Need> needs;
  for (const Constraint& constraint : settled.constraints) {
    const std::vector<std::uint32_t> leaves = settled.path->expressions.leaves(constraint.expression);
    if (leaves.size() != 1) continue;
    auto need = std::find_if(needs.begin(), needs.end(), [&](const Need& item) { return item.read == leaves[0]; });
    if (need == needs.end()) need = needs.insert(need, Need{leaves[0], {}});
    need->constraints.push_back(&constraint);
  }
  return needs;
}

// Whether the read may return the stored value; true if that is uncertain.
bool meets(const litmus::LitmusTest& test, std::size_t thread, const SettledPath& settled, const Need& need,
           const Store& store) {
  const Bytes& bytes = settled.places[need.read].bytes;
  if (!store.bytes.overlaps(bytes)) return false;
  if (!store.value || !store.bytes.contains(bytes)) return true;
  const litmus::Instruction& instruction =
      test.threads[thread].instructions[settled.path->events[need.read].instruction];
  const std::optional<Value> part = part_of(*store.value, store.bytes, bytes);
  if (!part) return true;
  const Value value = wrap(*part, litmus::access_of(instruction)->type);
  return std::all_of(need.constraints.begin(), need.constraints.end(), [&](const Constraint* constraint) {
    const std::optional<Value> result =
        settled.path->expressions.evaluate(constraint->expression, [&](std::uint32_t) { return value; });
    return !result || (*result == constraint->value) == constraint->equal;
  });
}

// The bytes of all accesses, each once.
std::vector<Bytes> accessed_bytes(const std::vector<std::vector<SettledPath>>& paths) {
  std::vector<Bytes> accessed;
  for (const std::vector<SettledPath>& thread : paths) {
    for (const SettledPath& settled : thread) {
      for (std::size_t i = 0; i < settled.places.size(); ++i) {
        if (settled.path->events[i].address) accessed.push_back(settled.places[i].bytes);
      }
    }
  }
  base::sort(accessed);
  accessed.erase(std::unique(accessed.begin(), accessed.end()), accessed.end());
  return accessed;
}

// Whether a read of these bytes may be in pieces, which need not come from one store.
bool may_have_pieces(const Bytes& bytes, const std::vector<Bytes>& accessed) {
  return std::any_of(accessed.begin(), accessed.end(),
                     [&](const Bytes& other) { return other.overlaps(bytes) && !other.contains(bytes); });
}

bool have_a_common_number(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) return true;
    if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

}  // namespace

PathFilter::PathFilter(const litmus::LitmusTest& test, const std::vector<std::vector<SettledPath>>& paths,
                       Allowance& allowance) {
  std::vector<Store> stores;
  auto for_each_store = [](const SettledPath& settled, const auto& visit) {
    for (std::size_t i = 0; i < settled.places.size(); ++i) {
      if (settled.path->events[i].kind == EventKind::write) visit(store_of(settled, i));
    }
  };
  for (const std::vector<SettledPath>& thread : paths) {
    for (const SettledPath& settled : thread) {
      for_each_store(settled, [&](const Store& store) { stores.push_back(store); });
    }
  }
  base::sort(stores);
  stores.erase(std::unique(stores.begin(), stores.end()), stores.end());

  const std::vector<Bytes> accessed = accessed_bytes(paths);
  entries_.resize(paths.size());
  for (std::size_t t = 0; t < paths.size(); ++t) {
    entries_[t].resize(paths[t].size());
    for (std::size_t i = 0; i < paths[t].size() && !allowance.spend(); ++i) {
      const SettledPath& settled = paths[t][i];
      Entry& entry = entries_[t][i];
      for_each_store(settled, [&](const Store& store) {
        const auto at = std::lower_bound(stores.begin(), stores.end(), store);
        entry.makes.push_back(static_cast<std::uint32_t>(at - stores.begin()));
      });
      base::sort(entry.makes);
      for (const Need& need : needs_of(settled)) {
        if (may_have_pieces(settled.places[need.read].bytes, accessed)) continue;
        const litmus::LocationId element = element_at(test, settled.places[need.read].bytes);
        const Store initial{bytes_of(test, element), wrap(test[element].initial, test[element].type)};
        if (meets(test, t, settled, need, initial)) continue;
        if (allowance.spend(1 + stores.size() / 64)) return;
        Stores& any = entry.needs.emplace_back();
        for (std::uint32_t s = 0; s < stores.size(); ++s) {
          if (meets(test, t, settled, need, stores[s])) any.push_back(s);
        }
      }
    }
  }
}

bool PathFilter::admits(const std::vector<std::size_t>& choice) const {
  for (std::size_t t = 0; t < choice.size(); ++t) {
    for (const Stores& need : entries_[t][choice[t]].needs) {
      bool met = false;
      for (std::size_t other = 0; other < choice.size() && !met; ++other) {
        met = have_a_common_number(need, entries_[other][choice[other]].makes);
      }
      if (!met) return false;
    }
  }
  return true;
}

}  // namespace weakspot::model
