// SPDX-License-Identifier: MIT
#include "workbench/emit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"

namespace weakspot::cli {
namespace {

constexpr const char* kSpirvText = "spirv-asm";

struct Emit {
  workbench::EmitRequest request;
  std::string target = "ptx";
  bool json = false;

  int run() {
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
  command
      ->add_option("--target NAME", options->target,
                   fmt::format("{}, or {} for SPIR-V as text (default ptx)", codegen::target_names(), kSpirvText))
      ->check([](const std::string& name) {
        if (name == kSpirvText || codegen::target_named(name)) return std::string();
        std::vector<std::string> words = codegen::target_words();
        words.emplace_back(kSpirvText);
        return fmt::format("unknown target '{}'; expected {}, or {}{}", name, codegen::target_names(), kSpirvText,
                           base::did_you_mean(name, words));
      });
  command->add_option("--device ID", request.device, "print for this device of the machine instead");
  command->add_option("--env ENV", request.environment, "a preset, name=value,..., or a file (default: basic)");
  command->add_flag("--json", options->json, "print an array of {test, target, text}");
  command->footer(
      "Examples:\n  weakspot emit MP --target ptx\n  weakspot emit MP --target cpu --env workgroup_size=32");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
