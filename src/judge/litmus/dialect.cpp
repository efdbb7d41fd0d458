// SPDX-License-Identifier: MIT
#include "litmus/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/names.h"
#include "litmus/instruction.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

constexpr base::Named<Dialect> kDialectNames[] = {
    {"weakspot", Dialect::canonical}, {"ptx-2015", Dialect::ptx2015}, {"ptx", Dialect::ptx},
    {"vulkan", Dialect::vulkan},      {"opencl", Dialect::opencl},    {"c", Dialect::c11},
    {"aarch64", Dialect::aarch64},    {"x86-64", Dialect::x86_64},    {"riscv", Dialect::riscv},
    {"linux", Dialect::linux_kernel}, {"json", Dialect::json},
};

std::optional<LitmusTest> read_in(Dialect dialect, Cursor& cursor) {
  switch (dialect) {
    case Dialect::canonical:
      return read_canonical(cursor);
    case Dialect::ptx2015:
      return read_ptx2015(cursor);
    case Dialect::ptx:
      return read_ptx(cursor);
    case Dialect::vulkan:
      return read_vulkan(cursor);
    case Dialect::opencl:
      return read_opencl(cursor);
    case Dialect::aarch64:
      return read_aarch64(cursor);
    case Dialect::x86_64:
      return read_x86_64(cursor);
    case Dialect::riscv:
      return read_riscv(cursor);
    default:
      return read_c11(cursor);
  }
}

constexpr std::size_t kLargestText = std::size_t{1} << 30;

// The place where the next test may start after a mistake: a line that begins with an architecture's word and a name.
std::uint32_t next_header(const base::Source& source, std::uint32_t from) {
  std::string_view text = source.text();
  std::size_t at = from;
  while ((at = text.find('\n', at)) != std::string_view::npos) {
    ++at;
    for (const auto& first : kFirstWords) {
      std::string_view rest = text.substr(at);
      if (rest.starts_with(first.name) && rest.size() > first.name.size() + 1 && rest[first.name.size()] == ' ' &&
          rest[first.name.size() + 1] != ' ') {
        return static_cast<std::uint32_t>(at);
      }
    }
  }
  return static_cast<std::uint32_t>(text.size());
}

void read_all(Cursor& cursor, std::vector<LitmusTest>& tests) {
  while (!cursor.at_end() && !cursor.mistakes().full()) {
    const Token word = cursor.next();
    std::optional<Dialect> dialect;
    if (word.kind == Token::Kind::word) dialect = base::value_of(kFirstWords, word.text);
    if (!dialect) {
      cursor.mistake(word.span,
                     fmt::format("unknown architecture {}; expected weakspot, GPU_PTX, PTX, Vulkan, OPENCL, C, "
                                 "AArch64, X86_64 or RISCV and the test's name",
                                 describe(word)));
      return;
    }
    std::optional<LitmusTest> test = read_in(*dialect, cursor);
    if (test) {
      tests.push_back(std::move(*test));
    } else {
      cursor.seek(next_header(cursor.source(), cursor.last_end()));
    }
  }
}

// Reads an index. Mistakes do not end the reading, so that all of them are reported. `open` holds the indexes being
// read, outermost first.
void read_index(const std::string& path, std::vector<std::string>& open, IndexFiles& found) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) {
    found.errors.insert(found.errors.end(), text.errors().begin(), text.errors().end());
    return;
  }
  const base::Source source(path, std::move(*text));
  open.push_back(std::filesystem::path(path).lexically_normal().string());
  std::string_view rest = source.text();
  std::uint32_t at = 0;
  while (at < rest.size()) {
    const auto end = static_cast<std::uint32_t>(std::min(rest.find('\n', at), rest.size()));
    std::string_view line = rest.substr(at, end - at);
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(indent);
    if (!line.empty()) {
      const auto begin = at + static_cast<std::uint32_t>(indent);
      const base::Span span{begin, begin + static_cast<std::uint32_t>(line.size())};
      const std::string entry = (std::filesystem::path(path).parent_path() / line).lexically_normal().string();
      if (std::find(open.begin(), open.end(), entry) != open.end()) {
        found.errors.push_back(base::error_at(source, span, "this index includes itself"));
      } else if (!base::exists(entry)) {
        found.errors.push_back(base::error_at(source, span, fmt::format("there is no file '{}'", entry)));
      } else if (!is_index(entry)) {
        found.files.push_back(entry);
      } else {
        read_index(entry, open, found);
      }
    }
    at = end + 1;
  }
  open.pop_back();
}

base::Result<std::vector<LitmusTest>> read_one_file(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return read_tests(base::Source(path, std::move(*text)));
}

std::optional<std::string> what_only_ptx_has(const LitmusTest& test) {
  if (test.scopes && test.scopes->has_cpus()) return "it has no threads on different kinds of processors";
  if (test.scopes && !test.scopes->launches.empty()) return "it has no dependent launches";
  const auto in_tensor_memory = [](const Location& location) { return location.space == Space::tensor; };
  if (std::any_of(test.locations.begin(), test.locations.end(), in_tensor_memory)) return "it has no tensor memory";
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (is_tensor(instruction)) return "it has no tensor memory";
      if (is_asynchronous(instruction)) return "it has no asynchronous operations";
      const auto* fence = std::get_if<Fence>(&instruction.operation);
      if (fence != nullptr && fence->kind == FenceKind::mbarrier_init) return "it has no mbarriers";
      if (fence != nullptr && fence->kind == FenceKind::wgmma) return "it has no products of warpgroups";
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier != nullptr && barrier->kind == Barrier::Kind::wait) return "it has no barriers that only wait";
    }
  }
  return std::nullopt;
}

// The first part of the test that only its own dialect can hold: fences that only have a name, and the Linux kernel's
// accesses, which have a memory model of their own.
std::optional<std::string> what_is_its_own(const LitmusTest& test, Dialect dialect) {
  if (dialect == Dialect::canonical || dialect == Dialect::json) return std::nullopt;
  if (test.arch == Arch::linux_kernel && dialect != Dialect::linux_kernel) {
    return "its accesses are the Linux kernel's, which have a memory model of their own";
  }
  if (std::optional<std::string> own = what_only_ptx_has(test); own && dialect != Dialect::ptx) return own;
  const Arch own = dialect == Dialect::riscv ? Arch::riscv : Arch::linux_kernel;
  if (test.arch == own) return std::nullopt;
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const auto* fence = std::get_if<Fence>(&instruction.operation);
      if (fence != nullptr && fence->kind == FenceKind::named) {
        return fmt::format("it has no fence '{}'", to_string(fence->name));
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Dialect dialect) { return base::name_of(kDialectNames, dialect); }
std::optional<Dialect> dialect_named(std::string_view name) { return base::value_of(kDialectNames, name); }

base::Result<std::vector<LitmusTest>> read_tests(const base::Source& source) {
  const std::string_view text = source.text();
  if (text.size() > kLargestText) return base::error_in(source.name(), "the text is larger than 1 GiB");
  if (std::size_t bad = base::find_invalid_utf8(text); bad != std::string_view::npos) {
    auto at = static_cast<std::uint32_t>(bad);
    return base::error_at(source, {at, at + 1}, "this is not UTF-8 text");
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
  if (first == std::string_view::npos) return base::error_in(source.name(), "this text contains no test");
  if (text[first] == '{' || text[first] == '[') return read_json(source);

  Mistakes mistakes(source);
  Cursor cursor(mistakes, {0, static_cast<std::uint32_t>(text.size())});
  std::vector<LitmusTest> tests;
  read_all(cursor, tests);
  if (tests.empty() && !mistakes.any()) return base::error_in(source.name(), "this text contains no test");
  if (mistakes.any()) return mistakes.take();
  return tests;
}

bool is_index(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;  // 0 if there is no folder
  return name < path.size() && path[name] == '@';
}

IndexFiles files_of_index(const std::string& path) {
  IndexFiles found;
  std::vector<std::string> open;
  read_index(path, open, found);
  return found;
}

base::Result<std::vector<LitmusTest>> read_test_file(const std::string& path) {
  if (!is_index(path)) return read_one_file(path);
  IndexFiles index = files_of_index(path);
  std::vector<LitmusTest> tests;
  for (const std::string& file : index.files) {
    base::Result<std::vector<LitmusTest>> more = read_one_file(file);
    if (more) {
      std::move(more->begin(), more->end(), std::back_inserter(tests));
    } else {
      index.errors.insert(index.errors.end(), more.errors().begin(), more.errors().end());
    }
  }
  if (!index.errors.empty()) return index.errors;
  return tests;
}

namespace {

base::Result<LitmusTest> as_held_by(const LitmusTest& test, Dialect dialect) {
  if (std::optional<std::string> own = what_is_its_own(test, dialect)) {
    return cannot_express(test, to_string(dialect), *own);
  }
  switch (dialect) {
    case Dialect::canonical:
    case Dialect::json:
      return test;
    case Dialect::ptx2015:
      return adapt_ptx2015(test);
    case Dialect::ptx:
      return adapt_ptx(test);
    case Dialect::vulkan:
      return adapt_vulkan(test);
    case Dialect::opencl:
      return adapt_opencl(test);
    case Dialect::c11:
      return adapt_c11(test);
    case Dialect::aarch64:
      return adapt_aarch64(test);
    case Dialect::x86_64:
      return adapt_x86_64(test);
    case Dialect::riscv:
      return adapt_riscv(test);
    case Dialect::linux_kernel:
      return adapt_linux(test);
  }
  return test;
}

}  // namespace

base::Result<LitmusTest> adapt(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = as_held_by(test, dialect);
  if (adapted) adapted->spelling.canonical = dialect == Dialect::canonical;
  return adapted;
}

base::Result<std::string> print(const LitmusTest& test, Dialect dialect) {
  base::Result<LitmusTest> adapted = adapt(test, dialect);
  if (!adapted) return adapted.errors();
  switch (dialect) {
    case Dialect::canonical:
      return print_canonical(*adapted);
    case Dialect::json:
      return print_json(*adapted);
    case Dialect::ptx2015:
      return print_ptx2015(*adapted);
    case Dialect::ptx:
      return print_ptx(*adapted);
    case Dialect::vulkan:
      return print_vulkan(*adapted);
    case Dialect::opencl:
      return print_opencl(*adapted);
    case Dialect::c11:
      return print_c11(*adapted);
    case Dialect::aarch64:
      return print_aarch64(*adapted);
    case Dialect::x86_64:
      return print_x86_64(*adapted);
    case Dialect::riscv:
      return print_riscv(*adapted);
    case Dialect::linux_kernel:
      return print_linux(*adapted);
  }
  return std::string();
}

base::Hash128 hash_of(const LitmusTest& test) {
  LitmusTest bare = test;
  bare.name = "_";
  bare.description.clear();
  bare.expectations.clear();
  bare.info.clear();
  return base::hash_bytes(print_canonical(bare));
}

}  // namespace weakspot::litmus
