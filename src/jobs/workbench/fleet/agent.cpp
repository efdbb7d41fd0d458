// SPDX-License-Identifier: MIT
#include "workbench/agent.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <thread>

#include "campaign/record_json.h"
#include "campaign/recorded_runs.h"
#include "system/spawn.h"
#include "workbench/devices.h"
#include "workbench/fleet/device_classes.h"
#include "workbench/fleet/device_worker.h"

namespace weakspot::workbench {
namespace {

using AgentTime = std::chrono::steady_clock;

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 && name[0] != 0 ? name : "unnamed";
}

base::Result<WorkerDevice> recorded_device(const std::string& id) {
  base::Result<std::vector<campaign::RunRecord>> records = campaign::read_records(id.substr(kRecordedDevice.size()));
  if (!records) return records.errors();
  WorkerDevice device;
  device.id = id;
  device.classes = classes_of_recorded(id);
  device.executor = [records = *std::move(records)] { return campaign::recorded_executor(records); };
  return device;
}

WorkerDevice found_device(const backend::DeviceInfo& info, const std::vector<std::string>& worker) {
  WorkerDevice device;
  device.id = info.id;
  device.classes = classes_of(info);
  device.platform = platform_of(info);
  device.memory = slice_memory(info);
  device.executor = [worker] {
    return worker.empty() ? campaign::in_process_executor() : campaign::isolated_executor(worker);
  };
  return device;
}

base::Result<std::vector<WorkerDevice>> worker_devices(const AgentRequest& request,
                                                       const std::vector<std::string>& worker, AgentWatch& watch) {
  std::vector<WorkerDevice> devices;
  std::vector<std::string> others;
  for (const std::string& id : request.devices) {
    if (!id.starts_with(kRecordedDevice)) {
      others.push_back(id);
      continue;
    }
    base::Result<WorkerDevice> device = recorded_device(id);
    if (!device) return device.errors();
    devices.push_back(*std::move(device));
  }
  if (request.devices.empty()) others.emplace_back("all");
  if (others.empty()) return devices;
  const base::Result<std::vector<FoundDevice>> found = find_usable_devices(others);
  if (!found) return found.errors();
  for (const FoundDevice& one : *found) {
    if (one.problem.empty()) {
      devices.push_back(found_device(one.info, worker));
    } else {
      watch.note(fmt::format("{} cannot be used: {}", one.info.id, one.problem));
    }
  }
  return devices;
}

// Extends the leases of all workers, in time.
class Pulse {
 public:
  Pulse(std::vector<std::unique_ptr<DeviceWorker>>& workers, const AgentShared& shared)
      : workers_(workers), shared_(shared), thread_([this] { beat(); }) {}
  ~Pulse() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    end_.notify_all();
    thread_.join();
  }

 private:
  void beat() {
    const std::chrono::duration<double> interval(shared_.request.lease / 3);
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, interval, [this] { return ended_; })) {
      lock.unlock();
      for (const std::unique_ptr<DeviceWorker>& worker : workers_) extend(*worker);
      lock.lock();
    }
  }

  // An error is noticed by the worker, when it delivers.
  void extend(DeviceWorker& worker) {
    const std::vector<store::Attempt> held = worker.held();
    if (held.empty()) return;
    const auto lease =
        std::chrono::duration_cast<store::Duration>(std::chrono::duration<double>(shared_.request.lease));
    const auto lost = shared_.source.extend(shared_.agent, held, lease);
    if (lost) worker.drop(*lost);
  }

  std::vector<std::unique_ptr<DeviceWorker>>& workers_;
  const AgentShared& shared_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread thread_;  // last: it uses the others
};

void work(std::vector<std::unique_ptr<DeviceWorker>>& workers, const AgentShared& shared) {
  const Pulse pulse(workers, shared);
  std::vector<std::thread> threads;
  for (const std::unique_ptr<DeviceWorker>& worker : workers) {
    threads.emplace_back([&one = *worker] { one.run(); });
  }
  for (std::thread& thread : threads) thread.join();
}

Ending agent_ending(const AgentResult& result, bool interrupted) {
  if (!result.problems.empty()) return ending_of(result.problems);
  if (interrupted) return Ending::cancelled;
  const bool quarantined = std::any_of(result.devices.begin(), result.devices.end(),
                                       [](const AgentDevice& device) { return !device.quarantined.empty(); });
  return quarantined ? Ending::failed : Ending::fine;
}

}  // namespace

base::Result<AgentResult> run_agent(const AgentRequest& request, WorkSource& source,
                                    const std::vector<std::string>& worker, AgentWatch& watch) {
  // Threads write to pipes of their children, and must not change what a broken one means for each other.
  const base::IgnoreBrokenPipe ignore;
  base::Result<std::vector<WorkerDevice>> devices = worker_devices(request, worker, watch);
  if (!devices) return devices.errors();
  if (devices->empty()) return base::error("none of the devices can be used", base::ErrorKind::device);
  const std::string host = request.host.empty() ? host_name() : request.host;
  const AgentTime::time_point start = AgentTime::now();
  const auto passed = [start] { return std::chrono::duration<double>(AgentTime::now() - start).count(); };
  std::mutex watching;
  const AgentShared shared{
      request, source, fmt::format("{}/{}", host, ::getpid()),
      [&] { return is_stopped(request.stop) || (request.seconds > 0 && passed() >= request.seconds); },
      [&](const std::string& text) {
        const std::lock_guard lock(watching);
        watch.note(text);
      }};
  std::vector<std::unique_ptr<DeviceWorker>> workers;
  for (WorkerDevice& device : *devices) {
    device.key = fmt::format("{}/{}", host, device.id);
    workers.push_back(std::make_unique<DeviceWorker>(std::move(device), shared));
  }
  work(workers, shared);

  AgentResult result;
  result.agent = shared.agent;
  result.seconds = passed();
  for (const std::unique_ptr<DeviceWorker>& one : workers) {
    result.devices.push_back(one->tally());
    if (result.problems.empty()) result.problems = one->problems();
  }
  result.ending = agent_ending(result, is_stopped(request.stop));
  return result;
}

}  // namespace weakspot::workbench
