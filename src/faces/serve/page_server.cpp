// SPDX-License-Identifier: MIT
#include "serve/page_server.h"

#include <semaphore>

#include "backend/device.h"
#include "base/build_info.h"
#include "http/replies.h"
#include "serve/answer/job_queue.h"
#include "serve/page/checks.h"
#include "serve/page/run_stream.h"
#include "serve/page/site.h"
#include "workbench/devices.h"

namespace weakspot::serve {
namespace {

using http::refusal;
using SharedAnswer = std::shared_ptr<http::Answering>;

constexpr std::size_t kMostWaiting = 8;
constexpr std::size_t kMostUnread = 16u << 20;  // bytes of a run's events
constexpr std::chrono::seconds kPatience{10};

// The devices of this machine, for the page.
class PageApi {
 public:
  explicit PageApi(const PageServer& options) : options_(options) {}

  void answer(const std::string& name, http::Asked asked, http::Answer answer) {
    const SharedAnswer shared = std::move(answer);
    if (name == "runs") {
      if (const auto refused = http::refuse_other_than_json(asked.request)) return shared->give(*refused);
      add(orders_, shared, [this, shared, body = std::move(asked.request.body)] { order(body, shared); });
    } else if (name == "checks") {
      if (const auto refused = http::refuse_other_than_json(asked.request)) return shared->give(*refused);
      add(orders_, shared, [this, shared, body = std::move(asked.request.body)] { check_files(body, shared); });
    } else if (name != "status" && name != "devices") {
      shared->give(refusal(404, "there is no such path; docs/webgpu.md lists them"));
    } else if (asked.request.method != "GET") {
      shared->give(refusal(405, "expected GET"));
    } else if (name == "status") {
      shared->give(http::json_reply(200, base::json_object({{"program", "weakspot"}, {"version", base::kVersion}})));
    } else {
      add(glances_, shared,
          [shared] { shared->give(http::json_reply(200, workbench::devices_json(backend::list_devices()))); });
    }
  }

 private:
  static void add(JobQueue& queue, const SharedAnswer& answer, JobQueue::Job job) {
    if (!queue.add(std::move(job))) answer->give(refusal(503, "too many requests are waiting; try again"));
  }

  // One run at a time: two would disturb each other on the processor, and may need the same card. One whose page has
  // left needs a moment to end.
  void order(const std::string& body, const SharedAnswer& answer) {
    const base::Result<workbench::RunTestsRequest> order = read_order(body);
    if (!order) return answer->give(refusal(400, base::render(order.errors())));
    if (!idle_.try_acquire_for(kPatience)) return answer->give(refusal(429, "another run is going on"));
    runs_.add([this, order = *order, answer] {
      const std::unique_ptr<campaign::Executor> executor = options_.executor();
      stream_run(order, *executor, options_.now, *answer);
      idle_.release();
    });
  }

  // Runs wait as well: a program that is checked takes all processors.
  void check_files(const std::string& body, const SharedAnswer& answer) {
    base::Result<CheckOrder> order = read_check(body);
    if (!order) return answer->give(refusal(400, base::render(order.errors())));
    if (!idle_.try_acquire_for(kPatience)) return answer->give(refusal(429, "another run is going on"));
    runs_.add([this, order = *std::move(order), answer] {
      const base::Result<base::JsonValue> report = check(order, options_.ask);
      answer->give(report ? http::json_reply(200, *report) : refusal(400, base::messages(report.errors())));
      idle_.release();
    });
  }

  const PageServer& options_;
  std::binary_semaphore idle_{1};
  JobQueue glances_{kMostWaiting};
  JobQueue runs_{1};
  JobQueue orders_{kMostWaiting};  // last: its jobs use the others
};

}  // namespace

base::Status serve_page(const PageServer& server) {
  base::Result<http::Listener> listener = http::Listener::open();
  if (!listener) return base::of_kind(base::ErrorKind::environment, base::Status(listener.errors()));
  const http::Gate gate(listener->port(), http::Reach::machine, http::new_secret());
  PageApi api(server);
  const Site site(gate, read_page(server.folder, "weakspot-server"),
                  [&](const std::string& name, http::Asked asked, http::Answer answer) {
                    api.answer(name, std::move(asked), std::move(answer));
                  });
  http::ServerLimits limits;
  limits.stream = kMostUnread;
  limits.body = kMostCheckedBytes;
  server.ready(gate.url());
  http::serve(
      *std::move(listener), limits,
      [&](http::Asked asked, http::Answer answer) { site.answer(std::move(asked), std::move(answer)); }, *server.stop);
  return base::ok_status();
}

}  // namespace weakspot::serve
