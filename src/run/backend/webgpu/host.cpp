// SPDX-License-Identifier: MIT
#include "backend/webgpu/host.h"

#include <fmt/format.h>

#include "base/file.h"

namespace weakspot::backend::webgpu {
namespace {

using Clock = http::Clock;

constexpr std::size_t kMostAnswer = 256u << 20;
// How often we look whether the browser still runs.
constexpr auto kGlance = std::chrono::milliseconds(50);

http::Response file(std::string_view name, const std::string& content) {
  http::Response response;
  response.type = http::content_type(name);
  response.body = content;
  response.headers.emplace_back("Content-Security-Policy",
                                "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
                                "form-action 'none'; frame-ancestors 'none'");
  return response;
}

}  // namespace

Host::Host(http::Listener listener, std::string page, std::string script)
    : inbox_(std::move(listener)), gate_(inbox_.port()), page_(std::move(page)), script_(std::move(script)) {}

base::Result<std::unique_ptr<Host>> Host::start(const std::filesystem::path& folder, Adapter adapter) {
  const std::filesystem::path program = find_browser();
  if (program.empty()) {
    return base::error("webgpu: there is no Chromium or Chrome on the PATH; WEAKSPOT_BROWSER can name one");
  }
  const base::Result<std::string> page = base::read_file((folder / "device.html").string());
  if (!page) return page.errors();
  const base::Result<std::string> script = base::read_file((folder / "device.js").string());
  if (!script) return script.errors();
  base::Result<http::Listener> listener = http::Listener::open();
  if (!listener) return listener.errors();
  std::unique_ptr<Host> host(new Host(*std::move(listener), *page, *script));
  base::Result<Browser> browser = Browser::start(program, adapter, host->gate_.url() + "device.html");
  if (!browser) return browser.errors();
  host->browser_.emplace(*std::move(browser));
  return host;
}

base::Diagnostic Host::over(std::string message) {
  lost_ = true;
  waiting_.reset();
  return base::error(fmt::format("webgpu: {}", message), base::ErrorKind::device);
}

void Host::serve(http::Inbox::Arrival arrival) {
  auto& [request, connection] = arrival;
  std::string path;
  if (const std::optional<http::Response> refused = gate_.refuse(request, path)) {
    connection.send(*refused);
  } else if (request.method == "GET" && path == "device.html") {
    connection.send(file(path, page_));
  } else if (request.method == "GET" && path == "device.js") {
    connection.send(file(path, script_));
  } else if (request.method == "POST" && path == "next") {
    waiting_.emplace(std::move(connection));
    answer_ = std::move(request.body);
  } else {
    connection.send(http::refusal(404, "there is no such page"));
  }
}

base::Status Host::serve_until_asked(Clock::time_point limit) {
  while (!waiting_) {
    if (std::optional<http::Inbox::Arrival> arrival =
            inbox_.next(kMostAnswer, std::min(limit, Clock::now() + kGlance))) {
      serve(std::move(*arrival));
      continue;
    }
    if (const std::optional<base::Ending> ending = browser_->ending()) {
      return over(fmt::format("the browser {}", ending->text()));
    }
    if (Clock::now() >= limit) return over("the browser does not answer");
  }
  return base::ok_status();
}

base::Result<Answer> Host::ask(const base::JsonValue& job, std::chrono::milliseconds limit) {
  if (lost_) return over("the browser is gone");
  const Clock::time_point until = Clock::now() + limit;
  if (base::Status ready = serve_until_asked(until); !ready) return ready.errors();
  http::Response response;
  response.type = "application/json";
  response.body = base::json_compact(job);
  waiting_->send(response);  // a page that is gone does not ask again
  waiting_.reset();
  if (base::Status answered = serve_until_asked(until); !answered) return answered.errors();

  base::Source source("the browser's answer", std::move(answer_));
  base::Result<base::JsonValue> read = base::read_json_text(source);
  if (!read) return over(fmt::format("the browser sent an invalid answer: {}", base::messages(read.errors())));
  if (const base::JsonValue* error = read->find("error")) {
    return base::error(fmt::format("webgpu: {}", error->text()), base::ErrorKind::device);
  }
  base::JsonValue* answer = read->find("answer");
  if (answer == nullptr) return over("the browser sent an invalid answer");
  return Answer{std::move(source), std::move(*answer)};
}

}  // namespace weakspot::backend::webgpu
