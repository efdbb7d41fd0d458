// SPDX-License-Identifier: MIT
#include "race_command/residual.h"

#include <fmt/format.h>

#include "race_command/check/check_files.h"
#include "race_command/check/environment.h"
#include "race_command/check/process.h"
#include "system/temporary_folder.h"

namespace weakspot::race_command {
namespace {

constexpr std::uint64_t kBytesToRead = 32;  // for each one of the JSON, most of which is short numbers

}  // namespace

ResidualAnswer evaluate_threads(const ResidualRequest& asked) {
  using base::ErrorKind;
  ResidualAnswer answer;
  auto failed = [&](base::Diagnostics problems) {
    answer.ending = base::ending_of(problems);
    answer.problems = std::move(problems);
    return answer;
  };
  RaceRequest race;
  race.request = asked.request;
  race.request.residual = true;
  race.request.no_program = true;
  race.launch = asked.launch;
  race.arguments = asked.arguments;
  race.compile_commands = asked.compile_commands;
  const base::Result<race::Request> request = complete_request(race);
  if (!request) return failed(request.errors());
  const base::Result<std::string> program = race_program();
  if (!program) return failed(program.errors());
  const base::TemporaryFolder folder;
  if (folder.path().empty()) return failed({base::error("cannot make a temporary folder", ErrorKind::environment)});
  RaceProcessOptions options;
  options.in_all = std::chrono::milliseconds(static_cast<std::int64_t>(request->seconds * 1000));
  options.to_compile = options.to_run = options.in_all;
  options.memory = asked.memory;
  options.all_or_nothing = true;
  options.environment = environment_of_program({}, request->trust);
  options.interrupted = asked.interrupted;
  base::Result<RaceProcess> process =
      run_race_process(*program, folder.path().string(), race::to_json(*request), options);
  if (!process) return failed(base::of_kind(ErrorKind::environment, process.errors()));
  answer.messages = std::move(process->messages);
  if (process->limit != RaceLimit::none) {
    answer.unfinished = Unfinished{.limit = process->limit == RaceLimit::time     ? Unfinished::Limit::time
                                            : process->limit == RaceLimit::memory ? Unfinished::Limit::memory
                                                                                  : Unfinished::Limit::interrupt,
                                   .compiling = !process->running};
    return answer;
  }
  if (!process->problem.empty()) {
    return failed({base::error_in(request->file, process->problem, ErrorKind::environment)});
  }
  if (process->exit_code == kNotLoaded) return failed({not_loaded()});
  if (process->exit_code != 0) {  // the messages say why
    answer.ending = process->exit_code == 2 ? base::JobEnding::bad_input : base::JobEnding::failed;
    return answer;
  }
  if (asked.memory > 0 && process->residual.size() > asked.memory / kBytesToRead) {
    answer.unfinished = Unfinished{.limit = Unfinished::Limit::memory};
    return answer;
  }
  base::Result<residual::Residual> residual = residual::from_json(process->residual);
  if (!residual) return failed(base::of_kind(ErrorKind::environment, residual.errors()));
  answer.residual = *std::move(residual);
  return answer;
}

}  // namespace weakspot::race_command
