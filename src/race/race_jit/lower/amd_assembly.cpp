// SPDX-License-Identifier: MIT
#include "race_jit/lower/amd_assembly.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>

#include <tuple>

namespace weakspot::race_jit {
namespace {

using llvm::StringRef;

enum class AmdWord { nothing, wait, wait_shared, wait_global, barrier, other };

AmdWord amd_word(StringRef name) {
  return llvm::StringSwitch<AmdWord>(name)
      .Cases("s_nop", "v_nop", "s_sleep", "s_setprio", "s_delay_alu", AmdWord::nothing)
      .Cases("s_waitcnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt", "s_waitcnt_depctr", AmdWord::wait)
      .Cases("s_wait_alu", "s_wait_kmcnt", "s_wait_expcnt", AmdWord::wait)
      .Cases("s_waitcnt_lgkmcnt", "s_wait_dscnt", AmdWord::wait_shared)
      .Cases("s_waitcnt_vscnt", "s_wait_storecnt", "s_wait_loadcnt", AmdWord::wait_global)
      .Case("s_barrier", AmdWord::barrier)
      .Default(AmdWord::other);
}

// A number, 0 in any of its spellings.
bool is_zero_count(StringRef text) {
  unsigned number = 1;
  return !text.trim().getAsInteger(0, number) && number == 0;
}

void note_amd_wait(AmdAssembly& found, AmdWord word, StringRef operands) {
  const bool all = word == AmdWord::wait && is_zero_count(operands);
  const bool to_end = is_zero_count(operands.rsplit(',').second.empty() ? operands : operands.rsplit(',').second);
  if (all || operands.contains("lgkmcnt(0)") || (word == AmdWord::wait_shared && to_end)) found.waits_shared = true;
  if (all || operands.contains("vmcnt(0)") || (word == AmdWord::wait_global && to_end)) found.waits_global = true;
}

}  // namespace

// Instructions end with the line, and comments begin with ';' or "//".
std::optional<AmdAssembly> read_amd_assembly(const llvm::InlineAsm& assembly) {
  AmdAssembly found;
  StringRef left = assembly.getAsmString();
  while (!left.empty()) {
    StringRef line;
    std::tie(line, left) = left.split('\n');
    line = line.split(';').first.split("//").first.trim();
    if (line.empty()) continue;
    const auto [name, operands] = line.split(' ');
    const AmdWord word = amd_word(name);
    if (word == AmdWord::other || (word == AmdWord::barrier && found.barrier)) return std::nullopt;
    if (word == AmdWord::barrier) found.barrier = true;
    if (!found.barrier) note_amd_wait(found, word, operands);
  }
  if (!StringRef(assembly.getConstraintString()).contains("~{memory}")) {
    found.waits_shared = found.waits_global = false;
  }
  return found;
}

}  // namespace weakspot::race_jit
