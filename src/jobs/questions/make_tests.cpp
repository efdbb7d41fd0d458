// SPDX-License-Identifier: MIT
#include "questions/make_tests.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/nearest.h"
#include "base/source.h"
#include "gen/build.h"
#include "gen/config.h"
#include "gen/minimal.h"
#include "gen/mutate.h"
#include "gen/name.h"
#include "gen/parse_cycle.h"
#include "model/library.h"
#include "model/model_shelf.h"
#include "questions/model_choice.h"
#include "questions/stop.h"

namespace weakspot::questions {
namespace {

// The file, and over it the settings.
base::Result<gen::SearchConfig> search_config(const GenerateRequest& request) {
  gen::SearchConfig config;
  if (!request.config_file.empty()) {
    base::Result<std::string> text = base::read_file(request.config_file);
    if (!text) return text.errors();
    base::Result<gen::SearchConfig> from_file = gen::parse_config(base::Source(request.config_file, std::move(*text)));
    if (!from_file) return from_file.errors();
    config = std::move(*from_file);
  }
  std::string text;
  for (const auto& [key, value] : request.settings) text += fmt::format("{} = {}\n", key, value);
  const bool sets_edges = std::any_of(request.settings.begin(), request.settings.end(),
                                      [](const auto& setting) { return setting.first == "edges"; });
  const base::Source source("options", text);
  if (!config.edges.empty() || sets_edges) return gen::parse_config(source, config);
  // Cycles given one by one need no vocabulary.
  config.edges = gen::expand_edge("Rfe");
  base::Result<gen::SearchConfig> parsed = gen::parse_config(source, config);
  if (parsed) parsed->edges.clear();
  return parsed;
}

// Edges are a cycle; one word that is not an edge is a name.
base::Result<gen::Cycle> read_cycle(const std::string& text) {
  const bool one_word = text.find_first_of(" \t\n") == std::string::npos;
  if (one_word && !gen::parse_edge(text)) return gen::cycle_named(text);
  return gen::parse_cycle(base::Source("cycle", text));
}

// The cycle itself, or its variants with just enough order for the model to forbid it.
base::Result<std::vector<gen::Cycle>> variants_of(const gen::Cycle& cycle, const GenerateRequest& request,
                                                  const gen::TestOptions& options) {
  const std::string& minimal = request.minimal;
  const std::atomic<bool>* stop = request.filter.stop;
  if (minimal.empty()) return std::vector<gen::Cycle>{cycle};
  const base::Result<model::Model> model = model::load_model(minimal);
  if (!model) return model.errors();
  base::Result<std::vector<gen::Cycle>> variants = gen::minimally_forbidden(
      cycle, options, [&](const litmus::LitmusTest& test) { return forbids(*model, test, stop); });
  // Without all of the model's answers, nobody knows which are minimal.
  if (is_stopped(stop)) return std::vector<gen::Cycle>();
  return variants;
}

base::Result<std::vector<litmus::LitmusTest>> tests_of_cycle(const std::string& text, const GenerateRequest& request,
                                                             const gen::TestOptions& options,
                                                             base::Diagnostics& errors) {
  const base::Result<gen::Cycle> cycle = read_cycle(text);
  if (!cycle) return cycle.errors();
  const base::Result<std::vector<gen::Cycle>> variants = variants_of(*cycle, request, options);
  if (!variants) return variants.errors();
  std::vector<litmus::LitmusTest> tests;
  for (const gen::Cycle& variant : *variants) {
    base::Result<litmus::LitmusTest> test = gen::to_test(variant, options);
    if (test) {
      tests.push_back(*std::move(test));
    } else {
      errors.insert(errors.end(), test.errors().begin(), test.errors().end());
    }
  }
  return tests;
}

GenerateResult generate_cycles(const GenerateRequest& request, const gen::TestOptions& options,
                               const ModelFilter& filter, const TestSink& sink) {
  GenerateResult result;
  for (const std::string& text : request.cycles) {
    if (is_stopped(request.filter.stop)) break;
    const auto tests = tests_of_cycle(text, request, options, result.errors);
    if (!tests) {
      result.errors.insert(result.errors.end(), tests.errors().begin(), tests.errors().end());
      continue;
    }
    for (const litmus::LitmusTest& test : *tests) {
      if (filter.keeps(test) && !sink(test)) return result;
    }
  }
  return result;
}

// Drops mutants that are still forbidden: they can never be killed. Mutants of architectures without a model are kept.
class MutantFilter {
 public:
  MutantFilter(const MutateOptions& options, ModelFilter asked) : options_(options), asked_(std::move(asked)) {}

  bool keeps(const litmus::LitmusTest& mutant) {
    if (!options_.filter.empty()) return asked_.keeps(mutant);
    if (options_.keep_forbidden) return true;
    const base::Result<model::BatchJudge*> judge = models_.get(mutant_model(mutant));
    return !judge || !forbids((*judge)->model(), mutant, options_.filter.stop);
  }

 private:
  const MutateOptions& options_;
  ModelFilter asked_;
  model::ModelShelf models_;
};

std::vector<std::string> mutator_words() {
  std::vector<std::string> words;
  for (const gen::Mutator& mutator : gen::mutators()) words.emplace_back(mutator.word);
  return words;
}

}  // namespace

base::Result<GenerateResult> generate_tests(const GenerateRequest& request, const TestSink& sink) {
  base::Result<gen::SearchConfig> config = search_config(request);
  if (!config) return config.errors();
  const base::Result<ModelFilter> filter = ModelFilter::load(request.filter);
  if (!filter) return filter.errors();
  if (!request.cycles.empty()) return generate_cycles(request, config->test, *filter, sink);
  if (!request.minimal.empty()) return base::error("--minimal needs cycles or their names");
  if (config->edges.empty()) {
    return base::error("nothing to generate; expected a cycle, the name of one, --edges or --config");
  }
  config->stop = request.filter.stop;
  const gen::Generated generated =
      gen::generate(*config, [&](const litmus::LitmusTest& test) { return !filter->keeps(test) || sink(test); });
  return GenerateResult{generated.cycles, generated.refused, {}};
}

base::Result<std::size_t> mutate_tests(const std::vector<litmus::LitmusTest>& tests, const MutateOptions& options,
                                       const TestSink& sink) {
  for (const std::string& word : options.mutators) {
    if (gen::mutator_named(word) != nullptr) continue;
    return base::error(fmt::format("there is no mutator '{}'; expected {}{}", word, mutator_list(),
                                   base::did_you_mean(word, mutator_words())));
  }
  base::Result<ModelFilter> asked = ModelFilter::load(options.filter);
  if (!asked) return asked.errors();
  MutantFilter filter(options, *std::move(asked));
  std::size_t dropped = 0;
  for (const litmus::LitmusTest& test : tests) {
    for (const litmus::LitmusTest& mutant : gen::mutate(test, {options.mutators, {}})) {
      const bool kept = filter.keeps(mutant);
      if (is_stopped(options.filter.stop)) return dropped;
      if (!kept) {
        ++dropped;
      } else if (!sink(mutant)) {
        return dropped;
      }
    }
  }
  return dropped;
}

litmus::Dialect usual_dialect(const litmus::LitmusTest& test) {
  const bool cpus = test.scopes && test.scopes->has_cpus();
  return cpus ? litmus::Dialect::canonical : litmus::dialect_of(test.arch);
}

std::string mutator_list() { return fmt::format("{}", fmt::join(mutator_words(), ", ")); }

}  // namespace weakspot::questions
