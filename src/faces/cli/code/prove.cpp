// SPDX-License-Identifier: MIT
// 'weakspot prove': a launch of a kernel, evaluated by weakspot-race and judged here.
#include "prove/prove.h"

#include <fmt/format.h>

#include <memory>

#include "base/file.h"
#include "base/source.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "console/interrupt.h"
#include "litmus/dialect.h"
#include "prove/proof_text.h"
#include "race/nvcc_command.h"
#include "race/source_lines.h"
#include "race_command/residual.h"

namespace weakspot::cli {
namespace {

struct Prove {
  race_command::ResidualRequest launch;
  prove::ProofRequest proof;
  std::vector<std::string> compiler_words, conditions;
  std::string progress = "fair", emit;
  bool json = false, fences = false;
  double seconds = 60;

  std::size_t take_compiler_words(const std::vector<std::string>& words, std::size_t at) {
    const std::size_t count = race::nvcc_option_words(words, at);
    for (std::size_t i = at; i < at + count; ++i) compiler_words.push_back(words[i]);
    return count;
  }

  int run() {
    if (base::Status read = read_compiler_words(); !read) return fail(read.errors());
    if (launch.request.is_hip()) {
      return fail({base::error_in(launch.request.file, "proofs are of CUDA and PTX: HIP has another memory model")});
    }
    if (base::Status read = read_conditions(); !read) return fail(read.errors());
    base::Result<std::vector<race::NamedLocation>> names = prove::names_in(proof.conditions);
    if (!names) return fail(names.errors());
    launch.request.named = *std::move(names);
    launch.request.seconds = launch.request.compile_seconds = seconds;
    launch.memory = proof.limits.memory;
    proof.of_ptx = launch.request.is_ptx();
    proof.progress = *model::progress_named(progress);
    proof.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    const auto started = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    proof.limits.stop = InterruptGuard::flag();
    launch.interrupted = &InterruptGuard::interrupted;
    const race_command::ResidualAnswer threads = race_command::evaluate_threads(launch);
    print_error(threads.messages);
    if (!threads.problems.empty()) print_errors(threads.problems);
    if (!threads.residual && !threads.unfinished) return exit_code_of(threads.ending);
    const base::Result<prove::Proof> result =
        threads.residual ? judge(*threads.residual, started) : prove::not_evaluated(proof, why(*threads.unfinished));
    if (!result) return fail(result.errors());
    std::optional<prove::ProofFences> around;
    if (fences && threads.residual) {
      base::Result<prove::ProofFences> found = find_fences(*threads.residual, *result, started);
      if (!found) return fail(found.errors());
      around = *std::move(found);
    }
    if (json) {
      base::JsonValue answer = prove::proof_json(*result, launch.request.file);
      if (around) answer.add("fences", prove::fences_json(*around));
      print_output(json_text(answer));
    } else {
      const race::LineReader lines = race::lines_of_files();
      std::string text = prove::to_text(*result, launch.request.file, lines);
      if (around) text += prove::to_text(*around, launch.request.file, lines);
      print_results(text);
      // Lines of a patch are not to be broken.
      if (around && !around->repairs.empty()) print_output(around->repairs.front().patch);
    }
    if (!emit.empty() && result->test) {
      if (base::Status written = write_test(*result->test); !written) return fail(written.errors());
    }
    if (InterruptGuard::interrupted()) return InterruptGuard::exit_code();
    return result->answer == prove::ProofAnswer::proved     ? kFine
           : result->answer == prove::ProofAnswer::violated ? 1
                                                            : 3;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // What is left of the time, at least a moment: no time at all would mean no limit.
  std::chrono::milliseconds left(Clock::time_point started) const {
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started);
    return std::max(proof.limits.time - used, std::chrono::milliseconds(1));
  }

  base::Result<prove::Proof> judge(const residual::Residual& residual, Clock::time_point started) {
    proof.name = residual.kernel.substr(0, residual.kernel.find_first_of("<("));
    prove::ProofRequest asked = proof;
    asked.limits.time = left(started);
    return prove::prove(residual, asked);
  }

  static std::string why(const race_command::Unfinished& unfinished) {
    using Limit = race_command::Unfinished::Limit;
    const char* doing = unfinished.compiling ? "compiling the file" : "evaluating the threads";
    switch (unfinished.limit) {
      case Limit::time:
        return fmt::format("time: {} took longer than --seconds", doing);
      case Limit::memory:
        return fmt::format("memory: {} took more than --memory", doing);
      case Limit::interrupt:
        break;
    }
    return fmt::format("interrupted while {}", doing);
  }

  // The same launch with other texts of its file, in the time that is left.
  base::Result<prove::ProofFences> find_fences(const residual::Residual& residual, const prove::Proof& made,
                                               Clock::time_point started) {
    base::Result<std::string> text = base::read_file(launch.request.file);
    if (!text) return text.errors();
    prove::FencesRequest asked{.file = launch.request.file, .text = *std::move(text), .proof = proof};
    asked.limits = proof.limits;
    asked.limits.time = left(started);
    asked.evaluate = [this](const std::string& changed, std::chrono::milliseconds left) {
      race_command::ResidualRequest other = launch;
      other.request.text = changed;
      other.request.seconds = other.request.compile_seconds = static_cast<double>(left.count()) / 1000;
      race_command::ResidualAnswer threads = race_command::evaluate_threads(other);
      prove::EvaluatedText evaluated;
      evaluated.residual = std::move(threads.residual);
      if (!evaluated.residual) {
        evaluated.problem = !threads.problems.empty()                      ? threads.problems.front().message
                            : threads.ending == base::JobEnding::bad_input ? "a changed source does not compile"
                                                                           : "a changed source was not evaluated";
      }
      return evaluated;
    };
    return prove::find_proof_fences(residual, made, asked);
  }

  base::Status read_compiler_words() {
    base::Result<race::NvccCommand> command = race::parse_nvcc(compiler_words);
    if (!command) return command.errors();
    launch.request.compiler_arguments = std::move(command->language_flags);
    launch.request.architecture = race::newest_of(command->architectures);
    launch.request.hip = command->language == "hip";
    return base::ok_status();
  }

  // Those of the file, if none is asked for.
  base::Status read_conditions() {
    for (const std::string& text : conditions) proof.conditions.push_back(prove::stated_condition(text));
    if (!conditions.empty()) return base::ok_status();
    base::Result<std::string> text = base::read_file(launch.request.file);
    if (!text) return text.errors();
    const auto source = std::make_shared<const base::Source>(launch.request.file, *std::move(text));
    const base::Result<race::Annotations> annotations = race::read_annotations(*source);
    if (!annotations) return annotations.errors();
    for (const base::Span span : annotations->assertions) proof.conditions.push_back({source, span});
    return base::ok_status();
  }

  base::Status write_test(const litmus::LitmusTest& test) const {
    base::Result<std::string> text = litmus::print(test, litmus::Dialect::canonical);
    if (!text) return text.errors();
    return base::write_file(emit, *text);
  }
};

}  // namespace

void add_prove(Command& app, int& exit_code) {
  auto options = std::make_shared<Prove>();
  race::Request& request = options->launch.request;
  options->proof.limits.memory = std::uint64_t{4} << 30;
  Command* command = app.add_subcommand("prove", "Prove what all executions of a kernel's launch do");
  command->add_option("FILE", request.file, "a CUDA source or a file of PTX")->required();
  command->add_option("--kernel NAME", request.kernel, "the kernel (default: the only one of the file)");
  command->add_option("--launch TEXT", options->launch.launch,
                      "grid=G block=B [cluster=C] [shared=BYTES], extents as 16 or 16,4 (default: from the file)");
  command
      ->add_option("--arg TEXT", options->launch.arguments,
                   "an argument of the launch: NAME=VALUE, 'NAME=TYPE[COUNT] fill=HOW' or NAME=@ARRAY.npy; may be "
                   "repeated (default: made up)")
      ->repeatable();
  command
      ->add_option("--assert EXPR", options->conditions,
                   "a condition over memory after the launch, as 'out[0] == 1 && done != 0'; may be repeated "
                   "(default: those of the file)")
      ->repeatable();
  command->add_option("--model NAME", options->proof.model, "the memory model, by name or path (default ptx)");
  command
      ->add_option("--progress NAME", options->progress,
                   "the threads that are promised to run on: fair, lobe, hsa-obe, obe, hsa or unfair (default fair: "
                   "all of the launch)")
      ->one_of({"fair", "lobe", "hsa-obe", "obe", "hsa", "unfair"});
  command->add_option("--actors N", options->proof.most_actors, "the most threads to judge, 1 to 64 (default 16)")
      ->range(1, 64);
  command->add_option("--unroll N", options->proof.limits.unroll, "rounds of a loop to follow (default 3)");
  command
      ->add_option("--seconds TIME", options->seconds,
                   "time for compiling, evaluating and judging, after which the rest is 'unknown', such as 500ms or "
                   "2min (default 60s)")
      ->as_time();
  command
      ->add_option("--memory SIZE", options->proof.limits.memory,
                   "memory for the evaluation, and again for the judge, beyond which the rest is 'unknown', such as "
                   "512M (default 4G)")
      ->as_bytes();
  command->add_flag("--fences", options->fences,
                    "find fences, orders and scopes that are too many, or missing: changed sources are proved in the "
                    "time that is left");
  command->add_option("--emit FILE", options->emit, "write the litmus test that is judged (default: none)");
  command->add_flag("--json", options->json, "print the answer as JSON (default: as text)");
  command->take_words([options](const auto& words, std::size_t at) { return options->take_compiler_words(words, at); });
  command->add_taken_option("-I FOLDER", "a folder for #include; may be repeated (default: none)");
  command->add_taken_option("-D MACRO", "NAME or NAME=VALUE; may be repeated (default: none)");
  command->add_option("-p PATH", options->launch.compile_commands,
                      "compile_commands.json, or its folder, with flags for FILE (default: none)");
  command->add_option("--cuda-path FOLDER", request.cuda_path,
                      "use the headers of this CUDA toolkit (default: our own)");
  command->add_taken_option("--arch NAME", "the device's architecture, sm_70 to sm_121 (default sm_90)");
  command->add_taken_option("--std NAME", "the language, c++11 to c++23 (default c++17)");
  command->footer(
      "Exit codes: 0 proved, 1 violated, 2 bad usage or input, 3 unknown, 130 interrupted.\n\n"
      "Examples:\n"
      "  weakspot prove flag.cu --launch 'grid=2 block=1' --assert 'out[0] == 42'\n"
      "  weakspot prove lock.cu --emit lock.litmus");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
