#include "race_jit/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "race_jit/arguments.h"
#include "race_jit/device_module.h"
#include "race_jit/findings.h"
#include "race_jit/frontend.h"
#include "race_jit/machine.h"
#include "race_jit/signals.h"

namespace weakspot::race_jit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Answer bad_input(std::string messages) { return {2, std::move(messages), {}}; }
Answer environment_failed(std::string messages) { return {3, std::move(messages), {}}; }

std::string extent_text(const std::array<std::uint32_t, 3>& extent) {
  if (extent[2] > 1) return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
  if (extent[1] > 1) return fmt::format("{},{}", extent[0], extent[1]);
  return std::to_string(extent[0]);
}

std::string launch_text(const race::LaunchSpec& launch) {
  std::string text = fmt::format("grid={} block={}", extent_text(launch.grid), extent_text(launch.block));
  if (launch.shared > 0) text += fmt::format(" shared={}", launch.shared);
  return text;
}

// The name without template arguments and namespaces also names a kernel.
bool names(const std::string& wanted, const Kernel& kernel) {
  const std::string plain = kernel.name.substr(0, kernel.name.find('<'));
  const std::size_t colon = plain.rfind("::");
  return wanted == kernel.name || wanted == plain || wanted == kernel.symbol ||
         (colon != std::string::npos && wanted == plain.substr(colon + 2));
}

class Run {
 public:
  Run(const race::Request& request, Machine& device, const DeviceModule& module)
      : request_(request), device_(device), module_(module), rng_(request.seed) {}

  base::Status launch_all(const std::vector<race::LaunchSpec>& launches, bool stated) {
    for (const race::LaunchSpec& launch : launches) {
      bool any = false;
      for (const Kernel& kernel : module_.kernels()) {
        if (!launch.kernel.empty() && !names(launch.kernel, kernel)) continue;
        if (!request_.kernel.empty() && !names(request_.kernel, kernel)) continue;
        any = true;
        if (base::Status done = launch_kernel(kernel, launch); !done) return done;
        if (stated) break;  // a launch that is written down is of one kernel, the first if it names none
      }
      if (!any) {
        const std::string& name = launch.kernel.empty() ? request_.kernel : launch.kernel;
        return base::error_in(request_.file, name.empty() ? "there is no kernel in this file"
                                                          : fmt::format("there is no kernel '{}' in this file", name));
      }
    }
    return base::ok_status();
  }

  race::Report report() {
    race::Report report;
    Findings findings = collect_findings(device_, module_, launches_);
    report.findings = std::move(findings.findings);
    report.notes = std::move(findings.notes);
    for (const Kernel& kernel : module_.kernels()) {
      const Counts& counts = counts_[kernel.symbol];
      if (counts.launches > 0) report.kernels.push_back({kernel.name, kernel.place, counts.launches, counts.threads});
    }
    report.output = device_.output();
    report.accesses = device_.checked_accesses();
    return report;
  }

 private:
  struct Counts {
    std::uint64_t launches = 0, threads = 0;
  };

  base::Status launch_kernel(const Kernel& kernel, const race::LaunchSpec& launch) {
    const std::uint64_t shared = module_.static_shared() + launch.shared;
    if (shared > Arena::kWindow - 4096) {
      return base::error_in(request_.file, fmt::format("kernel {} needs {} bytes of shared memory; the most is {}",
                                                       kernel.name, shared, Arena::kWindow - 4096));
    }
    const unsigned schedules = std::max(request_.schedules, 1u);
    for (unsigned i = 0; i < schedules; ++i) {
      base::Rng rng = rng_;  // the same contents under every schedule
      base::Result<Arguments> arguments = Arguments::make(kernel, launch, device_.arena(), rng);
      if (!arguments) return base::error_in(request_.file, arguments.errors().front().message);
      LaunchRequest request;
      request.kernel = kernel.name;
      request.entry = kernel.entry;
      request.arguments = arguments->pointers();
      request.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
      request.block = {launch.block[0], launch.block[1], launch.block[2]};
      request.shared_bytes = shared;
      request.cooperative = launch.cooperative;
      launches_.push_back(
          {kernel.name, launch_text(launch), request.grid, request.block,
           fmt::format("weakspot race {} --kernel {} --seed {}", request_.file, kernel.name, request_.seed)});
      const Schedule schedule = i == 0 ? Schedule::forward : i == 1 ? Schedule::reversed : Schedule::random;
      Counts& counts = counts_[kernel.symbol];
      ++counts.launches;
      counts.threads += request.grid.count() * request.block.count();
      device_.launch(request, schedule);
    }
    return base::ok_status();
  }

  const race::Request& request_;
  Machine& device_;
  const DeviceModule& module_;
  base::Rng rng_;
  std::vector<LaunchRecord> launches_;
  std::map<std::string, Counts> counts_;
};

// What to launch where nothing says so: two blocks of two warps each.
std::vector<race::LaunchSpec> default_launches() {
  race::LaunchSpec launch;
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  return {launch};
}

}  // namespace

Answer answer(const race::Request& request) {
  base::Result<std::string> text = base::read_file(request.file);
  if (!text) return bad_input(base::render(text.errors()));
  base::Result<race::Annotations> annotations = race::read_annotations(base::Source(request.file, *text));
  if (!annotations) return bad_input(base::render(annotations.errors()));
  std::vector<race::LaunchSpec> launches = request.launches.empty() ? annotations->launches : request.launches;
  const bool stated = !launches.empty();
  if (!stated) launches = default_launches();

  if (request.launches.empty() && (request.program || annotations->program)) {
    return bad_input(
        fmt::format("{}: error: running main() is not modelled; give a launch with --launch\n", request.file));
  }
  const Clock::time_point start = Clock::now();
  const Compiled compiled = compile_cuda(request, Side::device);
  if (!compiled.ok) {
    return compiled.failure.no_compiler ? environment_failed(compiled.failure.messages)
                                        : bad_input(compiled.failure.messages);
  }
  base::Result<std::unique_ptr<Arena>> arena = Arena::create();
  if (!arena) return environment_failed(base::render(arena.errors()));
  MachineOptions options;
  options.detector.lockstep = request.lockstep;
  options.seed = request.seed;
  Machine device(std::move(*arena), options);
  DeviceOptions device_options;
  device_options.check = request.check;
  device_options.plain_checker = request.plain_checker;
  device_options.own_headers = request.headers;
  base::Result<std::unique_ptr<DeviceModule>> module = load_device_module(compiled.bitcode, device, device_options);
  if (!module) return environment_failed(base::render(module.errors()));
  const double compile_seconds = seconds_since(start);

  const Clock::time_point started = Clock::now();
  CrashGuard guard(request.seconds);
  Run run(request, device, **module);
  if (base::Status done = run.launch_all(launches, stated); !done) return bad_input(base::render(done.errors()));
  Answer result;
  result.messages = compiled.warnings;
  result.report = run.report();
  result.report.compile_seconds = compile_seconds;
  result.report.run_seconds = seconds_since(started);
  return result;
}

}  // namespace weakspot::race_jit
