// SPDX-License-Identifier: MIT
// Litmus tests on the detector with weak values, step by step in random orders, against the answers of the model ptx:
// what it allows was printed by 'weakspot check' for the tests that bench/weak_litmus makes of the same shapes.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/rng.h"
#include "race/detector.h"
#include "race/weak_memory.h"

namespace weakspot::race::weak_litmus_test {
namespace {

constexpr std::uint64_t kBase = 4096;

// W location value, R register location, U register location value (an exchange), F a fence; then locations whose final
// contents are observed.
struct Shape {
  const char* name;
  const char* threads;
  const char* memory;
};
constexpr Shape kShapes[] = {
    {"MP", "W x 1 F W y 1 | R a y F R b x", ""},
    {"SB", "W x 1 F R a y | W y 1 F R b x", ""},
    {"R", "W x 1 F W y 1 | W y 2 F R a x", "y"},
    {"S", "W x 2 F W y 1 | R a y F W x 1", "x"},
    {"LB", "R a x F W y 1 | R b y F W x 1", ""},
    {"2+2W", "W x 1 F W y 2 | W y 1 F W x 2", "xy"},
    {"CoRR", "W x 1 | R a x F R b x", ""},
    {"CoWR", "W x 1 F R a x | W x 2", "x"},
    {"CoRW", "R a x F W x 1 | W x 2", "x"},
    {"SB+U", "W x 1 F U a y 1 | W y 2 F U b x 2", "xy"},
    {"MP+WW", "W x 1 F W y 1 W y 2 | R a y F R b x", ""},
    {"MP+RR", "W x 1 F W y 1 | R a y R b y F R c x", ""},
    {"WRC", "W x 1 | R a x F W y 1 | R b y F R c x", ""},
    {"ISA2", "W x 1 F W y 1 | R a y F W z 1 | R b z F R c x", ""},
    {"RWC", "W x 1 | R a x F R b y | W y 1 F R c x", ""},
    {"WWC", "W x 2 | R a x F W y 1 | R b y F W x 1", "x"},
    {"MP+U", "W x 1 F W y 1 | U a y 2 | R b y F R c x", ""},
    {"IRIW", "W x 1 | R a x F R b y | W y 1 | R c y F R d x", ""},
};

// `orders`: rlx, ra (releases and acquires), rel, acq, or the order of the fences. `blocks`: of each thread. Outcomes
// are the registers in the order of the text, then memory: those that executions without a cycle of program order,
// reads-from and coherence order have, and the others that the model allows.
struct Row {
  const char* shape;
  const char* orders;
  Scope scope, fence_scope;
  const char* blocks;
  const char* shown;
  const char* allowed_too;
};
constexpr Row kRows[] = {
    {"MP", "rlx", Scope::device, Scope::device, "00", "00 01 10 11", ""},
    {"MP", "rlx", Scope::device, Scope::device, "01", "00 01 10 11", ""},
    {"MP", "ra", Scope::device, Scope::device, "00", "00 01 11", ""},
    {"MP", "ra", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"MP", "ra", Scope::block, Scope::block, "00", "00 01 11", ""},
    {"MP", "ra", Scope::block, Scope::block, "01", "00 01 10 11", ""},
    {"MP", "fence.sc", Scope::device, Scope::device, "00", "00 01 11", ""},
    {"MP", "fence.sc", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"MP", "fence.sc", Scope::device, Scope::block, "00", "00 01 11", ""},
    {"MP", "fence.sc", Scope::device, Scope::block, "01", "00 01 10 11", ""},
    {"MP", "fence.acq_rel", Scope::device, Scope::device, "00", "00 01 11", ""},
    {"MP", "fence.acq_rel", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"SB", "rlx", Scope::device, Scope::device, "00", "00 01 10 11", ""},
    {"SB", "rlx", Scope::device, Scope::device, "01", "00 01 10 11", ""},
    {"SB", "ra", Scope::device, Scope::device, "00", "00 01 10 11", ""},
    {"SB", "ra", Scope::device, Scope::device, "01", "00 01 10 11", ""},
    {"SB", "ra", Scope::block, Scope::block, "00", "00 01 10 11", ""},
    {"SB", "ra", Scope::block, Scope::block, "01", "00 01 10 11", ""},
    {"SB", "fence.sc", Scope::device, Scope::device, "00", "01 10 11", ""},
    {"SB", "fence.sc", Scope::device, Scope::device, "01", "01 10 11", ""},
    {"SB", "fence.sc", Scope::device, Scope::block, "00", "01 10 11", ""},
    {"SB", "fence.sc", Scope::device, Scope::block, "01", "00 01 10 11", ""},
    {"SB", "fence.acq_rel", Scope::device, Scope::device, "00", "00 01 10 11", ""},
    {"SB", "fence.acq_rel", Scope::device, Scope::device, "01", "00 01 10 11", ""},
    {"R", "rlx", Scope::device, Scope::device, "00", "01 02 11 12", ""},
    {"R", "rlx", Scope::device, Scope::device, "01", "01 02 11 12", ""},
    {"R", "ra", Scope::device, Scope::device, "00", "01 02 11 12", ""},
    {"R", "ra", Scope::device, Scope::device, "01", "01 02 11 12", ""},
    {"R", "ra", Scope::block, Scope::block, "00", "01 02 11 12", ""},
    {"R", "ra", Scope::block, Scope::block, "01", "01 02 11 12", ""},
    {"R", "fence.sc", Scope::device, Scope::device, "00", "01 11 12", ""},
    {"R", "fence.sc", Scope::device, Scope::device, "01", "01 11 12", ""},
    {"R", "fence.sc", Scope::device, Scope::block, "00", "01 11 12", ""},
    {"R", "fence.sc", Scope::device, Scope::block, "01", "01 02 11 12", ""},
    {"R", "fence.acq_rel", Scope::device, Scope::device, "00", "01 02 11 12", ""},
    {"R", "fence.acq_rel", Scope::device, Scope::device, "01", "01 02 11 12", ""},
    {"S", "rlx", Scope::device, Scope::device, "00", "01 02 11", "12"},
    {"S", "rlx", Scope::device, Scope::device, "01", "01 02 11", "12"},
    {"S", "ra", Scope::device, Scope::device, "00", "01 02 11", ""},
    {"S", "ra", Scope::device, Scope::device, "01", "01 02 11", ""},
    {"S", "ra", Scope::block, Scope::block, "00", "01 02 11", ""},
    {"S", "ra", Scope::block, Scope::block, "01", "01 02 11", "12"},
    {"S", "fence.sc", Scope::device, Scope::device, "00", "01 02 11", ""},
    {"S", "fence.sc", Scope::device, Scope::device, "01", "01 02 11", ""},
    {"S", "fence.sc", Scope::device, Scope::block, "00", "01 02 11", ""},
    {"S", "fence.sc", Scope::device, Scope::block, "01", "01 02 11", "12"},
    {"S", "fence.acq_rel", Scope::device, Scope::device, "00", "01 02 11", ""},
    {"S", "fence.acq_rel", Scope::device, Scope::device, "01", "01 02 11", ""},
    {"LB", "rlx", Scope::device, Scope::device, "00", "00 01 10", "11"},
    {"LB", "rlx", Scope::device, Scope::device, "01", "00 01 10", "11"},
    {"LB", "ra", Scope::device, Scope::device, "00", "00 01 10", ""},
    {"LB", "ra", Scope::device, Scope::device, "01", "00 01 10", ""},
    {"LB", "ra", Scope::block, Scope::block, "00", "00 01 10", ""},
    {"LB", "ra", Scope::block, Scope::block, "01", "00 01 10", "11"},
    {"LB", "fence.sc", Scope::device, Scope::device, "00", "00 01 10", ""},
    {"LB", "fence.sc", Scope::device, Scope::device, "01", "00 01 10", ""},
    {"LB", "fence.sc", Scope::device, Scope::block, "00", "00 01 10", ""},
    {"LB", "fence.sc", Scope::device, Scope::block, "01", "00 01 10", "11"},
    {"LB", "fence.acq_rel", Scope::device, Scope::device, "00", "00 01 10", ""},
    {"LB", "fence.acq_rel", Scope::device, Scope::device, "01", "00 01 10", ""},
    {"2+2W", "rlx", Scope::device, Scope::device, "00", "12 21 22", "11"},
    {"2+2W", "rlx", Scope::device, Scope::device, "01", "12 21 22", "11"},
    {"2+2W", "ra", Scope::device, Scope::device, "00", "12 21 22", "11"},
    {"2+2W", "ra", Scope::device, Scope::device, "01", "12 21 22", "11"},
    {"2+2W", "ra", Scope::block, Scope::block, "00", "12 21 22", "11"},
    {"2+2W", "ra", Scope::block, Scope::block, "01", "12 21 22", "11"},
    {"2+2W", "fence.sc", Scope::device, Scope::device, "00", "12 21 22", ""},
    {"2+2W", "fence.sc", Scope::device, Scope::device, "01", "12 21 22", ""},
    {"2+2W", "fence.sc", Scope::device, Scope::block, "00", "12 21 22", ""},
    {"2+2W", "fence.sc", Scope::device, Scope::block, "01", "12 21 22", "11"},
    {"2+2W", "fence.acq_rel", Scope::device, Scope::device, "00", "12 21 22", "11"},
    {"2+2W", "fence.acq_rel", Scope::device, Scope::device, "01", "12 21 22", "11"},
    {"CoRR", "rlx", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"CoRR", "ra", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"CoRR", "fence.sc", Scope::device, Scope::device, "01", "00 01 11", ""},
    {"CoWR", "rlx", Scope::device, Scope::device, "01", "11 12 22", ""},
    {"CoWR", "ra", Scope::device, Scope::device, "01", "11 12 22", ""},
    {"CoWR", "fence.sc", Scope::device, Scope::device, "01", "11 12 22", ""},
    {"CoRW", "rlx", Scope::device, Scope::device, "01", "01 02 21", ""},
    {"CoRW", "ra", Scope::device, Scope::device, "01", "01 02 21", ""},
    {"CoRW", "fence.sc", Scope::device, Scope::device, "01", "01 02 21", ""},
    {"SB+U", "rlx", Scope::device, Scope::device, "01", "0122 2011 2121", "0012"},
    {"SB+U", "ra", Scope::device, Scope::device, "01", "0122 2011 2121", "0012"},
    {"SB+U", "fence.sc", Scope::device, Scope::device, "01", "0122 2011 2121", ""},
    {"MP+WW", "rlx", Scope::device, Scope::device, "01", "00 01 10 11 20 21", ""},
    {"MP+WW", "ra", Scope::device, Scope::device, "01", "00 01 11 21", ""},
    {"MP+WW", "fence.sc", Scope::device, Scope::device, "01", "00 01 11 21", ""},
    {"MP+RR", "rlx", Scope::device, Scope::device, "01", "000 001 010 011 110 111", ""},
    {"MP+RR", "ra", Scope::device, Scope::device, "01", "000 001 011 111", ""},
    {"MP+RR", "fence.sc", Scope::device, Scope::device, "01", "000 001 011 111", ""},
    {"WRC", "rlx", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "rlx", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "ra", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"WRC", "ra", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"WRC", "rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "ra", Scope::block, Scope::block, "012", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "ra", Scope::block, Scope::block, "001", "000 001 010 011 100 101 110 111", ""},
    {"WRC", "fence.sc", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"WRC", "fence.sc", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"WRC", "fence.acq_rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"WRC", "fence.acq_rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"ISA2", "rlx", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "rlx", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "ra", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"ISA2", "ra", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"ISA2", "rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "ra", Scope::block, Scope::block, "012", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "ra", Scope::block, Scope::block, "001", "000 001 010 011 100 101 110 111", ""},
    {"ISA2", "fence.sc", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"ISA2", "fence.sc", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"ISA2", "fence.acq_rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 111", ""},
    {"ISA2", "fence.acq_rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 111", ""},
    {"RWC", "rlx", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "rlx", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "ra", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "ra", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "ra", Scope::block, Scope::block, "012", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "ra", Scope::block, Scope::block, "001", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "fence.sc", Scope::device, Scope::device, "012", "000 001 010 011 101 110 111", ""},
    {"RWC", "fence.sc", Scope::device, Scope::device, "001", "000 001 010 011 101 110 111", ""},
    {"RWC", "fence.acq_rel", Scope::device, Scope::device, "012", "000 001 010 011 100 101 110 111", ""},
    {"RWC", "fence.acq_rel", Scope::device, Scope::device, "001", "000 001 010 011 100 101 110 111", ""},
    {"WWC", "rlx", Scope::device, Scope::device, "012", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "rlx", Scope::device, Scope::device, "001", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "ra", Scope::device, Scope::device, "012", "001 002 011 012 101 102 201 202 211", ""},
    {"WWC", "ra", Scope::device, Scope::device, "001", "001 002 011 012 101 102 201 202 211", ""},
    {"WWC", "rel", Scope::device, Scope::device, "012", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "rel", Scope::device, Scope::device, "001", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "ra", Scope::block, Scope::block, "012", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "ra", Scope::block, Scope::block, "001", "001 002 011 012 101 102 201 202 211", "111 112 212"},
    {"WWC", "fence.sc", Scope::device, Scope::device, "012", "001 002 011 012 101 102 201 202 211", ""},
    {"WWC", "fence.sc", Scope::device, Scope::device, "001", "001 002 011 012 101 102 201 202 211", ""},
    {"WWC", "fence.acq_rel", Scope::device, Scope::device, "012", "001 002 011 012 101 102 201 202 211", ""},
    {"WWC", "fence.acq_rel", Scope::device, Scope::device, "001", "001 002 011 012 101 102 201 202 211", ""},
    {"MP+U", "rlx", Scope::device, Scope::device, "012", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "rlx", Scope::device, Scope::device, "001", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "ra", Scope::device, Scope::device, "012", "000 001 011 020 021 100 101 111 121", ""},
    {"MP+U", "ra", Scope::device, Scope::device, "001", "000 001 011 020 021 100 101 111 121", ""},
    {"MP+U", "rel", Scope::device, Scope::device, "012", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "rel", Scope::device, Scope::device, "001", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "ra", Scope::block, Scope::block, "012", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "ra", Scope::block, Scope::block, "001", "000 001 010 011 020 021 100 101 110 111 120 121", ""},
    {"MP+U", "fence.sc", Scope::device, Scope::device, "012", "000 001 011 020 021 100 101 111 121", ""},
    {"MP+U", "fence.sc", Scope::device, Scope::device, "001", "000 001 011 020 021 100 101 111 121", ""},
    {"MP+U", "fence.acq_rel", Scope::device, Scope::device, "012", "000 001 011 020 021 100 101 111 121", ""},
    {"MP+U", "fence.acq_rel", Scope::device, Scope::device, "001", "000 001 011 020 021 100 101 111 121", ""},
    {"IRIW", "rlx", Scope::device, Scope::device, "0123",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", ""},
    {"IRIW", "ra", Scope::device, Scope::device, "0123",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", ""},
    {"IRIW", "fence.sc", Scope::device, Scope::device, "0123",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111", ""},
    {"IRIW", "fence.acq_rel", Scope::device, Scope::device, "0123",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111", ""},
};

struct Step {
  char kind = 'F';
  char name = 0, location = 0;
  int value = 0;
};

std::vector<std::vector<Step>> steps_of(const Shape& shape) {
  std::vector<std::vector<Step>> threads(1);
  std::istringstream words{shape.threads};
  for (std::string word; words >> word;) {
    if (word == "|") {
      threads.emplace_back();
      continue;
    }
    Step step{.kind = word[0]};
    if (step.kind == 'R' || step.kind == 'U') words >> step.name;
    if (step.kind != 'F') words >> step.location;
    if (step.kind == 'W' || step.kind == 'U') words >> step.value;
    threads.back().push_back(step);
  }
  return threads;
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> all;
  std::istringstream words{text};
  for (std::string word; words >> word;) all.insert(word);
  return all;
}

// One execution: its choices depend on the seed.
class Execution {
 public:
  Execution(const Row& row, const std::vector<std::vector<Step>>& threads, std::uint64_t seed)
      : row_(row), threads_(threads), rng_(seed), cells_(64), detector_(Shadow(cells_.data(), kBase, 256), {}) {
    static constexpr unsigned kPercent[] = {100, 60, 30, 80, 15};
    weak_.set_choices({.seed = seed, .percent = kPercent[seed % 5], .only = std::nullopt});
    detector_.set_weak(&weak_);
    detector_.start_launch();
    const std::string blocks = row.blocks;
    for (const char block : blocks) {
      auto [found, fresh] = blocks_.try_emplace(block);
      if (fresh) detector_.start_block(found->second, static_cast<std::uint32_t>(block - '0'), 4);
    }
  }

  std::string run(const std::string& memory) {
    std::vector<std::size_t> at(threads_.size(), 0);
    for (;;) {
      std::vector<std::size_t> ready;
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        if (at[i] < threads_[i].size()) ready.push_back(i);
      }
      if (ready.empty()) break;
      const std::size_t thread = ready[rng_.below(ready.size())];
      take(thread, threads_[thread][at[thread]++]);
    }
    std::string outcome;
    for (const auto& steps : threads_) {
      for (const Step& step : steps) {
        if (step.name != 0) outcome += std::to_string(registers_.at(step.name));
      }
    }
    for (const char location : memory) outcome += std::to_string(memory_[place(location)]);
    return outcome;
  }

 private:
  static std::size_t place(char location) { return static_cast<std::size_t>(location - 'x'); }

  void take(std::size_t number, const Step& step) {
    const std::string orders = row_.orders;
    const bool fences = orders.starts_with("fence");
    ThreadState& thread = blocks_.at(row_.blocks[number]).threads[number];
    if (step.kind == 'F') {
      if (fences) {
        detector_.fence(thread, row_.fence_scope, 0, orders == "fence.sc" ? FenceOrder::sc : FenceOrder::acq_rel);
      }
      return;
    }
    std::uint64_t& word = memory_[place(step.location)];
    Access access{.address = kBase + 8 * place(step.location),
                  .size = 4,
                  .kind = step.kind == 'W'   ? AccessKind::write
                          : step.kind == 'R' ? AccessKind::read
                                             : AccessKind::update,
                  .site = 1,
                  .strong = true,
                  .scope = row_.scope};
    access.release = step.kind != 'R' && (orders == "ra" || orders == "rel");
    access.acquire = step.kind != 'W' && (orders == "ra" || orders == "acq");
    const std::optional<std::uint64_t> older = detector_.begin_weak(thread, access, word);
    detector_.access(thread, access);
    if (step.name != 0) registers_[step.name] = older.value_or(word);
    if (step.kind == 'R') return;
    word = static_cast<std::uint64_t>(step.value);
    weak_.stored(access.address, word);
  }

  const Row& row_;
  const std::vector<std::vector<Step>>& threads_;
  base::Rng rng_;
  std::vector<Cell> cells_;
  Detector detector_;
  WeakMemory weak_;
  std::map<char, BlockState> blocks_;
  std::map<char, std::uint64_t> registers_;
  std::array<std::uint64_t, 3> memory_{};
};

TEST(WeakLitmus, ShowsWhatTheModelAllowsAndNothingElse) {
  for (const Row& row : kRows) {
    const Shape* shape = nullptr;
    for (const Shape& known : kShapes) {
      if (std::string(known.name) == row.shape) shape = &known;
    }
    ASSERT_NE(shape, nullptr);
    const std::vector<std::vector<Step>> threads = steps_of(*shape);
    const std::set<std::string> expected = words_of(row.shown);
    std::set<std::string> shown;
    for (std::uint64_t seed = 0; seed < 300 || (shown != expected && seed < 20'000); ++seed) {
      shown.insert(Execution(row, threads, seed).run(shape->memory));
    }
    EXPECT_EQ(shown, expected) << row.shape << " " << row.orders << " blocks " << row.blocks << " scopes "
                               << static_cast<int>(row.scope) << " " << static_cast<int>(row.fence_scope);
  }
}

}  // namespace
}  // namespace weakspot::race::weak_litmus_test
