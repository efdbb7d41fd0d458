// SPDX-License-Identifier: MIT
// Measures how soon the language server answers. The targets are 100 ms for a test of the corpus, and a model of 10,000
// lines that stays responsive.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "base/source.h"
#include "lsp/features/cat_features.h"
#include "lsp/server/server.h"

namespace {

using namespace weakspot;
using lsp::Json;

constexpr int kLines = 10'000;

std::string large_model() {
  std::string text = "\"large\"\nlet r0 = po\n";
  for (int i = 1; i < kLines; ++i) text += fmt::format("let r{} = (r{} | po & loc); rf? (* a remark *)\n", i, i - 1);
  return text + fmt::format("acyclic r{} as check\n", kLines - 1);
}

const char* const kMp =
    "weakspot MP\n P0      | P1       ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

void index_model(benchmark::State& state) {
  const base::Source source("large.cat", large_model());
  for (auto _ : state) benchmark::DoNotOptimize(model::index_cat(source).uses.size());
}

void highlight_model(benchmark::State& state) {
  const base::Source source("large.cat", large_model());
  const model::CatIndex index = model::index_cat(source);
  const lsp::DocumentText text{std::string(source.text())};
  for (auto _ : state) benchmark::DoNotOptimize(base::json_compact(lsp::cat_tokens(text, index)).size());
}

Json place(const std::string& uri, std::size_t line, std::size_t character) {
  return base::json_object({{"textDocument", base::json_object({{"uri", uri}})},
                            {"position", lsp::to_json(lsp::TextPosition{line, character})}});
}

// A server with one document.
class Session {
 public:
  Session(const std::string& uri, const std::string& text) : server_("bench", [](const Json&) {}) {
    send("initialize",
         base::json_object({{"initializationOptions", base::json_object({{"hoverMilliseconds", 60'000}})}}), 1);
    send("initialized", base::json_object());
    send("textDocument/didOpen",
         base::json_object({{"textDocument",
                             base::json_object({{"uri", uri}, {"languageId", ""}, {"version", 1}, {"text", text}})}}));
    server_.run_until_quiet();
  }

  void send(std::string_view method, Json params, int id = 0) {
    Json message = lsp::notification_json(method, std::move(params));
    if (id != 0) message.add("id", id);
    server_.receive(base::json_compact(message));
  }
  lsp::Server& server() { return server_; }

 private:
  lsp::Server server_;
};

// Types one letter and asks for the name at the end: the editor waits for the answer.
void type_into_model(benchmark::State& state) {
  const std::string uri = "file:///w/large.cat";
  Session session(uri, large_model());
  int version = 1;
  for (auto _ : state) {
    const Json change = base::json_object({{"range", lsp::to_json(lsp::TextRange{{5, 0}, {5, 0}})}, {"text", " "}});
    session.send("textDocument/didChange",
                 base::json_object({{"textDocument", base::json_object({{"uri", uri}, {"version", ++version}})},
                                    {"contentChanges", base::json_array({change})}}));
    session.send("textDocument/definition", place(uri, kLines + 1, 10), 2);
  }
}

// The verdicts of all models about a test that was changed, so that none is known.
void hover_new_test(benchmark::State& state) {
  const std::string uri = "file:///w/mp.litmus";
  Session session(uri, kMp);
  int version = 1;
  for (auto _ : state) {
    std::string text = kMp;
    text.replace(text.find("st x, 1"), 7, fmt::format("st x, {}", 2 + version % 100'000));
    session.send("textDocument/didChange",
                 base::json_object({{"textDocument", base::json_object({{"uri", uri}, {"version", ++version}})},
                                    {"contentChanges", base::json_array({base::json_object({{"text", text}})})}}));
    session.send("textDocument/hover", place(uri, 0, 10), 2);
    session.server().run_until_quiet();
  }
}

BENCHMARK(index_model)->Unit(benchmark::kMillisecond);
BENCHMARK(highlight_model)->Unit(benchmark::kMillisecond);
BENCHMARK(type_into_model)->Unit(benchmark::kMillisecond);
BENCHMARK(hover_new_test)->Unit(benchmark::kMillisecond);

}  // namespace
