#include "campaign/score_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "campaign/summary.h"
#include "cli/commands.h"
#include "cli/duration.h"
#include "cli/interrupt.h"
#include "cli/rate_source.h"
#include "cli/run_setup.h"
#include "cli/ticker.h"

namespace weakspot::cli {
namespace {

using campaign::Change;
using campaign::rate_text;

struct ScoreCommand {
  RateSourceOptions source_options;
  std::vector<std::string> environments;
  std::string seconds = "10ms", out, against;
  std::uint64_t seed = 1;
  campaign::ScoreCompareOptions compare_options;
  bool json = false, brief = false;

  int run() const {
    const base::Result<double> each = read_duration(seconds);
    if (!each) return fail(each.errors(), kBadInput);
    std::optional<campaign::Score> before;
    if (!against.empty()) {
      base::Result<campaign::Score> read = read_score(against);
      if (!read) return fail(read.errors(), kBadInput);
      before = *std::move(read);
    }
    if (base::Status writable = can_write(out); !writable) return fail(writable.errors(), kBadInput);
    const InterruptGuard guard;
    Ticker ticker(1, "score");
    int code = kFine;
    base::Result<RateSource> source = open_rates(source_options, "mc-mutants", ticker, code);
    if (!source) return fail(source.errors(), code);
    const auto chosen =
        load_environments(environments.empty() ? std::vector<std::string>{"sweep"} : environments, source->sweep);
    if (!chosen) return fail(chosen.errors(), kBadInput);
    campaign::ScoreMeter meter({source->names, source->mutators, *chosen, *each, seed}, *source->measurer, ticker);
    campaign::Score score = meter.measure();
    std::optional<campaign::ScoreComparison> comparison;
    const bool ran = std::any_of(score.mutants.begin(), score.mutants.end(),
                                 [](const campaign::ScoredMutant& mutant) { return mutant.slice.seconds > 0; });
    if (before && ran && meter.is_whole()) {
      comparison = campaign::compare_and_confirm(*before, score, meter, compare_options);
    }
    ticker.clear();
    score.device = source->device;
    score.device_name = source->device_name;
    score.driver = source->driver;
    score.started = source->is_recorded ? "" : now_text();
    print_output(json ? campaign::to_json(score) : text_of(score));
    if (!meter.is_whole()) return explain_end(meter, source->device);
    if (!ran) {
      const std::string why = score.mutants.empty() ? "there are no mutants" : score.mutants.front().slice.problem;
      return fail({base::error(why)}, score.mutants.empty() ? kBadInput : kDeviceFailed);
    }
    if (comparison) (json ? print_error : print_output)(text_of(*comparison, *before));
    if (!out.empty()) {
      if (base::Status written = base::write_file(out, campaign::to_json(score)); !written) {
        return fail(written.errors(), kDeviceFailed);
      }
    }
    return comparison && comparison->is_weaker() ? kFinding : kFine;
  }

 private:
  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  // Part of a score must not stand where a whole one is expected.
  int explain_end(const campaign::ScoreMeter& meter, const std::string& device) const {
    if (meter.is_lost()) print_error(base::render({device_is_gone(device, meter.problem())}));
    if (!out.empty()) print_error(base::render({base::error_in(out, "not written: the score is not complete")}));
    return meter.is_lost() ? kDeviceFailed : kInterrupted;
  }

  static base::Result<campaign::Score> read_score(const std::string& path) {
    base::Result<std::string> text = base::read_file(path);
    if (!text) return text.errors();
    return campaign::score_from_json(base::Source(path, *std::move(text)));
  }

  std::string text_of(const campaign::Score& score) const {
    std::size_t width = 0;
    for (const campaign::ScoredMutant& mutant : score.mutants) width = std::max(width, mutant.test.size());
    std::string text;
    for (const campaign::ScoredMutant& mutant : score.mutants) {
      if (brief) break;
      const stats::Rate rate = mutant.slice.rate();
      text += fmt::format("{}  {:<{}}  {}", mutant.slice.kills > 0 ? "killed" : "alive ", mutant.test, width,
                          rate_text(rate.value));
      if (mutant.slice.seconds > 0) {
        text += fmt::format(" ({} to {})  [{}]", rate_text(rate.interval.low), rate_text(rate.interval.high),
                            mutant.environment);
      }
      if (!mutant.slice.problem.empty()) text += fmt::format("  ({})", mutant.slice.problem);
      text += "\n";
    }
    if (!brief) text += "\n";
    for (const campaign::MutatorScore& row : campaign::by_mutator(score)) {
      text += fmt::format("{:<20} {} of {} killed, {} on average\n", row.mutator, row.killed, row.mutants,
                          rate_text(row.mean_death_rate));
    }
    return text + fmt::format("mutation score {:.2f} % on {}, {}: {} of {} killed in {} environments, {} on average\n",
                              100 * score.mutation_score(), score.device, score.device_name, score.killed(),
                              score.mutants.size(), score.environments, rate_text(score.mean_death_rate()));
  }

  std::string text_of(const campaign::ScoreComparison& comparison, const campaign::Score& before) const {
    std::string text = fmt::format("\nagainst {}:\n", against);
    std::size_t same = 0;
    for (const campaign::MutantChange& change : comparison.mutants) {
      if (change.change == Change::same) {
        ++same;
        continue;
      }
      text += fmt::format("{:<8}  {}  {} before, {} now", to_string(change.change), change.test,
                          rate_text(change.before), rate_text(change.now));
      if (change.change != Change::missing && change.change != Change::gained) {
        text += fmt::format(", {:.3g} to {:.3g} times as often", change.ratio.low, change.ratio.high);
      }
      text += "\n";
    }
    if (comparison.is_weaker_together) {
      text += fmt::format("weaker    all together, {:.3g} to {:.3g} times as often\n", comparison.together.low,
                          comparison.together.high);
    }
    if (comparison.most_are_slower) {
      text += fmt::format("weaker    most of them, {:.3g} % and more\n", 100 * comparison.slower.low);
    }
    text += fmt::format("{}: {} of {} mutants as before", comparison.is_weaker() ? "WEAKER" : "not weaker", same,
                        before.mutants.size());
    return text + (comparison.mean_ratio
                       ? fmt::format("; killed {:.3g} times as often on average\n", *comparison.mean_ratio)
                       : "; none was killed, before or now\n");
  }
};

}  // namespace

void add_score(Command& app, int& exit_code) {
  auto options = std::make_shared<ScoreCommand>();
  Command* command = app.add_subcommand("score", "Measure which mutants die and how fast, and compare with before");
  options->source_options.add_options(
      *command, "mutants: files, tests of the corpus, or suites, of which the mutants; default: mc-mutants");
  command
      ->add_option("--environments", options->environments,
                   "what tune or conform --save-suite wrote, a file of lines, as --env, or 'sweep', the default")
      ->take_all();
  command->add_option("--seconds", options->seconds, "device time per mutant and environment; default 10ms");
  command->add_option("--seed", options->seed, "of what is drawn at random; default 1");
  command->add_option("--out", options->out, "write the score, for --against");
  command->add_option("--against", options->against, "exit with 1 if the mutants die less often than in this score");
  command->add_option("--confidence", options->compare_options.confidence, "of the comparison; default 0.99")
      ->range(0.5, 0.999999);
  command
      ->add_option("--tolerance", options->compare_options.tolerance,
                   "rates that fall less than to this part are as before; default 0.5")
      ->range(0.01, 1.0);
  command->add_flag("--brief", options->brief, "the summary alone");
  command->add_flag("--json", options->json, "print the score as JSON");
  command->footer(
      "Exit codes: 1 the suite got weaker, 2 bad usage or input, 3 a device failed.\n\nExamples:\n"
      "  weakspot score --device cpu --out score.json\n"
      "  weakspot score --device cpu --environments tuned.json --against score.json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
