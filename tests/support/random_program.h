// SPDX-License-Identifier: MIT
// Random small tests for judging, written as text so that a counterexample can be read. For property tests.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/holds.h"
#include "support/read_one.h"

namespace weakspot::tests {

inline rc::Gen<std::string> one_of(std::vector<std::string> words) { return rc::gen::elementOf(std::move(words)); }

// The ingredients of random tests. An empty suffix is a relaxed access of device scope.
struct Features {
  std::size_t threads = 3;
  std::size_t instructions = 3;  // per thread, at most
  std::size_t writes = 4;        // in all, at most
  std::size_t reads = 5;
  std::size_t fences = 9;  // and barriers
  int fence_percent = 0;   // of the instructions, besides fences that come up anyway
  bool control = true;
  bool loops = false;   // mostly waiting ones; final values of locations are then often not observed
  bool levels = false;  // subgroups, clusters and devices, besides workgroups
  std::string arch;     // architecture of the test; empty: generic
  std::vector<std::string> loads = {""}, stores = {""}, atomics = {""};  // suffixes
  std::vector<std::string> fence_words = {"fence.sc", "membar.wg", "membar"};
  std::string space;         // address space of x; empty: none
  std::string declarations;  // in the initial state, for locations of `locations`
  std::vector<std::string> locations = {"x", "x", "y"};
  bool mixed = false;    // accesses to parts of x
  bool vectors = false;  // with `mixed`: loads of both halves of x in no order
};

// A loop that waits for a location, as locks and barriers do. Some of them count, or write what others can see.
inline std::string random_loop(const Features& features, std::size_t thread, std::size_t index) {
  const std::string load = "ld" + *rc::gen::elementOf(features.loads);
  const std::string atomic = *rc::gen::elementOf(features.atomics);
  const std::string location = *rc::gen::elementOf(features.locations);
  const std::string other = *rc::gen::elementOf(features.locations);
  const std::string reg = *one_of({"r0", "r1"});
  const std::string label = fmt::format("{}{}", thread, index);
  auto back = [&] { return fmt::format("{} {}, {}, L{}", *one_of({"beq", "bne"}), reg, *one_of({"0", "1"}), label); };
  const std::string head = fmt::format("L{}: ; ", label);
  switch (*rc::gen::resize(100, rc::gen::inRange(0, 10))) {
    case 0:
    case 1:
      return fmt::format("{}{} {}, {} ; {}", head, load, reg, location, back());
    case 2:
      return fmt::format("{}{} {}, {} ; {} ; {}", head, load, reg, location, *rc::gen::elementOf(features.fence_words),
                         back());
    case 3:
      return fmt::format("{}atom.exch{} {}, {}, 1 ; bne {}, 0, L{}", head, atomic, reg, location, reg, label);
    case 4:
      return fmt::format("{}atom.cas{}{} {}, {}, 0, 1 ; bne {}, 0, L{}", head, atomic, *one_of({"", ".weak"}), reg,
                         location, reg, label);
    case 5:
      return fmt::format("{}mov r1, 0 ; atom.cas{}.weak r1, {}, r1, 1, r0 ; beq r0, 0, L{}", head, atomic, location,
                         label);
    case 6:
      return fmt::format("{}{} r0, {} ; bne r0, 0, L{} ; atom.exch{} r0, {}, 1 ; bne r0, 0, L{}", head, load, location,
                         label, atomic, location, label);
    case 7:
      return fmt::format("{}{} r0, {} ; beq r0, 0, M{} ; {} r1, {} ; bne r1, 0, L{} ; M{}:", head, load, location,
                         label, load, other, label, label);
    case 8:
      return fmt::format("{}ld.ex r0, {} ; bne r0, 0, L{} ; st.ex r3, {}, 1 ; bne r3, 0, L{}", head, location, label,
                         location, label);
    default:
      return fmt::format("{}{} {}, {} ; {} ; {}", head, load, reg, location,
                         *one_of({"add r1, r1, 1", "mov r1, 1", "mov r1, r0", "st z" + std::to_string(thread) + ", 1"}),
                         back());
  }
}

// A place in memory, and the suffix of the accesses to it.
struct RandomPlace {
  std::string location, offset, type;
};

inline RandomPlace random_place(const Features& features) {
  const std::string location = *rc::gen::elementOf(features.locations);
  if (!features.mixed || location == "y") return {location, "", ""};
  static const std::vector<RandomPlace> kParts = {{"", "", ""},      {"", "", ".s16"},   {"", "+2", ".s16"},
                                                  {"", "", ".s16"},  {"", "+2", ".s16"}, {"", "+1", ".u8"},
                                                  {"", "+2", ".s8"}, {"", "", ""}};
  RandomPlace place = kParts[*rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, kParts.size()))];
  place.location = location;
  return place;
}

inline std::string random_constant(const Features& features, const RandomPlace& place) {
  if (!features.mixed || place.type.ends_with("8")) return *one_of({"1", "2"});
  return place.type.empty() ? *one_of({"1", "0x10002", "0x20101"}) : *one_of({"1", "2", "0x102"});
}

inline std::string random_instruction(const Features& features, std::size_t thread, std::size_t index) {
  if (features.loops && *rc::gen::resize(100, rc::gen::inRange(0, 3)) == 0) return random_loop(features, thread, index);
  if (*rc::gen::resize(100, rc::gen::inRange(0, 100)) < features.fence_percent) {
    return *rc::gen::elementOf(features.fence_words);
  }
  const RandomPlace place = random_place(features);
  const std::string location = place.location + place.offset;
  auto load = [&] { return "ld" + *rc::gen::elementOf(features.loads) + place.type; };
  auto store = [&] { return "st" + *rc::gen::elementOf(features.stores) + place.type; };
  auto atomic = [&] { return *rc::gen::elementOf(features.atomics) + place.type; };
  const std::string reg = *one_of({"r0", "r1"});
  const std::string other = *one_of({"r0", "r1"});
  const std::string constant = random_constant(features, place);
  const int kinds = features.control ? 18 : 11;
  switch (*rc::gen::resize(100, rc::gen::inRange(0, kinds))) {
    case 0:
      if (features.vectors && place.type == ".s16" && place.offset.empty()) {
        const std::string word = load();
        return fmt::format("{} r0, {} ; {}.vec r1, {}+2", word, location, word, location);
      }
      [[fallthrough]];
    case 1:
    case 2:
      return fmt::format("{} {}, {}", load(), reg, location);
    case 3:
    case 4:
    case 5:
      return fmt::format("{} {}, {}", store(), location, constant);
    case 6:
      return fmt::format("{} {}, {}", store(), location, reg);
    case 7:
      return fmt::format("atom.{}{} {}, {}, {}", *one_of({"add", "exch", "inc", "max"}), atomic(),
                         *one_of({reg, reg, "_"}), location, *one_of({constant, other}));
    case 8:
      return *rc::gen::elementOf(features.fence_words);
    case 9:
      return fmt::format("add {}, {}, {}", reg, other, *one_of({reg, "1"}));
    case 10:
      return fmt::format("xor r2, {}, {} ; {} {}+r2{}, {}", reg, reg, store(), place.location, place.offset, constant);
    case 11:
      return fmt::format("atom.cas{}{} {}, {}, {}, {}", atomic(), *one_of({"", ".weak"}), reg, location,
                         *one_of({"0", "1", other}), constant);
    case 12:
      return fmt::format("@{}{} {} {}, {}", *one_of({"", "!"}), reg, store(), location, constant);
    case 13:
      return fmt::format("{} {}, {}, L{}{} ; {} {}, {} ; L{}{}:", *one_of({"beq", "bne"}), reg, *one_of({"0", other}),
                         thread, index, store(), location, constant, thread, index);
    case 14:
      return fmt::format("sel.{} {}, {}, {}, {}, {}", *one_of({"eq", "ne", "lt"}), reg, other, *one_of({"0", "1", reg}),
                         *one_of({reg, "1"}), *one_of({other, "2"}));
    case 15:
      return fmt::format("sel.eq r2, {}, 1, 0, {} ; {} {}, r2", reg, other, store(), location);
    case 16:
      return fmt::format("ld.ex{} {}, {} ; st.ex{} r3, {}, {}", place.type, reg, location, place.type, location,
                         constant);
    default:
      return fmt::format("@{} {} {}, {}", other, load(), reg, location);
  }
}

// The first two threads together or apart, at some level. Shared memory is that of one cluster, tensor memory that of
// one workgroup.
inline std::string random_tree(const Features& features, std::size_t threads) {
  const bool shared = (features.space + features.declarations).find("shared") != std::string::npos;
  if (features.declarations.find("tensor") != std::string::npos) {
    std::string all;
    for (std::size_t t = 0; t < threads; ++t) all += fmt::format(" P{}", t);
    return fmt::format("(cluster (wg{}))", all);
  }
  std::vector<std::string> together = {"(wg P0 P1)"};
  std::vector<std::string> apart = {"(wg P{})"};
  if (features.levels) {
    together = {"(wg P0 P1)", "(wg P0 P1)", "(wg (sg P0 P1))"};
    if (!shared) together.push_back("(cluster (wg P0) (wg P1))");
    if (!shared) apart = {"(wg P{})", "(wg P{})", "(dev (wg P{}))"};
  }
  const std::string pair = *rc::gen::elementOf(together);
  const std::string alone = *rc::gen::elementOf(apart);
  std::string tree = *rc::gen::arbitrary<bool>() ? pair : "";
  for (std::size_t t = tree.empty() ? 0 : 2; t < threads; ++t) tree += fmt::format(fmt::runtime(alone), t);
  return shared ? fmt::format("(cluster {})", tree) : tree;
}

inline bool mentions(const std::string& line, const char* word) { return line.find(word) != std::string::npos; }

inline litmus::LitmusTest random_test(const Features& features) {
  std::size_t writes = 0;
  std::size_t reads = 0;
  std::size_t fences = 0;
  // Not scaled by rapidcheck's size: tests of one instruction say little.
  const std::size_t threads = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(2, features.threads + 1));
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    std::vector<std::string>& column = columns.emplace_back();
    const std::size_t count = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(1, features.instructions + 1));
    for (std::size_t i = 0; i < count; ++i) {
      std::string line = random_instruction(features, t, i);
      const bool is_fence =
          std::find(features.fence_words.begin(), features.fence_words.end(), line) != features.fence_words.end();
      fences += is_fence;
      writes += !is_fence && (mentions(line, "st ") || mentions(line, "st.") || mentions(line, "atom"));
      reads += !is_fence && (mentions(line, "ld") || mentions(line, "atom"));
      if (writes > features.writes || reads > features.reads || fences > features.fences) break;
      // '$' stands for a number that only this instruction has.
      for (std::size_t at = line.find('$'); at != std::string::npos; at = line.find('$')) {
        line.replace(at, 1, fmt::format("{}{}", t, i));
      }
      for (std::size_t at = line.find(" ; "); at != std::string::npos; at = line.find(" ; ")) {
        column.push_back(line.substr(0, at));
        line = line.substr(at + 3);
      }
      column.push_back(line);
    }
    rows = std::max(rows, column.size());
  }
  std::string text = "weakspot random\n";
  if (!features.arch.empty()) text += fmt::format("Arch={}\n", features.arch);
  text += fmt::format("{{ {} x = {}; y; {} }}\n", features.space, *one_of({"0", "0", features.mixed ? "0x10002" : "2"}),
                      features.declarations);
  for (std::size_t t = 0; t < threads; ++t) text += fmt::format("{} P{}", t == 0 ? "" : " |", t);
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads; ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", row < columns[t].size() ? columns[t][row] : "");
    }
    text += " ;\n";
  }
  text += fmt::format("scopes {}\n", random_tree(features, threads));
  std::string observed = features.loops && *rc::gen::resize(100, rc::gen::inRange(0, 3)) > 0 ? "" : "x; y;";
  for (std::size_t t = 0; t < threads; ++t) {
    std::string column;
    for (const std::string& line : columns[t]) column += line + "\n";
    for (const char* reg : {"r0", "r1", "r3"}) {
      if (mentions(column, reg)) observed += fmt::format(" {}:{};", t, reg);
    }
  }
  text += fmt::format("locations [{}]\nexists (true)\n", observed);
  RC_LOG() << text;
  return read_one(text);
}

// Checks the property of that many random tests.
template <typename Property>
Tried holds_for(const Features& features, int tests, const Property& property) {
  return holds(tests, [&] { property(random_test(features)); });
}

}  // namespace weakspot::tests
