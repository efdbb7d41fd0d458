#include <fmt/format.h>
#include <unistd.h>

#include "base/file.h"
#include "campaign/conform_report.h"
#include "campaign/summary.h"
#include "cli/commands.h"
#include "cli/conform_suites.h"
#include "cli/duration.h"
#include "cli/interrupt.h"
#include "cli/judging.h"
#include "cli/rate_source.h"
#include "cli/run_setup.h"
#include "cli/ticker.h"

namespace weakspot::cli {
namespace {

using campaign::ConformReport;
using campaign::ConformVerdict;
using campaign::MutantResult;
using campaign::short_number;
using campaign::TestResult;

// A line names no more environments than these; the other forms have them all.
constexpr std::size_t kMostNamed = 4;

struct Conform {
  std::vector<std::string> device_ids, environments;
  std::string suite_name, model, save;
  std::string budget = "5s";
  campaign::ConformOptions options;
  std::string out, junit, sarif, html;
  std::uint64_t memory = 0;  // bytes; 0: some
  bool json = false, brief = false, strict = false, no_isolation = false;

  int run() {
    const base::Result<double> seconds = read_duration(budget);
    if (!seconds) return fail(seconds.errors(), kBadInput);
    options.budget = *seconds;
    int code = kFine;
    const base::Result<std::vector<backend::DeviceInfo>> devices = find_devices(device_ids, code);
    if (!devices) return fail(devices.errors(), code);
    if (base::Status fit = check_save(devices->size()); !fit) return fail(fit.errors(), kBadInput);
    // Reports refer to their suites.
    std::vector<campaign::ConformanceSuite> suites;
    for (const backend::DeviceInfo& device : *devices) {
      base::Result<campaign::ConformanceSuite> suite = suite_for(device);
      if (!suite) return fail(suite.errors(), kBadInput);
      suites.push_back(*std::move(suite));
    }
    for (const std::string* path : {&out, &junit, &sarif, &html, &save}) {
      if (base::Status writable = can_write(*path); !writable) return fail(writable.errors(), kBadInput);
    }

    const InterruptGuard guard;
    campaign::ConformReports reports;
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    for (std::size_t i = 0; i < devices->size(); ++i) {
      const backend::DeviceInfo& device = (*devices)[i];
      options.setup.device = device.id;
      options.setup.started = now_text();
      options.setup.memory = memory != 0 ? memory : slice_memory(device);
      Judging judging(model);
      Ticker ticker(options.budget, "conform " + device.id);
      auto report = campaign::conform(
          suites[i], options, [&](const litmus::LitmusTest& test) { return judging.expected(test); }, *executor,
          ticker);
      ticker.clear();
      if (!report) return fail(report.errors(), kBadInput);
      reports.push_back(*std::move(report));
      if (!json) print_output(text_of(reports.back()));
    }
    return finish(reports);
  }

 private:
  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  base::Status check_save(std::size_t devices) const {
    if (save.empty()) return base::ok_status();
    if (devices > 1) return base::error(fmt::format("--save-suite takes one device; these are {}", devices));
    if (options.trust_rates) return base::error("--save-suite needs rates, and --trust-rates measures none");
    return base::ok_status();
  }

  base::Result<campaign::ConformanceSuite> suite_for(const backend::DeviceInfo& device) const {
    base::Result<campaign::ConformanceSuite> suite = load_suite(suite_name, device);
    if (!suite) return suite.errors();
    if (!suite->family.empty() && suite->family != family_of(device)) {
      if (options.trust_rates) {
        return base::error_in(suite_name, fmt::format("this suite is for {}: its rates say nothing of {}, {}",
                                                      suite->family, device.id, family_of(device)));
      }
      forget_mutants(*suite);
    }
    if (base::Status replaced = replace_environments(*suite, device); !replaced) return replaced.errors();
    if (base::Status pruned = prune_unobservable(*suite, device); !pruned) return pruned.errors();
    return suite;
  }

  // What the suite says of its mutants is not true here.
  static void forget_mutants(campaign::ConformanceSuite& suite) {
    for (campaign::SuiteTest& test : suite.tests) {
      for (campaign::SuiteMutant& mutant : test.mutants) {
        mutant.rates.clear();
        mutant.status = campaign::MutantStatus::observable;
        mutant.reason.clear();
      }
    }
  }

  // Other environments have other rates, and may show what was never seen.
  base::Status replace_environments(campaign::ConformanceSuite& suite, const backend::DeviceInfo& device) const {
    if (environments.empty()) return base::ok_status();
    const auto sweep = read_environments("sweep", device);
    if (!sweep) return sweep.errors();
    const auto read = load_environments(environments, *sweep);
    if (!read) return read.errors();
    suite.environments = *read;
    forget_mutants(suite);
    return base::ok_status();
  }

  int finish(const campaign::ConformReports& reports) const {
    base::Status written = base::ok_status();
    auto write = [&](const std::string& path, const std::string& text) {
      if (!path.empty() && written) written = base::write_file(path, text);
    };
    const std::string as_json = json || !out.empty() ? campaign::conform_json(reports) : "";
    write(out, as_json);
    if (!junit.empty()) write(junit, campaign::conform_junit(reports));
    if (!sarif.empty()) write(sarif, campaign::conform_sarif(reports));
    if (!html.empty()) write(html, campaign::conform_html(reports));
    if (!save.empty()) {
      if (InterruptGuard::interrupted() || !reports.front().problem.empty()) {
        print_error(fmt::format("{}: not written: not everything was measured\n", save));
      } else {
        write(save, campaign::to_json(campaign::curated(reports.front())));
      }
    }
    if (json) print_output(as_json);
    if (!written) return fail(written.errors(), kDeviceFailed);
    return exit_code(reports);
  }

  int exit_code(const campaign::ConformReports& reports) const {
    const ConformVerdict verdict = campaign::overall(reports);
    if (verdict == ConformVerdict::violation) return kFinding;
    if (InterruptGuard::interrupted()) return kInterrupted;
    for (const ConformReport& report : reports) {
      if (!report.problem.empty()) return kDeviceFailed;
      for (const campaign::RunRecord& record : report.records()) {
        using campaign::RunState;
        if (record.status == RunState::failed || record.status == RunState::lost) return kDeviceFailed;
      }
    }
    return strict && verdict != ConformVerdict::conformant ? kFinding : kFine;
  }

  std::string text_of(const ConformReport& report) const {
    std::string text;
    if (!brief) {
      for (const TestResult& test : report.tests) text += test_line(test, *report.suite);
    }
    return text + summary(report);
  }

  static std::string test_line(const TestResult& test, const campaign::ConformanceSuite& suite) {
    std::uint64_t instances = 0;
    std::string environments, witnesses;
    for (const campaign::RunRecord& record : test.records) {
      instances += record.instances;
      witnesses += campaign::witness_text(record);
    }
    if (test.plan.parts.size() > kMostNamed) environments = fmt::format("{} environments", test.plan.parts.size());
    for (const campaign::PlannedPart& part : test.plan.parts) {
      if (test.plan.parts.size() > kMostNamed) break;
      environments += fmt::format("{}{}", environments.empty() ? "" : " and ",
                                  codegen::to_text(suite.environments[part.environment]));
    }
    std::string text = fmt::format("{:<12} {:<10} {:.3f} s, {} instances", to_string(test.verdict),
                                   test.test->test.name, test.seconds, short_number(static_cast<double>(instances)));
    const MutantResult* least = nullptr;
    for (const MutantResult& mutant : test.mutants) {
      if (mutant.counts() && (least == nullptr || mutant.sure_kills < least->sure_kills)) least = &mutant;
    }
    if (least != nullptr) {
      text += fmt::format(", {} for {} kills of {}", campaign::percent_text(test.reproducibility),
                          kills_text(least->sure_kills), least->mutant->test.name);
    }
    if (!test.reason.empty()) text += fmt::format("  ({})", test.reason);
    return text + fmt::format("  [{}]\n", environments) + witnesses;
  }

  static std::string kills_text(double kills) {
    return kills < 100 ? fmt::format("{:.2g}", kills) : short_number(kills);
  }

  std::string summary(const ConformReport& report) const {
    std::size_t killed = 0, counted = 0;
    std::string pruned;
    std::size_t reached = 0;
    for (const TestResult& test : report.tests) {
      reached += test.verdict == ConformVerdict::conformant ? 1 : 0;
      for (const MutantResult& mutant : test.mutants) {
        if (!mutant.counts()) {
          pruned += fmt::format("  {:<12} {} ({})\n", to_string(mutant.mutant->status), mutant.mutant->test.name,
                                mutant.mutant->reason);
          continue;
        }
        ++counted;
        if (std::any_of(mutant.rates.begin(), mutant.rates.end(), [](double rate) { return rate > 0; })) ++killed;
      }
    }
    std::string text;
    if (!pruned.empty() && !brief) text += fmt::format("\nmutants that do not count here:\n{}", pruned);
    text += fmt::format("\n{}  {}, {}: {} of {} tests at {} in {:.2f} s of device time ({:.2f} s for mutants)",
                        to_string(report.verdict), report.device, report.device_name, reached, report.tests.size(),
                        campaign::percent_text(options.target), report.device_seconds(), report.measuring_seconds);
    if (options.trust_rates) {
      text += "; no mutants were run: the rates are the suite's";
    } else if (counted != 0) {
      text += fmt::format("; {} of {} mutants killed", killed, counted);
    }
    if (report.total_reproducibility) {
      text += fmt::format("; all tests together {}", campaign::percent_text(*report.total_reproducibility));
    }
    if (!report.problem.empty()) text += fmt::format("; the device was given up: {}", report.problem);
    return text + "\n";
  }
};

}  // namespace

void add_conform(Command& app, int& exit_code) {
  auto options = std::make_shared<Conform>();
  Command* command = app.add_subcommand("conform", "Run a conformance suite and say how much the result is worth");
  add_device_option(*command, options->device_ids);
  command->add_option("--suite", options->suite_name,
                      "a suite's file, or a generated one such as mc-mutants; default: the one for the device");
  command
      ->add_option("--environments", options->environments,
                   "in place of the suite's: what tune wrote, a file of lines, as --env, or 'sweep'; may be repeated")
      ->take_all();
  command->add_option("--budget", options->budget, "device time for all of it, such as 500ms, 5s or 2min; default 5s");
  command
      ->add_option("--confidence", options->options.target,
                   "reproducibility that each test is to have; default 0.99999")
      ->range(0.01, 0.9999999999);
  command->add_flag("--trust-rates", options->options.trust_rates,
                    "take the suite's rates instead of measuring mutants");
  command->add_option("--model", options->model, "judge by this model; default: by the test's kind");
  command->add_option("--seed", options->options.seed, "of what is drawn at random; default 1");
  command->add_option("--memory", options->memory, "the most to use on the device, such as 512M")->as_bytes();
  command->add_option("--out", options->out, "write the report as JSON");
  command->add_option("--junit", options->junit, "write the verdicts as JUnit XML");
  command->add_option("--sarif", options->sarif, "write the violations as SARIF");
  command->add_option("--html", options->html, "write a report to look at");
  command->add_option("--save-suite", options->save, "write the suite with the rates measured here");
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_flag("--brief", options->brief, "the summary alone");
  command->add_flag("--strict", options->strict, "exit code 1 also if the verdict is inconclusive");
  command->add_flag("--no-isolation", options->no_isolation, "use devices in this process: a crash ends it all");
  command->footer(
      "Exit codes: 1 a violation, 2 bad usage or input, 3 a device failed.\n\nExamples:\n"
      "  weakspot conform --budget 5s --confidence 0.99999\n"
      "  weakspot conform --device all --junit conformance.xml --html conformance.html");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
