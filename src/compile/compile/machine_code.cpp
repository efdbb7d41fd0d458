// SPDX-License-Identifier: MIT
#include "compile/machine_code.h"

#include <algorithm>

namespace weakspot::compile {
namespace {

// The next line of the text, which is cut off it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Without comments, blanks around it, and repeated blanks.
std::string tidied(std::string_view line, Machine machine) {
  line = line.substr(0, line.find("//"));
  if (machine == Machine::x86_64) line = line.substr(0, line.find('#'));
  std::string text;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

// Whether a function ends at this line, in the text of an assembler for a CPU.
bool ends_function(std::string_view line) {
  return line.starts_with(".cfi_endproc") || line.starts_with(".size ") || line.starts_with(".Lfunc_end");
}

bool is_directive(std::string_view line) { return line.starts_with('.') && !line.ends_with(':'); }

// Compilers put labels where debuggers and unwinders want them; only those that the code names stay.
MachineFunction with_used_labels(MachineFunction function) {
  const std::vector<std::string> all = function.lines;
  std::erase_if(function.lines, [&](const std::string& line) {
    if (!line.ends_with(':')) return false;
    const std::string name = " " + line.substr(0, line.size() - 1);
    return std::none_of(all.begin(), all.end(), [&](const std::string& other) { return other.ends_with(name); });
  });
  return function;
}

// Whether the line begins the definition of a function of PTX; declarations end with a semicolon.
bool defines_ptx(const std::string& line, std::string_view name) {
  const std::size_t at = line.find(" " + std::string(name));
  if (at == std::string::npos || line.ends_with(';')) return false;
  const std::size_t behind = at + 1 + name.size();
  return (line.find(".func") != std::string::npos || line.find(".entry") != std::string::npos) &&
         (behind == line.size() || line[behind] == '(');
}

// The next statement of a line, or a brace that stands between statements; it is cut off the line.
std::string_view take_statement(std::string_view& line) {
  while (line.starts_with(' ') || line.starts_with(';')) line.remove_prefix(1);
  const bool brace = line.starts_with('{') || line.starts_with('}');
  const std::string_view statement = line.substr(0, brace ? 1 : line.find(';'));
  line.remove_prefix(statement.size());
  return statement;
}

// Inline assembly has blocks of its own, and several statements in a line.
std::optional<MachineFunction> find_ptx(std::string_view text, std::string_view name) {
  MachineFunction function;
  function.machine = Machine::ptx;
  bool found = false;
  int depth = 0;
  while (!text.empty()) {
    const std::string line = tidied(take_line(text), Machine::ptx);
    if (!found) {
      found = defines_ptx(line, name);
      continue;
    }
    std::string_view rest = line;
    while (!rest.empty()) {
      const std::string_view statement = take_statement(rest);
      if (statement == "{") {
        ++depth;
      } else if (statement == "}" && --depth == 0) {
        return with_used_labels(std::move(function));
      } else if (depth > 0 && !statement.empty() && statement != "}" && !is_directive(statement)) {
        function.lines.emplace_back(statement);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Machine machine) {
  constexpr std::string_view kWords[] = {"AArch64", "x86-64", "PTX", "SPIR-V (OpenCL)", "SPIR-V (Vulkan)"};
  return kWords[static_cast<std::size_t>(machine)];
}

bool is_spirv(Machine machine) { return machine == Machine::spirv_opencl || machine == Machine::spirv_vulkan; }

// PTX names its target. Of the two others, only AT&T's assembler writes registers with a percent sign, and every
// function that stores a result to memory uses one.
std::optional<Machine> machine_of(std::string_view text) {
  if (text.find(".address_size") != std::string_view::npos) return Machine::ptx;
  bool percent = false;
  bool arm = false;
  while (!text.empty()) {
    const std::string line = tidied(take_line(text), Machine::aarch64);
    if (line.empty() || line.front() == '.' || line.front() == '#' || line.ends_with(':')) continue;
    percent = percent || line.find('%') != std::string::npos;
    arm = arm || line.starts_with("adrp ") || line.starts_with("ldr ") || line.starts_with("str ") || line == "ret";
  }
  if (percent) return Machine::x86_64;
  if (arm) return Machine::aarch64;
  return std::nullopt;
}

std::optional<MachineFunction> find_function(std::string_view text, Machine machine, std::string_view name) {
  if (machine == Machine::ptx) return find_ptx(text, name);
  MachineFunction function;
  function.machine = machine;
  bool inside = false;
  const std::string head = std::string(name) + ":";
  while (!text.empty()) {
    const std::string line = tidied(take_line(text), machine);
    if (!inside) {
      inside = line == head;
    } else if (ends_function(line)) {
      return with_used_labels(std::move(function));
    } else if (!line.empty() && !is_directive(line)) {
      function.lines.push_back(line);
    }
  }
  return inside ? std::optional(with_used_labels(std::move(function))) : std::nullopt;
}

}  // namespace weakspot::compile
