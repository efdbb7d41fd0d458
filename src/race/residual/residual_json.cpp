// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/source.h"
#include "json/json.h"
#include "residual/residual.h"

namespace weakspot::residual {
namespace {

using base::JsonValue;

// An instruction is a row of numbers: these, then a pair for each operand.
constexpr std::size_t kHead = 12;

JsonValue residual_row(const Instruction& one) {
  std::vector<JsonValue> row = {static_cast<int>(one.kind),
                                static_cast<int>(one.op),
                                one.target ? static_cast<std::int64_t>(*one.target) : -1,
                                one.address,
                                one.size,
                                one.order,
                                one.scope,
                                one.strong ? 1 : 0,
                                one.is_volatile ? 1 : 0,
                                one.more ? 1 : 0,
                                one.label,
                                one.place};
  for (const Operand& operand : one.operands) {
    row.emplace_back(operand.known ? 1 : 0);
    row.emplace_back(operand.bits);
  }
  return base::json_array(std::move(row));
}

JsonValue numbers(const std::vector<std::uint8_t>& values) {
  std::vector<JsonValue> items;
  for (const std::uint8_t value : values) items.emplace_back(value);
  return base::json_array(std::move(items));
}

JsonValue extent_row(const race::Extent& extent) { return base::json_array({extent.x, extent.y, extent.z}); }

std::uint64_t number_in(const JsonValue& row, std::size_t index) { return row.at(index).whole().value_or(0); }

Instruction instruction_of(const JsonValue& row, bool& valid) {
  Instruction one;
  valid = valid && row.items().size() >= kHead && row.items().size() % 2 == 0 &&
          number_in(row, 0) <= static_cast<std::uint64_t>(Kind::end) &&
          number_in(row, 1) <= static_cast<std::uint64_t>(Op::decrement);
  if (!valid) return one;
  one.kind = static_cast<Kind>(number_in(row, 0));
  one.op = static_cast<Op>(number_in(row, 1));
  const std::int64_t target = row.at(2).integer().value_or(-1);
  if (target >= 0) one.target = static_cast<std::uint32_t>(target);
  one.address = number_in(row, 3);
  one.size = static_cast<std::uint8_t>(number_in(row, 4));
  one.order = static_cast<std::uint8_t>(number_in(row, 5));
  one.scope = static_cast<std::uint8_t>(number_in(row, 6));
  one.strong = number_in(row, 7) != 0;
  one.is_volatile = number_in(row, 8) != 0;
  one.more = number_in(row, 9) != 0;
  one.label = static_cast<std::uint32_t>(number_in(row, 10));
  one.place = static_cast<std::uint32_t>(number_in(row, 11));
  for (std::size_t i = kHead; i < row.items().size(); i += 2) {
    one.operands.push_back({number_in(row, i) != 0, number_in(row, i + 1)});
  }
  return one;
}

race::Extent extent_of(const JsonValue& row) {
  return {static_cast<std::uint32_t>(number_in(row, 0)), static_cast<std::uint32_t>(number_in(row, 1)),
          static_cast<std::uint32_t>(number_in(row, 2))};
}

}  // namespace

std::string to_json(const Residual& residual) {
  std::vector<JsonValue> threads, memory, places, stops, named;
  for (const Thread& thread : residual.threads) {
    std::vector<JsonValue> code;
    for (const Instruction& one : thread.code) code.push_back(residual_row(one));
    threads.push_back(base::json_object({{"block", thread.block},
                                         {"number", thread.number},
                                         {"widths", numbers(thread.widths)},
                                         {"code", base::json_array(std::move(code))}}));
  }
  for (const Memory& one : residual.memory) {
    JsonValue item = base::json_object({{"address", one.address},
                                        {"size", one.size},
                                        {"name", one.name},
                                        {"bits", one.bits},
                                        {"initialised", one.initialised}});
    if (one.block) item.add("block", *one.block);
    memory.push_back(std::move(item));
  }
  for (const race::Place& place : residual.places) {
    places.push_back(base::json_array({place.file, place.line, place.column}));
  }
  for (const Stop& stop : residual.stops) {
    stops.push_back(
        base::json_object({{"kind", static_cast<int>(stop.kind)}, {"what", stop.what}, {"place", stop.place}}));
  }
  for (const Named& one : residual.named) {
    named.push_back(base::json_object({{"name", one.asked.name},
                                       {"index", one.asked.index},
                                       {"problem", one.problem},
                                       {"address", one.address},
                                       {"size", one.size}}));
  }
  const race::LaunchShape& launch = residual.launch;
  return base::json_compact(base::json_object({{"kernel", residual.kernel},
                                               {"grid", extent_row(launch.grid)},
                                               {"threads_of_block", extent_row(launch.block)},
                                               {"cluster", extent_row(launch.cluster)},
                                               {"shared", launch.shared},
                                               {"arguments", residual.arguments},
                                               {"threads", base::json_array(std::move(threads))},
                                               {"memory", base::json_array(std::move(memory))},
                                               {"places", base::json_array(std::move(places))},
                                               {"stops", base::json_array(std::move(stops))},
                                               {"named", base::json_array(std::move(named))},
                                               {"rounds", residual.rounds},
                                               {"problem", residual.problem}}));
}

base::Result<Residual> from_json(const std::string& text) {
  const base::Source source("what is left of the threads", text);
  base::Result<JsonValue> json = base::read_json_text(source);
  if (!json) return json.errors();
  Residual residual;
  bool valid = json->is(JsonValue::Kind::object);
  residual.kernel = json->at("kernel").text();
  residual.launch.grid = extent_of(json->at("grid"));
  residual.launch.block = extent_of(json->at("threads_of_block"));
  residual.launch.cluster = extent_of(json->at("cluster"));
  residual.launch.shared = json->at("shared").whole().value_or(0);
  for (const JsonValue& argument : json->at("arguments").items()) residual.arguments.push_back(argument.text());
  for (const JsonValue& place : json->at("places").items()) {
    residual.places.push_back({place.at(std::size_t{0}).text(), static_cast<unsigned>(number_in(place, 1)),
                               static_cast<unsigned>(number_in(place, 2))});
  }
  for (const JsonValue& item : json->at("threads").items()) {
    Thread& thread = residual.threads.emplace_back();
    thread.block = item.at("block").whole().value_or(0);
    thread.number = item.at("number").whole().value_or(0);
    for (const JsonValue& width : item.at("widths").items()) {
      thread.widths.push_back(static_cast<std::uint8_t>(width.whole().value_or(0)));
    }
    for (const JsonValue& row : item.at("code").items()) {
      thread.code.push_back(instruction_of(row, valid));
      valid = valid && thread.code.back().place < residual.places.size();
    }
  }
  for (const JsonValue& item : json->at("memory").items()) {
    Memory& one = residual.memory.emplace_back();
    one.address = item.at("address").whole().value_or(0);
    one.size = static_cast<std::uint8_t>(item.at("size").whole().value_or(0));
    one.name = item.at("name").text();
    one.bits = item.at("bits").whole().value_or(0);
    one.initialised = item.at("initialised").truth();
    one.block = item.at("block").whole();
  }
  for (const JsonValue& item : json->at("stops").items()) {
    const std::uint64_t kind = item.at("kind").whole().value_or(~std::uint64_t{0});
    valid = valid && kind <= static_cast<std::uint64_t>(Stop::Kind::too_much);
    if (!valid) break;
    residual.stops.push_back({static_cast<Stop::Kind>(kind), item.at("what").text(),
                              static_cast<std::uint32_t>(item.at("place").whole().value_or(0))});
  }
  for (const JsonValue& item : json->at("named").items()) {
    residual.named.push_back({{item.at("name").text(), item.at("index").whole().value_or(0)},
                              item.at("problem").text(),
                              item.at("address").whole().value_or(0),
                              static_cast<std::uint8_t>(item.at("size").whole().value_or(0))});
  }
  residual.rounds = static_cast<std::uint32_t>(json->at("rounds").whole().value_or(0));
  residual.problem = json->at("problem").text();
  if (!valid) return base::error("what is left of the threads is not in the form that was expected");
  return residual;
}

}  // namespace weakspot::residual
