// SPDX-License-Identifier: MIT
#include "backend/webgpu/host.h"

#include <fmt/format.h>

#include "base/file.h"
#include "http/replies.h"

namespace weakspot::backend::webgpu {
namespace {

using Clock = http::Clock;

constexpr std::size_t kMostAnswer = 256u << 20;

// Nobody but the page may send much. Its connection is idle while it does a job.
http::ServerLimits limits_behind(const http::Gate& gate) {
  http::ServerLimits limits;
  limits.idle = std::chrono::hours(24);
  limits.request = std::chrono::minutes(1);
  limits.most_body = [&gate, usual = limits.body](const http::Request& head) {
    std::string path;
    return gate.refuse(head, path) ? usual : kMostAnswer;
  };
  return limits;
}

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
    : gate_(listener.port(), http::Reach::machine, http::new_secret()),
      page_(std::move(page)),
      script_(std::move(script)),
      server_(http::make_server(
          std::move(listener), limits_behind(gate_),
          [this](http::Asked asked, http::Answer answer) { serve(std::move(asked), std::move(answer)); })) {}

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

void Host::serve(http::Asked asked, http::Answer answer) {
  http::Request& request = asked.request;
  std::string path;
  if (const std::optional<http::Response> refused = gate_.refuse(request, path)) {
    answer->give(*refused);
  } else if (request.method == "GET" && path == "device.html") {
    answer->give(file(path, page_));
  } else if (request.method == "GET" && path == "device.js") {
    answer->give(file(path, script_));
  } else if (request.method == "POST" && path == "next") {
    waiting_ = std::move(answer);
    answer_ = std::move(request.body);
  } else {
    answer->give(http::refusal(404, "there is no such page"));
  }
}

base::Status Host::serve_until_asked(Clock::time_point limit) {
  while (!waiting_) {
    server_->turn();
    if (waiting_) break;
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
  waiting_->give(http::json_reply(200, job));  // a page that is gone does not ask again
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
