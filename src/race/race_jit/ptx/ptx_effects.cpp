// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_effects.h"

#include <algorithm>
#include <cctype>

#include "race_jit/ptx/inline_ptx.h"

namespace weakspot::race_jit {
namespace {

using race::Effect;

// The first word is the instruction, the others stand anywhere behind it. The first row that fits counts.
struct PtxRow {
  std::string_view name;
  Effect effect;
};

constexpr PtxRow kPtxRows[] = {
    // Hints to the machine.
    {"prefetch", Effect::none},
    {"prefetchu", Effect::none},
    {"applypriority", Effect::none},
    {"createpolicy", Effect::none},
    {"nanosleep", Effect::none},
    {"setmaxnreg", Effect::none},
    {"pmevent", Effect::none},
    {"brkpt", Effect::none},
    {"cp.async.bulk.prefetch", Effect::none},
    // The fence publishes the initialisation of mbarriers, which are not checked as data.
    {"fence.mbarrier_init", Effect::none},

    // Asynchronous copies.
    {"cp.async.bulk.commit_group", Effect::asynchronous},
    {"cp.async.bulk.wait_group", Effect::asynchronous},
    {"cp.async.bulk", Effect::memory},
    {"cp.async.mbarrier", Effect::order},
    {"cp.async.commit_group", Effect::order},
    {"cp.async.wait_group", Effect::order},
    {"cp.async.wait_all", Effect::order},
    {"cp", Effect::memory},
    {"st.async", Effect::memory},
    {"red.async", Effect::memory},
    {"ld.async", Effect::memory},

    // Order between proxies. That of tensor maps is a release and an acquire.
    {"fence.proxy.tensormap", Effect::order},
    {"fence.proxy", Effect::asynchronous},
    {"tensormap.cp_fenceproxy", Effect::order},
    {"tensormap", Effect::memory},

    // Order between threads.
    {"fence", Effect::order},
    {"membar", Effect::order},
    {"bar", Effect::order},
    {"barrier", Effect::order},
    {"barrier0", Effect::order},
    {"mbarrier", Effect::order},
    {"clusterlaunchcontrol", Effect::order},
    {"griddepcontrol", Effect::grids},

    // Matrices.
    {"ldmatrix", Effect::memory},
    {"stmatrix", Effect::memory},
    {"wmma.load", Effect::memory},
    {"wmma.store", Effect::memory},
    {"wgmma.mma_async", Effect::memory},
    {"wgmma", Effect::asynchronous},
    {"tcgen05.commit", Effect::order},
    {"tcgen05.wait", Effect::order},
    {"tcgen05.fence", Effect::asynchronous},
    {"tcgen05", Effect::memory},
    {"wmma", Effect::value},
    {"mma", Effect::value},
    {"movmatrix", Effect::value},

    // Accesses.
    {"ld", Effect::memory},
    {"ldu", Effect::memory},
    {"ldg", Effect::memory},
    {"st", Effect::memory},
    {"atom", Effect::memory},
    {"atomic", Effect::memory},
    {"red", Effect::memory},
    {"multimem", Effect::memory},
    {"discard", Effect::memory},
    {"tex", Effect::memory},
    {"tld4", Effect::memory},
    {"suld", Effect::memory},
    {"sust", Effect::memory},
    {"sured", Effect::memory},

    // Warps exchange values.
    {"shfl", Effect::value},
    {"vote", Effect::value},
    {"match", Effect::value},
    {"redux", Effect::value},
    {"elect", Effect::value},
    {"activemask", Effect::value},
};

// Instructions that only compute, or go elsewhere.
constexpr std::string_view kComputing[] = {
    "abs",      "add",  "addc",     "and",        "bfe",     "bfi",   "bfind", "bmsk",  "bra",   "brev", "brx",
    "clz",      "cnot", "copysign", "cos",        "cvt",     "cvta",  "div",   "dp2a",  "dp4a",  "ex2",  "exit",
    "fma",      "fns",  "isspacep", "getctarank", "istypep", "lg2",   "lop3",  "mad",   "mad24", "madc", "mapa",
    "max",      "min",  "mov",      "mul",        "mul24",   "neg",   "not",   "or",    "popc",  "prmt", "rcp",
    "read",     "rem",  "ret",      "rsqrt",      "sad",     "selp",  "set",   "setp",  "shf",   "shl",  "shr",
    "sin",      "slct", "sqrt",     "sub",        "subc",    "szext", "tanh",  "testp", "trap",  "txq",  "suq",
    "vabsdiff", "vadd", "vmad",     "vmax",       "vmin",    "vset",  "vshl",  "vshr",  "vsub",  "xor"};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    if (dot > at) words.emplace_back(name.substr(at, dot - at));
    at = dot + 1;
  }
  return words;
}

bool row_fits(const PtxRow& row, const std::vector<std::string>& opcode) {
  const std::vector<std::string> wanted = words_of(row.name);
  if (wanted.front() != opcode.front()) return false;
  return std::all_of(wanted.begin() + 1, wanted.end(), [&](const std::string& word) {
    return std::any_of(opcode.begin() + 1, opcode.end(),
                       [&](const std::string& part) { return part == word || part.starts_with(word + "::"); });
  });
}

// The names of the instructions of a text, whatever their operands look like: what stands at the beginning of a
// statement, behind braces, a label and a guard.
std::vector<std::vector<std::string>> opcodes_in(std::string_view source) {
  std::vector<std::vector<std::string>> opcodes;
  const std::string text = ptx_without_comments(source);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string_view statement = std::string_view(text).substr(at, end - at);
    at = end + 1;
    for (;;) {
      const std::size_t begin = statement.find_first_not_of(" \t\r\n{}");
      statement.remove_prefix(std::min(begin, statement.size()));
      const std::size_t word_end = std::min(statement.find_first_of(" \t\r\n"), statement.size());
      const std::string_view word = statement.substr(0, word_end);
      const std::size_t colon = word.find(':');
      const bool label = colon != std::string_view::npos && !word.substr(colon).starts_with("::");
      if (!label && !word.starts_with("@")) break;
      statement.remove_prefix(label ? colon + 1 : word_end);
    }
    const std::string_view name = statement.substr(0, statement.find_first_of(" \t\r\n"));
    if (!name.empty() && !name.starts_with(".")) opcodes.push_back(words_of(name));
  }
  return opcodes;
}

}  // namespace

Effect ptx_effect(const std::vector<std::string>& opcode) {
  if (opcode.empty()) return Effect::unknown;
  for (const PtxRow& row : kPtxRows) {
    if (row_fits(row, opcode)) return row.effect;
  }
  return std::find(std::begin(kComputing), std::end(kComputing), opcode.front()) != std::end(kComputing)
             ? Effect::value
             : Effect::unknown;
}

bool ptx_only_computes(const std::vector<std::string>& opcode) {
  constexpr std::string_view kElsewhere[] = {"bra", "brx", "exit", "getctarank", "mapa", "ret", "trap"};
  if (opcode.empty()) return false;
  return std::find(std::begin(kComputing), std::end(kComputing), opcode.front()) != std::end(kComputing) &&
         std::find(std::begin(kElsewhere), std::end(kElsewhere), opcode.front()) == std::end(kElsewhere);
}

Effect inline_ptx_effect(std::string_view text) {
  const std::vector<std::vector<std::string>> opcodes = opcodes_in(text);
  if (opcodes.empty()) return Effect::value;
  Effect gravest = Effect::none;
  for (const std::vector<std::string>& opcode : opcodes) gravest = std::max(gravest, ptx_effect(opcode));
  return gravest;
}

Effect nvvm_effect(std::string_view name) {
  constexpr std::string_view kPrefix = "llvm.nvvm.";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return ptx_effect(words_of(name));
}

}  // namespace weakspot::race_jit
