// SPDX-License-Identifier: MIT
// Changes of a text of PTX by which a race shows itself, or goes away: a delay in front of an access, for one thread
// alone, and a barrier or fence at a place. The rest of the text stays as it is, byte by byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "race/facts.h"
#include "race/fix.h"
#include "race/ptx_text.h"
#include "race/site.h"

namespace weakspot::confirm {

// An instruction of a module.
struct Spot {
  std::size_t function = 0;  // index of Module::functions
  std::size_t at = 0;        // index of its body

  auto operator<=>(const Spot&) const = default;
};

// An access as a finding names it.
struct AccessPlace {
  race::Place place;      // of the source
  unsigned ptx_line = 0;  // of the text, if it is the text that was checked; else 0
  bool writes = false;
  std::optional<race::Space> space;  // none: any
};

// A text of PTX and what it consists of.
class PtxText {
 public:
  static base::Result<PtxText> read(std::string name, std::string text);

  const race::ptx::Module& module() const { return module_; }
  const std::string& text() const { return text_; }
  // From 1.
  unsigned line_of(const Spot& spot) const;

  // The instructions of the kernel, and of functions that are not kernels, that make the access. Empty: the compiler
  // left it out, or the text has no lines of its source.
  std::vector<Spot> accesses(const std::string& kernel, const AccessPlace& access) const;
  // Places in front of which a statement can stand for one at the gap, the likeliest first: a compiler mixes the
  // instructions of neighbouring lines, and unrolls loops, so that one gap may be several places. `sites` are the
  // accesses that it is to separate.
  std::vector<std::vector<Spot>> places_for(const std::string& kernel, const race::Gap& gap,
                                            const std::vector<std::vector<Spot>>& sites) const;

 private:
  PtxText(std::string text, race::ptx::Module module);

  bool is_at(const race::ptx::Instruction& instruction, const std::string& file, unsigned line) const;
  // The line of the gap, or the nearest on that side of it that has instructions; 0 if there is none.
  unsigned line_with_code(const std::string& kernel, const race::Gap& gap) const;
  bool is_of(const std::string& kernel, const race::ptx::Function& function) const;

  std::string text_;
  race::ptx::Module module_;
  std::vector<std::size_t> line_ends_;
};

// True if the order of threads is the kernel's business: it has atomics or accesses that order others, or asks for the
// time or the place where it runs. Without any of it, only a race can give it several results.
bool depends_on_order(const race::ptx::Module& module, const std::string& kernel);

// The most that one thread is delayed, in turns: a site in a loop delays only its first rounds.
inline constexpr unsigned kMostDelays = 8;

// The text with a delay in front of each of these instructions, for the thread of that index. Without
// `%globaltimer` there is none: PTX has it for each GPU.
std::string with_delay(const PtxText& ptx, const std::vector<Spot>& spots, const race::ThreadIndex& thread,
                       std::uint64_t nanoseconds);

// A delay of a thread whose warp has others that matter: lanes wait for each other behind a branch, so the thread
// gets a copy of the kernel, with the delay, and leaves its warp at the beginning. Nothing if the kernel has
// instructions that a whole warp must execute together, or if the places are not in it.
std::optional<std::string> with_lane_delay(const PtxText& ptx, const std::vector<Spot>& spots,
                                           const race::ThreadIndex& thread, std::uint64_t nanoseconds);

// The instruction of a barrier or a fence; empty if the fix is another change.
std::string repair_instruction(const race::Fix& fix);
std::string with_instruction(const PtxText& ptx, const std::vector<Spot>& spots, const std::string& instruction);

}  // namespace weakspot::confirm
