#include "cli/rate_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "cli/commands.h"
#include "cli/conform_suites.h"
#include "cli/inputs.h"
#include "cli/run_setup.h"
#include "gen/suites.h"
#include "litmus/dialect.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRecorded = "recorded:";

void add_missing(std::vector<codegen::TestEnvironment>& all, const std::vector<codegen::TestEnvironment>& more) {
  for (const codegen::TestEnvironment& environment : more) {
    if (std::find(all.begin(), all.end(), environment) == all.end()) all.push_back(environment);
  }
}

// A suite gives its mutants, and all of its tests if it has none.
void add_suite_tests(const gen::Suite& suite, std::vector<litmus::LitmusTest>& tests) {
  std::vector<litmus::LitmusTest> all = gen::tests_of(suite);
  const bool has_mutants =
      std::any_of(all.begin(), all.end(), [](const auto& test) { return gen::info_of(test, "Parent").has_value(); });
  for (litmus::LitmusTest& test : all) {
    if (!has_mutants || gen::info_of(test, "Parent")) tests.push_back(std::move(test));
  }
}

base::Result<std::vector<litmus::LitmusTest>> read_tests(const std::vector<std::string>& names) {
  std::vector<litmus::LitmusTest> tests;
  base::Diagnostics errors;
  for (const std::string& name : names) {
    std::error_code code;
    const gen::Suite* suite = std::filesystem::exists(name, code) ? nullptr : gen::suite_named(name);
    if (suite != nullptr) {
      add_suite_tests(*suite, tests);
      continue;
    }
    TestInputs inputs = load_tests({name});
    errors.insert(errors.end(), inputs.errors.begin(), inputs.errors.end());
    for (TestInput& input : inputs.tests) tests.push_back(std::move(input.test));
  }
  if (!errors.empty()) return errors;
  return tests;
}

// Of all that slices of a recorded test depend on.
std::string hash_of(const std::vector<campaign::Slice>& row,
                    const std::vector<codegen::TestEnvironment>& environments) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    text +=
        fmt::format("{} {} {} {}\n", codegen::to_text(environments[i]), row[i].kills, row[i].instances, row[i].seconds);
  }
  return base::hash_bytes(text).hex();
}

base::Result<RateSource> open_recorded(const RateSourceOptions& options) {
  const std::string path = options.device.substr(kRecorded.size());
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  base::Result<campaign::RecordedTable> table = campaign::read_recorded(base::Source(path, *std::move(text)));
  if (!table) return table.errors();
  RateSource source;
  source.is_recorded = true;
  source.device = "recorded";
  source.device_name = std::filesystem::path(path).filename().string();
  source.table = std::make_unique<campaign::RecordedTable>(*std::move(table));
  if (!options.tests.empty()) {
    campaign::RecordedTable kept{{}, source.table->environments, {}};
    for (std::size_t i = 0; i < source.table->tests.size(); ++i) {
      const std::string& name = source.table->tests[i];
      const bool named = std::any_of(options.tests.begin(), options.tests.end(),
                                     [&](const std::string& part) { return name.find(part) != std::string::npos; });
      if (!named) continue;
      kept.tests.push_back(name);
      kept.cells.push_back(source.table->cells[i]);
    }
    if (kept.tests.empty()) return base::error_in(path, "none of these tests is in this file");
    *source.table = std::move(kept);
  }
  source.names = source.table->tests;
  for (const std::string& name : source.names) {
    // As the data's own names tell.
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    source.mutators.emplace_back(has("Mutations")   ? "reversing po-loc"
                                 : has("Coherency") ? "weakening po-loc"
                                                    : "weakening sw");
  }
  for (const std::vector<campaign::Slice>& row : source.table->cells) {
    source.hashes.push_back(hash_of(row, source.table->environments));
  }
  source.sweep = source.table->environments;
  source.measurer = campaign::recorded_measurer(*source.table);
  return source;
}

base::Result<std::vector<codegen::TestEnvironment>> environments_of(const Json& json, const std::string& name) {
  std::vector<codegen::TestEnvironment> environments;
  auto add = [&](const Json& text) -> base::Status {
    if (!text.is_string()) return base::error_in(name, "expected the text of an environment");
    const auto read = codegen::parse_environment(base::Source(name, text.get<std::string>()));
    if (!read) return read.errors();
    if (std::find(environments.begin(), environments.end(), *read) == environments.end()) environments.push_back(*read);
    return base::ok_status();
  };
  if (json.contains("environments")) {
    for (const Json& text : json["environments"]) {
      if (base::Status added = add(text); !added) return added.errors();
    }
  } else if (json.contains("tests")) {
    for (const Json& test : json["tests"]) {
      if (!test.contains("environment")) continue;
      if (base::Status added = add(test["environment"]); !added) return added.errors();
    }
  }
  if (environments.empty()) return base::error_in(name, "there are no environments in this file");
  return environments;
}

base::Result<std::vector<codegen::TestEnvironment>> read_named(const std::string& name) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(name, code)) {
    const auto read = codegen::parse_environment(base::Source("--environments", name));
    if (!read) return read.errors();
    return std::vector{*read};
  }
  const base::Result<std::string> text = base::read_file(name);
  if (!text) return text.errors();
  if (const Json json = Json::parse(*text, nullptr, false); !json.is_discarded()) return environments_of(json, name);
  std::vector<codegen::TestEnvironment> environments;
  std::size_t begin = 0;
  while (begin < text->size()) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    std::string line = text->substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    const auto read = codegen::parse_environment(base::Source(name, std::move(line)));
    if (!read) return read.errors();
    environments.push_back(*read);
  }
  if (environments.empty()) return base::error_in(name, "there are no environments in this file");
  return environments;
}

}  // namespace

void RateSourceOptions::add_options(Command& command, const char* tests_help) {
  command.add_option("TEST", tests, tests_help);
  command.add_option("--device", device,
                     "where to run, see 'weakspot devices', or recorded:FILE; default: the first GPU, or the CPU");
  command.add_option("--memory", memory, "the most to use on the device, such as 512M")->as_bytes();
  command.add_flag("--no-isolation", no_isolation, "use the device in this process: a crash ends it all");
}

base::Result<RateSource> open_rates(const RateSourceOptions& options, const std::string& fallback,
                                    campaign::RunObserver& observer, int& exit_code) {
  exit_code = kBadInput;
  if (options.device.starts_with(kRecorded)) return open_recorded(options);
  base::Result<std::vector<litmus::LitmusTest>> tests =
      read_tests(options.tests.empty() ? std::vector<std::string>{fallback} : options.tests);
  if (!tests) return tests.errors();
  campaign::MeasureSetup setup;
  setup.memory = options.memory;
  std::vector<std::string> ids;
  if (!options.device.empty()) ids.push_back(options.device);
  const base::Result<std::vector<backend::DeviceInfo>> found = find_devices(ids, exit_code);
  if (!found) return found.errors();
  exit_code = kBadInput;
  if (found->size() != 1) {
    return base::error(fmt::format("expected one device; '{}' are {}", options.device, found->size()));
  }
  const backend::DeviceInfo& info = found->front();
  RateSource source;
  source.device = info.id;
  source.device_name = info.name;
  source.driver = info.driver;
  source.machine =
      info.target == codegen::Target::cpu || info.is_host ? campaign::SpaceFor::cpu : campaign::SpaceFor::gpu;
  const auto sweep = read_environments("sweep", info);
  if (!sweep) return sweep.errors();
  source.sweep = *sweep;
  const auto own = load_suite("", info);
  if (!own) return own.errors();
  source.known = own->environments;
  add_missing(source.known, source.sweep);
  source.tests = std::make_unique<std::vector<litmus::LitmusTest>>(*std::move(tests));
  for (const litmus::LitmusTest& test : *source.tests) {
    source.names.push_back(test.name);
    source.mutators.push_back(gen::info_of(test, "Mutator").value_or(""));
    source.hashes.push_back(litmus::hash_of(test).hex());
  }
  setup.device = info.id;
  setup.started = now_text();
  if (setup.memory == 0) setup.memory = slice_memory(info);
  source.executor = make_executor(options.no_isolation);
  source.measurer = campaign::device_measurer(*source.executor, *source.tests, setup, observer);
  return source;
}

base::Result<std::vector<codegen::TestEnvironment>> load_environments(
    const std::vector<std::string>& names, const std::vector<codegen::TestEnvironment>& sweep) {
  std::vector<codegen::TestEnvironment> all;
  for (const std::string& name : names) {
    const base::Result<std::vector<codegen::TestEnvironment>> read =
        name == "sweep" ? base::Result(sweep) : read_named(name);
    if (!read) return read.errors();
    add_missing(all, *read);
  }
  return all;
}

base::Diagnostic device_is_gone(const std::string& device, const std::string& problem) {
  return base::error(fmt::format("device {} was lost {} times in a row: {}", device, campaign::Losses::kMost, problem));
}

}  // namespace weakspot::cli
