// SPDX-License-Identifier: MIT
#include "prove/translate/translation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/source.h"
#include "litmus/dialect.h"
#include "prove/translate/actors.h"
#include "prove/translate/thread_text.h"

namespace weakspot::prove {
namespace {

constexpr std::string_view kHeader = "weakspot";

std::string word_of(const std::string& name, std::set<std::string>& used) {
  std::string word;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) word += c;
    if (!plain && !word.empty() && word.back() != '_') word += '_';
  }
  while (word.ends_with('_')) word.pop_back();
  if (word.empty() || (word[0] >= '0' && word[0] <= '9')) word = "m" + word;
  const std::string base = word;
  for (unsigned i = 2; used.contains(word); ++i) word = fmt::format("{}_{}", base, i);
  used.insert(word);
  return word;
}

class Translator {
 public:
  Translator(const residual::Residual& residual, const std::vector<Assertion>& assertions, const ProofRequest& request)
      : residual_(residual), assertions_(assertions), request_(request) {}

  base::Result<Translation> run() {
    result_.stops = residual_.stops;
    if (!residual_.problem.empty()) return refused(residual_.problem);
    Cast cast = choose_actors(residual_);
    result_.actors = cast.actors;
    result_.left_out = cast.left_out;
    if (result_.actors.size() > request_.most_actors) {
      return refused(fmt::format("{} threads share memory that changes; the limit is {} (--actors){}",
                                 result_.actors.size(), request_.most_actors, also_not_followed()));
    }
    if (!place_memory()) return std::move(result_);
    write_threads();
    if (!result_.problem.empty()) return std::move(result_);
    write_assertions();
    result_.text = text_with("true");
    base::Result<litmus::LitmusTest> test = read(result_.text);
    if (!test) return of_kind(base::ErrorKind::environment, test.errors());
    result_.test = *std::move(test);
    return std::move(result_);
  }

 private:
  // Threads that stop count as sharing memory, whatever they would do behind it: the cause may be there.
  std::string also_not_followed() const {
    for (const std::size_t actor : result_.actors) {
      for (const residual::Instruction& one : residual_.threads[actor].code) {
        if (one.kind != residual::Kind::stop) continue;
        const residual::Stop& stop = residual_.stops[one.label];
        if (stop.kind != residual::Stop::Kind::not_modelled && stop.kind != residual::Stop::Kind::too_much) continue;
        const race::Place& place = residual_.places[stop.place];
        return fmt::format("; {}, line {}, is not followed", stop.what, place.line);
      }
    }
    return "";
  }

  Translation refused(const std::string& problem) {
    result_.problem = problem;
    return result_;
  }

  static base::Result<litmus::LitmusTest> read(const std::string& text) {
    base::Result<std::vector<litmus::LitmusTest>> tests =
        litmus::read_tests(base::Source("the test that was made", text));
    if (!tests) return tests.errors();
    return tests->front();
  }

  // Accesses that overlap are of one location.
  bool place_memory() {
    std::vector<residual::Memory> all = residual_.memory;
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return std::pair(a.address, b.size) < std::pair(b.address, a.size); });
    std::set<std::string> used;
    for (std::size_t i = 0; i < all.size();) {
      const residual::Memory& first = all[i];
      std::uint64_t end = first.address + first.size;
      std::size_t next = i;
      for (; next < all.size() && all[next].address < end; ++next) {
        end = std::max(end, all[next].address + all[next].size);
      }
      if (end != first.address + first.size) {
        result_.problem = fmt::format("accesses of different sizes overlap at {}", first.name);
        return false;
      }
      TestLocation location{.name = first.name, .word = word_of(first.name, used), .size = first.size};
      location.initial = first.initialised ? first.bits : unset_pattern(first.size);
      location.initialised = first.initialised;
      location.block = first.block;
      for (; i < next; ++i) {
        TestPlace place{locations_.size(), all[i].address - first.address};
        places_[{all[i].address, all[i].size}] = place;
      }
      result_.names[location.word] = location.name;
      if (!location.initialised) result_.unset.insert(location.word);
      locations_.push_back(location);
    }
    return true;
  }

  void write_threads() {
    for (const std::size_t actor : result_.actors) {
      ThreadText text = thread_text(residual_.threads[actor], locations_, places_);
      if (!text.problem.empty()) {
        const race::Place& place = residual_.places[text.problem_place];
        result_.problem = fmt::format("{} at {}:{}", text.problem, place.file, place.line);
        return;
      }
      std::vector<std::size_t>& rows = result_.rows.emplace_back();
      for (const TextLine& line : text.lines) rows.push_back(line.instruction);
      threads_.push_back(std::move(text));
    }
    result_.stopped.resize(result_.stops.size());
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      for (const std::size_t stop : threads_[t].stops) {
        add(result_.stopped[stop], fmt::format("{}:stop={}", t, stop + 1));
      }
    }
    // Each thread counts reads of memory that nobody has set in a register of its own.
    std::string unset;
    std::uint32_t place = 0;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (!threads_[t].checks_unset) continue;
      add(unset, fmt::format("{}:unset=1", t));
      place = threads_[t].unset_place;
    }
    if (!unset.empty()) {
      result_.stops.push_back({residual::Stop::Kind::invalid, "a read of shared memory that nobody has set", place});
      result_.stopped.push_back(unset);
    }
  }

  static void add(std::string& proposition, const std::string& part) {
    if (!proposition.empty()) proposition += " \\/ ";
    proposition += part;
  }

  // The value of a name, as the test's location holds it.
  std::string term(const AssertionPart& part, unsigned size, bool right) const {
    if (part.kind == AssertionPart::Kind::number) {
      const unsigned unused = 64 - 8 * size;
      return fmt::format("{}", static_cast<std::int64_t>(static_cast<std::uint64_t>(part.number) << unused) >> unused);
    }
    const std::string& word = locations_[place_of(part).location].word;
    return right ? "[" + word + "]" : word;
  }
  const TestPlace& place_of(const AssertionPart& part) const {
    for (const residual::Named& named : residual_.named) {
      if (named.asked.name == part.name.name && named.asked.index == part.name.index) {
        return places_.at({named.address, named.size});
      }
    }
    return places_.begin()->second;
  }
  unsigned size_of(const AssertionPart& part) const {
    return part.kind == AssertionPart::Kind::name ? locations_[place_of(part).location].size : 8;
  }

  void write_assertions() {
    for (const Assertion& assertion : assertions_) {
      std::vector<std::string> texts;
      std::vector<AssertionPart> terms;
      for (const AssertionPart& part : assertion) {
        switch (part.kind) {
          case AssertionPart::Kind::name:
          case AssertionPart::Kind::number:
            terms.push_back(part);
            break;
          case AssertionPart::Kind::compare: {
            AssertionPart right = terms.back(), left = terms[terms.size() - 2];
            terms.resize(terms.size() - 2);
            texts.push_back(comparison(left, part.op, right));
            break;
          }
          case AssertionPart::Kind::negation:
            texts.back() = "~(" + texts.back() + ")";
            break;
          case AssertionPart::Kind::both:
          case AssertionPart::Kind::either: {
            const std::string right = texts.back();
            texts.pop_back();
            texts.back() =
                fmt::format("({} {} {})", texts.back(), part.kind == AssertionPart::Kind::both ? "/\\" : "\\/", right);
            break;
          }
        }
      }
      result_.failed.push_back("~(" + texts.back() + ")");
    }
  }

  // Litmus tests have locations on the left.
  std::string comparison(const AssertionPart& a, const std::string& op, const AssertionPart& b) const {
    const unsigned size = std::min(size_of(a), size_of(b));
    const bool turned = a.kind == AssertionPart::Kind::number;
    if (turned && b.kind == AssertionPart::Kind::number) {
      const std::int64_t x = a.number, y = b.number;
      const bool holds = op == "=="   ? x == y
                         : op == "!=" ? x != y
                         : op == "<"  ? x < y
                         : op == "<=" ? x <= y
                         : op == ">"  ? x > y
                                      : x >= y;
      return holds ? "true" : "false";
    }
    std::string word = op == "==" ? "=" : op;
    if (turned && word.find_first_of("<>") == 0) word[0] = word[0] == '<' ? '>' : '<';
    return term(turned ? b : a, size, false) + word + term(turned ? a : b, size, true);
  }

  std::string text_with(const std::string& proposition) const {
    std::string text = fmt::format("{} {}\n", kHeader, request_.name);
    text += fmt::format("\"Kernel {} with grid {},{},{} and block {},{},{}.\"\n", residual_.kernel,
                        residual_.launch.grid.x, residual_.launch.grid.y, residual_.launch.grid.z,
                        residual_.launch.block.x, residual_.launch.block.y, residual_.launch.block.z);
    text += "Arch=ptx\n{\n";
    for (const TestLocation& location : locations_) {
      text += fmt::format("  {}{} {} = {};\n", location.block ? "shared " : "", type_word(location.size, true),
                          location.word, as_number(location.initial, location.size));
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      for (const auto& [name, type] : threads_[t].registers) text += fmt::format("  {}:{} {};\n", t, type, name);
    }
    text += "}\n";
    std::size_t rows = 0;
    for (const ThreadText& thread : threads_) rows = std::max(rows, thread.lines.size());
    std::vector<std::string> cells;
    cells.reserve(threads_.size());
    for (std::size_t t = 0; t < threads_.size(); ++t) cells.push_back(fmt::format("P{}", t));
    text += fmt::format(" {} ;\n", fmt::join(cells, " | "));
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        cells[t] = row < threads_[t].lines.size() ? threads_[t].lines[row].text : "";
      }
      text += fmt::format(" {} ;\n", fmt::join(cells, " | "));
    }
    return text + scopes() + fmt::format("exists ({})\n", proposition);
  }

  std::string scopes() const {
    const race::Extent& cluster = residual_.launch.cluster;
    std::map<std::uint64_t, std::map<std::uint64_t, std::map<std::uint64_t, std::vector<std::string>>>> tree;
    bool warps = false;
    for (std::size_t t = 0; t < result_.actors.size(); ++t) {
      const residual::Thread& thread = residual_.threads[result_.actors[t]];
      const auto at = residual_.launch.grid.coordinates(thread.block);
      const race::Extent in{residual_.launch.grid.x / cluster.x, residual_.launch.grid.y / cluster.y, 1};
      const std::uint64_t group =
          at[0] / cluster.x + std::uint64_t{in.x} * (at[1] / cluster.y + std::uint64_t{in.y} * (at[2] / cluster.z));
      tree[group][thread.block][thread.number / 32].push_back(fmt::format("P{}", t));
      warps = warps || std::any_of(thread.code.begin(), thread.code.end(), [](const residual::Instruction& one) {
                return one.kind == residual::Kind::barrier && one.op == residual::Op::mov;
              });
    }
    std::string text = "scopes";
    for (const auto& [group, blocks] : tree) {
      if (cluster.count() > 1) text += " (cluster";
      for (const auto& [block, lanes] : blocks) {
        text += " (wg";
        for (const auto& [warp, names] : lanes) {
          text += warps ? fmt::format(" (sg {})", fmt::join(names, " ")) : fmt::format(" {}", fmt::join(names, " "));
        }
        text += ")";
      }
      if (cluster.count() > 1) text += ")";
    }
    return text + "\n";
  }

  const residual::Residual& residual_;
  const std::vector<Assertion>& assertions_;
  const ProofRequest& request_;
  std::vector<TestLocation> locations_;
  TestPlaces places_;
  std::vector<ThreadText> threads_;
  Translation result_;
};

}  // namespace

base::Result<Translation> translate(const residual::Residual& residual, const std::vector<Assertion>& assertions,
                                    const ProofRequest& request) {
  return Translator(residual, assertions, request).run();
}

base::Result<litmus::LitmusTest> asked(const Translation& translation, const std::string& proposition) {
  const std::size_t question = translation.text.rfind("exists (");
  const std::string text = translation.text.substr(0, question) + "exists (" + proposition + ")\n";
  base::Result<std::vector<litmus::LitmusTest>> tests =
      litmus::read_tests(base::Source("the test that was made", text));
  if (!tests) return of_kind(base::ErrorKind::environment, tests.errors());
  return tests->front();
}

}  // namespace weakspot::prove
