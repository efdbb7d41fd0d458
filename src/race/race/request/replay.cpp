// SPDX-License-Identifier: MIT
#include "race/replay.h"

#include <fmt/format.h>

#include "base/markup.h"

namespace weakspot::race {

std::string extent_text(const Extent& extent) {
  if (extent.z > 1) return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
  if (extent.y > 1) return fmt::format("{},{}", extent.x, extent.y);
  return std::to_string(extent.x);
}

namespace {

using base::shell_word;

// HIP that the name of the file does not tell, and the GPU it is compiled for.
std::string hip_words(const Request& request) {
  std::string text;
  if (request.hip && !is_hip(request.file)) text += " -x hip";
  if (!request.gpu.empty()) text += " --offload-arch=" + request.gpu;
  if (request.wave != 0) text += fmt::format(" --wave {}", request.wave);
  return text;
}

std::string beginning(const Request& request) {
  std::string text = "weakspot race";
  if (request.command.empty()) text += " " + shell_word(request.file);
  text += hip_words(request);
  for (const std::string& word : request.compiler_arguments) {
    text += " " + shell_word(word.starts_with("-std=") ? "-" + word : word);
  }
  if (!request.cuda_path.empty()) text += " --cuda-path " + shell_word(request.cuda_path);
  if (request.architecture) text += " --arch " + architecture_name(*request.architecture);
  for (const std::string& path : request.read) text += " --read " + shell_word(path);
  if (request.clang != Request{}.clang) text += " --clang " + shell_word(request.clang);
  if (request.front != Front::automatic) text += fmt::format(" --front {}", front_word(request.front));
  if (request.seconds > Request{}.seconds) text += fmt::format(" --seconds {}", request.seconds);
  if (request.compile_seconds > Request{}.compile_seconds) {
    text += fmt::format(" --compile-seconds {}", request.compile_seconds);
  }
  return request.lockstep ? text + " --warp lockstep" : text;
}

}  // namespace

std::string launch_text(const LaunchShape& launch) {
  std::string text = fmt::format("grid={} block={}", extent_text(launch.grid), extent_text(launch.block));
  if (launch.cluster != Extent{}) text += fmt::format(" cluster={}", extent_text(launch.cluster));
  if (launch.shared > 0) text += fmt::format(" shared={}", launch.shared);
  if (launch.cooperative) text += " cooperative";
  return text;
}

std::string argument_text(const ArgumentSpec& argument) {
  if (!argument.file.empty()) return fmt::format("{}=@{}", argument.name, argument.file);
  if (!argument.count) return fmt::format("{}={}", argument.name, argument.value);
  std::string text = fmt::format("{}={}[{}]", argument.name, argument.type, *argument.count);
  if (!argument.values.empty()) return text + fmt::format(" values={}", fmt::join(argument.values, ","));
  if (argument.fill != "zero") text += " fill=" + argument.fill;
  return text;
}

std::string replay_command(const Request& request, const std::string& kernel, const LaunchSpec& launch,
                           const ScheduleChoice& schedule, std::uint64_t seed) {
  std::string text =
      beginning(request) + " --kernel " + shell_word(kernel) + " --launch " + shell_word(launch_text(launch));
  for (const ArgumentSpec& argument : launch.arguments) text += " --arg " + shell_word(argument_text(argument));
  text += " --schedule " + schedule_text(schedule);
  if (seed != 1) text += fmt::format(" --seed {}", seed);
  return text;
}

std::string replay_program(const Request& request) {
  std::string text = beginning(request);
  if (request.program) text += " --program";
  if (request.trust) text += " --trust";
  if (request.memory != 0) text += fmt::format(" --memory {}", request.memory);
  if (!request.kernel.empty()) text += " --kernel " + shell_word(request.kernel);
  if (request.schedule) text += " --schedule " + schedule_text(*request.schedule);
  if (request.schedules != 3) text += fmt::format(" --schedules {}", request.schedules);
  if (request.seed != 1) text += fmt::format(" --seed {}", request.seed);
  const std::vector<std::string>& behind = request.command.empty() ? request.program_arguments : request.command;
  if (!behind.empty()) text += " --";
  for (const std::string& word : behind) text += " " + shell_word(word);
  return text;
}

void set_replays(Report& report, const std::string& command) {
  for (Finding& finding : report.findings) {
    finding.replay = command;
    for (Finding& other : finding.also) other.replay = command;
  }
}

}  // namespace weakspot::race
