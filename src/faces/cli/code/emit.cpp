// SPDX-License-Identifier: MIT
#include "workbench/emit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/nearest.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "codegen/program_json.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"
#include "workbench/emit_suite.h"

namespace weakspot::cli {
namespace {

constexpr const char* kSpirvText = "spirv-asm";

struct Emit {
  workbench::EmitRequest request;
  std::string target = "ptx";
  std::string suite;   // of others; empty: code for a device
  std::string folder;  // for the files of a suite; empty: tests are printed
  bool json = false;
  std::vector<const Option*> for_devices;  // --target, --device and --env, which a suite does not have

  int run() {
    if (!suite.empty()) return run_for_suite();
    if (!folder.empty()) return fail({base::error("--out needs --for")});
    request.target = as_text() ? codegen::Target::spirv : codegen::target_named(target).value();
    const base::Result<std::vector<workbench::Emitted>> programs = workbench::emit(request);
    if (!programs) return fail(programs.errors());
    if (json) return print_json(*programs);
    for (const workbench::Emitted& emitted : *programs) {
      if (const base::Status printed = print(emitted.program); !printed) return fail(printed.errors());
    }
    return kFine;
  }

 private:
  int run_for_suite() {
    if (std::any_of(for_devices.begin(), for_devices.end(), [](const Option* option) { return option->given(); })) {
      return fail({base::error("--for does not go with --target, --device or --env")});
    }
    const auto files = workbench::emit_suite({request.tests, *workbench::foreign_suite_named(suite)});
    if (!files) return fail(files.errors());
    if (!folder.empty()) {
      const base::Status written = workbench::write_suite(folder, *files);
      return written ? kFine : fail(written.errors());
    }
    base::JsonValue array = base::json_array();
    for (const workbench::SuiteFile& file : *files) {
      if (file.test.empty()) continue;
      if (!json && file.mutant_of.empty()) print_output(file.text);
      base::JsonValue object = base::json_object({{"test", file.test}, {"target", suite}, {"text", file.text}});
      if (!file.mutant_of.empty()) object["mutant_of"] = file.mutant_of;
      array.push_back(std::move(object));
    }
    if (json) print_output(json_text(array));
    return kFine;
  }

  // SPIR-V in words, not in binary.
  bool as_text() const { return target == kSpirvText; }

  // Empty if the code is binary.
  base::Result<std::string> text_of(const codegen::DeviceProgram& program) const {
    if (as_text() && program.target == codegen::Target::spirv) return codegen::spirv_text(program.words);
    return program.text;
  }

  int print_json(const std::vector<workbench::Emitted>& programs) const {
    base::JsonValue array = base::json_array();
    for (const workbench::Emitted& emitted : programs) {
      const base::Result<std::string> text = text_of(emitted.program);
      if (!text) return fail(text.errors());
      base::JsonValue object =
          base::json_object({{"test", emitted.test}, {"target", codegen::to_string(emitted.program.target)}});
      if (text->empty()) {
        base::JsonValue words = base::json_array();
        for (const std::uint32_t word : emitted.program.words) words.push_back(word);
        object["words"] = std::move(words);
      } else {
        object["text"] = *text;
        if (!emitted.program.lines.empty()) object["lines"] = codegen::lines_json(emitted.program);
      }
      array.push_back(std::move(object));
    }
    print_output(json_text(array));
    return kFine;
  }

  base::Status print(const codegen::DeviceProgram& program) const {
    const base::Result<std::string> text = text_of(program);
    if (!text) return text.errors();
    if (!text->empty()) {
      print_output(*text);
    } else if (::isatty(STDOUT_FILENO) == 1) {
      return base::error("the code is binary; send the output to a file");
    } else {
      print_bytes(std::string(reinterpret_cast<const char*>(program.words.data()), program.words.size() * 4));
    }
    return base::ok_status();
  }
};

}  // namespace

void add_emit(Command& app, int& exit_code) {
  auto options = std::make_shared<Emit>();
  workbench::EmitRequest& request = options->request;
  Command* command = app.add_subcommand("emit", "Print the code that a device would be given for a test");
  add_tests(*command, request.tests);
  const Option* target =
      command
          ->add_option("--target NAME", options->target,
                       fmt::format("{}, or {} for SPIR-V as text (default ptx)", codegen::target_names(), kSpirvText))
          ->check([](const std::string& name) {
            if (name == kSpirvText || codegen::target_named(name)) return std::string();
            std::vector<std::string> words = codegen::target_words();
            words.emplace_back(kSpirvText);
            return fmt::format("unknown target '{}'; expected {} or {}{}", name,
                               fmt::join(codegen::target_words(), ", "), kSpirvText, base::did_you_mean(name, words));
          });
  const Option* device =
      command->add_option("--device ID", request.device, "print for this device of the machine instead");
  const Option* environment =
      command->add_option("--env ENV", request.environment, "a preset, name=value,..., or a file (default: basic)");
  options->for_devices = {target, device, environment};
  command
      ->add_option("--for SUITE", options->suite,
                   "print tests for a conformance suite instead, proved by the model: amber, opencl-cts or webgpu-cts")
      ->check([](const std::string& name) {
        if (workbench::foreign_suite_named(name)) return std::string();
        return fmt::format("unknown suite '{}'; expected amber, opencl-cts or webgpu-cts{}", name,
                           base::did_you_mean(name, workbench::foreign_suite_words()));
      });
  command->add_option("--out FOLDER", options->folder,
                      "with --for: write the tests, their mutants and a README.md into this folder");
  command->add_flag("--json", options->json, "print an array of {test, target, text}, with --for mutants as well");
  command->footer("Examples:\n  weakspot emit MP --target ptx\n  weakspot emit SB-rmw --for amber --out tests");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
