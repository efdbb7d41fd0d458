// SPDX-License-Identifier: MIT
#include "race/fidelity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/names.h"
#include "base/plural.h"

namespace weakspot::race {
namespace {

using base::JsonFields;
using base::JsonValue;

constexpr base::Named<Values> kValuesWords[] = {{"computed", Values::computed}, {"partial", Values::partial}};
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

void add(std::optional<Share>& to, const std::optional<Share>& from) {
  if (!from) return;
  if (!to) to.emplace();
  *to += *from;
}

std::string share_text(const Share& share, std::string_view noun) {
  const std::string all = base::counted(share.all, noun);
  return share.done == share.all ? all : fmt::format("{} of {}", share.done, all);
}

std::string orders_text(const OrdersRun& orders) {
  std::vector<std::string_view> names;
  if (orders.forward > 0) names.emplace_back("forward");
  if (orders.reversed > 0) names.emplace_back("reversed");
  if (orders.random > 0) names.emplace_back("random");
  return fmt::format("{}", fmt::join(names, ", "));
}

JsonValue share_json(const Share& share) { return base::json_object({{"all", share.all}, {"done", share.done}}); }

Share read_share(const JsonValue& json, base::Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a share");
  const std::uint64_t all = fields.whole("all", kMost);
  return {all, fields.whole("done", kMost)};
}

}  // namespace

Fidelity& Fidelity::operator+=(const Fidelity& other) {
  add(instructions, other.instructions);
  add(operations, other.operations);
  if (other.values) values = std::max(values.value_or(Values::computed), *other.values);
  blocks += other.blocks;
  orders += other.orders;
  kernels += other.kernels;
  return *this;
}

std::string fidelity_line(const Fidelity& fidelity) {
  std::vector<std::string> parts;
  auto add_code = [&](const std::optional<Share>& share, std::string_view noun) {
    if (share && share->all > 0) {
      parts.push_back((share->done == share->all && share->all > 1 ? "all " : "") + share_text(*share, noun));
    }
  };
  if (fidelity.blocks.all > 0) {
    add_code(fidelity.instructions, "instruction");
    add_code(fidelity.operations, "GPU operation");
    if (fidelity.values) {
      parts.emplace_back(*fidelity.values == Values::computed ? "values computed" : "some values unknown");
    }
    parts.push_back(share_text(fidelity.blocks, "block") + ": " + orders_text(fidelity.orders));
  } else {
    parts.emplace_back("nothing");
  }
  std::string line = fmt::format("ran: {}", fmt::join(parts, ", "));
  if (fidelity.kernels.done < fidelity.kernels.all) {
    line += fmt::format("; {} not run", base::counted(fidelity.kernels.all - fidelity.kernels.done, "kernel"));
  }
  return line;
}

JsonValue to_json(const Fidelity& fidelity) {
  JsonValue json = base::json_object({});
  if (fidelity.instructions) json.add("instructions", share_json(*fidelity.instructions));
  if (fidelity.operations) json.add("operations", share_json(*fidelity.operations));
  if (fidelity.values) json.add("values", base::name_of(kValuesWords, *fidelity.values));
  json.add("blocks", share_json(fidelity.blocks));
  json.add("launches", base::json_object({{"forward", fidelity.orders.forward},
                                          {"reversed", fidelity.orders.reversed},
                                          {"random", fidelity.orders.random}}));
  json.add("kernels", share_json(fidelity.kernels));
  return json;
}

Fidelity read_fidelity(const JsonValue& json, base::Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "what was executed");
  Fidelity fidelity;
  if (const JsonValue* share = fields.take("instructions")) fidelity.instructions = read_share(*share, mistakes);
  if (const JsonValue* share = fields.take("operations")) fidelity.operations = read_share(*share, mistakes);
  if (fields.has("values")) fidelity.values = fields.one_of("values", kValuesWords);
  if (const JsonValue* share = fields.take("blocks")) fidelity.blocks = read_share(*share, mistakes);
  if (const JsonValue* share = fields.take("kernels")) fidelity.kernels = read_share(*share, mistakes);
  if (const JsonValue* launches = fields.take("launches")) {
    JsonFields orders(*launches, mistakes, "the launches");
    fidelity.orders.forward = orders.whole("forward", kMost);
    fidelity.orders.reversed = orders.whole("reversed", kMost);
    fidelity.orders.random = orders.whole("random", kMost);
  }
  return fidelity;
}

}  // namespace weakspot::race
