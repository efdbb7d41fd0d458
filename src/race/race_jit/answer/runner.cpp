// SPDX-License-Identifier: MIT
#include "race_jit/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <optional>

#include "base/file.h"
#include "base/hash.h"
#include "race/kernel_names.h"
#include "race/replay.h"
#include "race/trace.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/guard/filter.h"
#include "race_jit/host/host_program.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/mutants.h"
#include "race_jit/search/search.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Answer bad_input(std::string messages) { return {2, std::move(messages), {}}; }
Answer environment_failed(std::string messages) { return {3, std::move(messages), {}}; }
Answer compilation_failed(const CompileFailure& failure) {
  return failure.no_compiler ? environment_failed(failure.messages) : bad_input(failure.messages);
}

bool names(const std::string& wanted, const Kernel& kernel) {
  const auto& aliases = kernel.aliases;
  return wanted == kernel.symbol || race::names_kernel(wanted, kernel.name) ||
         std::find(aliases.begin(), aliases.end(), base::hash_bytes(wanted).hex()) != aliases.end();
}

// Fails if no kernel has the name; an empty one stands for all.
base::Status check_kernel(const race::Request& request, const std::string& name, const DeviceModule& module) {
  std::vector<std::string> all;
  for (const Kernel& kernel : module.kernels()) {
    if (name.empty() || names(name, kernel)) return base::ok_status();
    all.push_back(kernel.name);
  }
  std::vector<std::string> templates;
  for (const IdleTemplate& idle : module.idle_templates()) templates.push_back(idle.name);
  return base::error_in(request.file, race::no_such_kernel(name, std::move(all), templates));
}

// Compiles the kernels that these launches are of, as far as that is known. main() may launch others.
base::Status prepare_kernels(const race::Request& request, const std::vector<race::LaunchSpec>& launches,
                             DeviceModule& module) {
  for (const Kernel& kernel : module.kernels()) {
    const bool wanted = std::any_of(launches.begin(), launches.end(),
                                    [&](const race::LaunchSpec& launch) {
                                      return launch.kernel.empty() || names(launch.kernel, kernel);
                                    }) &&
                        (request.kernel.empty() || names(request.kernel, kernel));
    if (!wanted) continue;
    if (base::Status prepared = module.prepare(kernel); !prepared) return prepared;
  }
  return base::ok_status();
}

class LaunchSeries {
 public:
  // Searches for inputs with this many runs; 0: no search.
  LaunchSeries(const race::Request& request, Machine& device, DeviceModule& module, Session& session,
               std::uint64_t runs)
      : request_(request),
        device_(device),
        module_(module),
        session_(session),
        search_(request, device, module, session),
        runs_(runs) {}

  base::Status run(const std::vector<race::LaunchSpec>& launches, bool stated) {
    for (const race::LaunchSpec& named : launches) {
      if (base::Status known = check_kernel(request_, named.kernel, module_); !known) return known;
      bool any = false;
      for (const Kernel& kernel : module_.kernels()) {
        if (!named.kernel.empty() && !names(named.kernel, kernel)) continue;
        if (!request_.kernel.empty() && !names(request_.kernel, kernel)) continue;
        any = true;
        race::LaunchSpec launch = named;
        static_cast<race::LaunchShape&>(launch) = with_cluster(kernel, named, !stated);
        session_.ask_for(kernel, "there was no time for a run");
        if (runs_ > 0) {
          search_.run(kernel, launch, stated, runs_, seconds_left() / static_cast<double>(module_.kernels().size()));
        } else if (base::Status done = launch_kernel(kernel, launch); !done) {
          return done;
        }
        if (stated) break;  // a stated launch is of one kernel, the first if it names none
      }
      if (!any) {
        return base::error_in(request_.file, fmt::format("kernel '{}' of the launch is not '{}', which --kernel names",
                                                         named.kernel, request_.kernel));
      }
    }
    if (runs_ > 0) session_.add_search(search_.report());
    search_.decide_stated();
    return base::ok_status();
  }

  // Whether launches were left out for lack of time.
  bool out_of_time() const { return out_of_time_; }

 private:
  double seconds_left() const { return request_.seconds - seconds_since(start_); }

  base::Status launch_kernel(const Kernel& kernel, const race::LaunchSpec& launch) {
    const race::LaunchSpec complete = with_all_arguments(kernel, launch);
    session_.trials().add({&kernel, complete, request_.seed, {}, {}, {}, {}});
    if (const std::string zero = zero_parameter(kernel); !zero.empty()) session_.not_exercised(kernel, zero);
    for (const race::ScheduleChoice& schedule : race::schedules_of(request_)) {
      if (!time_left()) {
        out_of_time_ = true;
        break;
      }
      module_.reset_variables();
      base::Result<Arguments> arguments = Arguments::make(kernel, complete, device_.arena(), request_.seed);
      if (!arguments) return base::error_in(request_.file, arguments.errors().front().message);
      const LaunchChoice choice{
          .schedule = schedule,
          .replay = race::replay_command(request_, kernel.name, complete, schedule, request_.seed)};
      device_.detector().set_doubt({});
      if (base::Status done = session_.launch(kernel, complete, arguments->pointers(), choice); !done) return done;
      search_.note_stated(kernel, {complete, schedule, request_.seed}, session_.races());
    }
    return base::ok_status();
  }

  const race::Request& request_;
  Machine& device_;
  DeviceModule& module_;
  Session& session_;
  Search search_;
  std::uint64_t runs_;
  bool out_of_time_ = false;
  Clock::time_point start_ = Clock::now();
};

constexpr std::uint64_t kSearchRuns = 1000;
constexpr double kTrialSeconds = 10;  // at most, of the time for all launches

// What to launch if nothing is stated: two blocks of two warps each.
std::vector<race::LaunchSpec> default_launches() {
  race::LaunchSpec launch;
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  return {launch};
}

// The names of kernels that have template arguments.
std::vector<std::string> instances(const race::Request& request, const std::vector<race::LaunchSpec>& launches) {
  std::vector<std::string> names;
  for (const race::LaunchSpec& launch : launches) names.push_back(launch.kernel);
  names.push_back(request.kernel);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(names, [](const std::string& name) { return name.find('<') == std::string::npos; });
  return names;
}

// main() runs if it is asked for or given arguments, or if the file has one and states no launches.
bool runs_main(const race::Request& request, const race::Annotations& annotations, std::string_view source) {
  if (!request.launches.empty() || request.no_program) return false;
  if (request.program || annotations.program || !request.program_arguments.empty()) return true;
  return annotations.launches.empty() && defines_main(source);
}

// What the request and the file ask for.
struct Plan {
  std::vector<race::LaunchSpec> launches;
  bool stated = false;     // the request or the file states the launches
  bool program = false;    // run main()
  std::uint64_t runs = 0;  // of a search
};

base::Result<Plan> make_plan(const race::Request& request) {
  base::Result<std::string> text = base::read_file(request.file);
  if (!text) return text.errors();
  base::Result<race::Annotations> annotations = race::read_annotations(base::Source(request.file, *text));
  if (!annotations) return annotations.errors();
  Plan plan;
  plan.launches = request.launches.empty() ? annotations->launches : request.launches;
  plan.program = runs_main(request, *annotations, *text);
  plan.stated = !plan.launches.empty();
  plan.runs = request.runs.value_or(plan.stated ? 0 : kSearchRuns);
  if (!plan.stated) plan.launches = default_launches();
  return plan;
}

// Both parts of the file, the host's if main() is to run, into `library`. The answer, if it failed.
std::optional<Answer> compile(const race::Request& request, const Plan& plan, const std::string& library,
                              Compiled& device) {
  std::future<Compiled> host;
  if (plan.program) host = std::async(std::launch::async, [&] { return compile_host(request, library); });
  device = compile_device(request, instances(request, plan.launches));
  Compiled host_part = plan.program ? host.get() : Compiled{.ok = true};
  if (!device.ok) return compilation_failed(device.failure);
  if (!host_part.ok && !device.replaced.empty()) host_part = compile_host(request, library, device.replaced);
  if (!host_part.ok) return compilation_failed(host_part.failure);
  return std::nullopt;
}

DeviceOptions device_options(const race::Request& request) {
  return {.check = request.check,
          .plain_checker = request.plain_checker || request.trace,
          .own_folders = header_folders(request),
          .lazy = true,
          .code_cache = CompileCache::default_folder()};
}

std::string library_in(const std::string& folder) { return folder + "/program.so"; }

// Runs main(). Tells whether it launched any kernel; what else there is to say goes into the answer.
base::Result<bool> run_main(const race::Request& request, const std::string& folder, DeviceService& service,
                            Machine& device, const DeviceModule& module, Answer& answer) {
  SandboxOptions sandbox;
  sandbox.trust = request.trust;
  sandbox.scratch = folder + "/scratch";
  sandbox.limits = SandboxLimits::of_this_machine(request.seconds);
  if (request.memory > 0) sandbox.limits.memory = request.memory << 20;
  std::error_code error;
  std::filesystem::create_directory(sandbox.scratch, error);
  base::Result<ProgramEnd> end = run_program({library_in(folder), request.file, request.program_arguments}, sandbox,
                                             service, device.arena(), module);
  if (!end) return end.errors();
  for (const std::string& note : end->notes) {
    answer.messages += fmt::format("{}: warning: sandbox: {}\n", request.file, note);
  }
  const bool launched = service.launches() > 0;
  if (!end->problem.empty()) {
    answer.messages += fmt::format("{}: error: {}\n", request.file, end->problem);
    answer.report.incomplete = end->problem;
  } else if (!launched) {
    answer.messages += fmt::format(
        "{}: warning: main() ended with {} and launched no kernel; the kernels run with made-up arguments\n",
        request.file, end->exit_code);
  } else if (end->exit_code != 0) {
    answer.report.incomplete = fmt::format("main() ended with exit code {}", end->exit_code);
  }
  answer.report.program_exit = end->exit_code;
  return launched;
}

// The time for trying what goes without barriers; none if main() went wrong.
double trial_seconds(const race::Request& request, const Answer& answer, double seconds_run) {
  if (!answer.report.incomplete.empty() || stop_requested()) return 0;
  const double least = request.seconds / 10;
  return std::clamp(request.seconds - seconds_run, least, std::max(kTrialSeconds, least));
}

// What other kernels of a program showed was not asked for.
void keep_kernel(race::Report& report, const std::string& name, const DeviceModule& module) {
  auto other = [&](const std::string& found) {
    return !found.empty() && std::none_of(module.kernels().begin(), module.kernels().end(), [&](const Kernel& kernel) {
      return kernel.name == found && names(name, kernel);
    });
  };
  std::erase_if(report.findings, [&](const race::Finding& finding) { return other(finding.kernel); });
  std::erase_if(report.kernels, [&](const race::KernelReport& kernel) { return other(kernel.name); });
}

// A template without instances did not run; a stated launch or --kernel does not ask for it.
void add_idle_templates(race::Report& report, const race::Request& request, const DeviceModule& module) {
  if (!request.kernel.empty() || !request.launches.empty()) return;
  for (const IdleTemplate& idle : module.idle_templates()) {
    report.not_exercised.push_back(
        {idle.name, idle.place, fmt::format("a template without instances; --kernel '{}<...>' makes one", idle.name)});
  }
}

}  // namespace

Answer answer(const race::Request& request, const std::string& folder, const Channel& channel) {
  const base::Result<Plan> plan = make_plan(request);
  if (!plan) return bad_input(base::render(plan.errors()));

  const Clock::time_point start = Clock::now();
  Compiled compiled;
  if (std::optional<Answer> failed = compile(request, *plan, library_in(folder), compiled)) return *std::move(failed);
  base::Result<std::unique_ptr<Arena>> arena = Arena::create(plan->program);
  if (!arena) return environment_failed(base::render(arena.errors()));
  Machine device(std::move(*arena), {.detector = {.lockstep = request.lockstep}});
  base::Result<std::unique_ptr<DeviceModule>> module =
      load_device_module(compiled.bitcode, device, device_options(request));
  if (!module) return environment_failed(base::render(module.errors()));
  if (base::Status known = check_kernel(request, request.kernel, **module); !known) {
    return bad_input(base::render(known.errors()));
  }
  if (!plan->program) {
    if (base::Status prepared = prepare_kernels(request, plan->launches, **module); !prepared) {
      return environment_failed(base::render(prepared.errors()));
    }
  }
  race::Trace trace;
  if (request.trace) device.detector().set_trace(&trace);
  const double compile_seconds = seconds_since(start);

  const Clock::time_point started = Clock::now();
  CrashGuard guard(request.seconds);
  channel.send({race::RecordKind::running, ""});
  Session session(request, device, **module);
  session.on_news(
      [&](const race::Report& report) { channel.send({race::RecordKind::findings, race::to_json(report)}); });
  session.on_progress([&](const std::string& line) { channel.send({race::RecordKind::progress, line}); });
  Answer result;
  result.messages = compiled.warnings;
  bool launched = false;
  if (plan->program) {
    for (const Kernel& kernel : (*module)->kernels()) {
      if (request.kernel.empty() || names(request.kernel, kernel)) session.ask_for(kernel);
    }
    const std::uint64_t mark = device.arena().mark();
    DeviceService service(session, device, **module, request);
    base::Result<bool> ran = run_main(request, folder, service, device, **module, result);
    if (!ran) return environment_failed(base::render(ran.errors()));
    launched = *ran;
    if (!launched) device.arena().make_private(mark);
  } else if (!request.trust) {
    protect_checker();
  }
  if (!launched && result.report.incomplete.empty()) {
    if (base::Status prepared = prepare_kernels(request, plan->launches, **module); !prepared) {
      return environment_failed(base::render(prepared.errors()));
    }
    LaunchSeries series(request, device, **module, session, plan->runs);
    if (base::Status done = series.run(plan->launches, plan->stated); !done) {
      return bad_input(base::render(done.errors()));
    }
    if (series.out_of_time()) result.report.incomplete = "the time was over before all launches had run";
  }
  if (!request.check) {
    for (const Kernel& kernel : (*module)->kernels()) session.not_exercised(kernel, "it ran unchecked");
  }
  const race::Report program = result.report;
  result.report = session.report(trial_seconds(request, result, seconds_since(started)));
  if (request.mutants) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::max(request.seconds, 1.0)));
    result.report.mutants = try_mutants(device, **module, session.trials(), session.collector(), end);
  }
  if (!request.kernel.empty()) keep_kernel(result.report, request.kernel, **module);
  add_idle_templates(result.report, request, **module);
  result.report.program_exit = program.program_exit;
  if (!program.incomplete.empty()) {
    std::string& reason = result.report.incomplete;
    reason = reason.empty() ? program.incomplete : fmt::format("{}: {}", program.incomplete, reason);
  }
  result.report.compile_seconds = compile_seconds;
  result.report.run_seconds = seconds_since(started);
  return result;
}

}  // namespace weakspot::race_jit
