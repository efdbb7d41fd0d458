#include "gen/build.h"

#include <fmt/format.h>

#include <map>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/model_filter.h"
#include "cli/test_writer.h"
#include "gen/config.h"
#include "gen/minimal.h"
#include "gen/name.h"
#include "gen/parse_cycle.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

constexpr const char* kArchs = "generic, ptx-2015, ptx, vulkan, opencl, c, aarch64 or x86-64";

struct Generate {
  std::vector<std::string> cycles;
  std::string config_file;
  // Keys of the configuration that were given as options, and their values.
  std::map<std::string, std::string> keys;
  bool observers = false;
  bool all_cycles = false;
  std::size_t limit = 0;
  std::string minimal;  // a model: orders no stronger than it needs to forbid the outcome
  ModelFilter filter;
  TestWriterOptions output;

  int run() {
    base::Result<gen::SearchConfig> config = read_config();
    if (!config) return fail(config.errors());
    if (base::Status loaded = filter.load(); !loaded) return fail(loaded.errors());
    if (!minimal.empty() && cycles.empty()) {
      print_error("error: --minimal needs cycles or their names\nsee 'weakspot gen --help'\n");
      return kBadInput;
    }
    if (!cycles.empty()) return write_cycles(config->test);
    if (config->edges.empty()) {
      print_error(
          "error: nothing to generate; expected a cycle, the name of one, --edges or --config\n"
          "see 'weakspot gen --help'\n");
      return kBadInput;
    }
    TestWriter writer(output);
    const gen::Generated generated = gen::generate(*config, [&](const litmus::LitmusTest& test) {
      if (!filter.keeps(test)) return true;
      return writer.write(test) && (limit == 0 || writer.count() < limit);
    });
    base::Diagnostics errors = writer.finish();
    if (generated.refused > 0) {
      print_error(fmt::format("{} of {} cycles left out: the dialect cannot express them\n", generated.refused,
                              generated.cycles));
    }
    return errors.empty() ? static_cast<int>(kFine) : fail(errors);
  }

 private:
  static int fail(const base::Diagnostics& errors) {
    print_error(base::render(errors));
    return kBadInput;
  }

  // The file, and over it the options.
  base::Result<gen::SearchConfig> read_config() const {
    gen::SearchConfig config;
    if (!config_file.empty()) {
      base::Result<std::string> text = base::read_file(config_file);
      if (!text) return text.errors();
      base::Result<gen::SearchConfig> from_file = gen::parse_config(base::Source(config_file, std::move(*text)));
      if (!from_file) return from_file.errors();
      config = std::move(*from_file);
    }
    std::string text;
    for (const auto& [key, value] : keys) {
      if (!value.empty()) text += fmt::format("{} = {}\n", key, value);
    }
    if (all_cycles) text += "critical = no\n";
    if (observers) text += "observers = yes\n";
    if (config.edges.empty() && keys.at("edges").empty()) {
      // Cycles given one by one need no vocabulary.
      config.edges = gen::expand_edge("Rfe");
      base::Result<gen::SearchConfig> parsed = gen::parse_config(base::Source("options", text), config);
      if (parsed) parsed->edges.clear();
      return parsed;
    }
    return gen::parse_config(base::Source("options", text), config);
  }

  int write_cycles(const gen::TestOptions& options) {
    TestWriter writer(output);
    base::Diagnostics errors;
    auto add = [&](const base::Diagnostics& more) { errors.insert(errors.end(), more.begin(), more.end()); };
    for (const std::string& text : cycles) {
      base::Result<gen::Cycle> cycle = read_cycle(text);
      if (!cycle) {
        add(cycle.errors());
        continue;
      }
      base::Result<std::vector<gen::Cycle>> variants = variants_of(*cycle, options);
      if (!variants) {
        add(variants.errors());
        continue;
      }
      for (const gen::Cycle& variant : *variants) {
        base::Result<litmus::LitmusTest> test = gen::to_test(variant, options);
        if (!test) {
          add(test.errors());
        } else if (filter.keeps(*test)) {
          writer.write(*test);
        }
      }
    }
    add(writer.finish());
    return errors.empty() ? static_cast<int>(kFine) : fail(errors);
  }

  // The cycle itself, or with --minimal its ways of having just enough order.
  base::Result<std::vector<gen::Cycle>> variants_of(const gen::Cycle& cycle, const gen::TestOptions& options) const {
    if (minimal.empty()) return std::vector<gen::Cycle>{cycle};
    base::Result<model::Model> model = model::load_model(minimal);
    if (!model) return model.errors();
    return gen::minimally_forbidden(cycle, options,
                                    [&](const litmus::LitmusTest& test) { return forbids(*model, test); });
  }

  // Edges are a cycle; one word that is not an edge is a name.
  static base::Result<gen::Cycle> read_cycle(const std::string& text) {
    const bool one_word = text.find_first_of(" \t\n") == std::string::npos;
    if (one_word && !gen::parse_edge(text)) return gen::cycle_named(text);
    return gen::parse_cycle(base::Source("cycle", text));
  }
};

}  // namespace

void add_gen(Command& app, int& exit_code) {
  auto options = std::make_shared<Generate>();
  Command* command = app.add_subcommand("gen", "Make tests from cycles: one by one, or all over a vocabulary of edges");
  auto key = [&](const std::string& option, const std::string& name, const std::string& help) {
    command->add_option(option, options->keys[name], help);
  };
  command->add_option("CYCLE", options->cycles, "cycles ('Rfe PodRR Fre PodWW') or their names (MP+fence.sc+addr)");
  command->add_option("--config", options->config_file, "a file of 'key = value' lines; options go over it");
  key("--edges", "edges", "the vocabulary: 'Rfe Fre Coe Pod** Membar.gld**'");
  key("--size", "size", "edges of a cycle: 6, or 4..6");
  key("--threads", "threads", "threads of a test: 4, or 2..3");
  key("--internal", "internal", "most edges within one thread (1)");
  key("--dialect", "dialect", std::string("what the tests are for: ") + kArchs);
  key("--scopes", "scopes", "what neighbouring threads share: sg wg cluster dev sys");
  key("--annotations", "annotations", "what accesses are like: '- cg acq/rel' (reads/writes)");
  key("--spaces", "spaces", "memory spaces of locations: none global shared");
  command->add_flag("--all-cycles", options->all_cycles, "also cycles that a shorter one implies");
  command->add_flag("--observers", options->observers, "show coherence by observer threads, never by final values");
  options->filter.add_options(*command);
  command->add_option("--minimal", options->minimal,
                      "with cycles: the weakest orders with which this model forbids them");
  command->add_option("--limit", options->limit, "stop after so many tests");
  command->add_flag("--list", options->output.list, "print names and cycles alone");
  command->add_option("--out", options->output.folder, "write one file per test and an @all index into this folder");
  command->add_flag("--json", options->output.json, "print an array of {test, hash, identity, dialect, info, text}");
  command->footer(
      "Examples:\n  weakspot gen 'Rfe PodRR Fre PodWW' --dialect ptx\n"
      "  weakspot gen --edges 'Rfe Fre Coe Pod** DpAddrd*' --size 6 --out tests\n"
      "  weakspot gen --edges 'Rfe Fre Coe Pod**' --forbidden-by sc --allowed-by tso");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
