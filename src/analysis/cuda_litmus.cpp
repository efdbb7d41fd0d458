// SPDX-License-Identifier: MIT
#include "analysis/cuda_litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/mistakes.h"
#include "litmus/dialect.h"

namespace weakspot::analysis {
namespace {

using litmus::Scope;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
}
bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<Scope> scope_of(std::string_view word) {
  if (word == "BLOCK") return Scope::workgroup;
  if (word == "DEVICE") return Scope::device;
  if (word == "SYSTEM") return Scope::system;
  return std::nullopt;
}

// The suffix of an instruction for a scope; the device is the default.
std::string_view suffix_of(Scope scope) {
  return scope == Scope::workgroup ? ".wg" : scope == Scope::system ? ".sys" : "";
}

// One line as words (with '_' and '::') and single punctuation marks. Comments are left out.
struct Line {
  std::vector<std::string_view> tokens;
  base::Span span;

  std::string_view at(std::size_t i) const { return i < tokens.size() ? tokens[i] : std::string_view(); }
  // Where these tokens stand one after the other; an empty one stands for any.
  std::optional<std::size_t> find(const std::vector<std::string_view>& wanted) const {
    for (std::size_t i = 0; i + wanted.size() <= tokens.size(); ++i) {
      bool same = true;
      for (std::size_t j = 0; j < wanted.size(); ++j) same = same && (wanted[j].empty() || wanted[j] == tokens[i + j]);
      if (same) return i;
    }
    return std::nullopt;
  }
};

Line split_line(std::string_view text, std::uint32_t begin) {
  Line line{{}, {begin, begin + static_cast<std::uint32_t>(text.size())}};
  text = text.substr(0, text.find("//"));
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (is_word(text[i]) && end < text.size() && is_word(text[end])) ++end;
    line.tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return line;
}

constexpr std::string_view kOrderPrefix = "cuda::memory_order_";

// Reads the kernel as the preprocessor and the compiler would, as far as tests need it.
class KernelReader {
 public:
  KernelReader(const base::Source& source, const CudaLitmusName& name) : mistakes_(source), name_(name) {
    defined_.insert(name.variant);
  }

  base::Result<litmus::LitmusTest> read(const std::string& test_name) {
    const std::string_view text = mistakes_.source().text();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      take(split_line(text.substr(begin, end - begin), static_cast<std::uint32_t>(begin)));
      begin = end + 1;
    }
    if (!asked_.contains(name_.variant) && name_.variant != "RELAXED" && name_.variant != "DEFAULT") {
      mistakes_.add({}, fmt::format("the kernel has no variant '{}'", name_.variant));
    }
    check_threads();
    if (condition_.empty()) mistakes_.add({}, "the kernel counts no weak outcome");
    if (mistakes_.any()) return mistakes_.take();
    base::Result<std::vector<litmus::LitmusTest>> tests =
        litmus::read_tests(base::Source(test_name, text_of(test_name)));
    if (!tests) return tests.errors();
    return std::move(tests->front());
  }

 private:
  struct Branch {
    bool taken = false, any = false;
  };

  void take(const Line& line) {
    if (line.at(0) == "#") return directive(line);
    if (std::any_of(branches_.begin(), branches_.end(), [](const Branch& branch) { return !branch.taken; })) return;
    statement(line);
  }

  void directive(const Line& line) {
    const std::string_view word = line.at(1);
    if (word == "ifdef") {
      branches_.push_back(chosen(line.at(2)));
    } else if (word == "elif" && line.at(2) == "defined") {
      if (!branches_.empty()) {
        const Branch next = chosen(line.at(line.at(3) == "(" ? 4 : 3));
        branches_.back() = {!branches_.back().any && next.taken, branches_.back().any || next.taken};
      }
    } else if (word == "else") {
      if (!branches_.empty()) branches_.back() = {!branches_.back().any, true};
    } else if (word == "endif") {
      if (!branches_.empty()) branches_.pop_back();
    } else if (word == "define" && std::all_of(branches_.begin(), branches_.end(), [](Branch b) { return b.taken; })) {
      define(line);
    } else if (word == "if" || word == "ifndef") {
      mistakes_.add(line.span, "expected '#ifdef': other conditions are not understood");
    }
  }

  Branch chosen(std::string_view macro) {
    asked_.emplace(macro);
    const bool taken = defined_.contains(std::string(macro));
    return {taken, taken};
  }

  // "#define FENCE0() cuda::atomic_thread_fence(cuda::memory_order_acq_rel, FENCE_SCOPE);" or an empty one.
  void define(const Line& line) {
    if (!line.at(2).starts_with("FENCE")) return;
    const std::optional<std::size_t> at = line.find({"cuda::atomic_thread_fence", "("});
    fences_[std::string(line.at(2))] = at ? std::string(line.at(*at + 2)) : std::string();
  }

  void statement(const Line& line) {
    if (line.at(0) == "cuda::memory_order" && line.at(2) == "=") {
      orders_[std::string(line.at(1))] = std::string(line.at(3));
    } else if (auto store = line.find({"test_locations", "[", "", "]", ".", "store", "("})) {
      access(line, *store, "st");
    } else if (auto load = line.find({"test_locations", "[", "", "]", ".", "load", "("})) {
      access(line, *load, "ld");
    } else if (line.at(0).starts_with("FENCE") && line.at(1) == "(") {
      fence(line);
    } else if (auto question = line.find({"if", "("})) {
      branch_ = line;
      branch_at_ = *question + 2;
    } else if (line.find({"test_results", "-", ">", "weak"}) && condition_.empty()) {
      condition();
    }
  }

  // "x_0" is location x, accessed by thread 0.
  void access(const Line& line, std::size_t at, std::string_view mnemonic) {
    const std::string_view place = line.at(at + 2);
    const std::size_t under = place.find('_');
    const std::string_view thread = under == std::string_view::npos ? std::string_view() : place.substr(under + 1);
    if (!is_number(thread) || thread.size() > 1) {
      return mistakes_.add(line.span, fmt::format("expected a location and a thread, such as x_0, not '{}'", place));
    }
    const std::string location(place.substr(0, under));
    const bool store = mnemonic == "st";
    const std::string_view value = store ? line.at(at + 7) : line.at(at - 2);
    const bool understood = store ? is_number(value) && line.at(at + 8) == "," : at >= 2 && line.at(at - 1) == "=";
    if (!understood) return mistakes_.add(line.span, "expected the store of a number, or a load into a variable");
    std::optional<std::string_view> order = order_of(line, line.at(at + (store ? 9 : 7)));
    if (!order) return;
    std::vector<std::string>& column = columns_[thread.front() - '0'];
    if (*order == ".sc") {
      column.push_back(fmt::format("fence{}", suffix_of(name_.scope)));
      order = store ? "" : ".acq";
    }
    const std::string suffixes = fmt::format("{}{}", *order, suffix_of(name_.scope));
    column.push_back(store ? fmt::format("st{} {}, {}", suffixes, location, value)
                           : fmt::format("ld{} {}, {}", suffixes, value, location));
    if (!store) owners_[std::string(value)] = thread.front() - '0';
  }

  // The suffix of an order that stands there itself or by the name of a variable.
  std::optional<std::string_view> order_of(const Line& line, std::string_view word) {
    const auto variable = orders_.find(std::string(word));
    if (variable != orders_.end()) word = variable->second;
    constexpr std::pair<std::string_view, std::string_view> kOrders[] = {
        {"relaxed", ""}, {"acquire", ".acq"}, {"release", ".rel"}, {"acq_rel", ".acqrel"}, {"seq_cst", ".sc"}};
    if (word.starts_with(kOrderPrefix)) {
      for (const auto& [name, suffix] : kOrders) {
        if (word.substr(kOrderPrefix.size()) == name) return suffix;
      }
    }
    mistakes_.add(line.span, fmt::format("'{}' is not a memory order", word));
    return std::nullopt;
  }

  // The digit in the macro's name is the thread.
  void fence(const Line& line) {
    const std::string macro(line.at(0));
    const auto found = fences_.find(macro);
    if (found == fences_.end()) return mistakes_.add(line.span, fmt::format("'{}' is not defined", macro));
    if (found->second.empty()) return;
    const char thread = macro.back();
    if (thread < '0' || thread > '9') return mistakes_.add(line.span, "expected the number of a thread in the name");
    if (const std::optional<std::string_view> order = order_of(line, found->second)) {
      columns_[thread - '0'].push_back(fmt::format("fence{}{}", *order == ".sc" ? "" : *order,
                                                   suffix_of(name_.fence_scope.value_or(Scope::system))));
    }
  }

  // "r0 == 1 && x == 2" of the branch that counts the weak outcome.
  void condition() {
    for (std::size_t i = branch_at_; i + 3 < branch_.tokens.size(); i += 6) {
      const bool comparison = branch_.at(i + 1) == "=" && branch_.at(i + 2) == "=" && is_number(branch_.at(i + 3));
      const bool joined = branch_.at(i + 4) == ")" || (branch_.at(i + 4) == "&" && branch_.at(i + 5) == "&");
      if (!comparison || !joined) {
        return mistakes_.add(branch_.span, "expected comparisons with numbers, joined by '&&'");
      }
      const auto owner = owners_.find(std::string(branch_.at(i)));
      if (!condition_.empty()) condition_ += " /\\ ";
      if (owner != owners_.end()) condition_ += fmt::format("{}:", owner->second);
      condition_ += fmt::format("{}={}", branch_.at(i), branch_.at(i + 3));
    }
  }

  void check_threads() {
    std::set<char> placed;
    for (const std::string& block : name_.blocks) placed.insert(block.begin(), block.end());
    for (std::size_t i = 0; i < std::max(placed.size(), columns_.size()); ++i) {
      if (!columns_.contains(static_cast<int>(i)) || !placed.contains(static_cast<char>('0' + i))) {
        return mistakes_.add(
            {}, fmt::format("the name places {} threads and the kernel has {}", placed.size(), columns_.size()));
      }
    }
  }

  std::string text_of(const std::string& test_name) const {
    std::string text = fmt::format("weakspot {}\nArch=ptx\n", test_name);
    std::size_t rows = 0;
    for (const auto& [thread, column] : columns_) {
      text += fmt::format("{}P{}", thread == 0 ? "" : " | ", thread);
      rows = std::max(rows, column.size());
    }
    for (std::size_t row = 0; row < rows; ++row) {
      text += " ;\n";
      for (const auto& [thread, column] : columns_) {
        text += fmt::format("{}{}", thread == 0 ? "" : " | ", row < column.size() ? column[row] : "");
      }
    }
    text += " ;\nscopes";
    for (const std::string& block : name_.blocks) {
      text += " (wg";
      for (char thread : block) text += fmt::format(" P{}", thread);
      text += ")";
    }
    return text + fmt::format("\nexists ({})\n", condition_);
  }

  base::Mistakes mistakes_;
  const CudaLitmusName& name_;
  std::set<std::string, std::less<>> defined_, asked_;  // macros
  std::vector<Branch> branches_;
  std::map<std::string, std::string> orders_;  // by variable
  std::map<std::string, std::string> fences_;  // the order by macro; empty: no fence
  std::map<int, std::vector<std::string>> columns_;
  std::map<std::string, int> owners_;  // the thread of each variable that a load sets
  Line branch_;                        // the last one with an if, whose condition starts at branch_at_
  std::size_t branch_at_ = 0;
  std::string condition_;
};

}  // namespace

std::string kernel_key(std::string_view stem) {
  std::string key(stem);
  for (char& c : key) {
    if (c == '-' || c == '+' || c == '.') c = '_';
  }
  if (key.starts_with("2_")) key.replace(0, 1, "two");
  if (key.starts_with("3_")) key.replace(0, 1, "three");
  return key;
}

std::optional<CudaLitmusName> parse_cuda_litmus_name(std::string_view name) {
  const std::string key = kernel_key(name);
  const std::size_t blocks = key.find("_TB_");
  const std::size_t scope = key.find("_SCOPE_", blocks == std::string::npos ? 0 : blocks);
  if (blocks == std::string::npos || scope == std::string::npos) return std::nullopt;
  CudaLitmusName result;
  result.kernel = key.substr(0, blocks);
  for (std::string_view block : split(std::string_view(key).substr(blocks + 4, scope - blocks - 4), '_')) {
    if (!is_number(block)) return std::nullopt;
    result.blocks.emplace_back(block);
  }
  std::vector<std::string_view> rest = split(std::string_view(key).substr(scope + 7), '_');
  const std::optional<Scope> accesses = scope_of(rest[0]);
  if (!accesses || rest.size() < 4) return std::nullopt;
  result.scope = *accesses;
  std::size_t used = 3;
  if (rest[1] == "FENCE" && rest[2] == "SCOPE") {
    result.fence_scope = scope_of(rest[3]);
    used = 4;
  }
  if (result.fence_scope.has_value() != (used == 4) || (used == 3 && (rest[1] != "NO" || rest[2] != "FENCE"))) {
    return std::nullopt;
  }
  for (std::size_t i = used; i < rest.size(); ++i) result.variant += fmt::format("{}{}", i == used ? "" : "_", rest[i]);
  return result.variant.empty() ? std::nullopt : std::optional(std::move(result));
}

base::Result<litmus::LitmusTest> cuda_litmus_test(const base::Source& kernel, const CudaLitmusName& name,
                                                  const std::string& test_name) {
  return KernelReader(kernel, name).read(test_name);
}

}  // namespace weakspot::analysis
