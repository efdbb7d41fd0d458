// SPDX-License-Identifier: MIT
#include "mcp/tools/tools.h"

#include <algorithm>

#include "base/check.h"
#include "base/source.h"

namespace weakspot::mcp {
namespace {

#define TEXT \
  R"("text": {"type": "string", "description": "litmus tests in any dialect, or the name of a test of the corpus"})"
#define MODELS \
  R"("models": {"type": ["string", "array"], "items": {"type": "string", "pattern": "^[A-Za-z0-9-]+$"}, "description": "names of models, or one with commas between them; without it, the one for the test's dialect"})"

constexpr Tool kTools[] = {
    {"read", "Read tests", "Reads litmus tests and describes them: threads, locations, condition, a drawing.", "read",
     "{" TEXT "}", "text"},
    {"check", "Judge tests",
     "Judges litmus tests by memory models: allowed, forbidden or unknown, with all allowed outcomes. With explain, "
     "the "
     "reason: an execution, or the rule that forbids it.",
     "check", "{" TEXT ", " MODELS R"(, "explain": {"type": "boolean"}})", "text"},
    {"fences", "Forbid an outcome", "The weakest orders, scopes and fences that forbid the outcome of a test.",
     "fences", "{" TEXT ", " MODELS "}", "text"},
    {"convert", "Convert tests", "Writes litmus tests in other dialects; says what one cannot express.", "convert",
     "{" TEXT
     R"(, "to": {"type": "array", "items": {"type": "string"}, "description": "weakspot ptx-2015 ptx vulkan opencl c aarch64 x86-64 riscv linux json, or all"}})",
     "text to"},
    {"generate", "Generate tests",
     "Makes litmus tests from cycles of edges (\"Rfe PodRR Fre PodWW\") or names (\"MP+fence.sc+addr\").", "gen",
     R"({"cycles": {"type": "array", "items": {"type": "string"}}, "to": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}})",
     "cycles"},
    {"mutate", "Mutate tests", "Disrupts one order, fence, scope or read-modify-write of a test at a time.", "mutate",
     "{" TEXT R"(, "keep_forbidden": {"type": "boolean"}})", "text"},
    {"emit", "Code for a device", "The code that runs the tests on a device: wgsl, ptx, opencl, cpu or spirv-asm.",
     "emit", "{" TEXT R"(, "target": {"type": "string", "enum": ["wgsl", "ptx", "opencl", "cpu", "spirv-asm"]}})",
     "text target"},
    {"models", "List models", "The memory models, with what each is for.", "models", "{}", ""},
    {"corpus", "List the corpus",
     "The tests that come with the program, a page at a time: their names, which other tools take, folders and "
     "descriptions. 'next' is the offset of the next page.",
     "corpus",
     R"({"pattern": {"type": "string", "description": "a folder, or a name with * and ?"}, "texts": {"type": "boolean", "description": "with the texts of the tests; default false"}, "limit": {"type": "integer", "minimum": 1, "description": "the most tests of a page; default 100"}, "offset": {"type": "integer", "minimum": 0, "description": "tests to skip; default 0"}})",
     "", ToolKind::corpus},
    {"run", "Run a test on a device",
     "Runs tests on a device of this machine and classifies every outcome: sequential, interleaved, weak, FORBIDDEN.",
     "",
     "{" TEXT
     R"(, "device": {"type": "string", "description": "default cpu"}, "seconds": {"type": "number", "minimum": 0.01, "maximum": 60}})",
     "text", ToolKind::run},
    {"race", "Find races in a CUDA file",
     "Runs the kernels of a CUDA file on the CPU, in a sandbox, and finds data races and barrier divergence.", "",
     R"({"file": {"type": "string"}, "kernel": {"type": "string"}, "seconds": {"type": "number", "minimum": 0.1, "maximum": 120}})",
     "file", ToolKind::race},
    {"prove", "Prove what a launch does",
     "What all executions of one launch of a kernel do under PTX's memory model: no data race, assertions of the "
     "kernel, conditions over memory, every thread ends. Answers proved, violated with an execution in lines of the "
     "source, or unknown with the reason. With fences: which fences, orders and scopes are too many or missing, and a "
     "patch. The file is compiled and evaluated; nothing of it runs.",
     "",
     R"({"file": {"type": "string", "description": "a CUDA source or a file of PTX"}, "kernel": {"type": "string", "description": "default: the only one of the file"}, "launch": {"type": "string", "description": "'grid=2 block=1', with cluster= and shared= as needed; default: that of the file's line '// weakspot: launch'"}, "arguments": {"type": "array", "items": {"type": "string"}, "description": "NAME=VALUE, or 'NAME=TYPE[COUNT] fill=HOW' for an array; default: made up"}, "conditions": {"type": "array", "items": {"type": "string"}, "description": "over memory after the launch, as 'out[0] == 1 && done != 0'; default: those of the file"}, "model": {"type": "string", "pattern": "^[A-Za-z0-9-]+$", "description": "default ptx"}, "fences": {"type": "boolean", "description": "also look for fences, orders and scopes that are too many or missing"}, "seconds": {"type": "number", "minimum": 0.1, "maximum": 240, "description": "for all of it; default 60"}})",
     "file", ToolKind::prove},
};

#undef TEXT
#undef MODELS

base::JsonValue words_json(std::string_view words) {
  base::JsonValue array = base::json_array();
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    array.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return array;
}

}  // namespace

std::span<const Tool> tools() { return kTools; }

const Tool* tool_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kTools), std::end(kTools), [&](const Tool& tool) { return tool.name == name; });
  return found == std::end(kTools) ? nullptr : found;
}

base::JsonValue tool_json(const Tool& tool) {
  const base::Result<base::JsonValue> properties =
      base::read_json_text(base::Source(std::string(tool.name), std::string(tool.properties)));
  WEAKSPOT_CHECK(properties.ok());
  return base::json_object(
      {{"name", tool.name},
       {"title", tool.title},
       {"description", tool.description},
       {"inputSchema", base::json_object({{"type", "object"},
                                          {"properties", *properties},
                                          {"required", words_json(tool.required)},
                                          {"additionalProperties", false}})},
       {"annotations", base::json_object({{"readOnlyHint", !tool.runs_code()}, {"openWorldHint", false}})}});
}

}  // namespace weakspot::mcp
