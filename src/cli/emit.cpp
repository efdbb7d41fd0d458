#include <fmt/format.h>
#include <unistd.h>

#include "backend/device.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/run_setup.h"
#include "codegen/spirv_text.h"
#include "codegen/targets.h"
#include "codegen/test_program.h"

namespace weakspot::cli {
namespace {

constexpr const char* kSpirvText = "spirv-asm";

struct Emit {
  std::vector<std::string> files;
  std::string target = "ptx";
  std::string device;
  std::string environment = "basic";

  int run() const {
    backend::DeviceInfo info;
    if (!device.empty()) {
      const base::Result<std::unique_ptr<backend::Device>> opened = backend::open_device(device);
      if (!opened) return fail(opened.errors(), kDeviceFailed);
      info = (*opened)->info();
    } else {
      info.target = as_text() ? codegen::Target::spirv : codegen::target_named(target).value();
      info.limits.ptx_arch = 90;
      info.limits.max_cluster = 8;
    }
    const auto environments = read_environments(environment, info);
    if (!environments) return fail(environments.errors(), kBadInput);
    const TestInputs inputs = load_tests(files);
    if (!inputs.errors.empty()) return fail(inputs.errors, kBadInput);
    for (const TestInput& input : inputs.tests) {
      const auto program = codegen::TestProgram::compile(input.test, environments->front(), info.target, info.limits);
      if (!program) return fail(program.errors(), kBadInput);
      if (const int code = print(program->program()); code != kFine) return code;
    }
    return kFine;
  }

 private:
  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  // SPIR-V for people.
  bool as_text() const { return target == kSpirvText; }

  int print(const codegen::DeviceProgram& program) const {
    if (as_text() && program.target == codegen::Target::spirv) {
      const base::Result<std::string> text = codegen::spirv_text(program.words);
      if (!text) return fail(text.errors(), kBadInput);
      print_output(*text);
      return kFine;
    }
    if (!program.text.empty()) {
      print_output(program.text);
      return kFine;
    }
    if (::isatty(STDOUT_FILENO) == 1) {
      return fail({base::error("this is no text; send the output to a file")}, kBadInput);
    }
    print_output(std::string(reinterpret_cast<const char*>(program.words.data()), program.words.size() * 4));
    return kFine;
  }
};

}  // namespace

void add_emit(Command& app, int& exit_code) {
  auto options = std::make_shared<Emit>();
  Command* command = app.add_subcommand("emit", "Print the code that a device would be given for a test");
  command->add_option("TEST", options->files, "files, folders, @indexes, '-', or tests of the corpus by name")
      ->required();
  command
      ->add_option("--target", options->target,
                   fmt::format("{}, or {} for text; default ptx", codegen::target_names(), kSpirvText))
      ->check([](const std::string& name) {
        return name == kSpirvText || codegen::target_named(name)
                   ? std::string()
                   : fmt::format("unknown target '{}'; expected {}, or {}", name, codegen::target_names(), kSpirvText);
      });
  command->add_option("--device", options->device, "for this device of the machine instead");
  command->add_option("--env", options->environment, "PRESET, name=value,... or a file");
  command->footer(
      "Examples:\n  weakspot emit MP --target ptx\n  weakspot emit MP --target cpu --env workgroup_size=32");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
