// SPDX-License-Identifier: MIT
#include "race_jit/answer/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/source.h"
#include "race/kernel_names.h"
#include "race/npy.h"
#include "race/replay.h"
#include "race/trace.h"
#include "race_jit/answer/keep_launch.h"
#include "race_jit/answer/run_capture.h"
#include "race_jit/answer/run_command.h"
#include "race_jit/compile/clang_compiler.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/compile/nvcc_ptx.h"
#include "race_jit/guard/filter.h"
#include "race_jit/guard/readable.h"
#include "race_jit/host/host_program.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"
#include "race_jit/residual/residual_threads.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/mutants.h"
#include "race_jit/search/search.h"
#include "race_jit/search/session.h"
#include "race_jit/search/weak_runs.h"
#include "system/shell_limits.h"
#include "system/subprocess.h"

namespace weakspot::race_jit {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Answer bad_input(std::string messages) { return {2, std::move(messages), {}}; }
Answer environment_failed(const std::string& messages) { return {3, messages + base::shell_limits_note(), {}}; }
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
  // Templates without instances are not exercised, which is an answer.
  if (name.empty() && request.launches.empty() && !module.idle_templates().empty()) return base::ok_status();
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

// Takes what a launch leaves open from what the kernel says of itself. Fails where they contradict each other.
base::Status complete_shape(const race::Request& request, const Kernel& kernel, bool stated,
                            race::LaunchShape& launch) {
  if (launch.shared == 0) launch.shared = kernel.shared;
  if (kernel.block == Extent{}) return base::ok_status();
  if (launch.block == Extent{} || !stated) launch.block = kernel.block;
  if (launch.block == kernel.block) return base::ok_status();
  const Extent& block = kernel.block;
  return base::error_in(
      request.file, fmt::format("kernel '{}' must be launched with block={},{},{}, as its .reqntid says", kernel.name,
                                block.x, block.y, block.z));
}

class LaunchSeries {
 public:
  // Searches for inputs with this many runs; 0: no search.
  LaunchSeries(const race::Request& request, Machine& device, DeviceModule& module, Session& session,
               std::uint64_t runs, const Channel& channel)
      : request_(request),
        device_(device),
        module_(module),
        session_(session),
        search_(request, device, module, session),
        runs_(runs),
        channel_(channel),
        wants_values_(request.values) {}

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
        if (base::Status fits = complete_shape(request_, kernel, stated, launch); !fits) return fits;
        session_.ask_for(kernel, "there was no time for a run");
        if (runs_ > 0) {
          search_.run(kernel, launch, stated, runs_, seconds_left() / static_cast<double>(module_.kernels().size()));
        } else if (base::Status done = launch_kernel(kernel, launch); !done) {
          return done;
        }
        if (stated) break;  // a stated launch is of one kernel, the first if it names none
      }
      if (!any && !module_.kernels().empty()) {
        return base::error_in(request_.file, fmt::format("kernel '{}' of the launch is not '{}', which --kernel names",
                                                         named.kernel, request_.kernel));
      }
    }
    if (runs_ > 0) session_.add_search(search_.report());
    search_.decide_stated();
    return base::ok_status();
  }

  // True if launches were left out for lack of time.
  bool out_of_time() const { return out_of_time_; }

 private:
  double seconds_left() const { return request_.seconds - seconds_since(start_); }

  base::Status launch_kernel(const Kernel& kernel, const race::LaunchSpec& launch) {
    race::LaunchSpec complete = with_all_arguments(kernel, launch);
    if (const std::string array = fit_arrays(kernel, launch, complete); !array.empty()) {
      const std::string reason =
          fmt::format("the array '{}' is not stated, and none that was made up is large enough", array);
      session_.ask_for(kernel, reason);
      session_.not_exercised(kernel, reason);
      return base::ok_status();
    }
    session_.trials().add({&kernel, complete, request_.seed, {}, {}, {}, {}});
    if (const std::string zero = zero_parameter(kernel); !zero.empty()) session_.not_exercised(kernel, zero);
    for (const race::ScheduleChoice& schedule : race::schedules_of(request_)) {
      if (!time_left()) {
        out_of_time_ = true;
        break;
      }
      module_.reset_variables();
      const std::span<std::uint8_t> marks = module_.marks().subspan(kernel.first_mark, kernel.marks);
      std::fill(marks.begin(), marks.end(), std::uint8_t{0});
      base::Result<Arguments> arguments = Arguments::make(kernel, complete, device_.arena(), request_.seed);
      if (!arguments) return base::error_in(request_.file, arguments.errors().front().message);
      const LaunchChoice choice{
          .schedule = schedule,
          .replay = race::replay_command(request_, kernel.name, complete, schedule, request_.seed)};
      device_.detector().set_doubt({});
      if (base::Status done = session_.launch(kernel, complete, arguments->pointers(), choice); !done) return done;
      search_.note_stated(kernel, {complete, schedule, request_.seed}, session_.races(), marks);
      if (std::exchange(wants_values_, false)) send_values(*arguments);
    }
    return base::ok_status();
  }

  void send_values(const Arguments& arguments) const {
    for (const Arguments::Array& array : arguments.arrays()) {
      const std::string file = race::npy_text(array.type, array.element, array.bytes);
      channel_.send({race::RecordKind::values, array.name + "\n" + file});
    }
  }

  // Made-up arrays of the launch grow to what the kernel uses of them: an access outside would be our mistake. The name
  // of one for which that is too much, or empty.
  std::string fit_arrays(const Kernel& kernel, const race::LaunchSpec& stated, race::LaunchSpec& complete) {
    const bool made_up =
        std::any_of(complete.arguments.begin(), complete.arguments.end(), [&](const race::ArgumentSpec& argument) {
          return argument.count && race::find_argument(stated, argument.name) == nullptr;
        });
    if (!made_up || !time_left()) return {};
    const std::uint64_t accesses = device_.checked_accesses();
    race::Input input{complete, race::schedules_of(request_).front(), request_.seed};
    const std::string too_small = InputRun(device_, module_).fit_arrays(kernel, stated, input, seconds_left() / 2);
    session_.leave_out(device_.checked_accesses() - accesses);
    set_time_left(std::max(seconds_left(), 0.01));
    complete = std::move(input.launch);
    return too_small;
  }

  const race::Request& request_;
  Machine& device_;
  DeviceModule& module_;
  Session& session_;
  Search search_;
  std::uint64_t runs_;
  const Channel& channel_;
  bool wants_values_;
  bool out_of_time_ = false;
  Clock::time_point start_ = Clock::now();
};

constexpr std::uint64_t kSearchRuns = 1000;
constexpr std::uint64_t kPtxRuns = 20;  // sizes are compiled in: few inputs differ in what they do
constexpr double kTrialSeconds = 10;    // at most, of the time for all launches

// The launch if none is stated: two blocks of two warps each.
std::vector<race::LaunchSpec> default_launches() {
  race::LaunchSpec launch;
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  return {launch};
}

// The names of kernels that have template arguments.
std::vector<std::string> instances(const race::Request& request, const std::vector<race::LaunchSpec>& launches) {
  std::vector<std::string> names;
  names.reserve(launches.size() + 1);
  for (const race::LaunchSpec& launch : launches) names.push_back(launch.kernel);
  names.push_back(request.kernel);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(names, [](const std::string& name) { return name.find('<') == std::string::npos; });
  return names;
}

// main() runs if it is asked for or given arguments, or if the file has one and states no launches.
bool runs_main(const race::Request& request, const race::Annotations& annotations, std::string_view source) {
  if (!request.launches.empty() || request.no_program || request.is_ptx()) return false;
  if (request.program || annotations.program || !request.program_arguments.empty()) return true;
  return annotations.launches.empty() && defines_main(source);
}

// The work that the request and the file ask for.
struct Plan {
  std::vector<race::LaunchSpec> launches;
  bool stated = false;     // the request or the file states the launches
  bool program = false;    // run main()
  std::uint64_t runs = 0;  // runs of a search
};

constexpr std::string_view kElfMark =
    "\x7f"
    "ELF";

bool is_host_program(std::string_view bytes) {
  constexpr std::size_t kMachine = 18;
  if (!bytes.starts_with(kElfMark) || bytes.size() < kMachine + 2) return false;
  const unsigned machine = static_cast<unsigned char>(bytes[kMachine]) | static_cast<unsigned char>(bytes[kMachine + 1])
                                                                             << 8;
  return machine == 62 || machine == 183;  // x86-64, AArch64
}

base::Result<Plan> make_plan(const race::Request& request) {
  base::Result<std::string> text = base::read_file(request.file);
  if (!text) return text.errors();
  if (is_host_program(*text)) {
    return base::error_in(request.file, "expected a text, found a program; 'weakspot race -- PROGRAM' runs one");
  }
  if (text->starts_with(kElfMark)) {
    return base::error_in(request.file, "expected a text, found machine code; keep the PTX that it was made of");
  }
  // clang takes seconds for each kilobyte of such a file.
  if (const std::size_t at = text->find('\0'); at != std::string::npos) {
    return base::error_in(request.file, fmt::format("expected a text, found a zero byte at offset {}", at));
  }
  base::Result<race::Annotations> annotations = race::read_annotations(base::Source(request.file, *text));
  if (!annotations) return annotations.errors();
  Plan plan;
  plan.launches = request.launches.empty() ? annotations->launches : request.launches;
  plan.program = runs_main(request, *annotations, *text);
  plan.stated = !plan.launches.empty();
  plan.runs = request.runs.value_or(plan.stated ? 0 : request.is_ptx() ? kPtxRuns : kSearchRuns);
  if (!plan.stated) plan.launches = default_launches();
  return plan;
}

std::string library_in(const std::string& folder) { return folder + "/program.so"; }

// Both parts of the file, the host's if main() is to run, into `library`. The answer, if it failed.
std::optional<Answer> compile(const race::Request& request, const Plan& plan, const std::string& library,
                              Compiled& device) {
  std::future<Compiled> host;
  if (plan.program) host = std::async(std::launch::async, [&] { return compile_host(request, library); });
  device = compile_device(request, instances(request, plan.launches), std::filesystem::path(library).parent_path());
  Compiled host_part = plan.program ? host.get() : Compiled{.ok = true};
  if (!device.ok) return compilation_failed(device.failure);
  if (!host_part.ok && !device.replaced.empty()) host_part = compile_host(request, library, device.replaced);
  if (!host_part.ok) return compilation_failed(host_part.failure);
  if (!request.capture) return std::nullopt;
  base::Result<std::string> ptx =
      ptx_of(request, instances(request, plan.launches), device.bitcode, std::filesystem::path(library).parent_path());
  if (!ptx) return bad_input(base::render(ptx.errors()));
  device.ptx = *std::move(ptx);
  return std::nullopt;
}

// A source decides what its compiler reads, so the compiler sees as little as main() does. Says in the answer what
// could not be hidden.
std::optional<Answer> compile_confined(const race::Request& request, const Plan& plan, const std::string& folder,
                                       Compiled& device, std::string& notes) {
  namespace fs = std::filesystem;
  std::vector<std::string> readable = readable_by_compiler(request);
  const fs::path compilers[] = {fs::path(clang_resource_folder()).parent_path().parent_path().parent_path(),
                                fs::path(base::find_program(request.clang)).parent_path().parent_path()};
  for (const fs::path& place : compilers) readable.push_back(place.string());
  std::error_code error;
  if (const std::string nvcc = find_nvcc(request); !nvcc.empty() && request.front != race::Front::clang) {
    readable.push_back(fs::canonical(nvcc, error).parent_path().parent_path().string());
  }
  std::vector<std::string> writable = {folder};
  if (const fs::path cache = CompileCache::default_folder(); !cache.empty()) {
    fs::create_directories(cache, error);
    if (!error) writable.push_back(cache.string());
  }
  std::optional<Answer> failed;
  const auto work = [&] {
    try {
      failed = compile(request, plan, library_in(folder), device);
    } catch (const std::system_error& problem) {
      failed = environment_failed(fmt::format("error: cannot start a thread: {}\n", problem.code().message()));
    }
  };
  if (request.trust) {
    work();
  } else {
    const base::Result<bool> confined = confined_to(readable, writable, work);
    if (!confined) return environment_failed(base::render(confined.errors()));
    if (!*confined && !plan.program) notes = fmt::format("{}: warning: sandbox: {}\n", request.file, kNoLandlock);
  }
  if (failed && failed->messages.find("File size limit exceeded") != std::string::npos) {
    return environment_failed("error: the compiler could not write its file\n");
  }
  if (failed && failed->messages.find("Permission denied") != std::string::npos) {
    failed->messages += fmt::format(
        "{}: note: the compiler reads the source's folder and checkout, the working folder, those of -I and the "
        "system's; "
        "--read FOLDER adds one\n",
        request.file);
  }
  return failed;
}

DeviceOptions device_options(const race::Request& request) {
  return {.check = request.check,
          .plain_checker = request.plain_checker || request.trace,
          .own_folders = header_folders(request),
          .lazy = true,
          .code_cache = CompileCache::default_folder()};
}

// Runs main(). Tells whether it launched any kernel; what else there is to say goes into the answer.
base::Result<bool> run_main(const race::Request& request, const std::string& folder, DeviceService& service,
                            Machine& device, const DeviceModule& module, Answer& answer) {
  SandboxOptions sandbox;
  sandbox.trust = request.trust;
  sandbox.scratch = folder + "/scratch";
  sandbox.readable = readable_by_program(request);
  sandbox.readable.push_back(folder);
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
  } else if (end->exit_code != 0) {
    answer.report.incomplete =
        fmt::format("main() ended with exit code {}{}", end->exit_code, launched ? "" : " and launched no kernel");
  } else if (!launched) {
    answer.messages +=
        fmt::format("{}: warning: main() launched no kernel; the kernels run with made-up arguments\n", request.file);
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

// The end of runs beside those of the check itself.
Clock::time_point time_for_more(const race::Request& request) {
  const std::chrono::duration<double> seconds(std::max(request.seconds, 1.0));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
}

// Drops the findings of other kernels of a program, which were not asked for.
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
  report.code.kernels += module.idle_templates().size();
  for (const IdleTemplate& idle : module.idle_templates()) {
    report.not_exercised.push_back(
        {idle.name, idle.place, fmt::format("a template without instances; --kernel '{}<...>' makes one", idle.name)});
  }
}

// The threads of the one launch that is stated, evaluated.
Answer residual_answer(const race::Request& request, const Plan& plan, const std::string& bitcode, Machine& device,
                       DeviceModule& module) {
  auto refuse = [&](const std::string& what) { return bad_input(base::render({base::error_in(request.file, what)})); };
  if (!plan.stated) return refuse("no launch is stated: --launch 'grid=2 block=1', or a line '// weakspot: launch'");
  const Kernel* kernel = nullptr;
  const race::LaunchSpec* launch = nullptr;
  for (const race::LaunchSpec& named : plan.launches) {
    if (base::Status known = check_kernel(request, named.kernel, module); !known) {
      return bad_input(base::render(known.errors()));
    }
    for (const Kernel& one : module.kernels()) {
      if (!named.kernel.empty() && !names(named.kernel, one)) continue;
      if (!request.kernel.empty() && !names(request.kernel, one)) continue;
      if (named.kernel.empty() && request.kernel.empty() && module.kernels().size() > 1) {
        return refuse("the file has several kernels: --kernel NAME says which one");
      }
      if (kernel != nullptr) return refuse("the file states several launches: --launch or --kernel says which one");
      kernel = &one;
      launch = &named;
      break;
    }
  }
  if (kernel == nullptr) return refuse("no launch of the kernel is stated");
  race::LaunchSpec shaped = *launch;
  static_cast<race::LaunchShape&>(shaped) = with_cluster(*kernel, *launch, false);
  if (base::Status fits = complete_shape(request, *kernel, true, shaped); !fits) {
    return bad_input(base::render(fits.errors()));
  }
  for (const race::ArgumentSpec& argument : shaped.arguments) {
    if (!has_parameter(*kernel, argument.name)) {
      return refuse(fmt::format("kernel '{}' has no parameter '{}'", kernel->name, argument.name));
    }
  }
  base::Result<residual::Residual> residual =
      residual_threads(bitcode, *kernel, module, device, shaped, request.seed, request.named, header_folders(request));
  if (!residual) return refuse(residual.errors().front().message);
  Answer answer;
  answer.residual = *std::move(residual);
  return answer;
}

}  // namespace

Answer answer(const race::Request& request, const std::string& folder, const Channel& channel) {
  if (!request.command.empty()) return answer_command(request, folder, channel);
  if (race::is_capture(request.file)) return answer_capture(request, channel);
  const base::Result<Plan> plan = make_plan(request);
  if (!plan) return bad_input(base::render(plan.errors()));

  const Clock::time_point start = Clock::now();
  Compiled compiled;
  std::string notes;
  if (std::optional<Answer> failed = compile_confined(request, *plan, folder, compiled, notes))
    return *std::move(failed);
  base::Result<std::unique_ptr<Arena>> arena = Arena::create(plan->program);
  if (!arena) return environment_failed(base::render(arena.errors()));
  Machine device(std::move(*arena), {.detector = {.lockstep = request.lockstep, .replicas = request.is_ptx()}});
  base::Result<std::unique_ptr<DeviceModule>> module =
      load_device_module(compiled.bitcode, device, device_options(request));
  if (!module) return environment_failed(base::render(module.errors()));
  if (base::Status known = check_kernel(request, request.kernel, **module); !known) {
    return bad_input(base::render(known.errors()));
  }
  if (!plan->program && !request.residual) {
    if (base::Status prepared = prepare_kernels(request, plan->launches, **module); !prepared) {
      return environment_failed(base::render(prepared.errors()));
    }
  }
  if (request.residual) {
    CrashGuard crashes(request.seconds);
    channel.send({race::RecordKind::running, ""});
    Answer evaluated = residual_answer(request, *plan, compiled.bitcode, device, **module);
    evaluated.messages = notes + compiled.warnings + evaluated.messages;
    return evaluated;
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
  LaunchKeeper keeper(request, std::move(compiled.ptx), device.arena(), **module, channel);
  if (request.capture) {
    session.on_launch([&](const Kernel& kernel, const race::LaunchShape& shape, void** arguments) {
      if (request.kernel.empty() || names(request.kernel, kernel)) keeper.before(kernel, shape, arguments);
    });
  }
  Answer result;
  result.messages = notes + compiled.warnings;
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
    LaunchSeries series(request, device, **module, session, plan->runs, channel);
    if (base::Status done = series.run(plan->launches, plan->stated); !done) {
      return bad_input(base::render(done.errors()));
    }
    if (series.out_of_time()) result.report.incomplete = "the time was over before all launches had run";
  }
  if (!request.check) {
    for (const Kernel& kernel : (*module)->kernels()) session.not_exercised(kernel, "it ran unchecked");
  }
  const race::Report program = result.report;
  std::optional<race::WeakReport> weak;
  std::string weak_problem;
  if (request.weak) {
    WeakRuns runs(request, device, session.trials(), session.collector());
    if (base::Status read = runs.read_expected(); !read) return bad_input(base::render(read.errors()));
    weak = runs.run(time_for_more(request));
    weak_problem = runs.problem();
  }
  result.report = session.report(trial_seconds(request, result, seconds_since(started)));
  if (request.mutants) {
    result.report.mutants =
        try_mutants(device, **module, session.trials(), session.collector(), time_for_more(request));
  }
  result.report.weak = std::move(weak);
  if (result.report.incomplete.empty()) result.report.incomplete = weak_problem;
  if (!request.kernel.empty()) keep_kernel(result.report, request.kernel, **module);
  add_idle_templates(result.report, request, **module);
  if (request.capture && !keeper.problem().empty()) {
    result.messages += fmt::format("{}: warning: --capture: {}\n", request.file, keeper.problem());
  }
  result.report.program_exit = program.program_exit;
  if (!program.incomplete.empty()) {
    std::string& reason = result.report.incomplete;
    reason = reason.empty() ? program.incomplete : fmt::format("{}: {}", program.incomplete, reason);
  }
  result.report.front = compiled.front;
  result.report.compile_seconds = compile_seconds;
  result.report.run_seconds = seconds_since(started);
  return result;
}

}  // namespace weakspot::race_jit
