// SPDX-License-Identifier: MIT
#include "optcheck/host/twin.h"

#include <fmt/format.h>

#include <algorithm>

#include "optcheck/host/values.h"

namespace weakspot::optcheck {
namespace {

struct Significant {
  std::size_t number = 0;
  std::string what;
};

// Calls and fences, and accesses beyond the frame if `accesses`, in the order of the code.
std::vector<Significant> significant(const ObjectCode& object, const ObjectFunction& function, bool accesses) {
  const std::vector<std::optional<HostValues>> values = values_in(object.isa(), function);
  std::vector<Significant> all;
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const ObjectInstruction& one = function.code[i];
    const std::optional<Event>& event = one.code().event;
    if (one.any.call) {
      all.push_back({i, one.callee});
    } else if (event && event->kind == EventKind::fence) {
      all.push_back({i, event->fence});
    } else if (accesses && one.code().address && (event || one.any.memory)) {
      const HostValue where = address_of(*one.code().address, values[i].value_or(HostValues{}));
      if (where.kind == HostValue::Kind::frame || where.kind == HostValue::Kind::number) continue;
      all.push_back({i, event ? fmt::format("{} {} {}", to_string(event->kind), event->bytes, to_string(event->order))
                              : "memory"});
    }
  }
  return all;
}

}  // namespace

base::Result<ObjectFunction> function_with_lines(const ObjectCode& object, std::string_view kernel) {
  const auto runs = object.function(fmt::format("_pocl_kernel_{}_workgroup", kernel));
  if (!runs) return runs.errors();
  ObjectFunction made = **runs;
  const bool has_lines =
      std::any_of(made.code.begin(), made.code.end(), [](const ObjectInstruction& one) { return one.line != 0; });
  if (has_lines) return made;
  const auto lined = object.function(fmt::format("_pocl_kernel_{}", kernel));
  if (!lined) return lined.errors();
  // Which accesses are beyond the frame may be known better in one of them: then calls must do.
  for (const bool accesses : {true, false}) {
    const std::vector<Significant> from = significant(object, **lined, accesses);
    const std::vector<Significant> to = significant(object, made, accesses);
    if (!std::equal(from.begin(), from.end(), to.begin(), to.end(),
                    [](const Significant& a, const Significant& b) { return a.what == b.what; })) {
      continue;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      made.code[to[i].number].line = (*lined)->code[from[i].number].line;
    }
    return made;
  }
  return base::error("the function that runs has no lines, and other accesses than the kernel that has");
}

}  // namespace weakspot::optcheck
