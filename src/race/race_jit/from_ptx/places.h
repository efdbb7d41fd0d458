// SPDX-License-Identifier: MIT
// Debug locations for translated PTX: the source that .loc names, or the lines of the PTX itself where it names none.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "race/ptx_text.h"
#include "race/site.h"

namespace weakspot::race_jit {

// Whether the code of this file belongs to a library and not to the user. Triton's reductions and scans lie in its
// standard.py, Inductor's in triton_helpers.py, which PTX without debug sections names without a folder; atomics of
// CUDA lie in the toolkit's headers.
bool is_library_file(const std::string& path);

class PtxPlaces {
 public:
  // `made_from` is the file that was compiled just now: then nobody has the PTX, and its lines say nothing. Empty: the
  // PTX stands for itself.
  PtxPlaces(llvm::Module& to, const race::ptx::Module& from, const base::Source& source, std::string made_from);

  // The kernel or function that the following locations are in.
  void enter(llvm::Function& function, const race::ptx::Function& from);
  // The innermost place that is not a library's, with the calls around it.
  llvm::DILocation* of(const race::ptx::Instruction& instruction);
  // Its place in the text of PTX, and the line of a library that of() passes over.
  race::PtxOrigin origin(const race::ptx::Instruction& instruction) const;
  void finish() { builder_.finalize(); }

 private:
  race::Place in_text(const race::ptx::Instruction& instruction) const;
  unsigned ptx_line(const base::Span& span) const;
  llvm::DIFile* file(const std::string& path);
  llvm::DISubprogram* function_in(llvm::DIFile* file, const std::string& name, unsigned line);
  llvm::DILocation* location(std::size_t index);
  std::string path_of(const race::ptx::Location& location) const;
  // The location itself, or the nearest call around it that is not in a library.
  std::size_t outside_library(std::size_t index) const;

  const race::ptx::Module& from_;
  const base::Source& source_;
  std::string made_from_;
  llvm::DIBuilder builder_;
  llvm::LLVMContext& context_;
  std::vector<std::size_t> line_ends_;
  llvm::DISubprogram* current_ = nullptr;
  std::map<std::string, llvm::DIFile*> files_;
  std::map<std::pair<llvm::DIFile*, std::string>, llvm::DISubprogram*> functions_;
  std::map<std::size_t, llvm::DILocation*> locations_;  // of the current function
};

}  // namespace weakspot::race_jit
