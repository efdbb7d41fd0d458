// SPDX-License-Identifier: MIT
#include "serve/run_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/file.h"
#include "base/json_fields.h"
#include "base/temporary_folder.h"
#include "campaign/record_json.h"
#include "codegen/environment.h"
#include "litmus/dialect.h"
#include "workbench/run_tests.h"

namespace weakspot::serve {
namespace {

using base::JsonValue;
using http::Connection;

constexpr auto kLookEvery = std::chrono::milliseconds(50);

// Commands also take files here. A page does not read files of the machine.
bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == ':';
  });
}

JsonValue sentence(std::string_view text) {
  JsonValue value = base::json_object();
  value.add("error", text);
  return value;
}

// Sets its flag when the other side leaves, or at `stop`.
class Leaving {
 public:
  Leaving(const Connection& connection, const std::atomic<bool>& stop)
      : thread_([this, &connection, &stop] {
          while (!over_ && !left_) {
            if (stop || connection.closed()) left_ = true;
            std::this_thread::sleep_for(kLookEvery);
          }
        }) {}
  ~Leaving() {
    over_ = true;
    thread_.join();
  }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

  const std::atomic<bool>& flag() const { return left_; }

 private:
  std::atomic<bool> over_ = false;
  std::atomic<bool> left_ = false;
  std::thread thread_;  // last: it uses the others
};

class Streaming final : public workbench::RunWatch {
 public:
  Streaming(Connection& connection, const std::atomic<bool>& left) : connection_(connection), left_(left) {}

  void progress(const campaign::RunGroup& so_far, std::size_t) override {
    if (so_far.records.empty()) return;
    const std::string_view name = started_ ? "progress" : "started";
    started_ = true;
    gone_ = gone_ || !connection_.send(event(name, campaign::results_json(so_far.records.back())));
  }
  bool cancelled() override { return gone_ || left_; }

 private:
  Connection& connection_;
  const std::atomic<bool>& left_;
  bool started_ = false;
  bool gone_ = false;
};

void check_text(const RunOrder& order, base::Mistakes& mistakes) {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", order.test));
  if (!tests) mistakes.append(tests.errors());
  if (tests && tests->size() != 1) mistakes.add({}, fmt::format("expected one test, found {}", tests->size()));
}

}  // namespace

base::Result<RunOrder> read_order(const std::string& body) {
  const base::Source source("request", body);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  if (!value) return mistakes.take();
  base::JsonFields fields(*value, mistakes, "a run");
  if (!fields.valid()) return mistakes.take();
  RunOrder order;
  order.test = fields.text("test");
  order.device = fields.text("device");
  order.seconds = fields.real("seconds", 0.001, kMostSeconds);
  order.environment = fields.string("environment").value_or("");
  order.model = fields.string("model").value_or("");
  if (fields.has("seed")) order.seed = fields.whole("seed", UINT64_MAX);
  fields.done();
  if (!is_name(order.device)) fields.mistake(value->find("device"), "'device': expected an id such as cpu:0");
  if (!is_name(order.model)) fields.mistake(value->find("model"), "'model': expected a name");
  if (!order.environment.empty()) {
    const auto environment = codegen::parse_environment(base::Source("environment", order.environment));
    if (!environment) mistakes.append(environment.errors());
  }
  if (!mistakes.any()) check_text(order, mistakes);
  if (mistakes.any()) return mistakes.take();
  return order;
}

http::Response wrong_order(const base::Diagnostics& errors) {
  http::Response response;
  response.status = 400;
  response.type = "application/json";
  response.body = base::json_compact(sentence(base::render(errors))) + "\n";
  return response;
}

std::string event(std::string_view name, const JsonValue& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, base::json_compact(data));
}

void stream_run(const RunOrder& order, campaign::Executor& executor, const std::function<std::string()>& now,
                const std::atomic<bool>& stop, Connection& connection) {
  const base::TemporaryFolder folder;
  const std::string file = (folder.path() / "test.litmus").string();
  if (folder.path().empty() || !base::write_file(file, order.test, base::Durable::no)) {
    connection.send(http::refusal(500, "no temporary file could be written"));
    return;
  }
  http::Response head;
  head.type = "text/event-stream";
  if (!connection.begin_stream(head)) return;
  const Leaving leaving(connection, stop);
  workbench::RunTestsRequest request;
  request.tests = {file};
  request.devices = {order.device};
  if (!order.environment.empty()) request.environments = {order.environment};
  request.model = order.model;
  request.seconds = order.seconds;
  request.seed = order.seed;
  request.stop = &leaving.flag();
  request.now = now;
  Streaming watch(connection, leaving.flag());
  const base::Result<workbench::RunTestsResult> result = workbench::run_tests(request, executor, watch);
  if (!result) {
    connection.send(event("error", sentence(base::messages(result.errors()))));
  } else if (result->records.empty()) {
    connection.send(event("error", sentence("the run was stopped before it began")));
  } else {
    connection.send(event("done", campaign::results_json(result->records.back())));
  }
}

}  // namespace weakspot::serve
