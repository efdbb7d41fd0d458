// SPDX-License-Identifier: MIT
#include "confirm/patch/ptx_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

namespace weakspot::confirm {
namespace {

using race::ptx::Function;
using race::ptx::Instruction;
using race::ptx::kNone;

constexpr std::size_t kMostPlaces = 7;

bool has_space(const Instruction& instruction, std::string_view space) {
  return std::any_of(instruction.opcode.begin() + 1, instruction.opcode.end(), [&](const std::string& word) {
    return word == space || (word.starts_with(space) && word.substr(space.size()).starts_with("::"));
  });
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool updates(const Instruction& instruction) {
  return is_any_of(instruction.name(), {"atom", "red", "multimem", "cp", "mbarrier", "wgmma"});
}
bool reads(const Instruction& instruction) {
  return updates(instruction) || is_any_of(instruction.name(), {"ld", "ldu", "ldmatrix"});
}
bool writes(const Instruction& instruction) {
  return updates(instruction) || is_any_of(instruction.name(), {"st", "stmatrix"});
}

// Memory that other threads see.
bool is_access(const Instruction& instruction) {
  if (!reads(instruction) && !writes(instruction)) return false;
  return !has_space(instruction, "param") && !has_space(instruction, "const") && !has_space(instruction, "local");
}

bool fits(const Instruction& instruction, const AccessPlace& access) {
  if (!is_access(instruction)) return false;
  if (access.writes ? !writes(instruction) : !reads(instruction)) return false;
  if (!access.space) return true;
  // A copy names both spaces, and an address without one may be in any.
  return !has_space(instruction, *access.space == race::Space::shared ? "global" : "shared") || updates(instruction);
}

// Whether one of the paths ends with the other: compilers make paths absolute, and findings are shown relative ones.
bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  const fs::path first = fs::path(a).lexically_normal(), second = fs::path(b).lexically_normal();
  auto x = first.end(), y = second.end();
  std::size_t same = 0;
  while (x != first.begin() && y != second.begin()) {
    --x;
    --y;
    if (*x == ".." || *y == ".." || *x == "/" || *y == "/") break;
    if (*x != *y) return false;
    ++same;
  }
  return same > 0;
}

// "@%p3 " or "@!%p3 ", as it is written; the register's own name may be that of another in inner braces.
struct GuardText {
  std::string name;
  bool negated = false;
};
GuardText guard_of(const PtxText& ptx, const Instruction& instruction) {
  std::string_view text = std::string_view(ptx.text()).substr(instruction.span.begin);
  GuardText guard;
  if (instruction.guard.reg == kNone || !text.starts_with('@')) return guard;
  text.remove_prefix(1);
  const auto skip_blanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size())); };
  skip_blanks();
  guard.negated = text.starts_with('!');
  if (guard.negated) text.remove_prefix(1);
  skip_blanks();
  guard.name = text.substr(0, text.find_first_of(" \t\r\n"));
  return guard;
}

// What stands in the place of some bytes, by their offset; no bytes: in front of it.
struct Edit {
  std::size_t bytes = 0;
  std::string text;
};
using Edits = std::map<std::size_t, Edit>;

std::string with_edits(const std::string& text, std::size_t begin, std::size_t end, const Edits& edits) {
  std::string changed;
  std::size_t from = begin;
  for (const auto& [at, edit] : edits) {
    if (at < from || at + edit.bytes > end) continue;
    changed.append(text, from, at - from);
    changed += edit.text;
    from = at + edit.bytes;
  }
  return changed.append(text, from, end - from);
}
std::string with_edits(const std::string& text, const Edits& edits) { return with_edits(text, 0, text.size(), edits); }

const Instruction& instruction_at(const PtxText& ptx, const Spot& spot) {
  return ptx.module().functions[spot.function].body[spot.at];
}

// Instructions that all lanes of a warp must execute together, and jumps by tables, whose labels are not copied.
bool needs_whole_warp(const Instruction& instruction) {
  return instruction.has("aligned") ||
         is_any_of(instruction.name(), {"wgmma", "mma", "wmma", "ldmatrix", "stmatrix", "elect", "setmaxnreg", "brx"});
}

// nanosleep came with sm_70.
bool can_sleep(const race::ptx::Module& module) {
  if (module.version_major * 100 + module.version_minor < 603 || module.target.empty()) return false;
  const std::string& target = module.target.front();
  unsigned number = 0;
  if (!target.starts_with("sm_")) return false;
  std::from_chars(target.data() + 3, target.data() + target.size(), number);
  return number >= 70;
}

// Registers of the function that say whether the thread is the one, and how often it may still be delayed.
std::string prologue(const race::ThreadIndex& thread) {
  std::string text =
      "\n\t.reg .pred %weakspot_here;\n\t.reg .b32 %weakspot_index, %weakspot_left;\n"
      "\tsetp.eq.u32 %weakspot_here, 0, 0;\n";
  constexpr const char* kAxes = "xyz";
  for (unsigned axis = 0; axis < 3; ++axis) {
    for (const auto& [name, index] : {std::pair("tid", &thread.thread), std::pair("ctaid", &thread.block)}) {
      const std::uint32_t value = axis < index->axes ? index->at[axis] : 0;
      text += fmt::format(
          "\tmov.u32 %weakspot_index, %{}.{};\n"
          "\tsetp.eq.and.u32 %weakspot_here, %weakspot_index, {}, %weakspot_here;\n",
          name, kAxes[axis], value);
    }
  }
  return text + fmt::format("\tmov.u32 %weakspot_left, {};", kMostDelays);
}

// A loop until the time is over. Its turns are counted as well, so that it ends on a machine whose clock stands still.
std::string delay(const GuardText& guard, bool sleeps, std::uint64_t nanoseconds, std::size_t number) {
  std::string text =
      "{\n\t.reg .pred %weakspot_go, %weakspot_on;\n\t.reg .b32 %weakspot_turns;\n"
      "\t.reg .b64 %weakspot_now, %weakspot_end;\n"
      "\tsetp.ne.and.u32 %weakspot_go, %weakspot_left, 0, %weakspot_here;\n";
  if (!guard.name.empty() && guard.negated) {
    text += fmt::format("\tnot.pred %weakspot_on, {};\n", guard.name);
    text += "\tand.pred %weakspot_go, %weakspot_go, %weakspot_on;\n";
  } else if (!guard.name.empty()) {
    text += fmt::format("\tand.pred %weakspot_go, %weakspot_go, {};\n", guard.name);
  }
  text += fmt::format(
      "\t@!%weakspot_go bra $weakspot_go_{0};\n"
      "\tsub.u32 %weakspot_left, %weakspot_left, 1;\n"
      "\tmov.u32 %weakspot_turns, {1};\n"
      "\tmov.u64 %weakspot_end, %globaltimer;\n"
      "\tadd.u64 %weakspot_end, %weakspot_end, {2};\n"
      "$weakspot_wait_{0}:\n"
      "{3}"
      "\tsub.u32 %weakspot_turns, %weakspot_turns, 1;\n"
      "\tmov.u64 %weakspot_now, %globaltimer;\n"
      "\tsetp.lt.u64 %weakspot_go, %weakspot_now, %weakspot_end;\n"
      "\tsetp.ne.and.u32 %weakspot_go, %weakspot_turns, 0, %weakspot_go;\n"
      "\t@%weakspot_go bra $weakspot_wait_{0};\n"
      "$weakspot_go_{0}:\n\t}}\n\t",
      number, std::max<std::uint64_t>(nanoseconds / 10, 1), nanoseconds, sleeps ? "\tnanosleep.u32 500;\n" : "");
  return text;
}

}  // namespace

PtxText::PtxText(std::string text, race::ptx::Module module) : text_(std::move(text)), module_(std::move(module)) {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_ends_.push_back(i);
  }
}

base::Result<PtxText> PtxText::read(std::string name, std::string text) {
  const base::Source source(std::move(name), text);
  base::Result<race::ptx::Module> module = race::ptx::read_module(source);
  if (!module) return module.errors();
  return PtxText(std::move(text), *std::move(module));
}

unsigned PtxText::line_of(const Spot& spot) const {
  const std::size_t offset = instruction_at(*this, spot).span.begin;
  return static_cast<unsigned>(std::lower_bound(line_ends_.begin(), line_ends_.end(), offset) - line_ends_.begin()) + 1;
}

bool PtxText::is_of(const std::string& kernel, const Function& function) const {
  return function.defined && (!function.entry || function.name == kernel);
}

bool PtxText::is_at(const Instruction& instruction, const std::string& file, unsigned line) const {
  for (std::size_t i = instruction.location; i != kNone; i = module_.locations[i].inlined_at) {
    const race::ptx::Location& location = module_.locations[i];
    const auto named = module_.files.find(location.file);
    if (location.line == line && named != module_.files.end() && is_same_file(named->second, file)) return true;
    if (location.inlined_at == i) break;
  }
  return false;
}

std::vector<Spot> PtxText::accesses(const std::string& kernel, const AccessPlace& access) const {
  std::vector<Spot> found;
  for (Spot spot; spot.function < module_.functions.size(); ++spot.function) {
    const Function& function = module_.functions[spot.function];
    if (!is_of(kernel, function)) continue;
    for (spot.at = 0; spot.at < function.body.size(); ++spot.at) {
      const Instruction& instruction = function.body[spot.at];
      if (access.ptx_line != 0
              ? line_of(spot) == access.ptx_line && is_access(instruction)
              : fits(instruction, access) && is_at(instruction, access.place.file, access.place.line)) {
        found.push_back(spot);
      }
    }
  }
  return found;
}

unsigned PtxText::line_with_code(const std::string& kernel, const race::Gap& gap) const {
  const bool own_lines = module_.locations.empty();
  unsigned nearest = 0;
  for (Spot spot; spot.function < module_.functions.size(); ++spot.function) {
    const Function& function = module_.functions[spot.function];
    if (!is_of(kernel, function)) continue;
    for (spot.at = 0; spot.at < function.body.size(); ++spot.at) {
      const std::size_t location = function.body[spot.at].location;
      unsigned line = own_lines ? line_of(spot) : 0;
      if (!own_lines && location != kNone) {
        const auto file = module_.files.find(module_.locations[location].file);
        if (file != module_.files.end() && is_same_file(file->second, gap.file))
          line = module_.locations[location].line;
      }
      if (line == 0 || (gap.after ? line > gap.line : line < gap.line)) continue;
      if (nearest == 0 || (gap.after ? line > nearest : line < nearest)) nearest = line;
    }
  }
  return nearest;
}

std::vector<std::vector<Spot>> PtxText::places_for(const std::string& kernel, const race::Gap& gap,
                                                   const std::vector<std::vector<Spot>>& sites) const {
  std::vector<std::vector<Spot>> places;
  const auto add = [&](std::vector<Spot> spots) {
    const bool inside = std::all_of(spots.begin(), spots.end(), [&](const Spot& spot) {
      return spot.at < module_.functions[spot.function].body.size();
    });
    const bool known = std::find(places.begin(), places.end(), spots) != places.end();
    if (!spots.empty() && inside && !known && places.size() < kMostPlaces) places.push_back(std::move(spots));
  };
  // A text without lines of a source is its own source.
  const bool own_lines = module_.locations.empty();
  const unsigned line = gap.line == 0 ? 0 : line_with_code(kernel, gap);
  std::vector<std::vector<Spot>> runs;  // of neighbours that are all at the line
  for (Spot spot; spot.function < module_.functions.size() && line != 0; ++spot.function) {
    const Function& function = module_.functions[spot.function];
    if (!is_of(kernel, function)) continue;
    bool before = false;
    for (spot.at = 0; spot.at < function.body.size(); ++spot.at) {
      const bool here = own_lines ? line_of(spot) == line : is_at(function.body[spot.at], gap.file, line);
      if (here && !before) runs.emplace_back();
      if (here) runs.back().push_back(spot);
      before = here;
    }
  }
  std::vector<Spot> fronts, accesses;
  for (const std::vector<Spot>& run : runs) {
    fronts.push_back(gap.after ? Spot{run.back().function, run.back().at + 1} : run.front());
    const auto access =
        std::find_if(run.begin(), run.end(), [&](const Spot& one) { return is_access(instruction_at(*this, one)); });
    if (access != run.end()) accesses.push_back(gap.after ? fronts.back() : *access);
  }
  if (gap.after && !fronts.empty()) add({fronts.back()});
  if (!gap.after && !accesses.empty()) add({accesses.front()});
  add(accesses);
  if (!gap.after && !fronts.empty()) add({fronts.front()});
  // Where threads that took another way come together again.
  std::vector<Spot> joins;
  for (const std::vector<Spot>& run : runs) {
    std::size_t next = kNone;
    for (const auto& [label, at] : module_.functions[run.back().function].labels) {
      if (at > run.back().at) next = std::min(next, at);
    }
    const Spot join{run.back().function, next};
    if (next != kNone && std::find(joins.begin(), joins.end(), join) == joins.end()) joins.push_back(join);
  }
  if (!joins.empty()) add({joins.front()});
  add(joins);
  // In front of the site that comes last in the text, then of the others.
  std::vector<Spot> firsts;
  for (const std::vector<Spot>& spots : sites) {
    if (!spots.empty()) firsts.push_back(spots.front());
  }
  std::sort(firsts.rbegin(), firsts.rend());
  for (const Spot& spot : firsts) add({spot});
  return places;
}

bool depends_on_order(const race::ptx::Module& module, const std::string& kernel) {
  constexpr std::string_view kAsked[] = {"%clock",          "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo",
                                         "%globaltimer_hi", "%smid",    "%warpid",   "%gridid"};
  const auto asks = [&](const race::ptx::Operand& operand) {
    return std::find(std::begin(kAsked), std::end(kAsked), operand.name) != std::end(kAsked);
  };
  for (const Function& function : module.functions) {
    if (!function.defined && !function.entry) return true;  // what it does is not known
    if (!function.defined || (function.entry && function.name != kernel)) continue;
    for (const Instruction& one : function.body) {
      const bool strong = updates(one) || one.has("volatile") || one.has("relaxed") || one.has("acquire") ||
                          one.has("release") || one.has("mmio") || one.name() == "activemask";
      if (strong || std::any_of(one.operands.begin(), one.operands.end(), asks)) return true;
    }
  }
  return false;
}

std::string with_delay(const PtxText& ptx, const std::vector<Spot>& spots, const race::ThreadIndex& thread,
                       std::uint64_t nanoseconds) {
  Edits edits;
  const bool sleeps = can_sleep(ptx.module());
  std::size_t number = 0;
  for (const Spot& spot : spots) {
    const Instruction& instruction = instruction_at(ptx, spot);
    edits[ptx.module().functions[spot.function].opening.end] = {0, prologue(thread)};
    edits[instruction.span.begin] = {0, delay(guard_of(ptx, instruction), sleeps, nanoseconds, ++number)};
  }
  return with_edits(ptx.text(), edits);
}

std::optional<std::string> with_lane_delay(const PtxText& ptx, const std::vector<Spot>& spots,
                                           const race::ThreadIndex& thread, std::uint64_t nanoseconds) {
  if (spots.empty()) return std::nullopt;
  const Function& kernel = ptx.module().functions[spots.front().function];
  const bool inside = std::all_of(spots.begin(), spots.end(),
                                  [&](const Spot& spot) { return spot.function == spots.front().function; });
  if (!inside || !kernel.entry || std::any_of(kernel.body.begin(), kernel.body.end(), needs_whole_warp)) {
    return std::nullopt;
  }
  const std::string& text = ptx.text();
  // Barriers of the block that lanes of a warp may reach by different instructions.
  Edits barriers;
  for (const Instruction& instruction : kernel.body) {
    if (instruction.name() != "bar" || instruction.has("warp")) continue;
    const std::size_t at = instruction.span.begin;
    const bool guarded = text[at] == '@';
    const std::size_t opcode = guarded ? text.find_first_not_of(" \t\r\n", text.find_first_of(" \t\r\n", at)) : at;
    if (text.compare(opcode, 4, "bar.") != 0) return std::nullopt;
    barriers[opcode] = {3, "barrier"};
  }
  Edits changes = barriers;
  const bool sleeps = can_sleep(ptx.module());
  std::size_t number = 0;
  for (const Spot& spot : spots) {
    const Instruction& instruction = instruction_at(ptx, spot);
    changes[instruction.span.begin] = {0, delay(guard_of(ptx, instruction), sleeps, nanoseconds, ++number)};
  }
  // The copy uses the variables of the kernel, with registers and labels of its own.
  for (const race::ptx::Variable& variable : kernel.variables) {
    const bool shared = variable.space == race::ptx::Space::shared;
    if (!shared && variable.space != race::ptx::Space::local) continue;
    const std::size_t end = text.find(';', variable.span.begin);
    const std::size_t begin = text.rfind(shared ? ".shared" : ".local", variable.span.begin);
    if (end == std::string::npos || begin == std::string::npos || begin < kernel.opening.end) return std::nullopt;
    changes[begin] = {end + 1 - begin, ""};
  }
  const std::size_t begin = kernel.opening.end, end = kernel.closing.begin;
  return text.substr(0, begin) + prologue(thread) + "\n\t@%weakspot_here bra $weakspot_copy;\n" +
         with_edits(text, begin, end, barriers) + "\tret;\n$weakspot_copy:\n{" + with_edits(text, begin, end, changes) +
         "}\n" + text.substr(end);
}

std::string repair_instruction(const race::Fix& fix) {
  switch (fix.kind) {
    case race::FixKind::warp_barrier:
      return "bar.warp.sync 0xffffffff;";
    case race::FixKind::block_barrier:
      return "bar.sync 0;";
    case race::FixKind::cluster_barrier:
      return "barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;";
    case race::FixKind::fence:
      return fix.scope == race::Scope::block    ? "fence.acq_rel.cta;"
             : fix.scope == race::Scope::system ? "fence.acq_rel.sys;"
                                                : "fence.acq_rel.gpu;";
    case race::FixKind::async_fence:
      return fix.scope == race::Scope::block ? "fence.proxy.async.shared::cta;" : "fence.proxy.async;";
    case race::FixKind::grid_wait:
      return "griddepcontrol.wait;";
    default:
      return {};
  }
}

std::string with_instruction(const PtxText& ptx, const std::vector<Spot>& spots, const std::string& instruction) {
  Edits edits;
  for (const Spot& spot : spots) edits[instruction_at(ptx, spot).span.begin] = {0, instruction + "\n\t"};
  return with_edits(ptx.text(), edits);
}

}  // namespace weakspot::confirm
