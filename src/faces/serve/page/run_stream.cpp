// SPDX-License-Identifier: MIT
#include "serve/page/run_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "campaign/record_json.h"
#include "codegen/environment.h"
#include "http/replies.h"
#include "json/json_fields.h"
#include "litmus/dialect.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;
using http::event_text;

// Commands also take files here. A page does not read files of the machine.
bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == ':';
  });
}

std::string error_event(std::string_view sentence) {
  return event_text("error", base::json_object({{"error", sentence}}));
}

class Streaming final : public workbench::RunWatch {
 public:
  explicit Streaming(http::Stream& stream) : stream_(stream) {}

  void progress(const campaign::RunGroup& so_far, std::size_t) override {
    if (so_far.records.empty()) return;
    const std::string_view name = started_ ? "progress" : "started";
    started_ = true;
    stream_.send(event_text(name, campaign::results_json(so_far.records.back())));
  }
  bool cancelled() override { return stream_.gone(); }

 private:
  http::Stream& stream_;
  bool started_ = false;
};

std::vector<litmus::LitmusTest> read_one_test(const std::string& text, base::Mistakes& mistakes) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  if (!tests) {
    mistakes.append(tests.errors());
    return {};
  }
  if (tests->size() != 1) mistakes.add({}, fmt::format("expected one test, found {}", tests->size()));
  return *std::move(tests);
}

}  // namespace

base::Result<workbench::RunTestsRequest> read_order(const std::string& body) {
  const base::Source source("request", body);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  if (!value) return mistakes.take();
  base::JsonFields fields(*value, mistakes, "a run");
  if (!fields.valid()) return mistakes.take();
  workbench::RunTestsRequest order;
  const std::string test = fields.text("test");
  const std::string device = fields.text("device");
  order.devices = {device};
  order.seconds = fields.real("seconds", 0.001, kMostSeconds);
  const std::string environment(fields.string("environment").value_or(""));
  order.model = fields.string("model").value_or("");
  if (fields.has("seed")) order.seed = fields.whole("seed", UINT64_MAX);
  fields.done();
  if (!is_name(device)) fields.mistake(value->find("device"), "'device': expected an id such as cpu:0");
  if (!is_name(order.model)) fields.mistake(value->find("model"), "'model': expected a name");
  if (!environment.empty()) {
    order.environments = {environment};
    const auto parsed = codegen::parse_environment(base::Source("environment", environment));
    if (!parsed) mistakes.append(parsed.errors());
  }
  if (!mistakes.any()) order.given = read_one_test(test, mistakes);
  if (mistakes.any()) return mistakes.take();
  return order;
}

void stream_run(workbench::RunTestsRequest order, campaign::Executor& executor, const std::function<std::string()>& now,
                http::Answering& answer) {
  http::Response head;
  head.type = "text/event-stream";
  head.headers.emplace_back("Content-Security-Policy", http::kApiPolicy);
  const std::unique_ptr<http::Stream> stream = answer.stream(std::move(head));
  order.stop = &stream->gone();
  order.now = now;
  Streaming watch(*stream);
  const base::Result<workbench::RunTestsResult> result = workbench::run_tests(order, executor, watch);
  if (!result) {
    stream->send(error_event(base::messages(result.errors())));
  } else if (result->records.empty()) {
    stream->send(error_event("the run was stopped before it began"));
  } else {
    stream->send(event_text("done", campaign::results_json(result->records.back())));
  }
}

}  // namespace weakspot::serve
