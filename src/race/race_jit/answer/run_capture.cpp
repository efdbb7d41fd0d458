// SPDX-License-Identifier: MIT
#include "race_jit/answer/run_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>

#include "base/source.h"
#include "capture/address_map.h"
#include "capture/capture.h"
#include "race/ptx_text.h"
#include "race/replay.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/from_ptx/translate.h"
#include "race_jit/guard/filter.h"
#include "race_jit/host/device_service.h"
#include "race_jit/link/link_code.h"
#include "race_jit/lower/growing_module.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

using CaptureClock = std::chrono::steady_clock;

Answer refuse_capture(int status, std::string messages) {
  Answer answer;
  answer.status = status;
  answer.messages = std::move(messages);
  return answer;
}

double seconds_from(CaptureClock::time_point start) {
  return std::chrono::duration<double>(CaptureClock::now() - start).count();
}

class CapturedLaunches {
 public:
  CapturedLaunches(const capture::Capture& capture, Machine& machine, GrowingModule& module)
      : capture_(capture), machine_(machine), module_(module) {}

  // The kernels of all modules, under names that no two of them share.
  base::Status load(const DeviceOptions& options) {
    std::uint64_t variables = 0;
    for (const capture::Capture::Module& one : capture_.modules) {
      if (base::Status room = has_room(one, variables); !room) return room;
      const base::Result<std::string> bitcode = bitcode_of_ptx(base::Source(one.name, one.ptx));
      if (!bitcode) return bitcode.errors();
      std::set<std::string> taken;
      for (const Kernel& kernel : module_.kernels()) taken.insert(kernel.symbol);
      for (const auto& [symbol, address] : module_.variables()) taken.insert(symbol);
      base::Result<LinkedCode> linked = link_code({{false, one.name, *bitcode}}, {}, taken);
      if (!linked) return linked.errors();
      base::Result<std::unique_ptr<DeviceModule>> part = load_device_module(linked->bitcode, machine_, options);
      if (!part) return part.errors();
      std::set<std::string> own;
      for (const Kernel& kernel : (*part)->kernels()) own.insert(kernel.symbol);
      kernels_.push_back(std::move(own));
      renamed_.push_back(std::move(linked->renamed.front()));
      module_.add(*std::move(part));
    }
    return base::ok_status();
  }

  base::Status allocate(DeviceService& service) {
    for (const capture::Capture::Buffer& one : capture_.buffers) {
      char* memory = variable_of(one);
      if (memory != nullptr) std::memset(memory, 0, one.size);  // it has the values of the PTX
      if (memory == nullptr) memory = service.allocate(one.size, one.name, {});
      if (memory == nullptr) return base::error("there is no memory for its buffers", base::ErrorKind::environment);
      one.contents.copy(memory, one.contents.size());
      places_.push_back(memory);
      addresses_.add(one.address, one.size, reinterpret_cast<std::uint64_t>(memory));
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      addresses_.translate({places_[i], capture_.buffers[i].contents.size()});
    }
    return base::ok_status();
  }

  // Other kernels of the modules are nobody's question here.
  void ask_for_kernels(Session& session) const {
    for (const capture::Capture::Launch& launch : capture_.launches) {
      if (const Kernel* kernel = find(launch)) session.ask_for(*kernel);
    }
  }

  // Fails if the capture does not fit the kernel.
  base::Status launch(std::size_t number, DeviceService& service) {
    const capture::Capture::Launch& launch = capture_.launches[number];
    const Kernel* kernel = find(launch);
    if (kernel == nullptr) {
      return mistake(number, fmt::format("module {} has no kernel '{}'", launch.module, launch.kernel));
    }
    if (kernel->parameters.size() != launch.arguments.size()) {
      return mistake(number, fmt::format("kernel '{}' takes {} arguments, not {}", launch.kernel,
                                         kernel->parameters.size(), launch.arguments.size()));
    }
    LaunchCall call{.kernel = kernel->symbol, .shape = launch.shape, .arguments = {}, .work = number + 1};
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      if (launch.arguments[i].size() != kernel->parameters[i].size) {
        return mistake(number, fmt::format("argument {} of '{}' has {} bytes, not {}", i, launch.kernel,
                                           kernel->parameters[i].size, launch.arguments[i].size()));
      }
      call.arguments.push_back(launch.arguments[i]);
      addresses_.translate(call.arguments.back());
    }
    const LaunchAnswer answer = service.launch(call);
    if (!answer.made && time_left()) return mistake(number, "such a launch cannot be made");
    output_ += answer.output;
    compare(number);
    return base::ok_status();
  }

  // What the kernels printed, and how what they left differs from what the device left.
  std::string take_output() { return std::move(output_); }
  std::string take_differences() { return std::move(differences_); }

 private:
  // Variables take memory as buffers do, whoever wrote the text.
  static base::Status has_room(const capture::Capture::Module& module, std::uint64_t& used) {
    const base::Result<race::ptx::Module> text = race::ptx::read_module(base::Source(module.name, module.ptx));
    if (!text) return text.errors();
    for (const race::ptx::Variable& variable : text->variables) {
      const std::uint64_t element = std::max<std::uint64_t>(variable.element(), 1);
      if (variable.count > (capture::kMostMemory - used) / element) {
        return base::error(fmt::format("{}: variable '{}' is too large: a capture has at most {} bytes of memory",
                                       module.name, variable.name, capture::kMostMemory));
      }
      used += variable.count * element;
    }
    return base::ok_status();
  }

  base::Diagnostics mistake(std::size_t number, const std::string& what) const {
    return {base::error(fmt::format("launch {}: {}", number, what))};
  }

  const Kernel* find(const capture::Capture::Launch& launch) const {
    const auto& renamed = renamed_[launch.module];
    const auto other = renamed.find(launch.kernel);
    const std::string& symbol = other == renamed.end() ? launch.kernel : other->second;
    if (!kernels_[launch.module].contains(symbol)) return nullptr;
    const auto& all = module_.kernels();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Kernel& one) { return one.symbol == symbol; });
    return found == all.end() ? nullptr : &*found;
  }

  // Null if it is no variable, or one that no kernel uses: those are left out of the module.
  char* variable_of(const capture::Capture::Buffer& buffer) const {
    if (buffer.variable.empty()) return nullptr;
    const auto& renamed = renamed_[buffer.module];
    const auto other = renamed.find(buffer.variable);
    const void* address = module_.variable(other == renamed.end() ? buffer.variable : other->second);
    if (address == nullptr) return nullptr;
    const Arena& arena = machine_.arena();
    const Allocation* memory = arena.find(address);
    if (memory == nullptr || memory->size < buffer.size) return nullptr;
    return arena.base() + memory->begin;
  }

  void compare(std::size_t number) {
    for (const capture::Capture::Output& output : capture_.launches[number].outputs) {
      const char* memory = places_[output.buffer];
      std::string expected = output.contents;
      addresses_.translate(expected);
      std::uint64_t different = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) different += memory[i] != expected[i] ? 1 : 0;
      if (different == 0) continue;
      differences_ += fmt::format("note: launch {}: {} of {} bytes of buffer {} differ from what the device left\n",
                                  number, different, expected.size(), output.buffer);
    }
  }

  const capture::Capture& capture_;
  Machine& machine_;
  GrowingModule& module_;
  std::vector<std::set<std::string>> kernels_;  // symbols, by modules
  std::vector<std::map<std::string, std::string>> renamed_;
  std::vector<char*> places_;  // of buffers
  capture::AddressMap addresses_;
  std::string output_, differences_;
};

std::string in_capture(const race::Request& request, const base::Diagnostics& errors) {
  return fmt::format("{}: {}", request.file, base::render(errors));
}

}  // namespace

Answer answer_capture(const race::Request& request, const Channel& channel) {
  const CaptureClock::time_point start = CaptureClock::now();
  const base::Result<capture::Capture> capture = capture::read_capture(request.file);
  if (!capture) return refuse_capture(2, base::render(capture.errors()));
  base::Result<std::unique_ptr<Arena>> arena = Arena::create(false);
  if (!arena) return refuse_capture(3, base::render(arena.errors()));
  Machine device(std::move(*arena), {.detector = {.lockstep = request.lockstep, .replicas = true}});
  GrowingModule module(device);
  CapturedLaunches launches(*capture, device, module);
  const DeviceOptions options{
      .own_folders = header_folders(request), .lazy = true, .code_cache = CompileCache::default_folder()};
  if (base::Status loaded = launches.load(options); !loaded) return refuse_capture(2, base::render(loaded.errors()));
  const double compile_seconds = seconds_from(start);

  CrashGuard guard(request.seconds);
  channel.send({race::RecordKind::running, ""});
  Session session(request, device, module);
  session.on_news(
      [&](const race::Report& report) { channel.send({race::RecordKind::findings, race::to_json(report)}); });
  launches.ask_for_kernels(session);
  DeviceService service(session, device, module, request);
  if (base::Status done = launches.allocate(service); !done) {
    return refuse_capture(3, in_capture(request, done.errors()));
  }
  protect_checker();
  bool out_of_time = false;
  for (std::size_t i = 0; i < capture->launches.size() && !out_of_time; ++i) {
    if (base::Status done = launches.launch(i, service); !done) {
      return refuse_capture(2, in_capture(request, done.errors()));
    }
    out_of_time = !time_left() && i + 1 < capture->launches.size();
  }
  Answer answer;
  answer.messages = launches.take_differences();
  answer.report = session.report(stop_requested() ? 0 : 1);
  answer.report.output = launches.take_output();
  if (out_of_time && answer.report.incomplete.empty()) {
    answer.report.incomplete = "the time was over before all launches had run";
  }
  race::set_replays(answer.report, race::replay_program(request));
  answer.report.compile_seconds = compile_seconds;
  answer.report.run_seconds = seconds_from(start) - compile_seconds;
  return answer;
}

}  // namespace weakspot::race_jit
