// SPDX-License-Identifier: MIT
#include "gen/search.h"

#include <algorithm>
#include <unordered_set>

#include "gen/identity.h"
#include "gen/shape/check_cycle.h"

namespace weakspot::gen {
namespace {

using litmus::Scope;
using litmus::Space;

bool composable(const Edge& first, const Edge& second) {
  if (!is_communication(first.kind) || !is_communication(second.kind)) return false;
  return second.kind == EdgeKind::co || (first.kind == EdgeKind::rf && second.kind == EdgeKind::fr);
}

// One alphabet of steps, and the walk over its necklaces: the sequences that are least among their rotations
// (Fredricksen, Kessler and Maiorana). Letters are numbered, so rotations are compared by numbers.
class Necklaces {
 public:
  Necklaces(const SearchConfig& config, std::vector<Step> letters, const std::function<bool(const Cycle&)>& found)
      : config_(config), letters_(std::move(letters)), found_(found), next_(letters_.size()) {
    for (std::size_t a = 0; a < letters_.size(); ++a) {
      for (std::size_t b = 0; b < letters_.size(); ++b) {
        if (follows(letters_[a], letters_[b])) next_[a].push_back(b);
      }
    }
  }

  // False if told to stop.
  bool run(std::size_t size) {
    word_.assign(size, 0);
    for (std::size_t first = 0; first < letters_.size(); ++first) {
      word_[0] = first;
      if (!extend(1, 1, letters_[first].edge.external, !letters_[first].edge.external)) return false;
    }
    return true;
  }

  std::size_t count() const { return count_; }

 private:
  bool follows(const Step& a, const Step& b) const {
    if (a.edge.target != b.edge.source) return false;
    if (a.edge.same_location && a.event.space != b.event.space) return false;
    return !config_.critical || !composable(a.edge, b.edge);
  }

  // `period`: of the longest necklace the word so far can start; `external`: edges between threads so far; `run`:
  // edges within the last thread.
  bool extend(std::size_t length, std::size_t period, std::size_t external, std::size_t internal) {
    if (config_.stop != nullptr && config_.stop->load(std::memory_order_relaxed)) return false;
    if (external > config_.threads.most || internal > config_.internal) return true;
    if (length == word_.size()) return word_.size() % period != 0 || finish(external);
    const std::size_t least = word_[length - period];
    const std::vector<std::size_t>& choices = next_[word_[length - 1]];
    for (auto letter = std::lower_bound(choices.begin(), choices.end(), least); letter != choices.end(); ++letter) {
      word_[length] = *letter;
      const bool leaves = letters_[*letter].edge.external;
      if (!extend(length + 1, *letter == least ? period : length + 1, external + leaves, leaves ? 0 : internal + 1)) {
        return false;
      }
    }
    return true;
  }

  bool finish(std::size_t external) {
    if (external < std::max<std::size_t>(config_.threads.least, 2)) return true;
    if (!follows(letters_[word_.back()], letters_[word_.front()])) return true;
    cycle_.steps.clear();
    for (std::size_t letter : word_) cycle_.steps.push_back(letters_[letter]);
    // A thread may go round the end of the word.
    std::size_t internal = 0, most = 0;
    for (std::size_t i = 0; i < 2 * word_.size(); ++i) {
      internal = cycle_.at(i).edge.external ? 0 : internal + 1;
      most = std::max(most, internal);
    }
    if (most > config_.internal || !check(cycle_).empty()) return true;
    ++count_;
    return found_(cycle_);
  }

  const SearchConfig& config_;
  std::vector<Step> letters_;
  const std::function<bool(const Cycle&)>& found_;
  std::vector<std::vector<std::size_t>> next_;  // by letter, ascending
  std::vector<std::size_t> word_;
  Cycle cycle_;
  std::size_t count_ = 0;
};

// Every list of choices by itself, or all of them at once.
template <typename Choice>
std::vector<std::vector<Choice>> alphabets(const std::vector<Choice>& choices, bool mixed) {
  if (mixed) return {choices};
  std::vector<std::vector<Choice>> single;
  for (const Choice& choice : choices) single.push_back({choice});
  return single;
}

std::vector<Step> letters(const std::vector<Edge>& edges, const std::vector<Scope>& together,
                          const std::vector<Flavour>& flavours, const std::vector<Space>& spaces) {
  std::vector<Step> list;
  for (Edge edge : edges) {
    for (const Flavour& flavour : flavours) {
      for (Space space : spaces) {
        Step step{edge.source == Direction::read ? flavour.read : flavour.write, edge};
        step.event.space = space;
        for (Scope scope : together) {
          if (edge.external) step.edge.together = scope;
          if (std::find(list.begin(), list.end(), step) == list.end()) list.push_back(step);
        }
      }
    }
  }
  return list;
}

struct HashOfHash {
  std::size_t operator()(const base::Hash128& hash) const { return static_cast<std::size_t>(hash.low); }
};

}  // namespace

std::size_t search(const SearchConfig& config, const std::function<bool(const Cycle&)>& found) {
  std::size_t count = 0;
  for (std::size_t size = std::max<std::size_t>(config.size.least, 2); size <= config.size.most; ++size) {
    for (const auto& together : alphabets(config.together, config.mixed_together)) {
      for (const auto& flavours : alphabets(config.flavours, config.mixed_flavours)) {
        for (const auto& spaces : alphabets(config.spaces, config.mixed_spaces)) {
          Necklaces necklaces(config, letters(config.edges, together, flavours, spaces), found);
          const bool go_on = necklaces.run(size);
          count += necklaces.count();
          if (!go_on) return count;
        }
      }
    }
  }
  return count;
}

Generated generate(const SearchConfig& config, const std::function<bool(litmus::LitmusTest)>& found) {
  Generated result;
  std::unordered_set<base::Hash128, HashOfHash> seen;
  result.cycles = search(config, [&](const Cycle& cycle) {
    base::Result<litmus::LitmusTest> test = to_test(cycle, config.test);
    if (!test) {
      ++result.refused;
      return true;
    }
    if (!seen.insert(canonical_hash(*test)).second) {
      ++result.duplicates;
      return true;
    }
    ++result.tests;
    return found(std::move(*test));
  });
  return result;
}

}  // namespace weakspot::gen
