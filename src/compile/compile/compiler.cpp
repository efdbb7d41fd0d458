// SPDX-License-Identifier: MIT
#include "compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/check.h"
#include "base/file.h"
#include "base/parallel.h"
#include "compile/spirv/spirv_code.h"
#include "system/subprocess.h"
#include "system/temporary_folder.h"

namespace weakspot::compile {
namespace {

constexpr std::size_t kLongestReason = 200;

std::string first_line_with(std::string_view text, std::string_view word) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.find(word) != std::string_view::npos) return std::string(line);
    begin = end + 1;
  }
  return {};
}

// The message alone: without the name of the temporary file, which is another one each time, and without the addresses
// in which compilers name their own nodes.
std::string without_place(std::string line) {
  for (const std::string_view word : {"error: ", "warning: "}) {
    const std::size_t at = line.find(word);
    if (at != std::string::npos && at > 0 && !line.starts_with("fatal error")) line = line.substr(at);
  }
  for (std::size_t at = line.find("0x"); at != std::string::npos; at = line.find("0x", at)) {
    std::size_t end = line.find_first_not_of("0123456789abcdef", at + 2);
    if (end != std::string::npos && line.substr(end, 2) == ": ") end += 2;
    line.erase(at, end == std::string::npos ? end : end - at);
  }
  if (line.size() > kLongestReason) line = line.substr(0, kLongestReason) + "...";
  return line;
}

// A shell says so by its exit code, or, of the first programs of a pipe, in words.
bool is_missing(const base::ProcessResult& result) {
  if (result.timed_out || result.succeeded()) return false;
  return result.exit_code == 126 || result.exit_code == 127 || !first_line_with(result.errors, ": not found").empty();
}

std::string reason_of(const base::ProcessResult& result, std::chrono::milliseconds limit) {
  if (result.timed_out)
    return fmt::format("the compiler did not end within {} s", static_cast<double>(limit.count()) / 1000);
  if (is_missing(result)) return "the compiler is missing or cannot be started";
  std::string line = first_line_with(result.errors, "error");
  if (line.empty()) line = result.errors.substr(0, result.errors.find('\n'));
  line = without_place(line);
  const bool crashed = result.signal != 0 || result.exit_code > 128 ||
                       result.errors.find("PLEASE submit a bug report") != std::string::npos ||
                       result.errors.find("internal compiler error") != std::string::npos;
  const std::string what = crashed ? "the compiler crashed" : "the compiler failed";
  if (!line.empty()) return fmt::format("{}: {}", what, line);
  return result.signal != 0 ? fmt::format("{} with signal {}", what, result.signal)
                            : fmt::format("{} with exit code {}", what, result.exit_code);
}

// Marks the functions that the messages name: those are to blame.
std::vector<bool> named_in(const std::string& messages, std::size_t count) {
  std::vector<bool> named(count, false);
  const std::string stem = function_name(0).substr(0, function_name(0).size() - 1);
  for (std::size_t at = messages.find(stem); at != std::string::npos; at = messages.find(stem, at + 1)) {
    std::size_t number = 0;
    std::size_t digits = 0;
    for (std::size_t i = at + stem.size(); i < messages.size() && messages[i] >= '0' && messages[i] <= '9'; ++i) {
      if (++digits > 6) break;
      number = 10 * number + static_cast<std::size_t>(messages[i] - '0');
    }
    if (digits > 0 && digits <= 6 && number < count) named[number] = true;
  }
  return named;
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string replaced(std::string text, std::string_view word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
  return text;
}

// The command with the names of its files.
std::string command_line(const std::string& command, Language language, const std::string& in, const std::string& out) {
  constexpr std::string_view kIn = "{in}";
  constexpr std::string_view kOut = "{out}";
  if (command.find(kIn) != std::string::npos || command.find(kOut) != std::string::npos) {
    return replaced(replaced(command, kIn, quoted(in)), kOut, quoted(out));
  }
  return fmt::format("exec {}{} -o {} {}", command, language == Language::wgsl ? "" : " -S", quoted(out), quoted(in));
}

// The limit on the address space. Programs that compile WGSL by WebAssembly reserve far more of it than they use, so
// they have none.
std::string memory_limit(const CompilerLimits& limits, Language language) {
  return language == Language::wgsl ? std::string() : fmt::format("ulimit -v {}; ", limits.memory / 1024);
}

// The functions of an output by their names, or why there are none.
base::Result<std::map<std::string, MachineFunction>> functions_in_output(
    const std::string& text, const std::vector<const ThreadSource*>& functions) {
  if (is_spirv(text)) return spirv_functions(text, symbols_of(functions));
  const std::optional<Machine> machine = machine_of(text);
  if (!machine) return base::error("the compiler's output is not AArch64, x86-64 (AT&T) or PTX assembly or SPIR-V");
  std::map<std::string, MachineFunction> found;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::optional<MachineFunction> function = find_function(text, *machine, function_name(i));
    if (function) found.emplace(function_name(i), std::move(*function));
  }
  return found;
}

}  // namespace

std::vector<Compiler::Batch> Compiler::batches_of(const std::vector<const ThreadSource*>& functions) const {
  std::set<ThreadSource> taken;
  std::vector<const ThreadSource*> fresh;
  for (const ThreadSource* function : functions) {
    if (!code_.contains(*function) && taken.insert(*function).second) fresh.push_back(function);
  }
  // Several files even where one could hold all, so that they are compiled side by side.
  const std::size_t share = (fresh.size() + limits_.threads - 1) / std::max(1u, limits_.threads);
  const std::size_t most = std::clamp<std::size_t>(share, 1, limits_.functions);
  std::vector<Batch> batches;
  for (const ThreadSource* function : fresh) {
    auto fits = [&](const Batch& batch) {
      return batch.functions.size() < most &&
             std::all_of(
                 batch.functions.begin(), batch.functions.end(),
                 [&](const ThreadSource* other) { return can_share_file(*function, *other); });
    };
    // Most fit into the last one.
    auto found = std::find_if(batches.rbegin(), batches.rend(), fits);
    Batch& batch = found == batches.rend() ? batches.emplace_back() : *found;
    batch.functions.push_back(function);
  }
  for (Batch& batch : batches) batch.code.resize(batch.functions.size());
  return batches;
}

void Compiler::compile(const std::vector<const ThreadSource*>& functions) {
  std::vector<Batch> batches = batches_of(functions);
  std::atomic<std::size_t> next{0};
  base::in_parallel(std::max(1u, limits_.threads), [&](unsigned) {
    for (std::size_t i = next++; i < batches.size(); i = next++) {
      std::vector<std::size_t> all(batches[i].functions.size());
      for (std::size_t place = 0; place < all.size(); ++place) all[place] = place;
      compile(batches[i], all);
    }
  });
  for (Batch& batch : batches) {
    calls_ += batch.calls;
    warnings_.merge(batch.warnings);
    for (std::size_t i = 0; i < batch.functions.size(); ++i) {
      code_.emplace(*batch.functions[i], std::move(batch.code[i]));
    }
  }
}

const MachineFunction& Compiler::code_of(const ThreadSource& function) const {
  const auto found = code_.find(function);
  WEAKSPOT_CHECK(found != code_.end());
  return found->second;
}

// The shell reads the user's command, and limits what it may take.
void Compiler::compile(Batch& batch, const std::vector<std::size_t>& places) const {
  auto fail = [&](const std::string& reason) {
    for (const std::size_t place : places) batch.code[place].error = reason;
  };
  if (limits_.stop != nullptr && limits_.stop->load()) return fail("the user ended the program");
  std::vector<const ThreadSource*> functions;
  functions.reserve(places.size());
  for (const std::size_t place : places) functions.push_back(batch.functions[place]);
  const Language language = functions.front()->language;
  const base::TemporaryFolder folder;
  const std::string in = (folder.path() / "tests").string() + std::string(file_suffix(language));
  const std::string out = (folder.path() / (language == Language::wgsl ? "tests.spv" : "tests.s")).string();
  if (folder.path().empty() || !base::write_file(in, file_text(functions), base::Durable::no)) {
    return fail("cannot write the file for the compiler");
  }
  const std::string line =
      fmt::format("ulimit -c 0; {}{}", memory_limit(limits_, language), command_line(command_, language, in, out));
  base::ProcessOptions options;
  options.deadline = limits_.time;
  options.output_limit = 1u << 20;
  options.environment = {"TMPDIR=" + folder.path().string(), "LC_ALL=C"};
  ++batch.calls;
  const base::Result<base::ProcessResult> result = base::run_process({"sh", "-c", line}, options);
  if (!result) return fail(base::messages(result.errors()));

  if (result->succeeded()) {
    if (const std::string warning = first_line_with(result->errors, "warning"); !warning.empty()) {
      batch.warnings.insert(without_place(warning));
    }
    const base::Result<std::string> text = base::read_file(out);
    if (!text) return fail("the compiler wrote no output");
    base::Result<std::map<std::string, MachineFunction>> found = functions_in_output(*text, functions);
    if (!found) return fail(base::messages(found.errors()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto function = found->find(function_name(i));
      if (function == found->end()) {
        batch.code[places[i]].error = "the compiler's output does not have the function";
      } else {
        batch.code[places[i]] = std::move(function->second);
      }
    }
    return;
  }
  const std::string reason = reason_of(*result, limits_.time);
  if (places.size() == 1 || is_missing(*result)) return fail(reason);
  // Without those to blame, the others may compile. If none is named, each half is tried.
  const std::vector<bool> named = named_in(result->errors, places.size());
  std::vector<std::size_t> first, second;
  const bool any = std::find(named.begin(), named.end(), true) != named.end();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (any && named[i]) {
      batch.code[places[i]].error = reason;
    } else if (any || i < places.size() / 2) {
      first.push_back(places[i]);
    } else {
      second.push_back(places[i]);
    }
  }
  if (!first.empty()) compile(batch, first);
  if (!second.empty()) compile(batch, second);
}

}  // namespace weakspot::compile
