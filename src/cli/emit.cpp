// SPDX-License-Identifier: MIT
#include "workbench/emit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/shared_options.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"

namespace weakspot::cli {
namespace {

constexpr const char* kSpirvText = "spirv-asm";

struct Emit {
  workbench::EmitRequest request;
  std::string target = "ptx";

  int run() {
    request.target = as_text() ? codegen::Target::spirv : codegen::target_named(target).value();
    const base::Result<std::vector<codegen::DeviceProgram>> programs = workbench::emit(request);
    if (!programs) return fail(programs.errors());
    for (const codegen::DeviceProgram& program : *programs) {
      if (const base::Status printed = print(program); !printed) return fail(printed.errors());
    }
    return kFine;
  }

 private:
  // SPIR-V in words, not in binary.
  bool as_text() const { return target == kSpirvText; }

  base::Status print(const codegen::DeviceProgram& program) const {
    if (as_text() && program.target == codegen::Target::spirv) {
      const base::Result<std::string> text = codegen::spirv_text(program.words);
      if (!text) return text.errors();
      print_output(*text);
    } else if (!program.text.empty()) {
      print_output(program.text);
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
        return name == kSpirvText || codegen::target_named(name)
                   ? std::string()
                   : fmt::format("unknown target '{}'; expected {}, or {}", name, codegen::target_names(), kSpirvText);
      });
  command->add_option("--device ID", request.device, "print for this device of the machine instead");
  command->add_option("--env ENV", request.environment, "a preset, name=value,..., or a file (default: basic)");
  command->footer(
      "Examples:\n  weakspot emit MP --target ptx\n  weakspot emit MP --target cpu --env workgroup_size=32");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
