// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/places.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>
#include <filesystem>

namespace weakspot::race_jit {

namespace ptx = race::ptx;

bool is_library_file(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (name == path) return name == "standard.py" || name == "triton_helpers.py";
  for (const char* folder :
       {"/triton/language/", "/site-packages/", "/dist-packages/", "-linux/include/", "/include/cccl/"}) {
    if (path.find(folder) != std::string::npos) return true;
  }
  return false;
}

PtxPlaces::PtxPlaces(llvm::Module& to, const ptx::Module& from, const base::Source& source, std::string made_from)
    : from_(from), source_(source), made_from_(std::move(made_from)), builder_(to), context_(to.getContext()) {
  const std::string_view text = source.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_ends_.push_back(i);
  }
  to.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus, file(made_from_.empty() ? source.name() : made_from_),
                             "weakspot", false, "", 0);
}

unsigned PtxPlaces::ptx_line(const base::Span& span) const {
  return static_cast<unsigned>(std::lower_bound(line_ends_.begin(), line_ends_.end(), span.begin) -
                               line_ends_.begin()) +
         1;
}

race::Place PtxPlaces::in_text(const ptx::Instruction& instruction) const {
  const unsigned line = ptx_line(instruction.span);
  const std::size_t begin = line == 1 ? 0 : line_ends_[line - 2] + 1;
  return {source_.name(), line, static_cast<unsigned>(instruction.span.begin - begin) + 1};
}

race::PtxOrigin PtxPlaces::origin(const ptx::Instruction& instruction) const {
  race::PtxOrigin origin{.instruction = in_text(instruction)};
  const std::size_t at = instruction.location;
  if (at == ptx::kNone || outside_library(at) == at) return origin;
  const ptx::Location& inside = from_.locations[at];
  const std::filesystem::path folder = std::filesystem::path(source_.name()).parent_path();
  origin.library = {(folder / path_of(inside)).lexically_normal().string(), inside.line, inside.column};
  return origin;
}

// Relative paths are those of the folder in which the PTX lies.
llvm::DIFile* PtxPlaces::file(const std::string& path) {
  llvm::DIFile*& known = files_[path];
  if (known != nullptr) return known;
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::current_path(ignored);
  if (path != source_.name() && made_from_.empty()) folder /= std::filesystem::path(source_.name()).parent_path();
  return known = builder_.createFile(path, folder.lexically_normal().string());
}

std::string PtxPlaces::path_of(const ptx::Location& location) const {
  auto found = from_.files.find(location.file);
  return found == from_.files.end() ? source_.name() : found->second;
}

std::size_t PtxPlaces::outside_library(std::size_t index) const {
  std::size_t at = index;
  while (at != ptx::kNone && is_library_file(path_of(from_.locations[at]))) at = from_.locations[at].inlined_at;
  return at == ptx::kNone ? index : at;
}

llvm::DISubprogram* PtxPlaces::function_in(llvm::DIFile* file, const std::string& name, unsigned line) {
  llvm::DISubprogram*& known = functions_[{file, name}];
  if (known == nullptr) {
    auto* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
    known = builder_.createFunction(file, name, "", file, line, type, line, llvm::DINode::FlagZero,
                                    llvm::DISubprogram::SPFlagDefinition);
  }
  return known;
}

void PtxPlaces::enter(llvm::Function& function, const ptx::Function& from) {
  locations_.clear();
  llvm::DIFile* where = file(made_from_.empty() ? source_.name() : made_from_);
  unsigned line = made_from_.empty() ? ptx_line(from.span) : 0;
  for (const ptx::Instruction& instruction : from.body) {
    if (instruction.location == ptx::kNone) continue;
    std::size_t outermost = instruction.location;
    while (from_.locations[outermost].inlined_at != ptx::kNone) outermost = from_.locations[outermost].inlined_at;
    where = file(path_of(from_.locations[outermost]));
    line = from_.locations[outermost].line;
    break;
  }
  auto* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  current_ = builder_.createFunction(where, from.name, from.name, where, line, type, line, llvm::DINode::FlagZero,
                                     llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(current_);
}

llvm::DILocation* PtxPlaces::location(std::size_t index) {
  if (auto known = locations_.find(index); known != locations_.end()) return known->second;
  // A chain that comes back to itself cannot be: each call was read before what is inlined there.
  const ptx::Location& from = from_.locations[index];
  llvm::DIFile* where = file(path_of(from));
  llvm::DILocation* made = nullptr;
  if (from.inlined_at == ptx::kNone) {
    llvm::DIScope* scope = current_;
    if (where != current_->getFile()) scope = builder_.createLexicalBlockFile(current_, where);
    made = llvm::DILocation::get(context_, from.line, from.column, scope);
  } else {
    llvm::DILocation* caller = location(outside_library(from.inlined_at));
    made =
        llvm::DILocation::get(context_, from.line, from.column, function_in(where, from.function, from.line), caller);
  }
  return locations_[index] = made;
}

llvm::DILocation* PtxPlaces::of(const ptx::Instruction& instruction) {
  // Line 0: the compiler made the instruction for no line in particular.
  const std::size_t at = instruction.location == ptx::kNone ? ptx::kNone : outside_library(instruction.location);
  if (at != ptx::kNone && from_.locations[at].line > 0) return location(at);
  if (!made_from_.empty()) return llvm::DILocation::get(context_, current_->getLine(), 1, current_);
  llvm::DIScope* scope = current_;
  llvm::DIFile* own = file(source_.name());
  if (own != current_->getFile()) scope = builder_.createLexicalBlockFile(current_, own);
  return llvm::DILocation::get(context_, ptx_line(instruction.span), 1, scope);
}

}  // namespace weakspot::race_jit
