// SPDX-License-Identifier: MIT
#include "optcheck/host/object_code.h"

#include <fmt/format.h>

#include "optcheck/line_program.h"

namespace weakspot::optcheck {

using codegen::CpuIsa;

std::optional<std::size_t> ObjectFunction::number_at(std::uint64_t at) const {
  const auto found = numbers.find(at);
  if (found == numbers.end()) return std::nullopt;
  return found->second;
}

namespace {

// The source is the file that most of the code comes from: headers have little.
std::uint64_t main_file(const std::vector<LineSequence>& sequences) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const LineSequence& sequence : sequences) {
    for (const LineRow& row : sequence.rows) ++counts[row.file];
  }
  std::uint64_t best = 1;
  for (const auto& [file, count] : counts) {
    if (count > counts[best]) best = file;
  }
  return best;
}

}  // namespace

base::Result<ObjectCode> ObjectCode::read(Bytes image) {
  constexpr std::uint16_t kX86 = 62, kArm = 183;
  const std::optional<ElfFile> file = ElfFile::read(image);
  if (!file) return base::error("the object code is not an ELF file");
  const std::uint16_t machine = optcheck::number_at<std::uint16_t>(image, 18).value_or(0);
  if (machine != kX86 && machine != kArm) return base::error(fmt::format("the object code is for machine {}", machine));
  const ElfFile::Section* text = file->find(".text");
  const ElfFile::Section* table = file->find(".debug_line");
  if (text == nullptr) return base::error("the object file has no code");
  if (table == nullptr) return base::error("the object code has no line information");
  const auto sequences = read_line_program(table->bytes);
  if (!sequences) return base::error("the line information of the object code cannot be read");
  ObjectCode made;
  made.isa_ = machine == kX86 ? CpuIsa::x86_64 : CpuIsa::aarch64;
  made.text_.assign(text->bytes.begin(), text->bytes.end());
  for (const ElfFile::Symbol& symbol : file->symbols()) {
    if (!symbol.function || symbol.size == 0 || symbol.address < text->address) continue;
    const std::uint64_t begin = symbol.address - text->address;
    if (begin + symbol.size <= text->bytes.size()) made.places_[symbol.name] = {begin, begin + symbol.size};
  }
  const std::uint64_t source = main_file(*sequences);
  for (const LineSequence& sequence : *sequences) {
    for (std::size_t i = 0; i < sequence.rows.size(); ++i) {
      const LineRow& row = sequence.rows[i];
      const std::uint64_t end = i + 1 < sequence.rows.size() ? sequence.rows[i + 1].at : sequence.end;
      if (row.at < text->address || end <= row.at) continue;
      made.lines_[row.at - text->address] = {end - text->address, row.file == source ? row.line : 0};
    }
  }
  return made;
}

std::size_t ObjectCode::line_of(std::uint64_t at) const {
  auto found = lines_.upper_bound(at);
  if (found == lines_.begin()) return 0;
  --found;
  return at < found->second.end ? found->second.line : 0;
}

std::string ObjectCode::function_at(std::uint64_t at) const {
  for (const auto& [name, place] : places_) {
    if (place.begin == at) return name;
  }
  return {};
}

base::Result<const ObjectFunction*> ObjectCode::function(std::string_view name) const {
  if (const auto known = functions_.find(name); known != functions_.end()) return &known->second;
  const auto place = places_.find(std::string(name));
  if (place == places_.end()) return base::error(fmt::format("the object code has no function '{}'", name));
  const auto& [begin, end] = place->second;
  AnyCode code = isa_ == CpuIsa::aarch64 ? read_any_aarch64(text_, begin, end) : read_any_x86_64(text_, begin, end);
  if (!code) return code.errors();
  ObjectFunction made;
  made.name = name;
  for (AnyInstruction& any : *code) {
    made.numbers[any.code.at] = made.code.size();
    ObjectInstruction one;
    one.line = line_of(any.code.at);
    if (any.call) one.callee = function_at(*any.call);
    one.any = std::move(any);
    made.code.push_back(std::move(one));
  }
  return &functions_.emplace(made.name, std::move(made)).first->second;
}

}  // namespace weakspot::optcheck
