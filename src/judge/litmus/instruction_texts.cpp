// SPDX-License-Identifier: MIT
#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/text.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

// Removes line ends, indentation and the ';' that ends a statement or a cell.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ') || line.ends_with(';')) line.pop_back();
  return line;
}

std::vector<std::vector<std::string>> canonical_texts(const LitmusTest& test) {
  std::vector<std::vector<std::string>> columns = canonical_columns(test);
  for (std::vector<std::string>& column : columns) column.erase(column.begin());
  return columns;
}

// Instructions of x86-64 are shown as most people read them: the target comes first.
base::Result<std::string> readable_text(const LitmusTest& test) {
  if (test.arch != Arch::x86_64) return print(test, dialect_of(test.arch));
  const base::Result<LitmusTest> adapted = adapt(test, Dialect::x86_64);
  if (!adapted) return adapted.errors();
  return print_x86_64(*adapted, false);
}

}  // namespace

Dialect dialect_of(Arch arch) {
  switch (arch) {
    case Arch::generic:
      return Dialect::canonical;
    case Arch::ptx2015:
      return Dialect::ptx2015;
    case Arch::ptx:
      return Dialect::ptx;
    case Arch::vulkan:
      return Dialect::vulkan;
    case Arch::opencl:
      return Dialect::opencl;
    case Arch::c11:
      return Dialect::c11;
    case Arch::aarch64:
      return Dialect::aarch64;
    case Arch::x86_64:
      return Dialect::x86_64;
    case Arch::riscv:
      return Dialect::riscv;
    case Arch::linux_kernel:
      return Dialect::linux_kernel;
  }
  return Dialect::canonical;
}

// Prints the test and reads it back: the result is the same value, and its instructions know their places in the text.
std::vector<std::vector<std::string>> instruction_texts(const LitmusTest& test) {
  if (test.arch == Arch::generic || test.spelling.canonical) return canonical_texts(test);
  base::Result<std::string> text = readable_text(test);
  if (!text) return canonical_texts(test);
  const base::Source source(test.name, std::move(*text));
  const base::Result<std::vector<LitmusTest>> again = read_tests(source);
  if (!again || again->size() != 1 || again->front().threads.size() != test.threads.size())
    return canonical_texts(test);
  std::vector<std::vector<std::string>> texts(test.threads.size());
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::vector<Instruction>& instructions = again->front().threads[t].instructions;
    if (instructions.size() != test.threads[t].instructions.size()) return canonical_texts(test);
    for (const Instruction& instruction : instructions) texts[t].push_back(in_one_line(source.slice(instruction.span)));
  }
  return texts;
}

}  // namespace weakspot::litmus
