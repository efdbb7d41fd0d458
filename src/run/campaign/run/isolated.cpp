// SPDX-License-Identifier: MIT
// Both sides of the pipe between us and a process that uses a device. The lines are JSON: a request goes to the child;
// "started", "progress" a few times per second and one "done" come back, each with a record. "stop" asks the child to
// end early; "prepare" with an array of requests announces programs to compile and has no answer. A request that comes
// during a run waits for its turn. "codes" with an array of requests is answered by "codes" and their verdicts.
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "campaign/record_json.h"
#include "campaign/runner.h"
#include "system/child.h"

namespace weakspot::campaign {
namespace {

using base::Child;
using Clock = Child::Clock;

// Opening a device and compiling have no deadline of their own; drivers take their time.
constexpr auto kStartTime = std::chrono::seconds(120);
// Beyond the request's deadline, for the device to notice and for results to come back.
constexpr auto kGrace = std::chrono::seconds(6);
// Launches can be shorter than the time to send a record.
constexpr auto kReportEvery = std::chrono::milliseconds(50);
// For a browser to end.
constexpr auto kEndTime = std::chrono::seconds(3);
// The interval between looks at the wish to stop.
constexpr auto kGlance = std::chrono::milliseconds(100);

constexpr std::string_view kStarted = "started ";
constexpr std::string_view kProgress = "progress ";
constexpr std::string_view kDone = "done ";
constexpr std::string_view kPrepare = "prepare ";
constexpr std::string_view kCodes = "codes ";

class Isolated final : public Executor {
 public:
  explicit Isolated(std::vector<std::string> worker) : worker_(std::move(worker)) {}
  // A browser has a profile to remove. Other devices are ended at once: drivers may crash or hang when they are closed.
  ~Isolated() override {
    for (auto& [device, worker] : children_) {
      if (device.starts_with("webgpu")) worker.child.end(kEndTime);
    }
  }

  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    RunRecord record = attempt(request, observer);
    // One card can be several devices and may serve one process at a time: our child for another of them may hold it.
    if (record.status != RunState::failed || !record.device_name.empty() || children_.size() < 2) return record;
    children_.clear();
    return attempt(request, observer);
  }

  void prepare(std::span<const RunRequest> requests) override {
    if (requests.empty() || !start(requests.front().device)) return;
    // A child that is gone is noticed when it is asked to run something.
    static_cast<void>(
        children_.find(requests.front().device)->second.child.send(fmt::format("{}{}", kPrepare, to_json(requests))));
  }

  std::vector<std::optional<CheckedCode>> codes(std::span<const RunRequest> requests) override {
    std::vector<std::optional<CheckedCode>> none(requests.size());
    if (requests.empty()) return none;
    drop_unwanted(requests.front(), "");
    const auto found = children_.find(requests.front().device);
    if (found == children_.end()) return none;
    Child& child = found->second.child;
    if (!child.send(fmt::format("{}{}", kCodes, to_json(requests)))) return none;
    std::string line;
    if (child.receive(line, Clock::now() + kStartTime) != Child::Received::line || !line.starts_with(kCodes))
      return none;
    base::Result<std::vector<std::optional<CheckedCode>>> codes =
        codes_from_json(std::string_view(line).substr(kCodes.size()));
    return codes && codes->size() == requests.size() ? *std::move(codes) : none;
  }

  void expect(const RunRequest& next) override { next_ = Expected{next.device, to_json(next)}; }

 private:
  struct Worker {
    Child child;
    std::string ahead;  // a request that it was sent and that nobody has asked for yet; empty: none
  };
  struct Expected {
    std::string device;
    std::string line;
  };
  // Ends a run whose result nobody wants.
  class Unwanted final : public RunObserver {
    bool cancelled() override { return true; }
  };

  base::Status start(const std::string& device) {
    if (children_.contains(device)) return base::ok_status();
    base::Result<Child> started = Child::start(worker_);
    if (!started) return started.errors();
    children_.emplace(device, Worker{*std::move(started), ""});
    return base::ok_status();
  }

  RunRecord attempt(const RunRequest& request, RunObserver& observer) {
    const std::string line = to_json(request);
    drop_unwanted(request, line);
    last_ = begin_record(request);
    if (base::Status started = start(request.device); !started) {
      return ended(RunState::failed, started.errors().front().message);
    }
    const auto found = children_.find(request.device);
    Child& child = found->second.child;
    std::optional<std::string> problem;
    if (ask(found->second, request.device, line)) {
      problem = follow(child, request, observer);
    } else {
      problem = "";
    }
    if (!problem) return last_;
    // An empty problem: the child closed its output, so it has ended or is about to.
    const base::Ending ending = child.end(problem->empty() ? std::chrono::seconds(2) : std::chrono::seconds(0));
    children_.erase(found);
    return ended(RunState::lost, problem->empty() ? fmt::format("the device process {}", ending.text()) : *problem);
  }

  // Drops the request that was sent ahead if another is asked for. A child that does not end it is replaced.
  void drop_unwanted(const RunRequest& request, const std::string& line) {
    const auto found = children_.find(request.device);
    if (found == children_.end() || found->second.ahead.empty() || found->second.ahead == line) return;
    found->second.ahead.clear();
    Unwanted nobody;
    if (follow(found->second.child, request, nobody)) children_.erase(found);
  }

  // False if the child has ended.
  bool ask(Worker& worker, const std::string& device, const std::string& line) {
    const bool was_sent = std::exchange(worker.ahead, "") == line;
    if (!was_sent && !worker.child.send(line)) return false;
    const std::optional<Expected> next = std::exchange(next_, std::nullopt);
    // A child that is gone is noticed when its answer is read.
    if (next && next->device == device && worker.child.send(next->line)) worker.ahead = next->line;
    return true;
  }

  RunRecord ended(RunState state, std::string message) {
    last_.status = state;
    last_.message = std::move(message);
    return last_;
  }

  // Waits until the record is done and returns nothing, or returns the problem.
  std::optional<std::string> follow(Child& child, const RunRequest& request, RunObserver& observer) {
    Clock::time_point limit = Clock::now() + kStartTime;
    bool is_started = false;
    bool told = false;
    while (true) {
      std::string line;
      const Child::Received received = child.receive(line, std::min(limit, Clock::now() + kGlance));
      if (received == Child::Received::ended) return "";
      if (received == Child::Received::line) {
        const std::size_t space = line.find(' ');
        const std::string_view kind = std::string_view(line).substr(0, space + 1);
        base::Result<RunRecord> record = record_from_json(std::string_view(line).substr(kind.size()));
        if (!record)
          return fmt::format("the device process sent an invalid record: {}", record.errors().front().message);
        last_ = *std::move(record);
        if (kind == kDone) return std::nullopt;
        if (kind == kStarted) {
          observer.started(last_);
          is_started = true;
          limit = Clock::now() + kGrace +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.deadline));
        } else {
          observer.progress(last_);
        }
      }
      if (!told && observer.cancelled()) {
        told = true;
        child.send("stop");
        limit = std::min(limit, Clock::now() + kGrace);
      }
      if (Clock::now() < limit) continue;
      if (told) return "interrupted; the device did not stop";
      if (!is_started) return fmt::format("the device process was not ready after {} seconds", kStartTime.count());
      return fmt::format("the device hung: no answer {} seconds after the deadline of {} seconds", kGrace.count(),
                         request.deadline);
    }
  }

  std::vector<std::string> worker_;
  std::map<std::string, Worker> children_;
  std::optional<Expected> next_;
  RunRecord last_;
};

// ---- the child's side ----

class LineReader {
 public:
  // The next line; nothing at the end of the input.
  std::optional<std::string> next() {
    if (early_.empty()) return read();
    std::string line = std::move(early_.front());
    early_.pop_front();
    return line;
  }
  // True if a "stop" or the end of the input has come. Other lines that have come are kept for later.
  bool stop_has_come() {
    while (has_more()) {
      std::optional<std::string> line = read();
      if (!line || *line == "stop") return true;
      early_.push_back(*std::move(line));
    }
    return false;
  }

 private:
  std::optional<std::string> read() {
    while (true) {
      if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
        std::string line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return line;
      }
      char buffer[1 << 15];
      const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      pending_.append(buffer, static_cast<std::size_t>(count));
    }
  }
  bool has_more() const {
    pollfd wait = {STDIN_FILENO, POLLIN, 0};
    return !pending_.empty() || ::poll(&wait, 1, 0) > 0;
  }

  std::string pending_;
  std::deque<std::string> early_;
};

void say(std::FILE* out, const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), out);
  std::fflush(out);
}

class Reporter final : public RunObserver {
 public:
  Reporter(std::FILE* out, LineReader& in) : out_(out), in_(in) {}

  void started(const RunRecord& record) override { report(kStarted, record); }
  void progress(const RunRecord& record) override {
    const Clock::time_point now = Clock::now();
    if (now - reported_ < kReportEvery) return;
    reported_ = now;
    report(kProgress, record);
  }
  void done(const RunRecord& record) { report(kDone, record); }
  bool cancelled() override { return cancelled_ = cancelled_ || in_.stop_has_come(); }

 private:
  void report(std::string_view kind, const RunRecord& record) {
    say(out_, fmt::format("{}{}\n", kind, to_json(record)));
  }

  std::FILE* out_;
  LineReader& in_;
  Clock::time_point reported_ = Clock::now();
  bool cancelled_ = false;
};

struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};

int nonsense(const base::Diagnostics& errors) {
  std::fputs(base::render(errors).c_str(), stderr);
  return 2;
}

}  // namespace

std::unique_ptr<Executor> isolated_executor(std::vector<std::string> worker) {
  return std::make_unique<Isolated>(std::move(worker));
}

int serve_requests(backend::OpenOptions options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int copy = ::dup(STDOUT_FILENO);
  const std::unique_ptr<std::FILE, CloseStream> out(copy < 0 ? nullptr : ::fdopen(copy, "w"));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  if (out == nullptr) return 3;
  LineReader in;
  const std::unique_ptr<Executor> executor = in_process_executor(std::move(options));
  while (const std::optional<std::string> line = in.next()) {
    if (*line == "stop") continue;  // came too late for the run it was meant for
    if (line->starts_with(kPrepare)) {
      const auto requests = requests_from_json(std::string_view(*line).substr(kPrepare.size()));
      if (!requests) return nonsense(requests.errors());
      executor->prepare(*requests);
      continue;
    }
    if (line->starts_with(kCodes)) {
      const auto requests = requests_from_json(std::string_view(*line).substr(kCodes.size()));
      if (!requests) return nonsense(requests.errors());
      say(out.get(), fmt::format("{}{}\n", kCodes, codes_to_json(executor->codes(*requests))));
      continue;
    }
    const base::Result<RunRequest> request = request_from_json(*line);
    if (!request) return nonsense(request.errors());
    Reporter reporter(out.get(), in);
    reporter.done(executor->execute(*request, reporter));
  }
  return 0;
}

}  // namespace weakspot::campaign
