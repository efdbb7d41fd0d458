// SPDX-License-Identifier: MIT
#include "serve/page_server.h"

#include <fmt/format.h>

#include <list>
#include <mutex>
#include <thread>

#include "backend/device.h"
#include "base/build_info.h"
#include "http/loopback.h"
#include "http/page_files.h"
#include "serve/page_marks.h"
#include "serve/run_stream.h"
#include "workbench/devices.h"

namespace weakspot::serve {
namespace {

using http::Clock;
using http::Connection;
using http::Request;
using http::Response;

constexpr auto kGlance = std::chrono::milliseconds(100);
constexpr auto kReadTime = std::chrono::seconds(10);
constexpr std::size_t kMostBody = 1u << 20;
constexpr std::size_t kMostConnections = 32;

Response json(const base::JsonValue& value) {
  Response response;
  response.type = "application/json";
  response.body = base::json_compact(value) + "\n";
  return response;
}

class Server {
 public:
  Server(const PageServer& options, http::Listener listener)
      : options_(options), listener_(std::move(listener)), gate_(listener_.port()) {}

  void run() {
    options_.ready(gate_.url());
    while (!options_.stop->load()) {
      std::optional<Connection> connection = listener_.accept(Clock::now() + kGlance);
      drop_ended();
      if (!connection) continue;
      if (threads_.size() >= kMostConnections) {
        connection->send(http::refusal(429, "too many connections"));
        continue;
      }
      Worker& worker = threads_.emplace_back();
      worker.thread = std::thread([this, &worker, taken = std::move(*connection)]() mutable {
        answer(std::move(taken));
        worker.ended = true;
      });
    }
    for (Worker& worker : threads_) worker.thread.join();
  }

 private:
  struct Worker {
    std::thread thread;
    std::atomic<bool> ended = false;
  };

  void drop_ended() {
    threads_.remove_if([](Worker& worker) {
      if (!worker.ended) return false;
      worker.thread.join();
      return true;
    });
  }

  void answer(Connection connection) {
    const std::optional<Request> request = connection.read(kMostBody, Clock::now() + kReadTime);
    if (!request) return;
    std::string path;
    if (const std::optional<Response> refused = gate_.refuse(*request, path)) {
      connection.send(*refused);
    } else if (path == "api/v1/runs") {
      answer_run(*request, connection);
    } else if (request->method != "GET") {
      connection.send(http::refusal(405, "expected GET"));
    } else {
      connection.send(page(path));
    }
  }

  Response page(const std::string& path) const {
    if (path == "api/v1/status") {
      base::JsonValue status = base::json_object();
      status.add("program", "weakspot");
      status.add("version", base::kVersion);
      return json(status);
    }
    if (path == "api/v1/devices") return json(workbench::devices_json(backend::list_devices()));
    std::optional<Response> file = http::page_file(options_.folder, path);
    if (!file) return http::refusal(404, "there is no such page");
    file->headers.emplace_back("Content-Security-Policy", kPagePolicy);
    if (path.empty() || path == "index.html")
      file->body = with_mark(std::move(file->body), "weakspot-server", "api/v1/");
    return *std::move(file);
  }

  // One run at a time: two would disturb each other on the processor, and may need the same card.
  void answer_run(const Request& request, Connection& connection) {
    if (request.method != "POST") {
      connection.send(http::refusal(405, "expected POST"));
      return;
    }
    // A page of another site cannot send this type without asking first.
    if (!request.header("content-type").starts_with("application/json")) {
      connection.send(http::refusal(415, "expected application/json"));
      return;
    }
    const base::Result<RunOrder> order = read_order(request.body);
    if (!order) {
      connection.send(wrong_order(order.errors()));
      return;
    }
    const std::unique_lock<std::timed_mutex> alone(running_, std::chrono::seconds(10));
    if (!alone.owns_lock()) {
      connection.send(http::refusal(429, "another run is going on"));
      return;
    }
    const std::unique_ptr<campaign::Executor> executor = options_.executor();
    stream_run(*order, *executor, options_.now, *options_.stop, connection);
  }

  const PageServer& options_;
  http::Listener listener_;
  http::Gate gate_;
  std::list<Worker> threads_;
  std::timed_mutex running_;
};

}  // namespace

base::Status serve_page(const PageServer& server) {
  base::Result<http::Listener> listener = http::Listener::open();
  if (!listener) return base::of_kind(base::ErrorKind::environment, base::Status(listener.errors()));
  Server(server, *std::move(listener)).run();
  return base::ok_status();
}

}  // namespace weakspot::serve
